# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the list of holdings is made of, and how little is done again for it."""

from dataclasses import replace
from typing import ClassVar

import pytest
from pytestqt.qtbot import QtBot

from carrel_desktop.views.holdings.model import Column, HoldingsModel, holding_of
from carrel_desktop.views.holdings.table import hidden_columns, outcome_width
from support import fake_datasets as sets


class Watched(str):
    """A text that counts how often it is looked into."""

    __slots__ = ()
    looks: ClassVar[list[str]] = []

    def casefold(self) -> str:
        self.looks.append(self)
        return super().casefold()

    def __contains__(self, word: object) -> bool:
        self.looks.append(self)
        return isinstance(word, str) and super().__contains__(word)


@pytest.fixture
def looks() -> list[str]:
    Watched.looks.clear()
    return Watched.looks


def a_model(*titles: str) -> HoldingsModel:
    base = holding_of(sets.holdings()[-1].to_json())
    model = HoldingsModel()
    model.show_holdings(
        [
            replace(
                base,
                asked=f"https://x/{number}",
                title=Watched(title),
                sought=Watched(title.casefold()),
                finished=f"2026-03-{28 - number:02}T00:00:00Z",
            )
            for number, title in enumerate(titles)
        ]
    )
    return model


def listed(model: HoldingsModel) -> list[str]:
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_an_order_that_was_made_is_not_made_again(qtbot: QtBot, looks: list[str]) -> None:
    model = a_model("Tide", "moor", "Fen")

    model.sort(Column.DATASET)
    model.sort(Column.SIZE)
    model.sort(Column.DATASET)

    assert listed(model) == ["Fen", "moor", "Tide"]
    assert len(looks) == 3


def test_more_letters_are_sought_among_what_was_found(qtbot: QtBot, looks: list[str]) -> None:
    model = a_model("Tide", "Tin", "Moor", "Fen")

    model.seek("t")
    model.seek("ti")
    model.seek("tid")

    assert listed(model) == ["Tide"]
    assert len(looks) == 4 + 2 + 2


@pytest.mark.parametrize(
    ("before", "after"),
    [("tid", "ti"), ("tide fen", "fen"), ("tide", "edit"), ("t", ""), ("", "t"), ("i", "ti fen")],
)
def test_a_search_after_another_finds_what_it_finds_alone(
    qtbot: QtBot, before: str, after: str
) -> None:
    titles = ("Tide", "Tin fen", "Moor", "Tide fen", "Edition")
    model, alone = a_model(*titles), a_model(*titles)

    model.seek(before)
    model.seek(after)
    alone.seek(after)

    assert listed(model) == listed(alone)


def test_of_equals_the_newest_comes_first_either_way(qtbot: QtBot) -> None:
    model = a_model("First", "Second")

    model.sort(Column.PLATFORM)

    assert listed(model) == ["First", "Second"]


def test_where_room_is_short_titles_have_more_of_it_than_outcomes(qtbot: QtBot) -> None:
    width = 358  # of the table in the smallest window

    assert hidden_columns(width) == {Column.PLATFORM, Column.SIZE, Column.ARCHIVED}
    assert outcome_width(is_narrow=True) * 5 < width * 2
    assert outcome_width(is_narrow=True) < outcome_width(is_narrow=False)
