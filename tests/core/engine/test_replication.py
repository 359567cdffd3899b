# SPDX-License-Identifier: AGPL-3.0-or-later
"""A second copy is made, compared and repaired from; it is never made worse."""

import asyncio
import csv
import hashlib
import io
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from carrel.archive import COPY_LIST_NAME as LIST_NAME
from carrel.archive import LEDGER_NAME, Archive
from carrel.engine import Engine
from carrel.engine.copying import trouble_of
from carrel.engine.replication import FolderStore, Replicated, replicate
from carrel.engine.replication.replication import Lacking
from carrel.settings.copies import copies_of
from support.archives import carrel, command, environment, ingest, new_archive
from support.journals import replace_line
from support.wire import WireServer, dataset_page, reply

TIDES, SURF = b"The tide came late.\n" * 3000, b"The surf was up.\n" * 3000


def page_of(server: WireServer, name: str, body: bytes) -> str:
    entry = {
        "name": f"{name}.txt",
        "contentUrl": server.serve(f"/{name}/{name}.txt", reply(body)),
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    return dataset_page(server, [entry], f"/{name}", name=name, identifier=name)


@pytest.fixture
def archive(server: WireServer, tmp_path: Path) -> Path:
    archive = new_archive(tmp_path / "archive")
    ingest(archive, page_of(server, "tides", TIDES), page_of(server, "surf", SURF))
    return archive


@pytest.fixture
def copy(archive: Path, tmp_path: Path) -> Path:
    copied(archive, tmp_path / "copy")
    return tmp_path / "copy"


def copied(archive: Path, copy: Path) -> Replicated:
    with Archive.open_for_reading(archive) as opened:
        return replicate(opened, FolderStore(copy), lambda done, total: None)


def empty_archive(path: Path) -> Path:
    Archive.create_or_open(path).close()
    return path


def warcs(root: Path) -> list[Path]:
    return sorted((root / "collections/main/archive").glob("*.warc.gz"))


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def listed(copy: Path) -> dict[str, str]:
    lines = (copy / LIST_NAME).read_text().splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def test_a_copy_is_an_archive_whose_list_other_programs_check(archive: Path, copy: Path) -> None:
    assert [each.name for each in warcs(copy)] == [each.name for each in warcs(archive)]
    for name, digest in listed(copy).items():
        assert hashlib.sha256((copy / name).read_bytes()).hexdigest() == digest
    files = {each.relative_to(copy).as_posix() for each in copy.rglob("*") if each.is_file()}
    assert files == {*listed(copy), LIST_NAME}
    assert any(name.startswith("journal/") for name in listed(copy))
    assert carrel("results", "--archive", copy).out == carrel("results", "--archive", archive).out
    told = carrel("verify", "--archive", copy)
    assert told.code == 0, told.out + told.err


def test_a_copy_is_only_read_and_can_be_made_an_archive(
    archive: Path, copy: Path, server: WireServer
) -> None:
    before = {each: each.read_bytes() for each in copy.rglob("*") if each.is_file()}
    told = carrel("verify", "--archive", copy)
    assert told.code == 0
    assert "second copy" in told.out
    url = page_of(server, "waves", TIDES[::-1])
    refused = carrel("ingest", url, "--archive", copy)
    assert refused.code == 1
    assert "remove copy-sha256.txt" in refused.err
    assert {each: each.read_bytes() for each in copy.rglob("*") if each.is_file()} == before
    assert copied(archive, copy).not_copied == []
    shutil.rmtree(archive)
    (copy / LIST_NAME).unlink()
    (done,) = ingest(copy, url)
    assert done.status == "success-file"
    assert carrel("verify", "--archive", copy).code == 0


def test_only_what_is_missing_or_newer_is_copied(
    archive: Path, copy: Path, server: WireServer
) -> None:
    before = {each.name: each.stat().st_mtime_ns for each in warcs(copy)}
    again = copied(archive, copy)
    assert (again.copied, again.not_copied) == (0, [])
    ingest(archive, page_of(server, "waves", TIDES[::-1]))
    newer = copied(archive, copy)
    assert newer.not_copied == []
    assert len(warcs(copy)) == 3
    assert {
        each.name: each.stat().st_mtime_ns for each in warcs(copy) if each.name in before
    } == before
    assert (copy / LEDGER_NAME).stat().st_size > 0
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 0


def test_a_ledger_in_the_copy_that_may_have_more_than_the_one_made_again_is_kept(
    archive: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    assert carrel("replicate", copy, "--archive", archive).code == 0
    sound = (copy / LEDGER_NAME).read_bytes()
    for path in warcs(archive):
        path.unlink()
    (archive / LEDGER_NAME).unlink()
    assert "was not found" in carrel("rebuild", "--archive", archive).out

    told = carrel("replicate", copy, "--archive", archive)

    (kept,) = copy.glob(f"{LEDGER_NAME}.before-*")
    assert kept.read_bytes() == sound
    assert f"that one is kept in the copy as {kept.name}." in told.out
    assert kept.name in (copy / LIST_NAME).read_text()
    assert kept.name not in carrel("replicate", copy, "--archive", archive).out
    assert list(copy.glob(f"{LEDGER_NAME}.before-*")) == [kept]
    assert kept.name not in carrel("verify", "--copy", copy, "--archive", archive).out
    assert carrel("repair", "--from", copy, "--archive", archive).code == 0
    assert carrel("replicate", copy, "--archive", archive).code == 0


def test_what_another_copy_may_have_is_not_called_lost(archive: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "copy", tmp_path / "second"
    assert carrel("replicate", first, "--archive", archive).code == 0
    bad, gone = warcs(archive)[:2]
    flip(bad)
    gone.unlink()

    told = carrel("replicate", second, "--archive", archive)

    assert told.code == 1
    assert "archive again" not in told.out.lower()
    assert f"{bad.name}: 1 record damaged: this copy has these bytes no better." in told.out
    assert f"{gone.name}: It is missing from this archive, and this copy does not have" in told.out
    advice = f"The second copy in {first} may have it intact: repair the archive from that one"
    assert told.out.count(advice) == 2
    assert carrel("repair", "--from", first, "--archive", archive).code == 0
    assert carrel("replicate", second, "--archive", archive).code == 0


def test_a_damaged_warc_is_copied_for_its_other_records_named_and_later_written_anew(
    archive: Path, tmp_path: Path
) -> None:
    copy, bad = tmp_path / "copy", warcs(archive)[0]
    sound = bad.read_bytes()
    flip(bad)

    told = carrel("replicate", copy, "--archive", archive)
    again = copied(archive, copy)

    assert told.code == 1
    assert f"{bad.name}: 1 record damaged: no intact copy of these bytes is known." in told.out
    assert "The copy is not complete: 1 file not copied or not intact." in told.out
    assert warcs(copy)[0].read_bytes() == bad.read_bytes()
    assert [each.name.rpartition("/")[2] for each in again.not_copied] == [bad.name]
    compared = carrel("verify", "--copy", copy, "--archive", archive)
    assert compared.code == 1
    assert f"damaged in the archive and alike in the copy: collections/main/archive/{bad.name}" in (
        compared.out
    )
    bad.write_bytes(sound)
    assert carrel("verify", "--archive", archive).code == 0
    mended = copied(archive, copy)
    assert (mended.not_copied, mended.damaged) == ([], [])
    assert [name.rpartition("/")[2] for name in mended.mended] == [bad.name]
    assert warcs(copy)[0].read_bytes() == sound


def test_of_damage_whose_bytes_are_elsewhere_a_copy_lacks_nothing(
    archive: Path, tmp_path: Path, server: WireServer
) -> None:
    bad = warcs(archive)[0]
    flip(bad)
    assert carrel("verify", "--archive", archive).code == 1
    ingest(archive, page_of(server, "tides", TIDES), page_of(server, "surf", SURF))

    done = copied(archive, tmp_path / "copy")

    assert (done.not_copied, done.damaged) == ([], [])
    (remark,) = done.remarks
    assert remark.startswith(f"collections/main/archive/{bad.name}: 1 record damaged, whose bytes")


def test_of_a_warc_that_is_nowhere_but_whose_bytes_are_a_copy_lacks_nothing(
    archive: Path, tmp_path: Path, server: WireServer
) -> None:
    gone = warcs(archive)[0]
    gone.unlink()
    assert carrel("verify", "--archive", archive).code == 1
    (lacking,) = copied(archive, tmp_path / "copy").not_copied
    assert lacking.name == gone.name
    ingest(archive, page_of(server, "tides", TIDES), page_of(server, "surf", SURF))

    done = copied(archive, tmp_path / "copy")

    assert (done.not_copied, done.damaged) == ([], [])
    (remark,) = done.remarks
    assert remark.startswith(f"{gone.name}: It is missing from this archive and from the copy.")


def test_damage_here_is_told_beside_a_copy_that_has_it_intact(archive: Path, copy: Path) -> None:
    flip(warcs(archive)[0])
    assert carrel("verify", "--archive", archive).code == 1

    told = carrel("replicate", copy, "--archive", archive)

    assert told.code == 1
    assert f"{warcs(archive)[0].name}: 1 record damaged in this archive. The copy has" in told.out
    assert "The copy is not complete" not in told.out


def test_damage_here_never_reaches_a_copy(archive: Path, copy: Path) -> None:
    sound = warcs(copy)[0].read_bytes()
    flip(warcs(archive)[0])
    copied(archive, copy)
    assert warcs(copy)[0].read_bytes() == sound
    shorter = warcs(archive)[0].read_bytes()[:-10]
    warcs(archive)[0].write_bytes(shorter)
    told = copied(archive, copy)
    assert told.not_copied == []
    assert [each.name.rpartition("/")[2] for each in told.damaged] == [warcs(archive)[0].name]
    assert "repair the archive from the copy" in told.damaged[0].why
    assert warcs(copy)[0].read_bytes() == sound


def test_what_a_comparison_found_damaged_in_the_copy_is_written_anew(
    archive: Path, copy: Path
) -> None:
    first, second = warcs(copy)
    good = first.read_bytes()
    flip(first)
    flip(second)
    flip(warcs(archive)[1])  # which is damaged in both
    assert carrel("replicate", copy, "--archive", archive).code == 0  # nobody has looked yet

    compared = carrel("verify", "--copy", copy, "--archive", archive)
    assert compared.code == 1
    assert f"damaged in the copy: collections/main/archive/{first.name}" in compared.out
    told = carrel("replicate", copy, "--archive", archive)

    assert first.read_bytes() == good
    assert told.code == 1
    assert "1 file that had been damaged in the copy: as copied again." in told.out
    assert f"{second.name}: 1 record damaged: no intact copy of these bytes is known." in told.out
    assert second.read_bytes() == warcs(archive)[1].read_bytes()  # for its other records
    (known,) = copies_of(archive)
    assert known.damaged == ()
    assert known.needs_attention(datetime.now(UTC))


@pytest.mark.parametrize("is_there", [True, False])
def test_of_a_warc_that_is_cut_off_or_gone_all_comes_back_that_a_damaged_copy_has_intact(
    archive: Path, copy: Path, server: WireServer, is_there: bool
) -> None:
    here, there = warcs(archive)[0], warcs(copy)[0]
    with Archive.open_for_reading(archive) as opened:
        captures = opened.ledger.captures.in_warc(here.name)
    (first, last), sound = (captures[0], captures[-1]), here.read_bytes()
    data = bytearray(sound)
    data[last.offset + last.length // 2] ^= 0xFF
    there.write_bytes(data)
    here.write_bytes(sound[: first.offset]) if is_there else here.unlink()
    compared = carrel("verify", "--copy", copy, "--archive", archive)
    assert "intact" in compared.out

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert (told.code, told.out.count("repaired in part:")) == (1, 1), told.out
    assert "Still damaged, and damaged in the copy:" in told.out
    assert here.read_bytes() == data
    verified = carrel("verify", "--archive", archive)
    assert "1 of 14 records" in verified.out, verified.out
    told = carrel("replicate", copy, "--archive", archive)
    assert f"{here.name}: 1 record damaged: no intact copy of these bytes is known." in told.out
    assert "repair the archive from the copy" not in told.out.casefold()
    assert carrel("repair", "--from", copy, "--archive", archive).code == 1

    ingest(archive, page_of(server, "tides", TIDES), page_of(server, "surf", SURF))
    assert carrel("replicate", copy, "--archive", archive).code == 0
    told = carrel("repair", "--from", copy, "--archive", archive)
    assert (told.code, "No bytes are lost" in told.out) == (0, True)
    assert not any(each.needs_attention(datetime.now(UTC)) for each in copies_of(archive))


@pytest.mark.parametrize("is_there", [True, False])
def test_a_copy_of_a_damaged_warc_brings_back_what_was_damaged_here_since(
    archive: Path, copy: Path, is_there: bool
) -> None:
    here, there = warcs(archive)[0], warcs(copy)[0]
    with Archive.open_for_reading(archive) as opened:
        first, *_, last = opened.ledger.captures.in_warc(here.name)
    there.unlink()
    data = bytearray(here.read_bytes())
    data[first.offset + first.length // 2] ^= 0xFF
    here.write_bytes(data)
    carrel("verify", "--archive", archive)
    assert "The file was copied as it is" in carrel("replicate", copy, "--archive", archive).out
    as_copied = bytes(data)
    data[last.offset + last.length // 2] ^= 0xFF
    here.write_bytes(data) if is_there else here.unlink()

    compared = carrel("verify", "--copy", copy, "--archive", archive)
    told = carrel("replicate", copy, "--archive", archive)
    repaired = carrel("repair", "--from", copy, "--archive", archive)

    for said in (compared.out, told.out):
        assert "nothing is repaired from it" not in said
        assert "intact" in said, said
    assert there.read_bytes() == as_copied
    assert "repaired in part:" in repaired.out, repaired.out
    assert here.read_bytes() == as_copied
    told = carrel("replicate", copy, "--archive", archive)
    assert "1 record damaged: no intact copy of these bytes is known." in told.out


def test_a_copy_that_lacks_a_record_which_is_intact_here_does_not_take_it_away(
    archive: Path, copy: Path
) -> None:
    """The copy was made as the WARC was, cut off between two records."""
    here = warcs(archive)[0]
    sound = here.read_bytes()
    with Archive.open_for_reading(archive) as opened:
        first, *_ = opened.ledger.captures.in_warc(here.name)
    cut = sound[: sound.rindex(b"\x1f\x8b\x08")]
    warcs(copy)[0].unlink()
    here.write_bytes(cut)
    carrel("verify", "--archive", archive)
    assert "The file was copied as it is" in carrel("replicate", copy, "--archive", archive).out
    told = carrel("repair", "--from", copy, "--archive", archive)
    assert (told.code, "No file was repaired." in told.out) == (1, True), told.out
    assert here.read_bytes() == cut
    here.write_bytes(sound)
    carrel("verify", "--archive", archive)
    data = bytearray(sound)
    data[first.offset + first.length // 2] ^= 0xFF
    here.write_bytes(data)

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 0, told.out
    assert here.read_bytes() == sound


def test_what_is_cut_off_and_intact_elsewhere_makes_no_copy_outdated(
    archive: Path, copy: Path, server: WireServer
) -> None:
    here, there = warcs(archive)[0], warcs(copy)[0]
    there.write_bytes(bytes(there.stat().st_size))
    here.write_bytes(b"")
    carrel("verify", "--archive", archive)
    carrel("verify", "--copy", copy, "--archive", archive)
    assert carrel("repair", "--from", copy, "--archive", archive).code == 1
    ingest(archive, page_of(server, "tides", TIDES), page_of(server, "surf", SURF))

    told = carrel("replicate", copy, "--archive", archive)

    assert told.code == 0, told.out
    assert "2 records damaged, whose bytes are intact in other files" in told.out
    told = carrel("replicate", copy.with_name("second"), "--archive", archive)
    assert told.code == 0, told.out
    assert "2 records damaged, whose bytes are intact in other files" in told.out
    assert carrel("repair", "--from", copy, "--archive", archive).code == 0
    assert not any(each.needs_attention(datetime.now(UTC)) for each in copies_of(archive))


def test_damage_that_a_copy_comes_upon_is_known_to_the_archive(
    archive: Path, tmp_path: Path
) -> None:
    flip(warcs(archive)[0])

    copied(archive, tmp_path / "copy")

    with Archive.open_for_reading(archive) as opened:
        assert sum(row.failed > 0 for row in opened.ledger.catalogue.rows([1, 2])) == 1


def faults_known(archive: Path) -> list[tuple[int, int]]:
    """Return how many records are damaged or missing of each dataset, and how many missing."""
    with Archive.open_for_reading(archive) as opened:
        return [(row.failed, row.missing) for row in opened.ledger.catalogue.rows([1, 2])]


def test_damage_that_a_comparison_comes_upon_is_known_to_the_archive(
    archive: Path, copy: Path
) -> None:
    damaged, gone = warcs(archive)
    flip(damaged)
    gone.unlink()

    assert carrel("verify", "--copy", copy, "--archive", archive).code == 1

    assert all(failed for failed, _ in faults_known(archive))
    assert sorted(bool(missing) for _, missing in faults_known(archive)) == [False, True]
    words = carrel("status", "--archive", archive).out
    assert "damaged" in words
    known = faults_known(archive)
    carrel("verify", "--archive", archive)
    assert faults_known(archive) == known


def test_a_warc_that_a_copy_finds_gone_here_is_known_to_be_missing_in_the_copy_as_well(
    archive: Path, copy: Path
) -> None:
    warcs(archive)[0].unlink()

    for _ in range(2):
        assert carrel("replicate", copy, "--archive", archive).code == 1

    assert any(missing for _, missing in faults_known(archive))
    assert faults_known(copy) == faults_known(archive)
    assert carrel("verify", "--copy", copy, "--archive", archive).out.count("changed in") == 0


def test_a_copy_that_lost_a_warc_is_in_need_and_not_said_to_have_it(
    archive: Path, copy: Path
) -> None:
    (gone, _), here = warcs(copy), warcs(archive)
    carrel("replicate", copy, "--archive", archive)
    gone.unlink()

    carrel("verify", "--copy", copy, "--archive", archive)

    (known,) = copies_of(archive)
    assert known.needs_attention(datetime.now(UTC))
    assert known.trouble == "It was compared, and is not as the archive: copy again."
    assert not known.may_have(gone.name)
    assert "not up to date" in carrel("status", "--archive", archive).out

    sound = here[0].read_bytes()
    flip(here[0])
    assert f"repair --from {copy}" not in carrel("verify", "--archive", archive).out
    here[0].write_bytes(sound)
    carrel("verify", "--archive", archive)
    assert carrel("replicate", copy, "--archive", archive).code == 0
    (known,) = copies_of(archive)
    assert (known.trouble, known.lacking) == ("", ())
    assert known.may_have(gone.name)


def test_that_a_copy_is_not_where_it_was_when_it_is_compared_is_remembered(
    archive: Path, copy: Path
) -> None:
    carrel("replicate", copy, "--archive", archive)
    copy.rename(copy.with_name("away"))
    assert carrel("verify", "--copy", copy, "--archive", archive).code != 0

    (known,) = copies_of(archive)
    assert f"The folder {copy} is not there." in known.trouble

    copy.with_name("away").rename(copy)
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 0
    assert [each.trouble for each in copies_of(archive)] == [""]


def test_damage_without_a_loss_is_no_trouble_where_the_copy_lacks_the_file(
    archive: Path, copy: Path, server: WireServer
) -> None:
    bad = warcs(archive)[0]
    flip(bad)
    carrel("verify", "--archive", archive)
    ingest(archive, page_of(server, "tides", TIDES), page_of(server, "surf", SURF))
    (copy / "collections/main/archive" / bad.name).unlink()

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 0, told.out
    assert f"{bad.name}: It stays damaged, and is not in the copy. No bytes are lost" in told.out
    assert "No file was repaired." in told.out


@pytest.mark.parametrize("in_copy", ["missing from this archive and from", "damaged in the copy"])
def test_a_warc_that_no_one_has_whole_is_no_trouble_where_other_records_have_its_bytes(
    archive: Path, copy: Path, server: WireServer, in_copy: str
) -> None:
    gone = warcs(archive)[0]
    there = copy / "collections/main/archive" / gone.name
    gone.unlink()
    there.write_bytes(bytes(there.stat().st_size)) if "damaged" in in_copy else there.unlink()
    carrel("verify", "--archive", archive)
    assert carrel("repair", "--from", copy, "--archive", archive).code == 1
    ingest(archive, page_of(server, "tides", TIDES), page_of(server, "surf", SURF))

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 0, told.out
    assert f"left as it is: collections/main/archive/{gone.name}: It is missing from" in told.out
    assert in_copy in told.out
    assert "No bytes are lost: those of its 2 records are intact in other files" in told.out
    assert "No file was repaired." in told.out
    compared = carrel("verify", "--copy", copy, "--archive", archive).out
    assert "Neither has it intact. No bytes are lost: those of its records are" in compared


def test_what_an_interrupted_run_left_is_said_to_be_in_the_copy(archive: Path, copy: Path) -> None:
    lines = (copy / LIST_NAME).read_text().splitlines(keepends=True)
    (copy / LIST_NAME).write_text("".join(line for line in lines if ".warc.gz" not in line))

    told = carrel("verify", "--copy", copy, "--archive", archive)

    assert told.code == 1
    assert told.out.count("in the copy, and not yet on its list: collections/main/archive/") == 2
    assert "not copied yet" not in told.out
    assert carrel("replicate", copy, "--archive", archive).code == 0
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 0


def test_what_a_copy_lacks_is_told_by_its_name_and_how_many_more_there_are() -> None:
    one, other = Lacking("a.warc.gz", "It is gone."), Lacking("b.warc.gz", "It is damaged.")
    assert trouble_of(Replicated(not_copied=[one])) == (
        "a.warc.gz not copied or not intact: It is gone."
    )
    assert trouble_of(Replicated(not_copied=[one, other])) == (
        "2 files not copied or not intact, such as a.warc.gz: It is gone."
    )


def test_the_archive_itself_is_no_place_for_its_copy(archive: Path) -> None:
    told = carrel("replicate", archive, "--archive", archive)
    assert told.code == 2
    assert f"{archive} is the archive itself." in told.err


def test_a_copy_says_whose_damage_it_tells_of(archive: Path, copy: Path) -> None:
    flip(warcs(archive)[0])
    words = "The damage named here was found in the original archive"
    assert words not in carrel("status", "--archive", copy).out
    carrel("verify", "--archive", archive)
    carrel("replicate", copy, "--archive", archive)

    assert carrel("verify", "--archive", copy).code == 0
    assert words in carrel("status", "--archive", copy).out
    assert words in carrel("results", "--archive", copy).err
    assert words not in carrel("results", "--archive", archive).err
    assert words in asyncio.run(read_only_reason(copy))


async def read_only_reason(folder: Path) -> str:
    async with Engine.open_or_read(folder) as engine:
        return engine.read_only_because


def test_a_damaged_ledger_does_not_replace_a_good_one(archive: Path, copy: Path) -> None:
    good = (copy / LEDGER_NAME).read_bytes()
    ledger = archive / LEDGER_NAME
    data = bytearray(ledger.read_bytes())
    for at in range(8 * 4096, len(data) - 4096, 4096):
        data[at : at + 64] = b"\xee" * 64
    ledger.write_bytes(data)
    told = carrel("replicate", copy, "--archive", archive)
    assert told.code in (1, 2), told.out
    assert "ledger" in (told.out + told.err).lower() or LEDGER_NAME in told.out + told.err
    assert (copy / LEDGER_NAME).read_bytes() == good


def test_a_comparison_names_what_differs_and_where(archive: Path, copy: Path) -> None:
    here, there = warcs(archive), warcs(copy)
    flip(there[0])
    here[1].unlink()
    told = carrel("verify", "--copy", copy, "--archive", archive, "--json")
    assert told.code == 1
    (found,) = told.lines
    kinds = {each["name"].rpartition("/")[2]: each["difference"] for each in found["differing"]}
    assert kinds == {there[0].name: "damaged-in-copy", here[1].name: "missing-here"}
    assert found["is_same"] is False
    words = carrel("verify", "--copy", copy, "--archive", archive).out
    assert f"damaged in the copy: collections/main/archive/{there[0].name}" in words


def test_a_comparison_tells_what_is_gone_or_not_yet_copied(
    archive: Path, copy: Path, server: WireServer
) -> None:
    gone = warcs(copy)[0]
    gone.unlink()
    ingest(archive, page_of(server, "waves", TIDES[::-1]))
    (found,) = carrel("verify", "--copy", copy, "--archive", archive, "--json").lines
    kinds = sorted(each["difference"] for each in found["differing"])
    assert kinds == ["missing-in-copy", "not-copied"]
    assert found["older"] > 0
    copied(archive, copy)
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 0
    assert gone.exists()


@pytest.fixture
def renamed(archive: Path, tmp_path: Path) -> Path:
    """A copy that was made while a WARC, which has its name again, was called otherwise."""
    own = warcs(archive)[0]
    other = own.rename(own.with_name("other.warc.gz"))
    copied(archive, tmp_path / "copy")
    other.rename(own)
    return tmp_path / "copy"


def test_a_warc_that_the_copy_has_under_a_former_name_is_not_missing_here(
    archive: Path, renamed: Path
) -> None:
    own = warcs(archive)[0].name
    compared = "verify", "--copy", renamed, "--archive", archive
    (before,) = carrel(*compared, "--json").lines
    assert [each["difference"] for each in before["differing"]] == ["not-copied"]
    assert carrel("replicate", renamed, "--archive", archive).code == 0

    told = carrel(*compared)

    assert told.code == 0, told.out
    assert "in the copy under a former name: collections/main/archive/other.warc.gz" in told.out
    assert f"This archive has it as collections/main/archive/{own}" in told.out
    assert "repair" not in told.out


def test_a_former_name_is_taken_off_the_list_once_its_file_is_removed_from_the_copy(
    archive: Path, renamed: Path
) -> None:
    copied(archive, renamed)
    (renamed / "collections/main/archive/other.warc.gz").unlink()
    (found,) = carrel("verify", "--copy", renamed, "--archive", archive, "--json").lines
    (gone,) = found["differing"]
    assert gone["difference"] == "missing-in-copy"
    assert (
        f"The archive has it as collections/main/archive/{warcs(archive)[0].name}"
        in (gone["advice"])
    )

    assert carrel("replicate", renamed, "--archive", archive).code == 0

    assert "collections/main/archive/other.warc.gz" not in listed(renamed)
    assert carrel("verify", "--copy", renamed, "--archive", archive).code == 0


def test_a_damaged_file_of_a_former_name_is_taken_off_the_list(
    archive: Path, renamed: Path
) -> None:
    copied(archive, renamed)
    flip(renamed / "collections/main/archive/other.warc.gz")
    assert carrel("verify", "--copy", renamed, "--archive", archive).code == 1

    assert carrel("replicate", renamed, "--archive", archive).code == 0

    told = carrel("verify", "--copy", renamed, "--archive", archive)
    assert told.code == 0, told.out


def test_a_warc_whose_bytes_are_elsewhere_and_that_the_ledger_names_is_missing_here(
    archive: Path, copy: Path
) -> None:
    own = warcs(archive)[0]
    own.rename(own.with_name("other.warc.gz"))
    (found,) = carrel("verify", "--copy", copy, "--archive", archive, "--json").lines
    kinds = {each["name"].rpartition("/")[2]: each["difference"] for each in found["differing"]}
    assert kinds == {own.name: "missing-here", "other.warc.gz": "not-copied"}


def test_a_file_that_is_cut_short_in_the_copy_is_not_called_damaged_here(
    archive: Path, copy: Path
) -> None:
    for name in (warcs(copy)[0], next((copy / "journal").glob("*.jsonl"))):
        name.write_bytes(name.read_bytes()[:-7])
    told = carrel("verify", "--copy", copy, "--archive", archive, "--json").lines[0]
    assert [each["difference"] for each in told["differing"]] == ["damaged-in-copy"] * 2


def test_repair_brings_back_what_is_damaged_or_missing(archive: Path, copy: Path) -> None:
    damaged, missing = warcs(archive)
    sound = {each.name: each.read_bytes() for each in (damaged, missing)}
    flip(damaged)
    broken = damaged.read_bytes()
    missing.unlink()
    told = carrel("repair", "--from", copy, "--archive", archive)
    assert told.code == 0, told.out + told.err
    assert {each.name: each.read_bytes() for each in warcs(archive)} == sound
    assert damaged.with_name(f"{damaged.name}.damaged").read_bytes() == broken
    verified = carrel("verify", "--archive", archive)
    assert verified.code == 0, verified.out
    assert carrel("status", "--archive", archive, "--json").lines[0].get("damaged", 0) == 0
    again = carrel("repair", "--from", copy, "--archive", archive)
    assert "nothing to repair" in again.out


def test_a_repair_is_recorded_with_the_copy_it_came_from_and_survives_a_rebuild(
    archive: Path, copy: Path, tmp_path: Path
) -> None:
    flip(warcs(archive)[0])
    assert carrel("repair", "--from", copy, "--archive", archive).code == 0
    (archive / "carrel.sqlite").unlink()
    assert carrel("rebuild", "--archive", archive).code == 0

    report = tmp_path / "fixity.csv"
    told = carrel("fixity", "-o", report, "--archive", archive)

    assert told.code == 0, told.err
    rows = list(csv.DictReader(io.StringIO(report.read_text("utf-8-sig"))))
    found, mended = (
        [row for row in rows if row["event_type"] == kind] for kind in ("damage found", "repair")
    )
    assert len(found) == len(mended) > 0
    for row in (*found, *mended):
        assert row["action_taken"] == f"Repaired from the second copy in {copy}."


def test_a_warc_damaged_in_both_at_different_places_is_put_together(
    archive: Path, copy: Path
) -> None:
    here, there = warcs(archive)[0], warcs(copy)[0]
    sound = here.read_bytes()
    with Archive.open_for_reading(archive) as opened:
        first, *_, last = opened.ledger.captures.in_warc(here.name)
    for path, capture in ((here, first), (there, last)):
        data = bytearray(path.read_bytes())
        data[capture.offset + capture.length // 2] ^= 0xFF
        path.write_bytes(data)

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 0, told.out + told.err
    assert here.read_bytes() == sound
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 1
    assert carrel("replicate", copy, "--archive", archive).code == 0
    assert there.read_bytes() == sound


def test_what_is_damaged_in_both_is_not_repaired(archive: Path, copy: Path) -> None:
    flip(warcs(archive)[0])
    flip(warcs(copy)[0])
    broken = warcs(archive)[0].read_bytes()
    told = carrel("repair", "--from", copy, "--archive", archive, "--json")
    assert told.code == 1
    assert [each["trouble"] for each in told.lines] == ["It is damaged in the copy, too."]
    assert warcs(archive)[0].read_bytes() == broken


def test_a_copy_that_was_forged_is_not_believed(archive: Path, copy: Path) -> None:
    """Its list and the WARC agree, but the records are not those that the ledger knows."""
    victim, other = warcs(copy)
    victim.write_bytes(other.read_bytes())
    name = victim.relative_to(copy).as_posix()
    digests = {**listed(copy), name: hashlib.sha256(victim.read_bytes()).hexdigest()}
    (copy / LIST_NAME).write_text("".join(f"{digests[key]}  {key}\n" for key in digests))
    warcs(archive)[0].unlink()
    told = carrel("repair", "--from", copy, "--archive", archive)
    assert told.code == 1
    assert "not repaired" in told.out
    assert len(warcs(archive)) == 1


def test_the_copy_of_another_archive_is_refused(
    copy: Path, server: WireServer, tmp_path: Path
) -> None:
    other = new_archive(tmp_path / "other")
    ingest(other, page_of(server, "waves", TIDES[::-1]))
    before = {each: each.read_bytes() for each in copy.rglob("*") if each.is_file()}
    told = carrel("replicate", copy, "--archive", other)
    assert told.code == 2
    assert "the second copy of another archive" in told.err
    assert {each: each.read_bytes() for each in copy.rglob("*") if each.is_file()} == before


@pytest.mark.parametrize("is_empty", [True, False])
def test_the_copy_of_another_archive_that_was_still_empty_is_refused(
    archive: Path, tmp_path: Path, *, is_empty: bool
) -> None:
    copied(empty_archive(tmp_path / "empty"), tmp_path / "copy")
    other = empty_archive(tmp_path / "other") if is_empty else archive
    before = {each: each.read_bytes() for each in (tmp_path / "copy").iterdir()}

    told = carrel("replicate", tmp_path / "copy", "--archive", other)
    compared = carrel("verify", "--copy", tmp_path / "copy", "--archive", other)

    assert (told.code, compared.code) == (2, 2)
    assert "second copy of another archive that was still empty" in told.err
    assert {each: each.read_bytes() for each in (tmp_path / "copy").iterdir()} == before


def test_a_copy_that_was_made_while_the_archive_was_empty_goes_on(
    server: WireServer, tmp_path: Path
) -> None:
    archive = empty_archive(new_archive(tmp_path / "archive"))
    copied(archive, tmp_path / "copy")
    assert carrel("replicate", tmp_path / "copy", "--archive", archive).code == 0
    ingest(archive, page_of(server, "tides", TIDES))

    told = carrel("replicate", tmp_path / "copy", "--archive", archive)

    assert (told.code, len(warcs(tmp_path / "copy"))) == (0, 1)


def test_the_copy_of_another_archive_is_neither_compared_nor_noted(
    copy: Path, server: WireServer, tmp_path: Path
) -> None:
    other = new_archive(tmp_path / "other")
    ingest(other, page_of(server, "waves", TIDES[::-1]))
    told = carrel("verify", "--copy", copy, "--archive", other)
    assert told.code == 2
    assert "the second copy of another archive" in told.err
    assert told.out == ""
    assert copies_of(other) == []


def test_a_copy_with_warcs_of_the_same_name_and_size_is_that_of_another_archive_all_the_same(
    copy: Path, server: WireServer, tmp_path: Path
) -> None:
    """As of two archives in which something was archived in the same second."""
    other = new_archive(tmp_path / "other")
    ingest(other, page_of(server, "waves", TIDES[::-1]))
    (own,), of_other = warcs(other), warcs(copy)
    for each in of_other:
        size = each.stat().st_size
        own.with_name(each.name).write_bytes(own.read_bytes().ljust(size, b"\0")[:size])
    told = carrel("verify", "--copy", copy, "--archive", other)
    assert told.code == 2
    assert "the second copy of another archive" in told.err


def test_a_copy_whose_journal_is_lost_is_known_by_a_warc_whatever_else_is_damaged_in_that(
    archive: Path, copy: Path
) -> None:
    shutil.rmtree(copy / "journal")
    for each in warcs(copy):
        flip(each)
    told = carrel("verify", "--copy", copy, "--archive", archive)
    assert told.code == 1
    assert "damaged in the copy" in told.out


def test_a_folder_with_other_files_is_refused(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis/chapter.txt").write_text("One.")
    told = carrel("replicate", tmp_path / "thesis", "--archive", archive)
    assert told.code == 2
    assert "no copy of an archive" in told.err
    assert [each.name for each in (tmp_path / "thesis").iterdir()] == ["chapter.txt"]


@pytest.mark.parametrize("place", ["inside", ".", "..", "ftp://host/copy"])
def test_places_that_are_none_are_refused(archive: Path, place: str) -> None:
    where = place if "://" in place else archive / place
    told = carrel("replicate", where, "--archive", archive)
    assert told.code == 2
    assert not (archive / "inside").exists()


@pytest.mark.parametrize("line", ["0" * 64 + "  ../outside", "0" * 64 + "  /etc/passwd", "?"])
def test_a_list_that_leads_elsewhere_is_refused(archive: Path, copy: Path, line: str) -> None:
    (copy / LIST_NAME).write_text(f"{line}\n")
    told = carrel("verify", "--copy", copy, "--archive", archive)
    assert told.code == 2
    assert "Line 1 of copy-sha256.txt in the copy is damaged" in told.err


def test_a_link_in_the_copy_leads_nowhere(archive: Path, copy: Path, tmp_path: Path) -> None:
    shutil.rmtree(copy / "collections")
    (tmp_path / "elsewhere").mkdir()
    (copy / "collections").symlink_to(tmp_path / "elsewhere")
    told = carrel("replicate", copy, "--archive", archive)
    assert told.code != 0
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_killed_run_is_continued(archive: Path, server: WireServer, tmp_path: Path) -> None:
    for number in range(6):
        body = os.urandom(400_000)
        ingest(archive, page_of(server, f"noise{number}", body))
    copy = tmp_path / "copy"
    for delay in (0.3, 0.5, 0.7):
        arguments = command("replicate", copy, "--archive", archive)
        process = subprocess.Popen(arguments, env=environment())
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
    told = carrel("replicate", copy, "--archive", archive)
    assert told.code == 0, told.out + told.err
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 0
    assert [each.read_bytes() for each in warcs(copy)] == [
        each.read_bytes() for each in warcs(archive)
    ]


def test_what_an_interrupted_run_left_is_read_and_not_believed(archive: Path, copy: Path) -> None:
    """Of what no list names, what is right is taken and what is not is written again."""
    right, wrong = warcs(copy)
    flip(wrong)
    (copy / LIST_NAME).write_text("")
    inode = right.stat().st_ino
    done = copied(archive, copy)
    assert done.not_copied == []
    assert done.copied == 1
    assert right.stat().st_ino == inode
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 0


def test_the_dark_archive_goes_along_and_its_objects_stay(archive: Path, tmp_path: Path) -> None:
    store = archive / "dark_archive/archive/123/456/7"
    store.mkdir(parents=True)
    (store / "repec%3Aabc").write_bytes(b"Template-Type: ReDIF-Paper 1.0\n")
    lock = archive / "dark_archive/archive/.lock"
    lock.touch()
    copied(archive, tmp_path / "copy")
    assert not (tmp_path / "copy" / lock.relative_to(archive)).exists()
    kept = tmp_path / "copy/dark_archive/archive/123/456/7/repec%3Aabc"
    assert kept.read_bytes() == b"Template-Type: ReDIF-Paper 1.0\n"
    (store / "repec%3Aabc").write_bytes(b"Template-Type: ReDIF-Paper 1.0?")
    copied(archive, tmp_path / "copy")
    assert kept.read_bytes() == b"Template-Type: ReDIF-Paper 1.0\n"


def test_another_archive_does_not_go_on_with_an_interrupted_copy(
    copy: Path, server: WireServer, tmp_path: Path
) -> None:
    (copy / LIST_NAME).write_text("")
    other = new_archive(tmp_path / "other")
    ingest(other, page_of(server, "waves", TIDES[::-1]))
    told = carrel("replicate", copy, "--archive", other)
    assert told.code == 2
    assert "the second copy of another archive" in told.err


def test_what_is_being_replaced_is_not_listed_meanwhile(
    archive: Path, copy: Path, server: WireServer
) -> None:
    """A kill there would leave a list that calls the new file damaged."""
    ingest(archive, page_of(server, "waves", TIDES[::-1]))

    class Interrupted(FolderStore):
        def read(self, name: str) -> Iterator[bytes]:
            if name == LEDGER_NAME and LEDGER_NAME not in listed(copy):
                raise KeyboardInterrupt
            return super().read(name)

    with Archive.open_for_reading(archive) as opened, pytest.raises(KeyboardInterrupt):
        replicate(opened, Interrupted(copy), lambda done, total: None)
    for name, digest in listed(copy).items():
        assert hashlib.sha256((copy / name).read_bytes()).hexdigest() == digest
    assert copied(archive, copy).not_copied == []
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 0


def test_warcs_of_other_collections_are_repaired_too(archive: Path, tmp_path: Path) -> None:
    first = warcs(archive)[0]
    other = archive / "collections/field/archive" / f"field-{first.name}"
    other.parent.mkdir(parents=True)
    shutil.copy(first, other)
    copy = tmp_path / "copy"
    assert copied(archive, copy).not_copied == []
    sound = other.read_bytes()
    flip(other)
    told = carrel("repair", "--from", copy, "--archive", archive)
    assert told.code == 0, told.out + told.err
    assert other.read_bytes() == sound


def test_nothing_is_due_in_a_copy(archive: Path, copy: Path) -> None:
    (copy / "settings.toml").write_text("[schedule]\nverify_days = 30\n")
    told = carrel("schedule", "run", "--archive", copy)
    assert told.code == 1
    assert "second copy" in told.err
    assert "or next time" not in told.err
    assert not (copy / "staging").exists()


def test_a_copy_goes_on_with_a_journal_that_was_begun_anew(archive: Path, copy: Path) -> None:
    old = {each.name: each.read_bytes() for each in (copy / "journal").iterdir()}
    assert carrel("rebuild", "--journal", "--archive", archive).code == 0
    (aside,) = archive.glob("journal.before-*")
    shutil.rmtree(aside)
    refused = carrel("replicate", copy, "--archive", archive)
    assert refused.code == 2
    assert "--new-journal" in refused.err
    assert {each.name: each.read_bytes() for each in (copy / "journal").iterdir()} == old

    told = carrel("replicate", copy, "--new-journal", "--archive", archive)

    assert told.code == 0, told.out + told.err
    (kept,) = copy.glob("journal.before-*")
    assert {each.name: each.read_bytes() for each in kept.iterdir()} == old
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 0
    assert carrel("verify", "--archive", copy).code == 0
    assert "Nothing had to be copied" in carrel("replicate", copy, "--archive", archive).out
    names = listed(copy)
    assert all(f"{kept.name}/{name}" in names for name in old)


def test_a_copy_of_the_journal_that_was_put_aside_goes_on_by_itself(
    archive: Path, copy: Path
) -> None:
    (month,) = (archive / "journal").iterdir()
    replace_line(month, 3, lambda _: b"no line of a journal\n")
    old = (copy / "journal" / month.name).read_bytes()
    assert carrel("rebuild", "--journal", "--archive", archive).code == 0

    told = carrel("replicate", copy, "--archive", archive)

    assert told.code == 0, told.out + told.err
    (kept,) = copy.glob("journal.before-*")
    assert (kept / month.name).read_bytes() == old
    assert (copy / "journal" / month.name).read_bytes() == month.read_bytes()


def test_a_damaged_journal_that_is_copied_is_named(archive: Path, tmp_path: Path) -> None:
    with Archive.create_or_open(archive) as opened:
        opened.ledger.jobs.set_paused_since("2026-04-02T09:32:00Z")  # a last group, which is sound
    (month,) = (archive / "journal").iterdir()
    replace_line(month, 3, lambda line: line.replace(b'"at":"2', b'"at":"3'))
    assert carrel("verify", "--archive", archive).code == 1

    told = carrel("replicate", tmp_path / "other", "--archive", archive)

    assert "The journal of this archive is damaged, and is copied as it is" in told.out


def test_where_a_journal_is_damaged_that_is_not_copied_and_what_helps_is_told(
    archive: Path, copy: Path
) -> None:
    """Of its last group, which is the first to be looked at."""
    (month,) = (archive / "journal").iterdir()
    changed = month.read_bytes().count(b"\n") - 2  # before the line that closes the group
    replace_line(month, changed, lambda line: line.replace(b"20", b"30", 1))

    for words in (("replicate", copy), ("verify", "--copy", copy)):
        told = carrel(*words, "--archive", archive)
        assert told.code == 2
        assert f"journal in {archive / 'journal'} is damaged" in told.err
        assert f"{month.name}, line {changed} (byte " in told.err
        assert "“carrel repair --from” brings back what a second copy has" in told.err
        assert "“carrel rebuild --journal” begins a new one" in told.err
        assert "at its end" not in told.err

    assert carrel("repair", "--from", copy, "--archive", archive).code == 0
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 0


def test_a_journal_that_a_copy_repaired_needs_no_one_any_more(archive: Path, copy: Path) -> None:
    (month,) = (archive / "journal").iterdir()
    sound = month.read_bytes()
    replace_line(month, 3, lambda line: line.replace(b'"at":"2', b'"at":"3'))
    assert carrel("verify", "--archive", archive).code == 1
    assert "journal is damaged" in carrel("status", "--archive", archive).out

    assert carrel("repair", "--from", copy, "--archive", archive).code == 0

    assert month.read_bytes().startswith(sound)
    assert "journal is damaged" not in carrel("status", "--archive", archive).out


def test_a_new_journal_is_no_way_into_the_copy_of_another_archive(
    copy: Path, server: WireServer, tmp_path: Path
) -> None:
    other = new_archive(tmp_path / "other")
    ingest(other, page_of(server, "waves", TIDES[::-1]))
    before = {each: each.read_bytes() for each in copy.rglob("*") if each.is_file()}
    told = carrel("replicate", copy, "--new-journal", "--archive", other)
    assert told.code == 2
    assert "the second copy of another archive" in told.err
    assert {each: each.read_bytes() for each in copy.rglob("*") if each.is_file()} == before


def damage(path: Path, archive: Path) -> None:
    """Flip a bit in the file that the first dataset has."""
    with Archive.open_for_reading(archive) as opened:
        capture = max(opened.ledger.captures.in_warc(path.name), key=lambda each: each.length)
    data = bytearray(path.read_bytes())
    data[capture.offset + capture.length // 2] ^= 0xFF
    path.write_bytes(data)


def test_of_a_damaged_warc_that_is_gone_from_the_copy_it_is_not_said_to_have_it(
    archive: Path, copy: Path
) -> None:
    bad, gone = warcs(archive)[0], warcs(copy)[0]
    damage(bad, archive)
    gone.unlink()
    assert carrel("verify", "--archive", archive).code == 1
    compared = carrel("verify", "--copy", copy, "--archive", archive).out
    name = f"collections/main/archive/{bad.name}"
    assert f"missing in the copy, damaged in this archive: {name}. Neither has it" in compared
    assert "1 file not the same in the archive and its copy" in compared

    told = carrel("replicate", copy, "--archive", archive)

    assert told.code == 1
    assert "The copy has it" not in told.out
    assert f"{bad.name}: 1 record damaged: no intact copy of these bytes is known." in told.out
    assert "Archive again what is still published." in told.out
    assert "as copied again" not in told.out
    assert gone.read_bytes() == bad.read_bytes()


def test_what_the_copy_is_said_to_have_is_looked_up_there(archive: Path, copy: Path) -> None:
    here, there = warcs(archive), warcs(copy)
    damage(here[0], archive)
    assert carrel("verify", "--archive", archive).code == 1
    here[1].unlink()
    flip(there[0])
    flip(there[1])

    told = copied(archive, copy)

    assert told.damaged == []
    whys = {each.name.rpartition("/")[2]: each.why for each in told.not_copied}
    assert whys[here[0].name].startswith("It is damaged in the copy and here.")
    assert whys[here[1].name] == (
        "It is missing from this archive, and damaged in the copy. Repair the archive from the "
        "copy, which brings back what is intact there; archive again what is still published of "
        "the rest."
    )
    there[1].unlink()
    whys = {each.name.rpartition("/")[2]: each.why for each in copied(archive, copy).not_copied}
    assert "The copy does not have it either: archive again" in whys[here[1].name]


def test_the_files_of_a_copy_are_those_that_are_there(archive: Path, copy: Path) -> None:
    here, gone = warcs(archive)[0], warcs(copy)[0]
    here.unlink()
    gone.unlink()
    there = sum(each.is_file() and each.name != LIST_NAME for each in copy.rglob("*"))
    assert copied(archive, copy).objects == there
    words = carrel("verify", "--copy", copy, "--archive", archive).out
    assert (
        f"missing in the copy, missing in this archive: collections/main/archive/{here.name}."
        in (words)
    )
    assert "carrel repair" not in words


def test_a_deleted_index_is_named_by_a_comparison_and_brought_back_by_repair(
    archive: Path, copy: Path
) -> None:
    index = archive / "collections/main/indexes/index.cdxj"
    lines = index.read_bytes()
    index.unlink()
    compared = carrel("verify", "--copy", copy, "--archive", archive).out
    assert "missing in this archive: collections/main/indexes/index.cdxj. The copy has it." in (
        compared
    )

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert "repaired: collections/main/indexes/index.cdxj." in told.out
    assert index.read_bytes() == lines
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 0


def test_files_of_the_index_come_and_go_without_being_missed(archive: Path, copy: Path) -> None:
    index = archive / "collections/main/indexes/index.cdxj"
    index.rename(index.with_name("index-0001.cdxj"))
    assert carrel("verify", "--copy", copy, "--archive", archive, "--json").lines[0][
        "differing"
    ] == [
        {
            "name": "collections/main/indexes/index-0001.cdxj",
            "difference": "not-copied",
            "advice": "It is not in the copy yet. Run “carrel replicate” again.",
        }
    ]


def test_of_a_copy_whose_disk_is_not_connected_that_is_said(archive: Path, tmp_path: Path) -> None:
    place, away = tmp_path / "disk/copy", tmp_path / "unplugged"
    assert carrel("replicate", place, "--archive", archive).code == 0
    (tmp_path / "disk").rename(away)

    for arguments in (("repair", "--from"), ("verify", "--copy")):
        told = carrel(*arguments, place, "--archive", archive)
        assert told.code != 0
        assert f"The folder {place} is not there. Is its disk or share connected?" in told.err
        assert "The copy there was last complete on 20" in told.err
    place.mkdir(parents=True)  # where the disk comes to
    told = carrel("repair", "--from", place, "--archive", archive)
    assert f"There is nothing in {place}. The copy there was last complete on 20" in told.err


def test_no_new_copy_is_begun_in_place_of_one_that_may_have_what_is_damaged_here(
    archive: Path, tmp_path: Path
) -> None:
    place, away = tmp_path / "disk/copy", tmp_path / "unplugged"
    assert carrel("replicate", place, "--archive", archive).code == 0
    (tmp_path / "disk").rename(away)
    damage(warcs(archive)[0], archive)
    assert carrel("verify", "--archive", archive).code == 1

    told = carrel("replicate", place, "--archive", archive)

    assert told.code != 0
    assert "which that copy may have intact: nothing was written" in told.err
    assert not place.exists()
    assert "Is its disk or share connected?" in copies_of(archive)[0].trouble
    away.rename(tmp_path / "disk")
    assert carrel("repair", "--from", place, "--archive", archive).code == 0
    assert carrel("replicate", place, "--archive", archive).code == 0


def test_without_damage_a_copy_that_is_gone_is_made_anew_if_that_is_said(
    archive: Path, tmp_path: Path
) -> None:
    place = tmp_path / "copy"
    assert carrel("replicate", place, "--archive", archive).code == 0
    shutil.rmtree(place)
    assert carrel("replicate", place, "--archive", archive).code == 2
    assert not place.exists()
    assert carrel("replicate", place, "--anew", "--archive", archive).code == 0
    assert listed(place)


def test_what_is_damaged_in_both_and_archived_again_is_no_loss_and_the_copy_is_complete(
    archive: Path, copy: Path, server: WireServer
) -> None:
    here, there = warcs(archive)[0], warcs(copy)[0]
    damage(here, archive)
    there.write_bytes(here.read_bytes())
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 1
    assert carrel("verify", "--archive", archive).code == 1
    ingest(archive, page_of(server, "tides", TIDES), page_of(server, "surf", SURF))

    repaired = carrel("repair", "--from", copy, "--archive", archive)
    assert repaired.code == 0
    assert f"left as it is: collections/main/archive/{here.name}: It stays damaged" in repaired.out
    compared = carrel("verify", "--copy", copy, "--archive", archive)
    assert "No bytes are lost: those of its damaged records are intact" in compared.out
    told = carrel("replicate", copy, "--archive", archive)
    assert told.code == 0, told.out
    assert f"{here.name}: 1 record damaged, whose bytes are intact in other files" in told.out

    compared = carrel("verify", "--copy", copy, "--archive", archive)
    assert compared.code == 0
    assert "No bytes are lost: those of its damaged records are intact" in compared.out
    (known,) = copies_of(archive)
    assert not known.needs_attention(datetime.now(UTC))
    assert carrel("repair", "--from", copy, "--archive", archive).code == 0


def test_a_warc_without_loss_that_repair_can_mend_is_not_written_over_in_the_copy(
    archive: Path, copy: Path, server: WireServer
) -> None:
    here, there = warcs(archive)[0], warcs(copy)[0]
    with Archive.open_for_reading(archive) as opened:
        first = min(opened.ledger.captures.in_warc(here.name), key=lambda each: each.length)
    damage(here, archive)
    data = bytearray(there.read_bytes())
    data[first.offset + first.length // 2] ^= 0xFF
    there.write_bytes(data)
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 1
    assert carrel("verify", "--archive", archive).code == 1
    ingest(archive, page_of(server, "tides", TIDES), page_of(server, "surf", SURF))

    assert carrel("replicate", copy, "--archive", archive).code == 1
    assert there.read_bytes() == data
    assert carrel("repair", "--from", copy, "--archive", archive).code == 0
    assert carrel("replicate", copy, "--archive", archive).code == 0
