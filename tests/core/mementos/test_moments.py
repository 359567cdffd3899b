# SPDX-License-Identifier: AGPL-3.0-or-later
"""Moments in digits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import QueryError
from carrel.mementos import moments


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2016", "20160101000000", "20161231235959"),
        ("20161", "20161001000000", "20161931235959"),
        ("20160", "20160101000000", "20160931235959"),
        ("201602", "20160201000000", "20160231235959"),
        ("20160229", "20160229000000", "20160229235959"),
        ("20160229101112", "20160229101112", "20160229101112"),
        ("20160229101112345", "20160229101112", "20160229101112"),
    ],
)
def test_a_shortened_moment_is_a_span(text: str, first: str, last: str) -> None:
    assert (moments.beginning(text, "from"), moments.end(text, "to")) == (first, last)


@pytest.mark.parametrize("text", ["", "abc", "201", "2016-01-01", "٢٠١٦", "20160230"])
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(QueryError, match="from"):
        moments.beginning(text, "from")


@given(st.text("0123456789", min_size=0, max_size=20))
def test_any_digits_are_a_moment_or_refused(text: str) -> None:
    try:
        whole = moments.beginning(text, "from")
    except QueryError:
        return
    assert moments.moment(whole).year == int(text[:4])
