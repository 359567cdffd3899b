# SPDX-License-Identifier: AGPL-3.0-or-later
"""Links of a page that a person may choose from (--page-links), shown with why they are."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from carrel.cli.presentation import print_json
from carrel.cli.terminal import say
from carrel.errors import IngestStop, UsageError
from carrel.model import IngestFilesetResult, IngestRequest
from carrel.model.page_link import PageLink
from carrel.model.sizes import in_words
from carrel.settings import settings_of
from carrel.translation import tr


def refuse_several(requests: Sequence[IngestRequest], without: Sequence[str]) -> None:
    """Raise UsageError unless one page is named: links are chosen page by page."""
    if len(requests) != 1 or without:
        raise UsageError(tr("Links are chosen from one page: name one address."))


def show_page_links(request: IngestRequest, archive: Path, *, as_json: bool) -> int:
    """Print the links of a page that look like data; return the exit status."""
    from carrel.engine.page_links import page_links  # rarely

    try:
        links = asyncio.run(page_links(request, settings_of(archive)))
    except IngestStop as stop:
        _say_stop(request, stop, as_json=as_json)
        return 1
    for link in links:
        if as_json:
            print_json({"page": request.base_url, **link.to_json()})
        else:
            _say_link(link)
    if not as_json:
        say(_what_next(links))
    return 0 if links else 1


def _say_stop(request: IngestRequest, stop: IngestStop, *, as_json: bool) -> None:
    if as_json:
        print_json(IngestFilesetResult(request, stop.status, error_message=str(stop)).to_json())
    else:
        say(f"{stop.status}: {stop}")


def _say_link(link: PageLink) -> None:
    size = tr("size unknown") if link.size is None else in_words(link.size)
    kind = link.mimetype or tr("type unknown")
    say(link.url)
    say(f"    {size} · {kind} · {link.why}")
    if link.problem:
        say(f"    {link.problem}")


def _what_next(links: Sequence[PageLink]) -> str:
    if not links:
        return tr("No link of the page looks like data.")
    return tr(
        "Nothing was archived. Choose with “carrel ingest PAGE --link URL”, once for each link: "
        "whether they are all of a dataset is for you to know."
    )
