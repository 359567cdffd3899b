# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was done last and can be taken back: by Ctrl+Z, by the Edit menu, or from the notice."""

from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from carrel.translation import tr

if TYPE_CHECKING:
    from carrel_desktop.session import Session

MOST_HELD = 20


@dataclass(frozen=True, slots=True)
class Done:
    """What was done, in a sentence, and what takes it back."""

    sentence: str
    undo: Callable[[], None]


def done_with(
    session: "Session", sentence: str, back: Callable[[], Coroutine[Any, Any, object]]
) -> Done:
    """Return what was done in a session; `back` takes it back, and returns whether that changed
    anything: it may be behind one by then, as after a dataset was archived again."""

    async def take_back() -> None:
        if not await back():
            session.noted.emit(tr("There is nothing to undo: it is so already."))

    def undo() -> None:
        session.start(take_back(), is_asked=True)

    return Done(sentence, undo)


class LastDone(QObject):
    """Holds what was done last, and before: the last is taken back first.

    `changed` is emitted when something can be taken back, or nothing any more; `undone` after it
    was.
    """

    changed = Signal()
    undone = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._held = deque[Done](maxlen=MOST_HELD)

    @property
    def last(self) -> Done | None:
        """What can be taken back now, None for nothing."""
        return self._held[-1] if self._held else None

    def hold(self, done: Done) -> None:
        self._held.append(done)
        self.changed.emit()

    def undo(self) -> None:
        """Take back what was done last; nothing happens where there is nothing."""
        if self._held:
            last = self._held.pop()
            self.changed.emit()
            last.undo()
            self.undone.emit()
