# SPDX-License-Identifier: AGPL-3.0-or-later
"""One step of a collection: the sources that are asked at once, how long, and where records are."""

import math
import re

from carrel.mementos.config.collection import DEFAULT_TIMEOUT_S, SourceConfig, Step
from carrel.mementos.config.findings import Findings, Spot, shown, unknown
from carrel.mementos.config.reader import Reading
from carrel.mementos.config.resources import implied_resources, resources_of
from carrel.mementos.config.sources import source_of
from carrel.mementos.config.yaml_tree import Entry, Mapping, Node, Scalar
from carrel.translation import tr

_LONGEST_S = 86_400.0
# Names travel in headers, and between commas.
_NAME = re.compile(r"[\x21-\x2b\x2d-\x7e]([\x20-\x2b\x2d-\x7e]{0,98}[\x21-\x2b\x2d-\x7e])?")
# What people bring along from pywb's own files.
_HINTS = {
    "archive_paths": tr("Here it is called “resource”."),
    "index_paths": tr("Here it is called “index”."),
    "timeout": tr("Here it is called “index_timeout”."),
    "acl_paths": tr("There are no access rules here."),
    "default_access": tr("There are no access rules here."),
    "embargo": tr("There are no access rules here."),
    "type": tr("A source goes below “index:”."),
}


def step_of(
    node: Node, name: str, spot: Spot, reading: Reading, timeout_s: float = DEFAULT_TIMEOUT_S
) -> Step | None:
    """Return the step that a source in one text, or a mapping with `index` or `index_group`, is.

    `name` is that of the source of an `index`. None if it is not valid, which is a finding then.
    Keys that do not belong here are not this function's matter.
    """
    if not isinstance(node, Mapping):
        source = source_of(node, name, spot, reading)
        return _step((source,), None, spot, reading, timeout_s)
    index, group = node.entry("index"), node.entry("index_group")
    if index is not None:
        here = spot.below("index", index.line)
        sources: tuple[SourceConfig | None, ...] = (source_of(index.value, name, here, reading),)
    else:
        sources = _group(group, spot, reading) if group else ()
    own = node.entry("index_timeout")
    seconds = timeout_of(own, spot, reading.findings) if own else timeout_s
    return _step(sources, node.entry("resource"), spot, reading, seconds)


def timeout_of(entry: Entry, spot: Spot, findings: Findings) -> float | None:
    """Return the seconds of an `index_timeout`; None if it is not valid, a finding then."""
    value = entry.value.value if isinstance(entry.value, Scalar) else None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and not math.isnan(number := float(value or 0)) and 0 < number <= _LONGEST_S:
        return number
    given = tr(", not {other}", other=shown(value)) if isinstance(value, str) or is_number else ""
    findings.error(
        spot.below("index_timeout", entry.line),
        f"this must be a number of seconds, more than 0 and at most {_LONGEST_S:.0f}{given}.",
    )
    return None


def check_keys(
    node: Mapping, known: tuple[str, ...], choice: tuple[str, ...], spot: Spot, findings: Findings
) -> bool:
    """Say whether a mapping has exactly one of the keys to choose from; refuse unknown ones."""
    unknown_ones = [entry for entry in node.entries if entry.key not in known]
    for entry in unknown_ones:
        sentence = unknown("key", entry.key, known, _HINTS)
        findings.error(spot.below(entry.key, entry.line), sentence)
    chosen = [each for each in choice if node.entry(each)]
    words = [f"“{each}”" for each in choice]
    if len(chosen) > 1:
        both = " and ".join(f"“{each}”" for each in chosen)
        findings.error(spot, f"{both} cannot be used together; keep one of them.")
    elif not chosen and not unknown_ones:
        findings.error(spot, f"it is empty: {', '.join(words[:-1])} or {words[-1]} is missing.")
    return len(chosen) == 1


def check_name(name: str, spot: Spot, findings: Findings) -> None:
    """Refuse what cannot be a source's name."""
    if not _NAME.fullmatch(name):
        findings.error(
            spot, f"{shown(name)} is not a valid source name: ASCII without commas, at most 100."
        )
    elif ":" in name:
        findings.warn(
            spot, tr("the source's name ends before the “:” of {name}.", name=shown(name))
        )


def _group(entry: Entry, spot: Spot, reading: Reading) -> tuple[SourceConfig | None, ...]:
    here = spot.below("index_group", entry.line)
    if not isinstance(entry.value, Mapping) or not entry.value.entries:
        sentence = tr(
            "this must have a name and a source, “name: source”, for each source below it."
        )
        reading.findings.error(here, sentence)
        return ()
    sources = []
    for each in entry.value.entries:
        place = here.below(each.key, each.line)
        check_name(each.key, place, reading.findings)
        sources.append(source_of(each.value, each.key, place, reading))
    _check_different(entry.value, here, reading.findings)
    return tuple(sources)


def _check_different(group: Mapping, spot: Spot, findings: Findings) -> None:
    """Refuse names that differ in their detail only."""
    seen: set[str] = set()
    for entry in group.entries:
        name = entry.key.partition(":")[0]
        if name in seen:
            findings.error(spot.at(entry.line), f"there are several sources named {shown(name)}.")
        seen.add(name)


def _step(
    sources: tuple[SourceConfig | None, ...],
    resource: Entry | None,
    spot: Spot,
    reading: Reading,
    timeout_s: float | None,
) -> Step | None:
    right = tuple(each for each in sources if each is not None)
    if resource is None:
        resources = implied_resources(right, reading)
    else:
        here = spot.below("resource", resource.line)
        resources = resources_of(resource.value, here, reading) or ()
    if not right or len(right) < len(sources) or not resources or timeout_s is None:
        return None
    return Step(right, resources, timeout_s)
