# SPDX-License-Identifier: AGPL-3.0-or-later
"""The page Overview: how the archive stands, and what of that needs the archivist."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QShowEvent

from carrel.engine import Engine
from carrel.errors import CarrelError
from carrel.model import JobState
from carrel.model.events import Event, IngestFinished, JobChanged, QueueChanged, ScheduleChanged
from carrel.model.holdings import HoldingsQuery
from carrel.model.need_words import journal_begun_words
from carrel.translation import tr
from carrel_desktop.page import Page, Readings
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.timers import delay
from carrel_desktop.views.overview.board import Board
from carrel_desktop.views.overview.shown import Shown, shown_of
from carrel_desktop.views.overview.ways import Addresses, Target, Way
from carrel_desktop.widgets.actions import ActionButton, Actions, Entry
from carrel_desktop.widgets.empty_panel import EmptyPanel, ReadingPanel
from carrel_desktop.widgets.layouts import stacked

EMPTY, FILLED, READING = range(3)
# Jobs change many times a second while many run: so long apart are two readings at least.
BETWEEN_MS = 2000
# What verifies says how far it is, and not when it is noted.
AFTER_MS = 1500
# While another page is open, only what needs attention is on show of this one, in the side bar.
AWAY_MS = 5000
_CHANGES = (IngestFinished, JobChanged, QueueChanged)


def overview_actions() -> Sequence[Entry]:
    """Return the actions of the page, as the menu has them."""
    tables = tr("Show every chart as a table")
    return (
        Entry(
            "needs", tr("What &needs attention"), "", tr("Go to what needs attention"), "show_needs"
        ),
        Entry("tables", tr("Charts as ta&bles"), "", tables, "follow_tables", is_checkable=True),
    )


def adding() -> Entry:
    """Return the action for an archive in which there is nothing yet."""
    return Entry("add", tr("Add datasets"), "", tr("Archive datasets"), "add_datasets")


def pasting() -> Entry:
    """Return what the Edit menu does here: what is on the clipboard is for Add datasets."""
    return Entry("paste", tr("Paste"), slot="paste")


class OverviewView(Page):
    """What is shown is read each time that the page is opened, and while it is whenever jobs end;
    a while after that also while another page is open. `needing` carries how many lines there are
    of what needs attention, and whether anything may be lost meanwhile.

    `wants_holdings` carries which (a HoldingsQuery), `wants_jobs` those in a state (a JobState, or
    None for all), `wants_preview` addresses to be archived again, `noted` what was done, in a
    sentence; the others say that another page is to be opened, or what requests ask decided.
    """

    wants_holdings = Signal(object)
    wants_jobs = Signal(object)
    wants_preview = Signal(str)
    noted = Signal(str)
    needing = Signal(int, bool)
    wants_archive = Signal()
    wants_paste = Signal()
    wants_watch = Signal()
    wants_dark = Signal()
    wants_new_losses = Signal()
    wants_decision = Signal()
    wants_folder = Signal()
    wants_copies = Signal()

    kind = PageKind.OVERVIEW
    tells_unopened = True

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._readings = Readings()
        self.shown: Shown | None = None
        self._awaits_focus = False
        self.page_actions = Actions(self, overview_actions(), apart=[adding(), pasting()])
        self.board = Board(theme)
        self.reading = ReadingPanel(session, theme, "overview")
        self.add = ActionButton(self.page_actions.add, theme, "archive", role="primary")
        self.empty = EmptyPanel(
            theme,
            "overview",
            tr("This archive is empty"),
            tr(
                "Add datasets by DOI, address or list. Carrel downloads every file, compares it "
                "with its published checksums, and shows the state of your archive here."
            ),
            self.add,
        )
        self.stack = stacked(self.empty, self.board, self.reading)
        self._lay_out(self.stack)
        self._soon = delay(self, BETWEEN_MS, self.refresh)
        self._afterwards = delay(self, AFTER_MS, self.refresh)
        self._away = delay(self, AWAY_MS, self.refresh)
        self.page_actions.bind(self)
        self._connect()
        self._show_page(READING)

    def take_focus(self) -> None:
        """Put the keyboard where the work is."""
        if self.stack.currentIndex() == FILLED:
            self.board.tiles[0].setFocus()
        elif self.stack.currentIndex() == EMPTY:
            self.add.setFocus()
        else:
            self._awaits_focus = True

    @property
    def edits(self) -> Mapping[str, QAction]:
        return {"paste": self.page_actions.paste}

    def refresh(self) -> None:
        """Read how the archive stands now."""
        self.session.start(self._load())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    # What the person does

    def add_datasets(self) -> None:
        self.wants_archive.emit()

    def paste(self) -> None:
        """Preview what is on the clipboard, where datasets are added."""
        self.wants_paste.emit()

    def show_needs(self) -> None:
        self.board.show_needs()

    def follow_tables(self) -> None:
        """Show the pictures as tables, or the tables as pictures."""
        for card in self.board.cards:
            card.as_table.setChecked(self.page_actions.tables.isChecked())

    def begin_journal(self) -> None:
        """Put the damaged journal aside, and begin a new one from the ledger."""
        self.session.start(self._begin_journal(), is_asked=True)

    def forbid_writing(self, reason: str) -> None:
        super().forbid_writing(reason)
        self.board.needs.forbid_writing(reason)

    # What follows from it

    def _connect(self) -> None:
        self.session.follow(self.refresh, self._on_not_opened)
        self.session.events.connect(self._on_events)
        self.session.side_events.connect(self._on_side_events)
        self.session.pauses.changed.connect(self._on_side_events)
        for noted in (self.session.harvested, self.session.looked):
            noted.connect(self._on_noted)
        self.board.wanted.connect(self._go)

    async def _begin_journal(self) -> None:
        kept_as = await self.session.read(lambda engine: engine.journal.begin())
        self.noted.emit(journal_begun_words(kept_as))
        self.refresh()

    async def _load(self) -> None:
        is_latest = self._readings.begin()
        try:
            pauses = self.session.pauses.words
            shown = await self.session.read(lambda engine: _read(engine, pauses))
        except (CarrelError, OSError) as error:
            if is_latest():
                self._show_unread(str(error))
            raise
        if is_latest():
            self._show(shown)

    def _show(self, shown: Shown) -> None:
        """Show how the archive stands; nothing moves where nothing changed."""
        if shown != self.shown or not self.board.is_whole:
            self.shown = None  # until all of it is on show
            self.board.show_all(shown)
            self.shown = shown
        self._show_page(EMPTY if shown.is_empty else FILLED)
        self.needing.emit(len(shown.lines), any(line.is_grave for line in shown.lines))

    def _show_unread(self, reason: str) -> None:
        self.shown = None
        self.reading.show_unread(reason)
        self._show_page(READING)

    def _show_page(self, number: int) -> None:
        had_focus = self.stack.currentIndex() != number and self.isAncestorOf(self.focusWidget())
        self.stack.setCurrentIndex(number)
        for action in (self.page_actions.needs, self.page_actions.tables):
            action.setEnabled(number == FILLED)
        is_awaited = self._awaits_focus and number == EMPTY and self.isVisible()
        if had_focus or is_awaited:
            self.take_focus()
        self._awaits_focus = self._awaits_focus and number == READING

    def _on_not_opened(self, _reason: str) -> None:
        self.shown = None
        self._show_page(READING)
        self.needing.emit(0, False)

    def _on_events(self, events: Sequence[Event]) -> None:
        due = self._soon if self.isVisible() else self._away
        if any(map(_changes_figures, events)) and not due.isActive():
            due.start()

    def _on_noted(self) -> None:
        """Read at once what was noted at one time."""
        if self.isVisible():
            self.refresh()
        else:
            self._away.start()

    def _on_side_events(self) -> None:
        due = self._afterwards if self.isVisible() else self._away
        due.start()

    def _go(self, target: Target) -> None:
        """Go where a piece of the page leads."""
        if isinstance(target, HoldingsQuery):
            self.wants_holdings.emit(target)
        elif isinstance(target, JobState):
            self.wants_jobs.emit(target)
        elif isinstance(target, Addresses):
            self.wants_preview.emit("\n".join(target.addresses))
        else:
            self._ways()[target]()

    def _ways(self) -> dict[Way, Callable[[], object]]:
        return {
            Way.QUEUE: lambda: self.wants_jobs.emit(None),
            Way.WATCH: self.wants_watch.emit,
            Way.DARK: self.wants_dark.emit,
            Way.NEW_LOSSES: self.wants_new_losses.emit,
            Way.REQUESTS: self.wants_decision.emit,
            Way.FOLDER: self.wants_folder.emit,
            Way.COPIES: self.wants_copies.emit,
            Way.NEEDS: self.show_needs,
            Way.JOURNAL: self.begin_journal,
        }


def _read(engine: Engine, pauses: str) -> Shown:
    return shown_of(engine.standing(), pauses)


def _changes_figures(event: Event) -> bool:
    """Say whether other figures may be known by now."""
    is_scheduled = isinstance(event, ScheduleChanged) and event.ended is not None
    return is_scheduled or isinstance(event, _CHANGES)
