# SPDX-License-Identifier: AGPL-3.0-or-later
"""The window: side bar, header, pages, status line, menus."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QSettings, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDesktopServices, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QMainWindow,
    QMessageBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from carrel.settings import Answer, InForce
from carrel.settings.consequences import lines_about
from carrel_desktop import dialogs, quantities
from carrel_desktop.announcer import Announcer
from carrel_desktop.awake import KeepAwake
from carrel_desktop.background import Background
from carrel_desktop.icons import icon
from carrel_desktop.menus import Menus
from carrel_desktop.notifications import Notifier
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.archive.view import ArchiveView
from carrel_desktop.views.archives.view import ArchivesView
from carrel_desktop.views.dark.view import DarkView
from carrel_desktop.views.holdings.view import HoldingsView
from carrel_desktop.views.mementos.view import MementosView
from carrel_desktop.views.queue.face import job_face
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.rows import Totals
from carrel_desktop.views.queue.view import QueueView
from carrel_desktop.views.settings.view import SettingsView
from carrel_desktop.views.watch.view import WatchView
from carrel_desktop.widgets.actions import make_action
from carrel_desktop.widgets.header import Header
from carrel_desktop.widgets.notice_bar import NoticeBar
from carrel_desktop.widgets.requests_bar import RequestsBar
from carrel_desktop.widgets.side_bar import Badge, SideBar
from carrel_desktop.widgets.status_line import StatusLine

ARCHIVE, QUEUE, HOLDINGS, MEMENTOS, ARCHIVES, DARK, WATCH, SETTINGS = range(8)
MEASURE_MS = 10_000
ROOM_FOR_NAMES = 200  # grid steps that the window has at least where pages stand with names


class MainWindow(QMainWindow):
    """`closed` is emitted once the person has closed the window for good.

    `next_archive` is then the archive to open instead, None to end.
    """

    closed = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session, self._theme = session, theme
        self._may_close = False
        self._closing: QMessageBox | None = None  # the question that is asked just now
        self.next_archive: Path | None = None
        self._make(theme)
        self._dress()
        self._connect()
        self.show_page(ARCHIVE)
        self.setWindowTitle(self.tr("{folder} – Carrel").format(folder=session.archive.name))
        self.setWindowIcon(icon(theme, "carrel", "accent"))
        self.resize(space(300), space(200))

    def _dress(self) -> None:
        self._theme.dress(self)

    def _make(self, theme: Theme) -> None:
        tr, session = self.tr, self._session
        self.folder_action = make_action(self, tr("Op&en archive folder"), self.open_folder)
        self.archive_view = ArchiveView(session, theme)
        self.queue_view = QueueView(session, theme)
        self.holdings_view = HoldingsView(session, theme)
        self.mementos_view = MementosView(session, theme)
        self.archives_view = ArchivesView(session, theme)
        self.dark_view = DarkView(session, theme)
        self.watch_view = WatchView(session, theme)
        self.settings_view = SettingsView(session, theme, self.folder_action)
        self._views = (
            self.archive_view,
            self.queue_view,
            self.holdings_view,
            self.mementos_view,
            self.archives_view,
            self.dark_view,
            self.watch_view,
            self.settings_view,
        )
        self.notice = NoticeBar(theme)
        self.requests = RequestsBar(theme)
        self._requested: InForce | None = None
        self.status = StatusLine()
        icons = (
            *("archive", "queue", "holdings", "mementos", "building"),
            *("dark", "watch", "settings"),
        )
        names = tr("Archive"), tr("Queue"), tr("Holdings"), tr("Mementos"), tr("Web archives")
        self._names = (*names, tr("Dark archive"), tr("Watch"), tr("Settings"))
        self.side_bar = SideBar(theme, list(zip(icons, self._names, strict=True)))
        self.pages = QStackedWidget()
        self.menus = Menus(self, theme)
        self.header = Header(theme, str(session.archive), self.folder_action)
        self._notifier = Notifier(self, theme)
        self._background = Background(self.queue_view.model, self._notifier, KeepAwake())
        self.announcer = Announcer(self)
        self._lay_out()

    def show_page(self, number: int) -> None:
        """Open a page; only its own actions can be used."""
        self.pages.setCurrentIndex(number)
        self.side_bar.choose(number)
        self.header.title.setText(self._names[number])
        self._views[number].take_focus()
        self.menus.follow_page(number)
        if number == MEMENTOS:
            self._on_trouble_over(self.mementos_view.told)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close; ask first where changes would be lost, or what is being archived would wait.

        Carrel works while its window is open. The queue loses nothing by an end, and goes on when
        the archive is opened again; but nobody should find in the morning that a chance key ended
        the night's work.
        """
        if self._closing is None and not self._may_close and not is_session_ending():
            self._closing = self._doubt()
            if self._closing is not None:
                self.open_dialog(self._closing, self._on_closing_answered)
        if self._closing is not None:
            event.ignore()
            return
        self._remember_shape()
        self._background.end()
        if self.queue_view.model.totals().open and not is_session_ending():
            event.ignore()  # the farewell is read while what runs is put back into the queue
            self._say_farewell()
        else:
            event.accept()
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the window is narrow, have the side bar leave its room to the page."""
        super().resizeEvent(event)
        self.side_bar.show_names(event.size().width() >= space(ROOM_FOR_NAMES))

    def open_dialog(
        self, dialog: QDialog, on_finished: Callable[[int], None] | None = None
    ) -> None:
        """Open a dialog without waiting for it."""
        if on_finished:
            dialog.finished.connect(on_finished)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def restore_shape(self) -> None:
        """Stand where the window stood last time."""
        geometry = QSettings("Carrel", "Carrel").value("window/geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)

    @property
    def session(self) -> Session:
        """The archive that the window shows."""
        return self._session

    @property
    def every_action(self) -> Sequence[QAction]:
        """All actions of the menus, in their order."""
        return self.menus.every_action

    def _lay_out(self) -> None:
        for view in self._views:
            self.pages.addWidget(view)
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.notice)
        column.addWidget(self.requests)
        column.addWidget(self.pages, 1)
        column.addWidget(self.status)
        center = QWidget()
        center.setObjectName("page")
        row = QHBoxLayout(center)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.side_bar)
        row.addLayout(column, 1)
        self.setCentralWidget(center)

    def _connect(self) -> None:
        self._theme.changed.connect(self._dress)
        self.side_bar.chosen.connect(self.show_page)
        self.archive_view.wants_holding.connect(self.show_holding)
        self.archive_view.wants_job.connect(self.show_job)
        self.queue_view.wants_archive.connect(self.show_archive)
        self.holdings_view.commands.wants_archive.connect(self.show_archive)
        self.holdings_view.commands.wants_to_archive.connect(self.look_at)
        self.holdings_view.commands.wants_mementos.connect(self.show_mementos_of)
        self.holdings_view.commands.wants_watch.connect(self.watch)
        self.mementos_view.wants_to_archive.connect(self.look_at)
        self.mementos_view.wants_archives.connect(self.show_archives)
        self.watch_view.ingest_wanted.connect(self.look_at)
        self.settings_view.wants_archive.connect(self.leave_for)
        self.holdings_view.commands.wants_other_archive.connect(
            self.settings_view.open_other_archive
        )
        self.queue_view.model.totalled.connect(self._on_totals)
        self.queue_view.model.held_up.connect(self._on_held_up)
        self.queue_view.model.stopped_itself.connect(self._on_stopped_itself)
        self.queue_view.model.turned.connect(self._on_turned)
        self._notifier.chosen.connect(self._come_forward)
        self._session.troubled.connect(self._on_troubled)
        self.mementos_view.trouble_over.connect(self._on_trouble_over)
        self._session.succeeded.connect(self.notice.hide)
        self._session.requested.connect(self._on_requested)
        self.requests.answered.connect(self._on_requests_answered)
        self.settings_view.requested.connect(self._on_requested)
        self._session.measured.connect(self._on_measured)
        self._session.opened.connect(self._measure)
        self._measuring = QTimer(self)
        self._measuring.setInterval(MEASURE_MS)
        self._measuring.timeout.connect(self._measure)
        self._measuring.start()

    def _on_totals(self, totals: Totals) -> None:
        is_running = self.queue_view.model.is_running
        self.status.show_totals(totals, is_running=is_running)
        counts = (
            (totals.asking, ("question", "warning"), self.tr("{count} asking")),
            (totals.held_up, ("warning", "warning"), self.tr("{count} held up")),
            (totals.running, ("running", "accent"), self.tr("{count} running")),
            (totals.failed, ("failed", "failed"), self.tr("{count} failed")),
            (totals.waiting, ("waiting", "secondary"), self.tr("{count} waiting")),
        )
        badges = tuple(Badge(quantities.number(count), *look) for count, look, _ in counts if count)
        spoken = ", ".join(text.format(count=count) for count, _, text in counts if count)
        if totals.waiting and not is_running:
            spoken += ", " + self.tr("stopped")
        self.side_bar.buttons[QUEUE].set_badges(badges, spoken)

    def _on_turned(self) -> None:
        self._on_totals(self.queue_view.model.totals())

    def _on_held_up(self, row: Row) -> None:
        """Say what holds up the first; the side bar counts the others."""
        face = job_face(row, 0.0)
        text = self.tr("{title} is held up. {outcome}: {reason}")
        self.notice.say(text.format(title=row.title, outcome=face.state, reason=face.state_detail))

    def _on_stopped_itself(self, reason: str) -> None:
        self.notice.say(self.tr("The queue stopped. {reason}").format(reason=reason))

    def _on_troubled(self, sentence: str) -> None:
        """Say it, unless the page in sight does."""
        if self.pages.currentIndex() != MEMENTOS or sentence != self.mementos_view.told:
            self.notice.say(sentence)

    def _on_trouble_over(self, sentence: str) -> None:
        if self.notice.label.text() == sentence:
            self.notice.hide()

    def _on_requested(self, holds: InForce) -> None:
        self._requested = holds
        self.requests.ask(lines_about(holds.requests))

    def _on_requests_answered(self, answer: Answer) -> None:
        """Remember the answer, and open the archive once more, so that it holds."""
        holds, self._requested = self._requested, None
        if holds is not None:
            self.requests.hide()
            self._session.remember(holds, answer, self._on_remembered)

    def _on_remembered(self) -> None:
        if not self._session.is_open:
            self._session.try_again()
        elif self.queue_view.model.totals().running or self._doubt() is not None:
            text = self.tr("Remembered. It is used from when this archive is opened again.")
            self.notice.say(text, "note")
        else:
            self.leave_for(self._session.archive)

    def _on_measured(self) -> None:
        self.status.show_room(self._session.free_bytes)

    def _doubt(self) -> QMessageBox | None:
        """Return what is to be asked before the window closes, None if nothing is."""
        is_setting = self.settings_view.is_changed
        if is_setting or self.archives_view.is_changed:
            return dialogs.unsaved_box(self, is_setting=is_setting)
        if running := self.queue_view.model.totals().running:
            return dialogs.running_box(self, running)
        return None

    def _on_closing_answered(self, _result: int) -> None:
        box, self._closing = self._closing, None
        if box and box.buttonRole(box.clickedButton()) is QMessageBox.ButtonRole.AcceptRole:
            self._may_close = True
            self.close()
        else:
            self.next_archive = None

    def _say_farewell(self) -> None:
        text = self.tr("The queue goes on when you open Carrel again.")
        if self.next_archive is not None:
            text = self.tr("The queue of this archive goes on when you open it again.")
        self.notice.say(text, "note")
        self.setEnabled(False)

    def _come_forward(self) -> None:
        self.show_queue()
        self.showNormal() if self.isMinimized() else self.show()
        self.raise_()
        self.activateWindow()

    def _remember_shape(self) -> None:
        QSettings("Carrel", "Carrel").setValue("window/geometry", self.saveGeometry())

    def _measure(self) -> None:
        self._session.start(self._session.measure_free())

    # What the menus do

    def open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._session.archive)))

    def leave_for(self, archive: Path) -> None:
        """Close, and have another archive opened (or this one once more)."""
        self.next_archive = archive
        self.close()

    def quit(self) -> None:
        self.close()

    def show_archive(self) -> None:
        self.show_page(ARCHIVE)

    def show_queue(self) -> None:
        self.show_page(QUEUE)

    def show_holdings(self) -> None:
        self.show_page(HOLDINGS)

    def show_holding(self, base_url: str) -> None:
        """Show what is held of a dataset."""
        self.show_page(HOLDINGS)
        self.holdings_view.show_dataset(base_url)

    def show_job(self, base_url: str) -> None:
        """Show how a dataset arrives."""
        self.show_page(QUEUE)
        self.queue_view.show_dataset(base_url)

    def show_mementos(self) -> None:
        self.show_page(MEMENTOS)

    def show_archives(self) -> None:
        self.show_page(ARCHIVES)

    def show_dark(self) -> None:
        self.show_page(DARK)

    def show_watch(self) -> None:
        self.show_page(WATCH)

    def watch(self, base_url: str) -> None:
        """Watch a dataset from now on, and show it among those that are."""
        self.show_page(WATCH)
        self.watch_view.watch([base_url])

    def show_mementos_of(self, ingest_id: str, url: str) -> None:
        """Show which parts of a dataset are held where."""
        self.show_page(MEMENTOS)
        self.mementos_view.show_dataset(ingest_id, url)

    def look_at(self, url: str) -> None:
        """Have the Archive page look at a URL, which may then be archived."""
        self.archive_view.look_at(url)
        self.show_page(ARCHIVE)

    def show_settings(self) -> None:
        self.show_page(SETTINGS)

    def find_holding(self) -> None:
        self.show_page(HOLDINGS)
        self.holdings_view.go_to_search()

    def refresh(self) -> None:
        self._views[self.pages.currentIndex()].refresh()

    def show_shortcuts(self) -> None:
        self.open_dialog(dialogs.shortcuts_dialog(self, self.menus.groups))

    def show_about(self) -> None:
        self.open_dialog(dialogs.about_box(self))


def is_session_ending() -> bool:
    """Say whether the person logs out, which nothing may hold up."""
    app = QApplication.instance()
    return isinstance(app, QApplication) and app.isSavingSession()
