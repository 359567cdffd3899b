# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of an export that has ended: how many, where, what lacks and what helps."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from carrel.model.exports import Exported, ExportForm, ExportReport
from carrel.translation import forms, tr
from carrel_desktop import quantities, words

_MOST_NAMED = 3


def heading(report: ExportReport) -> str:
    """Return how many of the datasets were exported, how many were there already, how many of all
    these are incomplete, and how many were not exported where none was."""
    parts = []
    if report.written:
        parts.append(_exported(len(report.written), report))
    if already := len(report.earlier):
        parts.append(
            tr("{count} there already", count=quantities.number(already))
            if report.written
            else tr("{datasets} there already", datasets=quantities.datasets(already))
        )
    if incomplete := len(report.incomplete):
        of_several = tr("{count} of them incomplete", count=quantities.number(incomplete))
        parts.append(tr("incomplete") if len(report.there) == 1 else of_several)
    if report.refused and not report.written:
        refused = quantities.number(len(report.refused))
        parts.append(tr("{count} not exported", count=refused))
    return ", ".join(parts)


def _exported(count: int, report: ExportReport) -> str:
    if not report.refused and not report.earlier:
        return tr("{datasets} exported", datasets=quantities.datasets(count))
    every = quantities.datasets(len(report.holdings))
    return tr("{there} of {datasets} exported", there=quantities.number(count), datasets=every)


def summary(report: ExportReport) -> str:
    """Return what was written, what was there already, and what was renamed."""
    parts = []
    if report.written:
        parts.append(_written(report))
    if already := len(report.earlier):
        read_again = forms(
            "1 dataset was there already; its files were read again and are unchanged.",
            "{count} datasets were there already; their files were read again and are unchanged.",
        )
        parts.append(quantities.counted(already, *read_again))
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


def kept_back(report: ExportReport, changed: Collection[str] = ()) -> int:
    """Return how many files were not exported for damaged ones of the same datasets."""
    return sum(each.kept_back for each in report.refused if _is_so(each, changed))


def _is_so(exported: Exported, changed: Collection[str]) -> bool:
    return exported.ingest_id not in changed


def what_lacks(report: ExportReport, changed: Collection[str]) -> Iterator[str]:
    """Yield a line for each cause why something is not there, and what helps: first of what was
    not exported at all, then of what is there without some of its files."""
    with_damage = [each for each in report.holdings if each.has_damage]
    if others := [each for each in with_damage if not _is_so(each, changed)]:
        yield tr(
            "Verified, repaired or archived again since: {titles}. Export again what is intact "
            "now.",
            titles=_titles(each.title for each in others),
        )
    damaged = [each for each in with_damage if _is_so(each, changed)]
    refused = [each for each in damaged if each.path is None]
    yield from _what_is_damaged(refused, report, changed)
    yield from _why_refused(report)
    if in_part := [each for each in damaged if each.path is not None]:
        yield _what_was_left_out(in_part, advice="" if refused else words.WHAT_MENDS)
    yield from _what_never_came(report)


def _what_is_damaged(
    refused: Sequence[Exported], report: ExportReport, changed: Collection[str]
) -> Iterator[str]:
    if refused:
        is_of_records = any(each.damaged_record for each in refused)
        advice = f"{words.WACZ_COPIES_RECORDS} {words.WHAT_MENDS}"
        yield tr(
            "Not exported, as damaged or missing in this archive: {titles}. {advice}",
            titles=_titles(map(_with_files, refused)),
            advice=advice if is_of_records else words.WHAT_MENDS,
        )
    if intact := kept_back(report, changed):
        yield tr(
            "Left out with them: {files} not found damaged. A dataset with damaged files is "
            "exported only without these.",
            files=quantities.files(intact),
        )


def _why_refused(report: ExportReport) -> Iterator[str]:
    by_reason: dict[str, list[str]] = {}
    for each in report.refused:
        if not each.has_damage:
            by_reason.setdefault(each.refusal, []).append(each.title)
    lines = [
        tr("{title}: {why}", title=_titles(titles), why=why) for why, titles in by_reason.items()
    ]
    yield from quantities.shortened(lines, _MOST_NAMED)


def _what_was_left_out(damaged: Sequence[Exported], *, advice: str) -> str:
    return tr(
        "Exported without files that are damaged or missing in this archive: {titles}. {advice}",
        titles=_titles(map(_with_files, damaged)),
        advice=advice,
    ).rstrip()


def _what_never_came(report: ExportReport) -> Iterator[str]:
    """Yield what was there already without files that are archived now, and what lacks those that
    never were."""
    if absent := [each for each in report.holdings if each.lacks_archived]:
        yield tr(
            "Already there, without files that are archived now: {titles}. Remove these exports or "
            "choose another folder, and export again.",
            titles=_titles(each.title for each in absent),
        )
    if lacking := [each for each in report.there if each.never_archived]:
        yield tr(
            "{titles}: without {files}, which {listed} lists.",
            titles=_titles(each.title for each in lacking),
            files=quantities.files(sum(len(each.never_archived) for each in lacking)),
            listed="metadata/not-kept.txt",
        )


def _titles(titles: Iterable[str]) -> str:
    return quantities.titles(list(titles), _MOST_NAMED)


def _with_files(exported: Exported) -> str:
    """Return a title with the damaged files; with the damaged record, where that was copied."""
    names = [each.file for each in exported.damaged] or [exported.damaged_record.rstrip(".")]
    if not any(names):
        return exported.title
    first = names[0] if len(names) == 1 else quantities.files(len(names))
    return tr("{title} ({files})", title=exported.title, files=first)
