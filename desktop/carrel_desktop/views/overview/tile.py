# SPDX-License-Identifier: AGPL-3.0-or-later
"""One of the four numbers: a button as large as a card."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy

from carrel_desktop.theme import title_font
from carrel_desktop.views.overview.shown import Number
from carrel_desktop.views.overview.ways import Target
from carrel_desktop.widgets.labels import named, plain_label, wrapped
from carrel_desktop.widgets.layouts import horizontal, rest, vertical


class Tile(QPushButton):
    """`wanted` carries what is behind the number."""

    wanted = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__()
        named(self, name)
        self.setProperty("role", "tile")
        self._leads_to: Target | None = None
        self._caption = wrapped("", "secondary")
        self._figure = plain_label(font=title_font(2.0))
        self._sentence = wrapped("", "secondary")
        labels = self._caption, self._figure, self._sentence
        for each in labels:
            each.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            each.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        # Digits alone would stand at the left, wherever one begins to read.
        figure = horizontal(self._figure, rest())
        parts = self._caption, figure, self._sentence
        self._layout = vertical(*parts, rest(), gap=1, margins=(4, 3.5, 4, 3.5), on=self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.clicked.connect(self._on_clicked)

    def show_number(self, number: Number) -> None:
        """Show another number."""
        self._caption.setText(number.caption)
        self._figure.setText(number.figure)
        self._sentence.setText(number.sentence)
        self._leads_to = number.leads_to
        self.setAccessibleName(f"{number.caption}: {number.figure}")
        self.setAccessibleDescription(number.sentence)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return self._layout.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._layout.minimumSize()

    def heightForWidth(self, width: int) -> int:
        return self._layout.heightForWidth(width)

    def _on_clicked(self) -> None:
        if self._leads_to is not None:
            self.wanted.emit(self._leads_to)
