# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was found damaged or missing, in few sentences: a WARC that is gone is told once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from carrel.model import FailedRecord, Fate, RecordCheck, VerificationReport
from carrel.translation import forms, tr
from carrel_desktop import quantities, words

MOST = 6  # so many are told one by one; the command line lists all
MOST_FILES = 2  # so many files of a record are named


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of a record, or of a WARC that is gone: in a line what it is, and one where."""

    what: str
    where: str = ""
    why: str = ""
    is_note: bool = False
    is_lost: bool = True  # what a record had, which no other one has

    def __str__(self) -> str:
        parts = (self.what, self.where, self.why)
        return ". ".join(part.rstrip(".") for part in parts if part)


def failures_of(report: VerificationReport) -> list[FailedRecord]:
    """Return what a verification found, as far as it goes without asking what rests on it."""
    return [
        FailedRecord(it.url, it.filename, it.offset, it.fate, it.message, it.record_id)
        for it in report.failures
        if not it.fate.is_of_path
    ]


def with_new_names(
    failures: Sequence[FailedRecord], report: VerificationReport
) -> list[FailedRecord]:
    """Return what is not intact with the WARCs that were found to have it under another name."""
    found = [it for it in report.failures if it.renamed_to]
    of_record = {it.own_id: it.renamed_to for it in found}
    of_warc = {it.filename: it.renamed_to for it in found if _is_warc_gone(it)}
    return [
        replace(each, renamed_to=of_warc.get(each.filename) or of_record.get(each.record_id, ""))
        for each in failures
    ]


def unreadable_in(report: VerificationReport) -> str:
    """Return sentences on the files that could not be read, "" for none; of those it is not known
    whether they are intact."""
    told = [f"{it.filename}: {it.message}" for it in report.unreadable[:MOST_FILES]]
    more = len(report.unreadable) - len(told)
    if more:
        told.append(tr("{files} more could not be read.", files=quantities.files(more)))
    return " ".join(told)


def told_of(failures: Sequence[FailedRecord], count: int) -> list[Told]:
    """Return what is not intact: the WARCs that are gone, some other records, how many more.

    `failures` are the first of `count` records.
    """
    gone = sorted(filter(_is_warc_gone, failures), key=_by_place)
    by_warc = [list(each) for _, each in groupby(gone, _by_place)]
    by_warc = sorted(by_warc, key=len, reverse=True)[:MOST]
    others = [failed for failed in failures if not _is_warc_gone(failed)][: MOST - len(by_warc)]
    told = [*map(_warc_gone, by_warc), *map(_record, others)]
    if more := count - sum(map(len, by_warc)) - len(others):
        text = tr("{records} more are not intact: “carrel verify” in a terminal lists all.")
        told.append(Told(text.format(records=quantities.records(more)), is_note=True))
    return told


def what_was_found(failures: Sequence[FailedRecord], count: int) -> str:
    """Return how many records were found to be what; `failures` are the first of them."""
    records = quantities.records(count)
    if len(failures) == count and all(each.is_earlier and not each.files for each in failures):
        records = tr("{records} of another attempt", records=records)
    missing = sum(failed.fate is Fate.MISSING for failed in failures)
    if len(failures) < count or 0 < missing < count:
        return tr("{records} found damaged or missing", records=records)
    if missing:
        return tr("{records} found missing", records=records)
    return tr("{records} found damaged", records=records)


def what_was_read(report: VerificationReport) -> str:
    """Return a sentence on how much could be read, "" where nothing but what is damaged was."""
    if not report.size_bytes:
        is_read = any(failed.fate.is_of_record for failed in report.failures)
        return "" if is_read else tr("None of these records could be read.")
    return tr(
        "Read {size} again and compared every known digest.",
        size=quantities.size(report.size_bytes),
    )


def not_intact(report: VerificationReport, failures: Sequence[FailedRecord], copied: str) -> Told:
    """Return that not all is intact: a heading, and what was read and helps. A file that cannot be
    read is no damage: what is in it is not known."""
    unreadable = unreadable_in(report)
    if unreadable and not (report.failed_records or failures):
        files = quantities.files(len(report.unreadable))
        return Told(tr("{files} could not be read", files=files), unreadable)
    told = (unreadable, what_was_read(report), what_to_do(failures, copied))
    return Told(_how_many(report), " ".join(filter(None, told)))


def _how_many(report: VerificationReport) -> str:
    """Return how many of the records are not intact, and how many of those that accompany them."""
    beside = quantities.counted(
        report.failed_beside,
        *forms(
            "1 request, metadata or warcinfo record damaged",
            "{count} request, metadata or warcinfo records damaged",
        ),
    )
    of_records = tr(
        "{count} of {records} not intact",
        count=quantities.number(report.failed_records - report.failed_beside),
        records=quantities.records(report.records),
    )
    if not report.failed_beside:
        return of_records
    has_both = report.failed_records > report.failed_beside
    return f"{of_records} · {beside}" if has_both else beside


def what_to_do(failures: Sequence[FailedRecord], copied: str) -> str:
    """Return what helps against what was found; `copied` is of when the second copy is that may
    have it, "" if none may."""
    renamed = [failed for failed in failures if failed.renamed_to]
    if renamed and len(renamed) == len(failures):
        return _what_to_rename(renamed)
    if renamed:
        others = [failed for failed in failures if not failed.renamed_to]
        return f"{_what_to_rename(renamed)} {what_to_do(others, copied)}"
    instead = words.instead_of_again(map(words.unfit, failures))
    is_gone = bool(failures) and all(map(_is_warc_gone, failures))
    if copied and not is_nothing_lost(failures):
        copy = words.may_be_in_copy(quantities.moment(copied), can_come_again=not instead)
        put_back = tr("If the file was moved or renamed, put it back.")
        return f"{put_back} {copy}" if is_gone else copy
    if instead:
        return instead
    if is_gone:
        return tr(
            "If the file was moved or renamed, put it back. Otherwise restore it from a backup, or "
            "archive the dataset again."
        )
    return words.check_the_disk()


def _what_to_rename(renamed: Sequence[FailedRecord]) -> str:
    """Return where the bytes are of WARCs that have other names now; a file that took a former
    name is not to be overwritten."""
    told: dict[str, str] = {}
    for failed in renamed:
        if _is_warc_gone(failed):
            words = tr("These bytes are in {name}, in the same folder: rename it to {former}.")
        else:
            words = tr(
                "These bytes are in {name}, in the same folder: “carrel rebuild --replace” in a "
                "terminal corrects the ledger."
            )
        told[failed.filename] = words.format(name=failed.renamed_to, former=failed.filename)
    return " ".join([*told.values(), tr("Then verify again.")])


def is_nothing_lost(failures: Sequence[FailedRecord]) -> bool:
    """Say whether the bytes of all these records are known to be intact in others."""
    return bool(failures) and all(failed.has_twin for failed in failures)


def _by_place(failed: FailedRecord) -> tuple[str, bool, bool, str]:
    """Return what records of one WARC have in common that are told as one."""
    version = failed.version or "" if failed.is_earlier else ""
    return failed.filename, failed.has_twin, failed.is_earlier, version


def _is_warc_gone(failed: FailedRecord | RecordCheck) -> bool:
    """Say whether a record's own WARC is not there. Of a revisit another one may be the reason."""
    is_missing = failed.fate is Fate.MISSING
    return is_missing and bool(failed.filename) and failed.filename in failed.message


