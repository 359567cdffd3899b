# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far an export is, how it ended, and what can be done then."""

from collections.abc import Collection, Iterable, Iterator

from PySide6.QtWidgets import QPushButton

from carrel.model.exports import Exported, ExportForm, ExportReport
from carrel.translation import forms, tr
from carrel_desktop import quantities, words
from carrel_desktop.theme import Theme
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.running_card import RunningCard

STEPS = 1000  # of the bar for each holding: byte counts do not fit into its 32 bits
_MOST_NAMED = 3


class ExportCard(RunningCard):
    """How far an export is, how it ended, and the way to what was written."""

    def __init__(self, theme: Theme) -> None:
        folder = named(QPushButton(tr("Show folder")), "show_export")
        rest = named(QPushButton(tr("Export without the damaged files")), "export_rest")
        super().__init__(theme, "export", tr("Export"), rest, folder)
        self.folder, self.rest = folder, rest

    def show_progress(self, done: int, total: int) -> None:
        """Show how far an export is, in steps of which each holding has a thousand."""
        self.show_at(done, total)
        count = total // STEPS
        number = min(done // STEPS + 1, count)
        said = tr(
            "{number} of {count}",
            number=quantities.number(number),
            count=quantities.datasets(count),
        )
        self.card.show_note("save", tr("Exporting…"), said if count else "")

    def show_report(
        self,
        report: ExportReport,
        changed: Collection[str] = (),
        *,
        can_leave_out: bool = False,
    ) -> None:
        """Show what was exported, and name what was not.

        `changed` are the attempts whose damage is no longer what it was. Where it `can_leave_out`
        damaged files, an export of the intact ones is offered.
        """
        there = len(report.holdings) - len(report.refused)
        self.show_ended()
        self.folder.setVisible(there > 0)
        self.rest.setVisible(can_leave_out and bool(_intact_files(report, changed)))
        said = _sum(report)
        lacks = list(_what_lacks(report, changed))
        if not there:
            self.card.show_trouble(tr("Nothing was exported"), "\n".join(lacks))
        elif lacks:
            self.card.show_caution(_heading(report, there), said, "\n".join(lacks))
        else:
            self.card.show_success(tr("Exported and verified"), said)

    def show_trouble(self, reason: str) -> None:
        self.show_ended()
        self.card.show_trouble(tr("Nothing was exported"), reason)

    def show_stopped(self) -> None:
        self.show_ended()
        said = tr("What is complete stays. The same export into the same folder resumes the rest.")
        self.card.show_note("stopped", tr("Export stopped"), said, "secondary")


def _heading(report: ExportReport, there: int) -> str:
    if not report.refused:
        return tr(
            "{datasets} exported, {incomplete} incomplete",
            datasets=quantities.datasets(there),
            incomplete=quantities.number(len(report.incomplete)),
        )
    return tr(
        "{there} of {datasets} exported",
        there=quantities.number(there),
        datasets=quantities.datasets(len(report.holdings)),
    )


def _sum(report: ExportReport) -> str:
    already = sum(each.was_there for each in report.holdings)
    parts = []
    if already < len(report.holdings) - len(report.refused):
        parts.append(_written(report))
    if already:
        datasets = quantities.counted(already, "1 dataset was", "{count} datasets were")
        parts.append(tr("{datasets} there already.", datasets=datasets))
    if renamed := sum(each.renamed for each in report.holdings):
        changed = forms(
            "1 file was renamed: on some disks its name is not valid, or is that of another file. "
            "metadata/names.tsv has both names.",
            "{count} files were renamed: on some disks their names are not valid, or are those of "
            "other files. metadata/names.tsv has both names.",
        )
        parts.append(quantities.counted(renamed, *changed))
    return " ".join(parts)


def _written(report: ExportReport) -> str:
    """Return how many files of the datasets are where, and how large what was written is."""
    files = quantities.files(report.files)
    if report.files < report.file_count:
        files = tr(
            "{number} of {files}",
            number=quantities.number(report.files),
            files=quantities.files(report.file_count),
        )
    size, folder = quantities.size(report.size), report.folder
    if report.form is ExportForm.WACZ:
        return tr("{files} as WACZ ({size}) in {folder}.", files=files, size=size, folder=folder)
    return tr("{files} ({size}) in {folder}.", files=files, size=size, folder=folder)


def _intact_files(report: ExportReport, changed: Collection[str] = ()) -> int:
    """Return how many files that were not found damaged were left out for damaged ones."""
    named = [each for each in report.refused if each.has_damage and each.lacking]
    return sum(each.file_count - len(each.lacking) for each in named if _is_so(each, changed))


def _is_so(exported: Exported, changed: Collection[str]) -> bool:
    return exported.ingest_id not in changed


def _what_lacks(report: ExportReport, changed: Collection[str]) -> Iterator[str]:
    """Yield a line for each cause why something is not there, and what helps."""
    with_damage = [each for each in report.holdings if each.has_damage]
    damaged = [each for each in with_damage if _is_so(each, changed)]
    if others := [each for each in with_damage if not _is_so(each, changed)]:
        yield tr(
            "Verified, repaired or archived again since: {titles}. Export again what is intact "
            "now.",
            titles=_titles(each.title for each in others),
        )
    if damaged:
        yield tr(
            "Damaged or missing in this archive: {titles}. {advice}",
            titles=_titles(map(_with_files, damaged)),
            advice=words.WHAT_MENDS,
        )
    if intact := _intact_files(report, changed):
        yield tr(
            "Left out with them: {files} not found damaged. A dataset with damaged files is "
            "exported only without these.",
            files=quantities.files(intact),
        )
    by_reason: dict[str, list[str]] = {}
    for each in report.refused:
        if not each.has_damage:
            by_reason.setdefault(each.refusal, []).append(each.title)
    lines = [
        tr("{title}: {why}", title=_titles(titles), why=why) for why, titles in by_reason.items()
    ]
    yield from quantities.shortened(lines, _MOST_NAMED)
    if absent := [each for each in report.holdings if each.lacks_archived]:
        yield tr(
            "Already there, without files that are archived now: {titles}. Remove these exports or "
            "choose another folder, and export again.",
            titles=_titles(each.title for each in absent),
        )
    named = [*with_damage, *absent]
    incomplete = [each for each in report.incomplete if each not in named]
    if incomplete:
        yield tr(
            "{titles}: without {files}, which {listed} lists.",
            titles=_titles(each.title for each in incomplete),
            files=quantities.files(sum(len(each.lacking) for each in incomplete)),
            listed="metadata/not-kept.txt",
        )


def _titles(titles: Iterable[str]) -> str:
    """Return the first of these, and how many more there are."""
    named = list(titles)
    more = len(named) - _MOST_NAMED
    if more <= 0:
        return "; ".join(named)
    return tr(
        "{titles}; and {datasets} more",
        titles="; ".join(named[:_MOST_NAMED]),
        datasets=quantities.datasets(more),
    )


def _with_files(exported: Exported) -> str:
    """Return a title with the damaged files, as far as they are known."""
    names = [each.file for each in exported.lacking if each.is_damaged]
    if not names:
        return exported.title
    first = names[0] if len(names) == 1 else quantities.files(len(names))
    return tr("{title} ({files})", title=exported.title, files=first)
