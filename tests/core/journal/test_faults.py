# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is wrong with a journal is named: which lines of which file, and all of them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from carrel.journal import JournalFault
from support.journals import GROUPS, Clock, Written, lost, open_journal, replace_line, write_journal

# Lines of the older file: 1 and 2 are the first group, 3 to 6 the second. Of the newer one: 1 to 4
# are the third, 5 to 7 the fourth.


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return write_journal(tmp_path)


def places(faults: list[JournalFault]) -> list[tuple[str, int, str]]:
    return [(fault.file, fault.line, str(fault.kind)) for fault in faults]


def line_begins(path: Path, number: int) -> int:
    return sum(len(line) for line in path.read_bytes().splitlines(keepends=True)[: number - 1])


def words(line: bytes) -> bytes:
    return line.replace(b"RePEc", b"RePEk", 1)


def previous(line: bytes) -> bytes:
    place = line.index(b'"prev":"') + 20
    return line[:place] + b"x" + line[place + 1 :]


def sum_of_it(line: bytes) -> bytes:
    return line.replace(b'"sum":"', b'"sun":"')


def kind_of_it(line: bytes) -> bytes:
    return line.replace(b"commit", b"vomit!")


def line_end(line: bytes) -> bytes:
    return line.replace(b"\n", b" ")


