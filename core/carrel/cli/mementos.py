# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel mementos`: every copy of a URL, here and in the archives of the world."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import click

from carrel.cli.memento_options import collection_option, looking, open_mementos, question
from carrel.cli.options import json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import complain, say
from carrel.engine.mementos import Mementos
from carrel.engine.mementos.questions import fields_of, moments
from carrel.model import Memento, SourceReport, SourceState, SourceType
from carrel.model.counts import counted
from carrel.model.memento import REVISIT_TYPE, UNCHANGED
from carrel.model.memento_part import PART_WORDS, Part
from carrel.model.memento_views import Found
from carrel.translation import tr

_HERE = (SourceType.FILE, SourceType.LEDGER)
# Of as many captures the record is opened, to see whether it is only a part.
_MOST_READ = 1000
_PRIVATE = tr("The address is inside your own network and is not sent to anyone.")


@click.command()
@click.argument("url")
@collection_option
@click.option("--closest", metavar="TIME", help=tr("Sort by distance from TIME; or “now”."))
@click.option("--from", "first", metavar="TIME", help=tr("Only captures from TIME on."))
@click.option("--to", "last", metavar="TIME", help=tr("Only captures up to TIME."))
@click.option(
    "--limit",
    type=click.IntRange(1, 10**12),
    default=100_000,
    help=tr("Maximum number of captures."),
)
@looking
@json_option
@click.pass_context
def mementos(
    context: click.Context,
    /,
    url: str,
    collection: str,
    as_json: bool,
    archive: Path,
    config: Path | None,
    opened: tuple[Path, ...],
    **asked: Any,
) -> None:
    """List the captures of a URL or DOI, local and remote, merged.

    Times are digits or dates: 2016, 201605, 2016-05-01, 2016-05-01T10:30. Reports of each archive
    go to standard error. An address inside your own network is sent to no archive outside it. Exit
    status 1 means that some archives could not be queried.

    Of captures on this machine that are only parts of what their servers had, this is said.
    """
    found, parts = asyncio.run(_find(url, collection, archive, config, opened, asked))
    for row, part in zip(found.mementos, parts, strict=True):
        of_part = {"part": part} if part else {}
        print_json(fields_of(row) | of_part) if as_json else say(_line(row, part))
    if not found.mementos:
        span = tr(" of that time") if asked["first"] or asked["last"] else ""
        complain(tr("No capture{span} of {url} is known here.", span=span, url=found.url))
    private = [report.source for report in found.reports if report.is_kept_private]
    if private:
        complain(
            tr(
                "not queried: {sources}. {reason}",
                sources=", ".join(private),
                reason=_PRIVATE,
            )
        )
    # A source may have answered, and yet say that something is missing.
    troubled = [each for each in found.reports if each.message and not each.is_kept_private]
    context.exit(1 if troubled else 0)


async def _find(
    text: str,
    collection: str,
    archive: Path,
    config: Path | None,
    opened: tuple[Path, ...],
    asked: dict[str, Any],
) -> tuple[Found, Sequence[Part | None]]:
    async with open_mementos(archive, config, opened) as held:
        query = question(await held.address_for(text), **asked)
        if query.closest:
            at = moments.moment(query.closest)
            click.echo(tr("Sorted by distance from {at:%Y-%m-%d %H:%M:%S} UTC.", at=at), err=True)
        found = await held.find(text, collection, _tell, query)
        return found, [part async for part in _parts(held, found.mementos, collection)]


async def _parts(
    held: Mementos, rows: Sequence[Memento], collection: str
) -> AsyncIterator[Part | None]:
    """Yield for each row why it is only a part, None if it is not known to be one."""
    left = _MOST_READ
    for row in rows:
        left -= row.source_type.is_local
        yield await held.part_of(row, collection) if left >= 0 else None
    if left < 0:
        complain(
            tr(
                "Of the first {count:,} captures on this machine it was read whether they are only "
                "parts, and not of the others.",
                count=_MOST_READ,
            )
        )


def _tell(report: SourceReport, rows: Sequence[Memento]) -> None:
    if report.state is SourceState.ASKED or report.is_kept_private:
        return
    captures = counted(report.count, "capture") if report.count else tr("no captures")
    if report.is_cut:
        captures = tr("{captures} or more (no more were read: --limit)", captures=captures)
    words = f"{captures}. {report.message}" if report.is_incomplete else report.message or captures
    if report.answered_at:
        words += tr(" (as of {answered_at:%Y-%m-%d %H:%M} UTC)", answered_at=report.answered_at)
    if report.skipped:
        were = tr("was") if report.skipped == 1 else tr("were")
        words += tr(
            "; {entries} {were} not valid and left out",
            entries=counted(report.skipped, "entry"),
            were=were,
        )
    name = _name(report.source, report.source_type)
    complain(f"{name}: {report.state}: {words}")


def _name(source: str, kind: SourceType) -> str:
    """Return the name of a source; the archive's own may be called as someone else's."""
    return f"{source} (here)" if kind in _HERE else source


def _line(row: Memento, part: Part | None = None) -> str:
    at = row.timestamp
    when = f"{at[:4]}-{at[4:6]}-{at[6:8]} {at[8:10]}:{at[10:12]}:{at[12:14]}"
    also = f" (+ {', '.join(row.also)})" if row.also else ""
    source = _name(row.source, row.source_type)
    kind = UNCHANGED if row.mimetype == REVISIT_TYPE else row.mimetype or "-"
    only = f"  {PART_WORDS[part]}" if part else ""
    return f"{when}  {row.status or '-':>3}  {kind:24}  {source}{also}  {row.url}{only}"
