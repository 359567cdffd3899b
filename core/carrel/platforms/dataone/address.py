# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an address of DataONE, or of a member, asks for: an object by its PID.

Some pages keep the PID in the fragment of their address. Hosts of members: the node list of the
coordinating node (cn.dataone.org/cn/v2/node), 2026.
"""

from dataclasses import dataclass

from carrel.model import Landing
from carrel.platforms.addresses import Address, addresses

CN = "https://cn.dataone.org/cn/v2"
HOSTS = frozenset(
    (
        "adc.arm.gov", "arcticdata.io", "cn.dataone.org", "data.ess-dive.lbl.gov",
        "data.piscoweb.org", "data.pndb.fr", "dataone.org", "dev.nceas.ucsb.edu",
        "ess-dive.lbl.gov", "goa.nceas.ucsb.edu", "iys.hakai.org", "knb.ecoinformatics.org",
        "opc.dataone.org", "search.dataone.org",
    )
)  # fmt: skip
# Registered by members, whose DOIs are PIDs as they stand.
_PREFIXES = ("10.15485/", "10.18739/", "10.5063/", "10.6085/")
# What stands before a PID in a path or a fragment.
_BEFORE = (("view",), ("datasets",), ("object",), ("resolve",), ("meta",), ("packages",))


@dataclass(frozen=True, slots=True)
class Asked:
    """An object by its PID, and the host of its page. `is_sure` says whether that is a member's."""

    pid: str
    host: str
    is_sure: bool = True


def asked(landing: Landing) -> Asked | None:
    """Return what the nearest address on the way to a page asks for."""
    by_doi: Asked | None = None
    for address in addresses(landing):
        if address.host in HOSTS and (pid := _pid(address)):
            return Asked(pid, address.host)
        if by_doi is None and address.doi and address.doi.upper().startswith(_PREFIXES):
            by_doi = Asked(f"doi:{address.doi}", "dataone.org", is_sure=False)
    return by_doi


def group_of(landing: Landing) -> str | None:
    """Return the address of a member's page that is not one dataset's, None if it is none."""
    for address in addresses(landing):
        if address.host in HOSTS and (address.parts or address.fragment):
            return f"{address.host}{address.path}"
    return None


def _pid(address: Address) -> str | None:
    fragment = tuple(part for part in address.fragment.partition("?")[0].split("/") if part)
    for parts in (fragment, address.parts):
        for number in range(len(parts) - 1):
            if (parts[number],) in _BEFORE:
                return _whole("/".join(parts[number + 1 :]))
    return None


def _whole(pid: str) -> str:
    """Return a PID with the slashes that servers fold in an address that is one."""
    for scheme in ("https:/", "http:/"):
        if pid.startswith(scheme) and not pid.startswith(f"{scheme}/"):
            return f"{scheme}/{pid.removeprefix(scheme)}"
    return pid
