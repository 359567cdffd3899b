# SPDX-License-Identifier: AGPL-3.0-or-later
"""Facets by which a list is narrowed down, by mouse and by keyboard."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from carrel_desktop.theme import Theme
from carrel_desktop.widgets.facet_panel import MOST_SHOWN, FacetPanel, FacetValues

STATES = FacetValues("state", "State", [("bad", "Damaged", 1), ("good", "Complete", 1234)])
NONE = FacetValues("tag", "Tags", [])
MANY = FacetValues("platform", "Platform", [(f"p{at}", f"P {at}", 50 - at) for at in range(30)])
Value = Qt.ItemDataRole


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> Iterator[FacetPanel]:
    panel = FacetPanel(theme, "facets", "Narrow down by")
    panel.resize(300, 900)
    panel.show_facets([STATES, NONE, MANY], {})
    panel.show()
    yield panel
    panel.close()
    panel.deleteLater()


def item(panel: FacetPanel, text: str) -> QTreeWidgetItem:
    found = panel.findItems(text, Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive)
    assert len(found) == 1, text
    return found[0]


def shown(panel: FacetPanel, heading: str) -> list[str]:
    above = item(panel, heading)
    return [text_of(above.child(at)) for at in range(above.childCount())]


def text_of(item: QTreeWidgetItem | None) -> str:
    assert item is not None
    return item.text(0)


def is_ticked(panel: FacetPanel, text: str) -> bool:
    return item(panel, text).checkState(0) is Qt.CheckState.Checked


def test_values_stand_under_headings_with_their_counts(panel: FacetPanel) -> None:
    good = item(panel, "Complete")

    assert shown(panel, "State") == ["Damaged", "Complete"]
    assert good.text(1) == "1,234"
    assert good.data(0, Value.AccessibleTextRole) == "Complete: 1,234"
    assert panel.accessibleName() == "Narrow down by"
    headings = [text_of(panel.topLevelItem(at)) for at in range(panel.topLevelItemCount())]
    assert headings == ["State", "Platform"]  # one without values is none


def test_what_is_ticked_is_told_by_facet_and_unticked_again(panel: FacetPanel) -> None:
    told: list[object] = []
    panel.chosen.connect(told.append)

    item(panel, "Damaged").setCheckState(0, Qt.CheckState.Checked)
    item(panel, "Complete").setCheckState(0, Qt.CheckState.Checked)
    item(panel, "Damaged").setCheckState(0, Qt.CheckState.Unchecked)
    item(panel, "Complete").setCheckState(0, Qt.CheckState.Unchecked)

    assert told == [
        {"state": frozenset(["bad"])},
        {"state": frozenset(["bad", "good"])},
        {"state": frozenset(["good"])},
        {},
    ]


def test_of_many_the_first_are_shown_and_the_rest_on_demand(panel: FacetPanel) -> None:
    assert len(shown(panel, "Platform")) == MOST_SHOWN + 1
    assert shown(panel, "Platform")[-1] == "22 more…"

    panel.setFocus()
    panel.setCurrentItem(item(panel, "22 more…"))
    QTest.keyClick(panel, Qt.Key.Key_Return)

    assert len(shown(panel, "Platform")) == 30
    assert text_of(panel.currentItem()) == "P 8"  # the keyboard goes on where it stood


def test_a_click_shows_the_rest_too(panel: FacetPanel) -> None:
    place = panel.visualItemRect(item(panel, "22 more…")).center()

    QTest.mouseClick(panel.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert len(shown(panel, "Platform")) == 30


def test_the_keyboard_ticks_and_stays_where_it_is_when_all_is_counted_anew(
    panel: FacetPanel,
) -> None:
    told: list[object] = []
    panel.chosen.connect(told.append)
    panel.setFocus()
    panel.setCurrentItem(item(panel, "Damaged"))

    QTest.keyClick(panel, Qt.Key.Key_Down)
    QTest.keyClick(panel, Qt.Key.Key_Space)
    fewer = FacetValues("state", "State", [("good", "Complete", 7)])
    panel.show_facets([fewer, MANY], {"state": frozenset(["good"])})

    assert told == [{"state": frozenset(["good"])}]
    assert text_of(panel.currentItem()) == "Complete"
    assert is_ticked(panel, "Complete")
    assert item(panel, "Complete").text(1) == "7"


def test_what_is_ticked_and_what_was_unfolded_stay_so(panel: FacetPanel) -> None:
    panel.setCurrentItem(item(panel, "22 more…"))
    panel.itemActivated.emit(panel.currentItem(), 0)

    panel.show_facets([STATES, MANY], {"platform": frozenset(["p29"])})

    assert len(shown(panel, "Platform")) == 30
    assert is_ticked(panel, "P 29")


def test_what_is_ticked_is_shown_also_among_the_rest(panel: FacetPanel) -> None:
    panel.show_facets([MANY], {"platform": frozenset(["p20"])})

    assert shown(panel, "Platform")[MOST_SHOWN:] == ["P 20", "21 more…"]
    assert is_ticked(panel, "P 20")


def test_while_somebody_works_with_it_no_value_moves(panel: FacetPanel) -> None:
    panel.setFocus()
    fewer = FacetValues("state", "State", [("good", "Complete", 2), ("new", "Incomplete", 9)])

    panel.show_facets([fewer, MANY], {})

    assert shown(panel, "State") == ["Damaged", "Complete", "Incomplete"]
    assert [item(panel, each).text(1) for each in ("Damaged", "Complete")] == ["0", "2"]

    panel.clearFocus()
    panel.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)  # wherever it is on this screen
    panel.show_facets([fewer], {})

    assert shown(panel, "State") == ["Complete", "Incomplete"]


def looks(panel: FacetPanel, text: str) -> bytes:
    return bytes(panel.viewport().grab(panel.visualItemRect(item(panel, text))).toImage().bits())


def test_the_line_that_has_the_keyboard_is_marked(panel: FacetPanel) -> None:
    panel.activateWindow()
    panel.setFocus()
    panel.setCurrentItem(item(panel, "Damaged"))
    before = looks(panel, "Damaged"), looks(panel, "Complete")
    QTest.keyClick(panel, Qt.Key.Key_Down)
    after = looks(panel, "Damaged"), looks(panel, "Complete")
    assert before[0] != after[0]
    assert before[1] != after[1]


def test_a_value_that_is_a_sentence_is_whole(panel: FacetPanel) -> None:
    sentence = "Recognised by the extension of its name only, which may say anything"
    panel.show_facets([FacetValues("risk", "Needs", [("x", sentence, 4), ("y", "Short", 1)])], {})
    panel.resize(200, 400)
    QTest.qWait(10)
    long, short = (panel.visualItemRect(item(panel, each)) for each in (sentence, "Short"))
    assert long.height() > 2 * short.height()
    assert short.top() >= long.bottom()
