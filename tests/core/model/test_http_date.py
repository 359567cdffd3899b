# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dates of servers, right and wrong."""

from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from carrel.model.http_date import moment_of

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "Mon, 02 Mar 2026 09:00:00 GMT",
        "Mon, 02 Mar 2026 10:00:00 +0100",
        "Mon, 02 Mar 2026 09:00:00 -0000",
        "Mon, 02 Mar 2026 09:00:00",
    ],
)
def test_a_date_is_a_moment(text: str) -> None:
    assert moment_of(text) == NINE


@pytest.mark.parametrize("text", ["", "soon", "Mon, 99 Mar 2026 09:00:00 GMT"])
def test_what_is_no_date_is_none(text: str) -> None:
    assert moment_of(text) is None


@given(st.text(max_size=60))
@example("Mon, 01 Jan 99999999999 00:00:00 GMT")
@example("Mon, 02 Mar 2026 09:00:00 +99999999999999")
@example("Fri, 31 Dec 9999 23:59:59 -2359")
def test_no_text_is_too_much(text: str) -> None:
    moment = moment_of(text)

    assert moment is None or moment.tzinfo is UTC
