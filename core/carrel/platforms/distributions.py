# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a schema.org Dataset says can be downloaded, and whether each of these is a file."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from carrel.model import Landing
from carrel.platforms.addresses import other_address, read_address, web_address
from carrel.platforms.entries import digests
from carrel.platforms.shapes import as_count, as_text

_EXACT_SIZE = re.compile(r"\s*(\d+)\s*(?:B|bytes?)?\s*", re.IGNORECASE)
_SERVICE = re.compile(
    r"\b(?:WMS|WFS|WCS|WMTS|OGC|OPeNDAP|THREDDS|ERDDAP|SPARQL|API)\b", re.IGNORECASE
)
_SERVICE_QUERY = re.compile(r"(?:^|&)(?:service=w|request=getcapabilities)", re.IGNORECASE)
_PAGE_TYPES = frozenset({"text/html", "html", "application/xhtml+xml"})
_GIT = re.compile(r"git(?:$|:|\+[a-z]+)", re.IGNORECASE)
_WORDS = ("encodingFormat", "fileFormat", "name", "additionalType", "protocol")
_ALGORITHMS = ("md5", "sha1", "sha256", "sha512")
_NO_FILES = frozenset({"FileSet", "cr:FileSet", "WebAPI", "EntryPoint", "SearchAction", "WebPage"})


@dataclass(frozen=True, slots=True)
class Distribution:
    """One thing to download. `why_no_file` says in words why it is none, None for a file.

    A file at an address that is not the web's has that in `elsewhere`, and no `url`.
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
    for number, node in enumerate(_nodes(dataset.get("distribution"), by_id)):
        for one in _read(node, landing):
            found.setdefault(one.address or number, one)
    return list(found.values())


def _nodes(
    value: Any, by_id: Mapping[str | None, Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    for one in _list(value):
        if isinstance(one, str):
            yield {"contentUrl": one}
        elif isinstance(one, Mapping) and "@list" in one:
            yield from _nodes(one["@list"], by_id)
        elif isinstance(one, Mapping):
            is_reference = set(one) <= {"@id", "@type"}
            yield by_id.get(as_text(one.get("@id")), one) if is_reference else one


def _read(node: Mapping[str, Any], landing: Landing) -> Iterator[Distribution]:
    urls = [_text(one) for one in _list(node.get("contentUrl")) or _list(node.get("url"))]
    for raw in urls or [None]:
        url = web_address(landing.url, raw)
        elsewhere = None if url else other_address(raw)
        published = {name: as_text(node.get(name)) for name in _ALGORITHMS if node.get(name)}
        known = {k: v for name, value in published.items() for k, v in digests(name, value).items()}
        size, extra = _size(node.get("contentSize"))
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


def _why_no_file(node: Mapping[str, Any], url: str | None, landing: Landing) -> str | None:
    if url is None:
        return "it has no web address"
    if _plain(url) in {_plain(hop) for hop in (*landing.hops, landing.asked)}:
        return "it is the page itself"
    if _NO_FILES & {one for one in _list(node.get("@type")) if isinstance(one, str)}:
        return "it is not a single file"
    if node.get("containedIn"):
        return "it is inside another file"
    formats = _formats(node)
    if any(map(_GIT.match, (url, *formats))):
        return "it is a repository"
    if formats & _PAGE_TYPES:
        return "it is a web page"
    return "it is a service" if _is_service(node, url) else None


def _formats(node: Mapping[str, Any]) -> set[str]:
    texts = _texts(node.get("encodingFormat")) + _texts(node.get("fileFormat"))
    return {text.partition(";")[0].strip().lower() for text in texts}


def _is_service(node: Mapping[str, Any], url: str) -> bool:
    address = read_address(url)
    if address is None:
        return False
    if _SERVICE_QUERY.search(url.partition("?")[2]):
        return True
    if "erddap" in address.parts and _is_erddap_page(address.parts):
        return True
    if _has_file_name(address.parts):
        return False
    words = (text for name in _WORDS for text in _texts(node.get(name)))
    return any(map(_SERVICE.search, words))


def _has_file_name(parts: Sequence[str]) -> bool:
    return bool(parts) and re.search(r"\.[A-Za-z0-9]{1,8}$", parts[-1]) is not None


def _is_erddap_page(parts: Sequence[str]) -> bool:
    return not _has_file_name(parts) or parts[-1].endswith((".html", ".graph", ".subset"))


def _size(value: Any) -> tuple[int | None, dict[str, Any]]:
    """Return the size if it is told to the byte, and the text of one that is not."""
    if (count := as_count(value)) is not None:
        return count, {}
    text = as_text(value.get("value") if isinstance(value, Mapping) else value)
    if text is None:
        return None, {}
    if (match := _EXACT_SIZE.fullmatch(text)) and (count := as_count(match[1])) is not None:
        return count, {}
    return None, {"content_size": text}


def _media_type(node: Mapping[str, Any]) -> str | None:
    texts = _texts(node.get("encodingFormat")) + _texts(node.get("fileFormat"))
    return next((text for text in texts if re.fullmatch(r"[\w.+-]+/[\w.+-]+(\s*;.*)?", text)), None)


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
    return re.sub(r"^https?://", "", url.partition("#")[0]).rstrip("/")
