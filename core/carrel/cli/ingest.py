# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel ingest`: archive datasets now."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from carrel.cli.interruption import stopped_by_signals
from carrel.cli.options import (
    archive_option,
    json_option,
    overruled,
    overruling,
    page_link_options,
    requests_in,
)
from carrel.cli.page_links import refuse_several, show_page_links
from carrel.cli.presentation import not_understood, print_result, print_result_json
from carrel.cli.preview import preview
from carrel.cli.progress import progress_bars
from carrel.cli.terminal import say
from carrel.cli.waits import Waits
from carrel.engine import Engine, IngestOptions
from carrel.errors import ArchiveError
from carrel.model import IngestFilesetResult, IngestRequest, Status
from carrel.model.events import Emit, both
from carrel.translation import tr


@click.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL…")
@overruling
@page_link_options
@click.option("--dry-run", is_flag=True, help=tr("Show what would be done, like preview."))
@archive_option
@json_option
@click.pass_context
def ingest(
    context: click.Context,
    /,
    urls: tuple[str, ...],
    dry_run: bool,
    archive: Path,
    as_json: bool,
    page_links: bool,
    **asked: Any,
) -> None:
    """Archive the dataset behind each URL, DOI, Handle or ARK.

    Each file is verified against every digest that its platform declares, and read back from the
    archive. With --json a single-file dataset prints two lines: the result of the dataset and, as
    the ingest proposal has it, that of its file (ingest_type dataset-file).
    """
    if dry_run:
        del context.params["dry_run"]  # which preview always is
        context.forward(preview)
        return
    options = overruled(**asked)
    requests, without = requests_in(urls)
    if page_links or options.page_links:
        refuse_several(requests, without)
    if page_links and not options.page_links:
        context.exit(show_page_links(requests[0], archive, as_json=as_json))
    results = [not_understood(text) for text in without]
    for result in results:
        show_result(result, as_json=as_json)
    if requests:
        results += asyncio.run(ingest_all(archive, requests, options, as_json=as_json))
        if not as_json:
            say(tr("The archive is {absolute}.", absolute=archive.absolute()))
    context.exit(0 if all(result.hit for result in results) else 1)


async def ingest_all(
    path: Path, requests: Sequence[IngestRequest], options: IngestOptions, *, as_json: bool
) -> list[IngestFilesetResult]:
    """Archive one dataset after the other and print each result as soon as it is there.

    The first Ctrl+C, or other signal to stop, ends the running ingest, keeps what was verified, and
    starts no further one.
    """
    results: list[IngestFilesetResult] = []
    is_stopped = False
    waits = Waits()
    async with Engine.open(path, waits.show) as engine:

        def stop() -> None:
            nonlocal is_stopped
            is_stopped = True
            engine.queue.cancel_all()

        with stopped_by_signals(stop):
            for request in requests:
                if is_stopped:
                    result = _not_begun(request)
                else:
                    with progress_bars() as show:
                        result = await _ingest(engine, request, options, both(show, waits.show))
                show_result(result, as_json=as_json)
                results.append(result)
    return results


async def _ingest(
    engine: Engine, request: IngestRequest, options: IngestOptions, emit: Emit
) -> IngestFilesetResult:
    try:
        return await engine.ingest(request, options, emit)
    except ArchiveError as error:
        return unheard(request, error)


def _not_begun(request: IngestRequest) -> IngestFilesetResult:
    message = tr("Skipped: you cancelled before it started.")
    return IngestFilesetResult(request, Status.CANCELLED, error_message=message)


def unheard(request: IngestRequest, error: ArchiveError) -> IngestFilesetResult:
    """Return the result of a request that the archive could not take in."""
    return IngestFilesetResult(
        request, error.status, error_message=tr("Nothing was started: {error}", error=error)
    )


def show_result(result: IngestFilesetResult, *, as_json: bool) -> None:
    """Print a result, and that of its file if it has one of its own."""
    if not as_json:
        print_result(result)
        return
    print_result_json(result)
