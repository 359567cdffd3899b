# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the list of holdings is made of, and how little is done again for it."""

from dataclasses import replace
from typing import ClassVar

import pytest
from pytestqt.qtbot import QtBot

from carrel.model import Status
from carrel.model.digest import Digest, digest_in
from carrel_desktop import words
from carrel_desktop.holding_rows.columns import HoldingColumn, holdings, outcome_width
from carrel_desktop.holding_rows.holding import holding_of
from carrel_desktop.holding_rows.model import HoldingsModel
from carrel_desktop.widgets.table.view import hidden_columns
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

    model.sort(HoldingColumn.DATASET)
    model.sort(HoldingColumn.SIZE)
    model.sort(HoldingColumn.DATASET)

    assert listed(model) == ["Fen", "moor", "Tide"]
    assert len(looks) == 3


def test_more_letters_are_sought_among_what_was_found(qtbot: QtBot, looks: list[str]) -> None:
    model = a_model("Tide", "Tin", "Moor", "Fen")

    model.find("t")
    model.find("ti")
    model.find("tid")

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

    model.find(before)
    model.find(after)
    alone.find(after)

    assert listed(model) == listed(alone)


def test_of_equals_the_newest_comes_first_either_way(qtbot: QtBot) -> None:
    model = a_model("First", "Second")

    model.sort(HoldingColumn.PLATFORM)

    assert listed(model) == ["First", "Second"]


def test_where_room_is_short_titles_have_more_of_it_than_outcomes(qtbot: QtBot) -> None:
    width = 358  # of the table in the smallest window

    said = ["Archived", words.outcome(Status.SPN2_CDX_LOOKUP_FAILURE), "Later: Unexpected type"]

    assert hidden_columns(holdings(lambda: said), width) == {
        HoldingColumn.PLATFORM,
        HoldingColumn.SIZE,
        HoldingColumn.ARCHIVED,
    }
    assert outcome_width(said, is_narrow=True) * 5 < width * 2
    assert outcome_width(said, is_narrow=True) < outcome_width(said, is_narrow=False)


def test_outcomes_take_no_more_room_than_they_say(qtbot: QtBot) -> None:
    few, many = ["Held"], ["Archived", "MD5 mismatch", "Restricted"]

    assert outcome_width(few, is_narrow=True) < outcome_width(many, is_narrow=True)
    assert outcome_width([], is_narrow=True) == outcome_width(few, is_narrow=True)  # the heading
    assert hidden_columns(holdings(lambda: many), 700) >= hidden_columns(holdings(lambda: few), 700)


SHA1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709"


@pytest.mark.parametrize(
    ("text", "digest"),
    [
        ("A" * 32, Digest("md5", "a" * 32)),
        (SHA1, Digest("sha1", SHA1)),
        (f"  sha256:{'0f' * 32}\n", Digest("sha256", "0f" * 32)),
        (f"SHA-256 = {'0F' * 32}", Digest("sha256", "0f" * 32)),
        (f"md5 {'0' * 32}", Digest("md5", "0" * 32)),
        ("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", Digest("sha1", SHA1)),
        ("0" * 31, None),
        (f"md5:{SHA1}", None),
        ("tide gauge", None),
        ("", None),
    ],
)
def test_a_digest_is_known_however_it_is_written(text: str, digest: Digest | None) -> None:
    assert digest_in(text) == digest


def test_what_holds_a_digest_is_listed_until_something_else_is_sought(qtbot: QtBot) -> None:
    model = a_model("Tide", "Moor", "Fen")

    model.find_among({"https://x/1"})
    assert listed(model) == ["Moor"]
    model.find("fen")
    assert listed(model) == ["Fen"]
    model.find_among(frozenset())
    assert listed(model) == []
    model.find("")

    assert listed(model) == ["Tide", "Moor", "Fen"]
