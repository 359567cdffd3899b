# SPDX-License-Identifier: AGPL-3.0-or-later
"""The window: side bar, header, pages, status line, menus."""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QSettings, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMainWindow

from carrel.translation import tr
from carrel_desktop.beginning import Beginning
from carrel_desktop.foreign import in_title, shown
from carrel_desktop.page_kinds import NAMINGS, PageKind
from carrel_desktop.screens import fitted, keep_on_screen
from carrel_desktop.theme import Theme, space
from carrel_desktop.timers import timer

if TYPE_CHECKING:
    from carrel_desktop.copies_dialog import CopiesDialog
    from carrel_desktop.page import Page
    from carrel_desktop.session import Session
    from carrel_desktop.undoing import Done

MEASURE_MS = 10_000
ROOM_FOR_NAMES = 200  # grid steps that the window has at least where pages stand with names
_PAINTED_WITHIN_S = 0.2


class MainWindow(QMainWindow):
    """`closed` is emitted once the person has closed the window for good.

    It is shown before what stands in it is loaded: until `furnish` it says so, and can be closed.
    After that `session` is the one that it shows, and `closing` has, once it is closed, with what
    to go on instead.
    """

    closed = Signal()

    def __init__(self, theme: Theme, archive: Path) -> None:
        super().__init__()
        self.theme, self.is_furnished = theme, False
        self._awaited: list[str] = []  # what is to be opened once that can be
        opening = QLabel(tr("Opening the archive {name}…", name=shown(archive.name)))
        opening.setTextFormat(Qt.TextFormat.PlainText)
        opening.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setCentralWidget(opening)
        self.setWindowTitle(in_title(archive.name))
        self.resize(fitted(QSize(space(300), space(200)), self))

    @classmethod
    def furnished(cls, session: "Session", theme: Theme) -> "MainWindow":
        """Return a window with all that stands in it."""
        window = cls(theme, session.archive)
        window.furnish(session)
        return window

    def show_empty(self) -> None:
        """Be shown and painted now, though nothing stands in it yet."""
        self.restore_shape()
        self.show()
        until = monotonic() + _PAINTED_WITHIN_S  # longer where no one can see it
        while monotonic() < until and not self.windowHandle().isExposed():
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
        QApplication.processEvents()

    def furnish(self, session: "Session") -> None:
        """Make all that stands in the window."""
        from carrel_desktop import window_parts as parts  # most of the start

        theme = self.theme
        self.session = session
        self.own_actions = parts.Actions(self, parts.window_actions())
        self.pages = parts.Pages(session, theme, self.own_actions.folder, self.own_actions.open)
        self.status = parts.StatusLine()
        self.read_only = parts.ReadOnlyBar(theme, self.own_actions.again)
        namings = [(it.icon, it.title) for it in NAMINGS.values()]
        self.side_bar = parts.SideBar(theme, namings)
        self.header = parts.Header(theme, str(session.archive), self.own_actions.folder)
        self.notice = parts.NoticeBar(theme, self.header.beside)
        self.requests = parts.RequestsBar(theme)
        self.stack = parts.PageStack()
        self.importing = parts.Importing(session, parts.ImportCard(theme))
        self.rebuilding = parts.Rebuilding(session, parts.RebuildCard(theme))
        cards = self.importing.card, self.rebuilding.card
        above = self.header, self.read_only, self.notice.place, self.requests
        self._ground = parts.grounds(self.stack)
        self.setCentralWidget(
            parts.laid_out(self.side_bar, *above, *cards, ground=self._ground, below=self.status)
        )
        self.focus_fallback = parts.FocusFallback(self, lambda: self.page)
        self.copies: CopiesDialog | None = None  # until it is wanted
        self.last_done = parts.LastDone(self)
        self.editing = parts.Editing(self, self.last_done)
        bar, own = self.menuBar(), self.own_actions
        self.menus = parts.Menus(bar, own, self.editing, self.pages, self.show_page, theme)
        self.navigation = parts.Navigation(self.pages, self.show_page, self)
        reporting = self.own_actions.report
        self.help = parts.Help(self, session, self.notice, self.menus, self.open_dialog, reporting)
        self.closing = parts.Closing(self, self.pages, session)
        self._notifier = parts.Notifier(self, theme)
        self.tray = parts.Tray(self, own.stay, self._notifier, self.pages.queue.model)
        self._scheduling = parts.Scheduling(session, self.status, self.notice, self._notifier)
        self.reporting = parts.FixityReporting(session, self)
        archive, say, page = session.archive, self.notice.say, lambda: self.page.kind
        self.leaving = parts.Leaving(self, archive, self._leave_for, say, page, self.open_dialog)
        others = self.tray, self.reporting, self.importing, self.leaving
        self.own_actions.bind(self, self.help, self.navigation, *others)
        self._background = parts.Background(
            self.pages.queue.model, self._notifier, parts.KeepAwake()
        )
        self._requests = parts.Requests(session, self.requests, self.closing.would_interrupt)
        self._wishes = parts.PageWishes(
            self.pages,
            self.open_folder,
            self.show_copies,
            self.on_trouble_over,
            self.leaving.go_to,
            self._requests.ask,
            self.requests,
            lambda words: say(words, "note"),
        )
        self._opening = parts.Opening(session, self.pages, self.show_page, self.importing.begin)
        self.announcer = parts.Announcer(self, self.pages)
        self._press_focused = parts.press_focused
        buttons = dict(zip(PageKind, self.side_bar.buttons, strict=True))
        badges = buttons[PageKind.QUEUE].set_badges
        queue = self.pages.queue
        self._queue_notices = parts.QueueNotices(
            queue.model, self.notice, self.status, badges, queue.batches.report_of
        )
        self.pages.overview.needing.connect(
            lambda *needing: buttons[PageKind.OVERVIEW].set_badges(*parts.needing_badges(*needing))
        )
        self._connect()
        self.is_furnished = True
        self.show_page(self.pages.overview)
        self.pages.made.connect(self.pages.load_ahead)  # keys open pages, too
        self._dress()
        self.setWindowIcon(parts.icon(theme, "carrel", "accent"))
        QApplication.sendEvent(self, QResizeEvent(self.size(), self.size()))
        self.open_items(self._awaited)

    def show_page(self, page: "Page") -> None:
        """Open a page; only its own actions can be used."""
        self.page: Page = page  # the one that is open
        self.stack.open(page)
        self.side_bar.choose(list(PageKind).index(page.kind))
        self.header.title.setText(page.naming.title)
        page.take_keyboard()
        self.menus.follow_page(page)
        self.notice.follow_page(page)
        self.importing.card.leave()
        self.on_trouble_over(page.told)
        if self.session.unopened:
            self._on_troubled(self.session.unopened)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close; the farewell is read while what runs is put back into the queue."""
        if not self.is_furnished:
            event.accept()
            self.closed.emit()
            return
        if self.tray.takes(self.closing) or self.closing.must_ask(self.open_dialog):
            event.ignore()
            return
        QSettings("Carrel", "Carrel").setValue("window/geometry", self.saveGeometry())
        self._background.end()
        if self.closing.will_wait:
            event.ignore()
            self.notice.say_last(self.closing.farewell())
            self.setEnabled(False)
        else:
            event.accept()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if self.is_furnished:
            self._press_focused(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the window is narrow, have the side bar leave its room to the page."""
        super().resizeEvent(event)
        if self.is_furnished:
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
        """Stand where the window stood last time, within the screen that there is now."""
        geometry = QSettings("Carrel", "Carrel").value("window/geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)
        keep_on_screen(self)

    # What the menus do

    def open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.session.archive)))

    def show_copies(self) -> None:
        """Show where the second copy of this archive is."""
        if self.copies is None:
            from carrel_desktop.copies_dialog import CopiesDialog  # for those who want one

            self.copies = CopiesDialog(self, self.session, self.theme)
        self.copies.open_now()

    def open_items(self, items: Sequence[str]) -> None:
        """Preview or import what a start was given, once the archive is open."""
        if self.is_furnished:
            self._opening.open(items)
        else:
            self._awaited += items

    def _leave_for(self, beginning: Beginning) -> None:
        self.closing.following = beginning
        self.close()

    def quit(self) -> None:
        """Close for good, also where the window stays in the tray otherwise."""
        self.tray.leave()
        self.close()

    def refresh(self) -> None:
        self.page.refresh()

    # What happens

    def _dress(self) -> None:
        self.theme.dress(self)

    def _connect(self) -> None:
        session, pages = self.session, self.pages
        self.theme.changed.connect(self._dress)
        self.side_bar.chosen.connect(self._on_side_bar)
        self.side_bar.approached.connect(pages.load_ahead)
        for page in pages.there:
            self._take_up(page)
        pages.made.connect(self._take_up)
        self.editing.searched_elsewhere.connect(self.navigation.find_holding)
        self.last_done.undone.connect(self.notice.hide)
        self._requests.remembered.connect(self._on_remembered)
        self._notifier.chosen.connect(self._on_notifier_chosen)
        self.closing.copy_wanted.connect(self.show_copies)
        self.closing.settings_wanted.connect(lambda: self.show_page(self.pages.settings))
        imports = self.importing
        self.announcer.follow(self.notice.said, self.requests.said, imports.card.card.said)
        self.announcer.follow(self.rebuilding.card.card.said)
        imports.ended.connect(pages.refresh)
        session.fixity_noted.connect(pages.refresh)
        self.tray.shown.connect(self.come_forward)
        self.tray.toggled.connect(pages.queue.commands.toggle)
        self.tray.quitted.connect(self.quit)
        session.troubled.connect(self._on_troubled)
        session.is_over.connect(self.on_trouble_over)
        session.noted.connect(lambda words: self.notice.say(words, "note"))
        session.all_concerned.connect(self.notice.stay)
        session.succeeded.connect(self.notice.trouble_is_over)
        session.measured.connect(self._on_measured)
        session.opened.connect(self._measure)
        pages.queue.model.held_up.connect(lambda row: self._measure())  # by a full disk, say
        session.opened.connect(self._on_opened)
        session.ledger_lost.connect(self._on_ledger_lost)
        self._measuring = timer(self, MEASURE_MS, self._measure)
        self._measuring.start()

    def _take_up(self, page: "Page") -> None:
        """Have a page that was made be one of the window's."""
        self.stack.add(page)
        self.menus.take_up(page)
        self.navigation.take_up(page)
        self.announcer.take_up(page)
        page.forbid_writing(self.session.read_only_because)
        page.done.connect(self._on_done)
        self._wishes.take_up(page)

    def _on_opened(self) -> None:
        """Say where nothing can be written, and offer nothing there that would write."""
        self._ground.setCurrentIndex(0)
        self.status.show()
        reason = self.session.read_only_because
        self.read_only.show_reason(reason)
        self.own_actions.forbid_writing(reason)
        for page in self.pages.there:
            page.forbid_writing(reason)
        self.session.start(self.session.read(lambda engine: engine.access.sweep()))

    def _on_ledger_lost(self) -> None:
        """Show no page: what stands there is not known to be so. How to rebuild it is shown."""
        self._ground.setCurrentIndex(1)
        self.status.hide()
        self.read_only.show_reason("")
        self.notice.hide()
        self.rebuilding.card.go.setFocus()

    def _on_side_bar(self, number: int) -> None:
        self.show_page(self.pages[number])

    def _on_troubled(self, sentence: str) -> None:
        """Say it; only to those who listen where the page in sight has it already."""
        if sentence == self.page.told:
            self.announcer.say(sentence)
        else:
            self.notice.say(sentence, page=self.page)

    def on_trouble_over(self, sentence: str) -> None:
        self.notice.is_over(sentence)

    def _on_done(self, done: "Done") -> None:
        """Say what was done, with the way back."""
        self.last_done.hold(done)
        self.notice.offer(done.sentence, self.editing.take_back)

    def _on_remembered(self, is_to_open: bool) -> None:
        if is_to_open:
            self.leaving.open_again()
        else:
            text = tr("Saved. Your answer applies when this archive is opened again.")
            self.notice.say(text, "note")

    def _on_measured(self) -> None:
        self.status.show_room(self.session.free_bytes)

    def _on_notifier_chosen(self) -> None:
        self.show_page(self.pages.queue)
        self.come_forward()

    def come_forward(self) -> None:
        """Stand before other windows, with the keyboard, as far as the desktop lets it."""
        self.showNormal() if self.isMinimized() else self.show()
        self.raise_()
        self.activateWindow()

    def _measure(self) -> None:
        self.session.start(self.session.measure_free())
