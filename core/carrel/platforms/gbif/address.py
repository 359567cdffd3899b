# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an address of GBIF asks for: a download or a dataset."""

import re
from dataclasses import dataclass

from carrel.model import Landing
from carrel.platforms.addresses import Address, addresses, nearest

HOST = "gbif.org"
API = "https://api.gbif.org/v1"
_HOSTS = frozenset({HOST, "api.gbif.org", "registry.gbif.org", "demo.gbif.org"})
_KEY = re.compile(r"\d{7}-\d{15,18}|\d{15}")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_OF_DOWNLOADS = "10.15468/dl."


@dataclass(frozen=True, slots=True)
class Asked:
    """A download by its key or DOI, or a dataset by its UUID; `tail` is what stands behind it."""

    key: str
    is_download: bool
    tail: str = ""

    @property
    def page(self) -> str:
        folder = "occurrence/download" if self.is_download else "dataset"
        return f"https://www.{HOST}/{folder}/{self.key}"

    @property
    def record(self) -> str:
        """The address of its record in the interface."""
        folder = "occurrence/download" if self.is_download else "dataset"
        return f"{API}/{folder}/{self.key}"


def asked(landing: Landing) -> Asked | None:
    """Return what the nearest address on the way to a page asks for."""
    return nearest(landing, _read)


def group_of(landing: Landing) -> str | None:
    """Return the address of a page that groups datasets, None if it is no such page."""
    groups = ("species", "publisher", "network", "installation", "country", "grscicoll")
    for address in addresses(landing):
        is_search = address.parts[-1:] == ("search",) or len(address.parts) == 1
        is_group = address.parts[:1] and (address.parts[0] in groups or is_search)
        if address.host == HOST and is_group:
            return f"{address.host}{address.path}"
    return None


def _read(address: Address) -> Asked | None:
    if address.doi and address.doi.lower().startswith(_OF_DOWNLOADS):
        return Asked(address.doi.lower(), is_download=True)
    if address.host not in _HOSTS:
        return None
    parts = address.parts[1:] if address.parts[:1] == ("v1",) else address.parts
    if parts[:2] == ("occurrence", "download"):
        return _download(parts[2:])
    if parts[:1] == ("dataset",) and len(parts) > 1 and _UUID.fullmatch(parts[1]):
        return Asked(parts[1].lower(), is_download=False, tail="/".join(parts[2:]))
    return None


def _download(parts: tuple[str, ...]) -> Asked | None:
    tail = ""
    if parts[:1] == ("request",):
        tail, parts = "/".join(parts), parts[1:]
    doi = "/".join(parts[:2]).lower()
    if doi.startswith(_OF_DOWNLOADS):
        return Asked(doi, is_download=True)
    key = parts[0].removesuffix(".zip") if parts else ""
    return Asked(key, is_download=True, tail=tail) if _KEY.fullmatch(key) else None
