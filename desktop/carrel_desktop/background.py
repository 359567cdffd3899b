# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is told of the queue: below the pages, in the side bar, by the system; and staying awake."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QSystemTrayIcon, QWidget

from carrel.model.prose import as_sentence
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.awake import KeepAwake
from carrel_desktop.foreign import shown
from carrel_desktop.icons import icon
from carrel_desktop.theme import Theme, scaled_font
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.rows import BatchEnd, Totals
from carrel_desktop.views.queue.view_model import job_view_model
from carrel_desktop.widgets.labels import ElidedLabel, plain_label
from carrel_desktop.widgets.layouts import horizontal, rest
from carrel_desktop.widgets.requests_bar import NoticeBar
from carrel_desktop.widgets.side_bar import Badge


class StatusLine(QFrame):
    """Four labels; tips of actions take the place of the first while they last."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("statusLine")
        small = scaled_font(0.93)
        self.jobs, self.scheduled = ElidedLabel(font=small), ElidedLabel(font=small)
        self.scheduled.hide()
        self.speed, self.room = plain_label(font=small), plain_label(font=small)
        parts = rest(self.jobs), rest(self.scheduled), self.speed, self.room
        self._line = horizontal(*parts, gap=6, margins=(6, 1.5, 6, 1.5), on=self)
        self.jobs.setMinimumHeight(self.jobs.fontMetrics().height())  # before the queue is read
        self._free_bytes: int | None = None

    def show_totals(self, totals: Totals, *, is_running: bool = True) -> None:
        """Show how the queue stands; that it is stopped is told while something waits in it."""
        counts = (
            (totals.asking, tr("{count} awaiting answer")),
            (totals.held_up, tr("{count} on hold")),
            (totals.at_work, tr("{count} running")),
            (totals.awaiting_host, tr("{count} waiting for a host")),
            (totals.waiting, tr("{count} queued")),
            (0 if is_running else totals.waiting, tr("queue paused")),
            (totals.told_to_pause, tr("{count} paused")),
            (totals.failed, tr("{count} failed")),
            (totals.stopped, tr("{count} cancelled")),
            (totals.done, tr("{count} done")),
        )
        parts = [text.format(count=quantities.number(count)) for count, text in counts if count]
        self.jobs.setText(" · ".join(parts) or tr("No jobs are running"))
        speed = [quantities.rate(totals.rate)] if totals.rate else []
        # How long those that wait will take is told of their batch, as far as anyone knows.
        if totals.seconds_left is not None and not totals.waiting:
            speed.append(tr("{span} left", span=quantities.span(totals.seconds_left)))
        self.speed.setText(" · ".join(speed))
        self._share_room()

    def show_scheduled(self, words: str) -> None:
        """Show what is done by itself, or why the queue waits; "" for nothing."""
        self.scheduled.setText(words)
        self.scheduled.setVisible(bool(words))
        self._share_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        """Give each of the two sentences as much of the room as it is long, and more of it where it
        is scarce: of the disk the size alone is told then."""
        if self._free_bytes is not None:
            size = quantities.size(self._free_bytes)
            whole = tr("{size} free on the archive's disk", size=size)
            is_scarce = self._needed(whole) > self.width()
            self.room.setText(tr("{size} free", size=size) if is_scarce else whole)
            self.room.setToolTip(whole)
        for label in (self.jobs, self.scheduled):
            self._line.setStretchFactor(label, max(1, _advance(label)))

    def _needed(self, of_disk: str) -> int:
        """Return how wide the line is with all its words, and these of the disk."""
        others = [each for each in (self.jobs, self.scheduled, self.speed) if not each.isHidden()]
        margins = self._line.contentsMargins()
        gaps = self._line.spacing() * len(others) + margins.left() + margins.right()
        return (
            sum(map(_advance, others)) + self.room.fontMetrics().horizontalAdvance(of_disk) + gaps
        )

    def show_room(self, free_bytes: int | None) -> None:
        if free_bytes is not None:
            self._free_bytes = free_bytes
            self._share_room()


def _advance(label: QLabel) -> int:
    return label.fontMetrics().horizontalAdvance(label.text())


def needing_badges(count: int, is_grave: bool) -> tuple[tuple[Badge, ...], str]:
    """Return how the side bar shows that so much needs attention, and the words for it; in a quiet
    colour unless anything may be lost meanwhile."""
    if not count:
        return (), ""
    look = ("failed", "failed") if is_grave else ("warning", "secondary")
    spoken = tr("needs attention: {count}", count=quantities.number(count))
    return (Badge(quantities.number(count), *look),), spoken


class QueueNotices(QObject):
    """Follows the queue; `set_badges` shows counts in the side bar, with the words for them,
    `report_of` returns the action that saves the report of a batch."""

    def __init__(
        self,
        model: QueueModel,
        notice: NoticeBar,
        status: StatusLine,
        set_badges: Callable[[tuple[Badge, ...], str], None],
        report_of: Callable[[str], QAction],
    ) -> None:
        super().__init__(notice)
        self._model, self._notice, self._status = model, notice, status
        self._set_badges, self._report_of = set_badges, report_of
        model.totalled.connect(self._on_totals)
        model.batch_ended.connect(self._on_batch_ended)
        model.held_up.connect(self._on_held_up)
        model.none_held_up.connect(self._on_none_held_up)
        model.stopped_itself.connect(self._on_stopped_itself)
        model.turned.connect(self._on_turned)
        self._of_held_up = ""  # what the bar says of a job on hold
        self._of_stop = ""  # and of a queue that stopped by itself

    def _on_totals(self, totals: Totals) -> None:
        if self._model.is_stale:
            return  # a batch that was just added is not counted yet
        is_running = self._model.is_running
        if self._model.has_read:  # else jobs may be there that nobody knows of yet
            self._status.show_totals(totals, is_running=is_running)
        counts = (
            (totals.asking, ("question", "warning"), tr("{count} awaiting answer")),
            (totals.held_up, ("warning", "warning"), tr("{count} on hold")),
            (totals.failed, ("failed", "failed"), tr("{count} failed")),
            (totals.at_work, ("running", "accent"), tr("{count} running")),
            (totals.awaiting_host, ("pause", "secondary"), tr("{count} waiting for a host")),
            (totals.waiting, ("waiting", "secondary"), tr("{count} queued")),
        )
        badges = tuple(Badge(quantities.number(count), *look) for count, look, _ in counts if count)
        spoken = ", ".join(text.format(count=count) for count, _, text in counts if count)
        if totals.waiting and not is_running:
            spoken += ", " + tr("paused")
        self._set_badges(badges, spoken)

    def _on_turned(self) -> None:
        if self._model.is_running:
            self._notice.is_over(self._of_stop)
        self._on_totals(self._model.totals())

    def _on_batch_ended(self, end: BatchEnd) -> None:
        """Say how a batch ended, with the way to its report."""
        if end.name is not None:
            title, text = told_of_end(end.name, end)
            self._notice.offer(f"{title}: {text}", self._report_of(end.name))

    def _on_held_up(self, row: Row) -> None:
        """Say what holds up the first; the side bar counts the others."""
        face = job_view_model(row, 0.0)
        text = tr("{title} is on hold. {outcome}: {reason}")
        told = text.format(title=row.title, outcome=face.state, reason=face.state_detail)
        self._of_held_up = told
        self._notice.say(told)

    def _on_none_held_up(self) -> None:
        """Take back what is not so any more."""
        self._notice.is_over(self._of_held_up)

    def _on_stopped_itself(self, reason: str) -> None:
        self._of_stop = tr("The queue was paused. {reason}", reason=reason)
        self._notice.say(self._of_stop)


def told_of_end(name: str, end: BatchEnd) -> tuple[str, str]:
    """Return that a batch has ended, and how."""
    total = quantities.number(end.done + end.failed + end.cancelled)
    text = tr("{done} of {total} archived", done=quantities.number(end.done), total=total)
    if end.failed:
        text += ", " + tr("{count} failed", count=quantities.number(end.failed))
    if end.cancelled:
        text += ", " + tr("{count} cancelled", count=quantities.number(end.cancelled))
    return tr("The batch {name} has ended", name=shown(name)), f"{text}."


class Notifier(QObject):
    """Shows messages while the window is not in front; `chosen` says that one was clicked."""

    chosen = Signal()

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._tray: QSystemTrayIcon | None = None
        self._menu: QMenu | None = None

    def tell(self, title: str, text: str) -> None:
        """Show a message; nothing happens where no one needs it, or it cannot be shown."""
        if self._window.isActiveWindow() or not self.is_possible():
            return
        self._icon().showMessage(title, text)

    def stay(self, menu: QMenu) -> None:
        """Have the icon be there all the time, with a menu."""
        self._menu = menu
        self._icon().setContextMenu(menu)

    def put_away(self) -> None:
        """Take the icon out of the tray."""
        self._menu = None
        if self._tray is not None:
            self._tray.hide()

    @staticmethod
    def is_possible() -> bool:
        """Say whether this desktop shows messages."""
        return QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()

    def _icon(self) -> QSystemTrayIcon:
        """Return the icon that messages come from; it is there from the first one on."""
        if self._tray is None:
            self._tray = QSystemTrayIcon(icon(self._theme, "carrel", "accent"), self)
            self._tray.setToolTip("Carrel")
            self._tray.messageClicked.connect(self.chosen)
            self._tray.activated.connect(self.chosen)
        self._tray.show()
        return self._tray


class Background(QObject):
    """Follows the queue."""

    def __init__(self, model: QueueModel, notifier: Notifier, awake: KeepAwake) -> None:
        super().__init__(notifier)
        self._model = model
        self._notifier = notifier
        self._awake = awake
        model.totalled.connect(self._on_totals)
        model.batch_ended.connect(self._on_batch_ended)
        model.asked.connect(self._on_asked)
        model.held_up.connect(self._on_held_up)
        model.stopped_itself.connect(self._on_stopped_itself)

    def end(self) -> None:
        """Let the computer sleep again, and take the icon away."""
        self._awake.set_held(False)
        self._notifier.put_away()

    def _on_totals(self, totals: Totals) -> None:
        self._awake.set_held(totals.running > 0, tr("Datasets are being archived"))

    def _on_batch_ended(self, end: BatchEnd) -> None:
        """Tell the end of a batch; of what came singly, the end of all."""
        if end.name is None:
            if self._model.totals().open == 0:
                self._notifier.tell(tr("The queue is done"), tr("Nothing is waiting."))
            return
        self._notifier.tell(*told_of_end(end.name, end))

    def _on_asked(self, row: Row) -> None:
        question = row.job.question.text if row.job.question else ""
        self._notifier.tell(tr("{title} needs your answer", title=row.title), question)

    def _on_held_up(self, row: Row) -> None:
        """Tell the first that cannot go on; more of them say nothing new."""
        title = tr("{title} is on hold", title=row.title)
        face = job_view_model(row, 0.0)
        self._notifier.tell(title, f"{as_sentence(face.state)} {face.state_detail}")

    def _on_stopped_itself(self, reason: str) -> None:
        self._notifier.tell(tr("The queue was paused"), reason)
