# SPDX-License-Identifier: AGPL-3.0-or-later
"""Requests as something to type or to hand on: a command line, a batch. No Qt here."""

import json
import shlex
from collections.abc import Iterable

from carrel.model import Destination, IngestOptions, IngestRequest


def command(request: IngestRequest, options: IngestOptions = IngestOptions()) -> str:
    """Return the command that archives a dataset in the same way, quoted for a POSIX shell."""
    end_of_flags = ["--"] if request.base_url.startswith("-") else []
    return shlex.join(["carrel", "ingest", *flags(options), *end_of_flags, request.base_url])


def flags(options: IngestOptions) -> list[str]:
    """Return options as `carrel ingest` takes them; what is as usual is left out."""
    given: list[str] = []
    if options.strategy:
        given += ["--strategy", options.strategy.value]
    if options.max_total_size is not None:
        given += ["--max-total-size", str(options.max_total_size)]
    if options.max_file_count is not None:
        given += ["--max-file-count", str(options.max_file_count)]
    if options.to != (Destination.ARCHIVE,):
        given += ["--to", options.to[0].value if len(options.to) == 1 else "both"]
    if not options.fetch_missing:
        given.append("--no-fetch-missing")
    if options.item_name is not None:
        given += ["--item-name", options.item_name]
    for link in options.page_links:
        given += ["--link", link]
    return given


def batch_lines(requests: Iterable[IngestRequest]) -> str:
    """Return requests as JSON lines, as `carrel batch add` reads them."""
    return "".join(json.dumps(request.to_json(), ensure_ascii=False) + "\n" for request in requests)
