# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the window does by itself while it is open: begun with the archive, told below the pages."""

from PySide6.QtCore import QObject

from carrel.engine import Engine
from carrel.model.events import QueueHeldBack, ScheduleChanged
from carrel.model.schedule import Ending, ScheduledRun, Task
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.background import Notifier, StatusLine
from carrel_desktop.session import Session
from carrel_desktop.widgets.requests_bar import NoticeBar


class Scheduling(QObject):
    """Follows the schedule of an open archive. In one that is only read nothing is scheduled."""

    def __init__(
        self, session: Session, status: StatusLine, notice: NoticeBar, notifier: Notifier
    ) -> None:
        super().__init__(status)
        self._session, self._status = session, status
        self._notice, self._notifier = notice, notifier
        self._doing = self._waits = ""
        session.opened.connect(self._on_opened)
        session.events.connect(self._on_events)
        session.pauses.changed.connect(self._show)

    def _on_opened(self) -> None:
        if not self._session.read_only_because:
            self._session.start(self._session.order(_begin))

    def _on_events(self, events: list[object]) -> None:
        for event in events:
            if isinstance(event, ScheduleChanged):
                self._doing = _words(event)
                self._tell_end(event.run)
            elif isinstance(event, QueueHeldBack):
                self._waits = event.reason
        self._show()

    def _show(self) -> None:
        told = (self._doing or self._waits, self._session.pauses.words)
        self._status.show_scheduled(" ".join(filter(None, told)))

    def _tell_end(self, run: ScheduledRun) -> None:
        """Tell what someone has to do something about; what went well is in the status line."""
        if run.ending not in (Ending.FOUND, Ending.FAILED):
            return
        titles = {
            Task.VERIFY: tr("The scheduled verification found damage."),
            Task.WATCH: tr("The scheduled check of watched datasets ended."),
            Task.ARCHIVE: tr("Scheduled archiving ended."),
            Task.COPY: tr("A second copy is not complete."),
        }
        failed = {
            Task.VERIFY: tr("The scheduled verification failed."),
            Task.WATCH: tr("The scheduled check of watched datasets failed."),
            Task.ARCHIVE: tr("Scheduled archiving failed."),
            Task.COPY: tr("Scheduled copying failed."),
        }
        title = (failed if run.ending is Ending.FAILED else titles)[run.task]
        self._notice.say(f"{title} {run.message}")
        self._notifier.tell(title, run.message)


def _begin(engine: Engine) -> None:
    engine.schedule.begin()


def _words(event: ScheduleChanged) -> str:
    if not event.words:
        return ""
    done, total = quantities.number(event.run.done), quantities.number(event.run.total)
    return tr("{words} ({done} of {total} done)", words=event.words, done=done, total=total)
