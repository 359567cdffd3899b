# SPDX-License-Identifier: AGPL-3.0-or-later
"""Small WARCs become large ones; nothing that is said of an archive changes by it."""

import asyncio
import gzip
import hashlib
import shutil
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from carrel.archive import COPY_LIST_NAME, LEDGER_NAME, Archive
from carrel.engine.importing.importing import import_files
from carrel.engine.packing import Packed, pack
from carrel.engine.rebuilding import rebuild
from carrel.engine.recovery import recover
from carrel.engine.verification import verify
from carrel.errors import ArchiveFull
from carrel.model import Capture
from carrel.model.exports import ExportForm
from support.archives import carrel, ingest, new_archive
from support.exports import exported, only
from support.records import files_in
from support.wire import WireServer, dataset_page, reply

BODIES = {
    "tides": b"The tide came late.\n" * 20,
    "surf": b"The surf was up.\n" * 30,
    "gulls": hashlib.shake_128(b"gulls").digest(40_000),
    "same": b"The tide came late.\n" * 20,
}


def page_of(server: WireServer, name: str, body: bytes) -> str:
    url = server.serve(f"/{name}/{name}.txt", reply(body))
    file = {"name": f"{name}.txt", "contentUrl": url, "sha256": hashlib.sha256(body).hexdigest()}
    return dataset_page(server, [file], f"/{name}", name=name, identifier=name)


@pytest.fixture
def small(server: WireServer, tmp_path: Path) -> Path:
    """An archive with a WARC for each of four ingests."""
    archive = new_archive(tmp_path / "archive")
    ingest(archive, *(page_of(server, *each) for each in BODIES.items()))
    return archive


def packed(path: Path, size: int = 1024**3, *, dry_run: bool = False) -> Packed:
    with Archive.create_or_open(path) as archive:
        recover(archive)
        return pack(archive, lambda done, total: None, size=size, dry_run=dry_run)


def warcs(path: Path) -> list[Path]:
    return sorted((path / "collections/main/archive").iterdir())


def is_intact(path: Path) -> bool:
    with Archive.open_for_reading(path) as archive:
        return asyncio.run(verify(archive)).is_intact and not archive.index.faults()


def said(archive: Path, *command: str) -> list[str]:
    """Return the lines of a command, but for how much room others leave on the disk."""
    lines = carrel(*command, "--archive", archive).out.splitlines()
    return [line for line in lines if not line.startswith("Free on its disk")]


def test_small_warcs_become_one_that_every_reader_opens(small: Path) -> None:
    before = [path.read_bytes() for path in warcs(small)]

    done = packed(small)

    (warc,) = warcs(small)
    assert (done.warcs, done.files, done.size) == (4, 1, sum(map(len, before)))
    assert warc.name.startswith("packed-main-")
    assert warc.read_bytes() == b"".join(before)
    with warc.open("rb") as file:
        kinds = [record.rec_type for record in ArchiveIterator(file)]
    assert kinds.count("warcinfo") == 4
    assert b"WARC-Filename: main-" in gzip.decompress(warc.read_bytes())
    assert is_intact(small)
    assert files_in(small / "staging") == ["writer.lock"]


def test_what_is_said_of_an_archive_stays_the_same(small: Path) -> None:
    commands = (["results"], ["results", "--table", "ingest_fileset_platform"], ["status"])
    before = [said(small, *each) for each in commands]

    packed(small)

    assert all(before)
    assert [said(small, *each) for each in commands] == before


def test_a_result_says_where_its_records_are_now(small: Path) -> None:
    packed(small)

    results = carrel("results", "--json", "--archive", small).lines

    content = warcs(small)[0].read_bytes()
    assert len(results) == 4
    for cdx in (result["cdx"] for result in results):
        assert cdx["warc_path"] == warcs(small)[0].name
        member = content[cdx["warc_offset"] : cdx["warc_offset"] + cdx["warc_csize"]]
        assert f"WARC-Target-URI: {cdx['url']}".encode() in gzip.decompress(member)


def test_an_export_has_the_warc_that_was_packed_byte_for_byte(small: Path, tmp_path: Path) -> None:
    with Archive.open_for_reading(small) as archive:
        ids = held(archive)
        before = [
            only(exported(archive, ExportForm.WACZ, tmp_path / "before" / each, each))[1]
            for each in ids
        ]

    packed(small)

    with Archive.open_for_reading(small) as archive:
        after = [
            only(exported(archive, ExportForm.WACZ, tmp_path / "after" / each, each))[1]
            for each in ids
        ]
    assert len(ids) == 4
    assert [path.read_bytes() for path in after] == [path.read_bytes() for path in before]


