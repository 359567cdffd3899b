# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was found of an archive's own records is remembered by its ledger."""

import asyncio
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from carrel.archive import LEDGER_NAME, Archive
from carrel.engine import Engine
from carrel.engine.standing import standing_of
from carrel.engine.verification import notes, verify, verify_paths
from carrel.engine.verification.noting import note_damage_of
from carrel.engine.verification.run import _Run
from carrel.errors import ArchiveError
from carrel.ledger.fixity import IngestFixity, RecordFixity
from carrel.ledger.fixity_history import Period
from carrel.model import Capture, FailedRecord, Fate, RecordCheck, VerificationReport
from carrel.model.events import Event, RecordVerified
from carrel.model.holdings import Checked, Facet, HoldingsQuery
from carrel.model.iso_time import iso_now
from carrel.model.outcome_words import ACCOMPANYING, IS_ACCOMPANYING
from carrel.schemas import schema
from carrel.settings.copies import change_copy
from support.archives import carrel, ingest, new_archive
from support.records import files_in
from support.wire import WireServer, dataset_page, reply

EBB, FLOW = b"The tide came late.\n" * 20, b"It left early.\n" * 30


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of two datasets; a file of the second has the bytes of the first one's."""
    path = new_archive(tmp_path_factory.mktemp("archives") / "archive")
    with WireServer() as one, WireServer() as two:
        ebb, again, flow = (
            {"name": name, "contentUrl": server.serve(f"/{name}", reply(body))}
            for server, name, body in (
                (one, "ebb.txt", EBB),
                (two, "again.txt", EBB),
                (two, "flow.txt", FLOW),
            )
        )
        ingest(path, dataset_page(one, [ebb], name="Tides"))
        ingest(path, dataset_page(two, [again, flow], name="Floods"))
    return path


@pytest.fixture
def path(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "archive"))


@pytest.fixture
def archive(path: Path) -> Iterator[Archive]:
    with Archive.open_for_reading(path) as opened:
        yield opened


@pytest.fixture
def attempts(archive: Archive) -> tuple[str, str]:
    """The ids of the attempts at the first and at the second dataset."""
    second, first = archive.ledger.holdings.listed()
    return first["ingest_id"], second["ingest_id"]


def capture_of(archive: Archive, name: str) -> Capture:
    return next(each for each in archive.ledger.captures.all() if each.url.endswith(name))


