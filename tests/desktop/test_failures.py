# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the window says of a verification that did not find all intact."""

from dataclasses import replace

from carrel.model import Fate, RecordCheck, VerificationReport
from carrel_desktop.views.holdings.failures import failures_of, not_intact, with_new_names

WHY = "It cannot be read: Permission denied. Make it readable, then verify again."
UNREADABLE = RecordCheck("", "a.warc.gz", 0, 0, Fate.UNREADABLE, WHY, path="/a/a.warc.gz")
DAMAGED = RecordCheck("http://example.org/", "b.warc.gz", 7, 9, Fate.DAMAGED, "It is cut off.")

GONE = replace(
    DAMAGED,
    filename="tides.warc.gz",
    fate=Fate.MISSING,
    message="tides.warc.gz is not there",
    own_id="<urn:tides>",
    renamed_to="other.warc.gz",
)


def test_a_file_that_cannot_be_read_is_not_said_to_be_damaged() -> None:
    report = VerificationReport(0, 0, (UNREADABLE,), failed_paths=1)

    told = not_intact(report, failures_of(report), "")

    assert (told.what, told.where) == ("1 file could not be read", f"a.warc.gz: {WHY}")
    assert failures_of(report) == []


def test_beside_damage_it_is_told_too() -> None:
    report = VerificationReport(5, 100, (UNREADABLE, DAMAGED), failed_paths=1)

    told = not_intact(report, failures_of(report), "")

    assert told.what == "1 of 5 records not intact"
    assert told.where.startswith(f"a.warc.gz: {WHY} Read ")


def test_a_damaged_request_is_not_one_of_the_records_of_files() -> None:
    accompanying = replace(DAMAGED, is_accompanying=True)
    alone = VerificationReport(3, 100, (accompanying,), failed_beside=1)
    both = VerificationReport(3, 100, (DAMAGED, accompanying), failed_beside=1)

    told = [not_intact(each, failures_of(each), "").what for each in (alone, both)]

    assert told == [
        "1 request, metadata or warcinfo record damaged",
        "1 of 3 records not intact · 1 request, metadata or warcinfo record damaged",
    ]


def test_of_a_warc_that_was_renamed_it_is_said_what_it_is_called_now() -> None:
    request = replace(GONE, own_id="", renamed_to="", is_accompanying=True)
    report = VerificationReport(1, 0, (GONE, request), failed_beside=1)

    told = not_intact(report, with_new_names(failures_of(report), report), "2026-03-01T10:00:00Z")

    assert told.where == (
        "None of these records could be read. These bytes are in other.warc.gz, in the same "
        "folder: rename it to tides.warc.gz. Then verify again."
    )


def test_beside_a_renamed_warc_what_is_lost_is_told_as_ever() -> None:
    report = VerificationReport(2, 9, (GONE, DAMAGED))

    told = not_intact(report, with_new_names(failures_of(report), report), "")

    assert "rename it to tides.warc.gz. Then verify again. Check the disk" in told.where


def test_where_a_file_took_the_former_name_nothing_is_to_be_renamed() -> None:
    taken = replace(GONE, fate=Fate.DAMAGED, message="It is another record.", record_id="<urn:t>")
    report = VerificationReport(1, 9, (replace(taken, own_id="<urn:t>"),))

    told = not_intact(report, with_new_names(failures_of(report), report), "")

    assert "“carrel rebuild --replace” in a terminal corrects the ledger" in told.where
    assert "rename" not in told.where


def test_a_missing_file_may_have_been_moved_whether_there_is_a_copy_or_not() -> None:
    report = VerificationReport(1, 0, (replace(GONE, renamed_to=""),))

    told = [not_intact(report, failures_of(report), each).where for each in ("", "2026-03-01")]

    moved = "None of these records could be read. If the file was moved or renamed, put it back. "
    assert [each.startswith(moved) for each in told] == [True, True]
    assert [" A second copy of 2026-03-01" in each for each in told] == [False, True]
