# SPDX-License-Identifier: AGPL-3.0-or-later
"""No byte of the journal changes unseen, and nothing that was committed is taken for unfinished."""

from collections.abc import Iterator
from itertools import chain, combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.errors import JournalDamaged
from carrel.journal import Head
from support.journals import (
    GROUPS,
    Written,
    damage_in,
    lost,
    open_journal,
    read_all,
    write_journal,
)


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return write_journal(tmp_path)


@pytest.fixture(scope="module")
def shared() -> Iterator[Written]:
    with TemporaryDirectory() as folder:
        yield write_journal(Path(folder))


def is_told(written: Written, path: Path, changed: bytes, known: Head | None = None) -> bool:
    """Whether a change of a file is damage to everybody who reads, and nothing is written to it."""
    before = path.read_bytes()
    path.write_bytes(changed)
    try:
        is_fault = any(fault.is_damage for fault in written.faults(known))
        is_error = damage_in(written.folder, known) is not None
        return is_fault and is_error and is_left_alone(written, path, known)
    finally:
        path.write_bytes(before)


def is_left_alone(written: Written, path: Path, known: Head | None) -> bool:
    """Whether opening it for writing cuts nothing off."""
    changed = path.read_bytes()
    journal = open_journal(written.folder, known=known)
    return path.read_bytes() == changed and journal.torn is None


def flipped(data: bytes, place: int, mask: int) -> bytes:
    return data[:place] + bytes([data[place] ^ mask]) + data[place + 1 :]


def cuts(data: bytes) -> list[int]:
    """Return places all over some lines, and every one around their ends."""
    ends = [place for place in range(len(data)) if data[place] == 0x0A]
    near = {place + by for place in ends for by in (-2, -1, 0, 1)}
    return sorted({*range(0, len(data), 11), *near} - {len(data)})


def test_what_is_as_it_was_is_no_damage(written: Written) -> None:
    assert not is_told(written, written.newer, written.newer.read_bytes(), written.known)


@pytest.mark.parametrize("name", ["older", "newer"])
def test_each_byte_that_is_flipped_is_told(written: Written, name: str) -> None:
    path: Path = getattr(written, name)
    data = path.read_bytes()

    untold = [
        place for place in range(len(data)) if not is_told(written, path, flipped(data, place, 1))
    ]

    assert untold == []


@settings(max_examples=300, deadline=None)
@given(place=st.integers(0), mask=st.integers(1, 255), is_older=st.booleans())
def test_any_flip_of_any_byte_is_told(
    shared: Written, place: int, mask: int, is_older: bool
) -> None:
    path = shared.older if is_older else shared.newer
    data = path.read_bytes()

    assert is_told(shared, path, flipped(data, place % len(data), mask))


def test_each_byte_of_the_last_group_that_becomes_a_line_end_is_told(written: Written) -> None:
    data = written.newer.read_bytes()
    begin = data.index(b'{"entry":"runbegan"')

    untold = [
        place
        for place in range(begin, len(data))
        if data[place] != 0x0A
        and not is_told(written, written.newer, flipped(data, place, data[place] ^ 0x0A))
    ]

    assert untold == []


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_any_bytes_in_place_of_others_are_told(shared: Written, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from([shared.older, shared.newer]))
    old = path.read_bytes()
    begin = data.draw(st.integers(0, len(old) - 1))
    end = data.draw(st.integers(begin, len(old)))
    new = old[:begin] + data.draw(st.binary(max_size=200)) + old[end:]

    assert new == old or is_told(shared, path, new, shared.known) or _is_torn_tail(shared, old, new)


def _is_torn_tail(written: Written, old: bytes, new: bytes) -> bool:
    """Whether only something behind the last commit came to be."""
    return new.startswith(old) and old == written.newer.read_bytes()


def test_a_byte_that_is_taken_out_is_told(written: Written) -> None:
    data = written.newer.read_bytes()

    untold = [
        place
        for place in cuts(data[:-1])
        if not is_told(written, written.newer, data[:place] + data[place + 1 :])
    ]

    assert untold == []


