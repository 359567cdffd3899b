# SPDX-License-Identifier: AGPL-3.0-or-later
"""The page in sight is as large as its place, whatever came and went on it."""

import random

from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from carrel_desktop.widgets.layouts import rest, scrolled, vertical
from carrel_desktop.widgets.page_stack import PageStack


def test_a_page_is_as_large_as_its_place_after_every_change(qtbot: QtBot) -> None:
    page, label, body, stack = QWidget(), QLabel(), QWidget(), PageStack()
    label.setWordWrap(True)
    body.setMinimumHeight(200)
    vertical(label, rest(body), on=page)
    stack.add(page)
    stack.open(page)
    area = scrolled(stack)
    qtbot.addWidget(area)
    area.show()
    source = random.Random(1)
    changes = (
        lambda: label.setText("word " * source.randrange(1, 600)),
        lambda: label.setVisible(label.isHidden()),
        lambda: area.resize(source.randrange(300, 700), source.randrange(200, 600)),
    )

    for _ in range(200):
        source.choice(changes)()
        qtbot.wait(1)

        assert page.size() == stack.size()
        assert stack.height() >= area.viewport().height()
