# SPDX-License-Identifier: AGPL-3.0-or-later
"""The kinds of source and their fields, in words for people."""

from collections.abc import Mapping
from dataclasses import dataclass

from carrel.model import SourceType
from carrel_desktop.translation import translator
from carrel_desktop.views.archives.draft import Draft, Field, Kind

tr = translator("archives")


@dataclass(frozen=True, slots=True)
class Words:
    """What a kind or a field is called, what it is, and an example of what is written there."""

    name: str
    sentence: str
    icon: str = ""
    example: str = ""


def kind_words(kind: Kind) -> Words:
    """Return a kind as the page names it."""
    return _kinds()[kind]


def field_words(name: Field, kind: Kind) -> Words:
    """Return a field as the form of a kind names it."""
    fields = _fields()
    return fields.get((name, kind)) or fields[name, None]


def kind_of_type(type_: SourceType) -> Kind:
    """Return the kind of a source of which only the type is known."""
    return _OF_TYPES[type_]


def summary(draft: Draft) -> str:
    """Return where a source is, in a few words."""
    match draft.kind:
        case Kind.LIVE:
            return tr("Each page as it is now")
        case Kind.ARCHIVE:
            return tr("Everything archived here")
    written = (draft.value(name) for name in (*draft.plain, *draft.templates))
    address = next(filter(None, written), "")
    return address.removeprefix("https://").removeprefix("http://").removesuffix("/")


def _kinds() -> Mapping[Kind, Words]:
    return {
        Kind.MEMENTO: Words(
            tr("Memento archive"),
            tr("A web archive that supports Memento (RFC 7089), as most public ones do."),
            "building",
        ),
        Kind.CDX: Words(
            tr("CDX server"),
            tr("An index of captures on a web server, like that of the Wayback Machine."),
            "list",
        ),
        Kind.FILE: Words(
            tr("Index file or folder"),
            tr("CDX or CDXJ on this computer: one file, or a folder of files."),
            "folder",
        ),
        Kind.WARC: Words(
            tr("WARC or WACZ"),
            tr("A file of records on this computer. It stays where it is and is indexed."),
            "box",
        ),
        Kind.REDIS: Words(
            tr("Redis"), tr("An index on a Redis server, as a sorted set."), "database"
        ),
        Kind.LIVE: Words(
            tr("Live web"),
            tr("The web as it is now, shown like a capture. Nothing to fill in."),
            "web",
        ),
        Kind.ARCHIVE: Words(
            tr("This archive"),
            tr("Everything archived in this folder. Nothing to fill in."),
            "here",
        ),
    }


_OF_TYPES = {
    SourceType.FILE: Kind.FILE,
    SourceType.LEDGER: Kind.ARCHIVE,
    SourceType.REDIS: Kind.REDIS,
    SourceType.CDX: Kind.CDX,
    SourceType.MEMENTO: Kind.MEMENTO,
    SourceType.LIVE: Kind.LIVE,
}


def _fields() -> Mapping[tuple[Field, Kind | None], Words]:
    return {
        (Field.BASE, None): Words(
            tr("Address of the archive"),
            tr("The part before the date and URL of a capture"),
            example="https://arquivo.pt/wayback/",
        ),
        (Field.SERVER, None): Words(
            tr("Address of the index"),
            tr("The part before the question mark"),
            example="https://web.archive.org/cdx/search/cdx",
        ),
        (Field.PREFIX, None): Words(
            tr("Where its captures are shown"),
            tr("A path there, or an address. Empty if the records are in your own WARCs"),
            example="/web/",
        ),
        (Field.PATH, None): Words(
            tr("File or folder"),
            tr("A path can be relative to the folder of this archive"),
            example="collections/main/indexes/",
        ),
        (Field.PATH, Kind.WARC): Words(
            tr("File"),
            tr("A path can be relative to the folder of this archive"),
            example="/media/crawls/2019.warc.gz",
        ),
        (Field.REDIS, None): Words(
            tr("Address of the index"),
            tr("The server, the number of the database, and the key"),
            example="redis://localhost:6379/0/captures",
        ),
        (Field.TIMEGATE, None): Words(
            tr("TimeGate"), tr("Returns the capture closest to a time"), example="https://…/{url}"
        ),
        (Field.TIMEMAP, None): Words(
            tr("TimeMap"),
            tr("Returns the list of captures"),
            example="https://…/timemap/link/{url}",
        ),
        (Field.API, None): Words(
            tr("Index"),
            tr("Returns the list of captures"),
            example="https://…?url={url}&closest={timestamp}",
        ),
        (Field.REPLAY, None): Words(
            tr("Replay"),
            tr("Where the unchanged bytes of a capture are fetched"),
            example="https://…/{timestamp}id_/{url}",
        ),
    }
