# SPDX-License-Identifier: AGPL-3.0-or-later
"""A kit for who writes a platform: checks it against recorded answers, and against spoilt ones.

    from pathlib import Path
    from carrel.testing import check
    from tide_tables import TideTables

    def test_a_whole_set() -> None:
        check(TideTables(), Path("tests/recordings/whole-set"))

A recording is a folder that `carrel preview --record DIR URL` writes, with what it comes to in
`expected.json`; `docs/platforms-howto.md` walks through it.
"""

import asyncio
import json
import random
import re
import traceback
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from carrel.capture.exchange import Exchange
from carrel.errors import IngestStop
from carrel.model import Status
from carrel.platforms.declared import fault_of_item, fault_of_platform
from carrel.platforms.entries import digests
from carrel.platforms.items import identifier
from carrel.platforms.platform import Platform
from carrel.platforms.recording.outcome import EXPECTED, Outcome, outcome_of
from carrel.platforms.recording.recording import Answer, Key, Recording
from carrel.translation import tr

__all__ = ["Outcome", "Recording", "check", "outcome"]

# Of fewer files, a number can be theirs by chance.
_FEWEST_COUNTED = 3
_NO_ANSWER = IngestStop(Status.NETWORK_ERROR, tr("The server does not answer."), may_repeat=False)
_ODD_VALUES: tuple[Any, ...] = (
    None, "", [], {}, 0, -1, 2**70, 1.5, True, "x", "\x00\ud800", "a" * 5000,
    [[]], [None], {"": []},
)  # fmt: skip


def outcome(recording: Path, *platforms: Platform) -> Outcome:
    """Return what a recording comes to, asked of these platforms, or of all that Carrel knows.

    Raises UsageError for a folder that is no recording.
    """
    return asyncio.run(outcome_of(Recording.read(recording), platforms or None))


def check(platform: Platform, recording: Path, *, mutations: int = 300, seed: int = 0) -> None:
    """Check a platform against a recording, by all rules. Raises AssertionError with what is wrong.

    1. What `expected.json` has comes out: its status at least.
    2. What the platform declares and returns is valid, and each file has an address or a reason.
    3. Where an answer is missing, refused or empty, or names fewer files than it counts, a manifest
       that gets shorter says so; and an answer that another one leads to is requested.
    4. So many answers that are spoilt by chance (the same for each `seed`) end in an outcome.
    """
    faults = list(_faults(platform, recording, mutations, seed))
    if faults:
        raise AssertionError("\n".join([f"{recording}:", *(f"- {each}" for each in faults)]))


def _faults(platform: Platform, folder: Path, mutations: int, seed: int) -> Iterator[str]:
    if fault := fault_of_platform(platform):
        yield fault
        return
    recorded = Recording.read(folder)
    found = _outcome(platform, recorded, {})
    if isinstance(found, str):
        yield found
        return
    yield from _unexpected(found, folder)
    yield from _misdescribed(found, platform)
    yield from _unread(found, recorded)
    yield from _called_whole(found, platform, recorded)
    yield from _unnamed(platform, recorded, mutations, seed)


def _outcome(platform: Platform, recorded: Recording, changed: dict[Key, Answer]) -> Outcome | str:
    """Return the outcome, or the traceback of what is none."""
    try:
        return asyncio.run(outcome_of(recorded, [platform], changed))
    except Exception:
        return f"an exception is no outcome:\n{traceback.format_exc()}"


def _unexpected(found: Outcome, folder: Path) -> Iterator[str]:
    """Yield each field that is not as expected; only those that are named there count."""
    path = folder / EXPECTED
    if not path.is_file():
        yield f"{EXPECTED} is missing, so that nothing can be compared"
        return
    is_so, expected = found.to_json(), json.loads(path.read_text(encoding="utf-8"))
    if "status" not in expected:
        yield f"{EXPECTED} has no “status”"
    for name, value in expected.items():
        if is_so.get(name) != value:
            yield f"{_difference(name, is_so.get(name), value)}; {found.message}"


def _difference(name: str, found: Any, expected: Any) -> str:
    """Return how a field differs; of lists, the first entries that do."""
    if isinstance(found, list) and isinstance(expected, list):
        pairs = enumerate(zip_longest(found, expected), 1)
        number, (found, expected) = next((at, pair) for at, pair in pairs if pair[0] != pair[1])
        name = f"{name}, entry {number}"
    return f"“{name}” is {found!r}, expected is {expected!r}"


def _unread(found: Outcome, recorded: Recording) -> Iterator[str]:
    """Yield each recorded answer that one which was requested leads to, and that was not."""
    asked = set(found.asked)
    read = [answer for key, answer in recorded.answers.items() if key in asked]
    bodies = (answer.body for answer in read if isinstance(answer, Exchange))
    said = b"\n".join(bodies).replace(b"\\/", b"/")
    files = {entry.platform_url for entry in found.item.manifest} if found.item else set()
    for url, question in recorded.answers:
        is_named = not question and url.encode() in said
        if (url, question) not in asked and is_named and url not in files:
            yield f"{url} is recorded, and an answer leads there, but it is never requested"


