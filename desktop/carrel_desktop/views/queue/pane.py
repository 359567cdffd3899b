# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pane beside the queue: one job and what happened to it, or what several have in common."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QFont, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from carrel.model import Answer, JobState, Status
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.queue.file_part import FilePart
from carrel_desktop.views.queue.history import Ending, Entry, failures, history
from carrel_desktop.views.queue.places import STATES
from carrel_desktop.views.queue.row import Row, is_held_up
from carrel_desktop.views.queue.view_model import goes_on, kept_size, look_of, state_of
from carrel_desktop.widgets.actions import ActionButton, quiet_edge
from carrel_desktop.widgets.findings import FindingList
from carrel_desktop.widgets.outcome_card import OutcomeCard
from carrel_desktop.widgets.pane import Pane
from carrel_desktop.widgets.pane_footer import PaneFooter
from carrel_desktop.widgets.question_card import QuestionCard
from carrel_desktop.widgets.scrolling import scrolled
from carrel_desktop.widgets.timeline import Moment, Timeline
from carrel_desktop.widgets.title_block import Title, TitleBlock


@dataclass(frozen=True, slots=True)
class PaneActions:
    """What can be done with what is chosen; what cannot is not shown."""

    pause: QAction
    resume: QAction
    retry: QAction
    cancel: QAction
    remove: QAction
    copy: QAction


