# SPDX-License-Identifier: AGPL-3.0-or-later
"""An append counts whole or not at all, whenever its process is killed or its disk is full."""

import errno
import os
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from carrel.errors import ArchiveError, ArchiveFull
from carrel.journal import Group, Head
from carrel.model.dark import Entry
from support import killed_append
from support.journals import (
    GROUPS,
    Clock,
    as_strangers_read,
    lost,
    open_journal,
    read_all,
    write_journal,
)

TESTS = Path(killed_append.__file__).parents[1]


def command(folder: Path, *arguments: object) -> list[str]:
    return [sys.executable, killed_append.__file__, str(folder), *map(str, arguments)]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])}


def run(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(folder, *arguments), env=environment(), check=False, capture_output=True, text=True
    )


def begin(folder: Path) -> Group[Entry]:
    return open_journal(folder, now=Clock(2026, 5)).append(GROUPS[0])


def group_after(head: Head, tmp_path: Path) -> bytes:
    """Return what an append of the second group writes."""
    other = tmp_path / "other"
    begin(other)
    return open_journal(other).append(GROUPS[1]).data


@pytest.mark.parametrize("where", [0.0, 0.1, 0.5, 0.7, 0.9, 0.95])
def test_a_process_killed_while_it_writes_leaves_what_never_happened(
    tmp_path: Path, where: float
) -> None:
    folder = tmp_path / "journal"
    first = begin(folder)
    data = group_after(first.head, tmp_path)
    written = int(len(data) * where)

    ran = run(folder, written)
    journal = open_journal(folder, known=first.head)

    assert ran.returncode == -9
    assert journal.head == first.head
    assert read_all(folder) == list(GROUPS[0])
    assert (folder / "2026-05.jsonl").read_bytes() == first.data
    assert (journal.torn.read_bytes() if journal.torn else b"") == data[:written]


@pytest.mark.parametrize(("step", "lines"), [(1, 2), (2, 6)])
def test_a_process_killed_before_the_disk_is_reached_loses_or_keeps_the_whole_group(
    tmp_path: Path, step: int, lines: int
) -> None:
    begin(tmp_path)

    ran = run(tmp_path, f"STEP={step}")
    journal = open_journal(tmp_path)

    assert ran.returncode == -9
    assert journal.head.lines == lines
    assert len(as_strangers_read(tmp_path)) == lines


@pytest.mark.parametrize("written", [0, 1, 200])
def test_a_process_killed_in_the_first_append_of_a_month_leaves_no_file(
    tmp_path: Path, written: int
) -> None:
    open_journal(tmp_path, now=Clock(2026, 4)).append(GROUPS[0])

    run(tmp_path, written)
    journal = open_journal(tmp_path)

    assert (journal.torn is not None) is (written > 0)
    assert journal.head.file == "2026-04.jsonl"
    assert not (tmp_path / "2026-05.jsonl").exists()
    assert list(journal.faults()) == []


@pytest.mark.parametrize("appends", [1, 7, 40])
def test_a_process_killed_at_any_moment_keeps_what_it_had_appended(
    tmp_path: Path, appends: int
) -> None:
    with subprocess.Popen(
        command(tmp_path, "for-ever"), env=environment(), stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(appends)]
        process.kill()

    journal = open_journal(tmp_path)
    journal.append([lost()])

    assert journal.head.lines >= told[-1] + 2
    assert list(journal.faults()) == []
    assert len(as_strangers_read(tmp_path)) == journal.head.lines


def test_what_was_unfinished_is_told_until_it_is_set_aside(tmp_path: Path) -> None:
    begin(tmp_path)
    run(tmp_path, 300)

    reader = open_journal(tmp_path, writing=False)

    assert [str(fault.kind) for fault in reader.faults()] == ["torn"]
    assert read_all(tmp_path) == list(GROUPS[0])
    assert reader.torn is None
    assert open_journal(tmp_path).torn == tmp_path / "torn-2026-05-14T093000Z.bin"
    assert list(reader.faults()) == []


def test_what_is_set_aside_replaces_nothing(tmp_path: Path) -> None:
    begin(tmp_path)
    run(tmp_path, 300)
    first = open_journal(tmp_path).torn
    run(tmp_path, 200)

    second = open_journal(tmp_path).torn

    assert first is not None
    assert second == tmp_path / "torn-2026-05-14T093000Z-2.bin"
    assert (first.stat().st_size, second.stat().st_size) == (300, 200)


def test_a_commit_whose_line_end_is_missing_never_happened(tmp_path: Path) -> None:
    first = begin(tmp_path)
    path = tmp_path / "2026-05.jsonl"
    open_journal(tmp_path).append(GROUPS[1])
    path.write_bytes(path.read_bytes()[:-1])

    assert open_journal(tmp_path).head == first.head


