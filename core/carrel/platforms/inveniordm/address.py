# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an address of Zenodo or another InvenioRDM repository asks for."""

import re
from dataclasses import dataclass

from carrel.model import Landing
from carrel.platforms.addresses import Address, addresses, bare_doi
from carrel.platforms.inveniordm import hosts

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_OWN_ID = re.compile(r"[a-z0-9]{5}-[a-z0-9]{5}")
_RECORDS = frozenset({"record", "records", "packages"})
# What follows the id where one file is named: its page, or the interface's address of its bytes.
_FILE = re.compile(r"(?:files|preview)/(.+?)(?:/content)?")
_SCOPE = frozenset({"communities", "search", "uploads", "deposit", "requests", "me"})
# The prefix of Zenodo's own DOIs and that of its sandbox; the record id is part of the DOI.
_ZENODO_DOI = re.compile(r"(10\.5281|10\.5072)/zenodo\.(\d+)", re.IGNORECASE)
_ZENODO_HOSTS = {"10.5281": "zenodo.org", "10.5072": "sandbox.zenodo.org"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What was requested, and where: `base` is the repository's root, without a slash.

    `record` is an id in an address, `doi` a DOI in one; neither for a page of another kind. `tail`
    is what follows the id ("latest", "files/data.csv"), or names the other page
    ("communities/biosyslit"). `is_certain` says that only an InvenioRDM
    has such an address.
    """

    base: str
    host: str
    netloc: str
    record: str | None = None
    doi: str | None = None
    tail: str = ""
    is_package: bool = False
    is_certain: bool = False

    @property
    def domain(self) -> str:
        """The host of the installation, with a port if it has one of its own."""
        return self.netloc.removeprefix("www.")

    @property
    def file(self) -> str | None:
        """The one file that was requested, None if it was the whole record."""
        match = _FILE.fullmatch(self.tail)
        return match[1] if match else None

    @property
    def is_latest(self) -> bool:
        """Whether the latest version was requested, be the record which it may."""
        return self.tail in ("latest", "versions/latest")


def asked(landing: Landing) -> Asked | None:
    """Return what the way to the landing page asks of an InvenioRDM, None if nothing."""
    found = [one for address in addresses(landing) if (one := _read(address))]
    if landing.outcome is not None:
        dois = [address.doi for address in addresses(landing) if address.doi]
        found += [one for doi in dois if (one := _by_doi(doi))]
    whole = [one for one in found if one.record or one.doi]
    return next(iter(whole or found), None)


def first_asked(landing: Landing, host: str) -> Asked | None:
    """Return the record at this host that was requested first, None if none was: a redirect may
    have led on to another."""
    found = [one for address in addresses(landing) if (one := _read(address))]
    return next((one for one in reversed(found) if one.record and one.host == host), None)


def doi_asked(landing: Landing) -> str | None:
    """Return the DOI that was requested first, at a resolver or at the repository, else None."""
    for address in reversed([*addresses(landing)]):
        if doi := address.doi or (
            _doi_in(address.parts) if address.parts[:1] == ("doi",) else None
        ):
            return doi
    return None


def names_in(landing: Landing) -> frozenset[str]:
    """Return every record id and DOI, in lower case, that the way to the landing page names."""
    names = set()
    for address in addresses(landing):
        one = _read(address)
        names |= {address.doi, one and one.record, one and one.doi}
        if bare := _doi_in(address.parts):
            names.add(bare)
    return frozenset(name.lower() for name in names if name)


def record_id_of(doi: str) -> str:
    """Return the id in a DOI that the repository made: what follows "zenodo." or the slash."""
    return doi.rpartition("/")[2].removeprefix("zenodo.")


def _read(address: Address) -> Asked | None:
    parts = address.parts[1:] if address.parts[:1] == ("api",) else address.parts
    first = parts[0].lower() if parts else ""
    is_known = address.host in hosts.HOSTS
    scheme = "https" if is_known else address.scheme
    netloc = address.netloc.removeprefix("www.") if is_known else address.netloc
    base = f"{scheme}://{netloc}"
    if first in _RECORDS and len(parts) > 1 and _ID.fullmatch(parts[1]):
        is_certain = is_known or _OWN_ID.fullmatch(parts[1]) is not None
        if is_certain and parts[2:3] == ("draft",):
            return Asked(base, address.host, netloc, tail=f"uploads/{parts[1]}", is_certain=True)
        return Asked(
            base,
            address.host,
            netloc,
            record=parts[1],
            tail="/".join(parts[2:]),
            is_package=first == "packages",
            is_certain=is_certain,
        )
    if not is_known:
        return None
    if first in ("doi", "badge") and (doi := _doi_in(parts)):
        return Asked(base, address.host, netloc, doi=doi, is_certain=True)
    if not parts or first in _SCOPE or first in ("badge", *_RECORDS):
        tail = "/".join([first, *parts[1:2]])
        return Asked(base, address.host, netloc, tail=tail, is_certain=True)
    return None


def _by_doi(doi: str) -> Asked | None:
    """Return the Zenodo record in a DOI, for when the DOI did not resolve."""
    match = _ZENODO_DOI.fullmatch(doi)
    if match is None:
        return None
    host = _ZENODO_HOSTS[match[1]]
    return Asked(f"https://{host}", host, host, doi=doi, is_certain=True)


def _doi_in(parts: tuple[str, ...]) -> str | None:
    """Return the DOI in `doi/10.…`, `badge/DOI/10.….svg` or in one encoded part, else None."""
    for place, part in enumerate(parts):
        if part.startswith("10."):
            doi = bare_doi("/".join(parts[place:]))
            return re.sub(r"\.svg$", "", doi) if doi else None
    return None
