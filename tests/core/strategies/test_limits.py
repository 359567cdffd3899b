# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an ingest may take is counted to the byte, and what came to nothing is given back."""

import pytest

from carrel.errors import IngestStop
from carrel.model import Status
from carrel.strategies.limits import Budget


def test_a_budget_can_be_used_up_to_its_last_byte() -> None:
    budget = Budget(5)

    budget.take(5)

    with pytest.raises(IngestStop) as stop:
        budget.take(1)
    assert stop.value.status is Status.TOO_LARGE_SIZE


def test_what_is_given_back_can_be_taken_again() -> None:
    """Also while another has taken too much: who takes nothing is not the one to be stopped."""
    budget = Budget(5)
    with pytest.raises(IngestStop):
        budget.take(9)

    budget.take(0)
    budget.take(-1)
    budget.take(-8)

    budget.take(5)
