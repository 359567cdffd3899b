# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a row of the holdings says, which columns give way, and facets in words."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from carrel.model import Status
from carrel.model.holdings import Checked, Facet, HoldingRow, Order, Proven, State
from carrel.model.licenses import UNKNOWN
from carrel.model.proof import Grade
from carrel_desktop.holding_rows import columns, facets
from carrel_desktop.holding_rows.columns import ORDERS, UNUSUAL, proven
from carrel_desktop.theme import space
from carrel_desktop.widgets.table.view import hidden_columns
from support.holding_rows import DUNES

YIELDING = (
    *(Order.PROOF, Order.CREATORS, Order.VERSION, Order.LICENSE, Order.FILES),
    *(Order.PLATFORM, Order.SIZE, Order.CHECKED, Order.ARCHIVED, Order.STATE),
)
IN_THEIR_ORDER = [ORDERS.index(each) for each in YIELDING]


def told(row: HoldingRow, order: Order) -> str:
    return columns.holdings().columns[ORDERS.index(order)].text(row)


def tip(row: HoldingRow, order: Order) -> str:
    column = columns.holdings().columns[ORDERS.index(order)]
    assert column.tip
    return column.tip(row)


def spoken(row: HoldingRow) -> str:
    return columns.holdings().said(row)


def test_a_row_says_what_tells_it_from_others() -> None:
    partial = replace(DUNES, kept_count=11)
    nameless = replace(DUNES, title=DUNES.identifier, platform_version="")

    assert columns.second_line(DUNES) == "10.5281/zenodo.7041152 · v2.1 · 12 files"
    assert columns.second_line(partial) == "10.5281/zenodo.7041152 · v2.1 · 11 of 12 files"
    assert columns.second_line(nameless) == f"{DUNES.base_url} · 12 files"


def test_a_later_attempt_is_told_beside_what_is_held() -> None:
    retried = replace(DUNES, last_status=Status.NETWORK_ERROR, last_started=DUNES.archived)

    assert told(retried, Order.STATE) == "Complete"
    assert columns.beside(retried) == "Last attempt: Network failed"
    assert "Last attempt: Network failed" in spoken(retried)
    assert "Last attempt: Network failed" in tip(retried, Order.STATE)


@pytest.mark.parametrize(
    ("missing", "word", "state"),
    [(0, "Damaged", State.DAMAGED), (1, "Records missing", State.MISSING)],
)
def test_what_is_not_sound_is_told_in_place_of_how_it_was_kept(
    missing: int, word: str, state: State
) -> None:
    bad = replace(DUNES, failed=2, missing=missing)

    assert (told(bad, Order.STATE), bad.state) == (word, state)
    assert columns.beside(bad) == "2 records"
    assert f"{word}\n2 records" in spoken(bad)
    assert "Choose it to see what helps." in tip(bad, Order.STATE)


def test_damage_without_a_loss_is_no_loss_in_a_row() -> None:
    twinned = replace(DUNES, failed=2, missing=1, twinned=2)
    state = columns.holdings().columns[ORDERS.index(Order.STATE)]
    assert state.below

    assert (twinned.state, twinned.proven) == (State.TWINNED, DUNES.proven)
    assert told(twinned, Order.STATE) == "Damaged, not lost"
    assert columns.LOOKS[twinned.state] == ("warning", "warning")
    assert state.below(twinned) == ("2 records", "warning")
    assert replace(twinned, failed=3).state is State.MISSING


def test_what_only_an_earlier_version_lost_is_told_apart_from_damage_of_what_is_held() -> None:
    lost = replace(DUNES, failed=3, missing=2, twinned=1, earlier=2)

    assert (lost.state, lost.proven) == (State.EARLIER_LOST, DUNES.proven)
    assert told(lost, Order.STATE) == "Earlier records lost"
    assert columns.LOOKS[lost.state] == ("failed", "failed")
    assert replace(lost, failed=4).state is State.MISSING


def test_a_holding_is_complete_only_where_all_of_it_was_kept() -> None:
    assert told(replace(DUNES, kept_count=11), Order.STATE) == "Incomplete"
    assert told(replace(DUNES, status=Status.MISMATCH_MD5), Order.STATE) == "Incomplete"


def test_the_size_of_what_is_held_does_not_depend_on_what_is_not() -> None:
    partial = replace(DUNES, kept_count=11, kept_size=1_200, unknown_sizes=1)

    assert told(partial, Order.SIZE) == "1.2 KiB"
    assert told(replace(partial, unknown_sizes=2), Order.SIZE) == "at least 1.2 KiB"