def halved(line: bytes) -> bytes:
    return line[: len(line) // 2] + b"\n"


def junk(line: bytes) -> bytes:
    return b"\xff\0" * 300 + b"\n"


@pytest.mark.parametrize("change", [words, previous, halved, junk])
@pytest.mark.parametrize("number", [3, 4, 5])
def test_a_line_that_is_not_as_it_was_is_named(
    written: Written, number: int, change: Callable[[bytes], bytes]
) -> None:
    replace_line(written.older, number, change)

    faults = written.faults(written.known)

    assert places(faults) == [("2026-04.jsonl", number, "damaged")]
    assert faults[0].offset == line_begins(written.older, number)


@pytest.mark.parametrize("change", [previous, sum_of_it, kind_of_it, halved])
@pytest.mark.parametrize(("name", "number"), [("older", 2), ("older", 6), ("newer", 4)])
def test_a_commit_that_is_not_as_it_was_is_named(
    written: Written, name: str, number: int, change: Callable[[bytes], bytes]
) -> None:
    path: Path = getattr(written, name)
    replace_line(path, number, change)

    assert places(written.faults()) == [(path.name, number, "damaged")]


def test_the_last_commit_that_is_not_as_it_was_is_named(written: Written) -> None:
    replace_line(written.newer, 7, line_end)

    assert places(written.faults(written.known))[0] == ("2026-05.jsonl", 7, "damaged")


def test_a_line_end_that_is_gone_is_named(written: Written) -> None:
    replace_line(written.older, 4, line_end)

    assert places(written.faults()) == [("2026-04.jsonl", 4, "damaged")]


def test_every_fault_is_named_not_the_first_alone(written: Written) -> None:
    replace_line(written.older, 1, words)
    replace_line(written.older, 4, words)
    replace_line(written.newer, 2, words)
    replace_line(written.newer, 7, previous)

    assert places(written.faults()) == [
        ("2026-04.jsonl", 1, "damaged"),
        ("2026-04.jsonl", 4, "damaged"),
        ("2026-05.jsonl", 2, "damaged"),
        ("2026-05.jsonl", 7, "damaged"),
    ]


@pytest.mark.parametrize("number", [3, 4, 5])
def test_a_line_that_is_missing_is_named_by_the_one_behind_it(
    written: Written, number: int
) -> None:
    replace_line(written.older, number, lambda line: b"")

    faults = written.faults()

    assert places(faults) == [("2026-04.jsonl", number, "missing")]
    assert faults[0].what == "one line is missing before this line"


def test_a_group_that_is_missing_is_counted(written: Written) -> None:
    lines = written.older.read_bytes().splitlines(keepends=True)
    written.older.write_bytes(b"".join(lines[:2]))

    faults = written.faults()

    assert places(faults) == [("2026-05.jsonl", 1, "missing")]
    assert faults[0].what == "4 lines are missing before this line after 2026-04.jsonl"


def test_a_month_that_is_missing_is_told_by_the_next(tmp_path: Path) -> None:
    clock = Clock(2026, 1)
    journal = open_journal(tmp_path, now=clock)
    journal.append([lost(1)])
    clock.set(2026, 2)
    journal.append([lost(2), lost(3)])
    clock.set(2026, 3)
    journal.append([lost(4)])
    (tmp_path / "2026-02.jsonl").unlink()

    (fault,) = open_journal(tmp_path).faults()

    assert (fault.file, fault.line, str(fault.kind)) == ("2026-03.jsonl", 1, "missing")
    assert fault.what == "3 lines are missing before this line after 2026-01.jsonl"


def test_months_in_which_nothing_was_written_are_not_missed(tmp_path: Path) -> None:
    clock = Clock(2026, 1)
    journal = open_journal(tmp_path, now=clock)
    journal.append([lost(1)])
    clock.set(2027, 8)
    journal.append([lost(2)])

    assert list(journal.faults()) == []


def test_the_first_file_that_is_missing_is_told_by_the_second(written: Written) -> None:
    written.older.unlink()

    faults = written.faults(written.known)

    assert places(faults) == [("2026-05.jsonl", 1, "missing")]
    assert faults[0].what == "6 lines are missing before this line"


def test_the_newest_file_that_is_missing_is_told_by_what_is_known(written: Written) -> None:
    written.newer.unlink()

    faults = written.faults(written.known)

    assert places(faults) == [("2026-04.jsonl", 7, "missing")]
    assert faults[0].what == "7 lines are missing here that the ledger has read"


def test_lines_that_changed_places_are_named(written: Written) -> None:
    lines = written.newer.read_bytes().splitlines(keepends=True)
    written.newer.write_bytes(b"".join([lines[1], lines[0], *lines[2:]]))

    faults = written.faults()

    assert places(faults) == [
        ("2026-05.jsonl", 1, "out of order"),
        ("2026-05.jsonl", 2, "out of order"),
    ]
    assert faults[0].what == "the line does not belong here, but after line 2"
    assert faults[1].what == "the line does not belong here, but at the beginning"


def test_groups_that_changed_places_are_named(written: Written) -> None:
    lines = written.newer.read_bytes().splitlines(keepends=True)
    written.newer.write_bytes(b"".join([*lines[4:], *lines[:4]]))

    faults = written.faults()

    assert places(faults)[:2] == [
        ("2026-05.jsonl", 1, "missing"),
        ("2026-05.jsonl", 4, "out of order"),
    ]


def test_a_line_that_stands_twice_is_named(written: Written) -> None:
    replace_line(written.older, 4, lambda line: line * 2)

    assert places(written.faults()) == [("2026-04.jsonl", 5, "out of order")]


def test_an_older_file_that_ends_within_a_group_is_cut(written: Written) -> None:
    data = written.older.read_bytes()
    written.older.write_bytes(data[: line_begins(written.older, 5) + 10])

    assert places(written.faults()) == [
        ("2026-04.jsonl", 5, "cut"),
        ("2026-05.jsonl", 1, "missing"),
    ]


def test_the_newest_file_that_ends_within_a_group_is_torn_which_is_no_damage(
    written: Written,
) -> None:
    data = written.newer.read_bytes()
    written.newer.write_bytes(data[:-10])

    faults = written.faults()

    assert places(faults) == [("2026-05.jsonl", 5, "torn")]
    assert not faults[0].is_damage


def test_what_is_known_tells_a_cut_from_what_was_never_finished(written: Written) -> None:
    data = written.newer.read_bytes()
    written.newer.write_bytes(data[:-10])

    faults = written.faults(written.known)

    assert [fault.is_damage for fault in faults] == [False, True]
    assert faults[1].what == "3 lines are missing here that the ledger has read"


def test_an_empty_file_is_named(written: Written) -> None:
    written.newer.write_bytes(b"")

    faults = written.faults(written.known)

    assert [fault.what for fault in faults] == [
        "the file is empty",
        "7 lines are missing here that the ledger has read",
    ]


def test_a_line_number_counts_from_the_beginning_of_its_file(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    after = journal.append(GROUPS[1]).head
    journal.append(GROUPS[2])
    replace_line(tmp_path / "2026-05.jsonl", 6, words)

    with pytest.raises(Exception, match=r"2026-05\.jsonl, line 6 \(byte \d+\)"):
        list(open_journal(tmp_path, writing=False).groups(after))
