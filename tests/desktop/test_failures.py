# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the window says of a verification that did not find all intact."""

from dataclasses import replace

from carrel.model import Fate, RecordCheck, VerificationReport
from carrel_desktop.views.holdings.failures import failures_of, not_intact

WHY = "It cannot be read: Permission denied. Make it readable, then verify again."
UNREADABLE = RecordCheck("", "a.warc.gz", 0, 0, Fate.UNREADABLE, WHY, path="/a/a.warc.gz")
DAMAGED = RecordCheck("http://example.org/", "b.warc.gz", 7, 9, Fate.DAMAGED, "It is cut off.")


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
