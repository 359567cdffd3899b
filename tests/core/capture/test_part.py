# SPDX-License-Identifier: AGPL-3.0-or-later
"""A record that is written while its payload arrives proves itself on the way."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from carrel.capture.gzip_member import MEBIBYTE
from carrel.capture.part import Part
from carrel.capture.stored import Damaged, payload_fixity
from carrel.model import Fixity
from support.records import exchange

NOISE = hashlib.shake_128(b"noise").digest(MEBIBYTE)
TEXT = b"1953-02-01T00:10,NLK,+02.401,ok\n" * (MEBIBYTE // 32)
BLOCKS = 20


@pytest.fixture
def part(tmp_path: Path) -> Part:
    return Part(tmp_path / "part.warc.gz", "The archivist", "Carrel/1", exchange())


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
    trial = Part(tmp_path / "trial.warc.gz", "The archivist", "Carrel/1", exchange())
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
