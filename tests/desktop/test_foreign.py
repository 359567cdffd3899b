# SPDX-License-Identifier: AGPL-3.0-or-later
"""Among words from right to left, identifiers and paths are read from left to right."""

import unicodedata
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMargins, QRect, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from carrel_desktop.foreign import (
    as_written,
    divisible,
    in_place,
    in_title,
    isolated,
    undivided,
)
from carrel_desktop.theme import space
from carrel_desktop.widgets.labels import ElidedLabel, named, plain_label, wrapped
from carrel_desktop.widgets.layouts import Split, bounded, mirrored
from carrel_desktop.widgets.rows import before
from carrel_desktop.widgets.title_block import Title, TitleBlock

RIGHT, LEFT = Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight
DOI = "10.5072/FK2/BRIDGE"
MARKED = f"\u2068{DOI}\u2069"


@pytest.fixture
def _from_right(qapp: QApplication) -> Iterator[None]:
    qapp.setLayoutDirection(RIGHT)
    yield
    qapp.setLayoutDirection(LEFT)


@pytest.mark.parametrize(
    "part",
    [
        DOI,
        "https://example.org/a?b=c#d",
        "doi:10.5072/FK2",
        "RePEc:abc:wpaper:1",
        "ark:/12345/x6np1wh8k",
        "/srv/archive/collections",
        "C:\\archives\\research",
        "data/wave_2.tab",
        "carrel.sqlite",
        "CARREL-20261123-00001.warc.gz",
        "d41d8cd98f00b204e9800998ecf8427e",
        "2026-11-23 17:03",
        "59.2 KiB",
        "1,234.5 MiB/s",
    ],
)
def test_what_is_written_from_left_to_right_is_isolated(part: str) -> None:
    assert isolated(f"before {part}, after.") == f"before \u2068{part}\u2069, after."
    assert as_written(isolated(part)) == part


@pytest.mark.parametrize("text", ["Burial register of St Olave, 1665", "1665 pages", "and/", ""])
def test_words_are_left_as_they_are(text: str) -> None:
    assert isolated(text) == text


@pytest.mark.usefixtures("_from_right")
def test_each_fact_of_a_line_keeps_its_own_order_and_its_count() -> None:
    placed = in_place(f"{DOI} · v1.0 · 1 מספר")

    facts = placed.split(" · ")
    assert facts[1:] == ["⁨v1.0⁩", "⁨1 מספר⁩"]
    assert as_written(placed) == f"{DOI} · v1.0 · 1 מספר"


def test_a_name_stays_in_one_line(qtbot: QtBot) -> None:
    block = TitleBlock()
    qtbot.addWidget(block)

    block.show_title(Title("Tides\n  of Essex", ["Eve\r\nX-Injected: yes\u2028Ada", "Bea\u00a0K."]))

    assert block.title.text() == "Tides of Essex"
    assert block.creators.text() == "Eve X-Injected: yes Ada; Bea\u00a0K."


def test_a_name_in_a_title_keeps_its_ending_whichever_way_it_is_written() -> None:
    assert in_title("tides.csv") == "tides.csv"
    assert in_title("بيانات.csv") == ("⁨بيانات.csv⁩")


@pytest.mark.usefixtures("_from_right")
def test_labels_isolate_where_words_run_from_the_right() -> None:
    elided = ElidedLabel()
    elided.setText(DOI)

    assert [each.text() for each in (elided, plain_label(DOI), wrapped(DOI))] == [MARKED] * 3


@pytest.mark.usefixtures("qapp")
def test_where_words_run_from_the_left_nothing_is_added() -> None:
    assert in_place(DOI) == wrapped(DOI).text() == DOI


@pytest.mark.usefixtures("_from_right")
def test_marks_from_outside_are_not_taken_for_ours() -> None:
    assert in_place("a\u2069b") == "\u2068a\ufffdb\u2069"


@pytest.mark.usefixtures("_from_right")
def test_a_line_of_foreign_words_ends_where_they_end() -> None:
    cut, hebrew = "Breeding success (of sea…", "\u05d0\u05d1 Zenodo."

    assert in_place(cut) == f"\u2068{cut}\u2069"
    assert in_place(f"One.\n{hebrew}\n12") == f"\u2068One.\u2069\n{hebrew}\n12"


