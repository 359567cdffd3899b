# SPDX-License-Identifier: AGPL-3.0-or-later
"""A damaged journal is put right from copies of its groups, and is then what it was."""

import errno
import os
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.errors import ArchiveError, ArchiveFull
from carrel.journal import Group
from carrel.model.dark import Entry
from support.journals import GROUPS, Written, lost, open_journal, read_all, write_journal


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return write_journal(tmp_path)


@pytest.fixture
def copies(written: Written) -> list[Group[Entry]]:
    return list(open_journal(written.folder).groups())


@pytest.fixture
def contents(written: Written) -> tuple[bytes, bytes]:
    return written.older.read_bytes(), written.newer.read_bytes()


def restore(written: Written, groups: Sequence[Group[Entry]]) -> None:
    journal = open_journal(written.folder, known=written.known)
    for group in groups:
        journal.restore(group.file, group.offset, group.data)


def is_as_it_was(written: Written, contents: tuple[bytes, bytes]) -> bool:
    return (written.older.read_bytes(), written.newer.read_bytes()) == contents


def change(path: Path, make: Callable[[bytes], bytes]) -> None:
    path.write_bytes(make(path.read_bytes()))


@pytest.mark.parametrize("number", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "make",
    [
        lambda data: data[:30] + b"x" + data[31:],
        lambda data: data[:30] + data[31:],
        lambda data: data[:30] + b"{}\n{}\n" + data[30:],
        lambda data: data[:-1] + b" ",
        lambda data: data[:-30] + bytes(30),
        lambda data: b"",
    ],
    ids=["flipped", "shorter", "longer", "without its line end", "zeros", "gone"],
)
def test_a_group_that_was_damaged_is_as_it_was(
    written: Written,
    copies: list[Group[Entry]],
    contents: tuple[bytes, bytes],
    number: int,
    make: Callable[[bytes], bytes],
) -> None:
    group = copies[number]
    change(written.folder / group.file, lambda data: data.replace(group.data, make(group.data)))

    restore(written, [group])

    assert is_as_it_was(written, contents)


def test_what_was_put_right_can_be_gone_on_with(
    written: Written, copies: list[Group[Entry]]
) -> None:
    change(written.newer, lambda data: data[:-40])
    journal = open_journal(written.folder, known=written.known)

    journal.restore(copies[3].file, copies[3].offset, copies[3].data)
    journal.append([lost(9)])

    assert read_all(written.folder, written.known) == [*chain(*GROUPS), lost(9)]
    assert journal.torn is None


def test_files_that_are_gone_are_written_again(
    written: Written, copies: list[Group[Entry]], contents: tuple[bytes, bytes]
) -> None:
    written.older.unlink()
    written.newer.unlink()

    restore(written, copies)

    assert is_as_it_was(written, contents)
    assert written.faults(written.known) == []


def test_an_older_file_that_is_gone_is_written_again(
    written: Written, copies: list[Group[Entry]], contents: tuple[bytes, bytes]
) -> None:
    written.older.unlink()

    restore(written, copies[:2])

    assert is_as_it_was(written, contents)


def test_what_the_ledger_has_not_read_yet_stays(
    written: Written, copies: list[Group[Entry]]
) -> None:
    open_journal(written.folder).append([lost(9)])
    change(written.newer, lambda data: data[:30] + data[40:])

    restore(written, [copies[2]])

    assert read_all(written.folder, written.known) == [*chain(*GROUPS), lost(9)]


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_whatever_happened_to_a_file_its_groups_make_it_whole(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        written = write_journal(Path(folder))
        copies = list(open_journal(written.folder).groups())
        contents = (written.older.read_bytes(), written.newer.read_bytes())
        path = data.draw(st.sampled_from([written.older, written.newer]))
        old = path.read_bytes()
        begin = data.draw(st.integers(0, len(old)))
        end = data.draw(st.integers(begin, len(old)))
        path.write_bytes(old[:begin] + data.draw(st.binary(max_size=100)) + old[end:])

        restore(written, copies)

        assert is_as_it_was(written, contents)
        assert written.faults(written.known) == []


def test_what_stood_in_its_place_is_kept(written: Written, copies: list[Group[Entry]]) -> None:
    change(written.older, lambda data: data[:30] + b"rubbish" + data[40:])
    damaged = written.older.read_bytes()[: copies[0].head.end - 3]

    restore(written, copies)

    kept = written.folder / "replaced-2026-05-14T093000Z.bin"
    assert kept.read_bytes() == damaged
    assert [path.name for path in written.folder.glob("*.bin")] == [kept.name]


def test_putting_a_sound_group_back_changes_nothing(
    written: Written, copies: list[Group[Entry]], contents: tuple[bytes, bytes]
) -> None:
    restore(written, copies)

    assert is_as_it_was(written, contents)


def test_what_stands_before_is_put_right_first(
    written: Written, copies: list[Group[Entry]], contents: tuple[bytes, bytes]
) -> None:
    change(written.older, lambda data: data[:30] + data[40:])
    damaged = written.older.read_bytes()

    with pytest.raises(ArchiveError, match=r"(?i)repair"):
        restore(written, [copies[1]])

    assert is_as_it_was(written, (damaged, contents[1]))


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "not lines"),
        (b"nonsense", "not lines"),
        (b"nonsense\n", "do not follow"),
        (b"{}\n{}\n", "do not follow"),
    ],
)
def test_what_is_no_group_is_refused(
    written: Written, contents: tuple[bytes, bytes], data: bytes, what: str
) -> None:
    journal = open_journal(written.folder)

    with pytest.raises(ArchiveError, match=what):
        journal.restore(written.older.name, 0, data)

    assert is_as_it_was(written, contents)


def test_a_group_of_another_place_is_refused(
    written: Written, copies: list[Group[Entry]], contents: tuple[bytes, bytes]
) -> None:
    journal = open_journal(written.folder)

    with pytest.raises(ArchiveError, match="do not follow"):
        journal.restore(copies[1].file, copies[1].offset, copies[3].data)

    assert is_as_it_was(written, contents)


@pytest.mark.parametrize("name", ["../2026-04.jsonl", "notes.txt", "/2026-04.jsonl"])
def test_a_file_that_is_none_of_the_journal_is_refused(written: Written, name: str) -> None:
    journal = open_journal(written.folder)

    with pytest.raises(ArchiveError, match="not a journal file"):
        journal.restore(name, 0, b"{}\n")


def test_a_disk_that_is_full_leaves_what_was_there(
    written: Written, copies: list[Group[Entry]], monkeypatch: pytest.MonkeyPatch
) -> None:
    change(written.older, lambda data: data[:30] + b"x" + data[31:])
    damaged = written.older.read_bytes()
    journal = open_journal(written.folder)

    def refuse(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)

    with pytest.raises(ArchiveFull):
        journal.restore(copies[0].file, copies[0].offset, copies[0].data)

    assert written.older.read_bytes() == damaged
    assert sorted(path.name for path in written.folder.iterdir()) == [
        "2026-04.jsonl",
        "2026-05.jsonl",
    ]
