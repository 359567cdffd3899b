# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the commands that ask the dark archive share: opening it, narrowing, tables of answers."""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from carrel.cli.arguments import Text
from carrel.cli.dark.dates import DATE
from carrel.cli.output import STANDARD_OUTPUT, check_output
from carrel.cli.terminal import complain
from carrel.engine.dark import Questions, open_questions
from carrel.errors import UsageError
from carrel.model.table_cells import harmless
from carrel.model.user_information import shown
from carrel.translation import tr

F = TypeVar("F", bound=Callable[..., Any])


class Code(Text):
    """The code of an archive or series, in any spelling: aaa, AAA, RePEc:aaa."""

    name = "code"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert(value, param, ctx).strip().lower().removeprefix("repec:")


since_option = click.option(
    "--since",
    metavar="DATE",
    type=DATE,
    help=tr("Only from DATE on: 2024-05-01, 2024-05-01T10:30 (UTC), or a Unix time."),
)
csv_option = click.option(
    "--csv",
    "table",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help=tr("Write a CSV table to FILE; - for standard output."),
)


def narrowing(command: F) -> F:
    """Give a command the options that name an archive and a series of RePEc."""
    for option in (
        click.option("--series", metavar="SSSSSS", type=Code(), help=tr("Only this series.")),
        click.option(
            "--repec-archive", metavar="AAA", type=Code(), help=tr("Only this RePEc archive.")
        ),
    ):
        command = option(command)
    return command


@contextmanager
def questions_of(archive: Path) -> Iterator[Questions]:
    """Give what can be asked; ends the command with status 1 where there is no dark archive."""
    with open_questions(archive) as questions:
        if questions is None:
            _end(
                tr(
                    "{archive} has no dark archive yet. “carrel dark run -c FILE” creates one: "
                    "FILE gives the directory of ReDIF data (ReDIF_directory).",
                    archive=archive,
                )
            )
        yield questions


def check_series(questions: Questions, repec_archive: str | None, series: str | None) -> None:
    """End the command with status 1 where there is no such archive and series: that nothing is
    known of it must not look as if nothing of it were lost."""
    if (repec_archive or series) and not questions.has_series(repec_archive, series):
        where = (
            tr(" of the archive {repec_archive}", repec_archive=repec_archive)
            if repec_archive
            else ""
        )
        what = (
            tr("series {series}{where}", series=series, where=where)
            if series
            else tr("archive {repec_archive}", repec_archive=repec_archive)
        )
        _end(
            tr(
                "No template of the {what} was ever read here. “carrel dark series” lists the "
                "known ones.",
                what=what,
            )
        )


def write_csv(
    path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, object]], *, force: bool
) -> None:
    """Write a table, whole or not at all; never over a file, unless forced. Raises UsageError."""
    check_output(path, (), force=force)
    is_file = path != STANDARD_OUTPUT
    try:
        with click.open_file(str(path), "w", encoding="utf-8", atomic=is_file) as stream:
            writer = csv.writer(stream, lineterminator="\r\n" if is_file else "\n")
            writer.writerow(columns)
            writer.writerows([_cell(row[name]) for name in columns] for row in rows)
    except OSError as error:
        if not is_file:
            raise
        raise UsageError(
            tr("{path} cannot be written: {strerror}.", path=path, strerror=error.strerror or error)
        ) from error


def _cell(value: object) -> object:
    """Return a value as a spreadsheet will show it, and never run it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        value = " ".join(map(str, value))
    if isinstance(value, str):
        return harmless(shown(value))
    return value


def _end(words: str) -> NoReturn:
    complain(words)
    raise click.exceptions.Exit(1)
