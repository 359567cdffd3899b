# SPDX-License-Identifier: AGPL-3.0-or-later
"""Trying again: when, how often, after how long."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import IngestStop
from carrel.hosts.retry import LONGEST_PAUSE_S, Attempt, RetryPolicy, may_pass, retry_after_s
from carrel.model import Status

NOW = datetime(2026, 3, 2, 9, 0, 0, tzinfo=UTC)
TRUNCATED = IngestStop(Status.TRUNCATED, "It broke off.")


def asked_to_wait(seconds: float) -> IngestStop:
    return IngestStop(Status.RATE_LIMITED, "Too many.", retry_after_s=seconds)


def test_pauses_grow_and_are_never_the_same_for_all() -> None:
    attempts = list(RetryPolicy(tries=4, first_pause_s=1).attempts())

    pauses = [attempt.pause_s(TRUNCATED) for attempt in attempts]

    lowest = [1, 2, 4, 8]
    assert all(low <= pause <= low * 1.25 for low, pause in zip(lowest, pauses, strict=True))


def test_pauses_end_growing() -> None:
    assert Attempt(RetryPolicy(), 30).pause_s(TRUNCATED) == LONGEST_PAUSE_S


def test_the_last_attempt_is_the_last() -> None:
    attempts = list(RetryPolicy(tries=3).attempts())

    assert [attempt.may_repeat(TRUNCATED) for attempt in attempts] == [True, True, False]


@pytest.mark.parametrize(
    "stop",
    [
        IngestStop(Status.PLATFORM_RESTRICTED, "No."),
        IngestStop(Status.ERROR_PLATFORM_DOWNLOAD, "HTTP 404.", may_repeat=False),
        asked_to_wait(RetryPolicy().longest_pause_s + 1),
    ],
)
def test_what_can_not_help_is_not_tried_again(stop: IngestStop) -> None:
    assert not Attempt(RetryPolicy(tries=9), 0).may_repeat(stop)


@pytest.mark.parametrize("code", [408, 425, 429, 500, 502, 503, 504, 520, 599])
def test_what_may_pass_is_worth_another_try(code: int) -> None:
    assert may_pass(code)


@pytest.mark.parametrize("code", [400, 401, 403, 404, 405, 409, 410, 416, 451, 501, 505, 511])
def test_what_will_be_the_same_tomorrow_is_not(code: int) -> None:
    assert not may_pass(code)


def test_how_long_a_pause_may_be_is_a_matter_of_settings() -> None:
    assert not Attempt(RetryPolicy(longest_pause_s=5), 0).may_repeat(asked_to_wait(7))


def test_the_server_says_how_long() -> None:
    assert Attempt(RetryPolicy(tries=9), 0).may_repeat(asked_to_wait(7))
    assert Attempt(RetryPolicy(), 0).pause_s(asked_to_wait(7)) == 7


def test_the_wait_is_as_long_as_the_pause() -> None:
    slept: list[float] = []
    attempt = Attempt(RetryPolicy(sleep=slept.append), 0)

    attempt.wait(asked_to_wait(1.5), lambda: False)

    assert sum(slept) == pytest.approx(1.5)


def test_a_wish_to_stop_ends_the_wait() -> None:
    slept: list[float] = []
    attempt = Attempt(RetryPolicy(sleep=slept.append), 0)

    attempt.wait(asked_to_wait(100), lambda: len(slept) == 2)

    assert len(slept) == 2


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        (" 120 ", 120),
        ("Mon, 02 Mar 2026 09:01:30 GMT", 90),
        ("Mon, 02 Mar 2026 10:01:30 +0100", 90),
        ("Mon, 02 Mar 2026 08:00:00 GMT", 0),
        ("-5", None),
        ("1.5", None),
        ("soon", None),
        ("", None),
        ("Mon, 01 Jan 99999999999 00:00:00 GMT", None),
        ("604800", 604800),
        ("604801", None),
        ("999999999999999999999", None),
        ("Mon, 02 Mar 2099 09:00:00 GMT", None),
        ("Mon, 02 Mar 2026 09:01:30 +99999999999999", None),
        (None, None),
    ],
)
def test_retry_after_is_understood_in_both_forms(value: str | None, seconds: float | None) -> None:
    assert retry_after_s(value, NOW) == seconds


@given(value=st.text() | st.from_regex(r"[A-Z][a-z]{2}, \d+ [A-Z][a-z]{2} \d+ [\d:]* [+-]?\d*"))
def test_no_retry_after_is_too_strange(value: str) -> None:
    seconds = retry_after_s(value, NOW)

    assert seconds is None or seconds >= 0
