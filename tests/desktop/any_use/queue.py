# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Queue page: jobs and batches, beside what each job is known to be. The queue is paused."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QModelIndex, Qt

from carrel.archive import Archive
from carrel.model import IngestFilesetResult, IngestOptions, IngestRequest, Job, JobState, Status
from carrel.model.batch import ListedBatch
from carrel.model.events import Event, IngestFinished, IngestStarted, JobChanged
from carrel.model.job import HINDRANCES, Answer, Question
from carrel_desktop import words
from carrel_desktop.views.queue.layout import FILLED, ORDER
from desktop.any_use.hearing import spoken_of, tokens
from desktop.any_use.house import House, Move
from desktop.any_use.world import Dataset, World

BATCHES = ("harbours.csv", "rivers.csv", None)
ENDS = (Status.SUCCESS, Status.NETWORK_ERROR, Status.MISMATCH_MD5, Status.CREDENTIALS_REQUIRED)
OPEN = tuple(state for state in JobState if state.is_open)
TEXTS = ("", "", "soundings", "Q00", "Q017Z", "rivers", "nowhere")


def furnish(archive: Archive, world: World) -> list[Job]:
    """Have the queue hold a job for each dataset, most of them of a batch; return them."""
    jobs = [_job(number, dataset) for number, dataset in enumerate(world.datasets)]
    archive.ledger.jobs.set_paused_since("2026-01-01T00:00:00+00:00")
    archive.ledger.jobs.add(jobs)
    for number, name in enumerate(filter(None, BATCHES)):
        added = f"2026-01-0{number + 1}T00:00:00+00:00"
        archive.ledger.batches.add(ListedBatch(name, name, "table", added, 8, 2, 1 + number))
    return jobs


def _job(number: int, dataset: Dataset) -> Job:
    last = dataset.attempts[-1]
    return Job(
        job_id=f"job-{number}",
        request=IngestRequest(last.url),
        options=IngestOptions(),
        state=JobState.DONE if last.status.is_success else JobState.FAILED,
        position=number,
        added=last.moment,
        batch=BATCHES[number % len(BATCHES)],
        attempts=1,
        ingest_id=last.ingest_id,
        started=last.moment,
        finished=last.moment,
        status=last.status,
        message=f"So ended {dataset.token}.",
        title=dataset.title,
        file_count=len(last.files) or None,
        kept_count=len(last.kept) or None,
    )


