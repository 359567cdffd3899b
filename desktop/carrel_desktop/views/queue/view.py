# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Queue page: jobs and their files, how far they are, how they ended, and what can be done."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.page import Page
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.timers import delay, switch, timer
from carrel_desktop.views.queue.actions import QueueActions
from carrel_desktop.views.queue.batch_tree import BatchTree
from carrel_desktop.views.queue.batches import Batches
from carrel_desktop.views.queue.commands import Moving, QueueCommands, RetryingAll
from carrel_desktop.views.queue.history import Ending, ending_of
from carrel_desktop.views.queue.layout import EMPTY, FILLED, NONE_FOUND, READING, QueueLayout
from carrel_desktop.views.queue.model import JobsReading, QueueModel
from carrel_desktop.views.queue.row import Filter, Row
from carrel_desktop.views.queue.rows import Totals
from carrel_desktop.views.queue.tree import QueueTree
from carrel_desktop.widgets.actions import MenuGroup, Submenu, make_action

TICK_MS = 1000
SWEEP_MS = 50
HOURS_MS = 30_000  # so often it is looked whether jobs begin at this hour
ORDER_MS = 300  # no more often are rows put in order while jobs begin and end
MANY_CHOSEN = 2000


class QueueView(Page):
    """Shows the queue; `wants_archive` is emitted when the person goes to archive something."""

    wants_archive = Signal()

    kind = PageKind.QUEUE
    tells_unopened = True

    def __init__(
        self, session: Session, theme: Theme, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(session, theme)
        self._clock = clock
        self._ending: Ending | None = None
        self.model = QueueModel(self)
        self.reading = JobsReading(session, self.model)
        self.tree = QueueTree(theme, self.model)
        self.commands = QueueCommands(session, self.model, self.tree)
        self.moving = Moving(session, self.model, self.tree)
        self.retrying = RetryingAll(session, self.model)
        self.page_actions: QueueActions = QueueActions(self)
        self.go_action = make_action(self, tr("Add datasets"), self.wants_archive.emit, name="go")
        tree = BatchTree(theme, self.model)
        self.batches = Batches(self, session, tree, self.model)
        self.more_actions = [self.batches.actions]
        every = self.batches.actions.all_batches
        self.ui = QueueLayout(theme, session, self.page_actions, self.tree, self.go_action, every)
        self.ui.show_batches_in(tree)
        self._lay_out(self.ui)
        self._tick = timer(self, TICK_MS)
        self._sweep = timer(self, SWEEP_MS)
        timer(self, HOURS_MS, self._follow).start()
        self._order = delay(self, ORDER_MS)
        doing = self.commands, self.moving, self.retrying, self, self.ui, self.ui.search
        self.page_actions.bind(*doing)
        self.model.why_paused = session.pauses.why
        session.pauses.changed.connect(self.model.say_anew)
        self._connect()
        self._follow()

    def take_focus(self) -> None:
        """Put the keyboard where the work is, with a row chosen to work on."""
        self.tree.setFocus()
        self.tree.choose_current()

    def keep_focus(self) -> None:
        self.tree.setFocus()

    @property
    def menu_groups(self) -> Sequence[MenuGroup]:
        toggle, jobs, order, *others = self.page_actions.groups
        within = [
            Submenu(tr("&Order"), [order]),
            Submenu(tr("Batc&hes"), self.batches.actions.groups),
        ]
        return [toggle, jobs, within, *others]

    @property
    def edits(self) -> Mapping[str, QAction]:
        actions = self.page_actions
        return {"copy": actions.copy, "select_all": actions.choose_all, "find": actions.find}

    def show_dataset(self, base_url: str) -> None:
        """Show the job of a dataset that is still to come to its end, if it is listed."""
        row = self.model.open_of(base_url)
        if row is not None:
            self.tree.go_to(row)

    def forbid_writing(self, reason: str) -> None:
        super().forbid_writing(reason)
        self.ui.pane.forbid_writing(reason)

    def refresh(self) -> None:
        """Read the list of jobs again, and bring rates and times up to now."""
        self.model.tick(self._clock())
        self.session.start(self.reading.load())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.put_in_order()
        self.batches.read()
        self.tree.choose_first()
        self._follow()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._sweep.stop()

    # What happens

    def _connect(self) -> None:
        ui, model = self.ui, self.model
        self.session.follow(self._on_opened)
        self.session.events.connect(self._on_events)
        ui.places.chosen.connect(self._on_filter)
        ui.causes.chosen.connect(self._on_filter)
        ui.search.textChanged.connect(self._on_filter)
        ui.pane.answered.connect(self.commands.answer)
        self.tree.selectionModel().selectionChanged.connect(self._on_chosen)
        self.tree.selectionModel().currentChanged.connect(self._on_chosen)
        self.reading.ended.connect(self._follow_queue)
        self.reading.unread.connect(ui.reading.show_unread)
        self.batches.chosen.connect(self._on_filter)
        self.batches.job_chosen.connect(self.tree.go_to)
        self.batches.done.connect(self.done)
        self.reading.ended.connect(self.batches.outdate)
        model.totalled.connect(self._on_totals)
        model.modelReset.connect(self._on_chosen)
        model.outdated.connect(self._on_outdated)
        model.files_wanted.connect(self._on_files_wanted)
        model.done_wanted.connect(lambda: self.session.start(self.reading.load_done()))
        model.batch_wanted.connect(lambda name: self.session.start(self.reading.load_batch(name)))
        self.reading.batch_read.connect(self.batches.tree.show_jobs)
        since = self.reading.read_archived_since
        model.batch_ended.connect(lambda _end: self.session.start(since()))
        model.dropped.connect(self.moving.move)
        self.commands.toggled.connect(self._follow_queue)
        self.commands.done.connect(self.done)
        self._tick.timeout.connect(self._on_tick)
        self._order.timeout.connect(self._on_order_due)
        self._sweep.timeout.connect(self.tree.sweep)

    def _on_opened(self) -> None:
        self.session.start(self._open())

    def _on_outdated(self) -> None:
        self.session.start(self.reading.load())

    def _on_events(self, events: list[object]) -> None:
        self.model.apply(events, self._clock())  # type: ignore[arg-type]  # signals carry objects
        if self.model.is_disordered and not self._order.isActive():
            self._order.start()
        if self.isVisible():
            self.batches.outdate()

    def _on_order_due(self) -> None:
        """Have what runs stand on top, unless that moves what the person chose or works on, or
        other rows than the first are in sight."""
        focus = QApplication.focusWidget()
        is_at_work = focus is not None and self.ui.pane.isAncestorOf(focus)
        is_at_top = self.tree.verticalScrollBar().value() == 0
        if self.isVisible() and is_at_top and not self.tree.is_chosen_by_person and not is_at_work:
            self.model.put_in_order()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let go of a chosen batch, where Escape means nothing else."""
        if event.key() == Qt.Key.Key_Escape and self.batches.tree.chosen_name:
            self.batches.all_batches()
        else:
            super().keyPressEvent(event)

    def _on_tick(self) -> None:
        self.model.tick(self._clock())
        if len(self.tree.chosen_rows()) > MANY_CHOSEN:
            self._follow()

    def _on_totals(self, totals: Totals) -> None:
        self.ui.show_counts(self.batches.tree.counts)
        self.ui.graph.add(self._clock(), totals.rate)
        if len(self.tree.chosen_rows()) <= MANY_CHOSEN:
            self._follow()
        else:
            self._follow_page(totals)  # the rest once a second: it looks at each of them

    def _on_filter(self) -> None:
        ui = self.ui
        ui.show_counts(self.batches.tree.counts)
        words = tuple(ui.search.text().casefold().split())
        self.model.set_filter(
            Filter(
                ui.places.place,
                ui.causes.cause,
                words,
                self.batches.tree.chosen_name,
                is_outstanding=ui.causes.is_outstanding,
            )
        )
        self.batches.follow()
        self.tree.show_current()

    def _on_chosen(self) -> None:
        self._read_ending()
        self._follow()

    def _on_files_wanted(self, row: Row) -> None:
        self.session.start(self.reading.load_files(row.job.ingest_id or ""))

    async def _open(self) -> None:
        """Show the jobs that are there, then let them go on."""
        await self.reading.load()
        await self.session.call(lambda engine: engine.queue.start_unless_paused())
        self._follow_queue()

    async def _load_ending(self, ingest_id: str) -> None:
        self._ending = await self.session.read_result(ingest_id, ending_of)
        self._follow()

    def _read_ending(self) -> None:
        """Read what the result of the one chosen job adds, if it has one."""
        chosen = self.tree.chosen_rows()
        job = chosen[0].job if len(chosen) == 1 else None
        has_result = job is not None and job.ingest_id is not None and not job.state.is_open
        if job is None or not has_result or job.ingest_id is None:
            self._ending = None
        elif self._ending is None or self._ending.ingest_id != job.ingest_id:
            self._ending = None
            self.session.start(self._load_ending(job.ingest_id))

    def _follow_queue(self) -> None:
        """Take how the queue stands; in an archive that is only read, nothing here pauses it."""
        is_open, is_read_only = self.session.is_open, bool(self.session.read_only_because)
        self.model.set_running(is_open and (is_read_only or self.session.engine.queue.is_running))
        self._follow()

    def _follow_hours(self) -> None:
        """Take whether jobs begin at this hour."""
        is_open = self.session.is_open
        self.model.hold_back(self.session.engine.queue.gate.reason if is_open else "")

    def _follow(self) -> None:
        """Bring page, pane, actions and timers into line with the model."""
        totals, chosen = self.model.totals(), self.tree.chosen_rows()
        self._follow_page(totals)
        self.page_actions.follow(chosen, totals, is_running=self.model.is_running)
        self._follow_pane(chosen, totals)

    def _follow_page(self, totals: Totals) -> None:
        self.ui.bar.setVisible(totals.all > 0)
        is_filled = self.model.rowCount() > 0
        nothing = EMPTY if self.model.has_read else READING
        none = READING if self.model.done.lacks_some else NONE_FOUND
        page = FILLED if is_filled else none if totals.all else nothing
        if page == NONE_FOUND:
            self.ui.show_none_of(self.batches.tree.chosen_name)
        else:
            self.ui.stack.setCurrentIndex(page)
        self._follow_work(totals)
        switch(self._tick, on=totals.running > 0 or not self.ui.graph.is_still)
        switch(self._sweep, on=self.isVisible() and bool(self.model.unmeasured))

    def _follow_work(self, totals: Totals) -> None:
        self._follow_hours()
        is_running, is_read_only = self.model.is_running, bool(self.session.read_only_because)
        can_go_on = totals.held_up > 0 and not is_running  # a start of the queue looks for room
        hint = tr("The queue is idle. New datasets start at once.")
        if totals.held_up:
            held_up = quantities.number(totals.held_up)
            hint = tr("No job is running; {count} on hold. Each job says why.", count=held_up)
        if self.model.held_back:
            hint = self.model.held_back
        if not is_running:
            hint = tr("The queue is idle and paused. New datasets wait.")
        if is_read_only:
            hint = tr("This archive is read-only. Jobs are shown as they were last recorded.")
        is_at_work = bool(totals.running or (is_running and totals.waiting))
        is_idle = is_read_only or not (totals.running or totals.waiting or can_go_on)
        self.ui.show_at_work(
            is_idle=is_idle,
            can_toggle=not is_idle or not (is_running or is_read_only),
            is_moving=is_at_work and not is_read_only,
            hint=hint,
        )

    def _follow_pane(self, chosen: Sequence[Row], totals: Totals) -> None:
        pane = self.ui.pane
        if len(chosen) > 1:
            pane.show_several(chosen)
        elif chosen:
            found = self.model.row_at(self.tree.currentIndex())
            file = found[1] if found and found[0] is chosen[0] else None
            ending = self._ending
            is_its_own = ending is not None and ending.ingest_id == chosen[0].job.ingest_id
            pane.show_row(chosen[0], ending if is_its_own else None, file)
        else:
            narrows = replace(self.model.filter, batch="")
            pane.show_queue(self.batches.tree.counts, is_narrowed=not narrows.is_empty)
