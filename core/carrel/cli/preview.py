# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel preview`: what is there, and what an ingest would do; nothing is kept."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from carrel import engine
from carrel.cli.held import held_fields, holding, reading
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
from carrel.engine.held import beside_held
from carrel.errors import ArchiveError, UsageError
from carrel.model import Held, IngestFilesetResult, IngestRequest, Status
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
    if record is not None and len(requests) > 1:
        raise UsageError(tr("--record takes one dataset at a time."))
    settings = settings_of(archive)
    look = partial(_look, settings, options, record)
    if len(urls) > 1:
        from carrel.cli.many import look_at_many  # for few

        look = partial(look_at_many, settings, options, complain if as_json else say)
    with reading(archive) as opened:

        def show(result: IngestFilesetResult) -> None:
            is_known = result.status is not Status.INVALID_URL
            held = holding(opened, result) if is_known else None
            told = result if isinstance(held, ArchiveError) else beside_held(result, held)
            _show(told, held, as_json=as_json)

        are_all_clear = look(requests, [not_understood(text) for text in without], show)
    context.exit(0 if are_all_clear else 1)


def _look(
    settings: Settings,
    options: IngestOptions,
    record: Path | None,
    requests: Sequence[IngestRequest],
    lost: Sequence[IngestFilesetResult],
    show: Callable[[IngestFilesetResult], None],
) -> bool:
    """Preview one dataset, unless nothing names one; return whether it can be archived."""
    for result in lost:
        show(result)
    for request in requests:
        with progress_bars() as tell:
            result = asyncio.run(engine.preview(request, settings, options, tell, record))
        show(result)
        return result.hit
    return False


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
    if held.removed:
        return tr(
            "Archived {since}, removed from the holdings {removed}{ended}: {message}",
            since=held.since[:10],
            removed=held.removed[:10],
            ended=ended,
            message=held.message,
        )
    return tr(
        "Archived since {since}{ended}: {message}",
        since=held.since[:10],
        ended=ended,
        message=held.message,
    )
