# SPDX-License-Identifier: AGPL-3.0-or-later
"""Shares of a whole: what is equal has one share, and only what is whole is all."""

import pytest

from carrel_desktop import quantities


@pytest.mark.parametrize(
    ("part", "whole", "told"),
    [
        (40, 45, "89%"),
        (2, 44, "5%"),
        (1, 3, "33%"),
        (999, 1000, "99%"),
        (1, 1000, "< 1%"),
        (5, 5, "100%"),
        (0, 5, "0%"),
        (0, 0, "0%"),
    ],
)
def test_a_share_is_rounded_and_only_what_is_whole_is_all(part: int, whole: int, told: str) -> None:
    assert quantities.share(part, whole) == told
