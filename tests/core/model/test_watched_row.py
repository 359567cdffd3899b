# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which version of a watched dataset comes before which."""

import pytest

from carrel.model.dark_views import WatchedRow


@pytest.mark.parametrize(
    ("then", "now", "is_older"),
    [
        ("1", "0.9", True),
        ("v2", "V1.10", True),
        ("1.10", "1.9", True),
        ("1.9", "1.10", False),
        ("1", "2", False),
        ("1.0", "1", False),
        ("2024-05", "2023-05", False),
        ("final", "1", False),
        (None, "1", False),
    ],
)
def test_only_numbers_say_that_a_version_comes_before_another(
    then: str | None, now: str, is_older: bool
) -> None:
    row = WatchedRow("u", "t", "new version", "", "c1", 1, then, now)

    assert row.is_older_version is is_older


def test_a_version_that_is_no_news_is_not_told_as_older() -> None:
    assert not WatchedRow("u", "t", "same", "", "c1", 1, "2", "1").is_older_version
