# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dates of the dark archive's commands."""

import click
import pytest

from carrel.cli.dark.dates import DATE, MOMENT, day, when


def first(text: str) -> int:
    return DATE.convert(text, None, None)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024", "2024-01-01T00:00:00Z"),
        ("2024-05", "2024-05-01T00:00:00Z"),
        (" 2024-05-01 ", "2024-05-01T00:00:00Z"),
        ("20240501", "2024-05-01T00:00:00Z"),
        ("2024-05-01T10:30", "2024-05-01T10:30:00Z"),
        ("2024-05-01 10:30:15", "2024-05-01T10:30:15Z"),
        ("2024-05-01T10:30:15.750Z", "2024-05-01T10:30:15Z"),
        ("2024-05-01T10:30:15+02:00", "2024-05-01T08:30:15Z"),
        ("1352481230", "2012-11-09T17:13:50Z"),
        ("868319999", "1997-07-07T23:59:59Z"),
        ("0", "1970-01-01T00:00:00Z"),
    ],
)
def test_a_moment_is_a_date_in_utc_or_a_tist(text: str, moment: str) -> None:
    assert when(first(text)) == moment


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024", "2024-12-31T23:59:59Z"),
        ("2024-02", "2024-02-29T23:59:59Z"),
        ("2024-05-01", "2024-05-01T23:59:59Z"),
        ("2024-05-01T10:30", "2024-05-01T10:30:00Z"),
        ("1352481230", "2012-11-09T17:13:50Z"),
    ],
)
def test_as_of_a_day_is_as_of_its_end(text: str, moment: str) -> None:
    assert when(MOMENT.convert(text, None, None)) == moment


@pytest.mark.parametrize(
    "text",
    [
        *("", "yesterday", "2024-13", "2024-02-30", "1/5/2024", "24-05-01", "2024-5-1", "-5"),
        *("2024-05-01T25:00", "2024-05-01T10", "123456789012", "²⁰²⁴", "202413", "2024-W01"),
    ],
)
def test_what_is_no_moment_is_refused_with_what_is(text: str) -> None:
    with pytest.raises(click.BadParameter, match="2024-05-01"):
        first(text)


def test_what_is_a_number_already_stays_it() -> None:
    assert DATE.convert(5, None, None) == 5


@pytest.mark.parametrize(
    ("tist", "told", "of_day"),
    [
        (None, None, "unknown"),
        (0, "1970-01-01T00:00:00Z", "1970-01-01"),
        (10**17, "1" + "0" * 17, "1" + "0" * 17),
    ],
)
def test_moments_are_told_in_utc_whatever_they_are(
    tist: int | None, told: str | None, of_day: str
) -> None:
    assert (when(tist), day(tist)) == (told, of_day)
