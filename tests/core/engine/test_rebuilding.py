# SPDX-License-Identifier: AGPL-3.0-or-later
"""The ledger made again says what it said, and what it lacks is named."""

import asyncio
import hashlib
import json
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from carrel.archive import LEDGER_NAME, Archive
from carrel.engine import Engine
from carrel.engine.journal import begin_journal
from carrel.engine.rebuilding import Rebuilt, lacks_of, rebuild
from carrel.engine.rebuilding.warc_contents import contents_of
from carrel.engine.verification import verify
from carrel.errors import (
    ArchiveError,
    ArchiveLocked,
    JournalDamaged,
    LedgerLost,
    LedgerTooNew,
    NotAnArchive,
)
from carrel.ledger.unjournaled import Unjournaled
from carrel.ledger_journal import JOURNAL_NAME, LedgerJournal, open_journal
from carrel.mementos.warc.problems import Problem
from carrel.model import Fate, IngestRequest, Status
from carrel.model.iso_time import iso_now
from carrel.model.ledger_entries import Attempt, LedgerEntry, More, Removed, Row
from carrel.model.licenses import UNKNOWN
from support.archives import carrel, ingest, new_archive, own_words
from support.journals import replace_line
from support.records import files_in
from support.wire import WireServer, dataset_page, html, reply

TIDES, SURF = b"The tide came late.\n" * 20, b"The surf was up.\n" * 30
# What says the same in two ledgers; the numbers of things that were only noted in passing may not.
NOT_COMPARED = ("unjournaled", "journal_head", "sqlite_sequence", "_sqlite_migrations")


def page_of(server: WireServer, name: str, **bodies: bytes) -> str:
    files = [
        {
            "name": path,
            "contentUrl": server.serve(f"/{name}/{path}", reply(body)),
            "sha256": hashlib.sha256(body).hexdigest(),
        }
        for path, body in bodies.items()
    ]
    return dataset_page(server, files, f"/{name}", name=name, identifier=name)


@pytest.fixture
def lived_in(server: WireServer, tmp_path: Path) -> Path:
    """An archive in which a little of everything happened."""
    archive = new_archive(tmp_path / "archive")
    tides = page_of(server, "tides", tides=TIDES, surf=SURF)
    again = page_of(server, "again", copy=TIDES)
    ingest(archive, tides, again, tides, server.serve("/gone", html("gone", "404 Not Found")))
    asyncio.run(_live(archive, tides))
    return archive


async def _live(archive: Path, url: str) -> None:
    async with Engine.open(archive) as engine:
        ledger = engine.archive.ledger
        await verify(engine.archive)
        await engine.queue.add([IngestRequest(url), IngestRequest("https://x.example/later")])
        ledger.watched.add([IngestRequest(url)], "2026-03-02T09:30:00Z")
        datasets = [row["dataset_id"] for row in ledger._rows("SELECT dataset_id FROM holdings")]
        ledger.curation.add_tag(datasets, "sea")
        ledger.curation.add_tag(datasets[:1], "tide")
        ledger.curation.remove_tag(datasets[1:], "sea")
        ledger.curation.write_note(datasets[0], "Asked for in March.")
        ledger.curation.remove(datasets[1:], "2026-03-02T09:31:00Z")
        ledger.jobs.set_paused_since("2026-03-02T09:32:00Z")


def contents(archive: Path) -> dict[str, list[Any]]:
    """Return all rows of all tables of a ledger, in the order in which they stand there."""
    named = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
    with closing(sqlite3.connect(archive / LEDGER_NAME)) as db:
        return {
            name: db.execute(f"SELECT * FROM {name}").fetchall()
            for (name,) in db.execute(named).fetchall()
            if name not in NOT_COMPARED and not name.startswith("holdings_text")
        }


def again(archive: Path, *, replaces: bool = False) -> Rebuilt:
    return rebuild(archive, lambda done, total: None, replaces=replaces)


def lose(archive: Path) -> None:
    for path in archive.glob(f"{LEDGER_NAME}*"):
        path.unlink()


def warcs(archive: Path) -> list[Path]:
    return sorted((archive / "collections/main/archive").iterdir())


