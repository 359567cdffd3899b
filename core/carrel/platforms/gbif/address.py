# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an address of GBIF asks for: a download or a dataset."""

import re
from dataclasses import dataclass

from carrel.model import Landing
from carrel.platforms.addresses import Address, addresses, nearest

HOST = "gbif.org"
API = "https://api.gbif.org/v1"
_HOSTS = frozenset(
    {HOST, "api.gbif.org", "registry.gbif.org", "demo.gbif.org", "occurrence-download.gbif.org"}
)
_KEY = re.compile(r"\d{7}-\d{15,18}|\d{15}")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_OF_DOWNLOADS = "10.15468/dl."
# Derived datasets, which stand at a repository elsewhere.
_OF_DERIVED = "10.15468/dd."
# Under which GBIF registers datasets; publishers have others of their own.
_PREFIXES = ("10.15468/", "10.15470/", "10.15472/", "10.25607/", "10.71819/", "10.82144/")
# Pages in other languages: /es/dataset/…
_LANGUAGE = re.compile(r"[a-z]{2}(?:-[A-Za-z]{2,4})?")


@dataclass(frozen=True, slots=True)
class Asked:
    """A download by its key or DOI, or a dataset by its UUID or DOI; `tail` is what stands behind
    it. `is_sure` says whether an address of GBIF's names it."""

    key: str
    is_download: bool
    tail: str = ""
    is_sure: bool = True

    @property
    def is_dataset_by_doi(self) -> bool:
        return not self.is_download and self.key.startswith("10.")

    @property
    def page(self) -> str:
        folder = "occurrence/download" if self.is_download else "dataset"
        return f"https://www.{HOST}/{folder}/{self.key}"

    @property
    def record(self) -> str:
        """The address of its record in the interface."""
        folder = "occurrence/download" if self.is_download else "dataset"
        by = "doi/" if self.is_dataset_by_doi else ""
        return f"{API}/{folder}/{by}{self.key}"


def asked(landing: Landing) -> Asked | None:
    """Return what the nearest address on the way to a page asks for."""
    return nearest(landing, _read)


def group_of(landing: Landing) -> str | None:
    """Return the address of a page that groups datasets, None if it is no such page."""
    groups = ("species", "publisher", "network", "installation", "country", "grscicoll")
    for address in addresses(landing):
        parts = _own_parts(address)
        is_search = parts[-1:] == ("search",) or len(parts) == 1
        is_occurrence = parts[:1] == ("occurrence",) and len(parts) == 2 and parts[1].isdecimal()
        is_group = parts[:1] and (parts[0] in groups or is_search or is_occurrence)
        if address.host == HOST and is_group:
            return f"{address.host}{address.path}"
    return None


def _own_parts(address: Address) -> tuple[str, ...]:
    """Return the parts of a path, without the language or the version that they begin with."""
    first = address.parts[0] if address.parts else ""
    is_prefix = first == "v1" or (len(address.parts) > 1 and _LANGUAGE.fullmatch(first))
    return address.parts[1:] if is_prefix else address.parts


def _by_doi(doi: str) -> Asked | None:
    if doi.startswith(_OF_DOWNLOADS):
        return Asked(doi, is_download=True)
    is_dataset = doi.startswith(_PREFIXES) and not doi.startswith(_OF_DERIVED)
    return Asked(doi, is_download=False, is_sure=False) if is_dataset else None


def _read(address: Address) -> Asked | None:
    if address.doi:
        return _by_doi(address.doi.lower())
    if address.host not in _HOSTS:
        return None
    parts = _own_parts(address)
    if parts[:2] == ("dataset", "doi") and len(parts) > 3:
        return Asked("/".join(parts[2:4]).lower(), is_download=False)
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
