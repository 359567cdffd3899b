# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel verify`: fixity, every record again."""

import asyncio
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import click
from click.core import ParameterSource

from carrel.archive import Archive
from carrel.cli.archive_around import archive_around, is_archive
from carrel.cli.arguments import Destination
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import place_in, print_json, record_line
from carrel.cli.standard_output import OutputLost, close_output
from carrel.cli.terminal import printable, say
from carrel.cli.verification_bar import verification_bar
from carrel.engine.verification import verify as verify_archive
from carrel.engine.verification import verify_paths
from carrel.errors import UsageError
from carrel.model import Absence, Fate, IndexFaults, RecordCheck, VerificationReport
from carrel.model.counts import counted
from carrel.model.events import Event, RecordVerified
from carrel.model.need_words import journal_words
from carrel.model.outcome_words import MISSING_COUNTED
from carrel.model.sizes import in_words
from carrel.translation import plural, tr

_SHOWN_NAMES = 3
# Missing records that are listed together, and held in memory until then.
_MOST_TOGETHER = 1000


@click.command()
@click.argument("given", metavar="[PATH]...", nargs=-1, type=click.Path())
@click.option("--ingest", "ingest_id", help=tr("Only the captures of this ingest (its ingest_id)."))
@click.option(
    "--complete",
    "is_complete",
    is_flag=True,
    help=tr("Fail if none of the paths contains some WARC of the archive."),
)
@click.option(
    "--copy",
    "copy",
    metavar="DESTINATION",
    type=Destination(),
    help=tr("Compare the copy that “carrel replicate” made with the archive."),
)
@click.option(
    "--evidence",
    "is_evidence",
    is_flag=True,
    help=tr("Check signatures, time stamps and checksum lists of exports and documents, offline."),
)
@click.option(
    "--trust",
    "trusted",
    metavar="FILE",
    multiple=True,
    help=tr("With --evidence: certificates that you trust (PEM); repeatable."),
)
@archive_option
@json_option
@click.pass_context
def verify(
    context: click.Context,
    given: tuple[str, ...],
    ingest_id: str | None,
    is_complete: bool,
    copy: str | None,
    is_evidence: bool,
    trusted: tuple[str, ...],
    archive: Path,
    as_json: bool,
) -> None:
    """Read every record again and compare it with all known digests.

    Without PATH: all of the archive's collections. Each PATH is a WARC or ARC file, or a folder of
    such files, of the archive or from elsewhere: every record is compared with its own digests and,
    if the ledger knows it, with those of the ledger. A WACZ is read in place: its files, records,
    index and signature. Of a BagIt bag (a folder, tar or zip), an RO-Crate or a folder with lists
    of checksums, every file is compared with the lists. A copy of one of the archive's WARCs is
    recognised by its name and by the ids of its records. The ledger is that of --archive, else of
    the archive that the paths lie in. Findings about the archive's own records are recorded in its
    ledger, unless another process is writing to it; nothing else is written.

    Which WARCs of the archive copies lack is said at the end; with --complete it is a failure.

    With --copy, each file of a copy that "carrel replicate" made is read again and compared with
    the list in it and with the archive; what differs is named, and which of the two is right.

    With --evidence each PATH is an export, or a document such as a certificate: its signature, its
    time stamp and the files that they cover are checked, and told are by whom, when, and, with
    --trust, which certificate that you trust they lead to. Neither archive nor network is needed.

    With --json each record is a line, and each path that could not be read; else only those that
    are not intact are shown.
    """
    if is_evidence or trusted:
        if not given or not is_evidence or ingest_id is not None or is_complete or copy:
            raise UsageError(tr("Give --evidence with paths, and with nothing but --trust."))
        from carrel.cli.evidence import verify_evidence  # only for who has any

        paths = [Path(each) for each in given]
        context.exit(0 if verify_evidence(paths, trusted, as_json=as_json) else 1)
    if copy is not None:
        if given or ingest_id is not None or is_complete:
            raise UsageError(tr("Give --copy by itself."))
        from carrel.cli.copies import verify_copy  # only for who has one

        context.exit(0 if verify_copy(copy, archive, as_json=as_json) else 1)
    if given and ingest_id is not None:
        raise UsageError(tr("Give --ingest or paths, not both."))
    if is_complete and not given:
        raise UsageError(tr("--complete needs paths."))
    if not all(each.strip() for each in given):
        raise UsageError(tr("A path is empty."))
    paths = [Path(each) for each in given]
    is_named = context.get_parameter_source("archive") is not ParameterSource.DEFAULT
    lines = _Lines(as_json=as_json)
    with _archive_for(paths, archive, is_named=is_named) as opened:
        if is_complete and opened is None:
            raise UsageError(
                tr("Give the archive whose WARCs the paths should contain with --archive.")
            )
        with verification_bar(has_lines=as_json) as (tell, line):

            def show(event: Event) -> None:
                tell(event)
                if isinstance(event, RecordVerified) and lines.has_words_on(event.check):
                    with line():
                        lines.show(event.check)

            if opened is None or paths:
                report = asyncio.run(verify_paths(paths, opened, show, is_complete=is_complete))
            else:
                report = asyncio.run(verify_archive(opened, ingest_id, show))
        lines.end()
        if as_json:
            _print_what_else(report)
        else:
            say(_words(report, lines.held_elsewhere))
            for remark in report.remarks:
                say(remark)
            if paths and report.records:
                say(_words_on_ledger(report, opened))
        _say_what_else(report, opened, to_error=as_json)
    context.exit(0 if report.is_sound else 1)


