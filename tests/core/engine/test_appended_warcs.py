# SPDX-License-Identifier: AGPL-3.0-or-later
"""A WARC to which another one was appended, or whose place another one took, here or in the copy:
it comes back as it was copied, and nothing of the other one is taken for its own."""

import os
from pathlib import Path
from zipfile import ZipFile

import pytest

from carrel.archive import Archive
from carrel.engine.verification.accompanying import ends_early
from support.archives import Ran, carrel, ingest, new_archive
from support.schedules import served
from support.wire import WireServer


@pytest.fixture
def archive(server: WireServer, tmp_path: Path) -> Path:
    archive = new_archive(tmp_path / "archive")
    for address in served(server, 2):
        ingest(archive, address)
    return archive


@pytest.fixture
def copy(archive: Path, tmp_path: Path) -> Path:
    assert carrel("replicate", tmp_path / "copy", "--archive", archive).code == 0
    return tmp_path / "copy"


def warcs(root: Path) -> list[Path]:
    return sorted((root / "collections/main/archive").glob("*.warc.gz"))


def append(path: Path, other: Path) -> bytes:
    """Append a WARC to another one, and return what that was."""
    sound = path.read_bytes()
    path.write_bytes(sound + other.read_bytes())
    return sound


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0x10
    path.write_bytes(data)


