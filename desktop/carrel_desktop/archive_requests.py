# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive asks for that is the person's to decide: asked, answered, remembered."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from carrel.settings import Answer, InForce
from carrel_desktop.session import Session
from carrel_desktop.views.settings.requested import lines_about
from carrel_desktop.widgets.requests_bar import RequestsBar


class Requests(QObject):
    """Asks, and has the archive opened once more with the answer, unless that would interrupt.

    `remembered` is emitted with True when it is to be opened again, with False when the answer
    holds from the next time on.
    """

    remembered = Signal(bool)

    def __init__(
        self, session: Session, bar: RequestsBar, would_interrupt: Callable[[], bool]
    ) -> None:
        super().__init__(bar)
        self._session, self._bar, self._would_interrupt = session, bar, would_interrupt
        self._asked: InForce | None = None
        session.requested.connect(self.ask)
        bar.answered.connect(self._on_answered)

    def ask(self, holds: InForce) -> None:
        self._asked = holds
        self._bar.ask(lines_about(holds.requests))

    def _on_answered(self, answer: Answer) -> None:
        holds, self._asked = self._asked, None
        if holds is not None:
            self._bar.hide()
            self._session.remember(holds, answer, self._on_remembered)

    def _on_remembered(self) -> None:
        if self._session.is_open:
            self.remembered.emit(not self._would_interrupt())
        else:
            self._session.try_again()
