# SPDX-License-Identifier: AGPL-3.0-or-later
"""The window: side bar, header, pages, status line, menus."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSettings, Qt, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices, QResizeEvent
from PySide6.QtWidgets import QDialog, QMainWindow, QStackedWidget

from carrel.translation import tr
from carrel_desktop import dialogs
from carrel_desktop.announcer import Announcer
from carrel_desktop.archive_requests import Requests
from carrel_desktop.awake import KeepAwake
from carrel_desktop.background import Background, Notifier, QueueNotices, StatusLine
from carrel_desktop.closing import Closing
from carrel_desktop.icons import icon
from carrel_desktop.manual import manual_of
from carrel_desktop.menus import Menus, window_actions
from carrel_desktop.navigation import Navigation
from carrel_desktop.page import Page
from carrel_desktop.pages import Pages
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space
from carrel_desktop.timers import timer
from carrel_desktop.widgets.actions import Actions
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.layouts import boxed, horizontal, rest, vertical
from carrel_desktop.widgets.requests_bar import NoticeBar, RequestsBar
from carrel_desktop.widgets.side_bar import Header, SideBar

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
        self.own_actions = Actions(self, window_actions())
        self.pages = Pages(session, theme, self.own_actions.folder)
        self.page: Page = self.pages.archive  # the one that is open
        self.notice, self.requests, self.status = NoticeBar(theme), RequestsBar(theme), StatusLine()
        self.side_bar = SideBar(theme, [(it.naming.icon, it.naming.title) for it in self.pages])
        self.header = Header(theme, str(session.archive), self.own_actions.folder)
        self.stack = QStackedWidget()
        self._lay_out()
        self.menus = Menus(self.menuBar(), self.own_actions, self.pages, self.show_page, theme)
        self.navigation = Navigation(self.pages, self.show_page, self)
        self.own_actions.bind(self, self.navigation)
        self.closing = Closing(self, self.pages)
        self._notifier = Notifier(self, theme)
        self._background = Background(self.pages.queue.model, self._notifier, KeepAwake())
        self._requests = Requests(session, self.requests, self._would_interrupt)
        self.announcer = Announcer(self)
        self._dress()
        self._connect()
        self.show_page(self.pages.archive)
        self.setWindowTitle(tr("{folder} – Carrel", folder=session.archive.name))
        self.setWindowIcon(icon(theme, "carrel", "accent"))
        self.resize(space(300), space(200))

    @property
    def session(self) -> Session:
        """The archive that the window shows."""
        return self._session

    @property
    def next_archive(self) -> Path | None:
        return self.closing.next_archive

    def show_page(self, page: Page) -> None:
        """Open a page; only its own actions can be used."""
        self.page = page
        self.stack.setCurrentWidget(page)
        self.side_bar.choose(self.stack.currentIndex())
        self.header.title.setText(page.naming.title)
        page.take_focus()
        self.menus.follow_page(page)
        self._on_trouble_over(page.told)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close; the farewell is read while what runs is put back into the queue."""
        if self.closing.must_ask(self.open_dialog):
            event.ignore()
            return
        QSettings("Carrel", "Carrel").setValue("window/geometry", self.saveGeometry())
        self._background.end()
        if self.closing.will_wait:
            event.ignore()
            self.notice.say(self.closing.farewell(), "note")
            self.setEnabled(False)
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

    # What the menus do

    def open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._session.archive)))

    def leave_for(self, archive: Path) -> None:
        """Close, and have another archive opened (or this one once more)."""
        self.closing.next_archive = archive
        self.close()

    def quit(self) -> None:
        self.close()

    def refresh(self) -> None:
        self.page.refresh()

    def show_manual(self) -> None:
        """Open the manual in the person's browser, where it explains this page."""
        place = manual_of(self.page.naming.icon)
        if place is None:
            self.notice.say(tr("This copy of Carrel has no manual: “make docs” builds it."))
        else:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(place)))

    def show_shortcuts(self) -> None:
        self.open_dialog(dialogs.shortcuts_dialog(self, self.menus.groups))

    def show_about(self) -> None:
        self.open_dialog(dialogs.about_box(self))

    # What happens

    def _dress(self) -> None:
        self._theme.dress(self)

    def _lay_out(self) -> None:
        for page in self.pages:
            self.stack.addWidget(page)
        above = self.header, self.notice, self.requests
        column = vertical(*above, rest(self.stack), self.status, gap=0)
        center = named(boxed(horizontal(self.side_bar, rest(column), gap=0)), "page")
        self.setCentralWidget(center)

    def _connect(self) -> None:
        session, pages = self._session, self.pages
        self._theme.changed.connect(self._dress)
        self.side_bar.chosen.connect(self._on_side_bar)
        pages.settings.wants_archive.connect(self.leave_for)
        pages.settings.requested.connect(self._requests.ask)
        pages.mementos.trouble_over.connect(self._on_trouble_over)
        queue_button = self.side_bar.buttons[self.stack.indexOf(pages.queue)]
        self._queue_notices = QueueNotices(
            pages.queue.model, self.notice, self.status, queue_button.set_badges
        )
        self._requests.remembered.connect(self._on_remembered)
        self._notifier.chosen.connect(self._come_forward)
        self.announcer.follow(self.notice.said, self.requests.said, pages.archive.ui.told.said)
        self.announcer.follow_queue(pages.queue.model)
        self.announcer.follow_list(pages.archive.model)
        self.announcer.follow_verification(pages.holdings.ui.detail)
        session.troubled.connect(self._on_troubled)
        session.succeeded.connect(self.notice.hide)
        session.measured.connect(self._on_measured)
        session.opened.connect(self._measure)
        self._measuring = timer(self, MEASURE_MS, self._measure)
        self._measuring.start()

    def _on_side_bar(self, number: int) -> None:
        self.show_page(self.pages[number])

    def _on_troubled(self, sentence: str) -> None:
        """Say it, unless the page in sight does."""
        if sentence != self.page.told:
            self.notice.say(sentence)

    def _on_trouble_over(self, sentence: str) -> None:
        if self.notice.label.text() == sentence:
            self.notice.hide()

    def _would_interrupt(self) -> bool:
        is_running = bool(self.pages.queue.model.totals().running)
        return is_running or self.closing.doubt() is not None

    def _on_remembered(self, is_to_open: bool) -> None:
        if is_to_open:
            self.leave_for(self._session.archive)
        else:
            text = tr("Saved. Your answer applies when this archive is opened again.")
            self.notice.say(text, "note")

    def _on_measured(self) -> None:
        self.status.show_room(self._session.free_bytes)

    def _come_forward(self) -> None:
        self.show_page(self.pages.queue)
        self.showNormal() if self.isMinimized() else self.show()
        self.raise_()
        self.activateWindow()

    def _measure(self) -> None:
        self._session.start(self._session.measure_free())
