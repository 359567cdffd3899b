# SPDX-License-Identifier: AGPL-3.0-or-later
"""Sources of mementos, in every full and shorthand form, read strictly.

Grammar: pywb's design "Distributed Archive Config". What a form leaves open is decided here once.
"""

from dataclasses import dataclass

from carrel.mementos.config.collection import (
    CdxSource,
    LiveSource,
    MementoSource,
    SourceConfig,
)
from carrel.mementos.config.findings import Misread, Spot, unknown
from carrel.mementos.config.reader import Reading
from carrel.mementos.config.shorthands import file_source, ledger_source, redis_source, shorthand
from carrel.mementos.config.templates import check_template
from carrel.mementos.config.yaml_tree import Entry, Mapping, Node, Scalar
from carrel.translation import tr

_TEMPLATES = ("api_url", "replay_url", "timegate_url", "timemap_url")


@dataclass(frozen=True, slots=True)
class _Keys:
    """The keys of a full form beside `type`: those that must be there, and those that may."""

    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


_TYPES = {
    "file": _Keys(("path",)),
    "redis": _Keys(("redis_url",)),
    "cdx": _Keys(("api_url",), ("replay_url",)),
    "memento": _Keys(("replay_url",), ("timegate_url", "timemap_url")),
    "live": _Keys(),
    "archive": _Keys(),
}


def source_of(node: Node, name: str, spot: Spot, reading: Reading) -> SourceConfig | None:
    """Return a source in any of its forms; None if it is not valid, which is a finding then."""
    try:
        if isinstance(node, Mapping):
            return _full_form(node, name, spot, reading)
        if isinstance(node, Scalar) and isinstance(node.value, str) and node.value.strip():
            return shorthand(node.value.strip(), name, spot, reading)
        raise Misread(_not_a_source(node))
    except Misread as wrong:
        reading.findings.error(spot, str(wrong))
        return None


def _not_a_source(node: Node) -> str:
    if isinstance(node, Scalar) and node.value in (None, ""):
        return tr("there is no source here.")
    return tr(
        "a source is a string, or a mapping with a “type”; several of them are an “index_group”."
    )


def _full_form(node: Mapping, name: str, spot: Spot, reading: Reading) -> SourceConfig | None:
    type_ = _type(node)
    values = _values(node, type_, spot, reading)
    if values is None:
        return None
    match type_:
        case "file":
            return file_source(values["path"], name, reading)
        case "redis":
            return redis_source(values["redis_url"], name)
        case "cdx":
            return CdxSource(name, values["api_url"], values.get("replay_url"))
        case "memento":
            gate, pages = values.get("timegate_url", ""), values.get("timemap_url", "")
            return MementoSource(name, gate, pages, values["replay_url"])
        case "archive":
            return ledger_source(name, reading)
        case _:
            return LiveSource(name)


def _type(node: Mapping) -> str:
    entry = node.entry("type")
    if entry is None:
        raise Misread(
            tr("a source that is a mapping needs a “type”: {types}.", types=", ".join(_TYPES))
        )
    type_ = entry.value.value if isinstance(entry.value, Scalar) else None
    if type_ not in _TYPES:
        raise Misread(unknown(tr("type of source"), str(type_), tuple(_TYPES)))
    return str(type_)


def _values(node: Mapping, type_: str, spot: Spot, reading: Reading) -> dict[str, str] | None:
    """Return the texts of a full form by key, None if anything is wrong with them."""
    findings, values = reading.findings, {}
    before = len(findings.errors)
    for entry in node.entries:
        if entry.key == "type":
            continue
        try:
            values[entry.key] = _value(entry, type_)
        except Misread as wrong:
            findings.error(spot.below(entry.key, entry.line), str(wrong))
    for sentence in _missing(node, type_):
        findings.error(spot, sentence)
    return values if len(findings.errors) == before else None


def _value(entry: Entry, type_: str) -> str:
    keys = _TYPES[type_]
    known = ("type", *keys.needed, *keys.optional)
    if entry.key not in known:
        raise Misread(unknown(tr("key of the type “{type}”", type=type_), entry.key, known))
    text = entry.value.value if isinstance(entry.value, Scalar) else None
    if not isinstance(text, str) or not text.strip():
        raise Misread(tr("this must be a string."))
    if entry.key == "replay_url":
        check_template(text.strip(), ("timestamp", "url"))
    elif entry.key in _TEMPLATES:
        check_template(text.strip())
    return text.strip()


def _missing(node: Mapping, type_: str) -> list[str]:
    keys = {entry.key for entry in node.entries}
    missing = [f"“{key}”" for key in _TYPES[type_].needed if key not in keys]
    if type_ == "memento" and keys.isdisjoint(_TYPES[type_].optional):
        missing.append(tr("“timegate_url” or “timemap_url”"))
    return [
        tr("a source of the type “{type}” needs {each}.", type=type_, each=each) for each in missing
    ]
