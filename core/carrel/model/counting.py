# SPDX-License-Identifier: AGPL-3.0-or-later
"""Counts with their nouns."""

from collections.abc import Sized


def counted(number: int, noun: str) -> str:
    """Return "1 dataset", "1,200 datasets" or "2 entries"; the noun is given in the singular."""
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else many}"


def count_of(things: Sized, noun: str) -> str:
    """Return how many things there are, with their noun in the singular or the plural."""
    return counted(len(things), noun)
