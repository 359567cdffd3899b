# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the commands that look for mementos share: their options, and where they look."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from carrel.archive import Archive
from carrel.cli.archive_around import archive_around, is_archive
from carrel.cli.options import archive_option
from carrel.cli.requests import ask_about
from carrel.cli.terminal import complain
from carrel.engine.mementos import Mementos
from carrel.engine.mementos.questions import Order, Query, moments, query_for
from carrel.errors import QueryError
from carrel.settings import own_settings
from carrel.translation import tr

# The calendar's order, from the year on, as ISO 8601 has it.
_DATE = re.compile(
    r"(\d{4,17}|\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d(?::\d\d(?::\d\d)?)?)?)?)?)"
    r"(?:\.\d+)?(?:Z|\+00:00)?",
    re.ASCII,
)
F = TypeVar("F", bound=Callable[..., Any])
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


def looking(command: F) -> F:
    """Give a command the options that say where mementos are looked for."""
    for option in (
        archive_option,
        click.option(
            "--open",
            "opened",
            multiple=True,
            type=click.Path(path_type=Path, exists=True),
            help=tr("Also search this WARC, ARC, WACZ, CDX or CDXJ; it is not copied."),
        ),
        click.option(
            "--config",
            type=_FILE,
            help=tr("Use this collections.yaml in place of the archive's."),
        ),
    ):
        command = option(command)
    return command


def collection_option(command: F) -> F:
    return click.option(
        "--collection", default="", help=tr("Collection to search (default: the first).")
    )(command)


@asynccontextmanager
async def open_mementos(
    archive: Path, config: Path | None, opened: tuple[Path, ...]
) -> AsyncIterator[Mementos]:
    """Give what can be asked about mementos; the archive is read, if there is one.

    A folder that pywb keeps its collections in is as good. Where the person names a collections
    file and no archive, the archive that it lies in is meant.
    """
    if config is not None and not _is_archive_named():
        # The file may be a link from the archive to where it is kept with others.
        around = archive_around(config.parent) or archive_around(config)
        if around is not None:
            archive = around
            ask_about(archive)
    with ExitStack() as stack:
        held = None
        if is_archive(archive):
            held = stack.enter_context(Archive.open_for_reading(archive))
        elif config is None and not opened and not (archive / "collections").is_dir():
            words = tr(
                "There is no archive at {archive}; only other archives are queried.",
                archive=archive,
            )
            complain(words)
        settings = held.settings if held else own_settings()
        mementos = Mementos(settings, held, config, opened, archive)
        try:
            yield mementos
        finally:
            await mementos.close()


def _is_archive_named() -> bool:
    """Say whether the archive stands in the call; a variable of the shell says what is usual."""
    context = click.get_current_context()
    return context.get_parameter_source("archive") is ParameterSource.COMMANDLINE


def question(
    url: str, *, closest: str | None, first: str | None, last: str | None, limit: int
) -> Query:
    """Return the question that the options of a command ask. Raises QueryError."""
    query = query_for(url, limit=limit)
    if first:
        query = replace(query, first=moments.beginning(_digits(first, "--from"), "--from"))
    if last:
        query = replace(query, last=moments.end(_digits(last, "--to"), "--to"))
    if query.last and query.first > query.last:
        raise QueryError(tr("--from is after --to."))
    if closest:
        moment = moments.now()
        if closest != "now":
            moment = moments.beginning(_digits(closest, "--closest"), "--closest")
        query = replace(query, order=Order.CLOSEST, closest=moment)
    return query


def _digits(text: str, option: str) -> str:
    """Return a moment as digits alone: 2016-05-01T10:00 is as good as 201605011000.

    Raises QueryError for what is neither.
    """
    match = _DATE.fullmatch(text.strip())
    if match is None:
        raise QueryError(
            tr(
                "{option} must be a time such as 2016, 2016-05, 2016-05-01 or 2016-05-01T10:30 "
                "(UTC), or its digits, not “{text}”.",
                option=option,
                text=text[:60],
            )
        )
    return "".join(filter(str.isdigit, match[1]))
