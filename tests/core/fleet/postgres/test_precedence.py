# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which attempt a dataset shows."""

from datetime import UTC, datetime, timedelta

import pytest

from carrel.fleet.postgres.precedence import Attempt, shown

NOON = datetime(2026, 2, 1, 12, tzinfo=UTC)


def attempt(said: str) -> Attempt:
    word, second = said.split("@")
    return Attempt(NOON + timedelta(seconds=int(second)), said, word)


@pytest.mark.parametrize(
    ("came", "expected"),
    [
        ("success@1 not-found@2", "not-found@2"),
        ("not-found@2 success@1", "not-found@2"),
        ("success@1 success-existing@2", "success@1"),
        ("success-existing@2 success@1", "success@1"),
        ("success-file@1 success-existing@2 success-existing@3", "success-file@1"),
        ("success@1 not-found@2 success-existing@3", "success-existing@3"),
        ("success-existing@1 success-existing@2", "success-existing@2"),
    ],
)
def test_the_newest_is_shown_but_what_exists_never_hides_the_success(
    came: str, expected: str
) -> None:
    assert shown([attempt(each) for each in came.split()]) == attempt(expected)
