# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel preview`: what is there, and what an ingest would do; nothing is kept."""

import asyncio
from pathlib import Path
from typing import Any

import click

from carrel import engine
from carrel.cli.held import held_fields, holding, reading
from carrel.cli.many import preview_many, print_coverage
from carrel.cli.options import (
    archive_option,
    json_option,
    overruled,
    overruling,
    page_link_options,
    requests_in,
)
from carrel.cli.page_links import refuse_several, show_page_links
from carrel.cli.presentation import not_understood, print_json, print_preview
from carrel.cli.progress import progress_bars
from carrel.cli.terminal import complain, say
from carrel.engine import IngestOptions
from carrel.engine.batches import Coverage
from carrel.errors import ArchiveError, UsageError
from carrel.model import Held, IngestFilesetResult, IngestRequest
from carrel.settings import Settings, settings_of
from carrel.translation import tr


@click.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL…")
@overruling
@page_link_options
@archive_option
@json_option
@click.option(
    "--record",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help=tr("Write what was requested and answered to a new folder, for tests; keys are removed."),
)
@click.pass_context
def preview(
    context: click.Context,
    /,
    urls: tuple[str, ...],
    archive: Path,
    as_json: bool,
    page_links: bool,
    record: Path | None,
    **asked: Any,
) -> None:
    """Show what is behind each URL, DOI, Handle or ARK.

    Carrel queries pages and platform APIs; no file is fetched, and nothing is stored.

    The archive is read only for its settings and for its holding of the dataset.
    """
    options = overruled(**asked)
    requests, without = requests_in(urls)
    if page_links or options.page_links:
        refuse_several(requests, without)
    if page_links and not options.page_links:
        context.exit(show_page_links(requests[0], archive, as_json=as_json))
    coverage = Coverage()
    for result in map(not_understood, without):
        _show(result, None, as_json=as_json)
        coverage.add(result)
    if record is not None and len(requests) > 1:
        raise UsageError(tr("--record takes one dataset at a time."))
    settings = settings_of(archive)
    with reading(archive) as opened:

        def take(result: IngestFilesetResult) -> None:
            _show(result, holding(opened, result), as_json=as_json)
            coverage.add(result)

        if len(requests) == 1:
            take(_preview(requests[0], settings, options, record))
        else:
            preview_many(requests, settings, options, take)
    if len(urls) > 1:
        print_coverage(coverage, complain if as_json else say)
    context.exit(0 if coverage.are_all_clear else 1)


def _preview(
    request: IngestRequest, settings: Settings, options: IngestOptions, record: Path | None
) -> IngestFilesetResult:
    with progress_bars() as show:
        return asyncio.run(engine.preview(request, settings, options, show, record))


def _show(result: IngestFilesetResult, held: Held | ArchiveError | None, *, as_json: bool) -> None:
    if as_json:
        print_json({**result.to_json(), **held_fields(held)})
        return
    print_preview(result)
    if held is not None:
        say(f"  {_held_line(held)}")
        say()


def _held_line(held: Held | ArchiveError) -> str:
    if isinstance(held, ArchiveError):
        return tr("Could not check whether it is already archived: {held}", held=held)
    ended = "" if held.status.is_success else f" ({held.status})"
    return tr(
        "Archived since {since}{ended}: {message}",
        since=held.since[:10],
        ended=ended,
        message=held.message,
    )
