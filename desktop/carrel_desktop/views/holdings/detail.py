# SPDX-License-Identifier: AGPL-3.0-or-later
"""The chosen holding: what it is, how it ended, its files with digests, and what can be done."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QPushButton, QScrollArea, QWidget

from carrel.model import (
    FailedRecord,
    ManifestFile,
    Status,
    VerificationReport,
    total_size,
    unknown_sizes,
)
from carrel.model.proof import kept_in_words
from carrel.translation import forms, tr
from carrel_desktop import quantities, words
from carrel_desktop.theme import Theme, space, strong_font
from carrel_desktop.viewing.handing import SavingCard
from carrel_desktop.views.holdings.failures import (
    Told,
    failures_of,
    is_nothing_lost,
    not_intact,
    told_of,
    what_to_do,
    what_was_found,
    with_new_names,
)
from carrel_desktop.views.holdings.history_line import HistoryLine
from carrel_desktop.views.holdings.other_attempt import told_of_other
from carrel_desktop.views.holdings.record import LastAttempt, Record
from carrel_desktop.widgets.actions import ActionButton, Actions, quiet_edge
from carrel_desktop.widgets.file_tree import strongest_digest
from carrel_desktop.widgets.file_view import FileView
from carrel_desktop.widgets.icon_rows import FindingList, IconRows, clear
from carrel_desktop.widgets.labels import ElidedLabel, named, plain_label, wrapped
from carrel_desktop.widgets.layouts import boxed, horizontal, rest, scrolled, vertical, wrapping
from carrel_desktop.widgets.outcome_card import OutcomeCard
from carrel_desktop.widgets.pane import Pane, PaneFooter, pane_footer
from carrel_desktop.widgets.title_block import TitleBlock

STEPS = 1000  # of the bar: byte counts do not fit into its 32 bits


class FailureList(IconRows):
    """Names that have no room are cut, and whole in their tool tips; hidden where there is none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, gap=2)
        self.setAccessibleName(tr("Damaged or missing"))

    def show_failures(self, told: Sequence[Told]) -> None:
        """Replace what is shown."""
        clear(self._grid)
        for row, each in enumerate(told):
            self._add_row(row, _look(each), _lines(each))
        self.setVisible(bool(told))


def _look(told: Told) -> tuple[str, str]:
    if told.is_note:
        return "note", "secondary"
    return ("failed", "failed") if told.is_lost else ("warning", "warning")


def _repaired(repaired: Mapping[str, Any]) -> str:
    """Return what the last verification found that is intact again."""
    count, moment = repaired["records"], quantities.moment(repaired["at"])
    return tr("Found: {found}.", found=words.found_by_last(count, count, moment))


def _added_to(record: Record) -> str:
    """Return what is so of a holding to which files came after its last verification."""
    told = tr("Files that were added since were read back when they arrived.")
    if not record.replaced:
        return told
    found = quantities.counted(
        record.replaced,
        "It found 1 record damaged or missing, whose bytes were archived again since.",
        "It found {count} records damaged or missing, whose bytes were archived again since.",
    )
    return f"{found} {told}"


def _brought(last: LastAttempt) -> str:
    """Return how many files an attempt archived, or that those it has were archived already."""
    files = quantities.files(last.file_count)
    if last.brought_count:
        count = quantities.number(last.brought_count)
        return tr("That attempt archived {count} of {files}.", count=count, files=files)
    if not last.kept_count:
        return ""
    count = quantities.number(last.kept_count)
    return tr(
        "That attempt archived no file: {count} of {files} had been archived before.",
        count=count,
        files=files,
    )


def _how_much(files: Sequence[ManifestFile]) -> str:
    """Return how many files are archived, of how many that are published, and their size."""
    kept = [each for each in files if each.is_kept]
    size = quantities.total(total_size(kept), unknown_sizes(kept))
    count = quantities.files(len(files))
    if len(kept) < len(files):
        number = quantities.number(len(kept))
        count = tr("{number} of {files} archived", number=number, files=count)
    return f"{count} · {size}"


def _lines(told: Told) -> QWidget:
    middle, left = Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideLeft
    lines = [wrapped(told.what) if told.is_note else _cut(told.what, middle)]
    if told.where:  # the names of WARCs differ in their ends
        lines.append(_cut(told.where, left, "secondary"))
    if told.why:
        lines.append(wrapped(told.why, "secondary"))
    return named(boxed(vertical(*lines, gap=0)), said=str(told))


def _cut(text: str, mode: Qt.TextElideMode, tone: str = "") -> ElidedLabel:
    label = ElidedLabel(mode, tone)
    label.setText(text)
    return label


