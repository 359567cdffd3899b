# SPDX-License-Identifier: AGPL-3.0-or-later
"""A record that is written while its payload arrives proves itself on the way."""

import hashlib
import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from carrel.capture import part as part_module
from carrel.capture.annotations import warcinfo
from carrel.capture.part import Part
from carrel.capture.stored import Damaged, payload_fixity
from carrel.capture.unfinished import Beginning, Unfinished, unfinished_in
from carrel.model import Fixity
from carrel.model.sizes import MEBIBYTE
from support.records import exchange, files_in

INFO = warcinfo("part.warc.gz", "The archivist", "Carrel/1")
NOISE = hashlib.shake_128(b"noise").digest(MEBIBYTE)
TEXT = b"1953-02-01T00:10,NLK,+02.401,ok\n" * (MEBIBYTE // 32)
BLOCKS = 20


@pytest.fixture
def part(tmp_path: Path) -> Part:
    return Part.begin(tmp_path / "part.warc.gz", INFO, exchange())


def fixity(block: bytes) -> Fixity:
    whole = block * BLOCKS
    return Fixity(len(whole), {"sha1": hashlib.sha1(whole).hexdigest()})


def write(part: Part, block: bytes) -> None:
    for _ in range(BLOCKS):
        part.write(block)
    part.finish(fixity(block))


def disk_that_turns_a_byte(path: Path, at: int) -> Callable[[int], None]:
    """Return an fsync after which one byte of the file is another, as soon as the file has it."""
    is_done = False

    def fsync(handle: int) -> None:
        nonlocal is_done
        if is_done or path.stat().st_size <= at:
            return
        with path.open("r+b") as file:
            file.seek(at)
            byte = file.read(1)[0]
            file.seek(at)
            file.write(bytes([byte ^ 255]))
        is_done = True

    return fsync


@pytest.mark.parametrize("block", [NOISE, TEXT], ids=["stored", "compressed"])
def test_what_was_written_reads_back_whole(part: Part, block: bytes) -> None:
    write(part, block)

    found = payload_fixity(part.path, part.offset, part.length, ["sha1"])
    assert found == fixity(block)


@pytest.mark.parametrize("block", [NOISE, TEXT], ids=["stored", "compressed"])
@pytest.mark.parametrize("place", [0.3, 0.95])
def test_a_byte_that_the_disk_turned_is_found(
    part: Part, block: bytes, place: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = Part.begin(tmp_path / "trial.warc.gz", INFO, exchange())
    write(trial, block)
    at = int(trial.path.stat().st_size * place)
    monkeypatch.setattr(os, "fsync", disk_that_turns_a_byte(part.path, at))

    with pytest.raises(Damaged, match=r"bytes at \d+ of part\.warc\.gz"):
        write(part, block)
    part.discard()

    assert not part.path.exists()


def test_a_head_that_was_not_put_in_place_is_found(
    part: Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    syncs = 0

    def lose_the_head(handle: int) -> None:
        nonlocal syncs
        syncs += 1
        if syncs == 3:  # the last stretch, with the head in it
            with part.path.open("r+b") as file:
                file.seek(part.offset + 20)
                file.write(b"?")

    monkeypatch.setattr(os, "fsync", lose_the_head)

    with pytest.raises(Damaged, match=f"bytes at {part.offset} of"):
        write(part, NOISE)
    part.discard()


def can_be_left(path: Path) -> Part:
    answer = exchange()
    beginning = Beginning(answer.url, (), answer, BLOCKS * MEBIBYTE)
    return Part.begin(path, INFO, answer, beginning)


def left_in(folder: Path) -> tuple[Unfinished, list[bytes]]:
    """Return the part that was left, and the blocks of its payload."""
    (unfinished,) = unfinished_in(folder)
    blocks: list[bytes] = []
    resumed = Part.resume(unfinished, lambda block: blocks.append(bytes(block)))
    resumed.leave()
    return unfinished, blocks


@pytest.mark.parametrize("block", [NOISE, TEXT], ids=["stored", "compressed"])
def test_a_part_that_was_left_holds_all_that_arrived(tmp_path: Path, block: bytes) -> None:
    part = can_be_left(tmp_path / "left.warc.gz")
    for _ in range(10):
        part.write(block)
    part.leave()

    unfinished, blocks = left_in(tmp_path)

    marks = [mark.received for mark in unfinished.marks]
    assert marks == [0, 8 * MEBIBYTE, 10 * MEBIBYTE]
    assert blocks == [block] * 10
    assert (unfinished.record_id, unfinished.offset) == (part.record_id, part.offset)


def test_what_comes_slowly_is_proven_as_it_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part_module, "_STRETCH_S", 0.0)
    part = can_be_left(tmp_path / "left.warc.gz")
    for _ in range(3):
        part.write(NOISE)
    part.leave()

    unfinished, _ = left_in(tmp_path)

    assert [mark.received // MEBIBYTE for mark in unfinished.marks] == [0, 1, 2, 3]


def test_a_part_that_can_not_be_gone_on_with_is_not_left(part: Part) -> None:
    part.write(NOISE)

    part.leave()

    assert files_in(part.path.parent) == []


def test_a_part_is_left_as_far_as_the_disk_kept_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = can_be_left(tmp_path / "left.warc.gz")
    at = part.offset + 9 * MEBIBYTE  # in the second stretch
    monkeypatch.setattr(os, "fsync", disk_that_turns_a_byte(part.path, at))
    for _ in range(10):
        part.write(NOISE)
    part.leave()
    monkeypatch.undo()

    _, blocks = left_in(tmp_path)

    assert blocks == [NOISE] * 8


def test_a_part_whose_end_met_a_full_disk_is_left_without_it(tmp_path: Path) -> None:
    """Its last blocks were not proven yet; what ends the record is no payload."""
    trial, part = can_be_left(tmp_path / "trial.warc.gz"), can_be_left(tmp_path / "parts.warc.gz")
    write(trial, NOISE)
    trial.discard()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (part.offset + trial.length - 1, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            write(part, NOISE)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    part.leave()

    unfinished, blocks = left_in(tmp_path)

    assert unfinished.marks[-1].received == len(blocks) * MEBIBYTE <= BLOCKS * MEBIBYTE
    assert set(blocks) == {NOISE}


def test_a_part_that_is_discarded_takes_its_notes_along(tmp_path: Path) -> None:
    part = can_be_left(tmp_path / "left.warc.gz")
    part.write(NOISE)

    part.discard()

    assert files_in(tmp_path) == []
