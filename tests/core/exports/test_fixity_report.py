# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fixity reports: what was verified in a period and what not, damage and what was done."""

import csv
import io
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from carrel.archive import Archive
from carrel.engine.fixity_reports import fixity_report, last_year, left_out_of
from carrel.errors import UsageError
from carrel.ledger.accompanying import AccompanyingChecks, AccompanyingFault
from carrel.ledger.fixity import RecordFixity, RunFixity
from carrel.ledger.fixity_history import FixityHistory, Period
from carrel.model import Fate
from support.certified import INGEST, WARC, archive_with, kept, record_id

YEAR = (date(2026, 1, 1), date(2026, 12, 31))
PERIOD = Period("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z")
OTHER = "20260202T030405-0123456789abcdef"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An archive of two holdings, archived in January 2026."""
    path = archive_with(tmp_path / "archive", [kept("a.csv"), kept("b.csv")])
    return path


def note(folder: Path, at: str, fate: Fate, remedy: str = "", message: str = "") -> None:
    with Archive.create_or_open(folder) as archive:
        check = RecordFixity(record_id(0), at, fate, message)
        archive.ledger.fixity.note([check], remedy)


def run(folder: Path, started: str, ingest_id: str | None = INGEST, failed: int = 0) -> None:
    with Archive.create_or_open(folder) as archive:
        done = RunFixity(
            ingest_id, started, 2, failed, finished=started, bytes=10, compared="ledger (sha256)"
        )
        archive.ledger.fixity.note_run(done)


def page(folder: Path, days: tuple[date, date] = YEAR) -> str:
    output = folder.parent / "report.html"
    with Archive.open_for_reading(folder) as archive:
        fixity_report(archive, *days, output, issued=date(2026, 12, 31))
    body = LexborHTMLParser(output.read_bytes()).body
    assert body is not None
    return body.text(separator=" ")


def tables(folder: Path) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    with Archive.open_for_reading(folder) as archive:
        paths = fixity_report(archive, *YEAR, folder.parent / "report.csv")
    assert [path.name for path in paths] == ["report.csv", "report_holdings.csv"]
    events, holdings = (path.read_text("utf-8-sig") for path in paths)
    return [*csv.DictReader(io.StringIO(events))], [*csv.DictReader(io.StringIO(holdings))]


def test_a_verification_counts_in_its_period_and_in_no_other(folder: Path) -> None:
    run(folder, "2026-03-01T00:00:00Z")

    assert "Verified in this period, and intact: 1 of 1 holding" in page(folder)
    assert "Records of files and pages, now" in page(folder)
    assert "Where all of the archive was read, “Records” counts every record" in page(folder)
    assert "Of what is missing, only the records of files and pages are known" in page(folder)
    assert "Verified in this period, and intact: 0 of 1 holding" in page(
        folder, (date(2026, 4, 1), date(2026, 12, 31))
    )
    assert "Verified in this period, and intact: 0 of 1 holding" in page(
        folder, (date(2026, 1, 1), date(2026, 2, 28))
    )


def test_what_was_not_verified_is_told_with_since_when_not(folder: Path) -> None:
    run(folder, "2026-03-01T00:00:00Z")

    words = page(folder, (date(2026, 4, 1), date(2026, 12, 31)))

    assert "Not all holdings were verified" in words
    assert "Not verified since" in words
    assert "2026-03-01 00:00:00 UTC" in words


def test_a_run_over_the_archive_covers_what_was_there_before_it(folder: Path) -> None:
    run(folder, "2026-01-02T03:05:00Z", None)
    archive_with(folder, [kept("c.csv")], base_url="https://data.example.org/8", ingest_id=OTHER)
    with Archive.create_or_open(folder) as archive:
        for table, column in (("results", "finished"), ("holdings", "archived")):
            archive.ledger._connection.db.execute(
                f"UPDATE {table} SET {column} = '2026-05-01T00:00:00Z' WHERE ingest_id = ?", [OTHER]
            )

    with Archive.open_for_reading(folder) as archive:
        covered = archive.ledger.fixity_history.all(PERIOD)

    assert (covered.holdings, covered.verified, covered.never) == (2, 1, 1)


def test_the_parts_of_what_was_not_verified_have_no_holding_in_common(folder: Path) -> None:
    archive_with(folder, [kept("c.csv")], base_url="https://data.example.org/8", ingest_id=OTHER)
    with Archive.create_or_open(folder) as archive:
        for table, column in (("results", "finished"), ("holdings", "archived")):
            archive.ledger._connection.db.execute(
                f"UPDATE {table} SET {column} = '2026-05-01T00:00:00Z' WHERE ingest_id = ?", [OTHER]
            )

    assert (
        "Not verified: 2 holdings (1 archived in this period, and read back then; 1 archived "
        "before it, and never verified since)."
    ) in page(folder, (date(2026, 4, 1), date(2026, 12, 31)))


def test_what_files_came_to_after_a_run_is_verified_in_part(folder: Path) -> None:
    run(folder, "2026-03-01T00:00:00Z", None)
    with Archive.create_or_open(folder) as archive:
        archive.ledger._connection.db.execute("UPDATE holdings SET added = '2026-03-01T00:00:04Z'")

    words, (_, (holding,)) = page(folder), tables(folder)
    before = page(folder, (date(2026, 1, 1), date(2026, 2, 28)))
    later = page(folder, (date(2026, 4, 1), date(2026, 12, 31)))

    assert "Not all holdings were verified" in words
    assert "Verified in this period, and intact: 0 of 1 holding, 0 bytes of" in words
    assert "1 with files added after the last verification, and read back then" in words
    assert "2026-03-01 00:00:00 UTC, before its last files were added" in words
    assert (holding["verified_in_period"], holding["last_verified"]) == (
        "in part",
        "2026-03-01T00:00:00Z",
    )
    assert "Not verified: 1 holding (1 archived in this period" in before
    assert "Not verified: 1 holding." in later
    run(folder, "2026-03-01T00:00:05Z", None)
    assert "All holdings were verified" in page(folder)


def test_damage_is_reported_with_what_was_done_about_it(folder: Path) -> None:
    note(folder, "2026-02-01T00:00:00Z", Fate.DAMAGED, message="Its digest differs.")
    note(folder, "2026-02-03T00:00:00Z", Fate.INTACT, "Repaired from the second copy in /copy.")

    words = page(folder)
    events, _ = tables(folder)

    assert "Its digest differs." in words
    assert "Intact again on 2026-02-03 00:00:00 UTC. Repaired from the second copy" in words
    assert [each["event_type"] for each in events] == ["damage found", "repair"]
    assert events[0]["action_taken"] == "Repaired from the second copy in /copy."
    assert events[0]["resolved"] == "2026-02-03T00:00:00Z"
    assert (events[0]["warc"], events[0]["offset"]) == (WARC, "0")


def test_the_event_of_a_record_that_is_no_capture_is_told_from_others(folder: Path) -> None:
    with Archive.create_or_open(folder) as archive:
        at = "2026-02-01T00:00:00Z"
        faults = [AccompanyingFault((WARC, offset), at, "It differs.") for offset in (901, 902)]
        archive.ledger.fixity.note_accompanying(AccompanyingChecks(faults))

    events, _ = tables(folder)

    assert [each["event_id"] for each in events] == [
        f"accompanying-{WARC}-901-{at}",
        f"accompanying-{WARC}-902-{at}",
    ]


def test_damage_of_bytes_that_another_record_has_is_no_damage_that_is_not_mended(
    folder: Path,
) -> None:
    run(folder, "2026-03-01T00:00:00Z")
    note(folder, "2026-03-01T00:00:00Z", Fate.DAMAGED, message="Its digest differs.")
    with Archive.create_or_open(folder) as archive:
        first = archive.ledger.captures.get(record_id(0))
        assert first
        twin = replace(first, record_id="<urn:uuid:twin>", filename="twin.warc.gz")
        archive.ledger.ingests.adopt([twin], {}, came_in="twin.warc.gz")

    words = page(folder)
    (_, damage), _ = tables(folder)

    assert "Damage is not mended" not in words
    assert (damage["resolved"], damage["event_type"]) == ("", "damage found")  # it was there before
    assert "1 record not intact when last read, whose bytes are intact in others." in words
    assert "The same bytes are intact in twin.warc.gz" in words


def test_damage_that_is_there_still_is_said_first(folder: Path) -> None:
    run(folder, "2026-03-01T00:00:00Z", failed=1)
    note(folder, "2026-03-01T00:00:00Z", Fate.MISSING, message="There is no file.")

    words = page(folder)

    assert words.index("Damage is not mended") < words.index("Verified in this period, and intact")
    assert "Nothing yet." in words


def test_damage_that_no_verification_found_is_not_said_to_be_none(folder: Path) -> None:
    note(folder, "2026-03-01T00:00:00Z", Fate.DAMAGED)

    assert "nothing was found damaged" not in page(folder)
    assert "No verification was run in this period." in page(folder)
    run(folder, "2026-02-01T00:00:00Z")
    assert "1 verification: no damage found. The damage listed here was found at other" in page(
        folder
    )


def test_the_same_damage_found_again_is_no_second_event(folder: Path) -> None:
    for day in ("01", "02", "03"):
        note(folder, f"2026-02-{day}T00:00:00Z", Fate.DAMAGED)

    events, _ = tables(folder)

    assert [each["started"] for each in events] == ["2026-02-01T00:00:00Z"]


def test_a_record_that_was_always_intact_has_no_event(folder: Path) -> None:
    note(folder, "2026-02-01T00:00:00Z", Fate.INTACT)

    assert tables(folder)[0] == []


def test_bytes_that_were_archived_again_are_told_where(tmp_path: Path) -> None:
    folder = archive_with(tmp_path / "archive", [kept("a.csv"), kept("a.csv")])
    note(folder, "2026-02-01T00:00:00Z", Fate.DAMAGED)

    assert f"The same bytes are intact in {WARC}, captured 2026-01-02" in page(folder)


def test_each_verification_has_what_it_read_with_what_it_compared_and_by_what(
    folder: Path,
) -> None:
    run(folder, "2026-03-01T00:00:00Z")

    (event,), _ = tables(folder)

    assert (event["records"], event["bytes"], event["outcome"]) == ("2", "10", "intact")
    assert event["compared_with"] == "ledger (sha256)"
    assert event["software"].startswith("Carrel ")


def test_all_holdings_are_in_the_second_table(folder: Path) -> None:
    run(folder, "2026-03-01T00:00:00Z")

    _, (holding,) = tables(folder)

    assert (holding["ingest_id"], holding["verified_in_period"]) == (INGEST, "yes")
    assert (holding["last_verified"], holding["host"]) == (
        "2026-03-01T00:00:00Z",
        "data.example.org",
    )


def test_a_title_is_neither_markup_nor_a_formula(tmp_path: Path) -> None:
    folder = archive_with(tmp_path / "archive", [kept("a.csv")], title="=1+1<script>")

    assert "=1+1<script>" in page(folder)
    assert tables(folder)[1][0]["title"] == "'=1+1<script>"
    assert b"<script>" not in (tmp_path / "report.html").read_bytes()


def test_a_period_that_ends_before_it_begins_is_refused(folder: Path) -> None:
    with (
        Archive.open_for_reading(folder) as archive,
        pytest.raises(UsageError, match="before it begins"),
    ):
        fixity_report(archive, YEAR[1], YEAR[0], folder.parent / "report.csv")


def test_a_report_is_html_or_csv(folder: Path) -> None:
    with (
        Archive.open_for_reading(folder) as archive,
        pytest.raises(UsageError, match="HTML or CSV"),
    ):
        fixity_report(archive, *YEAR, folder.parent / "report.pdf")


def test_a_year_has_365_days() -> None:
    assert last_year(date(2026, 12, 31)) == YEAR
    assert last_year(date.min) == (date.min, date.min)


def test_platforms_and_tags_have_sums_of_their_own(folder: Path) -> None:
    run(folder, "2026-03-01T00:00:00Z")
    with Archive.create_or_open(folder) as archive:
        archive.ledger._connection.db.execute(
            "INSERT INTO dataset_tags SELECT dataset_id, 'tides' FROM holdings"
        )
        history: FixityHistory = archive.ledger.fixity_history
        (platform,), (tag,) = history.by_platform(PERIOD), history.by_tag(PERIOD)

    assert (platform.name, platform.verified) == ("dataverse data.example.org", 1)
    assert (tag.name, tag.not_verified) == ("tides", 0)


def test_a_holding_that_is_dated_after_the_period_is_left_out_and_told(folder: Path) -> None:
    days = (date(2024, 1, 1), date(2024, 12, 31))

    assert "Not in this report: 1 holding dated after its period" in page(folder, days)
    assert "Not in this report" not in page(folder)
    with Archive.open_for_reading(folder) as archive:
        assert left_out_of(archive, *days).startswith("Not in this report: 1 holding")
        assert left_out_of(archive, *YEAR) == ""


def test_a_damage_has_the_place_where_it_was_found(folder: Path) -> None:
    note(folder, "2026-02-01T00:00:00Z", Fate.DAMAGED)
    with Archive.create_or_open(folder) as archive:
        capture = archive.ledger.captures.get(record_id(0))
        assert capture
        archive.ledger.ingests.move([replace(capture, filename="again.warc.gz", offset=7)])
    note(folder, "2026-02-03T00:00:00Z", Fate.INTACT)

    events, _ = tables(folder)

    assert [(each["warc"], each["offset"]) for each in events] == [
        (WARC, "0"),
        ("again.warc.gz", "7"),
    ]


def test_an_earlier_carrel_did_not_note_where_a_mended_damage_was_found(folder: Path) -> None:
    for at in ("2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z"):
        note(folder, at, Fate.DAMAGED)
        note(folder, at, Fate.INTACT)
    note(folder, "2026-02-03T00:00:00Z", Fate.DAMAGED)
    with Archive.create_or_open(folder) as archive:
        db = archive.ledger._connection.db
        db.execute("UPDATE fixity_events SET filename = NULL, offset = NULL")
        db.conn.commit()

    events, _ = tables(folder)

    assert {(each["warc"], each["offset"]) for each in events[:4]} == {("", "")}
    assert (events[4]["warc"], events[4]["offset"]) == (WARC, "0")
    assert f"{WARC}, byte 0" in page(folder)


def test_an_open_damage_was_found_when_it_was_found_first(folder: Path) -> None:
    for at in ("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"):
        note(folder, at, Fate.DAMAGED)

    with Archive.open_for_reading(folder) as archive:
        (damage,) = archive.ledger.fixity_history.open_damages()

    assert damage["at"] == "2026-02-01T00:00:00Z"


@pytest.mark.parametrize("is_of_one_address", [True, False])
def test_a_redirect_is_lost_unless_one_of_its_address_is_intact(
    folder: Path, is_of_one_address: bool
) -> None:
    with Archive.create_or_open(folder) as archive:
        db = archive.ledger._connection.db
        url = "'https://data.example.org/here'" if is_of_one_address else "url"
        db.execute(f"UPDATE captures SET size = 0, sha256 = 'e3b0c442', url = {url}")
        db.execute("UPDATE files SET capture_id = NULL")
        db.conn.commit()
    note(folder, "2026-02-01T00:00:00Z", Fate.DAMAGED)

    with Archive.open_for_reading(folder) as archive:
        (damage,) = archive.ledger.fixity_history.open_damages()
        (fault,) = archive.ledger.fixity.faults().values()

    assert bool(damage["is_lost"]) is not is_of_one_address
    assert bool(damage["again_in"]) is is_of_one_address
    assert fault.twinned == is_of_one_address
    assert ("Damage is not mended" in page(folder)) is not is_of_one_address


def test_a_holding_of_which_records_are_missing_is_not_counted_among_the_intact(
    folder: Path,
) -> None:
    run(folder, "2026-03-01T00:00:00Z", failed=1)
    note(folder, "2026-03-01T00:00:00Z", Fate.MISSING, message="There is no file.")

    words, (_, (holding,)) = page(folder), tables(folder)

    assert "Verified in this period, and intact: 0 of 1 holding, 0 bytes of" in words
    assert "Also verified, but not intact at the end of the period: 1 holding" in words
    assert "1 with missing records, which could not be read" in words
    assert "last read in the period: 0; never read again: 1; missing: 1" in words
    assert "Not verified: 1 holding" not in words  # nothing is due for it
    assert holding["verified_in_period"] == "not intact"
    with Archive.open_for_reading(folder) as archive:
        (platform,) = archive.ledger.fixity_history.by_platform(PERIOD)
    assert (platform.verified, platform.faulty, platform.lacking) == (0, 1, 1)
    assert (platform.not_verified, platform.verified_size) == (0, 0)


def test_a_holding_was_intact_in_a_period_before_it_was_damaged_and_not_in_one_before_it_was_mended(
    folder: Path,
) -> None:
    run(folder, "2026-02-01T00:00:00Z")
    run(folder, "2026-03-01T00:00:00Z", failed=1)
    note(folder, "2026-03-01T00:00:00Z", Fate.DAMAGED, message="Its digest differs.")
    february = (date(2026, 2, 1), date(2026, 2, 28))
    march = (date(2026, 3, 1), date(2026, 3, 31))

    before = page(folder, february)
    assert "Verified in this period, and intact: 1 of 1 holding" in before
    assert "Damage is not mended" not in before
    assert "Found after this period, and not mended by now: 1 record not intact." in before
    assert "Damage is not mended" in page(folder, march)

    run(folder, "2026-04-01T00:00:00Z")
    note(folder, "2026-04-01T00:00:00Z", Fate.INTACT, "Repaired.")

    assert "Also verified, but not intact at the end of the period: 1 holding" in page(
        folder, march
    )
    assert "Not all holdings were intact" in page(folder, march)
    assert "Verified in this period, and intact: 1 of 1 holding" in page(folder)


def test_a_damaged_record_that_accompanies_captures_is_told_of_its_period(folder: Path) -> None:
    run(folder, "2026-03-01T00:00:00Z", failed=1)
    with Archive.create_or_open(folder) as archive:
        fault = AccompanyingFault((WARC, 901), "2026-03-01T00:00:00Z", "It differs.")
        archive.ledger.fixity.note_accompanying(AccompanyingChecks([fault]))

    assert "Also verified, but not intact at the end of the period: 1 holding" in page(folder)
    assert "Damage is not mended" not in page(folder, (date(2026, 1, 1), date(2026, 2, 28)))
