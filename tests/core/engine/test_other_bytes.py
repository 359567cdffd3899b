# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs that are not the same in archive and copy, though each by itself seems to be as it should:
bytes that no record has as its content, and a copy that was changed together with its list."""

import gzip
import hashlib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from carrel.archive import COPY_LIST_NAME, Archive
from carrel.settings.copies import copies_of
from support.archives import carrel, ingest
from support.schedules import archived, served
from support.wire import WireServer


@pytest.fixture
def archive(server: WireServer, tmp_path: Path) -> Path:
    return archived(tmp_path / "archive", served(server, 2), "")


@pytest.fixture
def copy(archive: Path, tmp_path: Path) -> Path:
    made = carrel("replicate", tmp_path / "copy", "--archive", archive)
    assert made.code == 0, made.out + made.err
    return tmp_path / "copy"


def warc_of(archive: Path) -> tuple[Path, int, int]:
    """Return a WARC, and where the record of a capture in it begins and ends."""
    with Archive.open_for_reading(archive) as opened:
        capture = opened.ledger.captures.all()[0]
        path = opened.warcs / capture.filename
    return path, capture.offset, capture.offset + capture.length


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0x01
    path.write_bytes(data)


def forge(copy: Path, warc: str, *, is_of_same_size: bool = False) -> None:
    """Change records of a WARC in a copy, and its list with them."""
    (path,) = copy.rglob(warc)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    if is_of_same_size:
        flip(path, path.stat().st_size // 2)
    else:
        changed = gzip.decompress(path.read_bytes()).replace(b"HTTP", b"GTTP")
        path.write_bytes(gzip.compress(changed))
    after = hashlib.sha256(path.read_bytes()).hexdigest()
    listed = copy / COPY_LIST_NAME
    listed.write_text(listed.read_text().replace(before, after))


def compared(archive: Path, copy: Path) -> tuple[list[str], str]:
    """Return what differs, and the advice on the first."""
    told = carrel("verify", "--copy", copy, "--archive", archive, "--json")
    (found,) = told.lines
    rows = found["differing"]
    return [each["difference"] for each in rows], rows[0]["advice"] if rows else ""


def test_bytes_that_no_record_has_come_back_from_the_copy(archive: Path, copy: Path) -> None:
    warc, begin, _ = warc_of(archive)
    sound = warc.read_bytes()
    flip(warc, begin + 4)  # the time in the head of the gzip member
    assert carrel("verify", "--archive", archive).code == 0
    found, advice = compared(archive, copy)
    assert (found, "nothing is lost" in advice) == (["other-here"], True)

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 0, told.out
    assert f"{warc.name}. The damaged one is now {warc.name}.damaged" in told.out
    assert warc.read_bytes() == sound
    assert compared(archive, copy) == ([], "")
    again = carrel("repair", "--from", copy, "--archive", archive)
    assert "nothing to repair" in again.out


def test_such_bytes_stay_where_the_copy_does_not_have_them_either(
    archive: Path, copy: Path
) -> None:
    warc, begin, end = warc_of(archive)
    flip(warc, begin + 4)
    other = warc.read_bytes()
    (there,) = copy.rglob(warc.name)
    flip(there, (begin + end) // 2)
    found, advice = compared(archive, copy)
    assert found == ["damaged-in-copy", "other-here"]
    assert "otherwise remove it from the copy" in advice

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert (told.code, "nothing to repair" in told.out) == (0, True)
    assert warc.read_bytes() == other
    there.unlink()
    assert carrel("replicate", copy, "--archive", archive).code == 0
    assert compared(archive, copy) == ([], "")


@pytest.mark.parametrize("is_of_same_size", [True, False])
def test_a_copy_that_was_changed_with_its_list_is_not_called_right(
    archive: Path, copy: Path, is_of_same_size: bool
) -> None:
    warc, _, _ = warc_of(archive)
    forge(copy, warc.name, is_of_same_size=is_of_same_size)
    sound = warc.read_bytes()
    found, advice = compared(archive, copy)
    assert (found, "“carrel replicate” writes it anew" in advice) == (["other-in-copy"], True)
    (known,) = copies_of(archive)
    assert not known.may_have(warc.name)
    assert known.needs_attention(datetime.now(UTC))

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert (told.code, warc.read_bytes()) == (0, sound)
    assert carrel("replicate", copy, "--archive", archive).code == 0
    assert compared(archive, copy) == ([], "")
    (known,) = copies_of(archive)
    assert known.may_have(warc.name)


@pytest.mark.parametrize("is_there", [True, False])
def test_of_a_copy_that_was_changed_in_one_record_the_others_are_brought_back(
    archive: Path, copy: Path, is_there: bool
) -> None:
    """Each is proven by the ledger, whatever the list says."""
    warc, _, _ = warc_of(archive)
    sound = warc.read_bytes()
    forge(copy, warc.name, is_of_same_size=True)
    (there,) = copy.rglob(warc.name)
    is_bad = [one != other for one, other in zip(sound, there.read_bytes(), strict=True)]
    with Archive.open_for_reading(archive) as opened:
        captures = opened.ledger.captures.in_warc(warc.name)
    good = next(it for it in captures if not any(is_bad[it.offset : it.offset + it.length]))
    if is_there:
        flip(warc, good.offset + good.length // 2)
    else:
        warc.unlink()
    assert "nothing is repaired from it" not in compared(archive, copy)[1]

    carrel("repair", "--from", copy, "--archive", archive)

    span = slice(good.offset, good.offset + good.length)
    assert warc.read_bytes()[span] == sound[span]


@pytest.mark.parametrize(("is_there", "here"), [(True, "damaged-here"), (False, "missing-here")])
def test_what_such_a_copy_cannot_bring_back_is_not_promised(
    archive: Path, copy: Path, is_there: bool, here: str
) -> None:
    warc, begin, end = warc_of(archive)
    forge(copy, warc.name)
    if is_there:
        flip(warc, (begin + end) // 2)
    else:
        warc.unlink()

    found, advice = compared(archive, copy)

    assert found == ["other-in-copy", here]
    assert "nothing is repaired from it" in advice
    assert carrel("repair", "--from", copy, "--archive", archive).code == 1
    told = carrel("replicate", copy, "--archive", archive)
    assert (told.code, "nothing is repaired from it" in told.out) == (1, True)
    assert "repair the archive from the copy" not in told.out


@pytest.mark.parametrize("is_there", [True, False])
def test_what_is_advised_of_such_a_copy_helps(
    archive: Path, copy: Path, server: WireServer, is_there: bool
) -> None:
    warc, begin, end = warc_of(archive)
    forge(copy, warc.name)
    flip(warc, (begin + end) // 2)
    if not is_there:
        warc.unlink()
    _, advice = compared(archive, copy)
    assert "archive again what is still published. Then remove it from this copy" in advice

    ingest(archive, *served(server, 2))
    next(copy.rglob(warc.name)).unlink()
    told = carrel("replicate", copy, "--archive", archive)

    assert told.code == 0, told.out
    compared_again = carrel("verify", "--copy", copy, "--archive", archive)
    assert (compared_again.code == 0) is is_there  # a file that is gone stays gone from both
    assert is_there or "No bytes are lost" in compared_again.out


def test_such_a_copy_is_repaired_from_another_and_then_written_anew(
    archive: Path, copy: Path, tmp_path: Path
) -> None:
    warc, begin, end = warc_of(archive)
    other = tmp_path / "other"
    assert carrel("replicate", other, "--archive", archive).code == 0
    forge(copy, warc.name)
    flip(warc, (begin + end) // 2)
    _, advice = compared(archive, copy)
    assert "Repair from another copy, if you have one" in advice

    assert carrel("repair", "--from", other, "--archive", archive).code == 0
    next(copy.rglob(warc.name)).unlink()
    assert carrel("replicate", copy, "--archive", archive).code == 0
    assert compared(archive, copy) == ([], "")
