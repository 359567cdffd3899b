# SPDX-License-Identifier: AGPL-3.0-or-later
"""Archives of several machines become one, which says what each of them said."""

import asyncio
import hashlib
import os
import shutil
import sqlite3
import time
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.demo import DemoRepository
from carrel.engine.merging import Merged, merge, plan
from carrel.engine.merging.source import refuse_unfit
from carrel.engine.rebuilding import rebuild
from carrel.engine.recovery import recover
from carrel.engine.verification import verify
from carrel.errors import ArchiveError, ArchiveLocked, LedgerLost, UsageError
from carrel.ledger import Ledger
from carrel.ledger.merging import DECISIONS, Merging
from carrel.model import IngestOptions, IngestStrategy
from carrel.model.holdings import HoldingsQuery
from carrel.model.iso_time import iso_now
from support.archives import carrel, ingest, new_archive
from support.lived_in import contents, live, page_of, rows, settings_of, tree, worker
from support.wire import WireServer

ATTEMPTS = "SELECT ingest_id, status, base_url, result FROM results ORDER BY ingest_id"


def merged(target: Path, *sources: Path, links: bool = False) -> Merged:
    with Archive.create_or_open(target) as archive:
        recover(archive)
        return merge(archive, sources, lambda done, total: None, links=links)


def check_bytes(target: Path) -> None:
    """Assert that all records of an archive, and its index, are as the ledger has them."""
    with Archive.open_for_reading(target) as archive:
        report = asyncio.run(verify(archive))
        assert report.is_intact, report
        assert not archive.index.faults()


def check(target: Path) -> None:
    """Assert that an archive is whole: its bytes, its index, and its ledger by its journal."""
    check_bytes(target)
    made = rebuild(target, lambda done, total: None)
    assert made.is_whole, made
    assert made.is_same, made.differences


def spoil(archive: Path, name: str, position: int) -> None:
    path = archive / "collections" / "main" / "archive" / name
    content = bytearray(path.read_bytes())
    content[position] ^= 0x10
    path.write_bytes(content)


def change(archive: Path, sql: str) -> None:
    with closing(sqlite3.connect(archive / "carrel.sqlite")) as db:
        db.create_function("extension_of", 1, lambda path: path)
        db.execute(sql)
        db.commit()


def rename_warc(archive: Path, name: str) -> None:
    """Have one of the WARCs of an archive called so, in its ledger too."""
    (old,), *_ = rows(archive, "SELECT filename FROM captures")
    warcs = archive / "collections" / "main" / "archive"
    (warcs / old).rename(warcs / name)
    change(archive, f"UPDATE captures SET filename = '{name}' WHERE filename = '{old}'")


@pytest.fixture
def one(server: WireServer, tmp_path: Path) -> Path:
    return worker(server, tmp_path / "one", "w1", "tides", "surf")


@pytest.fixture
def two(server: WireServer, tmp_path: Path, one: Path) -> Path:
    return worker(server, tmp_path / "two", "w2", "dunes", "tides")


def test_all_attempts_of_all_sources_are_in_the_merged_archive(
    tmp_path: Path, one: Path, two: Path, server: WireServer
) -> None:
    url = rows(one, "SELECT base_url FROM results WHERE status = 'success'")[0][0]
    live(one, url, "north")
    live(two, rows(two, "SELECT base_url FROM results WHERE hit")[0][0], "south")
    before = tree(one), tree(two)
    target = tmp_path / "all"

    done = merged(target, one, two)

    assert done.is_whole, done
    assert (tree(one), tree(two)) == before
    assert rows(target, ATTEMPTS) == sorted(rows(one, ATTEMPTS) + rows(two, ATTEMPTS))
    check(target)


def test_merged_again_nothing_changes(tmp_path: Path, one: Path, two: Path) -> None:
    target = tmp_path / "all"
    merged(target, one, two)
    before = contents(target)

    done = merged(target, one, two)

    assert [each.attempts + each.captures + each.warcs for each in done.sources] == [0, 0, 0][:2]
    assert contents(target) == before


def test_an_archive_that_grew_is_merged_again(
    server: WireServer, tmp_path: Path, one: Path
) -> None:
    target = tmp_path / "all"
    merged(target, one)
    ingest(one, page_of(server, "later", {"c": b"It came later." * 9}))

    done = merged(target, one)

    assert (done.sources[0].attempts, done.sources[0].warcs) == (1, 1)
    assert rows(target, ATTEMPTS) == rows(one, ATTEMPTS)
    check(target)


