# SPDX-License-Identifier: AGPL-3.0-or-later
"""The progress of a partition: what is committed names all that is done, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from carrel.fleet.progress import Progress, read_metadata, write_metadata

_OFFSETS = st.sets(st.integers(0, 15_000), max_size=200)


@given(low=st.integers(0, 10**12), above=_OFFSETS)
def test_metadata_names_what_is_done(low: int, above: set[int]) -> None:
    done = {low + each for each in above}

    assert read_metadata(low, write_metadata(low, done)) == done


@given(low=st.integers(0, 10**12), above=st.sets(st.integers(0, 60_000), max_size=400))
def test_metadata_fits_in_what_kafka_takes(low: int, above: set[int]) -> None:
    written = write_metadata(low, {low + each for each in above})

    assert len(written.encode()) <= 4096
    assert read_metadata(low, written) <= {low + each for each in above}


@given(text=st.text(max_size=5000))
def test_metadata_of_another_tool_names_nothing_or_is_read(text: str) -> None:
    assert read_metadata(5, text) == set()
    assert all(offset >= 5 for offset in read_metadata(5, f"carrel1:{text}"))


@given(order=st.permutations(range(40)), kills=st.sets(st.integers(1, 40), max_size=3))
def test_nothing_is_done_twice_or_lost_whatever_the_order_and_the_kills(
    order: list[int], kills: set[int]
) -> None:
    progress, ended = Progress(0), []
    for offset in range(40):
        assert progress.take(offset)
    for count, offset in enumerate(order, 1):
        if offset not in ended:
            progress.end(offset)
            ended.append(offset)
            progress.settle(40)
        if count in kills:  # everything that was committed is all that the next one knows
            progress = Progress.from_commit(progress.low, progress.metadata)
            came = [each for each in range(progress.low, 40) if progress.take(each)]
            assert sorted({*range(40)} - {*ended}) == came

    assert progress.low == 40
    assert progress.metadata == ""


def test_low_stays_below_what_is_not_done() -> None:
    progress = Progress(10)
    for offset in (10, 11, 13):
        progress.take(offset)

    progress.end(13)
    progress.end(11)
    progress.settle(14)

    assert (progress.low, progress.done) == (10, {11, 13})
    progress.end(10)
    assert progress.settle(14)
    assert (progress.low, progress.done) == (14, set())


def test_a_window_is_full_until_half_of_it_is_done() -> None:
    progress = Progress(0, window=4)
    for offset in range(4):
        progress.take(offset)
    assert progress.is_full

    progress.end(1)
    progress.end(2)
    assert not progress.has_room_again
    progress.end(3)

    assert progress.has_room_again


def test_a_slow_request_fills_the_window_before_the_metadata_overflow() -> None:
    progress = Progress(0)
    progress.take(0)
    taken = 1
    while not progress.is_full:
        progress.take(taken)
        progress.end(taken)
        taken += 1

    assert read_metadata(0, progress.metadata) == set(range(1, taken))
