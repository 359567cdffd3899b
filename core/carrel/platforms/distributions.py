# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a schema.org Dataset says can be downloaded, and whether each of these is a file."""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from carrel.model import Landing
from carrel.platforms.addresses import DOI_HOSTS, other_address, read_address, web_address
from carrel.platforms.entries import digests
from carrel.platforms.nodes import identifier_in
from carrel.platforms.shapes import as_count, as_text

# Bytes have no fractions: a comma before their name can only group the thousands.
_EXACT_SIZE = re.compile(
    r"\s*(?:(\d+)(?:\.0+)?\s*(?:B|bytes?)?|(\d{1,3}(?:,\d{3})+)\s*(?:B|bytes?))\s*", re.IGNORECASE
)
_SERVICE = re.compile(
    r"\b(?:WMS|WFS|WCS|WMTS|OGC|OPeNDAP|THREDDS|ERDDAP|SPARQL|API)\b", re.IGNORECASE
)
_SERVICE_QUERY = re.compile(r"(?:^|&)(?:service=w|request=getcapabilities)", re.IGNORECASE)
PAGE_TYPES = frozenset({"text/html", "html", "application/xhtml+xml"})
_FOLDER_TYPES = frozenset({"text/directory", "inode/directory", "httpd/unix-directory"})
_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(\s*;.*)?")
_FILE_NAME = re.compile(r".*\.(?=\d*[A-Za-z])([A-Za-z0-9]{1,8})", re.DOTALL)
_GIT = re.compile(r"git(?:$|:|\+[a-z]+)", re.IGNORECASE)
_WORDS = ("encodingFormat", "fileFormat", "name", "additionalType", "protocol")
_ALGORITHMS = ("md5", "sha1", "sha256", "sha512")
# schema.org's own word first; SEANOE has the second, in bytes.
_SIZES = ("contentSize", "fileSize", "size")
_RESOLVERS = DOI_HOSTS | {"hdl.handle.net"}
_MEDIA = ("encoding", "associatedMedia")
_NO_FILES = frozenset({"FileSet", "WebAPI", "EntryPoint", "SearchAction", "WebPage", "WebSite"})


@dataclass(frozen=True, slots=True)
class Distribution:
    """One thing to download. `why_no_file` says in words why it is none, None for a file.

    A file at an address that is not the web's has that in `elsewhere`, and no `url`. `also` are the
    names of further things to download at the same address.
    """

    url: str | None
    elsewhere: str | None = None
    name: str | None = None
    mimetype: str | None = None
    size: int | None = None
    digests: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    has_bad_checksum: bool = False
    why_no_file: str | None = None
    also: tuple[str, ...] = ()

    @property
    def is_file(self) -> bool:
        return self.why_no_file is None

    @property
    def address(self) -> str | None:
        return self.url or self.elsewhere


def distributions(dataset: Mapping[str, Any], landing: Landing) -> list[Distribution]:
    """Return what the dataset block offers, each address once, in order."""
    by_id = {as_text(node.get("@id")): node for node in landing.json_ld if node.get("@id")}
    found: dict[object, Distribution] = {}
    names: dict[object, dict[str, None]] = {}
    for number, node in enumerate(_nodes(dataset.get("distribution"), by_id)):
        for one in _read(node, landing):
            key = one.address or number
            found.setdefault(key, one)
            names.setdefault(key, {})[one.name or ""] = None
    return [
        replace(one, also=tuple(name for name in names[key] if name not in ("", one.name)))
        for key, one in found.items()
    ]


def other_contents(
    dataset: Mapping[str, Any], found: Sequence[Distribution], landing: Landing
) -> list[str]:
    """Return the addresses of content that stand beside what the dataset block offers to download:
    of itself, of media that encode it or go with it, and where it is the page's only dataset, of
    downloads that no block refers to."""
    media = [one for name in _MEDIA for one in _list(dataset.get(name))]
    if sum(_is_of_type(one, "Dataset") for one in landing.json_ld) == 1:
        media += [one for one in landing.json_ld if _is_of_type(one, "DataDownload")]
    known = {one.address for one in found}
    named: dict[str, None] = {}
    for node in (dataset, *(one for one in media if isinstance(one, Mapping))):
        for one in _list(node.get("contentUrl")):
            url = web_address(landing.url, _text(one))
            if url and url not in known and _why_no_file(node, url, landing) is None:
                named[url] = None
    return list(named)


def _is_of_type(node: Mapping[str, Any], name: str) -> bool:
    return name in _list(node.get("@type"))


