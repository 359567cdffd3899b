# SPDX-License-Identifier: AGPL-3.0-or-later
"""A member written in one pass is one that every reader of gzip reads."""

import gzip
import hashlib
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.capture.gzip_member import PatchedMember, compress_member
from carrel.model.sizes import MEBIBYTE

NOISE = hashlib.shake_128(b"noise").digest(8 * MEBIBYTE)
TEXT = b"1953-02-01T00:10,NLK,+02.401,ok\n" * (8 * MEBIBYTE // 32)
BLOCKS = st.lists(st.binary(max_size=300) | st.integers(0, 70_000).map(bytes), max_size=6)


def write_member(path: Path, head: bytes, *blocks: bytes, final: bytes | None = None) -> int:
    with path.open("wb") as file:
        member = PatchedMember.begin(file, head)
        for block in blocks:
            member.write(block)
        member.finish(head if final is None else final)
        return member.length


@given(blocks=BLOCKS)
def test_a_whole_member_holds_its_content(blocks: list[bytes]) -> None:
    content = b"".join(blocks)

    assert gzip.decompress(compress_member(content)) == content


def test_what_gains_little_by_compressing_is_stored() -> None:
    head, noise = b"WARC-Type: response\r\n" * 20, NOISE[:20_000]

    member = compress_member(head + noise)

    assert noise in member
    assert gzip.decompress(member) == head + noise


@given(head=st.binary(max_size=200) | st.integers(65_530, 65_540).map(bytes), blocks=BLOCKS)
def test_any_payload_in_any_blocks_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, head: bytes, blocks: list[bytes]
) -> None:
    path = tmp_path_factory.getbasetemp() / "member.gz"

    length = write_member(path, head, *blocks)

    assert gzip.decompress(path.read_bytes()) == head + b"".join(blocks)
    assert length == path.stat().st_size


@given(seed=st.binary(min_size=7, max_size=7), payload=st.binary())
def test_the_head_that_was_put_in_place_last_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, seed: bytes, payload: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "member.gz"
    final = seed * 10_000

    write_member(path, bytes(70_000), payload, final=final)

    assert gzip.decompress(path.read_bytes()) == final + payload


def test_gzip_itself_accepts_the_member(tmp_path: Path) -> None:
    path = tmp_path / "member.gz"
    write_member(path, b"head", NOISE[:MEBIBYTE], TEXT[:MEBIBYTE], NOISE[:5])

    assert subprocess.run(["gzip", "-t", path], check=False).returncode == 0


def test_members_stand_one_behind_the_other(tmp_path: Path) -> None:
    path = tmp_path / "members.gz"
    with path.open("wb") as file:
        for text in (b"one ", b"two ", b"three"):
            member = PatchedMember.begin(file, b"?")
            member.write(text)
            member.finish(b"-")

    assert gzip.decompress(path.read_bytes()) == b"-one -two -three"


def test_a_head_of_another_length_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot become"):
        write_member(tmp_path / "member.gz", b"head", final=b"longer head")


def test_what_can_not_be_compressed_hardly_grows(tmp_path: Path) -> None:
    path = tmp_path / "member.gz"

    length = write_member(
        path, b"", *(NOISE[i : i + MEBIBYTE] for i in range(0, len(NOISE), MEBIBYTE))
    )

    assert length < len(NOISE) * 1.001
    assert gzip.decompress(path.read_bytes()) == NOISE


def test_what_can_be_compressed_shrinks(tmp_path: Path) -> None:
    blocks = [TEXT[i : i + MEBIBYTE] for i in range(0, len(TEXT), MEBIBYTE)]

    assert write_member(tmp_path / "member.gz", b"", *blocks) < len(TEXT) / 4


def test_a_short_first_block_does_not_decide_for_the_rest(tmp_path: Path) -> None:
    blocks = [TEXT[i : i + MEBIBYTE] for i in range(0, len(TEXT), MEBIBYTE)]

    assert write_member(tmp_path / "member.gz", b"", b"time,", *blocks) < len(TEXT) / 4


def test_a_payload_that_changes_its_nature_is_compressed_again(tmp_path: Path) -> None:
    path = tmp_path / "member.gz"
    blocks = [NOISE[:MEBIBYTE]] * 32 + [TEXT[:MEBIBYTE]] * 20

    length = write_member(path, b"", *blocks)

    assert length < 38 * MEBIBYTE
    assert subprocess.run(["gzip", "-t", path], check=False).returncode == 0


@given(before=BLOCKS, after=BLOCKS)
def test_a_member_that_was_cut_off_behind_a_block_is_continued(
    tmp_path_factory: pytest.TempPathFactory, before: list[bytes], after: list[bytes]
) -> None:
    path = tmp_path_factory.getbasetemp() / "member.gz"
    with path.open("wb") as file:
        file.write(b"in front of it")
        cut = PatchedMember.begin(file, b"head")
        for block in before:
            cut.write(block)

    with path.open("r+b") as file:
        file.seek(0, os.SEEK_END)
        member = PatchedMember.resume(file, b"head", cut.offset, crc=cut.crc, size=cut.size)
        for block in after:
            member.write(block)
        member.finish(b"done")

    packed = path.read_bytes()[cut.offset :]
    assert gzip.decompress(packed) == b"done" + b"".join([*before, *after])
    assert member.length == len(packed)


@given(head=st.binary(max_size=200) | st.integers(65_530, 65_540).map(bytes))
def test_where_the_payload_begins_is_known_beforehand(
    tmp_path_factory: pytest.TempPathFactory, head: bytes
) -> None:
    with (tmp_path_factory.getbasetemp() / "member.gz").open("wb") as file:
        member = PatchedMember.begin(file, head)

        assert PatchedMember.payload_offset(member.offset, head) == file.tell()
