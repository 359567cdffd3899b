# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fixity reports: of which days, and written to which files."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from carrel.archive import Archive
from carrel.errors import UsageError
from carrel.exports.fixity_report.wording import left_out
from carrel.exports.fixity_report.writing import paths_of, write_report
from carrel.ledger.fixity_history import Period
from carrel.translation import tr

__all__ = ["fixity_report", "last_year", "left_out_of", "paths_of", "period_of"]
_ENDINGS = (".html", ".htm", ".csv")


def period_of(first: date, last: date) -> Period:
    """Return the period of these days, both included (UTC). Raises UsageError for none."""
    if last < first:
        raise UsageError(
            tr("The period ends ({last}) before it begins ({first}).", first=first, last=last)
        )
    if last == date.max:
        raise UsageError(tr("{day} is too late a day.", day=last))
    after = last + timedelta(days=1)
    return Period(f"{first.isoformat()}T00:00:00Z", f"{after.isoformat()}T00:00:00Z")


def last_year(today: date | None = None) -> tuple[date, date]:
    """Return the first and the last day of the year that ends today (UTC)."""
    last = today or datetime.now(UTC).date()
    return date.fromordinal(max(1, last.toordinal() - 364)), last


def left_out_of(archive: Archive, first: date, last: date) -> str:
    """Say what a report over these days leaves out, "" for nothing. Raises ArchiveError."""
    later = archive.ledger.fixity_history.archived_later(period_of(first, last))
    return left_out(later) if later else ""


def fixity_report(
    archive: Archive, first: date, last: date, output: Path, *, issued: date | None = None
) -> Sequence[Path]:
    """Write the fixity report over these days; return the files. Blocks.

    A page if the name ends in .html, else (.csv) a table of what happened, and one of all holdings
    beside it. Raises UsageError for another name, ArchiveError and OSError.
    """
    if output.suffix.lower() not in _ENDINGS:
        raise UsageError(tr("A fixity report is HTML or CSV: give a file that ends in one."))
    day = issued or datetime.now(UTC).date()
    return write_report(archive, period_of(first, last), output, day)
