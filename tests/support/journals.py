# SPDX-License-Identifier: AGPL-3.0-or-later
"""Small journals of the dark archive, and what a stranger to Carrel makes of their files."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from carrel.dark_archive.entries import ENTRIES
from carrel.errors import JournalDamaged
from carrel.journal import Head, Journal, JournalFault
from carrel.model.dark import (
    ContainerSeen,
    ContainerState,
    Entry,
    Lost,
    ObiKind,
    RunBegan,
    RunEnded,
    RunSource,
    TemplateSeen,
)

TIST = 1776671151


class Clock:
    """A clock that stands until it is set."""

    def __init__(self, year: int, month: int, day: int = 14) -> None:
        self.moment = datetime(year, month, day, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def set(self, year: int, month: int, day: int = 14) -> None:
        self.moment = datetime(year, month, day, 9, 30, tzinfo=UTC)


def began(tist: int = TIST) -> RunBegan:
    return RunBegan(tist, "RePEc", RunSource.DIRECTORY, "/data/RePEc", tist, "2026-04-20T07:45:51Z")


def seen(position: int = 0, ident: str = "RePEc:aaa:wpaper:1") -> TemplateSeen:
    return TemplateSeen(TIST, "RePEc", "aaa/wpaper/a.rdf", position, ident, ident, "5" * 32, True)


def lost(number: int = 1) -> Lost:
    return Lost(TIST, ObiKind.TOBI, f"RePEc:aaa:wpaper:{number}", TIST, "not-in-data")


def container() -> ContainerSeen:
    return ContainerSeen(TIST, "RePEc", "aaa/wpaper/a.rdf", ContainerState.READ, templates=2)


def ended() -> RunEnded:
    return RunEnded(TIST, True, "2026-04-20T07:46:00Z", {"appearance": 2})


GROUPS: Sequence[Sequence[Entry]] = (
    [began()],
    [seen(0), seen(1, "RePEc:aaa:wpaper:2"), container()],
    [lost(1), lost(2), ended()],
    [began(TIST + 1), lost(3)],
)


def open_journal(
    folder: Path,
    *,
    writing: bool = True,
    known: Head | None = None,
    now: Callable[[], datetime] | None = None,
) -> Journal[Entry]:
    return Journal.open(folder, ENTRIES, writing=writing, now=now or Clock(2026, 5), known=known)


@dataclass(frozen=True)
class Written:
    """A journal of four groups in two files, two in each; `known` is its head."""

    folder: Path
    older: Path
    newer: Path
    known: Head

    def faults(self, known: Head | None = None) -> list[JournalFault]:
        return list(open_journal(self.folder, writing=False, known=known).faults())


def write_journal(folder: Path) -> Written:
    clock = Clock(2026, 4)
    journal = open_journal(folder, now=clock)
    journal.append(GROUPS[0])
    journal.append(GROUPS[1])
    clock.set(2026, 5)
    journal.append(GROUPS[2])
    journal.append(GROUPS[3])
    return Written(folder, folder / "2026-04.jsonl", folder / "2026-05.jsonl", journal.head)


def read_all(folder: Path, known: Head | None = None) -> list[Entry]:
    journal = open_journal(folder, writing=False, known=known)
    return [entry for group in journal.groups() for entry in group.entries]


def damage_in(folder: Path, known: Head | None = None) -> JournalDamaged | None:
    """Return what reading it to its end raises."""
    try:
        read_all(folder, known)
    except JournalDamaged as error:
        return error
    return None


def replace_line(path: Path, number: int, change: Callable[[bytes], bytes]) -> None:
    """Change a line, counted from 1, with its line end."""
    lines = path.read_bytes().splitlines(keepends=True)
    lines[number - 1] = change(lines[number - 1])
    path.write_bytes(b"".join(lines))


def as_strangers_read(folder: Path) -> list[dict[str, Any]]:
    """Return every line, after the rules that the manual gives, with a JSON reader and sha256sum.

    Fails if a line does not follow from the one before it, or a commit is not what it says.
    """
    read, prev, group = list[dict[str, Any]](), "0" * 64, 0
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").removesuffix("\n").split("\n"):
            found = json.loads(line)
            assert found["prev"] == prev
            prev, group = sha256(line.encode()).hexdigest(), group + 1
            read.append(found)
            if found["entry"] == "commit":
                without = line[: line.index(',"sum":"')] + "}"
                assert found["sum"] == sha256(without.encode()).hexdigest()
                assert (found["lines"], found["all"]) == (group - 1, len(read))
                group = 0
    assert group == 0
    return read