def test_a_ledger_that_was_lost_is_made_again(small: Path) -> None:
    packed(small)
    before = rebuild(small, lambda done, total: None)
    for path in small.glob(f"{LEDGER_NAME}*"):
        path.unlink()

    rebuilt = rebuild(small, lambda done, total: None)

    assert (before.is_whole, before.differences) == (True, [])
    assert (rebuilt.is_whole, rebuilt.is_replaced, rebuilt.only_in_warcs) == (True, True, [])
    assert rebuild(small, lambda done, total: None).differences == []
    assert is_intact(small)


@pytest.mark.parametrize("name", ["renamed.warc.gz", "packed-anew.warc.gz"])
def test_a_packed_warc_that_was_renamed_is_where_its_records_are(small: Path, name: str) -> None:
    packed(small)
    (large,) = warcs(small)
    large.rename(large.with_name(name))
    told = carrel("verify", "--archive", small)

    rebuilt = rebuild(small, lambda done, total: None, replaces=True)

    assert f"These bytes are in {name}: rename it to {large.name}, or" in told.out
    assert "no other copy" not in told.out
    assert (rebuilt.is_whole, rebuilt.is_replaced) == (True, True)
    assert is_intact(small)
    with Archive.open_for_reading(small) as archive:
        assert {each.filename for each in captures(archive)} == {name}


def test_without_a_journal_each_part_belongs_to_its_own_ingest(small: Path) -> None:
    with Archive.open_for_reading(small) as archive:
        before = {each.record_id: owner(archive, each.record_id) for each in captures(archive)}
    packed(small)
    for path in (*small.glob(f"{LEDGER_NAME}*"), *(small / "journal").iterdir()):
        path.unlink()

    rebuild(small, lambda done, total: None)

    with Archive.open_for_reading(small) as archive:
        assert {each.record_id: owner(archive, each.record_id) for each in captures(archive)} == (
            before
        )
        assert len(set(before.values())) == 4
    assert packed(small) == Packed()


def captures(archive: Archive) -> list[Capture]:
    return archive.ledger.captures.all()


def held(archive: Archive) -> list[str]:
    rows = archive.ledger._rows("SELECT ingest_id FROM holdings ORDER BY ingest_id")
    return [row["ingest_id"] for row in rows]


def owner(archive: Archive, record_id: str) -> str:
    sql = "SELECT ingest_id FROM captures WHERE record_id = ?"
    return str(archive.ledger._rows(sql, [record_id])[0]["ingest_id"])


def test_a_packed_warc_that_is_imported_brings_all_its_ingests(small: Path, tmp_path: Path) -> None:
    packed(small)
    other = new_archive(tmp_path / "other")

    with Archive.create_or_open(other) as archive:
        (done,) = import_files(archive, warcs(small), lambda done, total: None)

    assert (done.trouble, len(done.attempts)) == ("", 4)
    with Archive.open_for_reading(small) as one, Archive.open_for_reading(other) as two:
        known = {each.record_id: owner(one, each.record_id) for each in captures(one)}
        assert {each.record_id: owner(two, each.record_id) for each in captures(two)} == known
        ids = held(one)
        assert held(two) == ids
        whole = exported(one, ExportForm.WACZ, tmp_path / "one", ids[0])
        again = exported(two, ExportForm.WACZ, tmp_path / "two", ids[0])
    assert only(again)[1].stat().st_size < warcs(small)[0].stat().st_size
    assert only(whole)[0].files == only(again)[0].files
    assert is_intact(other)


def test_a_packed_warc_that_was_imported_stays_when_its_first_part_is_packed_here(
    server: WireServer, small: Path, tmp_path: Path
) -> None:
    other = new_archive(tmp_path / "other")
    with Archive.create_or_open(other) as archive:
        import_files_of(archive, warcs(small)[:1])
    packed(small)
    with Archive.create_or_open(other) as archive:
        import_files_of(archive, warcs(small))
    theirs = warcs(small)[0].read_bytes()
    ingest(other, page_of(server, "later", b"later"))

    done = packed(other)

    assert done.warcs == 2
    assert theirs in [path.read_bytes() for path in warcs(other)]
    with Archive.open_for_reading(other) as archive:
        assert asyncio.run(verify(archive)).is_intact
        assert len(held(archive)) == 5


def import_files_of(archive: Archive, paths: list[Path]) -> None:
    for done in import_files(archive, paths, lambda done, total: None):
        assert not done.trouble