def _warc_gone(records: Sequence[FailedRecord]) -> Told:
    text, count = tr("{warc} is missing: {records}"), quantities.records(len(records))
    gone = text.format(warc=records[0].filename, records=count)
    files, why = _named([path for failed in records for path in failed.files]), _notes(records[0])
    is_lost = not records[0].has_twin
    if not files:
        return Told(gone, why=why, is_lost=is_lost)
    return Told(_heading(records[0], files), gone, why, is_lost=is_lost)


def _record(failed: FailedRecord) -> Told:
    offset = quantities.number(failed.offset)
    place = tr("{warc}, byte {offset}", warc=failed.filename, offset=offset)
    why = " ".join(filter(None, [failed.message, _notes(failed)]))
    what = _named(failed.files) or failed.earlier_file or failed.url
    if failed.is_accompanying:
        what = words.ACCOMPANYING
    return Told(_heading(failed, what), place, why, is_lost=not failed.has_twin)


def _notes(failed: FailedRecord) -> str:
    """Return what else is known of a record: whether its bytes are elsewhere, and whose it is."""
    twin = words.TWIN if failed.has_twin else ""
    earlier = words.of_earlier(failed.version) if failed.is_earlier else ""
    accompanying = words.IS_ACCOMPANYING if failed.is_accompanying else ""
    return " ".join(filter(None, [twin, earlier, accompanying]))


def _heading(failed: FailedRecord, what: str) -> str:
    """Return what is not intact: a file, or but one of the records that have its bytes."""
    word = words.fate(failed.fate)
    if failed.has_twin and what:
        return tr("{fate}: a record of {what}", fate=word, what=what)
    return tr("{fate}: {what}", fate=word, what=what) if what else word


def _named(paths: Sequence[str]) -> str:
    """Return the first of several paths, and how many more there are."""
    named = ", ".join(paths[:MOST_FILES])
    if more := len(paths[MOST_FILES:]):
        files = quantities.counted(more, "1 more file", "{count} more files")
        return tr("{paths} and {files}", paths=named, files=files)
    return named
