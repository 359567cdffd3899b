# SPDX-License-Identifier: AGPL-3.0-or-later
"""Digests beside the stream are those that hashlib gives of the whole."""

import hashlib
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.capture.digests import ALWAYS, Digester, algorithms_for, is_known

SIZES = st.sampled_from([0, 1, 1000, 256 * 1024 - 1, 256 * 1024, 400_000])


def digests_of(content: bytes, algorithms: tuple[str, ...] = ALWAYS) -> dict[str, str]:
    return {name: hashlib.new(name, content).hexdigest() for name in algorithms}


@given(sizes=st.lists(SIZES, max_size=8), seed=st.binary(max_size=4))
def test_blocks_of_any_size_give_the_digests_of_the_whole(sizes: list[int], seed: bytes) -> None:
    blocks = [(seed + bytes([number]))[-1:] * size for number, size in enumerate(sizes)]
    digester = Digester()

    for block in blocks:
        digester.feed(block)
    fixity = digester.fixity()

    assert fixity.digests == digests_of(b"".join(blocks))
    assert fixity.size == sum(sizes)


@given(sizes=st.lists(SIZES, max_size=8))
def test_blocks_that_are_fed_at_once_are_hashed_in_their_order(sizes: list[int]) -> None:
    blocks = [bytes([number]) * size for number, size in enumerate(sizes)]
    digester = Digester()

    digester.feed(b"before")
    digester.feed(*blocks)
    digester.feed(b"after")
    fixity = digester.fixity()

    assert fixity.digests == digests_of(b"".join([b"before", *blocks, b"after"]))
    assert fixity.size == len("before") + sum(sizes) + len("after")


def test_threads_end_with_the_stream() -> None:
    before = threading.active_count()
    digester = Digester()
    digester.feed(bytes(1024 * 1024))

    digester.fixity()

    assert threading.active_count() == before


def test_a_stream_that_is_given_up_leaves_no_thread() -> None:
    before = threading.active_count()
    digester = Digester()
    digester.feed(bytes(1024 * 1024))

    digester.close()
    digester.close()

    assert threading.active_count() == before


def test_declared_algorithms_are_computed_beside_the_usual_ones() -> None:
    algorithms = algorithms_for(["sha512", "md5", "crc32"])
    digester = Digester(algorithms)
    digester.feed(b"surf")

    assert digester.fixity().digests == digests_of(b"surf", (*ALWAYS, "sha512"))


@pytest.mark.parametrize(
    ("name", "known"), [("md5", True), ("sha512", True), ("shake_128", False), ("adler32", False)]
)
def test_an_algorithm_without_one_digest_is_not_known(name: str, known: bool) -> None:
    assert is_known(name) is known
