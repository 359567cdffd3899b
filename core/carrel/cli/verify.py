# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel verify`: fixity, every record again."""

import asyncio
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from click.core import ParameterSource

from carrel.archive import LEDGER_NAME, Archive
from carrel.cli.options import archive_option, json_option
from carrel.cli.printing import place_in, print_json, record_line
from carrel.cli.terminal import close_output, printable, say
from carrel.cli.verification_bar import verification_bar
from carrel.engine.verification import verify as verify_archive
from carrel.engine.verification import verify_paths
from carrel.errors import UsageError
from carrel.model import Absence, Fate, RecordCheck, VerificationReport
from carrel.model.events import Event, RecordVerified
from carrel.model.sizes import in_words

_SHOWN_NAMES = 3


@click.command()
@click.argument("given", metavar="[PATH]...", nargs=-1, type=click.Path())
@click.option("--ingest", "ingest_id", help="Only what this attempt rests on (its ingest_id).")
@click.option(
    "--complete",
    "is_complete",
    is_flag=True,
    help="Fail if a WARC of the archive is in none of the paths.",
)
@archive_option
@json_option
@click.pass_context
def verify(
    context: click.Context,
    given: tuple[str, ...],
    ingest_id: str | None,
    is_complete: bool,
    archive: Path,
    as_json: bool,
) -> None:
    """Read every record again, against every digest that is known.

    Without PATH: all that is in the archive's collections. Each PATH is a WARC or ARC file, or a
    folder with such, the archive's own or anybody's: every record is compared with its own digests
    and, where the ledger knows it, with those. A copy of one of the archive's WARCs is known by its
    name, and by the ids of its records. The ledger is that of --archive, else of the archive that
    the paths lie in. What was found of the archive's own records is noted in its ledger, if nobody
    else writes to it; nothing else is written anywhere.

    Which WARCs of the archive copies lack is said at the end; with --complete it is a failure.

    With --json each record is a line, and each path that could not be read; else only those that
    are not intact are shown.
    """
    if given and ingest_id is not None:
        raise UsageError("An --ingest and paths can not be verified in one call.")
    if is_complete and not given:
        raise UsageError("Only of paths can it be said that they are complete: name some.")
    if not all(given):
        raise UsageError("A path is empty.")
    paths = [Path(each) for each in given]
    is_named = context.get_parameter_source("archive") is not ParameterSource.DEFAULT
    with _archive_for(paths, archive, is_named=is_named) as opened:
        if is_complete and opened is None:
            raise UsageError("Name the archive whose WARCs the paths should have by --archive.")
        with verification_bar(has_lines=as_json) as (tell, line):

            def show(event: Event) -> None:
                tell(event)
                if isinstance(event, RecordVerified) and (
                    as_json or event.check.fate is not Fate.INTACT
                ):
                    with line():
                        _show(event.check, as_json=as_json)

            if opened is None or paths:
                report = asyncio.run(verify_paths(paths, opened, show, is_complete=is_complete))
            else:
                report = asyncio.run(verify_archive(opened, ingest_id, show))
        if not as_json:
            say(_words(report))
            if paths and report.records:
                say(_words_on_ledger(report, opened))
        _say_what_else(report, opened, to_error=as_json)
    context.exit(0 if report.is_intact else 1)


@contextmanager
def _archive_for(paths: Sequence[Path], named: Path, *, is_named: bool) -> Iterator[Archive | None]:
    """Give the archive whose ledger is asked, None if there is none and paths do without.

    Raises NotAnArchive, and UsageError for paths in several archives.
    """
    around = {each for each in map(_archive_around, paths) if each} if not is_named else set()
    if len(around) > 1:
        raise UsageError(
            "The paths lie in several archives; verify them one by one, or name one by --archive."
        )
    folder = next(iter(around), named)
    if paths and not is_named and not _is_archive(folder):
        yield None
        return
    with Archive.open_for_reading(folder) as opened:
        yield opened


def _archive_around(path: Path) -> Path | None:
    """Return the archive folder that a path is, or lies in."""
    real = Path(os.path.realpath(path))
    return next((each for each in (real, *real.parents) if _is_archive(each)), None)


def _is_archive(folder: Path) -> bool:
    # Unlike Path.is_file this says no where nothing may be looked at.
    return os.path.isfile(folder / LEDGER_NAME)


def _show(check: RecordCheck, *, as_json: bool) -> None:
    try:
        if as_json:
            print_json(check.to_json())
        else:
            say(_line(check))
    except BrokenPipeError:
        # The run goes on for the exit status; nobody reads the lines any more.
        close_output()


def _line(check: RecordCheck) -> str:
    where = check.path or check.filename
    if not check.fate.is_of_path:
        where = place_in(where, check.offset)
    return record_line(check.fate, check.url, where, f"{check.message} {check.advice}".rstrip())


def _say_what_else(report: VerificationReport, opened: Archive | None, *, to_error: bool) -> None:
    """Say what is no record's: beside lines of JSON on standard error."""
    if opened is None:
        return
    if report.absence:
        click.echo(printable(_words_on_absence(report.absence, opened)), err=to_error)
    if report.not_noted:
        words = f"Not noted in the ledger. {report.not_noted}"
        click.echo(printable(words), err=to_error)


def _words_on_absence(absence: Absence, opened: Archive) -> str:
    count = len(absence.warcs)
    names = ", ".join(absence.warcs[:_SHOWN_NAMES])
    more = f" and {count - _SHOWN_NAMES} more" if count > _SHOWN_NAMES else ""
    return (
        f"Not in these paths: {count} of the {absence.of_warcs} WARCs of {opened.path}"
        f" ({absence.records} records): {names}{more}."
    )


def _words(report: VerificationReport) -> str:
    size = in_words(report.size_bytes)
    parts = []
    if report.is_intact:
        parts.append(f"All {report.records} records ({size}) are intact.")
    elif report.records:
        failed = report.failed_records
        parts.append(f"{failed} of {report.records} records ({size}) are not intact.")
    if report.failed_paths:
        count = report.failed_paths
        parts.append(f"{count} path{'s' * (count != 1)} could not be verified.")
    if report.without_digest:
        parts.append(
            f"{report.without_digest} of the intact ones have no digest of what is in them: they"
            " are whole, and no more is known."
        )
    return " ".join(parts)


def _words_on_ledger(report: VerificationReport, opened: Archive | None) -> str:
    if opened is None:
        return "No archive was at hand: they were compared with their own digests alone."
    return f"{report.in_ledger} of them were compared with the ledger of {opened.path}."
