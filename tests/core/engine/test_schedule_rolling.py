# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which holdings are due: all of them in so many days, a part each day."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.engine.schedule.rolling import Portion, portion_of_today
from carrel.ledger.schedule import LastCheck
from carrel.model.iso_time import iso_time

START = datetime(2026, 3, 2, tzinfo=UTC)
DAY = timedelta(days=1)
LONG_AGO = iso_time(START - 900 * DAY)


def held(number: int, size: int = 1_000, verified: str | None = None) -> LastCheck:
    return LastCheck(f"{number:04}", f"Dataset {number}", size, verified, LONG_AGO)


def in_order(checks: Iterable[LastCheck]) -> list[LastCheck]:
    """Return holdings in the order of the ledger."""
    return sorted(checks, key=lambda it: (it.verified is not None, it.verified or "", it.ingest_id))


def today(checks: Iterable[LastCheck], days: int, begins: datetime, hour: int = 3) -> Portion:
    return portion_of_today(in_order(checks), days, begins, begins + timedelta(hours=hour))


def verified(
    checks: Iterable[LastCheck], due: Sequence[LastCheck], at: datetime
) -> list[LastCheck]:
    done = {each.ingest_id for each in due}
    moment = iso_time(at)
    return [replace(it, verified=moment) if it.ingest_id in done else it for it in checks]


def counts(
    checks: list[LastCheck], days: int, ran: Iterable[bool]
) -> tuple[list[int], list[LastCheck]]:
    """Let days pass, on some of which nothing runs; return how many were verified on each."""
    per_day = []
    for number, runs in enumerate(ran):
        begins = START + number * DAY
        due = today(checks, days, begins).due if runs else ()
        checks = verified(checks, due, begins + timedelta(hours=4))
        per_day.append(len(due))
    return per_day, checks


def test_all_are_verified_in_so_many_days_a_part_each_day() -> None:
    per_day, checks = counts([held(number) for number in range(300)], 30, [True] * 30)

    assert all(it.verified for it in checks)
    assert max(per_day) <= 15


def test_from_then_on_each_day_has_about_as_much_to_do() -> None:
    per_day, checks = counts([held(number) for number in range(300)], 30, [True] * 150)

    ages = [START + 150 * DAY - datetime.fromisoformat(it.verified or LONG_AGO) for it in checks]
    assert max(ages) <= 30 * DAY
    assert min(per_day[60:]) >= 8
    assert max(per_day[60:]) <= 14


def test_a_day_that_was_missed_is_caught_up_in_many() -> None:
    ran = [True] * 60 + [False] * 3 + [True] * 40

    per_day, checks = counts([held(number) for number in range(300)], 30, ran)

    ages = [START + 103 * DAY - datetime.fromisoformat(it.verified or LONG_AGO) for it in checks]
    assert max(per_day[63:]) < 2 * max(per_day[40:60])
    assert max(ages) <= 31 * DAY


def test_what_was_never_verified_comes_first_then_the_oldest() -> None:
    checks = [
        held(1, verified=iso_time(START - 3 * DAY)),
        held(2, verified=iso_time(START - 9 * DAY)),
        held(3),
    ]

    due = today(checks, 1, START).due

    assert [each.ingest_id for each in due] == ["0003", "0002", "0001"]


def test_a_run_that_was_killed_goes_on_with_the_rest_of_the_day() -> None:
    checks = [held(number) for number in range(100)]
    whole = today(checks, 10, START).due
    checks = verified(checks, whole[:4], START + timedelta(hours=3))

    rest = today(checks, 10, START, hour=5).due

    assert [*whole[:4], *rest] == list(whole)


def test_nothing_is_due_any_more_when_the_day_has_its_part() -> None:
    checks = [held(number) for number in range(100)]
    checks = verified(checks, today(checks, 10, START).due, START + timedelta(hours=3))

    assert today(checks, 10, START, hour=23).due == ()


def test_a_large_holding_is_a_day_of_its_own() -> None:
    checks = [held(0, size=10**12), *(held(number) for number in range(1, 10))]

    assert [each.ingest_id for each in today(checks, 10, START).due] == ["0000"]


def test_never_is_never() -> None:
    assert today([held(1)], 0, START) == Portion()


@pytest.mark.parametrize("moment", ["no time", "9999-12-31T23:59:59Z", ""])
def test_a_moment_that_is_none_is_long_ago(moment: str) -> None:
    assert len(today([held(1, verified=moment)], 7, START).due) == 1


@given(
    st.lists(st.tuples(st.integers(0, 10**9), st.none() | st.integers(1, 400)), min_size=1),
    st.integers(1, 120),
)
def test_a_part_is_due_of_whatever_is_held_and_never_twice_in_a_day(
    holdings: list[tuple[int, int | None]], days: int
) -> None:
    checks = [
        held(number, size, None if age is None else iso_time(START - age * DAY))
        for number, (size, age) in enumerate(holdings)
    ]

    portion = today(checks, days, START)
    later = today(verified(checks, portion.due, START + timedelta(hours=4)), days, START, hour=9)

    assert portion.due
    assert later.due == ()
    assert len({each.ingest_id for each in portion.due}) == len(portion.due)
