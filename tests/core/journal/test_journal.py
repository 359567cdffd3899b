# SPDX-License-Identifier: AGPL-3.0-or-later
"""A journal that is sound: written in groups, read from any of them, found again at its end."""

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from itertools import chain
from pathlib import Path

import pytest

from carrel.dark_archive.entries import ENTRIES
from carrel.errors import ArchiveError, JournalDamaged, JournalTooNew
from carrel.journal import BEGINNING, Head
from carrel.model.dark import Purged
from support.journals import (
    GROUPS,
    Clock,
    as_strangers_read,
    began,
    container,
    lost,
    open_journal,
    read_all,
    seen,
    write_journal,
)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    write_journal(tmp_path)

    assert read_all(tmp_path) == list(chain(*GROUPS))


def test_a_group_is_verbatim_what_stands_in_its_file(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    written = [journal.append(GROUPS[0]), journal.append(GROUPS[1])]

    read = list(open_journal(tmp_path, writing=False).groups())

    assert read == written
    assert b"".join(group.data for group in written) == (tmp_path / "2026-05.jsonl").read_bytes()
    assert [group.offset for group in written] == [0, written[0].head.end]


def test_anybody_can_read_and_check_it(tmp_path: Path) -> None:
    write_journal(tmp_path)

    read = as_strangers_read(tmp_path)

    assert [line["entry"] for line in read] == [
        *("runbegan", "commit"),
        *("templateseen", "templateseen", "containerseen", "commit"),
        *("lost", "lost", "runended", "commit"),
        *("runbegan", "lost", "commit"),
    ]


def test_the_head_is_found_again(tmp_path: Path) -> None:
    written = write_journal(tmp_path)

    again = open_journal(tmp_path, known=written.known)

    assert again.head == written.known
    assert again.head.lines == 13
    assert again.torn is None


def test_the_head_of_a_group_larger_than_a_block_is_found(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    journal.append([began()])
    head = journal.append([seen(number, "x" * 500) for number in range(4_000)]).head

    again = open_journal(tmp_path)

    assert again.head == head
    assert head.end > 2 * 1024**2


def test_an_empty_journal_stands_at_the_beginning(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "journal")

    assert journal.head == BEGINNING
    assert list(journal.groups()) == []
    assert list(journal.faults()) == []


def test_reading_makes_no_folder(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "journal", writing=False)

    assert journal.head == BEGINNING
    assert not (tmp_path / "journal").exists()


def test_reading_goes_on_behind_any_group(tmp_path: Path) -> None:
    write_journal(tmp_path)
    journal = open_journal(tmp_path)
    heads = [BEGINNING, *(group.head for group in journal.groups())]

    rests = [[group.entries for group in journal.groups(head)] for head in heads]

    assert rests == [list(GROUPS[start:]) for start in range(5)]


@pytest.mark.parametrize(
    "changed", [{"sha256": "0" * 64}, {"end": 12}, {"lines": 3}, {"file": "2026-03.jsonl"}]
)
def test_a_head_that_the_journal_never_had_is_refused(
    tmp_path: Path, changed: dict[str, object]
) -> None:
    head = write_journal(tmp_path).known
    wrong = replace(head, **changed)  # type: ignore[arg-type]

    with pytest.raises(JournalDamaged):
        list(open_journal(tmp_path).groups(wrong))


def test_appending_goes_on_where_it_ended(tmp_path: Path) -> None:
    write_journal(tmp_path)

    group = open_journal(tmp_path).append([lost(9)])

    assert read_all(tmp_path) == [*chain(*GROUPS), lost(9)]
    assert group.head.lines == 15
    assert len(as_strangers_read(tmp_path)) == 15


def test_each_month_has_its_file(tmp_path: Path) -> None:
    clock = Clock(2026, 12)
    journal = open_journal(tmp_path, now=clock)

    files = [journal.append([lost()]).file]
    clock.set(2027, 1)
    files.append(journal.append([lost()]).file)

    assert files == ["2026-12.jsonl", "2027-01.jsonl"]


def test_months_are_those_of_utc(tmp_path: Path) -> None:
    east = timezone(timedelta(hours=10))
    journal = open_journal(tmp_path, now=lambda: datetime(2026, 6, 1, 3, tzinfo=east))

    assert journal.append([lost()]).file == "2026-05.jsonl"


def test_a_clock_that_was_set_back_leads_into_no_older_file(tmp_path: Path) -> None:
    clock = Clock(2026, 5)
    journal = open_journal(tmp_path, now=clock)
    journal.append([lost(1)])
    clock.set(2025, 1)

    group = open_journal(tmp_path, now=clock).append([lost(2)])

    assert group.file == "2026-05.jsonl"
    assert read_all(tmp_path) == [lost(1), lost(2)]


def test_other_files_in_the_folder_are_left_alone(tmp_path: Path) -> None:
    write_journal(tmp_path)
    (tmp_path / "2026-05 (copy).jsonl").write_text("not ours")
    (tmp_path / "2026-13.jsonl").write_text("not ours")

    journal = open_journal(tmp_path)

    assert list(journal.faults()) == []
    assert read_all(tmp_path) == list(chain(*GROUPS))


def test_a_reader_does_not_write(tmp_path: Path) -> None:
    written = write_journal(tmp_path)
    journal = open_journal(tmp_path, writing=False)

    with pytest.raises(ValueError, match="reading only"):
        journal.append([lost()])
    with pytest.raises(ValueError, match="reading only"):
        journal.restore(written.older.name, 0, b"")


def test_a_closed_journal_writes_no_more(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)

    journal.close()

    with pytest.raises(ValueError, match="reading only"):
        journal.append([lost()])


def test_a_group_without_entries_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="needs an entry"):
        open_journal(tmp_path).append([])


def test_an_entry_as_large_as_a_line_can_not_be_is_refused(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)

    with pytest.raises(ValueError, match="has more than"):
        journal.append([Purged(1, "a" * 64, "x" * 64 * 1024**2)])

    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_a_link_is_not_written_to(tmp_path: Path) -> None:
    elsewhere = tmp_path / "notes.txt"
    elsewhere.write_text("Feed the cat.")
    folder = tmp_path / "journal"
    folder.mkdir()
    (folder / "2026-05.jsonl").symlink_to(elsewhere)

    with pytest.raises(ArchiveError, match="is a link"):
        open_journal(folder)

    assert elsewhere.read_text() == "Feed the cat."


def test_entries_of_a_newer_carrel_are_named_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    coded = {"entry": "tombstone", "at": 1}
    monkeypatch.setattr(ENTRIES, "encode", lambda entry: coded)
    open_journal(tmp_path).append([lost()])

    with pytest.raises(JournalTooNew, match="'tombstone'"):
        read_all(tmp_path)

    faults = list(open_journal(tmp_path).faults())
    assert [(str(fault.kind), fault.is_damage) for fault in faults] == [("too new", False)]


def test_lines_that_are_in_order_and_no_entries_are_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_journal(tmp_path).append([began(), container()])
    monkeypatch.setattr(ENTRIES, "encode", lambda entry: {"entry": "purged"})
    open_journal(tmp_path).append([lost()])
    reader = open_journal(tmp_path, writing=False)
    after = next(reader.groups()).head

    with pytest.raises(JournalDamaged, match=r"2026-05\.jsonl, line 4 .*missing") as caught:
        list(reader.groups(after))

    assert (caught.value.line, caught.value.offset) == (4, after.end)
    assert [(fault.line, fault.is_damage) for fault in reader.faults()] == [(4, True)]


def test_a_folder_that_can_not_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(ArchiveError, match="cannot be read or written"):
        open_journal(tmp_path / "file" / "journal")


def test_the_beginning_is_known_to_every_journal(tmp_path: Path) -> None:
    write_journal(tmp_path)

    assert open_journal(tmp_path, known=Head(0, "0" * 64, "", 0)).head.lines == 13