def damage(archive: Archive, capture: Capture) -> None:
    warc = archive.warcs / capture.filename
    content = bytearray(warc.read_bytes())
    content[capture.offset + capture.length // 2] ^= 1
    warc.write_bytes(content)


def verified(archive: Archive, ingest_id: str | None = None) -> VerificationReport:
    return asyncio.run(verify(archive, ingest_id))


def fixity_of(archive: Archive, ingest_id: str) -> IngestFixity:
    return archive.ledger.fixity.of_ingests([ingest_id])[ingest_id]


def noted(archive: Archive) -> dict[str, Fate]:
    found = (
        archive.ledger.fixity.of_record(each.record_id) for each in archive.ledger.captures.all()
    )
    return {each.record_id: each.fate for each in found if each}


def test_a_whole_archive_is_noted_record_by_record(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    assert fixity_of(archive, attempts[0]) == IngestFixity()
    assert archive.ledger.fixity.last_whole_run() is None

    report = verified(archive)

    assert report.not_noted == ""
    assert noted(archive) == {each.record_id: Fate.INTACT for each in archive.ledger.captures.all()}
    of_ingests = archive.ledger.fixity.of_ingests(attempts)
    assert set(of_ingests) == set(attempts)
    assert {each.fate for each in of_ingests.values()} == {Fate.INTACT}
    assert {each.verified for each in of_ingests.values()} == {
        archive.ledger.fixity.last_whole_run()
    }


def test_damage_is_remembered_of_every_ingest_that_rests_on_it(
    archive: Archive, path: Path, attempts: tuple[str, str]
) -> None:
    """Also of one that has a revisit of the bytes, or a file that was kept before."""
    damage(archive, capture_of(archive, "/ebb.txt"))

    verified(archive)

    with Archive.open_for_reading(path) as later:
        found = later.ledger.fixity.of_ingests(attempts)
    assert [(each.fate, each.failed, each.missing) for each in found.values()] == [
        (Fate.DAMAGED, 1, 0)
    ] * 2
    assert all(each.found and each.message for each in found.values())


def test_damage_is_told_with_what_is_held_until_it_is_mended(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    capture = capture_of(archive, "/flow.txt")
    whole = (archive.warcs / capture.filename).read_bytes()
    damage(archive, capture)
    verified(archive)

    listed = {row["ingest_id"]: row for row in archive.ledger.holdings.listed()}

    assert "fixity" not in listed[attempts[0]]
    whole_result = {**listed[attempts[1]], **(archive.ledger.result(attempts[1]) or {})}
    assert (
        list(Draft202012Validator(schema("ingest_fileset_result")).iter_errors(whole_result)) == []
    )
    fixity = listed[attempts[1]]["fixity"]
    assert (fixity["fate"], fixity["failed"]) == ("damaged", 1)

    (archive.warcs / capture.filename).write_bytes(whole)
    verified(archive)

    assert not any("fixity" in row for row in archive.ledger.holdings.listed())


def test_each_failed_record_is_named_with_the_files_that_rest_on_it(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    ebb, page = capture_of(archive, "/ebb.txt"), capture_of(archive, "/dataset")
    for capture in (ebb, page):
        damage(archive, capture)
    report = verified(archive)

    of_first, of_second = (archive.ledger.fixity.failures(each) for each in attempts)

    messages = {each.record_id: each.message for each in report.failures}
    file = FailedRecord(
        ebb.url,
        ebb.filename,
        ebb.offset,
        Fate.DAMAGED,
        messages[ebb.record_id],
        ebb.record_id,
        ("ebb.txt",),
    )
    assert of_first[0] == file
    assert [(each.url, each.files) for each in of_first[1:]] == [(page.url, ())]
    assert of_second == [replace(file, files=("again.txt",))]  # which is there by a revisit
    fates = [archive.ledger.fixity.file_fates(each) for each in attempts]
    assert fates == [{"ebb.txt": Fate.DAMAGED}, {"again.txt": Fate.DAMAGED}]


def test_a_file_is_missing_if_any_record_behind_it_is(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    damage(archive, capture_of(archive, "/again.txt"))
    (archive.warcs / capture_of(archive, "/ebb.txt").filename).unlink()
    verified(archive)

    found = archive.ledger.fixity.failures(attempts[1])

    assert {(each.fate, each.files) for each in found} == {
        (Fate.DAMAGED, ("again.txt",)),
        (Fate.MISSING, ("again.txt",)),
    }
    assert archive.ledger.fixity.file_fates(attempts[1]) == {"again.txt": Fate.MISSING}


def test_no_more_failures_are_listed_than_wanted_and_files_come_first(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    (archive.warcs / capture_of(archive, "/flow.txt").filename).unlink()
    verified(archive)
    fixity = archive.ledger.fixity

    found = fixity.failures(attempts[1])

    assert [bool(each.files) for each in found] == [True, True, False]
    assert fixity_of(archive, attempts[1]).failed == len(found)
    assert fixity.failures(attempts[1], most=2) == found[:2]


def test_where_all_is_intact_nothing_is_named(archive: Archive, attempts: tuple[str, str]) -> None:
    verified(archive)

    fixity = archive.ledger.fixity
    assert [(fixity.failures(each), fixity.file_fates(each)) for each in attempts] == [([], {})] * 2


def test_a_revisit_rests_on_the_record_that_it_names(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    """What was archived anew refers to the bytes as they were fetched then, not to older ones."""
    ebb, again = capture_of(archive, "/ebb.txt"), capture_of(archive, "/again.txt")
    second = replace(
        ebb, record_id="<urn:uuid:second>", timestamp="21260302093015", filename="second.warc.gz"
    )
    shutil.copy(archive.warcs / ebb.filename, archive.warcs / second.filename)
    with Archive.create_or_open(archive.path) as writer, writer.ledger._writing() as db:
        db.table("captures").insert(second.to_fields())
        naming = {"refers_to_timestamp": second.timestamp}
        db.table("captures").update(again.record_id, naming)
    damage(archive, ebb)

    reports = [verified(archive, each) for each in attempts]

    assert [report.is_intact for report in reports] == [False, True]
    assert [fixity_of(archive, each).fate for each in attempts] == [Fate.DAMAGED, Fate.INTACT]
    assert archive.ledger.fixity.failures(attempts[1]) == []
    assert archive.holder_of(replace(again, refers_to_timestamp=second.timestamp)) == second
    assert archive.holder_of(again) == ebb


def test_damage_does_not_spread_to_others(archive: Archive, attempts: tuple[str, str]) -> None:
    damage(archive, capture_of(archive, "/flow.txt"))

    verified(archive)

    assert [fixity_of(archive, each).fate for each in attempts] == [Fate.INTACT, Fate.DAMAGED]


def test_what_is_intact_again_is_damaged_no_more(
    archive: Archive, path: Path, original: Path, attempts: tuple[str, str]
) -> None:
    flow = capture_of(archive, "/flow.txt")
    damage(archive, flow)
    verified(archive, attempts[1])
    was = fixity_of(archive, attempts[1]).fate

    shutil.copy(original / archive.warcs.relative_to(path) / flow.filename, archive.warcs)
    verified(archive, attempts[1])

    assert (was, fixity_of(archive, attempts[1]).fate) == (Fate.DAMAGED, Fate.INTACT)


def test_of_one_ingest_what_it_rests_on_is_noted(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    """Of a revisit that is the record with its bytes, which belongs to both."""
    damage(archive, capture_of(archive, "/ebb.txt"))

    verified(archive, attempts[1])

    assert [fixity_of(archive, each).fate for each in attempts] == [Fate.DAMAGED] * 2
    assert fixity_of(archive, attempts[0]).verified is None
    assert archive.ledger.fixity.last_whole_run() is None


def test_a_warc_that_is_gone_is_remembered_as_missing(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    flow = capture_of(archive, "/flow.txt")
    (archive.warcs / flow.filename).unlink()

    asyncio.run(verify_paths([archive.warcs / flow.filename], archive))

    found = fixity_of(archive, attempts[1])
    assert (found.fate, found.failed) == (Fate.MISSING, found.missing)
    assert found.failed == len(archive.ledger.captures.in_warc(flow.filename))


def test_a_run_over_one_ingest_that_meets_a_warc_gone_notes_all_that_was_in_it(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    """Else the others would be taken for intact: and their bytes, where its own are, for kept."""
    ebb = capture_of(archive, "/ebb.txt")
    (archive.warcs / ebb.filename).unlink()

    report = verified(archive, attempts[1])  # of which a file rests on a record in it

    within = len(archive.ledger.captures.in_warc(ebb.filename))
    found = fixity_of(archive, attempts[0])
    assert (report.failed_records, within) == (1, 2)
    assert (found.fate, found.missing, found.verified) == (Fate.MISSING, within, None)


def damage_behind(archive: Archive, capture: Capture) -> None:
    """Damage the record behind a capture, which is none: its request."""
    warc = archive.warcs / capture.filename
    content = bytearray(warc.read_bytes())
    content[capture.offset + capture.length + 40] ^= 1
    warc.write_bytes(content)


def test_a_damaged_record_that_is_no_capture_is_found_with_its_dataset(
    archive: Archive, path: Path, attempts: tuple[str, str]
) -> None:
    """Also by a run over all, which notes the same."""
    intact = verified(archive, attempts[1])
    damage_behind(archive, capture_of(archive, "/flow.txt"))

    report = verified(archive, attempts[1])

    assert [each.is_accompanying for each in report.failures] == [True]
    assert (report.records, report.failed_records, report.failed_beside) == (intact.records, 1, 1)
    assert report.failures[0].advice.startswith(IS_ACCOMPANYING)
    found = fixity_of(archive, attempts[1])
    assert (found.fate, found.failed, found.missing) == (Fate.DAMAGED, 1, 0)
    failures = archive.ledger.fixity.failures(attempts[1])
    assert [(each.url, each.files, each.is_accompanying) for each in failures] == [("", (), True)]
    assert archive.ledger.fixity.file_fates(attempts[1]) == {}
    assert fixity_of(archive, attempts[0]).fate is None

    told = carrel("results", "--archive", path)
    assert told.code == 0, told.err
    assert ACCOMPANYING in told.out
    assert told.out.count("ingest ") == 2

    again = verified(archive)

    assert [it.offset for it in again.failures] == [it.offset for it in report.failures]
    assert archive.ledger.fixity.failures(attempts[1]) == [
        replace(each, message=again.failures[0].message) for each in failures
    ]
    with Archive.open_for_reading(path) as later:
        of_holdings = later.ledger.catalogue.find(
            HoldingsQuery(chosen={Facet.CHECKED: frozenset([Checked.DAMAGED])}), iso_now()
        )
        assert [row.title for row in later.ledger.catalogue.rows(of_holdings)] == ["Floods"]


@pytest.mark.parametrize("of", [None, 1])
def test_a_record_that_is_no_capture_is_damaged_until_it_is_found_to_be_intact(
    archive: Archive, attempts: tuple[str, str], of: int | None
) -> None:
    flow = capture_of(archive, "/flow.txt")
    warc = archive.warcs / flow.filename
    whole = warc.read_bytes()
    damage_behind(archive, flow)
    verified(archive, attempts[1])
    verified(archive, attempts[0])
    was = fixity_of(archive, attempts[1]).fate

    warc.write_bytes(whole)
    verified(archive, None if of is None else attempts[of])

    assert (was, fixity_of(archive, attempts[1]).fate) == (Fate.DAMAGED, Fate.INTACT)
    (damage,) = archive.ledger.fixity_history.damages_of(attempts[1])
    assert (damage.fate, damage.url, bool(damage.mended)) == (Fate.DAMAGED, "", True)


def test_a_record_that_is_intact_again_is_so_also_where_its_file_was_cut_off_behind_it(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    warc = archive.warcs / capture_of(archive, "/flow.txt").filename
    (first, *_, last) = archive.ledger.captures.in_warc(warc.name)
    whole = bytearray(warc.read_bytes())
    whole[first.offset // 2] ^= 0x10  # of the warcinfo record
    warc.write_bytes(whole)
    verified(archive)
    assert any(name == warc.name for name, _ in archive.ledger.fixity.accompanying.faults())
    whole[first.offset // 2] ^= 0x10
    warc.write_bytes(whole[: last.offset])

    verified(archive)

    assert not [
        offset
        for name, offset in archive.ledger.fixity.accompanying.faults()
        if name == warc.name and offset < last.offset
    ]


def test_what_stands_behind_the_last_record_is_damage_too(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    warc = archive.warcs / capture_of(archive, "/flow.txt").filename
    whole = warc.read_bytes()
    warc.write_bytes(whole + b"no record")

    verified(archive, attempts[1])
    was = fixity_of(archive, attempts[1]).fate
    warc.write_bytes(whole)
    verified(archive)

    assert (was, fixity_of(archive, attempts[1]).fate) == (Fate.DAMAGED, Fate.INTACT)


def test_damage_of_records_that_are_no_captures_is_in_the_figures(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    damage_behind(archive, capture_of(archive, "/flow.txt"))
    verified(archive)

    history, period = archive.ledger.fixity_history, Period("2000-01-01", "9999-01-01")
    records = history.records(period)

    assert (records.damaged, records.lost) == (1, 1)
    assert [row["filename"] for row in history.open_damages()] == [
        row["filename"] for row in history.events(period)
    ]
    assert len(history.once_damaged_warcs()) == 1


def test_a_damaged_copy_says_nothing_of_the_archive(archive: Archive, tmp_path: Path) -> None:
    flow = capture_of(archive, "/flow.txt")
    copy = Path(shutil.copy(archive.warcs / flow.filename, tmp_path))
    copy.write_bytes(copy.read_bytes()[: flow.offset + flow.length // 2])

    report = asyncio.run(verify_paths([copy], archive))

    assert not report.is_intact
    assert noted(archive) == {}


def test_an_engine_notes_what_its_own_run_found(path: Path) -> None:
    async def run() -> None:
        async with Engine.open(path) as engine:
            await engine.verify()

    asyncio.run(run())

    with Archive.open_for_reading(path) as archive:
        assert len(noted(archive)) == len(archive.ledger.captures.all())


def test_beside_a_running_engine_all_is_read_and_nothing_noted(archive: Archive) -> None:
    with Archive.create_or_open(archive.path):
        report = verified(archive)

    assert report.is_intact
    assert "is in use by Carrel" in report.not_noted
    assert noted(archive) == {}


def test_where_nothing_can_be_written_all_is_read_and_nothing_noted(archive: Archive) -> None:
    shutil.rmtree(archive.staging)
    archive.staging.write_text("in the way, as a disk that can only be read is")

    report = verified(archive)

    assert report.is_intact
    assert "cannot be written to" in report.not_noted
    assert noted(archive) == {}


def test_an_ingest_may_begin_while_records_are_read(archive: Archive) -> None:
    begun: list[Event] = []

    def emit(event: Event) -> None:
        if isinstance(event, RecordVerified) and not begun:
            Archive.create_or_open(archive.path).close()
            begun.append(event)

    report = asyncio.run(verify(archive, None, emit))

    assert begun
    assert report.not_noted == ""


def test_an_older_ledger_learns_to_remember(path: Path, attempts: tuple[str, str]) -> None:
    with closing(sqlite3.connect(path / LEDGER_NAME)) as connection, connection:
        connection.execute("DROP TABLE record_fixity")
        connection.execute("DROP TABLE verifications")
        connection.execute("DROP INDEX files_capture")
        connection.execute("DELETE FROM _sqlite_migrations WHERE name = 'fixity'")

    with Archive.open_for_reading(path) as archive:
        fixity = archive.ledger.fixity
        before = fixity.of_ingests(attempts), noted(archive)
        named = fixity.failures(attempts[0]), fixity.file_fates(attempts[0])
        never = archive.ledger.fixity.last_whole_run()
        verified(archive)
    with Archive.open_for_reading(path) as archive:
        after = noted(archive)

    known, of_records = before
    assert [fixity.fate for fixity in known.values()] == [None, None]
    assert (of_records, named, never) == ({}, ([], {}), None)
    assert after


def test_a_run_that_is_stopped_has_noted_what_it_read(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()
    found: list[RecordCheck] = []
    advised = _Run._advised

    def advised_in_time(run: _Run, check: RecordCheck) -> RecordCheck:
        if found:
            may_go_on.wait()
        found.append(check)
        return advised(run, check)

    monkeypatch.setattr(_Run, "_advised", advised_in_time)

    async def run() -> None:
        first = asyncio.Event()
        task = asyncio.create_task(verify(archive, None, lambda event: first.set()))
        await first.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        may_go_on.set()

    asyncio.run(run())

    assert noted(archive)


def test_batches_wait_for_whoever_writes_up_to_a_bound(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes, "_BATCH", 1)
    monkeypatch.setattr(notes, "_MOST_WAITING", 2)
    monkeypatch.setattr("carrel.archive._WAIT_FOR_LOCK_S", 0)

    free = verified(archive)
    whole = archive.ledger.fixity.last_whole_run()
    with Archive.create_or_open(archive.path):
        held = verified(archive)

    assert (free.not_noted, whole is not None) == ("", True)
    assert held.not_noted
    assert archive.ledger.fixity.last_whole_run() == whole


def test_a_damaged_record_says_whether_its_bytes_are_held_elsewhere(archive: Archive) -> None:
    flow, ebb = capture_of(archive, "/flow.txt"), capture_of(archive, "/ebb.txt")
    second = replace(flow, record_id="<urn:uuid:second>", filename="second.warc.gz")
    shutil.copy(archive.warcs / flow.filename, archive.warcs / second.filename)
    with Archive.create_or_open(archive.path) as writer, writer.ledger._writing() as db:
        row = {name: getattr(second, name) for name in Capture.__slots__}
        db.table("captures").insert(row)
    damage(archive, flow)
    damage(archive, ebb)

    failures = {each.record_id: each for each in verified(archive).failures}

    assert failures[flow.record_id].advice.startswith("The same bytes are also in second.warc.gz")
    assert failures[ebb.record_id].advice.startswith(
        "The archive has no other copy of these bytes:"
    )
    assert (
        f"/dataset --archive {archive.path}” fetches them again" in failures[ebb.record_id].advice
    )


def test_a_damaged_record_names_the_second_copy_that_may_have_it(archive: Archive) -> None:
    ebb = capture_of(archive, "/ebb.txt")
    damage(archive, ebb)
    change_copy(archive.path, "/mnt/never", tried="2026-02-02T00:00:00Z", trouble="Full.")
    (failure,) = verified(archive).failures
    assert "repair" not in failure.advice

    change_copy(archive.path, "sftp://me@host/copy", complete="2026-01-02T03:04:05Z")
    (failure,) = verified(archive).failures
    assert "repair" not in failure.advice, "the WARC was begun later"

    complete = iso_now()
    change_copy(archive.path, "sftp://me@host/copy", complete=complete)
    (failure,) = verified(archive).failures
    repair = f"carrel repair --from sftp://me@host/copy --archive {archive.path}"
    assert failure.advice.startswith(
        f"The second copy of {complete[:10]} may have these bytes: “{repair}” brings them back."
    )
    assert "fetches them again" in failure.advice


def test_a_copy_that_was_never_complete_is_named_for_what_it_may_have(archive: Archive) -> None:
    ebb, flow = capture_of(archive, "/ebb.txt"), capture_of(archive, "/flow.txt")
    copy = archive.path.with_name("copy")
    damage(archive, flow)
    assert carrel("replicate", copy, "--archive", archive.path).code == 1
    damage(archive, ebb)

    advice = {it.record_id: it.advice for it in verified(archive).failures}

    assert f"carrel repair --from {copy}" in advice[ebb.record_id]


def test_a_copy_that_a_repair_found_to_lack_a_record_is_not_named_for_it(archive: Archive) -> None:
    ebb = capture_of(archive, "/ebb.txt")
    copy = archive.path.with_name("copy")
    assert carrel("replicate", copy, "--archive", archive.path).code == 0
    damage(archive, ebb)
    (there,) = copy.rglob(ebb.filename)
    there.write_bytes((archive.warcs / ebb.filename).read_bytes())
    (before,) = verified(archive).failures
    assert "carrel repair --from" in before.advice

    assert carrel("repair", "--from", copy, "--archive", archive.path).code == 1

    (failure,) = verified(archive).failures
    assert "carrel repair --from" not in failure.advice
    assert "fetches them again" in failure.advice


def test_a_damaged_record_has_a_twin_while_another_has_its_bytes(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    ebb = capture_of(archive, "/ebb.txt")
    second = replace(ebb, record_id="<urn:uuid:second>", filename="second.warc.gz")
    shutil.copy(archive.warcs / ebb.filename, archive.warcs / second.filename)
    with Archive.create_or_open(archive.path) as writer, writer.ledger._writing() as db:
        db.table("captures").insert({name: getattr(second, name) for name in Capture.__slots__})
    damage(archive, ebb)
    verified(archive, attempts[0])
    assert [it.has_twin for it in archive.ledger.fixity.failures(attempts[0])] == [True]

    found = RecordFixity(second.record_id, "2026-03-03T10:00:00Z", Fate.DAMAGED, "It broke.")
    with Archive.create_or_open(archive.path) as writer:
        writer.ledger.fixity.note([found])

    assert [it.has_twin for it in archive.ledger.fixity.failures(attempts[0])] == [False]


def test_a_copy_of_the_bytes_that_is_damaged_too_is_not_named(archive: Archive) -> None:
    flow = capture_of(archive, "/flow.txt")
    second = replace(flow, record_id="<urn:uuid:second>", filename="second.warc.gz")
    with Archive.create_or_open(archive.path) as writer, writer.ledger._writing() as db:
        db.table("captures").insert({name: getattr(second, name) for name in Capture.__slots__})
    damage(archive, flow)

    failures = verified(archive).failures

    assert {each.fate for each in failures} == {Fate.DAMAGED, Fate.MISSING}
    assert not any("also in" in each.advice for each in failures)


def test_notes_are_all_or_none(archive: Archive) -> None:
    flow = capture_of(archive, "/flow.txt")
    good = RecordFixity(flow.record_id, "2026-03-02T09:00:00Z", Fate.INTACT)

    with Archive.create_or_open(archive.path) as writer, pytest.raises(Exception, match="FOREIGN"):
        writer.ledger.fixity.note([good, replace(good, record_id="<urn:uuid:nobody>")])

    assert noted(archive) == {}


def test_nothing_but_the_ledger_is_written(archive: Archive, path: Path) -> None:
    before = files_in(path)

    verified(archive)

    assert set(files_in(path)) - {"carrel.sqlite-shm", "carrel.sqlite-wal"} == set(before) - {
        "carrel.sqlite-shm",
        "carrel.sqlite-wal",
    }


def test_while_the_archive_s_folder_is_away_nothing_is_said_to_be_missing(archive: Archive) -> None:
    away = archive.path.with_name("away")
    archive.path.rename(away)

    with pytest.raises(ArchiveError, match="was removed"):
        verified(archive)
    with pytest.raises(ArchiveError, match="was removed"):
        standing_of(archive)

    away.rename(archive.path)
    assert noted(archive) == {}
    assert verified(archive).is_intact


def test_a_damaged_revisit_is_found_by_verifying_its_dataset_and_well_again_when_it_is_restored(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    revisit, second = capture_of(archive, "/again.txt"), attempts[1]
    assert revisit.is_revisit
    whole = (archive.warcs / revisit.filename).read_bytes()
    damage(archive, revisit)

    (told,) = verified(archive, second).failures

    assert (told.fate, told.own_id) == (Fate.DAMAGED, revisit.record_id)
    assert (told.filename, told.offset) == (revisit.filename, revisit.offset)
    assert fixity_of(archive, second).failed == 1

    (archive.warcs / revisit.filename).write_bytes(whole)

    report = verified(archive, second)
    assert (report.is_intact, report.records) == (True, 4)  # the page, two of its own, and ebb.txt
    assert fixity_of(archive, second).failed == 0
    assert verified(archive).is_intact


def test_the_record_that_a_revisit_refers_to_is_told_by_its_own_place(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    ebb = capture_of(archive, "/ebb.txt")
    damage(archive, ebb)

    (told,) = verified(archive, attempts[1]).failures

    assert (told.fate, told.own_id) == (Fate.DAMAGED, ebb.record_id)
    assert (told.filename, told.offset) == (ebb.filename, ebb.offset)
    assert told.url.endswith("/again.txt")


def test_a_response_in_the_place_of_a_revisit_is_told(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    revisit, flow = capture_of(archive, "/again.txt"), capture_of(archive, "/flow.txt")
    warc = archive.warcs / revisit.filename
    raw = warc.read_bytes()
    response = raw[flow.offset :][: flow.length]
    warc.write_bytes(
        raw[: revisit.offset] + response + raw[revisit.offset + revisit.length :]
        if revisit.offset > flow.offset
        else raw[: revisit.offset] + response
    )

    told = {each.own_id: each.message for each in verified(archive, attempts[1]).failures}

    assert revisit.record_id in told


def warcs_of(archive: Archive, ingest_id: str) -> tuple[str, ...]:
    accession = archive.ledger.accession(ingest_id)
    assert accession
    return tuple(accession.warcs)


def test_a_dataset_is_stored_where_the_bytes_of_its_revisits_are(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    ebb, again = capture_of(archive, "/ebb.txt"), capture_of(archive, "/again.txt")

    assert warcs_of(archive, attempts[0]) == (ebb.filename,)
    assert warcs_of(archive, attempts[1]) == (ebb.filename, again.filename)


def test_a_dataset_is_not_said_to_be_stored_in_a_warc_that_is_missing(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    ebb, again = capture_of(archive, "/ebb.txt"), capture_of(archive, "/again.txt")
    (archive.warcs / ebb.filename).unlink()
    verified(archive)

    assert warcs_of(archive, attempts[0]) == ()
    assert warcs_of(archive, attempts[1]) == (again.filename,)


def test_a_revisit_stores_nothing_of_what_only_a_missing_warc_has(tmp_path: Path) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        file = {"name": "ebb.txt", "contentUrl": server.serve("/ebb.txt", reply(EBB))}
        page = dataset_page(server, [file], name="Tides")
        ingest(path, page)
        dataset_page(server, [file], name="Tides and floods")
        ingest(path, page)
    with Archive.open_for_reading(path) as archive:
        (first, again) = (
            each for each in archive.ledger.captures.all() if each.url.endswith("/ebb.txt")
        )
        assert again.is_revisit
        (archive.warcs / first.filename).unlink()
        verified(archive)

        (held,) = archive.ledger.holdings.listed()
        assert first.filename not in warcs_of(archive, held["ingest_id"])


def test_of_a_warc_that_is_gone_nothing_is_said_to_be_there(
    archive: Archive, attempts: tuple[str, str]
) -> None:
    one, *others = archive.ledger.captures.all(attempts[1])
    (archive.warcs / one.filename).unlink()

    note_damage_of(archive, [one], lambda _count: None)

    known = archive.ledger.fixity.of_ingests(attempts[1:])[attempts[1]]
    assert others
    assert known.missing == 1 + len(others)
    assert set(archive.ledger.fixity.file_fates(attempts[1]).values()) == {Fate.MISSING}