def test_of_what_nothing_tells_any_more_it_is_said_that_it_is_not_known() -> None:
    lost = replace(DUNES, license=UNKNOWN, file_count=0, kept_count=0, kept_size=0)

    assert {told(lost, each) for each in (Order.LICENSE, Order.FILES, Order.SIZE)} == {"Not known"}
    assert "files not known" in columns.second_line(lost)
    assert facets.value_in_words(Facet.LICENSE, UNKNOWN) == "Not known"
    assert facets.value_in_words(Facet.LICENSE, "") == "None stated"


def test_dates_and_proof_say_no_more_than_is_known() -> None:
    later = replace(DUNES, added="2026-04-01T10:00:00Z", verified="2026-05-01T10:00:00Z")

    assert told(DUNES, Order.CHECKED) == "Not since archived"
    assert told(later, Order.CHECKED).startswith("2026-05-01")
    assert told(replace(later, verified=None), Order.CHECKED) == "Not since files were added"
    assert "\n" not in tip(DUNES, Order.ARCHIVED)
    assert "Last addition 2026-04-01" in tip(later, Order.ARCHIVED)
    assert len({told(replace(DUNES, proof=grade), Order.PROOF) for grade in Grade}) == 3


@pytest.mark.parametrize("width", [200, 400, 600, 800, 1200])
def test_columns_give_way_in_their_order(qtbot: QtBot, width: int) -> None:
    hidden = hidden_columns(columns.holdings(), width)

    assert hidden == set(IN_THEIR_ORDER[: len(hidden)])


def test_columns_that_few_ask_for_come_where_titles_are_whole(qtbot: QtBot) -> None:
    kind = columns.holdings()

    width = 240 * space(1)
    while Order.PLATFORM in {ORDERS[at] for at in hidden_columns(kind, width, UNUSUAL)}:
        width += space(1)

    hidden = hidden_columns(kind, width, UNUSUAL)
    others = sum(it.width(is_narrow=True) for at, it in enumerate(kind.columns) if at not in hidden)
    assert width - others >= space(columns.LEAST_BESIDE_MORE)


def test_a_wide_table_hides_what_nobody_wants_alone(qtbot: QtBot) -> None:
    width = 100 * columns.LEAST_TITLE

    assert hidden_columns(columns.holdings(), width) == set()
    assert hidden_columns(columns.holdings(), width, UNUSUAL) == UNUSUAL


def test_what_is_not_wanted_leaves_its_room_to_others(qtbot: QtBot) -> None:
    unwanted = {ORDERS.index(Order.ARCHIVED), *UNUSUAL}

    by_width = [hidden_columns(columns.holdings(), width, UNUSUAL) for width in (500, 700, 900)]
    freed = [hidden_columns(columns.holdings(), width, unwanted) for width in (500, 700, 900)]

    assert all(more <= less | unwanted for more, less in zip(freed, by_width, strict=True))
    assert sum(map(len, freed)) < sum(len(each | unwanted) for each in by_width)


def test_every_value_of_every_facet_has_words() -> None:
    values: dict[Facet, dict[str, int]] = {
        Facet.STATE: {each: 1 for each in State},
        Facet.PROOF: {each: 1 for each in Proven},
        Facet.CHECKED: {each: 1 for each in Checked},
        Facet.PLATFORM: {"zenodo": 2, "": 1},
        Facet.LICENSE: {"CC0-1.0": 2, "": 1},
        Facet.YEAR: {"2024": 9, "2026": 1},
        Facet.TAG: {"coast": 1},
    }

    shown = {each.facet: each for each in facets.in_words(values, {})}

    assert list(shown) == list(Facet)
    assert all(each.heading and all(text for _, text, _ in each.values) for each in shown.values())
    assert [value for value, _, _ in shown[Facet.STATE].values] == list(State)
    assert [text for _, text, _ in shown[Facet.YEAR].values] == ["2026", "2024"]
    assert shown[Facet.LICENSE].values[1][1] == "None stated"


def test_what_is_chosen_is_offered_also_where_nothing_has_it() -> None:
    chosen = {Facet.TAG: frozenset(["coast"])}

    (tags,) = [each for each in facets.in_words({}, chosen) if each.facet is Facet.TAG]

    assert tags.values == [("coast", "coast", 0)]


def test_unproven_files_may_be_some_or_all_of_a_dataset() -> None:
    assert proven(Proven.NOTHING) == "Unproven files"