@pytest.mark.usefixtures("_from_right")
def test_what_wraps_begins_at_the_side_where_the_window_begins() -> None:
    label = wrapped("Logs of a lighthouse")
    label.resize(600, 40)
    picture = label.grab().toImage()
    ground = picture.pixelColor(0, 0)

    def is_blank(columns: range) -> bool:
        return all(picture.pixelColor(x, y) == ground for x in columns for y in range(40))

    assert is_blank(range(300))
    assert not is_blank(range(300, 600))


@pytest.mark.usefixtures("_from_right")
def test_parts_and_margins_are_turned_over_to_the_pixel() -> None:
    first, second = QWidget(), QWidget()
    split = Split(first, second)
    split.resize(400, 100)
    split.show()

    assert second.geometry().left() == 0
    assert first.geometry().right() == 399
    assert mirrored(1, 2, 3, 4) == QMargins(3, 2, 1, 4)


def test_what_stands_at_the_end_of_a_row_has_its_room_there(qapp: QApplication) -> None:
    ground = QPixmap(100, 20)
    painter = QPainter(ground)
    painter.setLayoutDirection(LEFT)
    row = QRect(0, 0, 100, 20)

    assert before(painter, row, 30) == QRect(0, 0, 70, 20)
    painter.setLayoutDirection(RIGHT)
    assert before(painter, row, 30) == QRect(30, 0, 70, 20)
    painter.end()


DIGEST = "8cca7ac868ae80b43a86bddcaafeaf4ba0a38b88f9761f3f30decad27c2cb11d"


@pytest.mark.parametrize("word", [DIGEST, f"https://a.example/{DIGEST}", "ж" * 90, "ए" * 90])
def test_a_long_word_takes_no_more_room_than_its_label_has(qtbot: QtBot, word: str) -> None:
    label = wrapped(f"The received file has the SHA-256 {word}.")
    qtbot.addWidget(label)

    assert label.minimumSizeHint().width() < label.fontMetrics().averageCharWidth() * 30
    assert label.text() == f"The received file has the SHA-256 {word}."


def test_what_is_copied_of_a_long_word_is_the_word(qtbot: QtBot) -> None:
    label = wrapped(DIGEST)
    qtbot.addWidget(label)
    label.show()

    label.setSelection(0, len(QLabel.text(label)))
    QTest.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    assert QApplication.clipboard().text() == DIGEST
    assert label.accessibleName() == DIGEST


def test_a_given_name_stays_whatever_is_shown(qtbot: QtBot) -> None:
    label = named(wrapped(DIGEST), said="Published SHA-256")
    qtbot.addWidget(label)

    label.setText(DIGEST[::-1])

    assert label.accessibleName() == "Published SHA-256"


@pytest.mark.parametrize("text", ["a b c", "नमस्ते " * 3, DIGEST, "क्षत्रिय" * 8])
def test_marks_of_where_words_may_be_divided_can_be_taken_away(text: str) -> None:
    assert undivided(divisible(text)) == text
    assert not any(unicodedata.combining(after) for _, after in _around_marks(divisible(text)))


def _around_marks(text: str) -> list[tuple[str, str]]:
    return [(text[at - 1], text[at + 1]) for at, sign in enumerate(text) if sign == "\u200b"]


def test_a_pane_leaves_the_room_that_it_does_not_need_to_the_list(qtbot: QtBot) -> None:
    listed, pane = QWidget(), QWidget()
    split = Split(listed, pane, shares=(5, 4), steps=(118, 100), most=(0, 140))
    qtbot.addWidget(split)
    split.show()

    split.resize(900, 300)
    assert split.sizes()[1] > 300
    split.resize(2400, 300)

    assert pane.width() == space(140)
    assert listed.width() == 2400 - space(140) - split.handleWidth()
    assert bounded([300, 200, 500], [0, 0, 400]) == [400, 200, 400]
