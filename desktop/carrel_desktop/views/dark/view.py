# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Dark archive page: what was gathered, what is lost, and the life of each object."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAction,
    QGuiApplication,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget

from carrel.errors import CarrelError
from carrel.model.dark_views import (
    DarkCheck,
    GatheringOrder,
    RunProgress,
    RunReport,
    RunRow,
    SeriesRow,
)
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.dark import saying
from carrel_desktop.views.dark.absence import Absence, absence, loading, unread
from carrel_desktop.views.dark.actions import DarkActions
from carrel_desktop.views.dark.answers import MOST_FOUND, Answers, Asked
from carrel_desktop.views.dark.choosing import choose_file, choose_folder, choose_new_file
from carrel_desktop.views.dark.chosen import ChosenObject
from carrel_desktop.views.dark.export import as_csv
from carrel_desktop.views.dark.layout import EMPTY, FILLED, LISTED, NONE_FOUND, READING, DarkLayout
from carrel_desktop.views.dark.progress import key_of
from carrel_desktop.views.dark.questions import Question, losses_test, words
from carrel_desktop.views.dark.runner import Runner

AGE_MS = 30_000  # how often "12 minutes ago" is said anew
MANY = 5000  # rows from which what a filter looks through is put together aside
OF_CHANGES = (Question.CHANGED, Question.FOUND_AGAIN)
DATED = frozenset({*OF_CHANGES, *(each for each in Question if losses_test(each))})
WITHOUT_LIFE = (Question.SERIES, Question.CHECK, Question.PROGRESS)


