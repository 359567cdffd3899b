# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was damaged here when it was copied, and what is intact on neither side: named as what it
is, mended where the archive is intact again, and never taken from the copy."""

import gzip
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from carrel.archive import COPY_LIST_NAME
from carrel.settings.copies import copies_of
from support.archives import carrel, new_archive
from support.archives import ingest as archive_datasets
from support.schedules import served
from support.wire import WireServer


@pytest.fixture
def archive(server: WireServer, tmp_path: Path) -> Path:
    """An archive of three datasets, each in a WARC of its own."""
    archive = new_archive(tmp_path / "archive")
    for address in served(server, 3):
        archive_datasets(archive, address)
    return archive


def warcs(root: Path) -> list[Path]:
    return sorted((root / "collections/main/archive").glob("*.warc.gz"))


def flip(path: Path, at: int = 0) -> None:
    data = bytearray(path.read_bytes())
    data[at or len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])


@pytest.fixture(params=[flip, cut])
def copy(request: pytest.FixtureRequest, archive: Path, tmp_path: Path) -> Path:
    """A copy of the archive that was made while one of its WARCs was damaged; it is intact again,
    repaired from another copy."""
    other, copy = tmp_path / "other", tmp_path / "copy"
    assert carrel("replicate", other, "--archive", archive).code == 0
    request.param(warcs(archive)[1])
    told = carrel("replicate", copy, "--archive", archive)
    assert "The file was copied as it is" in told.out
    assert carrel("repair", "--from", other, "--archive", archive).code == 0
    shutil.rmtree(other)
    return copy


def test_an_intact_archive_is_not_repaired_from_what_was_copied_damaged(
    archive: Path, copy: Path
) -> None:
    kept = {path: path.read_bytes() for path in warcs(archive)[0].parent.iterdir()}

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 0
    assert "repaired" not in told.out
    assert {path: path.read_bytes() for path in warcs(archive)[0].parent.iterdir()} == kept


def test_what_was_copied_damaged_is_written_anew_once_the_archive_is_intact(
    archive: Path, copy: Path
) -> None:
    told = carrel("replicate", copy, "--archive", archive)

    assert told.code == 0, told.out
    assert "1 file that had been damaged in the copy: as copied again." in told.out
    assert warcs(copy)[1].read_bytes() == warcs(archive)[1].read_bytes()
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 0


def test_what_is_cut_off_in_the_copy_alone_is_written_anew(archive: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    assert carrel("replicate", copy, "--archive", archive).code == 0
    cut(warcs(copy)[0])

    told = carrel("replicate", copy, "--archive", archive)

    assert told.code == 0, told.out
    assert warcs(copy)[0].read_bytes() == warcs(archive)[0].read_bytes()


def test_what_a_damaged_copy_alone_has_intact_is_not_written_over(
    archive: Path, tmp_path: Path
) -> None:
    """A record of which the ledger knows nothing was in both, and is gone here."""
    copy, here = tmp_path / "copy", warcs(archive)[0]
    sound = here.read_bytes()
    further = gzip.compress(b"WARC/1.1\r\nWARC-Type: metadata\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
    here.write_bytes(sound + further)
    assert carrel("replicate", copy, "--archive", archive).code == 0
    here.write_bytes(sound)
    flip(warcs(copy)[0])
    harmed = warcs(copy)[0].read_bytes()

    told = carrel("replicate", copy, "--archive", archive)

    assert told.code == 1
    assert "has records intact that are not so here. Repair the archive" in told.out
    assert warcs(copy)[0].read_bytes() == harmed
    assert carrel("repair", "--from", copy, "--archive", archive).code == 0
    assert here.read_bytes() == sound + further
    assert carrel("replicate", copy, "--archive", archive).code == 0
    assert warcs(copy)[0].read_bytes() == sound + further


def test_what_copying_found_damaged_in_both_is_written_anew_once_it_is_repaired(
    archive: Path, tmp_path: Path
) -> None:
    copy, here = tmp_path / "copy", warcs(archive)[0]
    sound = here.read_bytes()
    assert carrel("replicate", copy, "--archive", archive).code == 0
    flip(here)
    flip(warcs(copy)[0], at=60)
    assert carrel("verify", "--archive", archive).code == 1
    told = carrel("replicate", copy, "--archive", archive)
    assert (told.code, "It is damaged in the copy and here." in told.out) == (1, True)
    assert carrel("repair", "--from", copy, "--archive", archive).code == 0
    assert (here.read_bytes(), warcs(copy)[0].read_bytes() == sound) == (sound, False)

    told = carrel("replicate", copy, "--archive", archive)

    assert "1 file that had been damaged in the copy: as copied again." in told.out
    assert warcs(copy)[0].read_bytes() == sound
    assert not copies_of(archive)[0].damaged


def test_a_damaged_small_warc_is_taken_off_the_list_when_the_copy_has_the_packed_one(
    archive: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    assert carrel("replicate", copy, "--archive", archive).code == 0
    assert carrel("archive", "pack", "--archive", archive).code == 0
    small = warcs(copy)[1]
    small.write_bytes(b"")
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 1
    assert copies_of(archive)[0].damaged == (f"collections/main/archive/{small.name}",)

    told = carrel("replicate", copy, "--archive", archive)

    assert told.code == 0, told.out
    assert f"{small.name} is damaged in the copy, which has its records in another file" in told.out
    assert "as copied again" not in told.out
    assert small.read_bytes() == b""
    assert not copies_of(archive)[0].damaged
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 0


def compared(archive: Path, copy: Path) -> list[tuple[str, str]]:
    (found,) = carrel("verify", "--copy", copy, "--archive", archive, "--json").lines
    return [(each["name"].rpartition("/")[2], each["difference"]) for each in found["differing"]]


@pytest.mark.parametrize("has_packed", [True, False])
def test_what_was_copied_damaged_and_packed_since_is_wrong_in_the_copy_and_not_here(
    archive: Path, copy: Path, *, has_packed: bool
) -> None:
    small = warcs(copy)[1]
    assert carrel("archive", "pack", "--archive", archive).code == 0
    if has_packed:
        assert carrel("replicate", copy, "--archive", archive).code == 0

    told = carrel("verify", "--copy", copy, "--archive", archive)

    assert told.code == 1
    assert "differs from the copy" not in told.out
    assert f"{small.name}. The archive has all of its records intact in a packed" in told.out
    assert compared(archive, copy) == [(small.name, "other-in-copy")]
    told = carrel("replicate", copy, "--archive", archive)
    assert told.code == 0, told.out
    assert f"{small.name} is damaged in the copy, which has its records in another" in told.out
    assert compared(archive, copy) == []


def test_what_is_damaged_alike_is_named_beside_a_small_warc_that_was_copied_damaged(
    archive: Path, copy: Path
) -> None:
    assert carrel("archive", "pack", "--archive", archive).code == 0
    (packed,) = warcs(archive)
    flip(packed, at=packed.stat().st_size - 200)
    assert carrel("verify", "--archive", archive).code == 1
    warcs(copy)[2].unlink()
    carrel("replicate", copy, "--archive", archive)

    told = carrel("verify", "--copy", copy, "--archive", archive)

    assert (
        f"damaged in the archive and alike in the copy: collections/main/archive/{packed.name}"
        in (told.out)
    )


def test_a_comparison_fails_where_bytes_are_lost_alike_in_both_and_says_what_helps(
    archive: Path, tmp_path: Path
) -> None:
    copy, bad = tmp_path / "copy", warcs(archive)[0]
    flip(bad)
    assert carrel("replicate", copy, "--archive", archive).code == 1
    assert bad.read_bytes() == warcs(copy)[0].read_bytes()

    told = carrel("verify", "--copy", copy, "--archive", archive)

    assert told.code == 1
    assert f"alike in the copy: collections/main/archive/{bad.name}." in told.out
    assert "The copy is as it was copied" not in told.out
    assert "The copy is the same as the archive, with 1 file damaged in both." in told.out
    said = carrel("status", "--archive", archive).out
    assert "copy again" not in said
    assert f"such as collections/main/archive/{bad.name}. Only another copy may have it" in said


def test_a_warc_that_neither_has_is_named_and_the_copy_not_called_complete(
    archive: Path, tmp_path: Path
) -> None:
    copy, gone = tmp_path / "copy", warcs(archive)[0]
    gone.unlink()
    assert carrel("replicate", copy, "--archive", archive).code == 1

    told = carrel("verify", "--copy", copy, "--archive", archive)

    assert told.code == 1
    assert (
        f"missing in the copy, missing in this archive: collections/main/archive/{gone.name}. "
        "Neither has it: archive again what is still published."
    ) in told.out
    (known,) = copies_of(archive)
    assert known.needs_attention(datetime.now(UTC))
    assert not known.complete
    said = carrel("status", "--archive", archive).out
    assert "copy again" not in said
    assert f"such as collections/main/archive/{gone.name}. Only another copy may have it" in said


def test_a_warc_that_neither_has_is_no_difference_where_other_records_have_its_bytes(
    archive: Path, tmp_path: Path, server: WireServer
) -> None:
    copy, gone = tmp_path / "copy", warcs(archive)[0]
    gone.unlink()
    assert carrel("verify", "--archive", archive).code == 1
    for address in served(server, 3):
        archive_datasets(archive, address)
    assert carrel("replicate", copy, "--archive", archive).code == 0

    told = carrel("verify", "--copy", copy, "--archive", archive)

    assert told.code == 0, told.out
    assert f"{gone.name}: It is missing from this archive and from the copy. No bytes" in told.out
    assert not copies_of(archive)[0].needs_attention(datetime.now(UTC))


def test_a_loss_in_both_that_a_comparison_finds_first_is_known_to_the_status(
    archive: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    assert carrel("replicate", copy, "--archive", archive).code == 0
    name = warcs(archive)[0].relative_to(archive).as_posix()
    lines = (copy / COPY_LIST_NAME).read_text().splitlines(keepends=True)
    (copy / COPY_LIST_NAME).write_text("".join(line for line in lines if name not in line))
    (copy / name).unlink()
    (archive / name).unlink()

    assert carrel("verify", "--copy", copy, "--archive", archive).code == 1

    assert "Only another copy may have it" in copies_of(archive)[0].trouble


def test_a_copy_that_was_never_complete_is_not_begun_anew_without_a_word(
    archive: Path, tmp_path: Path
) -> None:
    """It has all that came to be copied; its disk may not be connected."""
    copy, (bad, *_) = tmp_path / "copy", warcs(archive)
    sound = bad.read_bytes()
    flip(bad)
    assert carrel("replicate", copy, "--archive", archive).code == 1
    bad.write_bytes(sound)
    assert carrel("verify", "--archive", archive).code == 0
    copy.rename(tmp_path / "unplugged")

    told = carrel("replicate", copy, "--archive", archive)

    assert told.code == 2
    assert f"The folder {copy} is not there." in told.err
    assert "The copy there was never complete, and last reached on 20" in told.err
    assert "--anew makes a new one there" in told.err
    assert not copy.exists()
    assert carrel("replicate", copy, "--anew", "--archive", archive).code == 0
