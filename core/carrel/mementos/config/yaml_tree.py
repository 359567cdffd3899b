# SPDX-License-Identifier: AGPL-3.0-or-later
"""YAML as a small tree of texts, numbers, lists and mappings that know where they stand.

Nothing is constructed, tags are refused, keys are texts and stand once, aliases cannot multiply
without end. Numbers and words are YAML 1.2's: `yes`, `no` and `on` are texts.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from carrel.errors import ConfigError
from carrel.mementos.config.findings import Findings, Spot, shown
from carrel.translation import tr

LARGEST_BYTES = 256 * 1024
_DEEPEST = 16
_MOST_NODES = 20_000
_TEXT_TAGS = (None, "tag:yaml.org,2002:str", "!")
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|nan)")
_LONGEST_NUMBER = 30

Value = str | float | bool | None
Plain = Value | list["Plain"] | dict[str, "Plain"]


@dataclass(frozen=True, slots=True)
class Node:
    """Something in the text: its line, counted from 1, its first character, and that after it.

    `size` counts it and all below it, what stands there by an alias included.
    """

    line: int
    start: int
    end: int
    size: int


@dataclass(frozen=True, slots=True)
class Scalar(Node):
    value: Value


@dataclass(frozen=True, slots=True)
class Items(Node):
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A key of a mapping and what stands there; `start` is the key's first character."""

    key: str
    line: int
    start: int
    value: Node


@dataclass(frozen=True, slots=True)
class Mapping(Node):
    """`is_flow` says that it is written with braces."""

    entries: tuple[Entry, ...]
    is_flow: bool

    def entry(self, key: str) -> Entry | None:
        return next((each for each in self.entries if each.key == key), None)


def parse(text: str, findings: Findings) -> Node:
    """Return the tree of a text that has one document.

    Repeated keys, tags and the like are findings. Raises ConfigError, which names the file and
    line, for what cannot be read on from.
    """
    name = findings.name
    if len(text.encode("utf-8", "replace")) > LARGEST_BYTES:
        raise ConfigError(
            tr(
                "{name} is larger than {largest_bytes} KiB, too large to be read.",
                name=name,
                largest_bytes=LARGEST_BYTES // 1024,
            )
        )
    try:
        return _Builder(text, findings).tree()
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = tr(", line {line}", line=mark.line + 1) if mark else ""
        reason = error.problem or error.context
        raise ConfigError(
            tr(
                "{name}{line}: this is not valid YAML: {reason}.",
                name=name,
                line=line,
                reason=reason,
            )
        ) from error
    except (YAMLError, ValueError, OverflowError) as error:
        # Control characters; an escape beyond Unicode, or a version without end, is no YAMLError.
        reason = str(error).partition("\n")[0]
        raise ConfigError(
            tr("{name} is not valid YAML: {reason}.", name=name, reason=reason[:200])
        ) from error


def plain(node: Node) -> Plain:
    """Return the texts, numbers, lists and dicts that a tree stands for."""
    if isinstance(node, Mapping):
        return {each.key: plain(each.value) for each in node.entries}
    if isinstance(node, Items):
        return [plain(each) for each in node.items]
    assert isinstance(node, Scalar)  # noqa: S101 - there is no fourth kind
    return node.value