class DarkView(QWidget):
    """The page. `clock` gives the time in seconds since 1970."""

    def __init__(
        self, session: Session, theme: Theme, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__()
        self._session, self._clock = session, clock
        self._asked = Asked(Question.SERIES)
        self._asks = self._loads = 0
        self._is_answering = self._has_read = False
        self._trouble = ""  # why what was asked last could not be answered
        self.answers = Answers(session)
        self.runner = Runner(session, self)
        self.page_actions = DarkActions(self)
        self.ui = DarkLayout(self, theme)
        self.chosen = ChosenObject(session, theme, self.ui.pane, clock)
        self._age = QTimer(self)
        self._age.setInterval(AGE_MS)
        self._connect()
        self._show_board()

    @property
    def menu_groups(self) -> list[list[QAction]]:
        return self.page_actions.groups

    @property
    def actions_in_menu(self) -> list[QAction]:
        return [action for group in self.menu_groups for action in group]

    @property
    def session(self) -> Session:
        """What says whether an archive is open."""
        return self._session

    @property
    def asked(self) -> Asked:
        """What the table answers."""
        return self._asked

    @property
    def is_settled(self) -> bool:
        """Whether the table shows the answer to what was asked last."""
        return not self._is_answering

    def take_focus(self) -> None:
        """Put the keyboard where the work is."""
        if self.ui.page.currentIndex() == FILLED:
            self.ui.side.take_focus()

    def refresh(self) -> None:
        """Read everything again; what is open stays open."""
        self._session.start(self._load())

    def show_object(self, ident: str) -> None:
        """Show the life of an object, and find it in the list."""
        self.ui.side.search.setText(ident)
        self._ask(Asked(Question.SEARCH, ident))
        self.chosen.show(ident)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.ui.fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Read what there is when the page is opened first: no start waits for it."""
        super().showEvent(event)
        if not self._loads and self._session.is_open:
            self.refresh()

    # What the person does

    def gather(self) -> None:
        """Read the configured directory."""
        self._gather(GatheringOrder(config=self._session.engine.dark.configuration()))

    def stop(self) -> None:
        """End the run."""
        self.runner.stop()
        self.follow()

    def choose_folder(self) -> None:
        choose_folder(self, self.tr("Choose the directory with the ReDIF files"), self._on_folder)

    def choose_tarball(self) -> None:
        choose_file(
            self,
            self.tr("Choose a tarball of ReDIF files"),
            lambda path: self._gather(GatheringOrder(tarball=path)),
        )

    def choose_older(self) -> None:
        choose_file(
            self,
            self.tr("Choose a tarball to read out of its turn"),
            lambda path: self._gather(GatheringOrder(tarball=path, backfill=path.name)),
        )

    def choose_list(self) -> None:
        choose_file(
            self,
            self.tr("Choose a list of URLs"),
            lambda path: self._gather(GatheringOrder(url_list=path)),
        )

    def check(self) -> None:
        """Read store, journal and ledger again."""
        self.runner.check()

    def go_to_search(self) -> None:
        self.ui.side.search.setFocus()
        self.ui.side.search.selectAll()

    def list_all(self) -> None:
        """Take every filter away."""
        self.ui.filters.clear()

    def export(self) -> None:
        """Ask for a file, and write what is listed to it as CSV."""
        name = f"{self._asked.question.value.replace(' ', '-')}.csv"
        choose_new_file(self, self.tr("Export what is listed as CSV"), name, self._on_export)

    def go_back(self) -> None:
        self.chosen.go_back()

    def show_whole(self) -> None:
        """Show all of a life line."""
        self.ui.pane.line.show_whole()

    def open_content(self) -> None:
        self.chosen.open()

    def release(self) -> None:
        self.chosen.release()

    def copy_ident(self) -> None:
        """Copy the handle or URL of the object on show."""
        if self.chosen.life is not None:
            QGuiApplication.clipboard().setText(self.chosen.life.ident)

    # What happens

    def _connect(self) -> None:
        ui, runner = self.ui, self.runner
        self._session.opened.connect(self._on_opened)
        self._age.timeout.connect(self._show_strip)
        self._age.start()
        ui.side.asked.connect(self._on_asked)
        ui.side.run_chosen.connect(self._on_run)
        ui.side.sought.connect(self._on_sought)
        ui.filters.changed.connect(self._on_filter)
        ui.table.chose.connect(self._on_chosen)
        ui.table.wanted.connect(self._on_wanted)
        ui.pane.line.spanned.connect(self.follow)
        self.chosen.changed.connect(self.follow)
        runner.began.connect(self._on_began)
        runner.moved.connect(self._on_moved)
        runner.gathered.connect(self._on_gathered)
        runner.checked.connect(self._on_checked)
        runner.ended.connect(self._on_ended)

    def _on_opened(self) -> None:
        if self.isVisible():
            self.refresh()

    async def _load(self) -> None:
        self._loads += 1
        newest = self._loads
        try:
            board = await self.answers.read_board()
        except (CarrelError, OSError) as error:
            self.ui.reading.show_unread(str(error))
            raise
        self._has_read = True
        if newest == self._loads:  # else a later reading knows more, and may have come before
            self.answers.take(board)
            self._show_board()
            if self._asked.question is not Question.PROGRESS:
                self._ask(self._asked)
            self.chosen.refresh()

    def _show_board(self) -> None:
        board = self.answers.board
        self.ui.side.runs.show_runs(board.runs)
        self.ui.side.questions.show_counts(self.answers.counts)
        self.ui.strip.show_source(board.directory)
        self._show_strip()
        self.follow()

    def _show_strip(self) -> None:
        if not self.runner.is_busy:
            self.ui.strip.show_last(self.ui.side.runs.newest, self._clock())

    def _ask(self, asked: Asked) -> None:
        """Open a view; what answers an earlier question is dropped when it comes."""
        self._asks += 1
        is_other = asked != self._asked
        if asked.question is not self._asked.question:
            self.ui.filters.text.clear()
            self.ui.filters.show_place(None)
        self._asked = asked
        self.ui.side.choose(asked.question, asked.run)
        self.ui.filters.offer_since(is_possible=asked.question in DATED)
        self._is_answering, self._trouble = True, ""
        if is_other:
            self.ui.model.show(self.answers.kind(asked.question), ())  # not under its name
        if self._session.start(self._answer(asked, self._asks)) is None:
            self._is_answering = False
        self.follow()

    async def _answer(self, asked: Asked, number: int) -> None:
        kind = self.answers.kind(asked.question)
        try:
            rows = await self.answers.rows(asked)
        except (CarrelError, OSError) as error:
            if number == self._asks:
                self._say_unanswered(str(error))
            raise
        finally:
            if number == self._asks:
                self._is_answering = False
        if number != self._asks:
            return
        model = self.ui.model
        model.show(kind, rows)
        self._filter()
        self.ui.side.questions.show_counts(self.answers.counts)
        self._keep_chosen()
        self.follow()
        if len(rows) > MANY:
            sought = await self._session.aside(lambda: [kind.sought(row) for row in rows])
            if number == self._asks:
                model.know(sought)

    def _say_unanswered(self, reason: str) -> None:
        """Say why a view lists nothing; what was listed before is of another time, or question."""
        self._is_answering, self._trouble = False, reason
        self.ui.model.show(self.answers.kind(self._asked.question), ())
        self.follow()

    def _keep_chosen(self) -> None:
        """Keep chosen what is on show, else choose the first; nothing in views without lives."""
        if self._asked.question in WITHOUT_LIFE or not self.ui.model.rowCount():
            return
        wanted = self.chosen.wanted
        place = self.ui.model.place_of(wanted) if wanted else None
        if place is not None:
            self.ui.table.choose(place)
        elif not wanted or wanted != self._asked.text:
            self.ui.table.choose(0)

    def _filter(self) -> None:
        newest = self.ui.side.runs.newest
        passes = None
        if self._asked.question in DATED:
            passes = self.ui.filters.test(self._clock(), newest.tist if newest else None)
        self.ui.model.seek(self.ui.filters.words, passes)

    def _gather(self, order: GatheringOrder) -> None:
        if self.page_actions.templates_only.isChecked():
            order = GatheringOrder(
                order.config, order.tarball, order.url_list, order.backfill, full_texts=False
            )
        self.runner.gather(order)

    def _on_folder(self, folder: Path) -> None:
        self._session.start(self._set_directory(folder), is_asked=True)

    async def _set_directory(self, folder: Path) -> None:
        await self._session.call(lambda engine: engine.dark.set_directory(folder))
        await self._load()

    def _on_export(self, path: Path) -> None:
        text = as_csv(self.ui.model.kind, self.ui.model.listed)
        self._session.start(self._session.write_file(path, text), is_asked=True)

    def _on_asked(self, question: Question) -> None:
        self._ask(Asked(question))

    def _on_run(self, run: RunRow) -> None:
        self._ask(Asked(Question.RUN, run=run, until=self.ui.side.runs.after(run)))

    def _on_sought(self, text: str) -> None:
        if text:
            self._ask(Asked(Question.SEARCH, text))
        elif self._asked.question is Question.SEARCH:
            self._ask(Asked(Question.SERIES))

    def _on_filter(self) -> None:
        self._filter()
        self._keep_chosen()
        self.follow()

    def _on_chosen(self) -> None:
        ident = self.ui.model.ident(self.ui.table.currentIndex())
        if ident and self.ui.table.place is not None:
            self.chosen.show(ident)

    def _on_wanted(self, place: int) -> None:
        """Go on from a series to what of it is lost; from an object to its life line."""
        row = self.ui.model.listed[place]
        if isinstance(row, SeriesRow):
            self._ask(Asked(Question.GONE if not row.templates_lost else Question.LOST))
            self.ui.filters.show_place((row.archive, row.series))
        else:
            self.ui.pane.line.setFocus()

    def _on_began(self) -> None:
        is_run = self.runner.is_running
        began = self.tr("The run begins…") if is_run else self.tr("Everything is read again…")
        self.ui.strip.show_begun(began, is_run=is_run)
        self.ui.card.hide()
        self.answers.forget_check()
        if is_run:
            self.answers.progress.clear()
            self._ask(Asked(Question.PROGRESS))
        self.follow()

    def _on_moved(self, told: Sequence[RunProgress]) -> None:
        self.ui.strip.show_progress(told[-1])
        if not self.runner.is_running:
            return
        placed = [each for each in told if each.archive]
        self.answers.progress |= {key_of(each): each for each in placed}
        if self._asked.question is Question.PROGRESS and not self._is_answering:
            self.ui.model.put(placed, key_of)
            self.follow()

    def _on_ended(self) -> None:
        self._show_strip()
        if self._asked.question is Question.PROGRESS:
            self._asked = Asked(Question.NEW)
        self.refresh()
        self.follow()

    def _on_gathered(self, report: RunReport) -> None:
        """Say what stood in the way of a run; what it found is read anew."""
        self.answers.forget_check()
        found = saying.counts(report.counts) or self.tr("nothing new")
        said = self.tr("The run has ended: {found}").format(found=found)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, said))
        if report.problems:
            more = quantities.number(report.unlisted)
            rest = self.tr("{count} more.").format(count=more) if report.unlisted else ""
            heading = quantities.counted(
                len(report.problems) + report.unlisted, "1 remark", "{count} remarks"
            )
            self.ui.card.show_caution(heading, " ".join((*report.problems[:4], rest)))
            self.ui.card.show()

    def _on_checked(self, check: DarkCheck) -> None:
        self.answers.check = check
        heading, sentence = saying.checked(check)
        if check.faults:
            self.ui.card.show_trouble(heading, sentence)
        else:
            self.ui.card.show_success(heading, sentence)
        self.ui.card.show()
        self._ask(Asked(Question.CHECK))

    # What is shown

    def follow(self) -> None:
        """Bring pages, sums and actions into line with what is there."""
        ui, runner, board = self.ui, self.runner, self.answers.board
        is_begun = bool(board.runs) or runner.is_busy
        nothing = EMPTY if self._has_read else READING
        ui.page.setCurrentIndex(FILLED if is_begun else nothing)
        ui.show_beginning(has_source=board.directory is not None, is_begun=is_begun)
        ui.pane.setVisible(self._asked.question not in WITHOUT_LIFE)
        ui.fit()
        model = ui.model
        ui.sentence.setText(self._sentence())
        if model.rowCount():
            ui.results.setCurrentIndex(LISTED)
        elif model.total:
            ui.results.setCurrentIndex(NONE_FOUND)
        else:
            ui.show_none(self._absence())
        self._show_sum()
        self._follow_actions()

    def _absence(self) -> Absence:
        """Return why nothing is listed."""
        if self._trouble:
            return unread(self._trouble)
        if self._is_answering:
            return loading()
        return absence(self._asked.question, self.answers.check, self.ui.side.runs.newest)

    def _follow_actions(self) -> None:
        actions, board = self.page_actions, self.answers.board
        is_free = self._session.is_open and not self.runner.is_busy
        actions.gather.setEnabled(is_free and board.directory is not None)
        actions.stop.setEnabled(self.runner.is_running and not self.runner.is_stopping)
        for action in (actions.folder, actions.tarball, actions.older, actions.url_list):
            action.setEnabled(is_free)
        actions.check.setEnabled(is_free and bool(board.runs))
        actions.all.setEnabled(not self.ui.filters.lists_all)
        actions.export.setEnabled(self.ui.model.rowCount() > 0)
        actions.back.setEnabled(self.chosen.can_go_back)
        actions.copy.setEnabled(self.chosen.life is not None)
        actions.whole.setEnabled(self.ui.pane.line.scale.is_zoomed)
        for action in (actions.open, actions.release):
            action.setEnabled(self.chosen.can_open)

    def _sentence(self) -> str:
        run = self._asked.run
        if self._asked.question is Question.RUN and run is not None:
            found = saying.counts(run.counts) or self.tr("nothing new")
            parts = (saying.moment(run.tist), saying.source(run.source), run.source_ref)
            return " · ".join((*parts, found, saying.completeness(run)))
        if self._asked.question is Question.CHECK and self.answers.check is None:
            return self.tr("Nothing has been checked since the window was opened or the last run.")
        return words(self._asked.question).sentence

    def _show_sum(self) -> None:
        shown, total = self.ui.model.rowCount(), self.ui.model.total
        counted = quantities.counted(total, "1 row", "{count} rows") if total else ""
        if shown != total:
            text = self.tr("{shown} of {rows}")
            counted = text.format(shown=quantities.number(shown), rows=counted)
        elif self._asked.question is Question.SEARCH and total >= MOST_FOUND:
            counted = self.tr("the first {rows}").format(rows=counted)
        self.ui.sum.setText(counted)
