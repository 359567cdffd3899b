# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a schema.org Dataset says can be downloaded, and whether each of these is a file."""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from carrel.model import Fixity, Landing
from carrel.platforms.addresses import DOI_HOSTS, other_address, read_address, web_address
from carrel.platforms.entries import digests, joined, prefixed_digests
from carrel.platforms.nodes import identifier_in
from carrel.platforms.shapes import as_count, as_text, written
from carrel.translation import tr

# Bytes have no fractions: a comma before their name can only group the thousands.
_EXACT_SIZE = re.compile(
    r"\s*(?:(\d+)(?:\.0+)?\s*(?:B|bytes?)?|(\d{1,3}(?:,\d{3})+)\s*(?:B|bytes?))\s*", re.IGNORECASE
)
_SERVICE = re.compile(
    r"\b(?:WMS|WFS|WCS|WMTS|OGC|OPeNDAP|THREDDS|ERDDAP|SPARQL|API)\b", re.IGNORECASE
)
_SERVICE_QUERY = re.compile(r"(?:^|&)(?:service=w|request=getcapabilities)", re.IGNORECASE)
PAGE_TYPES = frozenset({"text/html", "html", "application/html", "application/xhtml+xml"})
_FOLDER_TYPES = frozenset({"text/directory", "inode/directory", "httpd/unix-directory"})
_TYPES_OF_WORDS = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "txt": "text/plain",
    "html": "text/html",
    "xml": "application/xml",
    "json": "application/json",
    "geojson": "application/geo+json",
    "pdf": "application/pdf",
    "zip": "application/zip",
    "netcdf": "application/x-netcdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(\s*;.*)?")
