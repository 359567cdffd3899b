# SPDX-License-Identifier: AGPL-3.0-or-later
"""What came of a look that shows no new row."""

from PySide6.QtCore import Signal

from carrel_desktop.widgets.labels import ElidedLabel


class ToldLine(ElidedLabel):
    """A quiet line under the field, hidden while there is nothing to say; `said` carries it."""

    said = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("tone", "secondary")
        self.setObjectName("told")
        self.hide()

    def put_away(self) -> None:
        """Say nothing any more."""
        self.hide()

    def say(self, sentence: str) -> None:
        """Show a sentence."""
        self.setText(sentence)
        self.show()
        self.said.emit(sentence)
