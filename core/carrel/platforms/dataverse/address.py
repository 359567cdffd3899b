# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an address of a Dataverse installation asks for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from carrel.model import Landing
from carrel.platforms.addresses import Address, addresses, bare_doi, read_address, web_address
from carrel.platforms.dataverse import hosts

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
    "modern",
)
# The new front end, whose name installations choose (IQSS/dataverse-frontend issue 945).
_NEW_PAGES = frozenset({"spa", "modern"})
# Pages and questions that no other software has, and those that others number things in too.
_OWN = frozenset(
    {
        "dataset.xhtml",
        "citation",
        "file.xhtml",
        "access/dataset",
        "access/datafile",
        "meta/datafile",
    }
)
_SHARED = frozenset({"datasets", "files"})
_FILES = frozenset({"file.xhtml", "files", "access/datafile", "meta/datafile"})
# The interface's addresses that name a dataset or a file, and a version behind it (Dataverse's
# guides to the native and the data access API).
_INTERFACE = re.compile(
    r"/api(?:/v1)?/(datasets|files|access/dataset|(?:access|meta)/datafile)(?:/bundle)?/([^/]+)"
    r"(?:/versions/([^/]+))?"
)
# How addresses name the persistent id: now, and in releases before 4.2, in CeON's Dataverse and in
# the Dataverse Network before (`/dvn/study?globalId=…`), whose addresses stand in print.
_PID_QUERIES = ("persistentId", "globalId")
# How pages and the interface name a version in the query, the last two by its database number.
_VERSION_QUERIES = ("version", "datasetVersion", "versionId", "datasetVersionId")


@dataclass(frozen=True, slots=True)
class Asked:
    """What was requested, and where: `base` is the installation's root, without a slash.

    One of `pid` (of a dataset or file), `file_id` and `dataset_id` is given; none for a collection,
    which has its alias in `collection`, nor for the home page, which has none. `is_file` says that
    the address is a file's; `is_certain` that only a Dataverse has such an address. `version` is
    that of the dataset as the address names it; a database number has the query's name before it.
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

    @property
    def api_version(self) -> str | None:
        """The version as the interface names it, None if none was named that makes sense."""
        text = (self.version or "").strip().lower()
        if text in (":draft", "draft"):
            return ":draft"
        if text in (":latest", ":latest-published"):
            return text
        major, _, minor = text.partition(".")
        if major.isdecimal() and (not minor or minor.isdecimal()) and len(text) < 20:
            return f"{int(major)}.{int(minor or 0)}"
        return None


def asked(landing: Landing) -> Asked | None:
    """Return what the way to the landing page asks of a Dataverse, None if nothing.

    The version is the first that the way names: a redirect can lose it, and must not change it.
    """
    found = [one for address in addresses(landing) if (one := _read(_meant(address)))]
    if landing.outcome is not None:
        dois = [address.doi for address in addresses(landing) if address.doi]
        found += [one for doi in dois if (one := _by_prefix(doi))]
    whole = [one for one in found if one.is_dataset]
    best = next(iter(whole), None) or _at_known_host(landing) or next(iter(found), None)
    versions = [one.version for one in found if one.version]
    return replace(best, version=versions[-1]) if best and versions else best


def _at_known_host(landing: Landing) -> Asked | None:
    """Return the dataset whose DOI led to a known installation, under whatever address there."""
    doi = next((address.doi for address in addresses(landing) if address.doi), None)
    for address in addresses(landing):
        if doi and address.host in hosts.HOSTS:
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


def _meant(address: Address) -> Address:
    """Return the page that a log-in page leads on to, or whose file a previewer or explorer shows
    on any site; any other address as it is."""
    query = {name.lower(): value for name, value in address.query.items()}
    if page := query.get("redirectpage"):
        onward = read_address(web_address(f"{address.origin}{address.path}", page) or "")
        return onward if onward and onward.netloc == address.netloc else address
    if site := query.get("siteurl"):
        return _of_tool(site.rstrip("/"), query) or address
    return address


def _of_tool(site: str, query: Mapping[str, str]) -> Address | None:
    """Return the page of what an external tool was called for (its parameters in Dataverse's guide
    to building external tools), None if it was not told."""
    file, dataset = query.get("fileid") or query.get("dfid"), query.get("datasetid")
    version = quote(query.get("datasetversion", ""))
    if _is_number(file):
        return read_address(f"{site}/file.xhtml?fileId={file}&version={version}")
    if _is_number(dataset):
        return read_address(f"{site}/dataset.xhtml?id={dataset}&version={version}")
    return None


def _read(address: Address) -> Asked | None:
    pid = next(filter(None, (read_pid(address.query.get(name)) for name in _PID_QUERIES)), None)
    kind, name, version = _named(address)
    is_file, number = kind in _FILES, name if _is_number(name) else None
    file_id = address.query.get("fileId") or (number if is_file else None)
    is_known = address.host in hosts.HOSTS
    found = Asked(
        base=_base(address),
        host=address.host,
        netloc=address.netloc,
        pid=pid,
        file_id=file_id if _is_number(file_id) and not pid else None,
        dataset_id=None if is_file else number,
        collection=_after(address.parts, "dataverse"),
        version=version or _version_in(address),
        is_file=is_file,
        is_certain=is_known
        or kind in _OWN
        or (kind in _SHARED and name is not None and not number),
    )
    is_collection = "dataverse" in address.parts[:-1] or (
        is_known and address.parts in ((), ("dataverse.xhtml",))
    )
    return found if found.is_dataset or is_collection else None


def _named(address: Address) -> tuple[str, str | None, str | None]:
    """Return which page or question the address is, and the id and the version in it, each None if
    it names none; the first is empty for an address of another kind."""
    if call := _INTERFACE.search("/" + "/".join(address.parts)):
        return call[1], call[2], call[3]
    page = address.parts[-1] if address.parts else ""
    is_page = page in _OWN or bool(_NEW_PAGES.intersection(address.parts[-2:-1]))
    return (page, address.query.get("id"), None) if is_page else ("", None, None)


def _is_number(text: str | None) -> bool:
    return text is not None and text.isdecimal()


def _version_in(address: Address) -> str | None:
    for name in _VERSION_QUERIES:
        if value := address.query.get(name):
            return f"{name}={value}" if name.endswith("Id") else value
    return None


def _by_prefix(doi: str) -> Asked | None:
    """Return where a DOI's prefix says that its dataset is, for when the DOI did not resolve."""
    host = hosts.DOIS.get(doi.partition("/")[0])
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
