# SPDX-License-Identifier: AGPL-3.0-or-later
"""A source as the fields of a form, in whatever state they are. No Qt here.

The templates of an archive follow from its address unless they are written otherwise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from urllib.parse import urljoin, urlsplit

from carrel.model.endings import RECORD_ENDINGS

GATE_END = "{url}"
PAGES_END = "timemap/link/{url}"
REPLAY_END = "{timestamp}id_/{url}"
QUERY_END = "url={url}&closest={timestamp}&sort=closest"


class Kind(StrEnum):
    """A form for each; a WARC is a file to the collections file, but not to a person."""

    MEMENTO = "memento"
    CDX = "cdx"
    FILE = "file"
    WARC = "warc"
    REDIS = "redis"
    LIVE = "live"
    ARCHIVE = "archive"


class Field(StrEnum):
    """The fields of all forms. Those that end in `url` and `path` are keys of the file too."""

    BASE = "base"
    SERVER = "server"
    PREFIX = "prefix"
    PATH = "path"
    REDIS = "redis_url"
    TIMEGATE = "timegate_url"
    TIMEMAP = "timemap_url"
    API = "api_url"
    REPLAY = "replay_url"


PLAIN_FIELDS: Mapping[Kind, Sequence[Field]] = {
    Kind.MEMENTO: (Field.BASE,),
    Kind.CDX: (Field.SERVER, Field.PREFIX),
    Kind.FILE: (Field.PATH,),
    Kind.WARC: (Field.PATH,),
    Kind.REDIS: (Field.REDIS,),
    Kind.LIVE: (),
    Kind.ARCHIVE: (),
}
TEMPLATES: Mapping[Kind, Sequence[Field]] = {
    Kind.MEMENTO: (Field.TIMEGATE, Field.TIMEMAP, Field.REPLAY),
    Kind.CDX: (Field.API, Field.REPLAY),
}
ADDRESSES = (Field.BASE, Field.SERVER)


@dataclass(frozen=True, slots=True)
class Draft:
    """`values` has the plain fields, and those templates that do not follow from them."""

    kind: Kind
    values: Mapping[Field, str] = field(default_factory=dict)

    @property
    def plain(self) -> Sequence[Field]:
        return PLAIN_FIELDS[self.kind]

    @property
    def templates(self) -> Sequence[Field]:
        """The addresses that are asked, which follow from the plain fields, or are written out."""
        return TEMPLATES.get(self.kind, ())

    @property
    def is_short(self) -> bool:
        """Whether every template follows, so that one line says it all."""
        return not any(name in self.values for name in self.templates)

    def value(self, name: Field) -> str:
        """Return what a field says, "" for nothing."""
        if name in self.values:
            return self.values[name]
        return self.derived().get(name, "")

    def derived(self) -> Mapping[Field, str]:
        """Return the templates as they follow from the plain fields."""
        if self.kind is Kind.MEMENTO:
            return _of_archive(self.values.get(Field.BASE, ""))
        if self.kind is Kind.CDX:
            return _of_server(self.values.get(Field.SERVER, ""), self.values.get(Field.PREFIX, ""))
        return {}

    def written(self, name: Field, text: str) -> "Draft":
        """Return this with a field written anew; a template that says what follows, follows."""
        values = {**self.values, name: text}
        implied = self.derived().get(name, "") if name in self.templates else ""
        if text == implied:
            del values[name]
        return replace(self, values=values)

    def as_kind(self, kind: Kind) -> "Draft":
        """Return another kind of source with what both have in common."""
        if kind is self.kind:
            return self
        address = next((self.values[each] for each in ADDRESSES if self.values.get(each)), "")
        values = {each: self.values.get(each, "") for each in PLAIN_FIELDS[kind]}
        for each in ADDRESSES:
            if each in values:
                values[each] = address
        return Draft(kind, {name: text for name, text in values.items() if text})


def of_templates(kind: Kind, templates: Mapping[Field, str]) -> Draft:
    """Return a draft with these templates, and the plain fields that they follow from, if any."""
    if kind is Kind.MEMENTO:
        plain = {Field.BASE: _base_of(templates)}
    else:
        plain = {
            Field.SERVER: _cut(templates.get(Field.API, ""), QUERY_END).rstrip("?&"),
            Field.PREFIX: _cut(templates.get(Field.REPLAY, ""), REPLAY_END),
        }
    draft = Draft(kind, {name: text for name, text in plain.items() if text})
    for name in draft.templates:
        draft = draft.written(name, templates.get(name, ""))
    return draft


def kind_of_path(path: str) -> Kind:
    """Say whether a path is that of records, or of an index or a folder of them."""
    return Kind.WARC if path.lower().endswith(RECORD_ENDINGS) else Kind.FILE


def host_of(address: str) -> str:
    """Return the host of an address, "" if it has none yet."""
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _of_archive(base: str) -> Mapping[Field, str]:
    if not base:
        return {}
    prefix = _with_slash(base)
    return {
        Field.TIMEGATE: prefix + GATE_END,
        Field.TIMEMAP: prefix + PAGES_END,
        Field.REPLAY: prefix + REPLAY_END,
    }


def _of_server(server: str, prefix: str) -> Mapping[Field, str]:
    if not server:
        return {}
    bare = server.rstrip("?&")
    replay = _resolved(server, prefix) if prefix else _guessed(server)
    return {
        Field.API: f"{bare}{'&' if '?' in bare else '?'}{QUERY_END}",
        Field.REPLAY: _with_slash(replay) + REPLAY_END if replay else "",
    }


def _resolved(server: str, prefix: str) -> str:
    try:
        return urljoin(server, prefix)
    except ValueError:
        return prefix


def _guessed(server: str) -> str:
    """Return what pywb's naming rule says: `all-cdx` is the index of `all`."""
    bare = server.rstrip("/")
    return bare.removesuffix("-cdx") if bare.endswith("-cdx") else ""


def _base_of(templates: Mapping[Field, str]) -> str:
    ends = ((Field.REPLAY, REPLAY_END), (Field.TIMEMAP, PAGES_END), (Field.TIMEGATE, GATE_END))
    found = (_cut(templates.get(name, ""), end) for name, end in ends)
    return next(filter(None, found), "")


def _cut(text: str, end: str) -> str:
    """Return a text without its end, "" if it ends otherwise."""
    return text.removesuffix(end) if text.endswith(end) else ""


def _with_slash(address: str) -> str:
    return address.rstrip("/") + "/"
