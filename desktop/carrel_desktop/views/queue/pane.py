# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pane beside the queue: one job and what happened to it, or what several have in common."""

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QPushButton, QScrollArea, QWidget

from carrel.model import Answer, JobState, Status
from carrel.model.prose import as_sentence
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.foreign import shown
from carrel_desktop.theme import Theme, space, strong_font
from carrel_desktop.views.queue.history import Ending, failures, history
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.rows import STATES, Counts
from carrel_desktop.views.queue.view_model import (
    archived_since,
    file_view_model,
    kept_size,
    look_of,
    state_of,
)
from carrel_desktop.widgets.actions import ActionButton, Actions, quiet_edge
from carrel_desktop.widgets.icon_rows import FindingList, Moment, Timeline
from carrel_desktop.widgets.labels import ElidedLabel, IconLabel, named, plain_label, wrapped
from carrel_desktop.widgets.layouts import boxed, grid, mirrored, rest, scrolled, vertical, wrapping
from carrel_desktop.widgets.outcome_card import OutcomeCard
from carrel_desktop.widgets.pane import Pane, PaneFooter, pane_footer
from carrel_desktop.widgets.title_block import Title, TitleBlock


class QuestionCard(QFrame):
    """`answered` carries the Answer."""

    answered = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("card", "notice")
        self.heading = wrapped(font=strong_font())
        self.text = wrapped()
        self.buttons = {answer: self._make_button(answer) for answer in Answer}
        parts = grid(2, 1.5, margins=3, on=self)
        top = Qt.AlignmentFlag.AlignTop
        parts.addWidget(IconLabel(theme, "question", "warning"), 0, 0, top)
        parts.addWidget(self.heading, 0, 1)
        parts.addWidget(self.text, 1, 1)
        parts.addLayout(wrapping(*self.buttons.values(), gap=2), 2, 1)

    def show_question(self, heading: str, text: str, answers: Sequence[Answer]) -> None:
        """Show a question and the answers that it takes."""
        self.heading.setText(heading)
        self.text.setText(text)
        self.setAccessibleName(f"{as_sentence(heading)} {text}")
        for answer, button in self.buttons.items():
            button.setVisible(answer in answers)

    def forbid_writing(self, reason: str) -> None:
        """Take no answer, for a reason; "" takes one again."""
        for answer, button in self.buttons.items():
            button.setEnabled(not reason)
            button.setToolTip(reason or words.answer_tip(answer))

    def _make_button(self, answer: Answer) -> QPushButton:
        button = named(QPushButton(words.answer(answer)), f"answer_{answer.value}")
        button.setToolTip(words.answer_tip(answer))
        button.clicked.connect(lambda _checked=False: self.answered.emit(answer))
        return button


class FilePart(QWidget):
    """The path of a file, and below it how the file stands."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("file_part")
        self.name = ElidedLabel(Qt.TextElideMode.ElideMiddle, font=strong_font())
        self.card = OutcomeCard(theme)
        vertical(self.name, self.card, gap=3, on=self)

    def show_file(self, row: Row, index: int) -> None:
        """Show one of the files of a job's attempt."""
        file = row.files[index]
        self.name.setText(tr("File {path}", path=shown(file.path)))
        is_stopped = file.status is Status.CANCELLED and row.job.state.is_open
        if file.status is not None and not file.is_kept and not is_stopped:
            self.card.show_outcome(file.status, file.message)
            return
        # The sentences of successes speak of datasets: of a file its own state is told.
        face = file_view_model(row, index)
        details = " · ".join(part for part in (face.size, face.state_detail) if part)
        self.card.show_note(face.icon, face.state, file.message or details, face.tone)


