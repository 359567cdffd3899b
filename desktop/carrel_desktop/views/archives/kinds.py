# SPDX-License-Identifier: AGPL-3.0-or-later
"""The kinds of source and their fields, in words for people."""

from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from carrel.model import SourceType
from carrel_desktop.views.archives.draft import Draft, Field, Kind

CONTEXT = "archives"


@dataclass(frozen=True, slots=True)
class Words:
    """What a kind or a field is called, what it is, and an example of what is written there."""

    name: str
    sentence: str
    icon: str = ""
    example: str = ""


@dataclass(frozen=True, slots=True)
class _Source:
    """Words before they are translated."""

    name: object
    sentence: object
    icon: str = ""
    example: str = ""

    def translated(self) -> Words:
        return Words(tr(str(self.name)), tr(str(self.sentence)), self.icon, self.example)


def tr(text: str) -> str:
    """Return a text of this page in the person's language."""
    return QCoreApplication.translate(CONTEXT, text)


def kind_words(kind: Kind) -> Words:
    """Return a kind as the page names it."""
    return _KINDS[kind].translated()


def field_words(name: Field, kind: Kind) -> Words:
    """Return a field as the form of a kind names it."""
    return (_FIELDS.get((name, kind)) or _FIELDS[name, None]).translated()


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


_KINDS = {
    Kind.MEMENTO: _Source(
        QT_TRANSLATE_NOOP("archives", "Memento archive"),
        QT_TRANSLATE_NOOP(
            "archives", "A web archive that supports Memento (RFC 7089), as most public ones do."
        ),
        "building",
    ),
    Kind.CDX: _Source(
        QT_TRANSLATE_NOOP("archives", "CDX server"),
        QT_TRANSLATE_NOOP(
            "archives", "An index of captures on a web server, like that of the Wayback Machine."
        ),
        "list",
    ),
    Kind.FILE: _Source(
        QT_TRANSLATE_NOOP("archives", "Index file or folder"),
        QT_TRANSLATE_NOOP(
            "archives", "CDX or CDXJ on this computer: one file, or a folder of files."
        ),
        "folder",
    ),
    Kind.WARC: _Source(
        QT_TRANSLATE_NOOP("archives", "WARC or WACZ"),
        QT_TRANSLATE_NOOP(
            "archives", "A file of records on this computer. It stays where it is and is indexed."
        ),
        "box",
    ),
    Kind.REDIS: _Source(
        QT_TRANSLATE_NOOP("archives", "Redis"),
        QT_TRANSLATE_NOOP("archives", "An index on a Redis server, as a sorted set."),
        "database",
    ),
    Kind.LIVE: _Source(
        QT_TRANSLATE_NOOP("archives", "Live web"),
        QT_TRANSLATE_NOOP(
            "archives", "The web as it is now, shown like a capture. Nothing to fill in."
        ),
        "web",
    ),
    Kind.ARCHIVE: _Source(
        QT_TRANSLATE_NOOP("archives", "This archive"),
        QT_TRANSLATE_NOOP("archives", "Everything archived in this folder. Nothing to fill in."),
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
_FIELDS: dict[tuple[Field, Kind | None], _Source] = {
    (Field.BASE, None): _Source(
        QT_TRANSLATE_NOOP("archives", "Address of the archive"),
        QT_TRANSLATE_NOOP("archives", "The part before the date and URL of a capture"),
        example="https://arquivo.pt/wayback/",
    ),
    (Field.SERVER, None): _Source(
        QT_TRANSLATE_NOOP("archives", "Address of the index"),
        QT_TRANSLATE_NOOP("archives", "The part before the question mark"),
        example="https://web.archive.org/cdx/search/cdx",
    ),
    (Field.PREFIX, None): _Source(
        QT_TRANSLATE_NOOP("archives", "Where its captures are shown"),
        QT_TRANSLATE_NOOP(
            "archives", "A path there, or an address. Empty if the records are in your own WARCs"
        ),
        example="/web/",
    ),
    (Field.PATH, None): _Source(
        QT_TRANSLATE_NOOP("archives", "File or folder"),
        QT_TRANSLATE_NOOP("archives", "A path can be relative to the folder of this archive"),
        example="collections/main/indexes/",
    ),
    (Field.PATH, Kind.WARC): _Source(
        QT_TRANSLATE_NOOP("archives", "File"),
        QT_TRANSLATE_NOOP("archives", "A path can be relative to the folder of this archive"),
        example="/media/crawls/2019.warc.gz",
    ),
    (Field.REDIS, None): _Source(
        QT_TRANSLATE_NOOP("archives", "Address of the index"),
        QT_TRANSLATE_NOOP("archives", "The server, the number of the database, and the key"),
        example="redis://localhost:6379/0/captures",
    ),
    (Field.TIMEGATE, None): _Source(
        QT_TRANSLATE_NOOP("archives", "TimeGate"),
        QT_TRANSLATE_NOOP("archives", "Returns the capture closest to a time"),
        example="https://…/{url}",
    ),
    (Field.TIMEMAP, None): _Source(
        QT_TRANSLATE_NOOP("archives", "TimeMap"),
        QT_TRANSLATE_NOOP("archives", "Returns the list of captures"),
        example="https://…/timemap/link/{url}",
    ),
    (Field.API, None): _Source(
        QT_TRANSLATE_NOOP("archives", "Index"),
        QT_TRANSLATE_NOOP("archives", "Returns the list of captures"),
        example="https://…?url={url}&closest={timestamp}",
    ),
    (Field.REPLAY, None): _Source(
        QT_TRANSLATE_NOOP("archives", "Replay"),
        QT_TRANSLATE_NOOP("archives", "Where the unchanged bytes of a capture are fetched"),
        example="https://…/{timestamp}id_/{url}",
    ),
}
