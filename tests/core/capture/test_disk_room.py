# SPDX-License-Identifier: AGPL-3.0-or-later
"""Room on the disk: claimed beforehand, waited for in the middle."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from carrel.capture.disk_room import RESERVE_BYTES, DiskRoom
from carrel.errors import IngestStop
from carrel.model import Status
from carrel.model.sizes import MEBIBYTE
from carrel.model.unwritten import is_full


def never() -> bool:
    return False


def room_with(free: Callable[[], int], slept: list[float] | None = None) -> DiskRoom:
    sleeps = [] if slept is None else slept
    return DiskRoom(Path(), free_bytes=lambda path: free(), sleep=sleeps.append)


def test_what_others_have_claimed_is_not_free() -> None:
    room = room_with(lambda: RESERVE_BYTES + 10 * MEBIBYTE)

    room.claim("first", 6 * MEBIBYTE)
    with pytest.raises(IngestStop, match=r"5\.0 MiB are needed.*6\.0 MiB of it") as stop:
        room.claim("second", 5 * MEBIBYTE)
    room.use("first", 2 * MEBIBYTE)
    room.claim("second", 5 * MEBIBYTE)

    assert stop.value.status is Status.DISK_FULL


def test_what_was_claimed_and_not_used_is_given_back() -> None:
    room = room_with(lambda: RESERVE_BYTES + 10 * MEBIBYTE)

    room.claim("first", 10 * MEBIBYTE)
    room.release("first")

    room.claim("second", 10 * MEBIBYTE)


def test_what_is_used_beyond_a_claim_is_taken_from_no_other() -> None:
    room = room_with(lambda: RESERVE_BYTES + 10 * MEBIBYTE)

    room.claim("first", 2 * MEBIBYTE)
    room.use("first", 5 * MEBIBYTE)
    room.use("unknown", 5 * MEBIBYTE)

    room.claim("second", 10 * MEBIBYTE)
    with pytest.raises(IngestStop):
        room.claim("third", 1)


def test_what_is_not_used_yet_is_still_claimed() -> None:
    room = room_with(lambda: RESERVE_BYTES + 10 * MEBIBYTE)

    room.claim("first", 6 * MEBIBYTE)
    room.use("first", 2 * MEBIBYTE)

    with pytest.raises(IngestStop, match=r"4\.0 MiB of it"):
        room.claim("second", 7 * MEBIBYTE)


def test_a_transfer_waits_until_there_is_room_again() -> None:
    free = iter([1000, 1000, 2000, 2000, RESERVE_BYTES])
    told: list[int] = []
    slept: list[float] = []

    room_with(lambda: next(free), slept).wait(never, told.append)

    assert told == [1000, 2000]
    assert len(slept) == 2


def test_nothing_is_waited_for_while_there_is_room() -> None:
    looks: list[int] = []

    def free() -> int:
        looks.append(1)
        return RESERVE_BYTES

    room = room_with(free)
    for _ in range(1000):
        room.wait(never, lambda count: pytest.fail("there is room"))

    assert len(looks) <= 2  # once a second at the most


def test_a_wish_to_stop_ends_the_waiting() -> None:
    answers: Iterator[bool] = iter([False, True])
    told: list[int] = []

    room_with(lambda: 0).wait(lambda: next(answers), told.append)

    assert told == [0]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_a_full_quota_and_a_full_file_are_one(code: int) -> None:
    assert is_full(OSError(code, os.strerror(code)))


@pytest.mark.parametrize("error", [OSError(errno.EIO, "Input/output error"), ValueError("full")])
def test_what_else_fails_is_not_taken_for_it(error: Exception) -> None:
    assert not is_full(error)