def test_a_cut_of_an_older_file_is_told(written: Written) -> None:
    data = written.older.read_bytes()

    untold = [end for end in range(len(data)) if not is_told(written, written.older, data[:end])]

    assert untold == []


def test_a_cut_of_the_newest_file_is_told_by_what_is_known(written: Written) -> None:
    data = written.newer.read_bytes()

    untold = [
        end for end in cuts(data) if not is_told(written, written.newer, data[:end], written.known)
    ]

    assert untold == []


def test_each_line_that_is_dropped_is_told(written: Written) -> None:
    lines = {path: path.read_bytes().splitlines(True) for path in (written.older, written.newer)}

    untold = [
        (path.name, number)
        for path, those in lines.items()
        for number in range(len(those))
        if not is_told(written, path, b"".join(those[:number] + those[number + 1 :]), written.known)
    ]

    assert untold == []


def test_each_two_lines_that_are_swapped_are_told(written: Written) -> None:
    lines = written.newer.read_bytes().splitlines(True)

    untold = [
        (one, other)
        for one, other in combinations(range(len(lines)), 2)
        if not is_told(written, written.newer, b"".join(_swapped(lines, one, other)))
    ]

    assert untold == []


def _swapped(lines: list[bytes], one: int, other: int) -> list[bytes]:
    order = list(range(len(lines)))
    order[one], order[other] = other, one
    return [lines[place] for place in order]


def test_each_line_that_stands_twice_is_told(written: Written) -> None:
    lines = written.newer.read_bytes().splitlines(True)

    untold = [
        number
        for number in range(len(lines))
        if not is_told(written, written.newer, b"".join([*lines[: number + 1], *lines[number:]]))
    ]

    # The last one once more stands behind the last commit, and looks like one.
    assert untold == []


def test_lines_with_the_line_ends_of_another_system_are_told(written: Written) -> None:
    data = written.newer.read_bytes()

    assert is_told(written, written.newer, data.replace(b"\n", b"\r\n"))


def test_the_oldest_file_that_is_gone_is_told(written: Written) -> None:
    written.older.unlink()

    assert damage_in(written.folder) is not None


def test_the_newest_file_that_is_gone_is_told_by_what_is_known(written: Written) -> None:
    written.newer.unlink()

    assert damage_in(written.folder) is None
    assert damage_in(written.folder, written.known) is not None


def test_a_journal_that_is_gone_is_told_by_what_is_known(written: Written) -> None:
    written.newer.unlink()
    written.older.unlink()

    with pytest.raises(JournalDamaged, match="13 lines are missing"):
        read_all(written.folder, written.known)


def test_a_file_that_is_another_month_now_is_told(written: Written) -> None:
    written.older.rename(written.folder / "2026-06.jsonl")

    assert damage_in(written.folder) is not None


def test_another_journal_in_its_place_is_told_by_what_is_known(
    written: Written, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    journal = open_journal(other)
    journal.append(GROUPS[3])
    journal.append(list(chain(*GROUPS, GROUPS[1])))

    with pytest.raises(JournalDamaged, match="what the ledger has read is not in the journal"):
        read_all(other, written.known)


def test_nothing_is_appended_to_a_damaged_end(written: Written) -> None:
    data = written.newer.read_bytes()
    written.newer.write_bytes(flipped(data, len(data) - 300, 1))
    journal = open_journal(written.folder)

    with pytest.raises(JournalDamaged, match="carrel dark rebuild"):
        journal.append([lost()])

    assert written.newer.read_bytes() == flipped(data, len(data) - 300, 1)


def test_a_commit_of_which_nothing_is_left_is_damage_to_who_knows_it(written: Written) -> None:
    data = written.newer.read_bytes()
    written.newer.write_bytes(data[:-250] + bytes(250))

    known = open_journal(written.folder, known=written.known)

    with pytest.raises(JournalDamaged):
        _ = known.head
    assert written.newer.stat().st_size == len(data)


def test_what_is_wrong_earlier_does_not_hide_the_end(written: Written) -> None:
    data = written.older.read_bytes()
    written.older.write_bytes(flipped(data, 10, 1))

    journal = open_journal(written.folder, known=written.known)

    assert journal.head == written.known
    assert damage_in(written.folder) is not None
