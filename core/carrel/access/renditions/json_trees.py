# SPDX-License-Identifier: AGPL-3.0-or-later
"""JSON, and lines of JSON, as a tree. Numbers stay as they are written, names may come twice."""

import json
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from carrel.access.renditions.source import Source
from carrel.access.renditions.texts import as_text, decoded, replaced_bytes
from carrel.model.counts import counted
from carrel.model.rendition import Node, Rendition, Tree
from carrel.model.sizes import MEBIBYTE, in_words
from carrel.translation import tr

MOST_BYTES = 16 * MEBIBYTE
MOST_NODES = 5000
_MOST_DEPTH = 60
_MOST_OF_A_VALUE = 1000
_LINES = (".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True)
class _Number:
    text: str


@dataclass(frozen=True, slots=True)
class _Object:
    pairs: list[tuple[str, Any]]


def as_json(source: Source, encoding: str) -> Rendition:
    """Return JSON as a tree; what is too long, too deep or broken stays a text, and says so."""
    content, is_whole = source.beginning(MOST_BYTES)
    text = decoded(content, encoding)
    if source.has_ending(*_LINES):
        return _lines(source, text, encoding, is_whole=is_whole)
    if not is_whole:
        most = in_words(MOST_BYTES)
        words = tr("It is longer than {most}, too long to show as a tree.", most=most)
        return as_text(source, encoding, "JSON", words)
    constants = set[str]()
    try:
        value = _parsed(text, constants)
    except RecursionError:
        return as_text(source, encoding, "JSON", tr("It is nested too deeply to show as a tree."))
    except ValueError as error:
        if _is_lines(text):
            return _lines(source, text, encoding, is_whole=is_whole)
        words = tr("It is not valid JSON: {error}.", error=error)
        return as_text(source, encoding, "JSON", words)
    return _tree(source, "JSON", [("", value)], constants)


def _parsed(text: str, constants: set[str]) -> Any:
    """Return what JSON says; NaN and infinity, which it does not have, are added to `constants`."""

    def constant(name: str) -> _Number:
        constants.add(name)
        return _Number(name)

    return json.loads(
        text,
        object_pairs_hook=_Object,
        parse_int=_Number,
        parse_float=_Number,
        parse_constant=constant,
    )


def _is_lines(text: str) -> bool:
    lines = [line for line in text[:65536].split("\n")[:3] if line.strip()]
    try:
        return len(lines) > 1 and all(
            isinstance(_parsed(line, set()), _Object) for line in lines[:2]
        )
    except (ValueError, RecursionError):
        return False


def _lines(source: Source, text: str, encoding: str, *, is_whole: bool) -> Rendition:
    records: list[tuple[str, Any]] = []
    constants = set[str]()
    lines = text.split("\n")
    if not is_whole:
        lines.pop()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            records.append((str(number), _parsed(line, constants)))
        except (ValueError, RecursionError) as error:
            words = tr("Line {number} is not valid JSON: {why}.", number=number, why=_why(error))
            return as_text(source, encoding, "JSON Lines", words)
        if len(records) > MOST_NODES:
            break
    return _tree(source, "JSON Lines", records, constants, is_whole=is_whole)


def _why(error: ValueError | RecursionError) -> str:
    """Return what is wrong with a line, and where in it."""
    if isinstance(error, json.JSONDecodeError):
        return tr("{error} at character {number:,}", error=error.msg, number=error.colno)
    return str(error)


def _tree(
    source: Source,
    kind: str,
    roots: list[tuple[str, Any]],
    constants: Iterable[str],
    *,
    is_whole: bool = True,
) -> Rendition:
    """Return a tree breadth first, so that what is cut is what is deepest."""
    nodes: list[Node] = []
    is_deeper = False
    left = deque((-1, 0, name, value) for name, value in roots)
    while left and len(nodes) < MOST_NODES:
        parent, depth, name, value = left.popleft()
        nodes.append(Node(parent, _cut(name), *_told(value)))
        if depth < _MOST_DEPTH:
            above = len(nodes) - 1
            left.extend((above, depth + 1, *each) for each in _parts(value))
        else:
            is_deeper = is_deeper or any(_parts(value))
    notes = []
    if left or not is_whole:
        notes.append(tr("The first {count:,} entries are shown.", count=len(nodes)))
    if is_deeper:
        notes.append(tr("What is nested deeper than {most} levels is not shown.", most=_MOST_DEPTH))
    if names := ", ".join(sorted(constants)):
        notes.append(
            tr("It is not valid JSON: it has values that JSON does not know: {names}.", names=names)
        )
    notes += replaced_bytes("".join(f"{node.name}{node.value}" for node in nodes))
    return Rendition(kind, Tree(tuple(nodes)), tuple(notes), source.size, has_text_form=True)


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, _Object):
        yield from value.pairs
    elif isinstance(value, list):
        yield from ((f"[{number}]", each) for number, each in enumerate(value))


def _told(value: Any) -> tuple[str, str]:
    """Return a value in words, and its kind."""
    match value:
        case _Object(pairs):
            return counted(len(pairs), "name"), tr("object")
        case list():
            return counted(len(value), "value"), tr("array")
        case _Number(text):
            return _cut(text), tr("number")
        case bool():
            return str(value).lower(), tr("true or false")
        case None:
            return "null", "null"
    return _cut(str(value)), tr("text")


def _cut(text: str) -> str:
    """Return a text as it is shown; halves of letters, which are none, stay as they are written."""
    text = text.encode(errors="backslashreplace").decode()
    return text if len(text) <= _MOST_OF_A_VALUE else f"{text[:_MOST_OF_A_VALUE]}…"
