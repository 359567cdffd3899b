# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel preview`: what is there, and what an ingest would do; nothing is kept."""

import asyncio
from pathlib import Path
from typing import Any

import click

from carrel import engine
from carrel.cli.options import (
    archive_option,
    json_option,
    overruled,
    overruling,
    requests_in,
)
from carrel.cli.printing import not_understood, print_json, print_preview
from carrel.cli.progress import progress_bars
from carrel.engine import IngestOptions
from carrel.model import IngestFilesetResult, IngestRequest
from carrel.settings import Settings, load


@click.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL…")
@overruling
@archive_option
@json_option
@click.pass_context
def preview(
    context: click.Context,
    /,
    urls: tuple[str, ...],
    archive: Path,
    as_json: bool,
    **asked: Any,
) -> None:
    """Show what is behind each URL, DOI, Handle or ARK. Nothing is fetched or kept.

    The archive is only asked for its settings.
    """
    options = overruled(**asked)
    requests, without = requests_in(urls)
    results = [not_understood(text) for text in without]
    for result in results:
        _show(result, as_json=as_json)
    settings = load(archive / "settings.toml")
    for request in requests:
        result = _preview(request, settings, options)
        _show(result, as_json=as_json)
        results.append(result)
    context.exit(0 if all(result.hit for result in results) else 1)


def _preview(
    request: IngestRequest, settings: Settings, options: IngestOptions
) -> IngestFilesetResult:
    with progress_bars() as show:
        return asyncio.run(engine.preview(request, settings, options, show))


def _show(result: IngestFilesetResult, *, as_json: bool) -> None:
    if as_json:
        print_json(result.to_json())
    else:
        print_preview(result)