def test_a_ledger_that_was_lost_says_what_it_said(lived_in: Path) -> None:
    before = contents(lived_in)
    told = ("jobs", "watched", "record_fixity", "dataset_tags", "formats")
    assert all(before[name] for name in told)
    lose(lived_in)

    rebuilt = again(lived_in)

    assert (rebuilt.is_whole, rebuilt.is_replaced, rebuilt.only_in_warcs) == (True, True, [])
    assert contents(lived_in) == before
    with Archive.open_for_reading(lived_in) as opened:
        assert asyncio.run(verify(opened)).is_intact


def test_what_is_too_much_for_a_line_or_a_group_is_told_in_several(
    server: WireServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.ledger.unjournaled._MOST_TEXT", 100)
    monkeypatch.setattr("carrel.ledger.unjournaled._MOST_CAPTURES", 1)
    monkeypatch.setattr("carrel.ledger_journal._GROUP_BYTES", 2000)
    archive = new_archive(tmp_path / "archive")
    tides = page_of(server, "tides", tides=TIDES, surf=SURF)
    ingest(archive, tides, server.serve("/gone", html("gone", "404 Not Found")), tides)
    before = contents(archive)
    (month,) = (archive / JOURNAL_NAME).iterdir()
    kinds = {json.loads(line)["entry"] for line in month.read_text().splitlines()}
    lose(archive)

    rebuilt = again(archive)

    assert {"attempt", "more", "row"} <= kinds
    assert rebuilt.is_whole
    assert contents(archive) == before


def test_every_command_answers_as_before(lived_in: Path) -> None:
    commands = (
        ["results"],
        ["status"],
        ["batch", "list"],
        ["dark", "watch", "list"],
        ["results", "--table", "ingest_fileset_platform"],
    )
    said = [carrel(*each, "--json", "--archive", lived_in).out for each in commands]
    assert all(said)
    lose(lived_in)
    again(lived_in)

    answers = [carrel(*each, "--json", "--archive", lived_in).out for each in commands]

    without_room = [line for each in answers for line in each.splitlines() if "free_by" not in line]
    assert without_room == [
        line for each in said for line in each.splitlines() if "free_by" not in line
    ]


def test_a_sound_ledger_is_compared_and_stays(lived_in: Path) -> None:
    before = (lived_in / LEDGER_NAME).stat().st_ino

    ran = carrel("rebuild", "--archive", lived_in)

    assert (ran.code, ran.out.splitlines()[-1]) == (
        0,
        "The ledger is sound: the journal and the WARCs say the same, row by row.",
    )
    assert (lived_in / LEDGER_NAME).stat().st_ino == before


def test_a_ledger_that_is_the_same_is_not_called_sound_where_records_are_missing(
    lived_in: Path,
) -> None:
    warcs(lived_in)[0].unlink()
    assert carrel("rebuild", "--replace", "--archive", lived_in).code == 1

    ran = carrel("rebuild", "--archive", lived_in)

    assert ran.code == 1
    assert "of the journal not found there" in ran.out
    assert ran.out.splitlines()[-1] == (
        "The ledger stays as it is: the one made again is the same, row by row. What is named "
        "above is missing from the journal or the WARCs, or damaged there."
    )


def test_a_loss_does_not_change_since_when_a_dataset_is_here(
    server: WireServer, tmp_path: Path
) -> None:
    archive, tides = new_archive(tmp_path / "archive"), page_of(server, "tides", tides=TIDES)
    ingest(archive, tides)
    time.sleep(1.1)  # moments are counted in seconds
    ingest(archive, tides)
    with Archive.open_for_reading(archive) as opened:
        (before,) = opened.ledger.catalogue.rows([1])
    warcs(archive)[0].unlink()

    assert carrel("rebuild", "--replace", "--archive", archive).code == 1
    again = carrel("rebuild", "--archive", archive)

    with Archive.open_for_reading(archive) as opened:
        (row,) = opened.ledger.catalogue.rows([1])
    assert "only in the new one" not in again.out
    assert row.archived == before.archived


def test_a_ledger_that_was_tampered_with_differs_and_is_replaced_if_asked(lived_in: Path) -> None:
    true = contents(lived_in)
    with closing(sqlite3.connect(lived_in / LEDGER_NAME)) as db:
        db.execute("DROP TRIGGER verifications_update_unjournaled")
        db.execute("UPDATE verifications SET failed = 7")
        db.commit()

    compared = carrel("rebuild", "--json", "--archive", lived_in)
    replaced = carrel("rebuild", "--replace", "--json", "--archive", lived_in)

    assert (compared.code, replaced.code) == (1, 0)
    assert compared.lines[0]["differences"] == {"verifications": [1, 1]}
    assert contents(lived_in) == true
    assert (lived_in / replaced.lines[0]["kept_as"]).is_file()


def test_without_a_journal_what_was_captured_comes_back(lived_in: Path) -> None:
    before = contents(lived_in)
    lose(lived_in)
    shutil.rmtree(lived_in / JOURNAL_NAME)

    rebuilt = again(lived_in)

    after = contents(lived_in)
    assert len(rebuilt.only_in_warcs) == 2
    for table in ("captures", "files"):
        assert {row[0] for row in after[table]} <= {row[0] for row in before[table]}
    assert sorted(after["captures"]) == sorted(before["captures"])
    told, known = ({row[1] for row in each["ingest_fileset_platform"]} for each in (after, before))
    assert told
    assert told <= known
    with Archive.create_or_open(lived_in) as opened:
        assert asyncio.run(verify(opened)).is_intact
    assert again(lived_in).is_same  # the new journal has what only the WARCs told


def test_a_warc_that_is_gone_is_named_and_its_records_stay_missing(lived_in: Path) -> None:
    warcs(lived_in)[0].unlink()
    lose(lived_in)

    ran = carrel("rebuild", "--json", "--archive", lived_in)

    (told,) = ran.lines
    assert (ran.code, told["is_replaced"], list(told["not_found"].values())) == (1, True, [3])
    with Archive.open_for_reading(lived_in) as opened:
        report = asyncio.run(verify(opened))
    assert {each.fate for each in report.failures} == {Fate.MISSING}


def rename(archive: Path) -> set[Path]:
    path = warcs(archive)[0]
    return {path.rename(path.with_name("renamed.warc.gz"))}


def swap(archive: Path) -> set[Path]:
    one, other, *_ = warcs(archive)
    aside = one.rename(one.with_name("aside"))
    other.rename(one)
    aside.rename(other)
    return {one, other}


@pytest.mark.parametrize("move", [rename, swap])
@pytest.mark.parametrize("is_lost", [True, False])
def test_records_of_warcs_under_other_names_are_where_they_were_read(
    lived_in: Path, move: Callable[[Path], set[Path]], is_lost: bool
) -> None:
    moved = move(lived_in)
    if is_lost:
        lose(lived_in)

    rebuilt = again(lived_in, replaces=True)

    assert (rebuilt.is_whole, rebuilt.is_replaced, rebuilt.not_found) == (True, True, {})
    with Archive.open_for_reading(lived_in) as opened:
        assert asyncio.run(verify(opened)).is_intact
        captures = opened.ledger.captures
        assert all(captures.in_warc(path.name) for path in moved)
    assert again(lived_in).is_same  # though the journal has the former places


@pytest.mark.parametrize("move", [rename, swap])
def test_of_a_warc_under_another_name_it_is_said_where_its_bytes_are(
    lived_in: Path, tmp_path: Path, move: Callable[[Path], set[Path]]
) -> None:
    move(lived_in)

    with Archive.open_for_reading(lived_in) as opened:
        report = asyncio.run(verify(opened))
        (ingest_id,) = {
            each["ingest_id"]
            for each in opened.ledger._rows(
                "SELECT ingest_id FROM captures WHERE filename = ?", [report.failures[0].filename]
            )
        }
        by_itself = asyncio.run(verify(opened, ingest_id))
    told = carrel("verify", "--archive", lived_in)

    missing = [each for each in report.failures if each.own_id]
    assert missing
    for check in (*missing, *by_itself.failures):
        assert "no other copy" not in check.advice
        assert check.is_held_elsewhere
        is_free = not (warcs(lived_in)[0].parent / check.filename).exists()
        assert ("rename it to" in check.advice) == is_free  # else that would overwrite another
        assert f"These bytes are in {check.renamed_to}" in check.advice
    assert "carrel rebuild --replace --archive" in told.out
    assert "MISSING" in carrel("results", "--archive", lived_in).out
    assert carrel("rebuild", "--replace", "--archive", lived_in).code == 0
    assert "MISSING" not in carrel("results", "--archive", lived_in).out
    assert carrel("verify", "--archive", lived_in).code == 0
    assert again(lived_in).is_same


def test_what_is_damaged_in_a_renamed_warc_is_not_said_to_be_there(lived_in: Path) -> None:
    with Archive.open_for_reading(lived_in) as opened:
        known = opened.ledger.captures.in_warc(warcs(lived_in)[0].name)
        counts = {
            each.record_id: opened.ledger.captures.holding(each.sha256, each.size) for each in known
        }
    lost = next(each for each in known if len(counts[each.record_id]) == 1)
    (renamed,) = rename(lived_in)
    content = bytearray(renamed.read_bytes())
    content[lost.offset + lost.length // 2] ^= 1
    renamed.write_bytes(content)

    with Archive.open_for_reading(lived_in) as opened:
        report = asyncio.run(verify(opened))

    by_id = {each.own_id: each.advice for each in report.failures}
    assert "These bytes are in" not in by_id.pop(lost.record_id)
    assert any("These bytes are in renamed.warc.gz" in each for each in by_id.values())


def test_a_renamed_warc_whose_name_is_no_text_is_not_named(lived_in: Path) -> None:
    first = warcs(lived_in)[0]
    first.rename(os.fsdecode(os.fsencode(first.parent) + b"/\xff\x1b.warc.gz"))

    told = carrel("verify", "--archive", lived_in)

    assert (told.code, "These bytes are in" in told.out) == (1, False)
    assert not own_words(told.err)


def test_a_record_that_stands_in_several_warcs_stays_where_the_journal_says(
    lived_in: Path,
) -> None:
    first = warcs(lived_in)[0]
    for name in ("a-copy.warc.gz", "z-copy.warc.gz"):  # one is read before, and one after it
        shutil.copy(first, first.with_name(name))
    before = contents(lived_in)
    lose(lived_in)

    assert again(lived_in).is_whole
    assert contents(lived_in)["captures"] == before["captures"]

    first.unlink()
    lose(lived_in)
    assert again(lived_in).is_whole
    with Archive.open_for_reading(lived_in) as opened:
        assert opened.ledger.captures.in_warc("a-copy.warc.gz")


@pytest.mark.parametrize("how", ["opened", "verified", "repaired"])
def test_what_was_lost_with_a_warc_comes_back_with_it(
    lived_in: Path, tmp_path: Path, how: str
) -> None:
    assert carrel("replicate", tmp_path / "copy", "--archive", lived_in).code == 0
    before = contents(lived_in)
    gone = warcs(lived_in)[0]
    kept = gone.rename(tmp_path / gone.name)
    lose(lived_in)
    assert carrel("rebuild", "--archive", lived_in).code == 1
    with Archive.open_for_reading(lived_in) as opened:
        assert len(opened.ledger.lost_results.addresses()) == 1

    if how == "repaired":
        assert carrel("repair", "--from", tmp_path / "copy", "--archive", lived_in).code == 0
    else:
        shutil.copy(kept, gone)
        asyncio.run(use(lived_in, verifies=how == "verified"))

    after = contents(lived_in)
    assert after["results"] == before["results"]
    assert sorted(after["files"]) == sorted(before["files"])
    assert sorted(after["datasets"]) == sorted(before["datasets"])
    assert again(lived_in).is_same


def test_of_a_lost_result_it_is_not_said_that_nothing_is_archived(
    server: WireServer, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive")
    ingest(archive, page_of(server, "tides", tides=TIDES))
    warcs(archive)[0].unlink()
    lose(archive)
    assert carrel("rebuild", "--archive", archive).code == 1

    told = carrel("results", "--archive", archive)

    assert "nothing archived" not in told.out
    assert "how many files is not known" in told.out
    assert "carrel repair" in told.out


async def use(path: Path, *, verifies: bool) -> None:
    async with Engine.open(path) as engine:
        if verifies:
            assert (await engine.verify()).is_intact


def test_of_a_damaged_record_the_journal_has_the_word(lived_in: Path) -> None:
    before = contents(lived_in)["captures"]
    path = warcs(lived_in)[0]
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    lose(lived_in)

    rebuilt = again(lived_in)

    assert not rebuilt.is_whole
    assert rebuilt.problems
    assert contents(lived_in)["captures"] == before
    with Archive.open_for_reading(lived_in) as opened:
        assert not asyncio.run(verify(opened)).is_intact


def test_a_damaged_journal_is_read_up_to_there_and_a_new_one_begins(lived_in: Path) -> None:
    (month,) = (lived_in / JOURNAL_NAME).iterdir()
    lines = month.read_bytes().splitlines(keepends=True)
    month.write_bytes(b"".join(lines[:-2]) + lines[-2].replace(b'"at"', b'"ta"') + lines[-1])
    lose(lived_in)

    rebuilt = again(lived_in)

    assert "damaged" in rebuilt.damage
    (kept,) = lived_in.glob(f"{JOURNAL_NAME}.before-*")
    assert (kept / month.name).is_file()
    with Archive.create_or_open(lived_in):
        pass  # what was made is put into the new journal
    assert again(lived_in).is_same


def test_a_damaged_journal_is_not_written_to_and_can_be_begun_anew(
    lived_in: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (month,) = (lived_in / JOURNAL_NAME).iterdir()
    damaged = month.read_bytes()[:-10] + b"0" * 10
    month.write_bytes(damaged)

    with Archive.create_or_open(lived_in) as archive:
        archive.ledger.jobs.set_paused_since("2026-04-02T09:32:00Z")

    assert "The archive's journal is damaged" in caplog.text
    assert month.read_bytes() == damaged
    with Archive.create_or_open(lived_in) as archive:
        assert begin_journal(archive) is not None
    assert again(lived_in).is_same


def test_killed_before_the_ledger_knows_that_the_journal_has_it_nothing_is_lost(
    lived_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as context:
        context.setattr(Unjournaled, "settle", lambda *_: pytest.fail("killed"))
        context.setattr(LedgerJournal, "_note", lambda _: None)  # no thread but this one
        archive = Archive.create_or_open(lived_in)
        archive.ledger.jobs.set_paused_since("2026-04-02T09:32:00Z")
        assert archive._journal is not None
        with pytest.raises(pytest.fail.Exception, match="killed"):
            archive._journal.catch_up()
        archive.ledger._connection.db.conn.close()
        assert archive._lock is not None
        archive._lock.release()

    assert again(lived_in).is_same


def test_the_journal_follows_without_anyone_closing_the_archive(lived_in: Path) -> None:
    with Archive.create_or_open(lived_in) as archive:
        archive.ledger.jobs.set_paused_since("2026-04-02T09:32:00Z")
        waited = threading.Event()
        for _ in range(200):
            if archive.ledger.unjournaled.is_empty:
                break
            waited.wait(0.1)

        assert archive.ledger.unjournaled.is_empty


class ClosedMeanwhile(threading.Event):
    """Stands for news of a journal, which another thread closes just before they are cleared."""

    def __init__(self, journal: LedgerJournal) -> None:
        super().__init__()
        self.closing = threading.Thread(target=journal.close, daemon=True)
        self._has_told = threading.Event()

    def set(self) -> None:
        super().set()
        if threading.current_thread() is self.closing:
            self._has_told.set()

    def clear(self) -> None:
        if not self.closing.is_alive():
            self.closing.start()
            self._has_told.wait(60)
        super().clear()


def test_closed_just_after_a_change_the_journal_ends(lived_in: Path) -> None:
    with Archive.create_or_open(lived_in) as archive:
        journal = archive._journal
        assert journal
        journal._has_news = news = ClosedMeanwhile(journal)
        archive.ledger.jobs.set_paused_since("2026-04-02T09:32:00Z")
        while not news.closing.ident:
            threading.Event().wait(0.01)
        news.closing.join(60)

        assert not news.closing.is_alive()
        assert archive.ledger.unjournaled.is_empty


@pytest.mark.parametrize(
    "entry",
    [
        Row("2026-03-02T09:30:00Z", "jobs", [1, 2], {}),
        Row("2026-03-02T09:30:00Z", "sqlite_master", [1], {"sql": "x"}),
        Row("2026-03-02T09:30:00Z", "jobs", [1], {"job_id) VALUES (1); --": 1}),
        Row("2026-03-02T09:30:00Z", "jobs", [{"a": 1}], {"job_id": "1"}),
        More("2026-03-02T09:30:00Z", "jobs", [1], "request", "x"),
        Removed("2026-03-02T09:30:00Z", "holdings", [1]),
        Attempt("2026-03-02T09:30:00Z", [1], {}),
        Attempt("2026-03-02T09:30:00Z", [1], {"ingest_id": "1"}, captures=["x"]),
    ],
)
def test_a_journal_that_makes_no_sense_changes_nothing(lived_in: Path, entry: LedgerEntry) -> None:
    with Archive.open_for_reading(lived_in) as archive:
        position = archive.ledger.unjournaled.position
    open_journal(lived_in, writing=True, position=position).append([entry])
    before = contents(lived_in)

    with pytest.raises(ArchiveError):
        again(lived_in, replaces=True)

    assert contents(lived_in) == before


def test_no_one_else_may_write_meanwhile(lived_in: Path) -> None:
    with Archive.create_or_open(lived_in), pytest.raises(ArchiveLocked):
        again(lived_in)


def test_what_is_no_archive_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(NotAnArchive):
        again(tmp_path / "nothing")

    assert list(tmp_path.iterdir()) == []


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / LEDGER_NAME)) as other:
        other.execute("CREATE TABLE photos (taken)")
        other.commit()
    before = (tmp_path / LEDGER_NAME).read_bytes()

    with pytest.raises(ArchiveError, match=r"a database of another program.* Nothing was written"):
        again(tmp_path)

    assert [each.name for each in tmp_path.iterdir()] == [LEDGER_NAME]
    assert (tmp_path / LEDGER_NAME).read_bytes() == before


def test_a_file_that_is_no_ledger_is_left_alone_where_there_is_nothing_to_make_one_from(
    tmp_path: Path,
) -> None:
    (tmp_path / LEDGER_NAME).write_text("A list of ships.\n")

    with pytest.raises(ArchiveError, match="no WARC files and no journal"):
        again(tmp_path)

    assert [each.name for each in tmp_path.iterdir()] == [LEDGER_NAME]


def test_the_ledger_of_a_newer_carrel_is_not_replaced(lived_in: Path) -> None:
    with closing(sqlite3.connect(lived_in / LEDGER_NAME)) as ledger:
        ledger.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('carrel', 'to_come', '2030-01-01')"
        )
        ledger.commit()

    with pytest.raises(LedgerTooNew):
        again(lived_in)

    assert not list(lived_in.glob(f"{LEDGER_NAME}.before-*"))


def test_who_lost_the_ledger_is_told_how_to_make_it_again(lived_in: Path) -> None:
    lose(lived_in)

    with pytest.raises(LedgerLost, match="carrel rebuild --archive"):
        Archive.create_or_open(lived_in)


def test_the_journal_is_a_chain(lived_in: Path) -> None:
    with Archive.open_for_reading(lived_in) as archive:
        position = archive.ledger.unjournaled.position
        assert archive.ledger.unjournaled.is_empty
    journal = open_journal(lived_in, writing=False, position=position)
    groups = list(journal.groups())
    assert groups
    (month,) = (lived_in / JOURNAL_NAME).iterdir()
    month.write_bytes(month.read_bytes()[: groups[-1].offset])

    with pytest.raises(JournalDamaged, match="missing"):
        list(open_journal(lived_in, writing=False, position=position).groups())


def test_an_ingest_that_ended_badly_is_in_the_journal_whole(lived_in: Path) -> None:
    lose(lived_in)
    again(lived_in)

    with Archive.open_for_reading(lived_in) as archive:
        ended = {
            row["status"] for row in archive.ledger._rows("SELECT status FROM results ORDER BY 1")
        }

    assert {Status.PLATFORM_404, Status.SUCCESS_EXISTING} & ended


def test_what_can_be_read_of_a_damaged_ledger_without_a_journal_is_kept(lived_in: Path) -> None:
    before = contents(lived_in)
    shutil.rmtree(lived_in / JOURNAL_NAME)
    ledger = lived_in / LEDGER_NAME
    data = bytearray(ledger.read_bytes())
    data[18:20] = b"\7\7"  # as if a newer SQLite had written it
    ledger.write_bytes(data)

    rebuilt = again(lived_in)

    assert rebuilt.salvaged
    assert (lived_in / str(rebuilt.kept_as)).read_bytes() == data
    after = contents(lived_in)
    assert {name: after[name] for name in ("jobs", "watched", "verifications", "files")} == {
        name: before[name] for name in ("jobs", "watched", "verifications", "files")
    }
    assert again(lived_in).is_same


def test_the_bytes_behind_a_direct_link_are_stored_once_and_found_by_every_reader(
    server: WireServer, tmp_path: Path
) -> None:
    archive, body = new_archive(tmp_path / "archive"), b"day,mm\n" + b"1,7\n" * 500
    server.serve("/rain.csv", reply(body, Content_Type="text/csv"))
    for _ in range(2):
        ingest(archive, f"{server.origin}/rain.csv")  # the answer that is looked at is the file
    with Archive.open_for_reading(archive) as opened:
        captures = opened.ledger.captures.all()
    assert {each.sha256 for each in captures} == {hashlib.sha256(body).hexdigest()}
    assert sorted(each.is_revisit for each in captures) == [False, True, True, True]
    before = contents(archive)

    lose(archive)
    rebuilt = again(archive)

    assert rebuilt.is_whole
    assert list(rebuilt.problems) == []
    assert contents(archive) == before
    with Archive.open_for_reading(archive) as opened:
        assert asyncio.run(verify(opened)).is_intact


@pytest.mark.parametrize("command", ["certificate", "verify"])
def test_what_was_lost_with_a_warc_is_told_with_what_brings_it_back(
    server: WireServer, tmp_path: Path, command: str
) -> None:
    archive, address = new_archive(tmp_path / "archive"), page_of(server, "tides", tides=TIDES)
    ingest(archive, address)
    (warc,) = warcs(archive)
    warc.unlink()
    lose(archive)
    assert carrel("rebuild", "--archive", archive).code == 1
    with Archive.open_for_reading(archive) as opened:
        (ingest_id,) = opened.ledger.lost_results.addresses()
    given: dict[str, list[str | Path]] = {
        "certificate": [address, "-o", tmp_path / "c.json"],
        "verify": ["--ingest", ingest_id],
    }

    told = carrel(command, *given[command], "--archive", archive)

    assert told.code == 2
    assert "Its result is missing: it was in a WARC file that is missing or damaged" in told.err
    assert "“carrel repair --from”" in told.err


@pytest.mark.parametrize("has_collections", [True, False])
def test_an_archive_of_which_only_the_journal_is_left_is_not_begun_anew(
    lived_in: Path, *, has_collections: bool
) -> None:
    shutil.rmtree(lived_in / "collections")
    if has_collections:
        (lived_in / "collections").mkdir()
    lose(lived_in)
    before = files_in(lived_in)

    for opening in (Archive.create_or_open, Archive.open_for_reading):
        with pytest.raises(LedgerLost, match="the journal of its ingests"):
            opening(lived_in)

    assert files_in(lived_in) == before
    told = carrel("rebuild", "--archive", lived_in)
    assert told.code == 1
    assert "records of the journal not found there" in told.out


@pytest.fixture
def without_record(server: WireServer, tmp_path: Path) -> tuple[Path, str]:
    """An archive of two datasets and a tag, made again from a WARC without its last record and a
    journal that is damaged before the second one; and the address of that."""
    archive = new_archive(tmp_path / "archive")
    ingest(archive, page_of(server, "tides", tides=TIDES))
    (month,) = (archive / JOURNAL_NAME).iterdir()
    known = len(month.read_bytes().splitlines())
    before = set(warcs(archive))
    address = page_of(server, "maps", surf=SURF)
    ingest(archive, address)
    (warc,) = set(warcs(archive)) - before
    cut_last_record(warc)
    replace_line(month, known + 1, lambda _: b"no line of a journal\n")
    lose(archive)
    return archive, address


def cut_last_record(warc: Path) -> None:
    """Damage the record with the result, which stands last."""
    data = bytearray(warc.read_bytes())
    begin = data.rindex(b"\x1f\x8b\x08")
    data[begin + 40] ^= 0xFF
    warc.write_bytes(data)


def test_a_dataset_whose_record_is_lost_is_named_until_it_is_archived_again(
    without_record: tuple[Path, str],
) -> None:
    archive, address = without_record

    rebuilt = carrel("rebuild", "--archive", archive)
    told = carrel("status", "--archive", archive)
    (lost,) = carrel("status", "--json", "--archive", archive).lines[0]["lost_records"]

    assert f"{address}: the result of ingest" in rebuilt.out
    assert "1 dataset is not in Holdings" in told.out
    assert f"carrel ingest {address}" in told.out
    assert lost["address"] == address
    assert lost["warc"] in {path.name for path in warcs(archive)}
    assert again(archive).is_same
    assert "how many files is not known" in carrel("results", "--archive", archive).out
    ran = carrel("ingest", address, "--archive", archive)
    assert ran.code == 0
    assert carrel("status", "--json", "--archive", archive).lines[0]["lost_records"] == []


def test_a_dataset_whose_record_is_lost_comes_back_with_its_warc(
    without_record: tuple[Path, str],
) -> None:
    archive, address = without_record
    (damaged,) = (path for path in warcs(archive) if cut_is_in(path))
    again(archive)
    cut_last_record(damaged)  # the same bits once more: it is as it was

    asyncio.run(use(archive, verifies=False))

    with Archive.open_for_reading(archive) as opened:
        assert opened.ledger.lost_results.datasets() == []
        (row,) = opened.ledger._rows("SELECT * FROM results WHERE base_url = ?", [address])
        assert (row["hit"], row["platform_id"]) == (1, "maps")
        assert len(opened.ledger.holdings.listed()) == 2
    assert again(archive).is_same


def test_of_datasets_that_only_the_journal_tells_of_it_is_not_said_what_is_not_known(
    server: WireServer, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive")
    ingest(archive, page_of(server, "tides", tides=TIDES))
    for each in warcs(archive):
        each.unlink()
    lose(archive)

    done = again(archive)

    ((ingest_id, url),) = done.without_result.items()
    assert done.listed == {ingest_id: ingest_id}
    told = " ".join(lacks_of(done))
    assert f"{url}: the result of ingest {ingest_id} was not found, so Holdings lists the" in told
    assert "does not list what it archived" not in told
    with Archive.open_for_reading(archive) as opened:
        figures = opened.ledger.figures(iso_now())
        (row,) = opened.ledger.catalogue.held_at([url]).values()
    assert (figures.held.datasets, figures.unproven, figures.unknown) == (1, 0, 1)
    assert (row.is_unknown, row.license) == (True, UNKNOWN)
    assert "1 whose files are not known" in carrel("status", "--archive", archive).out


def cut_is_in(warc: Path) -> bool:
    found: list[Problem] = []
    list(contents_of(warc, found.append))
    return bool(found)


def test_an_attempt_of_which_the_journal_tells_the_beginning_alone_ends_as_its_warc_says(
    server: WireServer, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive")
    ingest(archive, page_of(server, "tides", tides=TIDES))
    with Archive.create_or_open(archive) as opened:
        (row,) = opened.ledger._rows("SELECT * FROM results")
        columns = {name: row[name] for name in ("request_id", "base_url", "started", "ingest_id")}
        (asked,) = opened.ledger._rows("SELECT * FROM requests")
    shutil.rmtree(archive / JOURNAL_NAME)
    journal = open_journal(archive, writing=True, position=None)
    at, request = row["started"], {name: asked[name] for name in asked if name != "id"}
    journal.append([Row(at, "requests", [asked["id"]], request)])
    journal.append([Attempt(at, [1], columns, None, [], None)])
    lose(archive)

    assert again(archive).without_result == {}

    asyncio.run(use(archive, verifies=False))
    with Archive.open_for_reading(archive) as opened:
        assert len(opened.ledger.holdings.listed()) == 1
        assert opened.ledger._rows("SELECT hit FROM results") == [{"hit": 1}]


def test_a_rebuild_that_began_a_new_journal_says_so_and_asks_for_nothing(lived_in: Path) -> None:
    (month,) = (lived_in / JOURNAL_NAME).iterdir()
    replace_line(month, 3, lambda _: b"no line of a journal\n")
    lose(lived_in)

    told = carrel("rebuild", "--archive", lived_in)

    (kept,) = lived_in.glob(f"{JOURNAL_NAME}.before-*")
    assert (
        f"A new journal begins with what the ledger says now; the old one is kept as {kept.name}"
        in told.out
    )
    assert "--journal" not in told.out
    assert "Nothing is written" not in told.out
    assert carrel("verify", "--archive", lived_in).code == 0
