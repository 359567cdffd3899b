# SPDX-License-Identifier: AGPL-3.0-or-later
"""The window: side bar, header, pages, status line, menus."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSettings, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAction,
    QActionGroup,
    QCloseEvent,
    QDesktopServices,
)
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QMessageBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from carrel_desktop import dialogs, quantities, words
from carrel_desktop.desk import Desk
from carrel_desktop.icons import icon
from carrel_desktop.theme import Mode, Theme, space
from carrel_desktop.views.archive.view import ArchiveView
from carrel_desktop.views.holdings.view import HoldingsView
from carrel_desktop.views.queue.job import Job
from carrel_desktop.views.queue.jobs import Totals
from carrel_desktop.views.queue.view import QueueView
from carrel_desktop.widgets.actions import make_action
from carrel_desktop.widgets.header import Header
from carrel_desktop.widgets.notice_bar import NoticeBar
from carrel_desktop.widgets.side_bar import Badge, SideBar
from carrel_desktop.widgets.status_line import StatusLine

ARCHIVE, QUEUE, HOLDINGS = 0, 1, 2
MEASURE_MS = 10_000


class MainWindow(QMainWindow):
    """`closed` is emitted once the person has closed the window for good."""

    closed = Signal()

    def __init__(self, desk: Desk, theme: Theme) -> None:
        super().__init__()
        self._desk = desk
        self._theme = theme
        self._may_close = False
        self.archive_view = ArchiveView(desk, theme)
        self.queue_view = QueueView(desk, theme)
        self.holdings_view = HoldingsView(desk, theme)
        self.notice = NoticeBar(theme)
        self.status = StatusLine()
        self._names = (self.tr("Archive"), self.tr("Queue"), self.tr("Holdings"))
        self.side_bar = SideBar(
            theme, list(zip(("archive", "queue", "holdings"), self._names, strict=True))
        )
        self._views: tuple[ArchiveView | QueueView | HoldingsView, ...] = (
            self.archive_view,
            self.queue_view,
            self.holdings_view,
        )
        self.pages = QStackedWidget()
        self._make_menus()
        self.header = Header(theme, str(desk.archive), self._folder_action)
        self._lay_out()
        self._connect()
        self.show_page(ARCHIVE)
        self.setWindowTitle(self.tr("{folder} – Carrel").format(folder=desk.archive.name))
        self.setWindowIcon(icon(theme, "carrel", "accent"))
        self.resize(space(300), space(200))

    def show_page(self, number: int) -> None:
        """Open a page; only its own actions can be used."""
        self.pages.setCurrentIndex(number)
        self.side_bar.choose(number)
        self.header.title.setText(self._names[number])
        self._views[number].take_focus()
        for at, menu in enumerate(self._page_menus):
            menu.setEnabled(at == number)

    def closeEvent(self, event: QCloseEvent) -> None:
        totals = self.queue_view.model.totals()
        if self._may_close or not totals.is_busy:
            self._remember_shape()
            event.accept()
            self.closed.emit()
            return
        event.ignore()
        self.open_dialog(dialogs.closing_box(self, totals), self._on_closing_answered)

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
    def every_action(self) -> Sequence[QAction]:
        """All actions of the menus, in their order."""
        return [
            action
            for menu in self.menuBar().findChildren(QMenu)
            for action in menu.actions()
            if not action.isSeparator() and not action.menu()
        ]

    def _make_menus(self) -> None:
        tr = self.tr
        self._folder_action = make_action(self, tr("Op&en archive folder"), self._open_folder)
        file_menu = self._menu(tr("&File"), [self._folder_action])
        file_menu.addSeparator()
        file_menu.addAction(make_action(self, tr("&Quit"), self._quit, "Ctrl+Q"))
        names = (tr("A&rchive"), tr("&Queue"), tr("Hol&dings"))
        self._page_menus = [
            self._menu(name, view.actions_in_menu)
            for name, view in zip(names, self._views, strict=True)
        ]
        for view in self._views:
            self._bind(view, view.actions_in_menu)
        self._make_view_menu()
        self._menu(
            tr("&Help"),
            [
                make_action(self, tr("&Keyboard shortcuts"), self._show_shortcuts, "F1"),
                make_action(self, tr("&About Carrel"), self._show_about),
            ],
        )

    def _make_view_menu(self) -> None:
        tr = self.tr
        pages = [
            make_action(self, tr("&Archive"), self._show_archive, "Ctrl+1"),
            make_action(self, tr("&Queue"), self._show_queue, "Ctrl+2"),
            make_action(self, tr("&Holdings"), self._show_holdings, "Ctrl+3"),
        ]
        find = make_action(self, tr("&Find in holdings"), self._find, "Ctrl+F")
        refresh = make_action(self, tr("&Refresh"), self._refresh, "F5")
        menu = self._menu(tr("&View"), [*pages, find, refresh])
        menu.addSeparator()
        self._modes = QActionGroup(self)
        names = {
            Mode.SYSTEM: tr("As the &system"),
            Mode.LIGHT: tr("&Light"),
            Mode.DARK: tr("&Dark"),
        }
        for mode, name in names.items():
            action = self._modes.addAction(name)
            action.setCheckable(True)
            action.setChecked(mode is self._theme.mode)
            action.setData(mode)
            menu.addAction(action)
        self._modes.triggered.connect(self._on_mode)

    @staticmethod
    def _bind(view: QWidget, actions: Sequence[QAction]) -> None:
        """Let a page's shortcuts work on that page only, wherever the focus is in it."""
        for action in actions:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        view.addActions(list(actions))

    def _menu(self, name: str, actions: Sequence[QAction]) -> QMenu:
        menu = self.menuBar().addMenu(name)
        menu.addActions(list(actions))
        return menu

    def _lay_out(self) -> None:
        for view in self._views:
            self.pages.addWidget(view)
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.notice)
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
        self.side_bar.chosen.connect(self.show_page)
        self.queue_view.wants_archive.connect(self._show_archive)
        self.holdings_view.wants_archive.connect(self._show_archive)
        self.queue_view.model.totalled.connect(self._on_totals)
        self.queue_view.model.finished.connect(self._on_finished)
        self._desk.troubled.connect(self.notice.say)
        self._desk.succeeded.connect(self.notice.hide)
        self._desk.measured.connect(self._on_measured)
        self._desk.opened.connect(self._measure)
        self._measuring = QTimer(self)
        self._measuring.setInterval(MEASURE_MS)
        self._measuring.timeout.connect(self._measure)
        self._measuring.start()

    def _on_totals(self, totals: Totals) -> None:
        self.status.show_totals(totals)
        counts = (
            (totals.running, ("running", "accent"), self.tr("{count} running")),
            (totals.failed, ("failed", "failed"), self.tr("{count} failed")),
            (totals.waiting, ("waiting", "secondary"), self.tr("{count} waiting")),
        )
        badges = tuple(Badge(quantities.number(count), *look) for count, look, _ in counts if count)
        spoken = ", ".join(text.format(count=count) for count, _, text in counts if count)
        self.side_bar.buttons[QUEUE].set_badges(badges, spoken)

    def _on_finished(self, job: Job) -> None:
        """Say the end of a job to those who listen instead of looking."""
        if job.result is None:
            return
        text = f"{job.title}: {words.outcome(job.result.status)}"
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def _on_measured(self) -> None:
        self.status.show_room(self._desk.free_bytes)

    def _on_mode(self, action: QAction) -> None:
        self._theme.set_mode(Mode(action.data()))

    def _on_closing_answered(self, _result: int) -> None:
        box = self.findChild(QMessageBox, "closing")
        if box and box.buttonRole(box.clickedButton()) is QMessageBox.ButtonRole.AcceptRole:
            self._may_close = True
            self.close()

    def _remember_shape(self) -> None:
        QSettings("Carrel", "Carrel").setValue("window/geometry", self.saveGeometry())

    def _measure(self) -> None:
        self._desk.start(self._desk.measure_free())

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._desk.archive)))

    def _quit(self) -> None:
        self.close()

    def _show_archive(self) -> None:
        self.show_page(ARCHIVE)

    def _show_queue(self) -> None:
        self.show_page(QUEUE)

    def _show_holdings(self) -> None:
        self.show_page(HOLDINGS)

    def _find(self) -> None:
        self.show_page(HOLDINGS)
        self.holdings_view.go_to_search()

    def _refresh(self) -> None:
        self._views[self.pages.currentIndex()].refresh()

    def _show_shortcuts(self) -> None:
        self.open_dialog(dialogs.shortcuts_dialog(self, self.every_action))

    def _show_about(self) -> None:
        self.open_dialog(dialogs.about_box(self))
