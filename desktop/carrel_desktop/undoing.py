# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was done last and can be taken back: by Ctrl+Z, by the Edit menu, or from the notice."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal


@dataclass(frozen=True, slots=True)
class Done:
    """What was done, in a sentence, and what takes it back."""

    sentence: str
    undo: Callable[[], None]


class LastDone(QObject):
    """Holds what was done last; the one before cannot be taken back any more.

    `changed` is emitted when something can be taken back, or nothing any more; `undone` after it
    was.
    """

    changed = Signal()
    undone = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.last: Done | None = None

    def hold(self, done: Done) -> None:
        self.last = done
        self.changed.emit()

    def undo(self) -> None:
        """Take back what was done last; nothing happens where there is nothing."""
        last, self.last = self.last, None
        if last is not None:
            self.changed.emit()
            last.undo()
            self.undone.emit()