class _Builder:
    """Follows the parser's events, which come one by one, so that depth and number stay bounded."""

    def __init__(self, text: str, findings: Findings) -> None:
        self._findings = findings
        self._anchors: dict[str, Node] = {}
        self._keys: list[str] = []
        parser = YAML(typ="safe", pure=True)
        self._events: Iterator[Event] = parser.parse(text)

    def tree(self) -> Node:
        next(self._events)  # the stream begins
        if isinstance(next(self._events), StreamEndEvent):
            return Scalar(1, 0, 0, 1, None)
        node = self._node(next(self._events), 1)
        next(self._events)  # the document ends
        if not isinstance(event := next(self._events), StreamEndEvent):
            raise self._fatal(event, tr("a second document begins; there can be only one"))
        return node

    def _node(self, event: Event, depth: int) -> Node:
        if depth > _DEEPEST:
            raise self._fatal(
                event, tr("this is nested more than {deepest} deep", deepest=_DEEPEST)
            )
        if isinstance(event, AliasEvent):
            return self._alias(event)
        node = self._built(event, depth)
        if node.size > _MOST_NODES:
            raise self._fatal(
                event, tr("more than {most_nodes} values are here", most_nodes=_MOST_NODES)
            )
        if isinstance(event, NodeEvent) and event.anchor:
            self._anchors[event.anchor] = node
        return node

    def _built(self, event: Event, depth: int) -> Node:
        if isinstance(event, ScalarEvent):
            return self._scalar(event)
        if isinstance(event, CollectionStartEvent) and event.tag:
            self._wrong(event, tr("tags like {tag} are not read.", tag=shown(event.tag)))
        if isinstance(event, MappingStartEvent):
            return self._mapping(event, depth)
        if isinstance(event, SequenceStartEvent):
            return self._items(event, depth)
        raise self._fatal(event, tr("this is not a value"))

    def _alias(self, event: AliasEvent) -> Node:
        node = self._anchors.get(event.anchor)
        if node is None:
            raise self._fatal(
                event, tr("nothing before it is named “&{anchor}”", anchor=event.anchor)
            )
        line, start, end = _place(event)
        moved = replace(node, line=line, start=start, end=end)
        return replace(moved, is_flow=True) if isinstance(moved, Mapping) else moved

    def _scalar(self, event: ScalarEvent) -> Scalar:
        if event.tag not in _TEXT_TAGS:
            self._wrong(event, tr("tags like {tag} are not read.", tag=shown(event.tag)))
        text: str = event.value
        if any(unicodedata.category(each) in ("Cc", "Cs") for each in text.rstrip("\n")):
            self._wrong(event, tr("this text has a line break or a control character in it."))
        is_plain = not event.style and event.tag is None
        return Scalar(*_place(event), 1, _value(text) if is_plain else text)

    def _items(self, event: SequenceStartEvent, depth: int) -> Items:
        items: list[Node] = []
        while not isinstance(inner := next(self._events), SequenceEndEvent):
            items.append(self._node(inner, depth + 1))
        line, start, _ = _place(event)
        return Items(line, start, _end(event, inner, items), _size(items), tuple(items))

    def _mapping(self, event: MappingStartEvent, depth: int) -> Mapping:
        entries: dict[str, Entry] = {}
        values: list[Node] = []
        while not isinstance(inner := next(self._events), MappingEndEvent):
            entry = self._entry(inner, entries, depth)
            entries.setdefault(entry.key, entry)
            values.append(entry.value)
        line, start, _ = _place(event)
        end, is_flow = _end(event, inner, values), bool(event.flow_style)
        return Mapping(line, start, end, _size(values), tuple(entries.values()), is_flow)

    def _entry(self, event: Event, others: dict[str, Entry], depth: int) -> Entry:
        node = self._node(event, depth + 1)
        value = node.value if isinstance(node, Scalar) else None
        key = value if isinstance(value, str) else str(value)
        self._keys.append(key)
        if not isinstance(value, str):
            self._wrong(
                event,
                tr("the key {key} is not a string; put keys and names in quotes.", key=shown(key)),
            )
        elif key == "<<":
            self._wrong(event, tr("mappings are not merged (“<<”) here; write the keys out."))
        elif other := others.get(key):
            self._wrong(
                event, tr("{key} is already in line {line}.", key=shown(key), line=other.line)
            )
        entry = Entry(key, node.line, node.start, self._node(next(self._events), depth + 1))
        self._keys.pop()
        return entry

    def _wrong(self, event: Event, sentence: str) -> None:
        top, rest = self._keys[:1], self._keys[1:]
        if top == ["collections"] and rest:
            collection, keys = rest[0], rest[1:]
        else:
            collection, keys = "", self._keys
        spot = Spot(event.start_mark.line + 1, collection, tuple(keys))
        self._findings.error(spot, sentence)

    def _fatal(self, event: Event, what: str) -> ConfigError:
        return ConfigError(
            tr(
                "{name}, line {line}: {what}.",
                name=self._findings.name,
                line=event.start_mark.line + 1,
                what=what,
            )
        )


def _place(event: Event) -> tuple[int, int, int]:
    return event.start_mark.line + 1, event.start_mark.index, event.end_mark.index


def _end(first: CollectionStartEvent, last: Event, nodes: list[Node]) -> int:
    """Return where a list or mapping ends; the parser says so of a block only at the next thing."""
    if first.flow_style or not nodes:
        return int(last.end_mark.index)
    return max(each.end for each in nodes)


def _size(nodes: list[Node]) -> int:
    return 1 + sum(each.size for each in nodes)


def _value(text: str) -> Value:
    """Return what an unquoted word stands for."""
    if text.lower() in _WORDS and text in (text.lower(), text.capitalize(), text.upper()):
        return _WORDS[text.lower()]
    if len(text) > _LONGEST_NUMBER or not _NUMBER.fullmatch(text.lower()):
        return text
    digits = text.lstrip("-+")
    return (
        int(text) if digits.isdigit() else float(text.replace(".inf", "inf").replace(".nan", "nan"))
    )
