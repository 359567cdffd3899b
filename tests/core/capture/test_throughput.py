# SPDX-License-Identifier: AGPL-3.0-or-later
"""Slow is not the same as still."""

import pytest

from carrel.capture.throughput import Throughput, TooSlow


def test_a_transfer_above_the_rate_goes_on_for_days() -> None:
    flow = Throughput(min_rate=1000, window_s=60)

    for _ in range(3 * 24 * 60):
        flow.took(60_001, 60.0)


def test_a_transfer_below_the_rate_is_broken_off() -> None:
    flow = Throughput(min_rate=1000, window_s=60)
    flow.took(500, 30.0)

    with pytest.raises(TooSlow, match="only 1,000 bytes in 60 seconds"):
        flow.took(500, 30.0)


def test_a_burst_of_earlier_does_not_excuse_the_trickle_of_now() -> None:
    flow = Throughput(min_rate=1000, window_s=60)
    flow.took(10**9, 60.0)

    with pytest.raises(TooSlow):
        flow.took(1, 60.0)


def test_without_a_rate_only_silence_is_counted() -> None:
    flow = Throughput(min_rate=0, window_s=60)
    flow.took(1, 600.0)
    flow.took(0, 600.0)
    flow.took(0, 1.0)

    assert flow.silent_s == 601.0


def test_any_byte_ends_the_silence() -> None:
    flow = Throughput(min_rate=0, window_s=60)
    flow.took(0, 50.0)
    flow.took(1, 1.0)

    assert flow.silent_s == 0.0
