# SPDX-License-Identifier: AGPL-3.0-or-later
"""Of a tarball that is not whole nothing is believed."""

import bz2
import gzip
from collections.abc import Callable

import pytest

from carrel.errors import UsageError
from core.dark_archive.sources.tarballs import PACKED, Reader, contents, files, member, packed

BLOCK = 512
WHOLE = files("a/1.rdf", "a/2.rdf", "a/3.rdf")
# Three members of a header and one block each.
MARK = 6 * BLOCK
REFUSED = (
    r"x\.tar is not a tarball that can be read to its end: .+; nothing was concluded from it\."
)


def refusal(tarball: Reader, content: bytes) -> str:
    with pytest.raises(UsageError, match=REFUSED) as caught:
        tarball(content)
    return str(caught.value)


@pytest.mark.parametrize("blocks", range(7))
def test_a_tarball_that_breaks_off_between_two_blocks_is_refused(
    tarball: Reader, blocks: int
) -> None:
    refusal(tarball, WHOLE[: blocks * BLOCK])


@pytest.mark.parametrize("size", [1, 511, 513, 600, 1_023, 1_025, MARK - 1, MARK + 1, MARK + 511])
def test_a_tarball_that_breaks_off_within_a_block_is_refused(tarball: Reader, size: int) -> None:
    refusal(tarball, WHOLE[:size])


@pytest.mark.parametrize("blocks", [7, 8, 9, 20])
def test_a_tarball_is_whole_when_its_end_is_marked(tarball: Reader, blocks: int) -> None:
    assert len(contents(tarball(WHOLE[: blocks * BLOCK]))) == 3


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, PACKED["xz"]])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_a_compressed_tarball_that_breaks_off_is_refused(
    tarball: Reader, pack: Callable[[bytes], bytes], share: float
) -> None:
    content = pack(WHOLE)

    refusal(tarball, content[: int(len(content) * share)])


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, PACKED["xz"]])
def test_the_very_last_byte_must_be_there(tarball: Reader, pack: Callable[[bytes], bytes]) -> None:
    refusal(tarball, pack(WHOLE)[:-1])


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, PACKED["xz"]])
@pytest.mark.parametrize("blocks", [2, 4, 6])
def test_whole_streams_that_hold_no_end_are_refused(
    tarball: Reader, pack: Callable[[bytes], bytes], blocks: int
) -> None:
    message = refusal(tarball, pack(WHOLE[: blocks * BLOCK]))

    assert "it ends too early" in message


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, PACKED["xz"]])
def test_a_stream_of_which_the_second_half_is_damaged_is_refused(
    tarball: Reader, pack: Callable[[bytes], bytes]
) -> None:
    refusal(tarball, pack(WHOLE) + b"no stream at all")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, PACKED["xz"]])
def test_zeros_behind_a_stream_mean_nothing(
    tarball: Reader, pack: Callable[[bytes], bytes]
) -> None:
    assert len(contents(tarball(pack(WHOLE) + bytes(8_192)))) == 3


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, PACKED["xz"]])
@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.95])
def test_a_changed_byte_in_what_is_compressed_is_found(
    tarball: Reader, pack: Callable[[bytes], bytes], share: float
) -> None:
    content = bytearray(pack(packed(*(member(f"{n}.rdf", bytes([n]) * n) for n in range(200)))))
    content[int(len(content) * share)] ^= 0x10

    refusal(tarball, bytes(content))


@pytest.mark.parametrize("at", [0, 100, 130, 150, 1_024, 2_060])
def test_a_changed_byte_in_a_header_is_found(tarball: Reader, at: int) -> None:
    content = bytearray(WHOLE)
    content[at] ^= 0x01

    refusal(tarball, bytes(content))


def test_what_follows_the_end_is_not_passed_over(tarball: Reader) -> None:
    assert "data follows its end marker" in refusal(tarball, WHOLE + files("b.rdf"))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it is empty"),
        (b"<html>Not found</html>", "it is not a tar file, compressed or not"),
        (
            gzip.compress(b"<html>Not found</html>" * 90, mtime=0),
            "it is not a tar file, compressed or not",
        ),
        (gzip.compress(b"", mtime=0), "it is empty"),
        (b"PK\x03\x04" + bytes(600), "it is not a tar file, compressed or not"),
        (b"\x1f\x8b\x08", "it ends too early"),
        (b"BZh9 but no more", "its data cannot be decompressed"),
        (b"\xfd7zXZ\0 but no more", "its data cannot be decompressed"),
    ],
)
def test_what_is_no_tarball_is_called_by_its_name(
    tarball: Reader, content: bytes, words: str
) -> None:
    assert words in refusal(tarball, content)
