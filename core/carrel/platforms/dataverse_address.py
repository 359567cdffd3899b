# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an address of a Dataverse installation asks for."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

from carrel.model import Landing
from carrel.platforms import hosts
from carrel.platforms.addresses import Address, addresses, bare_doi

_PID = re.compile(r"(doi|hdl|perma):(/*)(\S+)", re.IGNORECASE)
_PAGES = (
    "dataset.xhtml",
    "citation",
    "file.xhtml",
    "dataverse.xhtml",
    "api",
    "dataverse",
    "dataset",
    "spa",
)
_OWN_PAGES = frozenset({"dataset.xhtml", "citation", "file.xhtml"})


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for, and where: `base` is the installation's root, without a slash.

    One of `pid` (of a dataset or file), `file_id` and `dataset_id` is given; none for a collection,
    which has its alias in `collection`, nor for the home page, which has none. `is_file` says that
    the address is a file's; `is_certain` that only a Dataverse has such an address.
    """

    base: str
    host: str
    netloc: str
    pid: str | None = None
    file_id: str | None = None
    dataset_id: str | None = None
    collection: str | None = None
    version: str | None = None
    is_file: bool = False
    is_certain: bool = False

    @property
    def is_dataset(self) -> bool:
        return any((self.pid, self.file_id, self.dataset_id))


def asked(landing: Landing) -> Asked | None:
    """Return what the way to the landing page asks of a Dataverse, None if nothing."""
    found = [one for address in addresses(landing) if (one := _read(address))]
    if landing.outcome is not None:
        dois = [address.doi for address in addresses(landing) if address.doi]
        found += [one for doi in dois if (one := _by_prefix(doi))]
    whole = [one for one in found if one.is_dataset]
    return next(iter(whole), None) or _at_known_host(landing) or next(iter(found), None)


def _at_known_host(landing: Landing) -> Asked | None:
    """Return the dataset whose DOI led to a known installation, under whatever address there."""
    doi = next((address.doi for address in addresses(landing) if address.doi), None)
    for address in addresses(landing):
        if doi and address.host in hosts.DATAVERSE:
            base = _base(address)
            return Asked(base, address.host, address.netloc, pid=f"doi:{doi}", is_certain=True)
    return None


def read_pid(text: str | None) -> str | None:
    """Return a persistent id with its scheme in lower case, None if the text is none."""
    for candidate in (text or "", unquote(text or "")):
        if match := _PID.fullmatch(candidate.strip()):
            return f"{match[1].lower()}:{match[3]}"
        if doi := bare_doi(candidate):
            return f"doi:{doi}"
    return None


def parent_pid(pid: str) -> str | None:
    """Return the id with its last part taken off, None if that can be no dataset's."""
    parent, _, last = pid.rpartition("/")
    return parent if last and "/" in parent else None


def _read(address: Address) -> Asked | None:
    pid = read_pid(address.query.get("persistentId"))
    file_id = address.query.get("fileId") or _after(address.parts, "datafile")
    own_page = bool(address.parts) and address.parts[-1] in _OWN_PAGES
    dataset_id = address.query.get("id") if own_page and address.parts[-1] != "file.xhtml" else None
    is_known = address.host in hosts.DATAVERSE
    is_api = address.path.startswith("/api/access/datafile/") or "/api/datasets/" in address.path
    found = Asked(
        base=_base(address),
        host=address.host,
        netloc=address.netloc,
        pid=pid,
        file_id=file_id if file_id and file_id.isdecimal() and not pid else None,
        dataset_id=dataset_id if dataset_id and dataset_id.isdecimal() else None,
        collection=_after(address.parts, "dataverse"),
        version=address.query.get("version"),
        is_file=(own_page and address.parts[-1] == "file.xhtml") or "datafile" in address.parts,
        is_certain=is_known or own_page or is_api,
    )
    is_collection = "dataverse" in address.parts[:-1] or (
        is_known and address.parts in ((), ("dataverse.xhtml",))
    )
    return found if found.is_dataset or is_collection else None


def _by_prefix(doi: str) -> Asked | None:
    """Return where a DOI's prefix says that its dataset is, for when the DOI did not resolve."""
    host = hosts.DATAVERSE_DOIS.get(doi.partition("/")[0])
    if host is None:
        return None
    return Asked(f"https://{host}", host, host, pid=f"doi:{doi}", is_certain=True)


def _base(address: Address) -> str:
    """Return the installation's root: what comes before the pages that every Dataverse has."""
    parts = [part for part in address.path.split("/") if part]
    known = [index for index, part in enumerate(parts) if part in _PAGES]
    return "/".join([address.origin, *parts[: known[0] if known else 0]])


def _after(parts: tuple[str, ...], name: str) -> str | None:
    """Return the path part behind the named one, None if there is none."""
    place = parts.index(name) + 1 if name in parts else len(parts)
    return parts[place] if place < len(parts) else None