def test_zeros_that_a_loss_of_power_left_are_set_aside(tmp_path: Path) -> None:
    known = write_journal(tmp_path).known
    path = tmp_path / "2026-05.jsonl"
    path.write_bytes(path.read_bytes() + bytes(5000))

    journal = open_journal(tmp_path, known=known)

    assert journal.head == known
    assert journal.torn is not None
    assert journal.torn.read_bytes() == bytes(5000)
    assert read_all(tmp_path) == list(chain(*GROUPS))


def test_a_commit_line_of_which_a_loss_of_power_left_the_beginning_is_set_aside(
    tmp_path: Path,
) -> None:
    first = begin(tmp_path)
    path = tmp_path / "2026-05.jsonl"
    data = open_journal(tmp_path).append(GROUPS[1]).data
    path.write_bytes(first.data + data[:-100] + bytes(100))

    assert open_journal(tmp_path).head == first.head


def test_a_group_that_the_ledger_has_not_read_yet_is_kept(tmp_path: Path) -> None:
    first = begin(tmp_path)
    second = open_journal(tmp_path).append(GROUPS[1])

    journal = open_journal(tmp_path, known=first.head)

    assert journal.head == second.head
    assert list(journal.groups(first.head)) == [second]


@pytest.mark.parametrize("behind", [0, 1, 100, 500])
def test_a_disk_that_is_full_leaves_the_journal_as_it_was(tmp_path: Path, behind: int) -> None:
    first = begin(tmp_path)

    ran = run(tmp_path, f"FULL={first.head.end + behind}")

    assert "There is no room left to write" in ran.stdout
    assert (tmp_path / "2026-05.jsonl").read_bytes() == first.data


class FailingSync:
    """Stands for `os.fsync` on a disk that refuses some of the calls, counted from 1."""

    def __init__(self, code: int, *refused: int) -> None:
        self._code, self._refused, self._calls = code, refused, 0

    def __call__(self, handle: int) -> None:
        self._calls += 1
        if self._calls in self._refused:
            raise OSError(self._code, os.strerror(self._code))


@pytest.mark.parametrize("call", [1, 2])
@pytest.mark.parametrize(
    ("code", "kind"),
    [(errno.ENOSPC, ArchiveFull), (errno.EDQUOT, ArchiveFull), (errno.EIO, ArchiveError)],
)
def test_an_append_that_does_not_reach_the_disk_is_taken_back(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    call: int,
    code: int,
    kind: type[ArchiveError],
) -> None:
    first = begin(tmp_path)
    journal = open_journal(tmp_path)
    monkeypatch.setattr(os, "fsync", FailingSync(code, call))

    with pytest.raises(ArchiveError) as caught:
        journal.append(GROUPS[1])

    assert type(caught.value) is kind
    assert (tmp_path / "2026-05.jsonl").read_bytes() == first.data
    assert journal.append(GROUPS[2]).offset == first.head.end
    assert read_all(tmp_path) == [*GROUPS[0], *GROUPS[2]]


def test_a_first_append_that_fails_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = open_journal(tmp_path)
    monkeypatch.setattr(os, "fsync", FailingSync(errno.ENOSPC, 1))

    with pytest.raises(ArchiveFull, match="make room and try again"):
        journal.append(GROUPS[0])

    assert list(tmp_path.iterdir()) == []
    assert journal.append(GROUPS[0]).head.lines == 2


def test_an_append_that_can_not_be_taken_back_says_so_and_is_settled_by_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(tmp_path)
    journal = open_journal(tmp_path)
    monkeypatch.setattr(os, "fsync", FailingSync(errno.EIO, 1, 2))

    with pytest.raises(ArchiveError) as caught:
        journal.append(GROUPS[1])

    assert caught.value.__cause__ is not None
    assert "could not be undone" in caught.value.__cause__.__notes__[0]
    assert open_journal(tmp_path).append(GROUPS[2]).head.lines == 6


def test_an_interruption_takes_the_append_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = begin(tmp_path)
    journal = open_journal(tmp_path)
    syncs = iter([KeyboardInterrupt()])

    def interrupted(handle: int) -> None:
        if (interruption := next(syncs, None)) is not None:
            raise interruption

    monkeypatch.setattr(os, "fsync", interrupted)

    with pytest.raises(KeyboardInterrupt):
        journal.append(GROUPS[1])

    assert (tmp_path / "2026-05.jsonl").read_bytes() == first.data


def test_what_another_program_wrote_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    begin(tmp_path)
    journal = open_journal(tmp_path)
    other = open_journal(tmp_path).append(GROUPS[1])

    with pytest.raises(ArchiveError, match="another program is using it"):
        journal.append(GROUPS[2])

    assert open_journal(tmp_path).head == other.head
