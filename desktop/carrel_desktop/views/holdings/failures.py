# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a verification found, in few sentences: a file that is gone is told once."""

from collections import Counter

from PySide6.QtCore import QCoreApplication

from carrel.model import Fate, Finding, FindingLevel, RecordCheck, VerificationReport
from carrel_desktop import quantities, words

CONTEXT = "failures"
MOST = 6  # so many are told one by one; the command line lists all


def failure_findings(report: VerificationReport) -> list[Finding]:
    """Return what is not intact: the files that are gone, some other records, how many more."""
    gone = Counter(check.filename for check in report.failures if _is_file_gone(check))
    others = [check for check in report.failures if not _is_file_gone(check)]
    told = [_file_gone(*each) for each in gone.most_common(MOST)]
    shown = others[: MOST - len(told)]
    told += [_record(check) for check in shown]
    told_of = sum(count for _, count in gone.most_common(MOST)) + len(shown)
    if more := report.failed_records - told_of:
        text = _tr("{records} more are not intact: “carrel verify” in a terminal lists them all.")
        message = text.format(records=quantities.records(more))
        told.append(Finding("more", message, FindingLevel.NOTE))
    return told


def what_was_read(report: VerificationReport) -> str:
    """Return a sentence on how much of what is not intact could be read."""
    if not report.size_bytes:
        return _tr("Nothing of it could be read.")
    return _tr("{size} could be read again and were compared with every known digest.").format(
        size=quantities.size(report.size_bytes)
    )


def what_to_do(report: VerificationReport) -> str:
    """Return what helps against what was found."""
    if all(_is_file_gone(check) for check in report.failures):
        return _tr("Bring the file back from a backup, or archive the dataset again.")
    return check_the_disk()


def check_the_disk() -> str:
    """Return what helps where bytes turned out damaged."""
    return _tr("Check the disk, then archive the dataset again.")


def _is_file_gone(check: RecordCheck) -> bool:
    """Say whether a record's own WARC is not there. Of a revisit another one may be the reason."""
    is_missing = check.fate is Fate.MISSING
    return is_missing and bool(check.path) and check.path in check.message


def _file_gone(filename: str, count: int) -> Finding:
    text = _tr("{file} is missing: {records}")
    message = text.format(file=filename, records=quantities.records(count))
    return Finding(Fate.MISSING, message, FindingLevel.WARNING)


def _record(check: RecordCheck) -> Finding:
    message = f"{words.fate(check.fate)}: {check.url}"
    if check.message:
        message += f" – {check.message}"
    return Finding(check.fate, message, FindingLevel.WARNING)


def _tr(text: str) -> str:
    return QCoreApplication.translate(CONTEXT, text)