def test_the_newest_attempt_is_held_in_whatever_order_archives_are_merged(
    server: WireServer, tmp_path: Path
) -> None:
    old = new_archive(tmp_path / "old", settings_of("w1"))
    new = new_archive(tmp_path / "new", settings_of("w2"))
    ingest(old, page_of(server, "tides", {"a": b"The first version." * 9}))
    time.sleep(1.1)  # what ended in one second has no order
    ingest(new, page_of(server, "tides", {"a": b"The second version." * 9}))
    (newest,) = rows(new, "SELECT ingest_id FROM results")[0]

    merged(tmp_path / "first", old, new)
    merged(tmp_path / "second", new, old)

    for target in (tmp_path / "first", tmp_path / "second"):
        assert rows(target, "SELECT ingest_id, attempts FROM holdings") == [(newest, 2)]
        assert rows(target, "SELECT count(*) FROM datasets") == [(1,)]
        check(target)


def test_attempts_that_ended_in_one_second_have_one_order(
    server: WireServer, tmp_path: Path
) -> None:
    one, two = (new_archive(tmp_path / name, settings_of(name)) for name in ("w1", "w2"))
    ingest(one, page_of(server, "tides", {"a": b"The first version." * 9}))
    ingest(two, page_of(server, "tides", {"a": b"The second version." * 9}))
    for archive in (one, two):  # as it is by chance where nobody waits
        for column in ("started", "finished"):
            change(archive, f"UPDATE results SET {column} = '2026-03-02T09:30:00Z'")
        change(archive, "UPDATE ingest_fileset_platform SET updated = '2026-03-02T09:30:00Z'")

    for name, sources in (("first", (one, two)), ("second", (two, one))):
        merged(tmp_path / name, *sources)

        check(tmp_path / name)


def test_the_source_that_was_archived_already_never_hides_the_success(
    server: WireServer, tmp_path: Path
) -> None:
    one, two = (new_archive(tmp_path / name, settings_of(name)) for name in ("one", "two"))
    url = page_of(server, "tides", {"a": b"The tide." * 9})
    ingest(one, url)
    ingest(two, url, url)
    platform = "SELECT status FROM ingest_fileset_platform"
    assert rows(two, platform) == [("success-existing",)]

    merged(tmp_path / "first", one, two)
    merged(tmp_path / "second", two, one)

    assert rows(tmp_path / "first", platform) == rows(one, platform) == [("success-file",)]
    assert rows(tmp_path / "second", platform) == [("success-file",)]


def test_a_tag_that_both_write_in_their_way_is_one(tmp_path: Path, one: Path, two: Path) -> None:
    for path, tag in ((one, "Coast"), (two, "coast")):
        with Archive.create_or_open(path) as archive:
            dataset_ids = archive.ledger.catalogue.find(HoldingsQuery(), iso_now())
            archive.ledger.curation.add_tag(dataset_ids, tag)
    target = tmp_path / "all"

    merged(target, one, two)

    assert rows(target, "SELECT DISTINCT tag FROM dataset_tags") == [("Coast",)]


def test_tags_notes_and_what_is_watched_come_from_both(
    tmp_path: Path, one: Path, two: Path
) -> None:
    url = "SELECT base_url FROM results WHERE base_url LIKE '%/tides'"
    live(one, rows(one, url)[0][0], "north")
    live(two, rows(two, url)[0][0], "south")
    target = tmp_path / "all"

    done = merged(target, one, two)

    assert rows(target, "SELECT tag FROM dataset_tags ORDER BY tag") == [("north",), ("south",)]
    assert rows(target, "SELECT note FROM datasets WHERE note <> ''") == [
        ("Asked for by north.\nAsked for by south.",)
    ]
    assert rows(target, "SELECT base_url FROM watched") == rows(one, url)
    assert rows(target, "SELECT base_url, state FROM jobs WHERE base_url LIKE '%x.example%'") == [
        ("https://x.example/north", "paused"),
        ("https://x.example/south", "paused"),
    ]
    assert [each.jobs_paused for each in done.sources] == [1, 1]
    check(target)


def test_merged_holdings_were_verified_by_the_merging(tmp_path: Path, one: Path) -> None:
    target = tmp_path / "all"

    merged(target, one)

    assert rows(target, "SELECT count(*) FROM holdings WHERE verified IS NULL") == [(0,)]
    assert rows(target, "SELECT count(*) FROM verifications WHERE ingest_id IS NULL") == [(0,)]


UNREAD = """
SELECT count(*) FROM captures LEFT JOIN record_fixity USING (record_id)
WHERE checked IS NULL OR checked < (SELECT max(started) FROM verifications)
"""


def test_merged_records_were_last_read_by_the_merging(tmp_path: Path, one: Path) -> None:
    with Archive.create_or_open(one) as archive:
        asyncio.run(verify(archive))
    change(one, "UPDATE record_fixity SET checked = '2026-01-01T00:00:00Z'")
    target = tmp_path / "all"

    merged(target, one)

    assert rows(target, UNREAD) == [(0,)]
    check(target)