class QueueRoom:
    """The page, the jobs, and what the page was asked for."""

    def __init__(self, house: House, jobs: Sequence[Job]) -> None:
        self.house, self.world, self.chance = house, house.world, house.chance
        self.page = house.window.pages.queue
        self.jobs = {job.job_id: job for job in jobs}
        self.removed: dict[str, Job] = {}
        self.place: JobState | None = None
        self.text = ""

    @property
    def moves(self) -> Sequence[Move]:
        chosen = self.choose, self.choose, self.choose_file, self.choose_file, self.choose_several
        asked = self.sort, self.filter, self.search, self.choose_batch, self.show_all_batches
        of_batch = self.retry_batch, self.cancel_batch
        of_chosen = self.retry, self.resume, self.pause, self.cancel, self.remove
        return *chosen, *asked, *of_batch, *of_chosen

    @property
    def events(self) -> Sequence[Move]:
        return self.move_on, self.try_in_vain

    # What one does

    def choose(self) -> None:
        if count := self.page.model.rowCount():
            at = self.chance.randrange(count)
            self._do(lambda: self.page.tree.setCurrentIndex(self.page.model.index(at, 0)))

    def choose_file(self) -> None:
        """Open a job, and choose one of its files if it has any."""
        model, tree = self.page.model, self.page.tree
        if not model.rowCount():
            return
        job = model.index(self.chance.randrange(model.rowCount()), 0)
        self._do(lambda: tree.expand(job))
        at = self.chance.randrange(-1, model.rowCount(job))
        index = job if at < 0 else model.index(at, 0, job)
        self._do(lambda: tree.setCurrentIndex(index))

    def choose_several(self) -> None:
        self._do(self.page.commands.choose_all)

    def sort(self) -> None:
        column = self.chance.randrange(-1, self.page.model.columnCount())
        order = self.chance.choice(tuple(Qt.SortOrder))
        self._do(lambda: self.page.tree.sortByColumn(column, order))

    def filter(self) -> None:
        self.place = self.chance.choice((None, None, *ORDER))
        self._do(lambda: self.page.ui.places.choose(self.place))

    def search(self) -> None:
        self.text = self.chance.choice(TEXTS)
        self._do(lambda: self.page.ui.search.setText(self.text))

    def choose_batch(self) -> None:
        tree = self.page.batches.tree
        if known := tree.items.batches:
            self._do(lambda: tree.choose(self.chance.choice(known).name))

    def show_all_batches(self) -> None:
        self._do(self.page.batches.actions.all_batches.trigger)

    def retry_batch(self) -> None:
        """Try again what is listed of the chosen batch and failed."""
        failed = self._of_listed_batch(JobState.FAILED)
        if self.page.batches.actions.retry_batch.isEnabled():
            self._do(self.page.batches.actions.retry_batch.trigger)
            self._take(failed)

    def cancel_batch(self) -> None:
        """Cancel what is listed of the chosen batch and has not come to its end."""
        open_jobs = self._of_listed_batch(*OPEN)
        if self.page.batches.actions.cancel_batch.isEnabled():
            self._do(self.page.batches.actions.cancel_batch.trigger)
            self._take(open_jobs)

    def retry(self) -> None:
        """Try again what failed of what is chosen: it waits for its turn."""
        chosen = self._chosen(JobState.FAILED, JobState.CANCELLED)
        if self.page.page_actions.retry.isEnabled():
            self._do(self.page.page_actions.retry.trigger)
            self._take(chosen)

    def pause(self) -> None:
        chosen = self._chosen(JobState.QUEUED)
        if self.page.page_actions.pause.isEnabled():
            self._do(self.page.page_actions.pause.trigger)
            self._take(chosen)

    def resume(self) -> None:
        chosen = self._chosen(JobState.PAUSED)
        if self.page.page_actions.resume.isEnabled():
            self._do(self.page.page_actions.resume.trigger)
            self._take(chosen)

    def cancel(self) -> None:
        chosen = self._chosen(*OPEN)
        if self.page.page_actions.cancel.isEnabled():
            self._do(self.page.page_actions.cancel.trigger)
            self._take(chosen)

    def remove(self) -> None:
        """Take what is chosen off the list, unless that is most of it; and put it back."""
        chosen = self._chosen(*JobState)
        if not chosen or not self.page.page_actions.remove.isEnabled():
            return
        self._do(self.page.page_actions.remove.trigger)
        gone = {job_id: self.jobs.pop(job_id) for job_id in chosen}
        self.removed |= gone
        if len(self.jobs) < len(gone) or self.chance.random() < 0.8:
            self.check()
            self._do(self.house.window.last_done.undo)
            self.removed = {each: self.removed[each] for each in self.removed.keys() - gone.keys()}
            self._take(list(gone))

    # What happens

    def move_on(self) -> None:
        """Let a job begin to wait or ask, be held up or end, as the engine would tell it."""
        if not self.jobs:
            return
        self._tell(self._moved(self.chance.choice(list(self.jobs.values()))))

    def try_in_vain(self) -> None:
        """Let a job be taken up, and be stopped before it was described."""
        known = [job for job in self.jobs.values() if job.ingest_id]
        if not known:
            return
        job = self.chance.choice(known)
        begun = replace(job, state=JobState.RUNNING, finished=None, status=None, message=None)
        self._tell(begun, IngestStarted(job.ingest_id or "", job.request))
        stopped = replace(
            begun,
            state=self.chance.choice((JobState.PAUSED, JobState.CANCELLED)),
            status=Status.CANCELLED,
            message="It was stopped.",
        )
        result = IngestFilesetResult(job.request, Status.CANCELLED, ingest_id=job.ingest_id)
        self._tell(stopped, IngestFinished(job.ingest_id or "", result))

    def _tell(self, job: Job, *events: Event) -> None:
        """Have a job be known as it is now, and the page hear of it, and of what its attempt
        does."""
        self.jobs[job.job_id] = job
        self.house.write(lambda engine: engine.archive.ledger.jobs.update(job))
        told = [JobChanged(job.job_id, job), *events]
        self._do(lambda: self.house.window.session.events.emit(told))
        self._do(self.page.tree.viewport().repaint)

    def _moved(self, job: Job) -> Job:
        token = self.world.of(job.request.base_url).token
        state = self.chance.choice([each for each in JobState if each is not JobState.RUNNING])
        status, question = None, None
        if state is JobState.PAUSED and self.chance.random() < 0.5:
            status = self.chance.choice(sorted(HINDRANCES))
        elif state is JobState.ASKING:
            status = Status.TOO_MANY_FILES
            question = Question(f"Shall {token} be archived?", (Answer.LIFT_LIMIT, Answer.LEAVE))
        elif state in (JobState.DONE, JobState.FAILED):
            status = Status.SUCCESS if state is JobState.DONE else self.chance.choice(ENDS[1:])
        elif state is JobState.CANCELLED:
            status = Status.CANCELLED
        message = f"So stands {token}." if status else None
        ended = None if state.is_open else self.world.moment()
        return replace(
            job, state=state, status=status, message=message, question=question, finished=ended
        )

    # What is so

    @property
    def expected(self) -> set[str]:
        """The ids of the jobs that the page is to list."""
        batch = self.page.batches.tree.chosen_name
        return {
            job.job_id
            for job in self.jobs.values()
            if self.place in (None, job.state)
            and batch in ("", job.batch)
            and self.text.casefold() in self._sought(job)
        }

    @property
    def of_chosen_batch(self) -> list[Job]:
        name = self.page.batches.tree.chosen_name
        return [job for job in self.jobs.values() if name in ("", job.batch)]

    def check(self) -> None:
        self._check_list()
        self._check_pane()
        self._check_batches()

    def _check_list(self) -> None:
        page = self.page
        listed = page.model.listed if page.ui.stack.currentIndex() == FILLED else ()
        assert {row.job.job_id for row in listed} == self.expected
        for row in listed:
            assert row.job == self.jobs[row.job.job_id]
            said = page.model.index_of(row).data(Qt.ItemDataRole.AccessibleTextRole)
            assert tokens(said) == {self.world.of(row.job.request.base_url).token}
        states = Counter(job.state for job in self.of_chosen_batch)
        assert page.ui.places.button(None).text() == f"All  {states.total()}"
        for state in JobState:
            text = f"{words.job_state(state)}  {states[state]}"
            assert page.ui.places.button(state).text() == text

    def _check_pane(self) -> None:
        rows, pane = self.page.tree.chosen_rows(), self.page.ui.pane
        assert pane.is_whole
        if len(rows) != 1:
            narrows = replace(self.page.model.filter, batch="")
            in_all = "" if narrows.is_empty else " in all"
            whole = f"{_jobs(len(self.of_chosen_batch))}{in_all}"
            count = f"{len(rows)} selected" if rows else whole
            assert pane.title.title.text() == count
            assert spoken_of(pane.title) == set()
            return
        job = self.jobs[rows[0].job.job_id]
        assert spoken_of(pane) == {self.world.of(job.request.base_url).token}
        is_held_up = job.state is JobState.PAUSED and job.status in HINDRANCES
        assert pane.card.isHidden() is (job.state.is_open and not is_held_up)
        if not pane.card.isHidden() and job.status:
            assert pane.card.word.text() == words.outcome(job.status)
        assert pane.question.isHidden() is (job.state is not JobState.ASKING)
        self._check_file(job, self.page.tree.currentIndex())

    def _check_file(self, job: Job, index: QModelIndex) -> None:
        """What is said of a file is said of the one that is chosen, and of no dataset."""
        pane, found = self.page.ui.pane, self.page.model.row_at(index)
        at = found[1] if found and found[0].job.job_id == job.job_id else None
        assert pane.file.isHidden() is (at is None)
        if at is None or found is None:
            return
        attempts = [it for each in self.world.datasets for it in each.attempts]
        (attempt,) = [it for it in attempts if it.ingest_id == job.ingest_id]
        file = attempt.files[at]
        assert pane.file.name.text() == f"File {file.path}"
        is_well = pane.file.card.word.text() in ("Checksum matches", "Archived; size matches")
        assert is_well is file.is_kept, pane.file.card.word.text()
        assert "Everything" not in pane.file.card.advice.text()

    def _check_batches(self) -> None:
        rows = self.page.batches.tree.items
        shown = {
            rows.index(at, 0).data(): [rows.index(at, column).data() for column in (1, 2, 3)]
            for at in range(rows.rowCount())
        }
        assert shown == {name: self._of_batch(name) for name in BATCHES if name}
        actions, failed = self.page.batches.actions, len(self._of_listed_batch(JobState.FAILED))
        what = f"{failed} failed job{'s' * (failed > 1)}" if failed else "failed jobs"
        assert actions.retry_batch.text() == f"Try {what} of the batch a&gain"
        assert actions.drop_batch.text() == f"Remo&ve {what} of the batch"
        assert actions.retry_batch.isEnabled() is actions.drop_batch.isEnabled() is (failed > 0)
        assert actions.cancel_batch.isEnabled() is bool(self._of_listed_batch(*OPEN))

    def _of_listed_batch(self, *states: JobState) -> Sequence[str]:
        """The jobs of the chosen batch in these states that are listed; none where none is."""
        is_chosen = bool(self.page.batches.tree.chosen_name)
        listed = self.expected if is_chosen else ()
        return [each for each in listed if self.jobs[each].state in states]

    def _of_batch(self, name: str) -> list[str]:
        jobs = [job for job in self.jobs.values() if job.batch == name]
        gone = [job for job in self.removed.values() if job.batch == name]
        ended = sum(not job.state.is_open for job in jobs) + len(gone)
        failed = sum(job.state is JobState.FAILED for job in [*jobs, *gone])
        again = "1 duplicate" if name == BATCHES[0] else "2 duplicates"
        stopped = sum(job.state is JobState.CANCELLED for job in jobs)
        cancelled = f"{stopped} cancelled · " if stopped else ""
        removed = f" · {len(gone)} removed" if gone else ""
        so_far = f"{ended} of {len(jobs) + len(gone)}"
        return [so_far, str(failed or ""), f"{cancelled}2 bad lines · {again}{removed}"]

    def _sought(self, job: Job) -> str:
        return f"{job.title}\n{job.request.base_url}\n{job.batch or ''}".casefold()

    def _chosen(self, *states: JobState) -> Sequence[str]:
        rows = self.page.tree.chosen_rows()
        return [row.job.job_id for row in rows if row.job.state in states]

    def _take(self, job_ids: Sequence[str]) -> None:
        """Take as known what the engine noted of jobs: how it moves them other tests ask."""
        with Archive.open_for_reading(self.house.window.session.archive) as archive:
            self.jobs |= {job.job_id: job for job in archive.ledger.jobs.get_all(job_ids)}

    def _do(self, act: Move) -> None:
        self.house.do(act, *([self.page.ui.pane.title] if self.page.isVisible() else []))


def _jobs(count: int) -> str:
    return "1 job" if count == 1 else f"{count} jobs"