def _nodes(
    value: Any, by_id: Mapping[str | None, Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    for one in _list(value):
        if isinstance(one, str):
            yield {"url": one}
        elif isinstance(one, list):
            yield from _nodes(one, by_id)
        elif isinstance(one, Mapping) and (values := one.get("@list", one.get("@set"))) is not None:
            yield from _nodes(values, by_id)
        elif isinstance(one, Mapping):
            is_reference = set(one) <= {"@id", "@type"}
            yield by_id.get(as_text(one.get("@id")), one) if is_reference else one


def _read(node: Mapping[str, Any], landing: Landing) -> Iterator[Distribution]:
    urls = [_text(one) for one in _list(node.get("contentUrl")) or _list(node.get("url"))]
    for raw in urls or [None]:
        url = web_address(landing.url, raw)
        elsewhere = None if url else other_address(raw)
        published = {name: as_text(node.get(name)) for name in _ALGORITHMS if node.get(name)}
        known = {
            k: v for name, value in published.items() for k, v in _digests(name, value).items()
        }
        size, extra = _size(node)
        yield Distribution(
            url=url,
            elsewhere=elsewhere,
            name=_text(node.get("name")),
            mimetype=_media_type(node),
            size=size,
            digests=known,
            extra=extra,
            has_bad_checksum=len(known) < len(published),
            why_no_file=_why_no_file(node, url or elsewhere, landing),
        )


def _digests(algorithm: str, value: str | None) -> dict[str, str]:
    """Return the digest in hexadecimal form, also of one in base64, as Kaggle writes its MD5s."""
    if found := digests(algorithm, value):
        return found
    try:
        return digests(algorithm, base64.b64decode((value or "").strip(), validate=True).hex())
    except (binascii.Error, ValueError):
        return {}


def _why_no_file(node: Mapping[str, Any], url: str | None, landing: Landing) -> str | None:
    if _NO_FILES & {one for one in _list(node.get("@type")) if isinstance(one, str)}:
        return "it is not a single file"
    if url is None:
        return "it has no web address"
    if _plain(url) in {_plain(hop) for hop in (*landing.hops, landing.asked)}:
        return "it is the page itself"
    if why := _why_nothing_behind(node, url):
        return why
    if node.get("containedIn"):
        return "it is inside another file"
    formats = _formats(node)
    if any(map(_GIT.match, (url, *formats))):
        return "it is a repository"
    if formats & PAGE_TYPES:
        return "it is a web page"
    if (_text(node.get("name")) or "").lower() == "landing page":
        return "it is a landing page"
    if _is_service(node, url):
        return "it is a service"
    return "it is a folder" if formats & _FOLDER_TYPES or _is_folder(node, url) else None


def _why_nothing_behind(node: Mapping[str, Any], url: str) -> str | None:
    """Return why no file is behind a resolver's address, None if there may be one."""
    address = read_address(url)
    if address is None or address.host not in _RESOLVERS:
        return None
    if identifier_in(url) is None:
        return "it is an address without an identifier"
    return "it is a landing page" if address.doi and not node.get("contentUrl") else None


def _formats(node: Mapping[str, Any]) -> set[str]:
    return {text.partition(";")[0].strip().lower() for text in _format_texts(node)}


def _format_texts(node: Mapping[str, Any]) -> list[str]:
    return _texts(node.get("encodingFormat")) + _texts(node.get("fileFormat"))


def _is_service(node: Mapping[str, Any], url: str) -> bool:
    address = read_address(url)
    if address is None:
        return False
    if _SERVICE_QUERY.search(url.partition("?")[2]):
        return True
    if "erddap" in address.parts and _is_erddap_page(address.parts):
        return True
    # Pages about a service end in ".html" or in the name of a file: its format tells them apart.
    formats = [text for text in _format_texts(node) if not _MEDIA_TYPE.fullmatch(text)]
    if any(map(_SERVICE.search, formats)):
        return True
    if _has_file_name(address.parts):
        return False
    words = (text for name in _WORDS for text in _texts(node.get(name)))
    return any(map(_SERVICE.search, words))


def _is_folder(node: Mapping[str, Any], url: str) -> bool:
    """Return whether the address is a folder's: it ends as one does, and nothing is said of it that
    is said of files alone. Some platforms have such addresses for files (osf.io/download/abcde/).
    """
    path, _, query = url.partition("#")[0].partition("?")
    if not path.endswith("/") or query:
        return False
    is_told = any(node.get(name) for name in (*_SIZES, *_ALGORITHMS)) or _media_type(node)
    return not is_told and extension_of(_text(node.get("name"))) is None


def extension_of(name: str | None) -> str | None:
    """Return what follows the last dot of a file name, in lower case, None if it has none."""
    found = _FILE_NAME.fullmatch((name or "").strip())
    return found[1].lower() if found else None


def _has_file_name(parts: Sequence[str]) -> bool:
    return bool(parts) and extension_of(parts[-1]) is not None


def _is_erddap_page(parts: Sequence[str]) -> bool:
    return not _has_file_name(parts) or parts[-1].endswith((".html", ".graph", ".subset"))


def _size(node: Mapping[str, Any]) -> tuple[int | None, dict[str, Any]]:
    """Return the size if it is told to the byte, and the text of one that is not."""
    value = next((node[name] for name in _SIZES if node.get(name) not in (None, "")), None)
    if (count := as_count(value)) is not None:
        return count, {}
    text = _quantity(value) if isinstance(value, Mapping) else as_text(value)
    if text is None:
        return None, {}
    if match := _EXACT_SIZE.fullmatch(text):
        count = as_count(match[1] or match[2].replace(",", ""))
    return (None, {"content_size": text}) if count is None else (count, {})


def _quantity(value: Mapping[str, Any]) -> str | None:
    """Return a number with its unit, as in "12 MB"."""
    number = as_text(value.get("value"))
    unit = _text(value.get("unitText")) or _text(value.get("unitCode"))
    return f"{number} {unit}" if number and unit else number


def _media_type(node: Mapping[str, Any]) -> str | None:
    return next((text for text in _format_texts(node) if _MEDIA_TYPE.fullmatch(text)), None)


def _texts(value: Any) -> list[str]:
    return [text for one in _list(value) if (text := _text(one))]


def _text(value: Any) -> str | None:
    if isinstance(value, Mapping):
        value = value.get("@value") or value.get("@id") or value.get("name")
    text = as_text(value[0] if isinstance(value, list) and value else value)
    return text.strip() if text and text.strip() else None


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _plain(url: str) -> str:
    return url.partition("#")[0].removeprefix("https").removeprefix("http").rstrip("/")
