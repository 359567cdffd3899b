# SPDX-License-Identifier: AGPL-3.0-or-later
"""Counts agree with their nouns."""

import pytest

from carrel.model.counts import counted, more_faults
from carrel.model.sizes import in_words


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [
        (0, "job", "0 jobs"),
        (1, "entry", "1 entry"),
        (2, "journal entry", "2 journal entries"),
        (1200, "dataset", "1,200 datasets"),
    ],
)
def test_a_count_has_its_noun_in_its_number(number: int, noun: str, text: str) -> None:
    assert counted(number, noun) == text


def test_one_more_fault_is_one() -> None:
    assert [more_faults(each) for each in (1, 1200)] == [
        "There is 1 more fault.",
        "There are 1,200 more faults.",
    ]


def test_one_byte_is_no_bytes() -> None:
    assert [in_words(size) for size in (0, 1, 1023)] == ["0 bytes", "1 byte", "1023 bytes"]
