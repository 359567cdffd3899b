# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is read out to those who listen instead of looking: ends, questions, notices, results."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.page import Page
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.pages import Pages

if TYPE_CHECKING:
    from carrel_desktop.views.archive.model import DetectionModel
    from carrel_desktop.views.holdings.detail import HoldingPane
    from carrel_desktop.views.queue.model import QueueModel
    from carrel_desktop.views.queue.row import Row


class Announcer(QObject):
    """Follows what is given to it; `announced` carries each sentence that was given out."""

    announced = Signal(str)

    def __init__(self, window: QWidget, pages: Pages) -> None:
        super().__init__(window)
        self._window, self._pages = window, pages
        self._is_looking = False
        self._is_verifying = False

    def follow(self, *said: SignalInstance) -> None:
        """Read out every sentence that these signals carry."""
        for signal in said:
            signal.connect(self.say)

    def take_up(self, page: Page) -> None:
        """Follow what a page tells, from when it is made."""
        match page.kind:
            case PageKind.QUEUE:
                queue = self._pages.queue
                self._follow_queue(queue.model)
            case PageKind.ARCHIVE:
                archive = self._pages.archive
                self.follow(archive.ui.told.said)
                self._follow_list(archive.model)
            case PageKind.HOLDINGS:
                holdings = self._pages.holdings
                self._follow_verification(holdings.ui.detail)

    def _follow_queue(self, queue: "QueueModel") -> None:
        queue.ended.connect(self._on_ended)
        queue.asked.connect(self._on_asked)
        queue.came.connect(self._on_came)
        queue.turned.connect(self._on_turned)

    def _follow_list(self, found: "DetectionModel") -> None:
        """Say the end of looking, once all that was pasted has been looked at."""
        self._found = found
        found.rowsInserted.connect(self._on_looked)
        found.dataChanged.connect(self._on_looked)
        found.modelReset.connect(self._on_list_emptied)

    def _follow_verification(self, pane: "HoldingPane") -> None:
        """Say what a verification found; that it goes on is said by its bar."""
        self._pane = pane
        pane.check.said.connect(self._on_verification)

    def say(self, sentence: str) -> None:
        """Have a sentence read out."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._window, sentence))
        self.announced.emit(sentence)

    def _on_ended(self, row: "Row") -> None:
        from carrel_desktop.views.queue.view_model import state_of  # there by now

        self.say(f"{row.title}: {state_of(row.job)}")

    def _on_asked(self, row: "Row") -> None:
        question = row.job.question.text if row.job.question else ""
        self.say(f"{row.title}: {question}")

    def _on_came(self, count: int) -> None:
        self.say(tr("Added {datasets} to the queue", datasets=quantities.datasets(count)))

    def _on_turned(self, is_running: bool) -> None:
        self.say(tr("Queue resumed") if is_running else tr("Queue paused"))

    def _on_looked(self) -> None:
        from carrel_desktop.views.archive.detection import State  # there by now

        found = self._found
        was_looking, self._is_looking = self._is_looking, found.count(State.LOOKING) > 0
        if was_looking and not self._is_looking:
            datasets = quantities.datasets(len(found))
            text = tr("Checked {datasets}; {count} can be archived")
            count = quantities.number(found.count(State.READY))
            self.say(text.format(datasets=datasets, count=count))

    def _on_list_emptied(self) -> None:
        self._is_looking = False

    def _on_verification(self, sentence: str) -> None:
        was_verifying = self._is_verifying
        self._is_verifying = not self._pane.bar.isHidden()
        if was_verifying and not self._is_verifying:
            self.say(sentence)
