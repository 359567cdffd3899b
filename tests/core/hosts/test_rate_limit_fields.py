# SPDX-License-Identifier: AGPL-3.0-or-later
"""Every way of saying how often a server may be asked comes to one number of seconds."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.hosts.rate_limit_fields import pause_s

NOW = datetime(2026, 3, 2, 9, 0, 0, tzinfo=UTC)
EPOCH = int(NOW.timestamp())
DATE = "Mon, 02 Mar 2026 08:59:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"ratelimit-remaining": "0", "ratelimit-reset": "30"}, 30),
        ({"ratelimit-remaining": "1", "ratelimit-reset": "30"}, None),
        ({"ratelimit-remaining": "0"}, None),
        ({"ratelimit-remaining": "0", "ratelimit-reset": "soon"}, None),
        ({"ratelimit": "limit=100, remaining=0, reset=30"}, 30),
        ({"ratelimit": "limit=100, remaining=7, reset=30"}, None),
        ({"ratelimit": '"default";r=0;t=30'}, 30),
        ({"ratelimit": '"default";r=5;t=30'}, None),
        ({"ratelimit": '"minute";r=0;t=30, "hour";r=0;t=600, "day";r=9;t=9999'}, 600),
        ({"ratelimit": '"a,b;r=0;t=5";r=3;t=30'}, None),
        ({"ratelimit": '"default";r=0'}, None),
        ({"ratelimit": '"default";r=0.5;t=30'}, None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(EPOCH + 45)}, 45),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str((EPOCH + 45) * 1000)}, 45),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "45"}, 45),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(EPOCH - 1)}, None),
        ({"x-ratelimit-remaining": "12", "x-ratelimit-reset": str(EPOCH + 45)}, None),
        ({"x-rate-limit-remaining": "0", "x-rate-limit-reset": "45"}, 45),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "9" * 400}, None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "-5"}, None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(EPOCH + 604801)}, None),
        ({"ratelimit": '"default";r=0;t=999999999'}, None),
    ],
)
def test_a_limit_that_is_used_up_is_understood_in_every_form(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert pause_s(200, headers, NOW) == seconds


def test_a_moment_is_that_of_the_servers_clock() -> None:
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(EPOCH), "date": DATE}

    assert pause_s(200, headers, NOW) == 60


@pytest.mark.parametrize("code", [429, 503])
@pytest.mark.parametrize("value", ["90", "Mon, 02 Mar 2026 09:01:30 GMT"])
def test_a_pause_is_asked_for_in_both_forms(code: int, value: str) -> None:
    assert pause_s(code, {"retry-after": value}, NOW) == 90


def test_where_several_are_named_the_longest_counts() -> None:
    headers = {"retry-after": "90", "ratelimit-remaining": "0", "ratelimit-reset": "30"}

    assert pause_s(429, headers, NOW) == 90


def test_a_page_that_is_there_asks_for_no_pause() -> None:
    assert pause_s(200, {"retry-after": "90"}, NOW) is None


@given(value=st.text(max_size=60) | st.from_regex(r'("[^"]*";r=\d*;t=\d*,? ?)+'))
def test_no_header_is_too_strange(value: str) -> None:
    headers = dict.fromkeys(
        ("ratelimit", "ratelimit-remaining", "ratelimit-reset", "x-ratelimit-remaining",
         "x-ratelimit-reset", "retry-after", "date"), value
    )  # fmt: skip

    seconds = pause_s(429, headers, NOW)

    assert seconds is None or seconds >= 0
