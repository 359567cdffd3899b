# SPDX-License-Identifier: AGPL-3.0-or-later
"""A look at how the watched datasets stand now: one at a time, from its beginning to its end."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from carrel.model.dark_views import RunProgress
from carrel_desktop.run_stream import streaming
from carrel_desktop.session import Session


class Looking(QObject):
    """`moved` carries how far it is (a RunProgress)."""

    began = Signal()
    stopping = Signal()
    moved = Signal(object)
    ended = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.is_running = False
        self.is_stopping = False

    def start(self, urls: Sequence[str]) -> None:
        """Look at these, or with none given at all, unless a look is under way."""
        if not self.is_running:
            self._session.start(self._look(urls), is_asked=True)

    def stop(self) -> None:
        """End the look; what was seen by then is noted."""
        if self.is_running:
            self.is_stopping = True
            self.stopping.emit()
            self._session.start(self._session.order(lambda engine: engine.watching.stop()))

    async def _look(self, urls: Sequence[str]) -> None:
        self.is_running, self.is_stopping = True, False
        self.began.emit()
        async with streaming(self, self._on_moved, self._on_ended) as tell:
            await self._session.call(lambda engine: engine.watching.look(urls, tell))

    def _on_ended(self) -> None:
        self.is_running = False
        self.ended.emit()

    def _on_moved(self, told: Sequence[RunProgress]) -> None:
        if not self.is_stopping:  # then it is said that it stops, and no more
            self.moved.emit(told[-1])
