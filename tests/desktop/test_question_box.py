# SPDX-License-Identifier: AGPL-3.0-or-later
"""Boxes that ask: their words begin where their buttons may, and their titles have room."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from carrel.model.figures import Amount
from carrel_desktop.closing_questions import going, running_box
from carrel_desktop.copy_questions import gone_box, other_journal_box, repairing_box
from carrel_desktop.trial import Trial
from carrel_desktop.views.holdings.removing import removing_box

BOXES: dict[str, Callable[[QWidget], QMessageBox]] = {
    "trial": lambda parent: Trial(parent, lambda beginning: None),
    "removing": lambda parent: removing_box(parent, "Tides", Amount(1, 1, 9)),
    "copy_gone": lambda parent: gone_box(parent, "/mnt/copy"),
    "other_journal": lambda parent: other_journal_box(parent, "/mnt/copy"),
    "repairing": lambda parent: repairing_box(parent, "/mnt/copy"),
    "closing": lambda parent: running_box(parent, going(None, Path("/srv/archive")), 2),
}


@pytest.mark.parametrize("name", BOXES)
def test_words_begin_at_the_edge_and_the_title_is_whole(qtbot: QtBot, name: str) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    box = BOXES[name](parent)
    box.show()
    layout = box.layout()
    assert layout is not None
    margin = layout.contentsMargins().left()
    for each in ("qt_msgbox_label", "qt_msgbox_informativelabel"):
        label = box.findChild(QLabel, each)
        assert isinstance(label, QLabel)
        assert label.x() + label.contentsMargins().left() <= margin + 1
    title = QFontMetrics(box.font()).horizontalAdvance(f"{box.windowTitle()} — Carrel")
    assert box.width() >= title + 90  # and the buttons of its title bar
    box.close()