class JobPane(Pane):
    """`answered` carries the Answer to what is asked on show."""

    answered = Signal(object)

    def __init__(self, theme: Theme, actions: PaneActions) -> None:
        super().__init__()
        self.copy = ActionButton(actions.copy, theme, "copy", role="quiet")
        self.title = TitleBlock(self.copy)
        self.question = QuestionCard(theme)
        self.question.answered.connect(self.answered)
        self.card = OutcomeCard(theme)
        self.file = FilePart(theme)
        self.failures = FindingList(theme)
        self.heading = QLabel()
        self.heading.setFont(scaled_font(1, QFont.Weight.DemiBold))
        self.timeline = Timeline(theme)
        self.fill(self._scrolled(), self._make_footer(theme, actions))

    def show_row(self, row: Row, ending: Ending | None, file: int | None) -> None:
        """Show one job and, below its outcome, that of one of its files if that is chosen."""
        with self.showing():
            self.title.show_title(Title(row.title, (), _facts(row), row.identifier))
            self.copy.show()
            self._ask([row])
            self._follow_footer([row])
            self._show_outcome(row)
            self._show_file(row, file)
            found = failures(row, ending) if file is None else []
            self.failures.show_findings(found)
            self.heading.setText(tr("History"))
            self.timeline.show_moments([_moment(entry) for entry in history(row, ending)])

    def show_several(self, rows: Sequence[Row]) -> None:
        """Show what several jobs have in common."""
        with self.showing():
            heading = quantities.counted(len(rows), "1 selected", "{count} selected")
            states = Counter(row.job.state for row in rows)
            causes = Counter(row.cause for row in rows if row.cause)
            kept = sum(row.job.kept_size or 0 for row in rows)
            facts = [tr("{size} archived", size=quantities.size(kept))] if kept else []
            self._ask(rows)
            self._summarise(heading, facts, states, causes)
            self._follow_footer(rows)

    def show_queue(self, states: Counter[JobState], causes: Counter[Status]) -> None:
        """Show how the whole queue stands: nothing is chosen."""
        with self.showing():
            total = states.total()
            heading = quantities.counted(total, "1 dataset", "{count} datasets")
            self._ask([])
            hint = tr("Select one to see its history.")
            self._summarise(heading, [hint], states, causes)

    def _summarise(
        self,
        heading: str,
        facts: Sequence[str],
        states: Counter[JobState],
        causes: Counter[Status],
    ) -> None:
        self.title.show_title(Title(heading, (), facts))
        self._follow_footer([])
        self.copy.hide()
        self.card.hide()
        self.file.hide()
        self.failures.show_findings(())
        self.heading.setText(tr("Status summary"))
        lines = [_line(words.job_state(s), states[s], words.job_state_look(s)) for s in STATES]
        for status, count in causes.most_common():
            look = words.outcome_icon(status), words.outcome_tone(status)
            lines.append(_line(words.outcome(status), count, look, words.advice(status)))
        self.timeline.show_moments([line for line in lines if line is not None])

    def _ask(self, rows: Sequence[Row]) -> None:
        """Show the question of these jobs if all of them ask, with the answers that all take."""
        questions = [row.job.question for row in rows if row.job.state is JobState.ASKING]
        asked = [question for question in questions if question is not None]
        is_asking = bool(asked) and len(asked) == len(rows)
        self.question.setVisible(is_asking)
        if not is_asking:
            return
        answers = [a for a in Answer if all(a in question.answers for question in asked)]
        heading, text = tr("This dataset needs your answer"), asked[0].text
        if len(asked) > 1:
            count = quantities.number(len(asked))
            heading = tr("{count} datasets need your answer", count=count)
            text = tr("Your answer applies to all of them. The first asks: {text}", text=text)
        self.question.show_question(heading, text, answers)

    def _show_outcome(self, row: Row) -> None:
        """Show how the job ended or what holds it up; nothing of one that goes on."""
        job, status = row.job, row.job.status
        self.card.setVisible(is_held_up(job) or not job.state.is_open)
        if status is not None and is_held_up(job):
            said = f"{words.advice(status)} {goes_on(job)}."
            self.card.show_caution(words.outcome(status), said, job.message)
        elif status is not None and not job.state.is_open:
            self.card.show_ended(status, job.message)
        elif not job.state.is_open:
            icon, _ = look_of(job)
            self.card.show_note(icon, state_of(job), job.message or "")

    def _show_file(self, row: Row, file: int | None) -> None:
        is_there = file is not None and file < len(row.files)
        self.file.setVisible(is_there)
        if is_there and file is not None:
            self.file.show_file(row.transfer, file)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the pane is low and wide, have what happened stand at the right."""
        super().resizeEvent(event)
        is_low = event.size().width() > 2 * event.size().height()
        direction = QBoxLayout.Direction.LeftToRight if is_low else QBoxLayout.Direction.TopToBottom
        if self._halves.direction() is not direction:
            self._halves.setDirection(direction)
            self._halves.setStretch(0, 1 if is_low else 0)
            self._what.setStretch(self._what.count() - 1, 1 if is_low else 0)

    def _scrolled(self) -> QScrollArea:
        content = QWidget()
        self._halves = QBoxLayout(QBoxLayout.Direction.TopToBottom, content)
        self._halves.setContentsMargins(space(4) - quiet_edge(), space(4), space(4), space(3))
        self._halves.setSpacing(space(3))
        what, story = QVBoxLayout(), QVBoxLayout()
        for half in (what, story):
            half.setSpacing(space(3))
            self._halves.addLayout(half, 1)
        what.addWidget(self.title)
        what.addStretch(0)
        story.setContentsMargins(quiet_edge(), 0, 0, 0)  # as the words of the title
        self._what = what
        parts = self.question, self.card, self.file, self.failures, self.heading, self.timeline
        for widget in parts:
            story.addWidget(widget)
        story.addStretch(1)
        self._halves.setStretch(0, 0)
        return scrolled(content, sideways=False)

    def _follow_footer(self, rows: Sequence[Row]) -> None:
        """Take the footer away where nothing can be done; urge to nothing that would be in vain."""
        is_in_vain = bool(rows) and all(row.is_for_good for row in rows)
        self._retry.set_role("" if is_in_vain else "primary")
        self.footer.setVisible(any(action.isEnabled() for action in self._in_footer))

    def _make_footer(self, theme: Theme, actions: PaneActions) -> PaneFooter:
        self._in_footer = (
            actions.pause,
            actions.resume,
            actions.retry,
            actions.cancel,
            actions.remove,
        )
        remove = ActionButton(actions.remove, theme, "remove", role="quiet", hides=True)
        self._retry = ActionButton(actions.retry, theme, "retry", role="primary", hides=True)
        right = (
            ActionButton(actions.cancel, theme, "cancel", hides=True),
            ActionButton(actions.pause, theme, "pause", hides=True),
            ActionButton(actions.resume, theme, "play", hides=True),
            self._retry,
        )
        self.footer = PaneFooter((remove,), right)
        return self.footer


def _facts(row: Row) -> list[str]:
    item, job = row.transfer.item, row.job
    facts = [words.platform(job.platform_name or (item.platform_name if item else None))]
    if item:
        facts.append(words.version(item.platform_version))
    if row.file_count:
        facts.append(quantities.files(row.file_count))
    facts.append(_size(row))
    facts.append(words.priority(job.priority))
    return facts


def _size(row: Row) -> str:
    """Return how large a dataset is, as far as that is known; empty before it is."""
    job, transfer = row.job, row.transfer
    if transfer.is_running:
        return quantities.total(transfer.known_total, transfer.unknown) if transfer.files else ""
    if row.lacks_sizes:
        kept = [kept_size(job)] if job.kept_size else []
        return " · ".join([*kept, quantities.total(0, 1)])
    return quantities.size(row.total_size) if row.total_size else ""


def _moment(entry: Entry) -> Moment:
    when = quantities.moment(entry.moment) if entry.moment else ""
    return Moment(when, entry.icon, entry.tone, entry.text, entry.detail)


def _line(word: str, count: int, look: tuple[str, str], detail: str = "") -> Moment | None:
    if not count:
        return None
    return Moment(quantities.number(count), *look, word, detail)
