# SPDX-License-Identifier: AGPL-3.0-or-later
"""Hours of the week, on clocks that are put forward and back."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.model.hours import Hours

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = "22:00-06:00"


def local(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("text", "moment", "is_in"),
    [
        ("", "2026-03-02T12:00", True),
        (NIGHT, "2026-03-02T22:00", True),
        (NIGHT, "2026-03-02T05:59", True),
        (NIGHT, "2026-03-02T06:00", False),
        (NIGHT, "2026-03-02T21:59", False),
        ("Mon-Fri 20:00-07:00", "2026-03-07T06:59", True),  # Saturday: Friday's night
        ("Mon-Fri 20:00-07:00", "2026-03-07T20:30", False),
        ("Mon-Fri 20:00-07:00, Sat-Sun 00:00-24:00", "2026-03-07T20:30", True),
        ("Sun 8:00-7:30", "2026-03-09T07:29", True),
        ("Fri-Mon 10:00-11:00", "2026-03-08T10:30", True),
        ("Fri-Mon 10:00-11:00", "2026-03-10T10:30", False),
    ],
)
def test_a_moment_is_within_the_hours_or_not(text: str, moment: str, is_in: bool) -> None:
    assert Hours(text, BERLIN).include(local(moment)) is is_in


@pytest.mark.parametrize(
    ("text", "moment", "change"),
    [
        (NIGHT, "2026-03-02T12:00", "2026-03-02T22:00"),
        (NIGHT, "2026-03-02T23:00", "2026-03-03T06:00"),
        ("Sat 10:00-12:00", "2026-03-02T12:00", "2026-03-07T10:00"),
        ("Mon 10:00-12:00", "2026-03-02T11:00", "2026-03-02T12:00"),
        ("Mon 10:00-12:00", "2026-03-02T12:00", "2026-03-09T10:00"),
        ("Mon 10:00-12:00, Mon 11:00-13:00", "2026-03-02T11:30", "2026-03-02T13:00"),
        ("Fri 20:00-24:00, Sat-Sun 00:00-24:00", "2026-03-06T21:00", "2026-03-09T00:00"),
    ],
)
def test_it_is_known_when_the_hours_change_next(text: str, moment: str, change: str) -> None:
    assert Hours(text, BERLIN).next_change(local(moment)) == local(change)


@pytest.mark.parametrize("text", ["", "00:00-24:00", "8:00-20:00, 20:00-8:00"])
def test_hours_that_never_end_do_not_change(text: str) -> None:
    assert Hours(text, BERLIN).next_change(local("2026-03-02T12:00")) is None


def test_the_night_is_an_hour_shorter_when_summer_begins() -> None:
    hours = Hours(NIGHT, BERLIN)
    begins, ends = (datetime(2026, 3, 28, 21, tzinfo=UTC), datetime(2026, 3, 29, 4, tzinfo=UTC))

    assert hours.next_change(local("2026-03-28T12:00")) == begins
    assert hours.next_change(begins) == ends
    assert ends - begins == timedelta(hours=7)


def test_the_night_is_an_hour_longer_when_summer_ends() -> None:
    begins = local("2026-10-24T22:00").astimezone(UTC)

    ends = Hours(NIGHT, BERLIN).next_change(begins)

    assert ends is not None
    assert ends - begins == timedelta(hours=9)


def test_a_time_that_the_clock_leaves_out_comes_as_much_later() -> None:
    hours = Hours("02:30-02:45", BERLIN)

    assert hours.next_change(local("2026-03-29T00:00")) == local("2026-03-29T03:30")
    assert hours.include(local("2026-03-29T03:40"))
    assert not hours.include(local("2026-03-29T03:10"))


def test_of_a_time_that_comes_twice_the_first_is_meant() -> None:
    hours, first = Hours("02:30-02:45", BERLIN), datetime(2026, 10, 25, 0, 30, tzinfo=UTC)

    assert hours.include(first)
    assert not hours.include(first + timedelta(hours=1))


def test_a_day_begins_at_midnight_whatever_its_length() -> None:
    hours, noon = Hours("", BERLIN), local("2026-10-25T12:00")

    assert hours.day_begins(noon) == local("2026-10-25T00:00")
    assert hours.day_ends(noon) - hours.day_begins(noon) == timedelta(hours=25)


@pytest.mark.parametrize("text", ["25:00-26:00", "Mon", "22-06", "Mo 10:00-12:00", "10:00-12:00,"])
def test_what_is_no_hours_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no hours"):
        Hours(text)


@given(
    st.sampled_from([NIGHT, "Mon-Fri 20:00-07:00", "02:30-02:45", "Sun 01:00-03:30, 12:00-13:00"]),
    st.integers(0, 365 * 86_400),
)
def test_between_two_changes_nothing_changes(text: str, seconds: int) -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    hours = Hours(text, BERLIN)
    change = hours.next_change(moment)

    assert change is not None
    assert change > moment
    assert hours.include(change) is not hours.include(moment)
    assert hours.include(change - timedelta(seconds=1)) is hours.include(moment)


@pytest.mark.parametrize(
    "text", ["08:00-08:00", "8:00-08:00", "00:00-0:00", "Mon 08:00-09:00, Tue 7:00-7:00"]
)
def test_hours_that_end_when_they_begin_are_none(text: str) -> None:
    """A whole day may be meant, or nothing at all."""
    with pytest.raises(ValueError, match="are no hours"):
        Hours(text)


@pytest.mark.parametrize("text", ["00:00-24:00", "18:00-8:00", "1:00-11:00", "08:00-18:00"])
def test_hours_that_end_at_another_time_are_some(text: str) -> None:
    assert not Hours(text).are_all
