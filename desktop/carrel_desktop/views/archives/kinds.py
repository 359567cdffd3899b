# SPDX-License-Identifier: AGPL-3.0-or-later
"""The kinds of source and their fields, in words for people."""

from dataclasses import dataclass

from carrel.model import SourceType
from carrel.translation import tr
from carrel_desktop.views.archives.draft import Draft, Field, Kind


@dataclass(frozen=True, slots=True)
class Words:
    """What a kind or a field is called, what it is, and an example of what is written there."""

    name: str
    sentence: str
    icon: str = ""
    example: str = ""


def kind_words(kind: Kind) -> Words:
    """Return a kind as the page names it."""
    name, icon = _KINDS[kind]
    return Words(name, _KIND_SENTENCES[kind], icon=icon)


def field_words(name: Field, kind: Kind) -> Words:
    """Return a field as the form of a kind names it."""
    key = (name, kind) if (name, kind) in _FIELDS else (name, None)
    title, example = _FIELDS[key]
    return Words(title, _FIELD_SENTENCES[key], example=example)


def kind_of_type(type_: SourceType) -> Kind:
    """Return the kind of a source of which only the type is known."""
    return Kind.ARCHIVE if type_ is SourceType.LEDGER else Kind(type_.value)


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


_KINDS = {  # names and icons
    Kind.MEMENTO: (tr("Memento archive"), "building"),
    Kind.CDX: (tr("CDX server"), "list"),
    Kind.FILE: (tr("Index file or folder"), "folder"),
    Kind.WARC: (tr("WARC or WACZ"), "box"),
    Kind.REDIS: (tr("Redis"), "database"),
    Kind.LIVE: (tr("Live web"), "web"),
    Kind.ARCHIVE: (tr("This archive"), "here"),
}
_KIND_SENTENCES = {
    Kind.MEMENTO: tr("A web archive that supports Memento (RFC 7089), as most public ones do."),
    Kind.CDX: tr("An index of captures on a web server, like that of the Wayback Machine."),
    Kind.FILE: tr("CDX or CDXJ on this computer: one file, or a folder of files."),
    Kind.WARC: tr("A file of records on this computer. It stays where it is and is indexed."),
    Kind.REDIS: tr("An index on a Redis server, as a sorted set."),
    Kind.LIVE: tr("The web as it is now, shown like a capture. Nothing to fill in."),
    Kind.ARCHIVE: tr("Everything archived in this folder. Nothing to fill in."),
}
_FIELDS = {
    (Field.BASE, None): (tr("Address of the archive"), "https://arquivo.pt/wayback/"),
    (Field.SERVER, None): (tr("Address of the index"), "https://web.archive.org/cdx/search/cdx"),
    (Field.PREFIX, None): (tr("Where its captures are shown"), "/web/"),
    (Field.PATH, None): (tr("File or folder"), "collections/main/indexes/"),
    (Field.PATH, Kind.WARC): (tr("File"), "/media/crawls/2019.warc.gz"),
    (Field.REDIS, None): (tr("Address of the index"), "redis://localhost:6379/0/captures"),
    (Field.TIMEGATE, None): (tr("TimeGate"), "https://…/{url}"),
    (Field.TIMEMAP, None): (tr("TimeMap"), "https://…/timemap/link/{url}"),
    (Field.API, None): (tr("Index"), "https://…?url={url}&closest={timestamp}"),
    (Field.REPLAY, None): (tr("Replay"), "https://…/{timestamp}id_/{url}"),
}
_FIELD_SENTENCES = {
    (Field.BASE, None): tr("The part before the date and URL of a capture"),
    (Field.SERVER, None): tr("The part before the question mark"),
    (Field.PREFIX, None): tr(
        "A path there, or an address. Empty if the records are in your own WARCs"
    ),
    (Field.PATH, None): tr("A path can be relative to the folder of this archive"),
    (Field.PATH, Kind.WARC): tr("A path can be relative to the folder of this archive"),
    (Field.REDIS, None): tr("The server, the number of the database, and the key"),
    (Field.TIMEGATE, None): tr("Returns the capture closest to a time"),
    (Field.TIMEMAP, None): tr("Returns the list of captures"),
    (Field.API, None): tr("Returns the list of captures"),
    (Field.REPLAY, None): tr("Where the unchanged bytes of a capture are fetched"),
}