def test_a_warc_that_was_packed_is_not_imported_again(small: Path, tmp_path: Path) -> None:
    aside = shutil.copy(warcs(small)[0], tmp_path)
    packed(small)

    with Archive.create_or_open(small) as archive:
        (done,) = import_files(archive, [Path(aside)], lambda done, total: None)

    assert done.was_there
    assert len(warcs(small)) == 1


def test_a_warc_that_was_packed_is_known_by_another_name_too(small: Path, tmp_path: Path) -> None:
    first = min(warcs(small))
    renamed = shutil.copy(first, tmp_path / "renamed.warc.gz")
    packed(small)
    before = warcs(small)

    with Archive.create_or_open(small) as archive:
        (done,) = import_files(archive, [Path(renamed)], lambda done, total: None)

    assert done.was_there
    assert f"It is here, packed into {before[0].name}." in done.remarks
    assert warcs(small) == before


def test_a_damaged_warc_stays_as_it_is_and_is_named(small: Path) -> None:
    damaged = warcs(small)[1]
    content = bytearray(damaged.read_bytes())
    content[len(content) // 2] ^= 1
    damaged.write_bytes(content)

    done = packed(small)

    assert done.warcs == 3
    assert [each.name for each in done.left] == [damaged.name]
    assert "byte" in done.left[0].why
    assert damaged.read_bytes() == content
    assert len(warcs(small)) == 2


@pytest.mark.parametrize("records", [1, 2])
def test_a_warc_that_ends_early_is_not_packed_as_if_it_were_whole(
    small: Path, records: int
) -> None:
    cut = warcs(small)[1]
    content = cut.read_bytes()
    for _ in range(records):
        content = content[: content.rindex(b"\x1f\x8b\x08")]
    cut.write_bytes(content)

    done = packed(small)

    assert done.warcs == 3
    assert [each.name for each in done.left] == [cut.name]
    assert "ends before its last record" in done.left[0].why
    assert cut.read_bytes() == content


def test_large_warcs_and_those_of_others_stay_as_they_are(small: Path) -> None:
    folder = small / "collections/main/archive"
    large = max(warcs(small), key=lambda path: path.stat().st_size)
    put_there = folder / "theirs.warc.gz"
    shutil.copy(warcs(small)[0], put_there)

    done = packed(small, size=2 * large.stat().st_size)

    assert done.warcs == 3
    assert {large, put_there} < set(warcs(small))


def test_what_comes_later_is_packed_into_another(server: WireServer, small: Path) -> None:
    packed(small)
    (first,) = warcs(small)
    ingest(small, page_of(server, "later", b"later"), page_of(server, "latest", b"latest"))

    done = packed(small)

    assert (done.warcs, len(warcs(small))) == (2, 2)
    assert first in warcs(small)
    assert packed(small) == Packed()
    assert is_intact(small)


def test_a_dry_run_writes_nothing(small: Path) -> None:
    before = warcs(small)

    done = packed(small, dry_run=True)

    assert (done.warcs, done.files) == (4, 1)
    assert warcs(small) == before


def test_without_room_what_is_packed_stays_so(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = warcs(small)
    with Archive.create_or_open(small) as archive:
        monkeypatch.setattr(archive.room, "free", lambda: 1000)

        with pytest.raises(ArchiveFull, match="room for 1000 bytes"):
            pack(archive, lambda done, total: None, size=1024**3)

    assert warcs(small) == before
    assert is_intact(small)


def test_the_command_says_what_became_of_them(small: Path) -> None:
    ran = carrel("archive", "pack", small)
    again = carrel("archive", "pack", "--archive", small, "--json")

    assert (ran.code, ran.err) == (0, "")
    assert "4 WARC files" in ran.out
    assert (again.code, again.lines[0]["files"]) == (0, 0)


def test_a_second_copy_lists_no_longer_what_was_removed_there_after_packing(
    small: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    carrel("replicate", copy, "--archive", small)
    former = [path.name for path in warcs(small)]
    packed(small)
    carrel("replicate", copy, "--archive", small)
    both = (copy / COPY_LIST_NAME).read_text()

    for name in former:
        (copy / "collections/main/archive" / name).unlink()
    again = carrel("replicate", copy, "--archive", small)

    listed = (copy / COPY_LIST_NAME).read_text()
    assert again.code == 0, again.err
    assert all(name in both for name in former)
    assert [line for line in listed.splitlines() if ".warc.gz" in line] == [
        line for line in both.splitlines() if "packed-" in line
    ]
    assert carrel("verify", "--copy", copy, "--archive", small).code == 0
