# SPDX-License-Identifier: AGPL-3.0-or-later
"""One collection in any of its forms: a text, one step, or a sequence of steps."""

import re
from collections import Counter

from carrel.mementos.config.collection import DEFAULT_TIMEOUT_S, Collection, Step
from carrel.mementos.config.doubts import doubts_about
from carrel.mementos.config.findings import Findings, Spot, shown
from carrel.mementos.config.reader import Reading
from carrel.mementos.config.steps import check_keys, check_name, step_of, timeout_of
from carrel.mementos.config.yaml_tree import Entry, Items, Mapping, Node, Scalar
from carrel.translation import tr

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
# What the server answers itself.
_RESERVED = ("static",)
_STEP_CHOICE = ("index", "index_group")
_STEP_KEYS = (*_STEP_CHOICE, "resource", "index_timeout", "name")
_CHOICE = (*_STEP_CHOICE, "sequence")
_KEYS = (*_CHOICE, "resource", "index_timeout", "title")


def collection_of(entry: Entry, reading: Reading) -> Collection | None:
    """Return the collection that stands there; None if it is not valid, a finding then."""
    spot, findings = Spot(entry.line, entry.key), reading.findings
    _check_collection_name(entry.key, spot, findings)
    if not isinstance(entry.value, Mapping):
        return _collection(entry.key, [_one(entry.value, entry.key, spot, reading)], "")
    if not check_keys(entry.value, _KEYS, _CHOICE, spot, findings):
        return None
    title = _title(entry.value.entry("title"), spot, findings)
    sequence = entry.value.entry("sequence")
    if sequence is None:
        steps = [_one(entry.value, entry.key, spot, reading)]
    else:
        seconds = _seconds_for_all(entry.value, spot, findings)
        steps = _sequence(sequence, seconds, spot, reading)
    return _collection(entry.key, steps, title)


def _check_collection_name(name: str, spot: Spot, findings: Findings) -> None:
    if name in _RESERVED:
        findings.error(spot, "the server has pages of this name; take another one.")
    elif not _NAME.fullmatch(name):
        findings.error(
            spot,
            f"{shown(name)} is not a valid collection name, since it is part of addresses: ASCII "
            "letters, digits and “._-”, a letter or digit first, at most 100.",
        )


def _title(entry: Entry | None, spot: Spot, findings: Findings) -> str:
    value = entry.value.value if entry and isinstance(entry.value, Scalar) else None
    if entry and not isinstance(value, str):
        findings.error(spot.below("title", entry.line), "this must be a string; put it in quotes.")
    return value if isinstance(value, str) else ""


def _seconds_for_all(node: Mapping, spot: Spot, findings: Findings) -> float:
    """Return the seconds that a sequence's steps have if they say nothing else."""
    if resource := node.entry("resource"):
        sentence = tr("each step of a sequence has its own “resource”; write it there.")
        findings.error(spot.below("resource", resource.line), sentence)
    timeout = node.entry("index_timeout")
    seconds = timeout_of(timeout, spot, findings) if timeout else None
    return seconds or DEFAULT_TIMEOUT_S


def _sequence(entry: Entry, seconds: float, spot: Spot, reading: Reading) -> list[Step | None]:
    here = spot.below("sequence", entry.line)
    if not isinstance(entry.value, Items) or not entry.value.items:
        sentence = tr("this must be a list of steps, each like “- index: source”.")
        reading.findings.error(here, sentence)
        return []
    steps = [
        _step(node, number, seconds, here.below(str(number), node.line), reading)
        for number, node in enumerate(entry.value.items, 1)
    ]
    _look_for_repeats(steps, here, reading.findings)
    return steps


def _step(node: Node, number: int, seconds: float, spot: Spot, reading: Reading) -> Step | None:
    if not isinstance(node, Mapping):
        reading.findings.error(spot, "a step must be a mapping with “index” or “index_group”.")
        return None
    if not check_keys(node, _STEP_KEYS, _STEP_CHOICE, spot, reading.findings):
        return None
    default = spot.collection if number == 1 else f"{spot.collection}:{number}"
    name = _step_name(node.entry("name"), default, spot, reading.findings)
    return _one(node, name, spot, reading, seconds)


def _step_name(entry: Entry | None, default: str, spot: Spot, findings: Findings) -> str:
    if entry is None:
        return default
    here = spot.below("name", entry.line)
    value = entry.value.value if isinstance(entry.value, Scalar) else None
    if not isinstance(value, str):
        findings.error(here, "this must be a string; put it in quotes.")
        return default
    check_name(value, here, findings)
    return value


def _one(
    node: Node, name: str, spot: Spot, reading: Reading, seconds: float = DEFAULT_TIMEOUT_S
) -> Step | None:
    """Return one step, and say what is doubtful about it."""
    step = step_of(node, name, spot, reading, seconds)
    for sentence in doubts_about(step, reading.archive_warcs) if step else ():
        reading.findings.warn(spot, sentence)
    return step


def _look_for_repeats(steps: list[Step | None], spot: Spot, findings: Findings) -> None:
    """Say which names stand in several steps: what is reported of them cannot be told apart."""
    names = Counter(source.name for step in steps if step for source in step.sources)
    for name in (each for each, times in names.items() if times > 1):
        findings.warn(spot, tr("sources of several steps are named {name}.", name=shown(name)))


def _collection(name: str, steps: list[Step | None], title: str) -> Collection | None:
    right = tuple(each for each in steps if each is not None)
    return Collection(name, right, title) if right and len(right) == len(steps) else None
