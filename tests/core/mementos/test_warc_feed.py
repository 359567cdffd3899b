# SPDX-License-Identifier: AGPL-3.0-or-later
"""A file is read in pieces that grow within a long gzip member, and are small at each beginning."""

from io import BytesIO

from carrel.mementos.warc.feed import PIECE_BYTES, FileFeed

_MOST_BYTES = 256 * 1024


def sizes_of(feed: FileFeed, count: int) -> list[int]:
    return [len(feed.take()) for _ in range(count)]


def test_pieces_grow_up_to_a_size() -> None:
    feed = FileFeed(BytesIO(bytes(10 * _MOST_BYTES)))

    sizes = sizes_of(feed, 6)

    assert sizes[0] == PIECE_BYTES
    assert sizes == sorted(sizes)
    assert sizes[-1] == _MOST_BYTES


def test_pieces_are_small_again_where_a_member_ended() -> None:
    feed = FileFeed(BytesIO(bytes(10 * _MOST_BYTES)))
    sizes_of(feed, 5)

    feed.give_back(b"rest")

    assert sizes_of(feed, 2) == [len(b"rest"), PIECE_BYTES]


def test_pieces_of_any_size_are_the_file() -> None:
    content = bytes(range(256)) * 5000
    feed = FileFeed(BytesIO(content), 100, len(content) - 100)

    read = b"".join(iter(feed.take, b""))

    assert read == content[100:-100]
    assert feed.position == len(read)
