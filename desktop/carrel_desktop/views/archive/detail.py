# SPDX-License-Identifier: AGPL-3.0-or-later
"""The chosen detection: what it is, its findings and files, how to keep it, and the button."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QScrollArea

from carrel.model import (
    Finding,
    FindingLevel,
    Held,
    Job,
    JobState,
    ManifestFile,
    PlatformItem,
    total_size,
    unknown_sizes,
)
from carrel.model.licenses import short_license
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.theme import Theme, space, strong_font
from carrel_desktop.views.archive.detection import (
    HELD,
    IN_QUEUE,
    Detection,
    State,
    kept_part,
    outcome,
    same_as,
)
from carrel_desktop.views.archive.room import lack_of_room
from carrel_desktop.views.archive.strategy_chooser import StrategyChooser
from carrel_desktop.widgets.actions import ActionButton, Actions
from carrel_desktop.widgets.file_view import FileView
from carrel_desktop.widgets.icon_rows import FindingList
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import boxed, horizontal, rest, scrolled, vertical
from carrel_desktop.widgets.outcome_card import OutcomeCard
from carrel_desktop.widgets.pane import Pane, PaneFooter
from carrel_desktop.widgets.title_block import Title, TitleBlock

# Where what was held at the look is still something to know.
_TONES = {State.HELD: "ok", State.HELD_IN_PART: "warning"}
TELL_HELD = (State.READY, *HELD, State.REFUSED, State.FAILED)


class DetailPane(Pane):
    """Shows one detection. `strategy_chosen` carries the strategy, None for the suggested one."""

    strategy_chosen = Signal(object)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._detection: Detection | None = None
        self._free_bytes: int | None = None
        self.title = TitleBlock(
            ActionButton(actions.landing, theme, "link", role="quiet", hides=True),
            ActionButton(actions.holding, theme, "holdings", role="quiet", hides=True),
        )
        self.held = named(OutcomeCard(theme), "held")
        self.card = OutcomeCard(theme)
        self.job = ActionButton(actions.job, theme, "queue", hides=True)
        self.card.add_way(self.job)
        self.links = ActionButton(actions.page_links, theme, "list", hides=True)
        self.card.add_way(self.links)
        self.mementos = ActionButton(actions.mementos, theme, "mementos", hides=True)
        self.card.add_way(self.mementos)
        self.findings = FindingList(theme)
        self.count = wrapped(font=strong_font())
        self.files = FileView(theme)
        self.files.setMinimumHeight(space(26))
        self.archive = ActionButton(actions.archive, theme, "archive", role="primary")
        self.strategy = StrategyChooser(theme, self.archive)
        self.strategy.chosen.connect(self.strategy_chosen)
        self.room = wrapped("", "failed")
        self.room.hide()
        self.footer = PaneFooter(horizontal(rest(self.strategy), gap=3, margins=(4, 3, 4, 3)))
        self.fill(self._scrolled(), self.footer)

    def show_detection(self, detection: Detection, free_bytes: int | None) -> None:
        """Show what is known of it by now."""
        with self.showing(detection.key):
            self._detection, self._free_bytes = detection, free_bytes
            item = detection.result.item if detection.result else None
            self.title.show_title(_title(detection, item))
            self._show_held(detection)
            self._show_card(detection)
            self._show_findings(detection)
            self._show_files(detection)
            can_be_kept = detection.can_be_archived or detection.state in IN_QUEUE
            self.footer.setVisible(can_be_kept)
            if can_be_kept and item and detection.result and detection.result.choice:
                self.strategy.show_choice(detection.result.choice, detection.strategy, item)
                self.strategy.combo.setEnabled(detection.can_be_archived)
            self._show_room(detection)

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is where the strategy is chosen."""
        focused = QApplication.focusWidget()
        return focused is not None and self.footer.isAncestorOf(focused)

    def show_room(self, free_bytes: int | None) -> None:
        """Say so where the disk has too little room for it; how much is free, the window says."""
        self._free_bytes = free_bytes
        if self._detection is not None:
            with self.adding():
                self._show_card(self._detection)
                self._show_room(self._detection)

    def _show_room(self, detection: Detection) -> None:
        lack = self._lack_of_room(detection)
        self.room.setText(lack)
        self.room.setVisible(bool(lack))
        # What is archived already, or has no room, steps back: the eye is led to the others.
        is_done = detection.state in (State.DONE, *HELD)
        self.archive.set_role("quiet" if is_done or lack else "primary")

    def _lack_of_room(self, detection: Detection) -> str:
        files = detection.result.files if detection.result else ()
        return lack_of_room(total_size(files), self._free_bytes)

    def _show_held(self, detection: Detection) -> None:
        """Say what was held at the look, until an ingest of this session has more to say."""
        held, is_told = detection.held, detection.state in TELL_HELD
        self.held.setVisible(is_told and bool(held or detection.held_trouble))
        if held is None:
            heading = tr("Could not check whether it is already archived")
            self.held.show_caution(heading, detection.held_trouble)
            return
        heading = _since(held)
        if not held.status.is_success:
            heading = f"{heading} · {words.outcome(held.status)}"
        if held.removed:
            removed = quantities.moment(held.removed)
            heading = tr(
                "{archived}, removed from the holdings on {removed}",
                archived=heading,
                removed=removed,
            )
        if held.failed:
            mend = tr("Check the disk, then archive it again.")
            self.held.show_caution(heading, _sentence(held.message), mend)
        elif held.removed:
            again = tr("Restore it in Holdings, or archive it again, to list it there again.")
            self.held.show_caution(heading, _sentence(held.message), again)
        else:
            tone = _TONES.get(detection.state, "accent")
            self.held.show_note("holdings", heading, _sentence(held.message), tone)

    def _show_card(self, detection: Detection) -> None:
        is_plain = detection.state in (State.READY, *HELD) and not detection.is_partial
        self.card.setVisible(not is_plain)
        match detection.state:
            case State.LOOKING:
                doing = detection.waits or detection.doing or tr("Resolving the address")
                self.card.show_note("waiting", tr("Checking…"), doing)
            case State.READY | State.HELD | State.HELD_IN_PART if detection.is_partial:
                self.card.show_caution(kept_part(detection), detection.why_partial)
            case State.QUEUED if detection.job and detection.job.is_on_hold:
                self._show_on_hold(detection.job)
            case State.QUEUED if detection.job and detection.job.state is JobState.PAUSED:
                self.card.show_note("queue", words.goes_on(detection.job), "")
            case State.QUEUED:
                sentence = tr(
                    "It starts when its turn comes. The Queue page says what it waits for."
                )
                self.card.show_note("queue", tr("In the queue"), sentence)
            case State.RUNNING:
                sentence = tr("The Queue page shows the progress of its files.")
                self.card.show_note("running", tr("Being archived"), sentence)
            case State.ASKING:
                sentence = tr("It resumes once you answer on the Queue page.")
                self.card.show_caution(tr("Needs your answer"), sentence)
            case State.SAME:
                sentence = tr("It is archived once, by that identifier.")
                self.card.show_note("link", _sentence(same_as(detection)), sentence)
            case State.NOT_UNDERSTOOD:
                heading = tr("Line {line} was not understood", line=detection.line)
                sentence = tr("Enter a DOI, a Handle, an ARK or a web address.")
                self.card.show_note("question", heading, sentence)
            case State.DONE | State.FAILED if detection.ended and detection.ended.status:
                self.card.show_ended(detection.ended.status, detection.ended.message)
            case State.DONE | State.FAILED if detection.ended:
                self.card.show_note("stopped", outcome(detection.ended), "")
            case State.REFUSED if detection.result and self._is_out_of_reach(detection):
                heading = words.outcome(detection.result.status)
                self.card.show_caution(heading, detection.result.error_message or "")
            case State.REFUSED if detection.result:
                result = detection.result
                self.card.show_outcome(result.status, result.error_message)
            case State.REFUSED:
                self.card.show_trouble(tr("Check failed"), detection.trouble)

    def _is_out_of_reach(self, detection: Detection) -> bool:
        """Say whether to lift the limits would not help, for want of room."""
        return detection.is_beyond_limits and bool(self._lack_of_room(detection))

    def _show_on_hold(self, job: Job) -> None:
        if job.status is not None:
            said = f"{words.advice(job.status)} {words.goes_on(job)}."
            self.card.show_caution(words.outcome(job.status), said, job.message)

    def _show_findings(self, detection: Detection) -> None:
        """Show which files failed, and what was found, but for what stands in the card already."""
        failed = [_failure(file) for file in detection.failed_files]
        found = [*failed, *(detection.result.findings if detection.result else ())]
        said = () if self.card.isHidden() else (self.card.advice.text(), self.card.detail.text())
        self.findings.show_findings([finding for finding in found if finding.message not in said])

    def _show_files(self, detection: Detection) -> None:
        files = detection.files
        self.files.setVisible(bool(files))
        self.count.setVisible(bool(files))
        size = quantities.total(total_size(files), unknown_sizes(files))
        self.count.setText(f"{quantities.files(len(files))} · {size}")
        self.files.show_files(files)

    def _scrolled(self) -> QScrollArea:
        parts = self.held, self.card, self.findings, self.count, self.room
        layout = vertical(*parts, rest(self.files), rest(share=0), gap=3)
        return scrolled(boxed(self.title.above(layout)))


def _since(held: Held) -> str:
    """Return since when a dataset is held, and whether that is all of it."""
    moment = quantities.moment(held.since)
    if held.is_whole:
        return tr("Archived {moment}", moment=moment)
    return tr("Partly archived {moment}", moment=moment)


def _failure(file: ManifestFile) -> Finding:
    """Return which file failed, how, and why as far as that is known."""
    how = words.outcome(file.status) if file.status else ""
    said = " – ".join(filter(None, (how, file.message)))
    text = tr("{file}: {failure}", file=file.path, failure=said)
    return Finding("file-failed", text, FindingLevel.WARNING)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _title(detection: Detection, item: PlatformItem | None) -> Title:
    if item is None:
        shown = detection.identifier.value if detection.identifier else detection.text.strip()
        listed = detection.caption.title  # what the list says, until more is known
        return Title(listed, identifier=shown) if listed else Title(shown)
    platform = f"{words.platform(item.platform_name)} ({item.platform_domain})"
    facts = [
        platform,
        words.version(item.platform_version),
        short_license(item.license or ""),
        (item.published or "")[:10],
    ]
    return Title(item.title or item.platform_id, item.creators, facts, item.doi or item.platform_id)
