# SPDX-License-Identifier: AGPL-3.0-or-later
"""Writing a fixity report: a page for people, or two tables for programs."""

from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from carrel import __version__
from carrel.archive import Archive
from carrel.exports.certificate.facts import Issue
from carrel.exports.certificate.page import page
from carrel.exports.fixity_report import tables
from carrel.exports.fixity_report.wording import Report, document_of
from carrel.ledger.fixity_history import Period
from carrel.whole_file import whole_file


def paths_of(output: Path) -> Sequence[Path]:
    """Return what a report is written to: a table has a second one beside it, of the holdings."""
    if output.suffix.lower() != ".csv":
        return [output]
    return [output, output.with_name(f"{output.stem}_holdings{output.suffix}")]


def write_report(archive: Archive, period: Period, output: Path, issued: date) -> Sequence[Path]:
    """Write the report of a period; return the files. Each is there whole or not at all.

    It is CSV if the name ends in .csv, else HTML. The ledger is read as it is at one moment.
    Raises ArchiveError and OSError.
    """
    settings = archive.settings
    issue = Issue(
        issued.isoformat(),
        __version__,
        archive.path.resolve().name,
        settings.warc.operator,
        settings.network.contact,
    )
    paths = paths_of(output)
    with archive.ledger.standing_still() as ledger:
        history = ledger.fixity_history
        if len(paths) > 1:
            _write(paths[1], tables.holdings(history, period))
            _write(paths[0], tables.events(history, period))
        else:
            report = Report(issue, period, history, archive.warcs.parent.name)
            _write(output, page(document_of(report)))
    return paths


def _write(path: Path, pieces: Iterable[str]) -> None:
    with whole_file(path) as file:
        file.writelines(piece.encode("utf-8", "surrogatepass") for piece in pieces)