class JobPane(Pane):
    """`answered` carries the Answer to what is asked on show."""

    answered = Signal(object)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self.copy = ActionButton(actions.copy, theme, "copy", role="quiet")
        self.title = TitleBlock(self.copy)
        self.question = QuestionCard(theme)
        self.question.answered.connect(self.answered)
        self.card = OutcomeCard(theme)
        self.mementos = ActionButton(actions.mementos, theme, "mementos", hides=True)
        self.card.add_way(self.mementos)
        self.file = FilePart(theme)
        self.failures = FindingList(theme)
        self.heading = plain_label(font=strong_font())
        self.timeline = Timeline(theme)
        self.fill(self._scrolled(), self._make_footer(theme, actions))

    def forbid_writing(self, reason: str) -> None:
        """Take no answer to what is asked, for a reason; "" takes one again."""
        self.question.forbid_writing(reason)

    def show_row(self, row: Row, ending: Ending | None, file: int | None) -> None:
        """Show one job and, below its outcome, that of one of its files if that is chosen."""
        with self.showing(row.job.job_id):
            self.title.show_title(Title(row.title, (), _facts(row), row.identifier))
            self.copy.show()
            self._ask([row])
            self._follow_footer([row])
            self._show_outcome(row)
            self._show_file(row, file)
            found = failures(row, ending) if file is None else []
            self.failures.show_findings(found)
            self.heading.setText(tr("History"))
            self.timeline.show_moments(history(row, ending))

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

    def show_queue(self, counts: Counts, *, is_narrowed: bool) -> None:
        """Show how the whole queue, or the chosen batch, stands: no job is chosen. Where filters
        have the list show only some of it, it is told that this is of all."""
        count = counts.of(None)
        with self.showing():
            heading = quantities.counted(count, "1 job", "{count} jobs")
            if is_narrowed:
                heading = quantities.counted(count, "1 job in all", "{count} jobs in all")
            self._ask([])
            facts = [tr("Select one to see its history.")]
            self._summarise(heading, facts, counts.states, counts.causes)

    def _summarise(
        self, heading: str, facts: Sequence[str], states: Counter[JobState], causes: Counter[Status]
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
            heading = tr("{count} datasets need your answer", count=quantities.number(len(asked)))
            text = tr("Your answer applies to all of them. The first asks: {text}", text=text)
        self.question.show_question(heading, text, answers)

    def _show_outcome(self, row: Row) -> None:
        """Show how the job ended or what holds it up; nothing of one that goes on."""
        job, status = row.job, row.job.status
        self.card.setVisible(job.is_on_hold or not job.state.is_open)
        if status is not None and job.is_on_hold:
            said = f"{words.advice(status)} {words.goes_on(job)}."
            self.card.show_caution(words.outcome(status), said, job.message)
        elif status is not None and row.is_overcome:
            icon, tone = look_of(job)
            said = archived_since(row)
            self.card.show_note(icon, words.outcome(status), said, tone, job.message or "")
        elif status is not None and not job.state.is_open:
            self.card.show_ended(status, job.message)
        elif not job.state.is_open:
            icon, _ = look_of(job)
            self.card.show_note(icon, state_of(job), job.message or "")

    def _show_file(self, row: Row, file: int | None) -> None:
        is_there = file is not None and file < len(row.files)
        self.file.setVisible(is_there)
        if is_there and file is not None:
            self.file.show_file(row, file)

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
        self._halves = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        edges = space(4) - quiet_edge(), space(4), space(4), space(3)
        self._halves.setContentsMargins(mirrored(*edges))
        self._halves.setSpacing(space(3))
        self._what = vertical(self.title, rest(share=0), gap=3)
        parts = self.question, self.card, self.file, self.failures, self.heading, self.timeline
        as_title = (quiet_edge(), 0, 0, 0)  # it begins where the words of the title do
        self._halves.addLayout(self._what, 0)
        self._halves.addLayout(vertical(*parts, rest(), gap=3, pixels=as_title), 1)
        return scrolled(boxed(self._halves), sideways=False)

    def _follow_footer(self, rows: Sequence[Row]) -> None:
        """Take the footer away where nothing can be done; urge to nothing that would be in vain."""
        is_in_vain = bool(rows) and all(row.is_for_good or row.is_overcome for row in rows)
        self._retry.set_role("" if is_in_vain else "primary")
        self.footer.setVisible(any(action.isEnabled() for action in self._in_footer))

    def _make_footer(self, theme: Theme, actions: Actions) -> PaneFooter:
        ways = actions.pause, actions.resume, actions.retry, actions.cancel, actions.remove
        self._in_footer = ways
        remove = ActionButton(actions.remove, theme, "remove", role="quiet", hides=True)
        self._retry = ActionButton(actions.retry, theme, "retry", role="primary", hides=True)
        right = (
            ActionButton(actions.cancel, theme, "cancel", hides=True),
            ActionButton(actions.pause, theme, "pause", hides=True),
            ActionButton(actions.resume, theme, "play", hides=True),
            self._retry,
        )
        self.footer = pane_footer((remove,), right)
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


def _line(word: str, count: int, look: tuple[str, str], detail: str = "") -> Moment | None:
    if not count:
        return None
    return Moment(quantities.number(count), *look, word, detail)
