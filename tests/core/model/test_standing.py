# SPDX-License-Identifier: AGPL-3.0-or-later
"""What needs the archivist follows from how the archive stands."""

from dataclasses import replace

import pytest

from carrel.model import JobState
from carrel.model.figures import Amount, Figures
from carrel.model.need_words import sentence_on
from carrel.model.sizes import GIBIBYTE
from carrel.model.standing import Need, Room, Standing

FIGURES = Figures("2026-03-14T09:26:53Z", held=Amount(9, 90, 900))
TIB = 1024 * GIBIBYTE


def needs(**figures: object) -> dict[Need, int]:
    return dict(Standing(replace(FIGURES, **figures)).needs)  # type: ignore[arg-type]  # by name


def test_nothing_needs_anyone_where_all_is_well() -> None:
    assert needs(queue={JobState.QUEUED: 4, JobState.DONE: 2}, watched={"same": 3}) == {}


def test_each_need_has_its_count_and_the_most_pressing_stands_first() -> None:
    found = needs(
        incomplete=5,
        damaged=1,
        on_hold=2,
        queue={JobState.ASKING: 3, JobState.FAILED: 4},
        watched={"same": 9, "changed": 2, "new version": 1, "restricted now": 1, "gone": 6},
    )

    assert list(found.items()) == [
        (Need.DAMAGED, 1),
        (Need.ON_HOLD, 2),
        (Need.ASKING, 3),
        (Need.GONE, 6),
        (Need.RESTRICTED, 1),
        (Need.CHANGED, 3),
        (Need.FAILED, 4),
        (Need.INCOMPLETE, 5),
    ]


@pytest.mark.parametrize(
    ("free", "total", "is_low"),
    [
        (9 * GIBIBYTE, TIB, True),
        (11 * GIBIBYTE, TIB, False),  # of a large disk that is little, and enough for a while
        (6 * GIBIBYTE, 8 * GIBIBYTE, False),  # a stick that is nearly empty
        (GIBIBYTE // 2, 8 * GIBIBYTE, True),
    ],
)
def test_a_disk_is_low_by_what_is_left_and_by_its_share(
    free: int, total: int, is_low: bool
) -> None:
    assert Room(free, total).is_low is is_low
    assert (Need.ROOM in Standing(FIGURES, Room(free, total)).needs) is is_low


def test_a_disk_that_does_not_say_is_not_called_low() -> None:
    assert Standing(FIGURES, None).needs == {}


@pytest.mark.parametrize(
    "more",
    [
        {"held": Amount(1, 1, 1)},
        {"queue": {JobState.FAILED: 1}},
        {"watched": {"same": 1}},
        {"harvests": 1},
    ],
)
def test_an_archive_is_empty_only_with_nothing_in_it(more: dict[str, object]) -> None:
    empty = Figures("2026-03-14T09:26:53Z")

    assert Standing(empty).is_empty
    assert not Standing(replace(empty, **more)).is_empty  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize("need", Need)
def test_each_need_is_a_sentence_in_both_numbers(need: Need) -> None:
    assert "{" not in sentence_on(need, 1, "1") + sentence_on(need, 12, "12")