def middles(archive: Path, warc: Path) -> list[int]:
    """Return a byte in the middle of each capture of a WARC."""
    with Archive.open_for_reading(archive) as opened:
        captures = opened.ledger.captures.in_warc(warc.name)
    return [each.offset + each.length // 2 for each in captures]


def repair(archive: Path, copy: Path) -> Ran:
    return carrel("repair", "--from", copy, "--archive", archive)


def kept(archive: Path) -> list[Path]:
    return sorted((archive / "collections/main/archive").glob("*.damaged*"))


def test_a_warc_to_which_another_one_was_appended_comes_back_as_it_was(
    archive: Path, copy: Path
) -> None:
    first, other = warcs(archive)
    sound = append(first, other)
    appended = first.read_bytes()

    told = repair(archive, copy)

    assert (told.code, "1 of 1 file repaired" in told.out) == (0, True), told.out
    assert first.read_bytes() == sound
    assert [each.read_bytes() for each in kept(archive)] == [appended]
    assert "nothing to repair" in repair(archive, copy).out
    assert len(kept(archive)) == 1


def test_a_warc_whose_place_a_longer_one_took_comes_back_as_it_was(
    archive: Path, copy: Path
) -> None:
    first, other = warcs(archive)
    sound = first.read_bytes()
    longer = other.read_bytes() * 2
    first.write_bytes(longer)

    told = repair(archive, copy)

    assert told.code == 0, told.out
    assert first.read_bytes() == sound
    assert [each.read_bytes() for each in kept(archive)] == [longer]
    assert carrel("verify", "--archive", archive).code == 0
    assert carrel("verify", "--copy", copy, "--archive", archive).code == 0


def test_what_was_appended_in_the_copy_does_not_come_here(archive: Path, copy: Path) -> None:
    first, (there, other) = warcs(archive)[0], warcs(copy)
    sound = append(there, other)
    os.truncate(first, len(sound) // 2)

    told = repair(archive, copy)

    assert told.code == 0, told.out
    assert first.read_bytes() == sound


def test_what_was_appended_on_both_sides_is_of_neither(archive: Path, copy: Path) -> None:
    (first, other), there = warcs(archive), warcs(copy)[0]
    sound = append(first, other)
    append(there, warcs(copy)[1])
    flip(first, middles(archive, first)[0])
    flip(there, middles(archive, first)[1])

    told = repair(archive, copy)

    assert told.code == 0, told.out
    assert first.read_bytes() == sound


@pytest.mark.parametrize("is_here", [True, False])
def test_a_warc_that_cannot_be_proven_has_nothing_of_what_was_appended(
    archive: Path, copy: Path, is_here: bool
) -> None:
    """One capture is damaged on both sides, so that the list proves nothing."""
    (first, other), there = warcs(archive), warcs(copy)[0]
    sound = first.read_bytes()
    one, two, *_ = middles(archive, first)
    append(first if is_here else there, other)
    flip(first, one)
    flip(first, two)
    flip(there, two)

    told = repair(archive, copy)

    assert (told.code, told.out.count("repaired in part:")) == (1, 1), told.out
    flip(first, two)
    assert first.read_bytes() == sound
    assert carrel("verify", "--archive", archive).code == 0


def test_no_warcinfo_of_another_warc_takes_the_place_of_the_own(archive: Path, copy: Path) -> None:
    (first, other), there = warcs(archive), warcs(copy)[0]
    sound = first.read_bytes()
    first.write_bytes(other.read_bytes())
    flip(there, middles(archive, first)[0])
    damaged = there.read_bytes()

    told = repair(archive, copy)

    assert "repaired in part:" in told.out, told.out
    assert len(damaged) == len(sound)
    assert first.read_bytes() == damaged


def test_a_copy_to_which_something_was_appended_mends_nothing_by_that(
    archive: Path, copy: Path
) -> None:
    """What is damaged on both sides alike is past repair, whatever else the copy has."""
    (first, other), there = warcs(archive), warcs(copy)[0]
    middle = middles(archive, first)[0]
    flip(first, middle)
    flip(there, middle)
    append(there, other)
    damaged = first.read_bytes()

    told = repair(archive, copy)

    assert (told.code, "It is damaged in the copy, too." in told.out) == (1, True), told.out
    assert first.read_bytes() == damaged
    assert not kept(archive)


def test_a_warc_that_is_there_twice_in_one_file_is_there_once_again(
    archive: Path, copy: Path
) -> None:
    first, there = warcs(archive)[0], warcs(copy)[0]
    sound = append(first, first)
    flip(there, middles(archive, first)[0])

    told = repair(archive, copy)

    assert told.code == 0, told.out
    assert first.read_bytes() == sound


@pytest.mark.parametrize("behind", ["response", "request"])
def test_what_a_warc_lacks_is_found_though_another_one_was_appended(
    archive: Path, copy: Path, behind: str
) -> None:
    first, other = warcs(archive)
    sound = first.read_bytes()
    with Archive.open_for_reading(archive) as opened:
        *_, last = opened.ledger.captures.in_warc(first.name)
    request, result = last.offset + last.length, sound.rindex(b"\x1f\x8b\x08")
    end = request if behind == "response" else result
    first.write_bytes(sound[:end] + other.read_bytes())

    told = carrel("verify", "--archive", archive)

    lacking = "request record" if behind == "response" else "result of the ingest"
    assert told.code == 1
    assert f"byte {end}: Another WARC begins here: the " in told.out, told.out
    assert lacking in told.out
    with Archive.open_for_reading(archive) as opened:
        assert ends_early(opened, first.name)
    assert repair(archive, copy).code == 0
    assert first.read_bytes() == sound
    assert carrel("verify", "--archive", archive).code == 0


def test_of_a_record_that_a_file_has_twice_it_is_said_where_it_is_intact(archive: Path) -> None:
    first = warcs(archive)[0]
    append(first, first)

    told = carrel("verify", "--archive", archive)

    assert told.code == 1
    assert "This is the former record" not in told.out
    with Archive.open_for_reading(archive) as opened:
        for each in opened.ledger.captures.in_warc(first.name):
            words = f"The file has this record twice: it is intact at byte {each.offset}, where"
            assert words in told.out


def test_a_wacz_has_nothing_of_what_was_appended(archive: Path, tmp_path: Path) -> None:
    first, other = warcs(archive)
    sound = append(first, other)
    with Archive.open_for_reading(archive) as opened:
        capture = opened.ledger.captures.in_warc(first.name)[-1]
    export = "export", "wacz", capture.url, "--archive", archive, "-o"

    assert carrel(*export, tmp_path / "one").code == 0

    (made,) = (tmp_path / "one").glob("*.wacz")
    with ZipFile(made) as package:
        assert package.read(f"archive/{first.name}") == sound
    first.write_bytes(sound[: capture.offset + capture.length] + other.read_bytes())
    told = carrel(*export, tmp_path / "other")
    assert (told.code, "Another WARC begins here" in told.out + told.err) == (1, True), told