def _misdescribed(found: Outcome, platform: Platform) -> Iterator[str]:
    if (item := found.item) is None:
        return
    if fault := fault_of_item(item, platform):
        yield fault
        return
    if item.platform_domain != item.platform_domain.lower() or "/" in item.platform_domain:
        yield f"“{item.platform_domain}” is not a host in lower case"
    if (name := item.archiveorg_item_name) and identifier(name) != name:
        yield f"“{name}” is not a name for an item at archive.org (items.item_name makes one)"
    paths = [entry.path for entry in item.manifest]
    if len(set(paths)) < len(paths):
        yield "several files have the same path (entries.unique_paths tells them apart)"
    for entry in item.manifest:
        if not entry.platform_url and not (entry.status and entry.message):
            yield f"“{entry.path}” has neither an address nor a reason why it has none"
        for algorithm, value in entry.declared.digests.items():
            if digests(algorithm, value) != {algorithm: value}:
                yield f"“{value}” of “{entry.path}” is not a digest by {algorithm}"


def _called_whole(found: Outcome, platform: Platform, recorded: Recording) -> Iterator[str]:
    """Yield each answer without which a shorter manifest is called whole."""
    everything = _paths(found)
    counts = len(everything) if len(everything) >= _FEWEST_COUNTED else None
    for key in dict.fromkeys(found.asked):
        instead = _instead_of(recorded.answers.get(key), recorded, counts)
        for what, answer in instead:
            less = _outcome(platform, recorded, {key: answer})
            if isinstance(less, str):
                yield f"{key[0]} {what}: {less}"
            elif less.is_whole and not everything <= _paths(less):
                lost = len(everything - _paths(less))
                yield f"{key[0]} {what}: the manifest lacks {lost} files and is called whole"


def _instead_of(
    answer: Answer | None, recorded: Recording, count: int | None
) -> Iterator[tuple[str, Answer]]:
    """Yield in words, and as an answer, what may come in place of one; where some answer counts as
    many files as there are, one that names fewer."""
    yield "does not answer", _NO_ANSWER
    if not isinstance(answer, Exchange):
        return
    for code in (404, 429, 500):
        yield f"answers with HTTP {code}", replace(answer, status_code=code, body=b"")
    yield "answers with a page", replace(answer, body=b"<html><p>Welcome</p></html>")
    if (parsed := _json_of(answer)) is not None:
        yield (
            "answers with nothing in it",
            replace(answer, body=b"[]" if isinstance(parsed, list) else b"{}"),
        )
        yield "is cut in two", replace(answer, body=answer.body[: len(answer.body) // 2])
    if count and _is_counted(count, recorded) and (less := _without_last_rows(parsed)) is not None:
        yield "names fewer files than are counted", replace(answer, body=json.dumps(less).encode())


def _is_counted(count: int, recorded: Recording) -> bool:
    """Return whether some answer says how many files there are, under a name that says so."""
    bodies = (one.body for one in recorded.answers.values() if isinstance(one, Exchange))
    text = rb'"\w*(?:count|total|number)\w*"\s*:\s*"?%d\b' % count
    return any(re.search(text, body, re.IGNORECASE) for body in bodies)


def _without_last_rows(parsed: Any) -> Any:
    """Return parsed JSON with its longest list of objects half as long, None if it has none."""
    copy = deepcopy(parsed)
    lists = [one for one in _lists(copy) if len(one) > 1 and all(isinstance(r, dict) for r in one)]
    if not lists:
        return None
    longest = max(lists, key=len)
    del longest[len(longest) // 2 :]
    return copy


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
    if isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _lists(inner)


def _unnamed(platform: Platform, recorded: Recording, mutations: int, seed: int) -> Iterator[str]:
    """Yield what is no outcome of spoilt answers, the first few."""
    chance, told = random.Random(seed), 0  # noqa: S311 - the same each time, no secret
    keys = [key for key, answer in recorded.answers.items() if isinstance(answer, Exchange)]
    for number in range(mutations if keys else 0):
        key = chance.choice(keys)
        found = _outcome(platform, recorded, {key: _spoilt(recorded.answers[key], chance)})
        words = found if isinstance(found, str) else _silence(found)
        if words and (told := told + 1) <= 3:
            yield f"spoilt answer {number} of seed {seed}, of {key[0]}: {words}"


def _silence(found: Outcome) -> str:
    is_unsaid = not found.status.is_success and not found.message
    return f"{found.status} comes without a message" if is_unsaid else ""


def _spoilt(answer: Answer, chance: random.Random) -> Answer:
    """Return an answer with one place in it changed: a value in JSON, a byte in anything else."""
    if not isinstance(answer, Exchange) or not answer.body:
        return answer
    parsed = _json_of(answer)
    if parsed is None:
        at = chance.randrange(len(answer.body))
        return replace(answer, body=answer.body[:at] + chance.randbytes(1) + answer.body[at + 1 :])
    return replace(answer, body=json.dumps(_with_odd_value(deepcopy(parsed), chance)).encode())


def _with_odd_value(value: Any, chance: random.Random) -> Any:
    """Return parsed JSON with one value in it replaced, removed or doubled."""
    holder: Any = [value]
    place: Any = 0
    while isinstance(inner := holder[place], dict | list) and inner and chance.random() < 0.8:
        holder, place = (
            inner,
            chance.choice(list(inner) if isinstance(inner, dict) else range(len(inner))),
        )
        if not isinstance(holder[place], dict | list):
            break
    if holder[place] is value:
        return chance.choice(_ODD_VALUES)
    act = chance.randrange(4)
    if act == 0:
        del holder[place]
    elif act == 1 and isinstance(holder, list):
        holder.append(deepcopy(holder[place]))
    else:
        holder[place] = chance.choice(_ODD_VALUES)
    return value


def _json_of(answer: Exchange) -> Any:
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError):
        return None


def _paths(found: Outcome) -> set[str]:
    return {entry.path for entry in found.item.manifest} if found.item else set()