_FILE_NAME = re.compile(r".*\.(?=\d*[A-Za-z])([A-Za-z0-9]{1,8})", re.DOTALL)
_GIT = re.compile(r"git(?:$|:|\+[a-z]+)", re.IGNORECASE)
_WORDS = ("encodingFormat", "fileFormat", "name", "additionalType", "protocol")
_ALGORITHMS = ("md5", "sha1", "sha256", "sha512")
_LENGTHS = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}
# SPDX's words for checksums of any algorithm, with the prefix as Science-on-Schema.org has them.
_CHECKSUMS = ("checksum", "spdx:checksum", "http://spdx.org/rdf/terms#checksum")
_ALGORITHM_NAMES = (
    *("algorithm", "spdx:algorithm"),
    *("checksumAlgorithm", "spdx:checksumAlgorithm"),  # their first form
    *("http://spdx.org/rdf/terms#algorithm", "http://spdx.org/rdf/terms#checksumAlgorithm"),
)
_CHECKSUM_VALUES = (
    *("checksumValue", "spdx:checksumValue"),
    "http://spdx.org/rdf/terms#checksumValue",
)
# As in "http://spdx.org/rdf/terms#checksumAlgorithm_sha256".
_ALGORITHM_PREFIX = re.compile(r".*(?:[#/:]|checksumAlgorithm_)", re.DOTALL)
# schema.org's own word first; SEANOE has the second, in bytes.
_SIZES = ("contentSize", "fileSize", "size")
_RESOLVERS = DOI_HOSTS | {"hdl.handle.net"}
_MEDIA = ("encoding", "associatedMedia")
_NO_FILES = frozenset({"FileSet", "WebAPI", "EntryPoint", "SearchAction", "WebPage", "WebSite",
                       "InteractiveMap"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Distribution:
    """One thing to download. `why_no_file` says in words why it is none, None for a file.

    A file at an address that is not the web's has that in `elsewhere`, and no `url`. `also` are the
    names of further things to download at the same address, `differences` in words what is told of
    this one in different ways (`entries.joined`). `path` is the file's in its dataset, where the
    description tells that; `misnamed` are the names of algorithms under which a digest of another
    stands.
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
    differences: tuple[str, ...] = ()
    path: str | None = None
    misnamed: tuple[str, ...] = ()

    @property
    def is_file(self) -> bool:
        return self.why_no_file is None

    @property
    def address(self) -> str | None:
        return self.url or self.elsewhere


def distributions(dataset: Mapping[str, Any], landing: Landing) -> list[Distribution]:
    """Return what the dataset block offers, each address once, in order."""
    by_id = {as_text(node.get("@id")): node for node in landing.json_ld if node.get("@id")}
    nodes = _nodes(dataset.get("distribution"), by_id)
    return gathered(one for node in nodes for one in of_node(node, landing))


def gathered(told: Iterable[Distribution]) -> list[Distribution]:
    """Return what is told of things to download, each address once, in order."""
    found: dict[object, list[Distribution]] = {}
    for number, one in enumerate(told):
        found.setdefault(one.address or number, []).append(one)
    return [_together(blocks) for blocks in found.values()]


def _together(blocks: Sequence[Distribution]) -> Distribution:
    """Return the thing to download at one address with what all blocks tell of it. What is told
    under another name is told of another thing."""
    first, *others = blocks
    if not others:
        return first
    names = dict.fromkeys(one.name for one in blocks if one.name)
    own = [
        one
        for one in blocks
        if one.name in (None, next(iter(names), None)) and one.why_no_file == first.why_no_file
    ]
    known, contradicted = joined(*(Fixity(one.size, one.digests) for one in own))
    extra = next((one.extra for one in own if one.extra), {}) if known.size is None else {}
    return replace(
        first,
        mimetype=next((one.mimetype for one in own if one.mimetype), None),
        size=known.size,
        digests=known.digests,
        extra=extra,
        has_bad_checksum=any(one.has_bad_checksum for one in own),
        misnamed=tuple(dict.fromkeys(name for one in own for name in one.misnamed)),
        also=tuple(name for name in names if name != first.name),
        differences=(*contradicted, *(words for one in own for words in one.differences)),
    )


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
            url = web_address(landing.url, _text(one)) or other_address(_text(one))
            if url and url not in known and _why_no_file(node, url, landing) is None:
                named[url] = None
    return list(named)


def _is_of_type(node: Mapping[str, Any], name: str) -> bool:
    return name in _list(node.get("@type"))


def _nodes(value: Any, by_id: Mapping[str | None, Mapping[str, Any]]) -> Iterator[Any]:
    """Yield the objects that describe something to download; what describes nothing as it is."""
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
        else:
            yield one


def of_node(node: Any, landing: Landing) -> Iterator[Distribution]:
    """Yield what a block tells of something to download, one for each of its addresses."""
    if node is None:
        return
    if not isinstance(node, Mapping):
        yield Distribution(None, name=written(node), why_no_file=tr("it describes no download"))
        return
    urls = [_text(one) for one in _list(node.get("contentUrl")) or _list(node.get("url"))]
    sizes, extra = _sizes(node)
    published = list(_published_digests(node))
    fixity, differences = joined(*map(Fixity, sizes), *(Fixity(None, one) for one in published))
    for raw in urls or [None]:
        url = web_address(landing.url, raw)
        elsewhere = None if url else other_address(raw)
        yield Distribution(
            url=url,
            elsewhere=elsewhere,
            name=_text(node.get("name")),
            mimetype=_media_type(node),
            size=fixity.size,
            digests=fixity.digests,
            extra=extra,
            has_bad_checksum=not all(published),
            misnamed=tuple(_misnamed(node)),
            why_no_file=_why_no_file(node, url or elsewhere, landing),
            differences=differences,
        )


def _published_digests(node: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield each checksum that a block tells, an empty one for what cannot be read."""
    for name in _ALGORITHMS:
        for one in _told(node.get(name)):
            yield _under(name, _text(one))
    for one in (one for name in _CHECKSUMS for one in _told(node.get(name))):
        if isinstance(one, Mapping):
            algorithm = _text(_first(one, _ALGORITHM_NAMES)) or ""
            plain = _ALGORITHM_PREFIX.sub("", algorithm)
            yield _digests(plain, _text(_first(one, _CHECKSUM_VALUES)))
        else:
            yield prefixed_digests(as_text(one))


def _misnamed(node: Mapping[str, Any]) -> Iterator[str]:
    """Yield the algorithms whose word holds the digest of another, told by its length."""
    for name in _ALGORITHMS:
        told = [_under(name, _text(one)) for one in _told(node.get(name))]
        if any(one and name not in one for one in told):
            yield name


def _under(name: str, value: str | None) -> dict[str, str]:
    """Return the digest under the word of an algorithm. One of another length is that algorithm's:
    Croissant files have MD5s under `sha256`, which was long all that their checker let pass."""
    text = (value or "").strip()
    return _digests(name, value) or digests(_LENGTHS.get(len(text)), text)


def _first(node: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((node[name] for name in names if node.get(name) not in (None, "")), None)


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
        return tr("it is not a single file")
    if url is None:
        return tr("it has no web address")
    if _plain(url) in {_plain(hop) for hop in (*landing.hops, landing.asked)}:
        return tr("it is the page itself")
    if why := _why_nothing_behind(node, url):
        return why
    if node.get("containedIn"):
        return tr("it is inside another file")
    formats = _formats(node)
    if any(map(_GIT.match, (url, *formats))):
        return tr("it is a repository")
    if formats & PAGE_TYPES and not any(_published_digests(node)):  # no one digests a mere page
        return tr("it is a web page")
    if (_text(node.get("name")) or "").lower() == "landing page":
        return tr("it is a landing page")
    if _is_service(node, url):
        return tr("it is a service")
    return tr("it is a folder") if formats & _FOLDER_TYPES or _is_folder(node, url) else None


def _why_nothing_behind(node: Mapping[str, Any], url: str) -> str | None:
    """Return why no file is behind a resolver's address, None if there may be one."""
    address = read_address(url)
    if address is None or address.host not in _RESOLVERS:
        return None
    if identifier_in(url) is None:
        return tr("it is an address without an identifier")
    return tr("it is a landing page") if address.doi and not node.get("contentUrl") else None


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
    has_type = any(map(_MEDIA_TYPE.fullmatch, _format_texts(node)))
    is_told = has_type or any(node.get(name) for name in (*_SIZES, *_ALGORITHMS, *_CHECKSUMS))
    return not is_told and extension_of(_text(node.get("name"))) is None


def extension_of(name: str | None) -> str | None:
    """Return what follows the last dot of a file name, in lower case, None if it has none."""
    found = _FILE_NAME.fullmatch((name or "").strip())
    return found[1].lower() if found else None


def _has_file_name(parts: Sequence[str]) -> bool:
    return bool(parts) and extension_of(parts[-1]) is not None


def _is_erddap_page(parts: Sequence[str]) -> bool:
    return not _has_file_name(parts) or parts[-1].endswith((".html", ".graph", ".subset"))


def _sizes(node: Mapping[str, Any]) -> tuple[list[int], dict[str, Any]]:
    """Return the sizes that are told to the byte, and if none is, what is told instead.

    A rough size in schema.org's own word is not made exact by a number in another: no one says what
    that counts.
    """
    first, *others = [[_size(one) for one in _told(node.get(name))] for name in _SIZES]
    told = first or next(filter(None, others), [])
    if exact := [size for size in told if isinstance(size, int)]:
        more = (size for sizes in others for size in sizes if isinstance(size, int))
        return [*exact, *more], {}
    return [], {"content_size": told[0]} if told else {}


def _size(value: Any) -> int | str:
    """Return a size in bytes, or as text what is no exact number of them."""
    if (count := as_count(value)) is not None:
        return count
    text = _quantity(value) if isinstance(value, Mapping) else as_text(value)
    if text is None:
        return written(value)
    if match := _EXACT_SIZE.fullmatch(text):
        count = as_count(match[1] or match[2].replace(",", ""))
    return text if count is None else count


def _quantity(value: Mapping[str, Any]) -> str | None:
    """Return a number with its unit, as in "12 MB"."""
    number = as_text(_first(value, ("value", "@value")))
    unit = _text(value.get("unitText")) or _text(value.get("unitCode"))
    return f"{number} {unit}" if number and unit else number


def _media_type(node: Mapping[str, Any]) -> str | None:
    """Return the media type of a block, also from one of the words that many pages write for it."""
    texts = list(_format_texts(node))
    if told := next((text for text in texts if _MEDIA_TYPE.fullmatch(text)), None):
        return told
    words = {_TYPES_OF_WORDS.get(text.strip().lstrip(".").lower()) for text in texts}
    return words.pop() if len(words) == 1 else None


def _told(value: Any) -> list[Any]:
    """Return a value, or those of a list, without what says nothing."""
    return [one for one in _list(value) if one not in (None, "")]


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
