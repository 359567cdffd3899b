# SPDX-License-Identifier: AGPL-3.0-or-later
"""Shares of a whole are rounded so that they add up."""

import pytest

from carrel_desktop import quantities


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ([1, 40, 0], ["2%", "98%", "0%"]),
        ([1, 1, 1], ["34%", "33%", "33%"]),
        ([999, 1], ["99%", "< 1%"]),
        ([5, 0], ["100%", "0%"]),
        ([], []),
        ([0, 0], ["0%", "0%"]),
    ],
)
def test_shares_add_up_and_only_what_is_whole_is_all(parts: list[int], told: list[str]) -> None:
    assert list(quantities.shares(parts)) == told