@contextmanager
def _archive_for(paths: Sequence[Path], named: Path, *, is_named: bool) -> Iterator[Archive | None]:
    """Give the archive whose ledger is asked, None if there is none and paths do without.

    Raises NotAnArchive, and UsageError for paths in several archives.
    """
    around = {each for each in map(archive_around, paths) if each} if not is_named else set()
    if len(around) > 1:
        raise UsageError(
            tr(
                "The paths are in several archives; verify them separately, or give one with "
                "--archive."
            )
        )
    folder = next(iter(around), named)
    if paths and not is_named and not is_archive(folder):
        yield None
        return
    with Archive.open_for_reading(folder) as opened:
        yield opened


class _Lines:
    """Prints records: all as JSON, else those that are not intact.

    `held_elsewhere` counts those of them whose bytes another record has, whole. What is missing is
    listed by WARC, under the words that hold for several.
    """

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self.held_elsewhere = 0
        self._missing: list[RecordCheck] = []
        self._lost: OutputLost | None = None

    def has_words_on(self, check: RecordCheck) -> bool:
        """Say whether a record is to be shown at all."""
        return self._as_json or check.fate is not Fate.INTACT

    def show(self, check: RecordCheck) -> None:
        """Take a record that is to be shown."""
        self.held_elsewhere += check.is_held_elsewhere
        self._quietly(self._take, check)

    def end(self) -> None:
        """Print what is left. Raises OutputLost if a line could not be written."""
        self._quietly(self._say_missing)
        if self._lost is not None:
            raise self._lost

    def _quietly(self, write: Callable[..., None], *given: RecordCheck) -> None:
        """Write; the run goes on for the exit status also where no one can read what it finds."""
        try:
            write(*given)
        except BrokenPipeError:
            close_output(sys.stdout)
        except OutputLost as error:
            self._lost = error
            close_output(sys.stdout)

    def _take(self, check: RecordCheck) -> None:
        if self._as_json:
            print_json(check.to_json())
            return
        if self._missing and not self._continues(check):
            self._say_missing()
        if check.fate is Fate.MISSING and not check.is_file:
            self._missing.append(check)
        else:
            say(_line(check))

    def _continues(self, check: RecordCheck) -> bool:
        last = self._missing[-1]
        is_beside = (check.fate, check.path, check.message) == (last.fate, last.path, last.message)
        return is_beside and len(self._missing) < _MOST_TOGETHER

    def _say_missing(self) -> None:
        if not self._missing:
            return
        say(f"{Fate.MISSING}: {self._missing[0].message}", bold=True)
        by_advice: defaultdict[str, list[RecordCheck]] = defaultdict(list)
        for check in self._missing:
            by_advice[check.advice].append(check)
        self._missing = []
        for advice, checks in by_advice.items():
            if advice:
                say(f"  {advice}")
            for check in checks:
                say(f"    {check.url or check.record_id}, {_place_beside_message(check)}")


def _place_beside_message(check: RecordCheck) -> str:
    if check.filename in check.message:
        return tr("byte {offset}", offset=check.offset)
    return place_in(check.filename, check.offset)


def _line(check: RecordCheck) -> str:
    where = check.path or check.filename
    if not (check.fate.is_of_path or check.is_file) or check.offset:
        where = place_in(where, check.offset)
    return record_line(check.fate, check.url, where, f"{check.message} {check.advice}".rstrip())


def _say_what_else(report: VerificationReport, opened: Archive | None, *, to_error: bool) -> None:
    """Say what is no record's: beside lines of JSON on standard error."""
    if opened is None:
        return
    if report.absence:
        click.echo(printable(_words_on_absence(report.absence, opened)), err=to_error)
    if report.index:
        _echo([_words_on_index(report.index, opened), *report.index.examples], to_error=to_error)
    if report.journal:
        examples = report.journal[:_SHOWN_NAMES]
        _echo([_words_on_journal(opened), *examples], to_error=to_error)
    if report.not_noted:
        words = tr("Not recorded in the ledger. {not_noted}", not_noted=report.not_noted)
        click.echo(printable(words), err=to_error)


def _echo(lines: Sequence[str], *, to_error: bool) -> None:
    """Print a sentence, and examples below it."""
    for number, line in enumerate(lines):
        click.echo(f"{'  ' if number else ''}{printable(line)}", err=to_error)


