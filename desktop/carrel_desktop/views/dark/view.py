# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Dark archive page: what was gathered, what is lost, and the life of each object."""

import time
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAction,
    QResizeEvent,
    QShowEvent,
)

from carrel.errors import CarrelError
from carrel.model.dark_views import DarkCheck, RunProgress, RunReport
from carrel.model.events import Event, ScheduleChanged
from carrel.model.remarks import RunRemarks
from carrel.model.schedule import Task
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.going_on import GoingOn
from carrel_desktop.page import Page, Readings
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.run_stream import key_of
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.timers import timer
from carrel_desktop.views.dark import texts
from carrel_desktop.views.dark.answers import Answers, Asked
from carrel_desktop.views.dark.chosen import ChosenObject
from carrel_desktop.views.dark.commands import DarkCommands, Runner, dark_actions
from carrel_desktop.views.dark.layout import EMPTY, FILLED, LISTED, NONE_FOUND, READING, DarkLayout
from carrel_desktop.views.dark.listing import Listing
from carrel_desktop.views.dark.questions import Question, Verified
from carrel_desktop.views.dark.text_export import TextExports
from carrel_desktop.widgets.actions import Actions

AGE_MS = 30_000  # how often "12 minutes ago" is said anew


class DarkView(Page):
    """The page. `clock` gives the time in seconds since 1970."""

    kind = PageKind.DARK
    tells_unopened = True

    def __init__(
        self, session: Session, theme: Theme, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(session, theme)
        self._clock = clock
        self._readings = Readings()
        self._has_read = self._is_outdated = self._is_awaited = False
        self._reported = RunRemarks()  # what the last run remarked, since the window was opened
        self._is_after_run = False  # until it is known what the run found
        self.page_actions = Actions(self, dark_actions())
        self.ui = DarkLayout(theme, session, self.page_actions)
        self._lay_out(self.ui)
        self.answers = Answers(session)
        self.runner = Runner(session, self)
        self.chosen = ChosenObject(session, theme, self.ui.pane)
        self.listing = Listing(session, self.answers, self.ui, clock)
        self.listing.keep(lambda: self.chosen.wanted)
        self.commands = DarkCommands(
            session, self.page_actions, self.runner, self.listing, self.chosen, self.ui
        )
        self.text_exports = TextExports(self, self.runner, lambda: self.answers.archives)
        others = self.chosen, self.runner, self.ui.pane.line, self.text_exports
        self.page_actions.bind(self.commands, self, *others)
        for name in ("stop", "all", "back", "whole", "open", "release", "rebuild"):
            getattr(self.page_actions, name).setEnabled(False)  # no room for them from the start
        self._age = timer(self, AGE_MS)
        self._connect()
        self._show_board()

    @property
    def edits(self) -> Mapping[str, QAction]:
        return {"copy": self.page_actions.copy, "find": self.page_actions.find}

    def take_focus(self) -> None:
        """Put the keyboard where the work is, once it is known what there is."""
        self._is_awaited = not self._has_read
        if self.ui.page.currentIndex() == FILLED:
            self.ui.side.question_list.setFocus()
        elif self._has_read:
            self.ui.first_step.setFocus()

    def refresh(self) -> None:
        """Read everything again; what is open stays open."""
        self._is_outdated = False
        self.session.start(self._load())

    @property
    def going_on(self) -> GoingOn | None:
        """The harvest, or else the verification, repair or export, if there is one."""
        if self.runner.is_running:
            return texts.harvesting()
        return texts.working() if self.runner.is_checking else None

    def show_new_losses(self) -> None:
        """List what the last harvest missed first, or confirmed as lost."""
        self.listing.ask(Asked(Question.NEW))

    def stop(self) -> None:
        """End the run."""
        self.runner.stop()
        self.follow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.ui.fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Read what there is when the page is opened first, or there is more: no start waits."""
        super().showEvent(event)
        is_due = self._is_outdated or not self._readings.has_begun
        if is_due and self.session.is_open:
            self.refresh()

    def _connect(self) -> None:
        listing, runner = self.listing, self.runner
        self.session.follow(self._on_opened)
        self.session.looked.connect(self._on_looked)
        self.session.repaired.connect(self._on_repaired)
        self.session.events.connect(self._on_events)
        self._age.timeout.connect(self._show_strip)
        self._age.start()
        listing.changed.connect(self.follow)
        self.ui.table.gave_way.connect(self._show_sum)
        listing.chosen.connect(self.chosen.show)
        listing.wanted.connect(self.ui.pane.line.setFocus)
        self.commands.sourced.connect(self.refresh)
        self.ui.pane.line.spanned.connect(self.follow)
        self.chosen.changed.connect(self.follow)
        runner.began.connect(self._on_began)
        runner.moved.connect(self._on_moved)
        runner.gathered.connect(self._on_gathered)
        runner.checked.connect(self._on_checked)
        runner.ended.connect(self._on_ended)

    def _on_opened(self) -> None:
        if self.isVisible():
            self.refresh()

    def _on_looked(self) -> None:
        """Read the run by which the manifests of what is watched were kept, once it can be seen."""
        self._is_outdated = self._readings.has_begun
        if self.isVisible():
            self.refresh()

    def _on_repaired(self) -> None:
        """Let go of the faults of a check: some are repaired. All pages are read anew then."""
        self.answers.forget_check(has_repaired=True)

    def _on_events(self, events: Sequence[Event]) -> None:
        if any(isinstance(it, ScheduleChanged) and it.ended is Task.WATCH for it in events):
            self._on_looked()

    async def _load(self) -> None:
        is_latest = self._readings.begin()
        try:
            board = await self.answers.read_board()
        except (CarrelError, OSError) as error:
            self.ui.reading.show_unread(str(error))
            raise
        self._has_read = True
        if is_latest():
            self.answers.take(board)
            self._show_board()
            if self._is_awaited and self.isVisible():
                self.take_focus()
            if self._is_after_run:
                self._is_after_run = False
                has_news = board.has_news_of_newest
                self.listing.ask(Asked(Question.NEW if has_news else Question.SERIES))
            elif self.listing.asked.question is not Question.PROGRESS:
                self.listing.ask(self.listing.asked)
            self.chosen.refresh()

    def _show_board(self) -> None:
        board = self.answers.board
        self.ui.side.runs.show_runs(board.harvests)
        self.ui.side.questions.show_counts(self.answers.counts, self.answers.board.last_check)
        self.ui.strip.show_source(board.directory, board.last_directory)
        self._show_strip()
        self.follow()

    def _show_strip(self) -> None:
        if not self.runner.is_busy:
            self.ui.strip.show_last(self.ui.side.runs.newest, self._clock())

    def _on_began(self) -> None:
        is_run = self.runner.is_running
        self.ui.strip.show_begun(self.runner.deed, is_run=is_run)
        self.ui.side.show_run(is_running=is_run)
        self.answers.forget_check()
        if is_run:
            self._reported = RunRemarks()
            self.answers.progress.clear()
            self.listing.ask(Asked(Question.PROGRESS))
        self.follow()

    def _on_moved(self, told: Sequence[RunProgress]) -> None:
        self.ui.strip.show_progress(told[-1])
        if not self.runner.is_running:
            return
        placed = [each for each in told if each.archive]
        self.answers.progress |= {key_of(each): each for each in placed}
        if self.listing.asked.question is Question.PROGRESS and self.listing.is_settled:
            self.ui.model.put(placed, key_of)
            self.follow()

    def _on_ended(self, is_run: bool) -> None:
        self._show_strip()
        self.ui.side.show_run(is_running=False)
        if is_run and self.listing.asked.question is Question.PROGRESS:
            self._is_after_run = True
        self.refresh()
        self.follow()
        self.session.harvested.emit()

    def _on_gathered(self, report: RunReport) -> None:
        """Say what stood in the way of a run; what it found is read anew."""
        self.answers.forget_check(has_repaired=bool(report.counts.get("copies repaired")))
        none = tr("nothing new until then") if report.is_stopped else tr("nothing new")
        found = texts.counts(report.counts) or none
        lacking = texts.undelivered(report.counts)
        words = tr("Run stopped: {found}") if report.is_stopped else tr("Run finished: {found}")
        said = words.format(found=" · ".join(filter(None, (found, lacking))))
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, said))
        self._reported = RunRemarks(report.remarks, report.unlisted)

    def _on_checked(self, check: DarkCheck) -> None:
        self.answers.check = Verified(check, round(self._clock()))
        self.ui.card.show_trouble(*texts.checked(check, self.answers.check.at))
        self.listing.ask(Asked(Question.CHECK))

    # What is shown

    def follow(self) -> None:
        """Bring pages, sums and actions into line with what is there."""
        ui, runner, board = self.ui, self.runner, self.answers.board
        is_begun = bool(board.harvests or board.losses) or runner.is_busy
        nothing = EMPTY if self._has_read else READING
        ui.page.setCurrentIndex(FILLED if is_begun else nothing)
        ui.show_beginning(has_source=board.directory is not None, is_begun=is_begun)
        check, question = self.answers.check, self.listing.asked.question
        has_faults = check is not None and bool(check.check.faults)
        ui.card.setVisible(has_faults and question in (Question.CHECK, Question.COPIES))
        self._show_remarks()
        is_empty = self.listing.is_settled and not ui.model.rowCount()
        ui.pane.setVisible(self.listing.has_lives and not is_empty)  # none is on show then
        ui.fit()
        model = ui.model
        ui.sentence.setText(self.listing.sentence())
        if model.rowCount():
            ui.results.setCurrentIndex(LISTED)
        elif model.total:
            ui.results.setCurrentIndex(NONE_FOUND)
        else:
            ui.show_none(self.listing.absence())
        self._show_sum()
        ui.lacking.setText(self.listing.lacking())
        ui.lacking.setVisible(bool(ui.lacking.text()))
        self._follow_actions()

    def _show_sum(self) -> None:
        """Say how many rows there are, and that some of their columns have no room."""
        hidden = self.ui.table.without_room if self.ui.model.rowCount() else ()
        words = forms("1 column has no room", "{count} columns have no room")
        said = quantities.counted(len(hidden), *words) if hidden else ""
        self.ui.sum.setText(" · ".join(filter(None, (self.listing.sum(), said))))
        self.ui.sum.setToolTip(
            tr("Without room: {columns}", columns=", ".join(hidden)) * bool(said)
        )

    def _show_remarks(self) -> None:
        """Show what the run on show remarked; else, beside what the last one found, what that did
        since the window was opened."""
        if self.listing.asked.question is Question.RUN:
            said = self.listing.remarks
        else:
            said = self._reported if self.listing.is_of_last_run else RunRemarks()
        self.ui.remarks.show_remarks(said)
        self.ui.remarks.setVisible(self.ui.remarks.has_any)

    def _follow_actions(self) -> None:
        actions, board = self.page_actions, self.answers.board
        is_free = self.session.is_open and not self.runner.is_busy
        actions.gather.setEnabled(is_free and board.directory is not None)
        actions.stop.setEnabled(self.runner.is_running and not self.runner.is_stopping)
        sources = actions.folder, actions.tarball, actions.older, actions.url_list
        for action in (*sources, actions.harvest):
            action.setEnabled(is_free)
        actions.check.setEnabled(is_free and bool(board.runs))
        actions.rebuild.setEnabled(is_free and self.answers.has_repairable)
        actions.all.setEnabled(not self.ui.filters.lists_all)
        actions.export.setEnabled(self.ui.model.rowCount() > 0)
        actions.export_texts.setEnabled(is_free and bool(board.harvests))
        actions.back.setEnabled(self.chosen.can_go_back)
        actions.copy.setEnabled(self.chosen.life is not None)
        actions.whole.setEnabled(self.ui.pane.line.scale.is_zoomed)
        for action in (actions.open, actions.release):
            action.setEnabled(self.chosen.can_open)