def _file_ways(theme: Theme, actions: Actions) -> Sequence[QWidget]:
    """Return the buttons for the chosen file, and for all."""
    return (
        ActionButton(actions.preview_file, theme, "preview", role="quiet"),
        ActionButton(actions.open_file, theme, "link", role="quiet"),
        ActionButton(actions.save_file, theme, "save", role="quiet"),
        ActionButton(actions.save_files, theme, "folder", role="quiet"),
    )


class HoldingPane(Pane):
    """Shows one record, and how its verification goes."""

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self.title = TitleBlock(
            ActionButton(actions.landing, theme, "link", role="quiet"),
            ActionButton(actions.mementos, theme, "mementos", role="quiet"),
            ActionButton(actions.watch, theme, "watch", role="quiet"),
        )
        self.other = OutcomeCard(theme)
        self.held_now = named(QPushButton(tr("Show what is held now")), "show_held_now")
        self.other.add_way(self.held_now)
        self.removed = OutcomeCard(theme)
        self.removed.add_way(ActionButton(actions.restore))
        self.card = OutcomeCard(theme)
        self.later = OutcomeCard(theme)
        self.check = OutcomeCard(theme)
        # As in cards of questions, without a picture.
        self.again = ActionButton(actions.archive_again)
        self.repair = ActionButton(actions.copies)
        self._what_helps = boxed(horizontal(self.repair, self.again, gap=2))
        self.check.add_way(self._what_helps)
        self.findings = FindingList(theme)
        self.damaged = FailureList(theme)
        self.bar = named(QProgressBar(textVisible=False), said=tr("Verification"))
        self.bar.setRange(0, STEPS)
        self.count = plain_label(font=strong_font())
        self.tags = wrapped("", "secondary")
        self.note = wrapped()
        self.history_heading = plain_label(tr("History"), font=strong_font())
        self.history = HistoryLine(theme)
        self.place = ElidedLabel(Qt.TextElideMode.ElideMiddle, tone="secondary")
        self.files = FileView(theme, with_digests=True)
        self.files.setMinimumHeight(space(26))
        self.files.allow_dragging()
        self.files.addActions(actions.groups[1])
        self.saving = SavingCard(theme)
        self._ways = boxed(wrapping(*_file_ways(theme, actions), gap=1))
        self._of: Sequence[ManifestFile] = ()
        self._cards = vertical(gap=3)
        self._arrange(is_failed=False)
        self.fill(self._scrolled(), self._make_footer(theme, actions))

    def show_record(self, record: Record, report: VerificationReport | None) -> None:
        """Show a record and, if it was verified, what was found."""
        with self.showing(record.ingest_id):
            self.title.show_title(record.title)
            self.findings.show_findings(record.findings)
            self.count.setText(_how_much(record.files))
            self._of = record.files
            self.files.show_files(record.files, record.fates, record.file_moments)
            self._show_matches(record.matches)
            for widget in (self.count, self.files, self._ways):
                widget.setVisible(bool(record.files))
            self._show_place(record)
            self._show_added(record)
            self.history.show_history(record.history, record.ingest_id)
            self._show_other(record)
            self._show_removed(record)
            self.history_heading.setVisible(not self.history.isHidden())
            self.bar.hide()
            self.check.hide()
            self._show_failures((), 0)
            self.later.setVisible(record.last is not None)
            if record.last is not None:
                self._show_later(record.last, record.error_message or "")
            self.show_fixity(record, report)

    def _show_matches(self, paths: Sequence[str]) -> None:
        """Choose the first of the files that were searched for, if there are any."""
        if paths:
            self.files.choose(paths[0])
            found = forms("1 file found by the search", "{count} files found by the search")
            told = quantities.counted(len(paths), *found)
            self.count.setText(f"{self.count.text()} · {told}")

    def chosen_file(self) -> ManifestFile | None:
        """Return the chosen file, or the only one, None if there is none."""
        file = self.files.files.file_at(self.files.currentIndex())
        return self._of[0] if file is None and len(self._of) == 1 else file

    def chosen_digest(self) -> str:
        """Return the strongest known digest of the chosen file (or the only one), "" if none."""
        file = self.chosen_file()
        strongest = strongest_digest(file) if file is not None else None
        return strongest[1] if strongest else ""

    def show_fixity(self, record: Record, report: VerificationReport | None) -> None:
        """Say how what a record rests on was when it was last read again, be it long ago.

        `report` is of the last verification since the window opened, None if there was none; what
        was found since then of a record that others share goes before it.
        """
        with self.adding():
            self.bar.hide()
            self.files.files.show_fates(record.fates)
            has_failed = record.failed > 0 or (report is not None and not report.is_intact)
            self._arrange(is_failed=has_failed)
            self._show_kept(record, is_past=has_failed and record.status.is_success)
            if report is not None and not (report.is_intact and record.failed):
                self._show_report(record, report)
            elif record.failed or record.fixity.get("verified"):
                self._show_known(record)

    def _show_kept(self, record: Record, *, is_past: bool) -> None:
        """Say how it was kept; where something is damaged since, as what it was then."""
        if not is_past:
            self.card.show_outcome(record.status, self._detail(record), advice=record.advice)
            return
        heading = tr("Archived on {moment}", moment=record.archived)
        sentence = tr("Message then: {advice}", advice=record.advice)
        if record.is_proven:
            heading = tr("Archived on {moment}; checksums matched then", moment=record.archived)
            sentence = ""
        self.card.show_note("holdings", heading, sentence, "secondary")

    def _show_known(self, record: Record) -> None:
        """Say what was found in an earlier session, or with another dataset."""
        fixity = record.fixity
        self.check.show()
        if record.failed:
            found = what_was_found(record.failures, record.failed)
            heading = tr(
                "{found} on {moment}", found=found, moment=quantities.moment(fixity["found"])
            )
            self._show_found(heading, what_to_do(record.failures, record.copied), record.failures)
        else:
            moment = quantities.moment(fixity["verified"])
            heading = tr("All intact on {moment}", moment=moment)
            sentence = tr("All of its bytes that were here then were read again.")
            if fixity.get("is_added_to"):
                heading = tr("Last verified on {moment}", moment=moment)
                sentence = _added_to(record)
            if repaired := fixity.get("repaired"):
                heading = tr("Last verified on {moment}", moment=moment)
                sentence = f"{_repaired(repaired)} {sentence}"
            self.check.show_note("verify", heading, sentence)
        self._show_failures(record.failures, record.failed, record.copied)

    def _show_found(self, heading: str, sentence: str, failures: Sequence[FailedRecord]) -> None:
        """Say what is not intact; it is no trouble where other records have the same bytes."""
        show = self.check.show_caution if is_nothing_lost(failures) else self.check.show_trouble
        show(heading, sentence)

    def _show_failures(
        self, failures: Sequence[FailedRecord], count: int, copied: str = ""
    ) -> None:
        self.damaged.show_failures(told_of(failures, count))
        can_be_had = any(
            not (it.is_earlier or it.is_accompanying or it.has_twin) for it in failures
        )
        self._what_helps.setVisible(count > 0 and (can_be_had or bool(copied)))
        self.again.setVisible(can_be_had)
        self.repair.setVisible(count > 0 and bool(copied))

    def _arrange(self, *, is_failed: bool) -> None:
        """Have what is damaged stand before how all of it was kept, else behind."""
        kept, checked = (self.card, self.later), (self.check, self.bar, self.damaged)
        for widget in (*checked, *kept) if is_failed else (*kept, *checked):
            self._cards.removeWidget(widget)
            self._cards.addWidget(widget)

    def show_verifying(self, done: int, total: int) -> None:
        """Show how far a verification is."""
        with self.adding():
            self.bar.show()
            self.check.show()
            self.bar.setValue(STEPS * done // total if total else 0)
            sentence = tr("Reading every record again") if not total else self._read(done, total)
            self.check.show_note("verify", tr("Verifying…"), sentence)
            self._show_failures((), 0)

    def _show_report(self, record: Record, report: VerificationReport) -> None:
        """Show what a verification found."""
        # What rests on a record the ledger knows, if it could be noted there.
        failures, count = record.failures, record.failed
        if not count:
            failures, count = failures_of(report), report.failed_records
        failures = with_new_names(failures, report)
        self.check.show()
        unnoted = ""
        if report.not_noted:
            unnoted = " " + tr("The result is not recorded. {reason}", reason=report.not_noted)
        if report.is_intact:
            read = tr("Read {size} again and compared every known digest.")
            heading = tr("All {records} intact", records=quantities.records(report.records))
            if not unnoted and (verified := record.fixity.get("verified")):
                moment = quantities.moment(verified)
                heading = tr("{intact} on {moment}", intact=heading, moment=moment)
            sentence = read.format(size=quantities.size(report.size_bytes))
            self.check.show_success(heading, sentence + unnoted)
        else:
            told = not_intact(report, failures, record.copied)
            self._show_found(told.what, told.where + unnoted, failures)
        self._show_failures(failures, count, record.copied)

    def _show_later(self, last: LastAttempt, known: str) -> None:
        """Say how a later attempt ended, and that what is held stays held; what is `known` of the
        one that holds it is not said twice."""
        heading = tr("Last attempt: {outcome}", outcome=words.outcome(last.status))
        tried = tr("Tried {moment}.", moment=quantities.moment(last.started))
        if last.imported:
            tried = tr("Imported {moment}.", moment=quantities.moment(last.imported))
        if last.status is Status.SUCCESS_EXISTING:
            found = tr("Already archived; nothing was downloaded.")
            self.later.show_note("ok", heading, f"{tried} {found}", "secondary")
            return
        stays = tr("It changed nothing of what was archived before.")
        message = tr("For the same reason as before.") if last.message == known else last.message
        parts = (message, _brought(last), f"{tried} {stays}")
        self.later.show_caution(heading, "\n".join(part for part in parts if part))

    def _show_other(self, record: Record) -> None:
        """Say what is shown, if it is not what is held now."""
        held = record.held_instead
        self.other.setVisible(held is not None)
        if held is not None:
            attempts = record.history.attempts
            self.other.show_caution(*told_of_other(attempts, record.ingest_id, held))

    def _show_removed(self, record: Record) -> None:
        """Say that it is not among the holdings any more, where it is not."""
        self.removed.setVisible(bool(record.removed))
        if record.removed:
            moment = quantities.moment(record.removed)
            heading = tr("Removed from the holdings on {moment}", moment=moment)
            self.removed.show_caution(heading, tr("It is not counted. What is archived is kept."))

    def _show_place(self, record: Record) -> None:
        """Say which WARCs hold it; the tool tip names them all."""
        self.place.setVisible(bool(record.warcs))
        first, more = "".join(record.warcs[:1]), len(record.warcs) - 1
        text = tr("Stored in {warc}", warc=first)
        if more > 0:
            others = quantities.counted(more, "1 other WARC file", "{count} other WARC files")
            text = tr("Stored in {warc} and {others}", warc=first, others=others)
        self.place.setText(text)
        self.place.setToolTip("\n".join(record.warcs))

    def _show_added(self, record: Record) -> None:
        """Show what people added."""
        tags = tr("Tags: {tags}", tags=", ".join(record.tags)) if record.tags else ""
        note = tr("Note: {note}", note=record.note) if record.note else ""
        for label, text in ((self.tags, tags), (self.note, note)):
            label.setText(text)
            label.setVisible(bool(text))

    def _read(self, done: int, total: int) -> str:
        read, whole = quantities.size(done), quantities.size(total)
        return tr("{done} of {total} read again", done=read, total=whole)

    def _detail(self, record: Record) -> str:
        """Say how much is held since when, and the last attempt if no card of its own does."""
        since = self._since(record)
        if record.status.is_success:
            return since
        kept = (
            kept_in_words(record.kept, len(record.files)) if record.files else tr("Not archived.")
        )
        if kept in (record.error_message or ""):
            kept = ""
        is_told = record.last or (record.kept and record.tried == record.archived)
        tried = "" if is_told else tr("Last tried {moment}.", moment=record.tried)
        facts = (kept, since if record.kept else "", tried)
        told = " ".join(fact for fact in facts if fact)
        return "\n".join(part for part in (record.error_message, told) if part)

    def _since(self, record: Record) -> str:
        """Say when what is held came: all at once, or the last of it later."""
        since = tr("Archived {moment}.", moment=record.archived)
        accession = record.accession
        if accession is None or accession.added is None:
            return since
        moment = quantities.moment(accession.added)
        anew = quantities.counted(
            len(accession.repaired), "1 damaged file archived", "{count} damaged files archived"
        )
        others = quantities.files(len(accession.later) - len(accession.repaired))
        if not accession.repaired:
            later = tr("{files} archived later, the last on {moment}.", files=others, moment=moment)
        elif len(accession.repaired) == len(accession.later):
            later = tr("{files} again, the last on {moment}.", files=anew, moment=moment)
        else:
            later = tr(
                "{files} again and {others} later, the last on {moment}.",
                files=anew,
                others=others,
                moment=moment,
            )
        return f"{since} {later}"

    def _scrolled(self) -> QScrollArea:
        files = self.count, rest(self.files), rest(share=0)  # which takes all where no files are
        said = self.tags, self.note, self.removed, self.other, self._cards, self.findings
        content = self.title.above(vertical(*said, *files, gap=3))
        content.addWidget(self._ways)
        below = self.saving, self.place, self.history_heading, self.history
        content.addLayout(vertical(*below, gap=3, pixels=(quiet_edge(), 0, 0, 0)))
        area = scrolled(boxed(content))
        self.saving.appeared.connect(lambda: area.ensureWidgetVisible(self.saving))
        return area

    @staticmethod
    def _make_footer(theme: Theme, actions: Actions) -> PaneFooter:
        export = ActionButton(actions.export, theme, "box", role="quiet", has_letter=False)
        # Without a picture the three have room in one row of a low window.
        certificate = ActionButton(actions.certificate, role="quiet", has_letter=False)
        verify = ActionButton(actions.verify, theme, "verify", role="primary")
        return pane_footer((export, certificate), (verify,))