def _words_on_absence(absence: Absence, opened: Archive) -> str:
    count = len(absence.warcs)
    names = ", ".join(absence.warcs[:_SHOWN_NAMES])
    more = tr(" and {count:,} more", count=count - _SHOWN_NAMES) if count > _SHOWN_NAMES else ""
    return tr(
        "Not in these paths: {count:,} of the {warcs} of {path} ({records} of files and pages): "
        "{names}{more}.",
        count=count,
        warcs=counted(absence.of_warcs, "WARC"),
        path=opened.path,
        records=counted(absence.records, "record"),
        names=names,
        more=more,
    )


def _print_what_else(report: VerificationReport) -> None:
    if report.index:
        print_json({"index": asdict(report.index)})
    if report.journal:
        print_json({"journal": report.journal})
    if report.remarks:
        print_json({"remarks": report.remarks})


def _words_on_index(faults: IndexFaults, opened: Archive) -> str:
    found = [
        tr("it lacks {captures}", captures=counted(faults.lacking, "capture")),
        tr("{lines} wrong", lines=counted(faults.wrong, "line")),
        tr("{lines} repeated", lines=counted(faults.repeated, "line")),
        tr("{lines} out of order", lines=counted(faults.unordered, "line")),
    ]
    numbers = (faults.lacking, faults.wrong, faults.repeated, faults.unordered)
    told = "; ".join(words for words, number in zip(found, numbers, strict=True) if number)
    return tr(
        "The index in {folder} does not say what the ledger does: {told}. Other programs cannot "
        "find all captures, or read them at the wrong place. Carrel rewrites the index when it "
        "next opens the archive for writing, for an ingest or in the window.",
        folder=opened.index.folder,
        told=told,
    )


def _words_on_journal(opened: Archive) -> str:
    return tr(
        "The journal of {path} is damaged. {meaning} “carrel rebuild --journal” begins a new one "
        "from the ledger, and keeps the old one.",
        path=opened.path,
        meaning=journal_words(),
    )


def _words(report: VerificationReport, held_elsewhere: int) -> str:
    size = in_words(report.size_bytes)
    parts: list[str] = []
    if report.is_intact:
        parts += _intact(report, size)
    elif report.records and report.failed_records:
        failed = report.failed_records
        are = tr("is") if failed == 1 else tr("are")
        of = f"{counted(report.records, 'record')} ({size})"
        parts.append(tr("{failed:,} of {of} {are} not intact.", failed=failed, of=of, are=are))
        parts += _elsewhere(held_elsewhere, failed)
        if report.lacks_records:
            parts.append(MISSING_COUNTED)
    if report.failed_files:
        parts.append(
            tr(
                "{failed:,} of {files} not as listed.",
                failed=report.failed_files,
                files=counted(report.files, "file"),
            )
        )
    if wrong := report.failed_index:
        parts.append(
            plural("1 fault in the index.", "{wrong:,} faults in the index.", wrong, wrong=wrong)
        )
    if report.failed_paths:
        parts.append(
            tr("{paths} could not be verified.", paths=counted(report.failed_paths, "path"))
        )
    if without := report.without_digest:
        parts.append(
            tr(
                "{without:,} of the intact ones {words} no payload "
                "digest: complete, but their content cannot be verified.",
                without=without,
                words=tr("has") if without == 1 else tr("have"),
            )
        )
    return " ".join(parts)


def _intact(report: VerificationReport, size: str) -> Iterator[str]:
    if report.files:
        files, records = counted(report.files, "file"), counted(report.records, "record")
        what = tr("{files} and {records}", files=files, records=records)
        what = what if report.records else files
        words = tr("All {what} ({size}) are intact.", what=what, size=size)
        if report.only_read:
            words = tr(
                "No damage was found in {what} ({size}); {only_read:,} of the files could only be "
                "read.",
                what=what,
                size=size,
                only_read=report.only_read,
            )
        yield words
    elif report.records == 1:
        yield tr("The one record ({size}) is intact.", size=size)
    else:
        records = counted(report.records, "record")
        yield tr("All {records} ({size}) are intact.", records=records, size=size)


def _elsewhere(held: int, failed: int) -> Iterator[str]:
    """Yield what is not lost of that which is not intact."""
    if held == failed:
        them = {1: tr("Its bytes are"), 2: tr("The bytes of both are")}.get(
            held, tr("The bytes of all are")
        )
        yield tr("{them} intact elsewhere in the archive.", them=them)
    elif held:
        yield tr("The bytes of {held:,} of them are intact elsewhere in the archive.", held=held)


def _words_on_ledger(report: VerificationReport, opened: Archive | None) -> str:
    if opened is None:
        return tr("No archive was given: records were compared with their own digests only.")
    return tr(
        "Records that were compared with the ledger of {path}: {in_ledger:,} of {records:,}.",
        path=opened.path,
        in_ledger=report.in_ledger,
        records=report.records,
    )
