# SPDX-License-Identifier: AGPL-3.0-or-later
"""The item on archive.org that a dataset would become, as it can be shown before anything is sent.

It is made from what the platform says alone: its name, what it says of itself, and its files.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from unicodedata import category
from urllib.parse import quote

from carrel.errors import IngestStop
from carrel.model import IngestOptions, ManifestFile, PlatformItem, Status
from carrel.model.iso_time import possible_day
from carrel.platforms.archiveorg import is_housekeeping
from carrel.platforms.items import identifier, item_name
from carrel.settings import ArchiveOrg
from carrel.translation import tr

Values = tuple[str, ...]

TEST_COLLECTION = "test_collection"

_IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{2,99}")
_FIELD = re.compile(r"[a-z][a-z0-9-]*")
# What the settings decide, or archive.org itself.
_NOT_THE_PLATFORMS = frozenset({"collection", "identifier", "license", "mediatype"})
# Each value travels in a header, percent-encoded; servers take some 8 KiB a header and a hundred
# headers.
_VALUE_MAX_BYTES = 6000
_VALUES_MAX = 40
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_CREATIVE_COMMONS = re.compile(r"cc[- ](by(?:-nc)?(?:-sa|-nd)?)[- ](\d\.\d)", re.IGNORECASE)
_CC_ZERO = re.compile(r"cc[- ]?(?:0|zero)(?:[- ]1\.0)?", re.IGNORECASE)
# The library's upload takes a file of this name for something else.
_LIBRARY_KEYWORD = "name"
# The folder into which archive.org moves what is replaced.
_OLD_VERSIONS = "history"
# Control characters, lone surrogates, and what ends a line or a paragraph.
_UNFIT = frozenset({"Cc", "Cs", "Zl", "Zp"})
# As much as a folder of the file system behind archive.org takes.
_PART_MAX_BYTES = 255
_PATH_MAX_BYTES = 1000


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file of the planned item: its path there, its size in bytes if it is known.

    `refusal` says why it cannot be sent, None if it can.
    """

    path: str
    size: int | None = None
    refusal: str | None = None

    def to_json(self) -> dict[str, Any]:
        fields = {"path": self.path, "size": self.size, "refusal": self.refusal}
        return {key: value for key, value in fields.items() if value is not None}


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """An item as it would be made: its name, its page, what it says of itself, its files."""

    name: str
    url: str
    metadata: Mapping[str, Values]
    files: tuple[PlannedFile, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the plan; a field of one value stands without a list, as archive.org shows it."""
        shown = {
            key: values[0] if len(values) == 1 else list(values)
            for key, values in self.metadata.items()
        }
        files = [file.to_json() for file in self.files]
        return {"name": self.name, "url": self.url, "metadata": shown, "files": files}


def planned_item(
    item: PlatformItem,
    settings: ArchiveOrg,
    options: IngestOptions = IngestOptions(),
    *,
    landing_url: str | None = None,
) -> PlannedItem:
    """Return the item that a dataset would become.

    `landing_url` is told as the source where the platform names none. Raises IngestStop
    (invalid-request) when the name that was requested cannot be one.
    """
    name = _name(item, settings, options)
    refusals = unsafe_paths(name, [entry.path for entry in item.manifest])
    files = [
        PlannedFile(entry.path, entry.size, refusals.get(index) or _platforms_refusal(entry))
        for index, entry in enumerate(item.manifest)
    ]
    return PlannedItem(
        name, f"{settings.url}/details/{name}", _metadata(item, settings, landing_url), tuple(files)
    )


def unsafe_paths(name: str, paths: Sequence[str]) -> dict[int, str]:
    """Return why some of the paths cannot be those of files in the item, by their index."""
    refused: dict[int, str] = {}
    taken: set[str] = set()
    folders = {folder for path in paths for folder in _folders(path)}
    for index, path in enumerate(paths):
        fault = _fault(name, path)
        if fault is None and path in taken:
            fault = tr("occurs twice in the dataset")
        if fault is None and path in folders:
            fault = tr("is also a folder of the same dataset")
        if fault is None:
            taken.add(path)
        else:
            shown = path.encode("unicode_escape").decode()[:200]
            refused[index] = tr(
                "The name “{shown}” {fault}; the file is not uploaded to archive.org.",
                shown=shown,
                fault=fault,
            )
    return refused


def without_unsafe(files: Sequence[ManifestFile], name: str) -> tuple[ManifestFile, ...]:
    """Return the files of an item of this name, those with their outcome that cannot be sent."""
    refused = unsafe_paths(name, [file.path for file in files])
    return tuple(
        replace(file, status=Status.UNSAFE_PATH, message=refused[at])
        if at in refused and file.status is None
        else file
        for at, file in enumerate(files)
    )


def _platforms_refusal(entry: ManifestFile) -> str | None:
    if entry.status is None or entry.is_kept:
        return None
    return entry.message or str(entry.status)


def _name(item: PlatformItem, settings: ArchiveOrg, options: IngestOptions) -> str:
    if options.item_name is not None:
        if not _IDENTIFIER.fullmatch(options.item_name):
            message = tr(
                "“{item_name}” is not a valid item name at archive.org: 3 to 100 "
                "letters, digits, “.”, “_” and “-”, beginning with a letter or digit.",
                item_name=options.item_name[:120],
            )
            raise IngestStop(Status.INVALID_REQUEST, message)
        return options.item_name
    version = f"v{item.platform_version}" if item.platform_version else None
    usual = identifier(item.archiveorg_item_name or "") if item.archiveorg_item_name else None
    name = usual or item_name(item.platform_domain, item.platform_id, version)
    # A name is never free again: trying things out must not use up the real one.
    ending = f"{options.item_suffix}-test" if settings.test else options.item_suffix
    return identifier(f"{name}{ending}") if ending else name


def _metadata(
    item: PlatformItem, settings: ArchiveOrg, landing_url: str | None
) -> Mapping[str, Values]:
    from_platform = {
        key: value
        for key, value in item.archiveorg_item_meta.items()
        if _FIELD.fullmatch(key.replace("_", "-")) and key not in _NOT_THE_PLATFORMS
    }
    fields: dict[str, Any] = {
        "title": item.title or item.platform_id,
        "creator": item.creators,
        "doi": item.doi,
        "date": item.published,
        "version": item.platform_version,
        "source": landing_url or item.web_base_url,
        **_license(item),
        **from_platform,
        "collection": TEST_COLLECTION if settings.test else settings.collection,
        "mediatype": "data",
    }
    fields["date"] = _day(fields["date"])
    known = {key: tuple(_values(value)) for key, value in fields.items()}
    return {key: values for key, values in known.items() if values}


def _license(item: PlatformItem) -> Mapping[str, str]:
    """Return `licenseurl` where there is an address, `rights` where there are words only."""
    said = item.archiveorg_item_meta.get("license") or item.license
    for text in (said, item.license):
        if isinstance(text, str) and (url := _license_url(text.strip())):
            return {"licenseurl": url}
    return {"rights": said} if isinstance(said, str) else {}


def _license_url(text: str) -> str | None:
    if re.fullmatch(r"https?://\S+", text):
        return text
    if match := _CREATIVE_COMMONS.fullmatch(text):
        return f"https://creativecommons.org/licenses/{match[1].lower()}/{match[2]}/"
    if _CC_ZERO.fullmatch(text):
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    return None


def _day(value: Any) -> str | None:
    """Return a date as archive.org takes it (YYYY, YYYY-MM or YYYY-MM-DD), None for others."""
    text = possible_day(value.strip()) if isinstance(value, str) else None
    match = _DATE.match(text or "")
    return match[0] if match else None


def _values(value: Any) -> Iterator[str]:
    """Yield one value or many as texts that a header can carry, shortened where there are many."""
    many = value if isinstance(value, list | tuple) else [value]
    texts = [text for each in many if isinstance(each, str | int) and (text := _line(str(each)))]
    yield from (_shortened(text) for text in texts[:_VALUES_MAX])
    if len(texts) > _VALUES_MAX:
        yield tr("and {texts:,} others", texts=len(texts) - _VALUES_MAX)


def _line(text: str) -> str:
    """Return a text on one line, without what no header and no page should hold."""
    whole = text.encode("utf-8", "replace").decode()
    return " ".join("".join(char if char.isprintable() else " " for char in whole).split())


def _shortened(text: str) -> str:
    if len(quote(text)) <= _VALUE_MAX_BYTES:
        return text
    room = _VALUE_MAX_BYTES - len(quote("…"))
    end, used = 0, 0
    while used + (cost := len(quote(text[end]))) <= room:
        used, end = used + cost, end + 1
    return f"{text[:end]}…"


def _folders(path: str) -> Iterator[str]:
    parts = path.split("/")
    for depth in range(1, len(parts)):
        yield "/".join(parts[:depth])


def _fault(name: str, path: str) -> str | None:
    """Return what is wrong with a path as one of a file in an item, None if nothing is."""
    parts = path.split("/")
    if not path or path.startswith("/") or re.match(r"[A-Za-z]:[\\/]", path):
        return tr("is not a path within a dataset")
    if any(part in ("", ".", "..") for part in parts):
        return tr("leads out of its folder, or to no file")
    if "\\" in path or any(category(char) in _UNFIT for char in path):
        return tr("has characters that archive.org does not allow")
    if max(len(part.encode()) for part in parts) > _PART_MAX_BYTES:
        return tr("is too long")
    if len(path.encode()) > _PATH_MAX_BYTES:
        return tr("is too long")
    if is_housekeeping(path, name) or parts[0] == _OLD_VERSIONS:
        return tr("is reserved by archive.org")
    return tr("cannot be uploaded by the library") if path == _LIBRARY_KEYWORD else None