def test_what_a_killed_merging_had_read_is_read_again_before_it_is_said_to_be_intact_now(
    tmp_path: Path, one: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (name, offset, length, record), *_ = rows(
        one, "SELECT filename, offset, length, record_id FROM captures WHERE url LIKE '%tides/a'"
    )
    target = tmp_path / "all"
    with monkeypatch.context() as patched:
        patched.setattr(Merging, "put_in", interrupted)
        with pytest.raises(KeyboardInterrupt):
            merged(target, one)
    path = target / "collections" / "main" / "archive" / name
    before = path.stat()
    spoil(target, name, offset + length // 2)  # as a disk does: the time of the file stays
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    done = merged(target, one)

    assert (done.is_whole, done.sources[0].mended) == (True, 1)  # by the source, which has it
    events = rows(target, "SELECT record_id, fate FROM fixity_events ORDER BY id")
    assert events == [(record, "damaged"), (record, "intact")]
    assert rows(target, UNREAD) == [(0,)]
    check(target)


def interrupted(merging: Merging, started: str) -> None:
    raise KeyboardInterrupt


def test_on_merging_an_attempt_is_read_and_not_the_others_at_its_dataset(tmp_path: Path) -> None:
    held = []
    with DemoRepository() as repository:
        url = repository.dataset("DIARY3").url(repository)
        for strategy in (IngestStrategy.WEB_FILESET_BUNDLED, IngestStrategy.WEB_FILESET):
            archive = new_archive(tmp_path / strategy)
            (result,) = ingest(archive, url, options=IngestOptions(strategy))
            held.append((archive, result.ingest_id or ""))
    (first, bundled), (second, _) = held

    merged(tmp_path / "all", first, second)

    with Archive.open_for_reading(tmp_path / "all") as opened:
        head = opened.ledger.inventory.head(bundled) or {}
        runs = opened.ledger.inventory.runs(head)
    assert len(runs) == 2
    assert all(bool(it["is_of_holding"]) == (it["ingest_id"] == bundled) for it in runs)


def test_damage_is_merged_noted_and_named(tmp_path: Path, one: Path) -> None:
    (name, offset, length, record), *_ = rows(
        one, "SELECT filename, offset, length, record_id FROM captures WHERE url LIKE '%tides/a'"
    )
    spoil(one, name, offset + length // 2)
    target = tmp_path / "all"

    done = merged(target, one)

    assert not done.is_whole
    assert [each.record_id for each in done.sources[0].faults] == [record]
    bad = "SELECT record_id, fate FROM record_fixity WHERE fate <> 'intact'"
    assert rows(target, bad) == [(record, "damaged")]
    assert rows(target, "SELECT record_id, fate FROM fixity_events") == [(record, "damaged")]
    assert rows(target, "SELECT sum(failed) FROM holdings") == [(1,)]
    assert rows(target, "SELECT count(*) FROM results") == rows(one, "SELECT count(*) FROM results")


def test_damage_of_a_record_that_no_ledger_lists_is_named(tmp_path: Path, one: Path) -> None:
    name, end = rows(one, "SELECT filename, max(offset + length) FROM captures")[0]
    spoil(one, name, end + 40)

    done = merged(tmp_path / "all", one)

    ((fault),) = done.sources[0].faults
    assert (fault.name, fault.record_id) == (name, "")


def test_a_warc_that_is_missing_is_named(tmp_path: Path, one: Path) -> None:
    name, record = rows(one, "SELECT filename, record_id FROM captures WHERE url LIKE '%surf/a'")[0]
    (one / "collections" / "main" / "archive" / name).unlink()
    target = tmp_path / "all"

    done = merged(target, one)

    assert record in [each.record_id for each in done.sources[0].faults]
    assert (record, "missing") in rows(target, "SELECT record_id, fate FROM record_fixity")


def test_what_was_repaired_in_a_source_is_told_by_the_names_of_copy_and_archive(
    tmp_path: Path, one: Path
) -> None:
    """Where they were on that computer says nothing here."""
    (name, offset, length), *_ = rows(
        one, "SELECT filename, offset, length FROM captures WHERE url LIKE '%tides/a'"
    )
    copy, target = tmp_path / "disk/second copy", tmp_path / "all"
    assert carrel("replicate", copy, "--archive", one).code == 0
    spoil(one, name, offset + length // 2)
    assert carrel("repair", "--from", copy, "--archive", one).code == 0

    merged(target, one)
    merged(tmp_path / "further", target)

    for archive in (target, tmp_path / "further"):
        ((remedy,),) = rows(archive, "SELECT remedy FROM fixity_events WHERE fate = 'intact'")
        assert remedy == (
            "Repaired from “second copy”, a second copy of the archive “one”, which was merged "
            "into this one."
        )
    check(target)
    ((own,),) = rows(one, "SELECT remedy FROM fixity_events WHERE fate = 'intact'")
    assert own == f"Repaired from the second copy in {copy}."


def test_a_warc_that_is_damaged_here_comes_from_a_source_that_has_it_intact_again(
    tmp_path: Path, one: Path
) -> None:
    (name, offset, length), *_ = rows(
        one, "SELECT filename, offset, length FROM captures WHERE url LIKE '%tides/a'"
    )
    path = one / "collections" / "main" / "archive" / name
    sound = path.read_bytes()
    spoil(one, name, offset + length // 2)
    target = tmp_path / "all"
    merged(target, one)

    again = merged(target, one)
    assert not again.is_whole
    assert "does not have all that is damaged in it intact" in again.sources[0].left[0]
    path.write_bytes(sound)
    done = merged(target, one)

    assert done.is_whole, done
    assert done.sources[0].mended == 1
    assert (target / path.relative_to(one)).read_bytes() == sound
    assert rows(target, "SELECT count(*) FROM record_fixity WHERE fate <> 'intact'") == [(0,)]
    assert rows(target, "SELECT sum(failed) FROM holdings") == [(0,)]
    ((remedy,),) = rows(target, "SELECT remedy FROM fixity_events WHERE fate = 'intact'")
    assert str(one) in remedy
    check(target)
    assert merged(target, one).sources[0].mended == 0
    merged(tmp_path / "further", target)
    ((remedy,),) = rows(tmp_path / "further", "SELECT remedy FROM fixity_events WHERE remedy <> ''")
    assert remedy == (
        "Brought again from the archive “one” to the archive “all”, which was merged into this one."
    )


def test_two_archives_that_each_have_a_damaged_copy_of_a_warc_complete_each_other(
    tmp_path: Path, one: Path
) -> None:
    (name, offset, length), (_, other, its_length), *_ = rows(
        one, "SELECT filename, offset, length FROM captures ORDER BY filename, offset"
    )
    path = one / "collections" / "main" / "archive" / name
    sound = path.read_bytes()
    target = tmp_path / "all"
    merged(target, one)
    spoil(target, name, offset + length // 2)
    with Archive.create_or_open(target) as archive:
        assert not asyncio.run(verify(archive)).is_intact
    spoil(one, name, other + its_length // 2)
    damaged = path.read_bytes()

    done = merged(target, one, links=True)

    assert done.is_whole, done
    assert done.sources[0].mended == 1
    assert (target / path.relative_to(one)).read_bytes() == sound
    assert path.read_bytes() == damaged
    assert rows(target, "SELECT count(*) FROM record_fixity WHERE fate <> 'intact'") == [(0,)]
    check(target)


def last_record_of(path: Path) -> int:
    """Return where the last gzip member of a WARC begins."""
    left = data = path.read_bytes()
    begin = 0
    while left:
        begin, inflate = len(data) - len(left), zlib.decompressobj(31)
        inflate.decompress(left)
        left = inflate.unused_data
    return begin


def test_a_source_whose_warc_ends_before_its_last_record_is_not_merged_without_a_word(
    tmp_path: Path, one: Path
) -> None:
    (warc, *_) = sorted((one / "collections/main/archive").glob("*.warc.gz"))
    warc.write_bytes(warc.read_bytes()[: last_record_of(warc)])
    target = tmp_path / "all"
    ((ingest_id,),) = rows(
        one, f"SELECT DISTINCT ingest_id FROM captures WHERE filename = '{warc.name}'"
    )
    written = tmp_path / "certificate.html"
    assert carrel("certificate", ingest_id, "-o", written, "--archive", one).code == 0
    assert "The file ends here" in written.read_text()

    done = merged(target, one)

    assert (done.is_whole, done.sources[0].damaged) == (False, 1)
    assert "The file ends here" in done.sources[0].faults[0].message
    with Archive.open_for_reading(target) as archive:
        assert next(archive.ledger.fixity_history.open_damages())["filename"] == warc.name


@pytest.mark.parametrize("is_there", [True, False])
def test_of_a_warc_that_neither_has_whole_all_comes_that_the_source_has_intact(
    tmp_path: Path, one: Path, is_there: bool
) -> None:
    (name, *_, first), (_, offset, length, _), *_ = rows(
        one, "SELECT filename, offset, length, record_id FROM captures ORDER BY filename, offset"
    )
    target = tmp_path / "all"
    merged(target, one)
    here = target / "collections/main/archive" / name
    here.write_bytes(b"") if is_there else here.unlink()
    with Archive.create_or_open(target) as archive:
        assert not asyncio.run(verify(archive)).is_intact
    spoil(one, name, offset + length // 2)

    done = merged(target, one)

    assert not done.is_whole
    assert here.read_bytes() == (one / "collections/main/archive" / name).read_bytes()
    intact = rows(target, "SELECT record_id FROM record_fixity WHERE fate = 'intact'")
    assert (first,) in intact


def test_a_capture_at_which_a_warc_of_the_source_is_cut_off_is_one_fault(
    tmp_path: Path, one: Path
) -> None:
    *_, (name, offset, length) = rows(
        one, "SELECT filename, offset, length FROM captures ORDER BY filename, offset"
    )
    warc = one / "collections/main/archive" / name
    warc.write_bytes(warc.read_bytes()[: offset + length // 2])

    done = merged(tmp_path / "all", one)

    assert done.sources[0].damaged == 1


def test_a_source_that_lacks_a_record_which_is_intact_here_does_not_take_it_away(
    tmp_path: Path, one: Path
) -> None:
    (name, offset, length), *_ = rows(
        one, "SELECT filename, offset, length FROM captures ORDER BY filename, offset"
    )
    warc = one / "collections/main/archive" / name
    sound, target = warc.read_bytes(), tmp_path / "all"
    merged(target, one)
    spoil(target, name, offset + length // 2)
    with Archive.create_or_open(target) as archive:
        assert not asyncio.run(verify(archive)).is_intact
    warc.write_bytes(sound[: last_record_of(warc)])

    done = merged(target, one)

    assert done.sources[0].mended == 1
    assert (target / "collections/main/archive" / name).read_bytes() == sound
    check_bytes(target)


def test_warcs_that_are_gone_from_here_come_again(tmp_path: Path, one: Path) -> None:
    target = tmp_path / "all"
    merged(target, one)
    warcs = sorted((target / "collections" / "main" / "archive").glob("*.warc.gz"))
    gone, unknown = warcs[: len(warcs) // 2], warcs[len(warcs) // 2 :]
    for path in gone:
        path.unlink()
    with Archive.create_or_open(target) as archive:
        assert not asyncio.run(verify(archive)).is_intact
    for path in unknown:
        path.unlink()

    done = merged(target, one)

    assert done.is_whole, done
    assert done.sources[0].mended == len(warcs)
    check(target)


def test_a_damaged_record_that_no_ledger_lists_comes_intact(tmp_path: Path, one: Path) -> None:
    name, end = rows(one, "SELECT filename, max(offset + length) FROM captures")[0]
    target = tmp_path / "all"
    merged(target, one)
    spoil(target, name, end + 40)
    with Archive.create_or_open(target) as archive:
        assert not asyncio.run(verify(archive)).is_intact

    assert merged(target, one).sources[0].mended == 1
    assert rows(target, "SELECT count(*) FROM accompanying_fixity WHERE fate <> 'intact'") == [(0,)]
    check(target)


def test_a_name_that_another_warc_has_gets_a_number(
    server: WireServer, tmp_path: Path, one: Path
) -> None:
    other = worker(server, tmp_path / "other", "w9", "dunes")
    (taken,), *_ = rows(one, "SELECT filename FROM captures")
    rename_warc(other, taken)
    target = tmp_path / "all"

    merged(target, one, other)

    names = {name for (name,) in rows(target, "SELECT DISTINCT filename FROM captures")}
    assert {taken, taken.replace(".warc.gz", "-2.warc.gz")} <= names
    check_bytes(target)


def test_two_copies_of_one_archive_become_one(tmp_path: Path, one: Path) -> None:
    shutil.copytree(one, tmp_path / "copy")
    target = tmp_path / "all"

    done = merged(target, one, tmp_path / "copy")

    assert done.sources[1].attempts == done.sources[1].warcs == 0
    assert rows(target, ATTEMPTS) == rows(one, ATTEMPTS)
    check(target)


def test_what_two_archives_say_differently_of_one_ingest_is_refused(
    tmp_path: Path, one: Path
) -> None:
    shutil.copytree(one, tmp_path / "copy")
    change(tmp_path / "copy", "UPDATE results SET status = 'success-file' WHERE hit")
    target = tmp_path / "all"
    merged(target, one)
    before = contents(target)

    for done in (plan(target, [tmp_path / "copy"]), merged(target, tmp_path / "copy")):
        ((left,),) = [each.left for each in done.sources]
        assert "contradicts what this archive already has on ingest" in left
        assert not done.is_whole

    assert contents(target) == before


def test_a_source_that_contradicts_is_named_by_its_folder_also_where_its_ledger_was_copied(
    tmp_path: Path, one: Path
) -> None:
    killed, target = tmp_path / "killed", tmp_path / "all"
    with closing(sqlite3.connect(one / "carrel.sqlite")) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("UPDATE results SET status = 'success-file' WHERE hit")
        db.commit()
        shutil.copytree(one, killed)
        db.execute("UPDATE results SET status = 'success' WHERE hit")
        db.commit()
    merged(target, one)

    (left,) = merged(target, killed).sources[0].left

    assert left.startswith(f"{killed} contradicts")


def test_a_source_that_contradicts_another_one_keeps_no_third_from_being_merged(
    tmp_path: Path, one: Path, two: Path
) -> None:
    shutil.copytree(one, tmp_path / "copy")
    change(tmp_path / "copy", "UPDATE results SET status = 'success-file' WHERE hit")
    target = tmp_path / "all"

    done = merged(target, one, tmp_path / "copy", two)

    assert [bool(each.attempts) for each in done.sources] == [True, False, True]
    assert [len(each.left) for each in done.sources] == [0, 1, 0]
    assert rows(target, ATTEMPTS) == sorted(rows(one, ATTEMPTS) + rows(two, ATTEMPTS))
    check_bytes(target)


def test_a_merging_that_fails_leaves_the_index_of_what_was_merged(
    tmp_path: Path, one: Path, two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, put_rest = tmp_path / "all", Merging.put_rest

    def fail_at_the_second(merging: Merging) -> None:
        if rows(target, "SELECT count(DISTINCT base_url) FROM results") == [(3,)]:
            put_rest(merging)
        else:
            raise ArchiveError("It was taken away.")

    monkeypatch.setattr(Merging, "put_rest", fail_at_the_second)

    with pytest.raises(ArchiveError, match="taken away"):
        merged(target, one, two)

    check_bytes(target)


def test_an_archive_in_use_is_refused_before_anything_is_done(
    tmp_path: Path, one: Path, two: Path
) -> None:
    target = tmp_path / "all"

    with Archive.create_or_open(two), pytest.raises(ArchiveLocked, match="two"):
        merged(target, one, two)

    assert rows(target, "SELECT count(*) FROM results") == [(0,)]


def test_no_one_writes_to_an_archive_that_is_merged(tmp_path: Path, one: Path) -> None:
    seen: list[str] = []

    def look(done: int, total: int) -> None:
        with pytest.raises(ArchiveLocked):
            Archive.create_or_open(one)
        seen.append("locked")

    with Archive.create_or_open(tmp_path / "all") as archive:
        merge(archive, [one], look)

    assert seen


@pytest.mark.parametrize("name", ["one", "one/inside", "."])
def test_an_archive_is_not_merged_into_itself(tmp_path: Path, one: Path, name: str) -> None:
    (tmp_path / "one" / "inside").mkdir()
    with pytest.raises(UsageError):
        refuse_unfit([one], tmp_path / name)


def test_what_is_no_archive_is_refused(tmp_path: Path, one: Path) -> None:
    copied, lost, damaged = (tmp_path / name for name in ("copied", "lost", "damaged"))
    for path in (copied, lost, damaged):
        shutil.copytree(one, path)
    (copied / "copy-sha256.txt").touch()
    (lost / "carrel.sqlite").unlink()
    ledger = damaged / "carrel.sqlite"
    ledger.write_bytes(ledger.read_bytes()[:4096] + b"x" * 40_000)
    target = tmp_path / "all"

    with pytest.raises(ArchiveError, match="second copy"):
        merged(target, copied)
    with pytest.raises(LedgerLost, match="lost its ledger"):
        merged(target, lost)
    with pytest.raises(LedgerLost, match="not a readable ledger"):
        merged(target, damaged)
    with pytest.raises(ArchiveError, match="no archive"):
        merged(target, tmp_path / "nowhere")


def test_a_ledger_of_a_newer_carrel_is_refused(tmp_path: Path, one: Path) -> None:
    change(one, "INSERT INTO _sqlite_migrations VALUES (99, 'carrel', 'to_come', '2030-01-01')")

    with pytest.raises(ArchiveError, match="newer version"):
        merged(tmp_path / "all", one)


def test_a_ledger_of_an_older_carrel_is_read_as_a_copy(tmp_path: Path, one: Path) -> None:
    change(one, "DROP INDEX holdings_identifier")
    change(one, "DELETE FROM _sqlite_migrations WHERE name = 'holdings_by_identifier'")
    before = tree(one)
    target = tmp_path / "all"

    merged(target, one)

    assert tree(one) == before
    assert rows(target, ATTEMPTS) == rows(one, ATTEMPTS)


def test_what_a_killed_process_left_in_the_log_is_merged_and_stays_there(
    tmp_path: Path, one: Path
) -> None:
    killed = tmp_path / "killed"
    with closing(sqlite3.connect(one / "carrel.sqlite")) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("INSERT INTO dataset_tags SELECT dataset_id, 'late' FROM datasets")
        db.commit()
        shutil.copytree(one, killed)
    before = tree(killed)
    target = tmp_path / "all"

    merged(target, killed)

    assert tree(killed) == before
    assert ("late",) in rows(target, "SELECT tag FROM dataset_tags")


def test_linked_warcs_take_no_room(tmp_path: Path, one: Path) -> None:
    target = tmp_path / "all"

    merged(target, one, links=True)

    warcs = [*(target / "collections" / "main" / "archive").iterdir()]
    assert {path.stat().st_nlink for path in warcs} == {2}
    check(target)


def test_a_warc_that_no_ledger_knows_is_named_and_stays(tmp_path: Path, one: Path) -> None:
    warcs = one / "collections" / "main" / "archive"
    (warcs / "left.warc.gz").write_bytes(next(warcs.iterdir()).read_bytes() * 2)
    target = tmp_path / "all"

    done = merged(target, one)

    assert not done.is_whole
    assert any("left.warc.gz" in each for each in done.sources[0].left)
    assert not (target / "collections" / "main" / "archive" / "left.warc.gz").exists()


def test_a_warc_that_has_the_bytes_of_another_is_only_remarked_on(
    tmp_path: Path, one: Path
) -> None:
    warc = next((one / "collections" / "main" / "archive").glob("*.warc.gz"))
    shutil.copy2(warc, warc.with_name("other.warc.gz"))
    target = tmp_path / "all"

    done = merged(target, one)

    assert done.is_whole, done
    words = f"other.warc.gz, which has the same bytes as {warc.name}."
    assert any(each.endswith(words) for each in done.sources[0].remarks)
    assert not (target / "collections" / "main" / "archive" / "other.warc.gz").exists()


def test_a_warc_whose_captures_are_all_in_others_is_only_remarked_on_unless_one_is_damaged(
    tmp_path: Path, one: Path
) -> None:
    ((name, offset, length), *_) = rows(one, "SELECT filename, offset, length FROM captures")
    warcs = one / "collections" / "main" / "archive"
    (warcs / "earlier.warc.gz").write_bytes((warcs / name).read_bytes()[offset : offset + length])

    done = merged(tmp_path / "all", one)
    spoil(one, name, offset + length // 2)
    damaged = merged(tmp_path / "all-damaged", one)

    assert done.is_whole, done
    assert any("earlier.warc.gz" in each for each in done.sources[0].remarks)
    assert any("earlier.warc.gz" in each for each in damaged.sources[0].left)


def test_the_result_in_a_warc_of_its_own_comes_along(server: WireServer, tmp_path: Path) -> None:
    one = new_archive(tmp_path / "one", f"{settings_of('w1')}max_size = 1048576\n")
    bodies = {str(at): hashlib.shake_128(b"%d" % at).digest(1_000_000) for at in range(3)}
    ingest(one, page_of(server, "large", bodies))
    known = rows(one, "SELECT DISTINCT filename FROM captures")
    assert len([*(one / "collections" / "main" / "archive").iterdir()]) >= len(known)
    target = tmp_path / "all"

    merged(target, one)

    check(target)


def test_lists_of_one_name_are_told_apart(tmp_path: Path, one: Path, two: Path) -> None:
    for archive, kind in ((one, "csv"), (two, "ris")):
        change(
            archive,
            "INSERT INTO batches (name, source, kind, added, total, problem_count, duplicate_count,"
            f" problems, options) VALUES ('spring', 's', '{kind}', '2026', 1, 0, 0, '[]', '{{}}')",
        )
        change(
            archive,
            "INSERT INTO jobs (job_id, base_url, request, options, state, position, batch, added)"
            f" VALUES ('{kind}', 'u', '{{\"base_url\": \"u\"}}', '{{}}', 'done', 1, 'spring', 'x')",
        )
    target = tmp_path / "all"

    merged(target, one, two)
    merged(target, two)

    assert rows(target, "SELECT job_id, batch FROM jobs WHERE base_url = 'u'") == [
        ("csv", "spring"),
        ("ris", "spring (2)"),
    ]
    assert rows(target, "SELECT name FROM batches") == [("spring",), ("spring (2)",)]


def test_what_was_removed_from_a_list_comes_with_it_but_for_what_waits_in_a_list_here(
    tmp_path: Path, one: Path, two: Path
) -> None:
    row = (
        "(job_id, base_url, request, options, state, position, batch, added) VALUES ('{}', 'u',"
        " '{{\"base_url\": \"u\"}}', '{{}}', '{}', 1, 'spring', 'x')"
    )
    for job_id in "ab":
        change(two, f"INSERT INTO removed_jobs {row.format(job_id, 'failed')}")
    target = tmp_path / "all"
    merged(target, one)
    change(target, f"INSERT INTO jobs {row.format('a', 'queued')}")

    for _ in range(2):
        merged(target, two)

    assert rows(target, "SELECT job_id FROM jobs WHERE base_url = 'u'") == [("a",)]
    assert rows(target, "SELECT job_id, batch FROM removed_jobs") == [("b", "spring")]


def test_every_table_of_the_ledger_is_decided_on(tmp_path: Path) -> None:
    with Ledger(tmp_path / "carrel.sqlite", writing=True):
        pass
    named = "SELECT name FROM sqlite_master WHERE type = 'table'"
    of_sqlite = {"sqlite_sequence", "_sqlite_migrations", "sqlite_stat1", "sqlite_stat4"}
    with closing(sqlite3.connect(tmp_path / "carrel.sqlite")) as db:
        tables = {name for (name,) in db.execute(named)} - of_sqlite

    assert {name for name in tables if not name.startswith("holdings_text_")} == {*DECISIONS}


def test_a_plan_says_what_would_be_merged_and_writes_nothing(
    tmp_path: Path, one: Path, two: Path
) -> None:
    target = tmp_path / "all"

    planned = plan(target, [one, two])

    assert not target.exists()
    done = merged(target, one, two)
    assert [(each.attempts, each.captures, each.warcs, each.bytes) for each in planned.sources] == [
        (each.attempts, each.captures, each.warcs, each.bytes) for each in done.sources
    ]
    assert [each.attempts for each in plan(target, [one, two]).sources] == [0, 0]


def test_a_packed_archive_is_merged_as_it_is(tmp_path: Path, one: Path, two: Path) -> None:
    packed = carrel("archive", "pack", one)
    assert packed.code == 0, packed.err
    before = tree(one)
    target = tmp_path / "all"

    done = merged(target, one, two)

    assert done.is_whole, done
    assert tree(one) == before
    names = "SELECT name, offset, length FROM packed_warcs ORDER BY name"
    assert rows(target, names) == rows(one, names) != []
    assert rows(target, ATTEMPTS) == sorted(rows(one, ATTEMPTS) + rows(two, ATTEMPTS))
    check(target)


@pytest.mark.parametrize("packs_source", [True, False])
def test_what_is_damaged_comes_from_where_it_stands_where_one_of_the_archives_was_packed(
    tmp_path: Path, one: Path, packs_source: bool
) -> None:
    target = tmp_path / "all"
    merged(target, one)
    assert carrel("archive", "pack", one if packs_source else target).code == 0
    *_, (name, offset, length) = rows(
        target, "SELECT filename, offset, length FROM captures ORDER BY filename, offset"
    )
    path = target / "collections/main/archive" / name
    sound = path.read_bytes()
    spoil(target, name, offset + length // 2)
    assert carrel("verify", "--archive", target).code == 1

    done = merged(target, one)

    assert done.is_whole, done
    assert done.sources[0].mended == 1
    assert path.read_bytes() == sound
    check(target)


def test_of_what_else_was_packed_with_it_a_source_is_not_said_to_lack_anything(
    tmp_path: Path, one: Path, two: Path
) -> None:
    target = tmp_path / "all"
    merged(target, one, two)
    assert carrel("archive", "pack", target).code == 0
    ((record,),) = rows(two, "SELECT record_id FROM captures ORDER BY filename, offset LIMIT 1")
    ((name, offset, length),) = rows(
        target, f"SELECT filename, offset, length FROM captures WHERE record_id = '{record}'"
    )
    spoil(target, name, offset + length // 2)
    assert carrel("verify", "--archive", target).code == 1

    assert not merged(target, one).sources[0].left
    assert merged(target, two).sources[0].mended == 1
    check(target)


def test_a_record_of_an_excerpt_comes_from_where_the_source_has_it(
    tmp_path: Path, one: Path
) -> None:
    warc = min((one / "collections/main/archive").glob("*.warc.gz"))
    content = warc.read_bytes()
    (first, _), (second, length), *_ = rows(
        one, f"SELECT offset, length FROM captures WHERE filename = '{warc.name}' ORDER BY offset"
    )
    excerpt = tmp_path / "excerpt.warc.gz"
    excerpt.write_bytes(content[:first] + content[second : last_record_of(warc)])
    target = tmp_path / "all"
    assert carrel("import", excerpt, "--archive", new_archive(target)).code == 0
    assert merged(target, one).is_whole
    spoil(target, excerpt.name, first + length // 2)
    assert carrel("verify", "--archive", target).code == 1

    done = merged(target, one)

    assert done.is_whole, done
    assert (target / "collections/main/archive" / excerpt.name).read_bytes() == excerpt.read_bytes()
    check_bytes(target)
