# SPDX-License-Identifier: AGPL-3.0-or-later
"""Previews of many datasets: how far they are, and at the end what came of them by platform."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from carrel.cli.progress import counting
from carrel.cli.terminal import say
from carrel.engine import IngestOptions
from carrel.engine.batches import Coverage, Verdict, preview_each
from carrel.engine.batches.coverage import Row
from carrel.engine.platform_titles import title_of
from carrel.model import IngestFilesetResult, IngestRequest
from carrel.settings import Settings
from carrel.translation import tr

_HEADS = {
    Verdict.DESCRIBED: tr("described"),
    Verdict.NO_FILES: tr("no files"),
    Verdict.NOT_READY: tr("not ready"),
    Verdict.TOLD_APART: tr("no dataset"),
    Verdict.NOT_FOUND: tr("not found"),
    Verdict.REFUSED: tr("refused"),
    Verdict.SERVER_ERROR: tr("server error"),
    Verdict.FAILED: tr("failed"),
    Verdict.UNKNOWN: tr("unknown"),
}


def look_at_many(
    settings: Settings,
    options: IngestOptions,
    say_sums: Callable[[str], None],
    requests: Sequence[IngestRequest],
    lost: Sequence[IngestFilesetResult],
    show: Callable[[IngestFilesetResult], None],
) -> bool:
    """Show what is `lost` and a preview of each request, then the sums; return whether nothing
    stands in the way of any."""
    coverage = Coverage()

    def take(result: IngestFilesetResult) -> None:
        show(result)
        coverage.add(result)

    for result in lost:
        take(result)
    preview_many(requests, settings, options, take)
    print_coverage(coverage, say_sums)
    return coverage.are_all_clear


def preview_many(
    requests: Sequence[IngestRequest],
    settings: Settings,
    options: IngestOptions,
    take: Callable[[IngestFilesetResult], None],
) -> None:
    """Give `take` each preview in the order of the requests; count them on a terminal meanwhile."""
    with counting(tr("previewing"), len(requests)) as (advance, aside):

        def show(result: IngestFilesetResult) -> None:
            with aside():
                take(result)

        asyncio.run(preview_each(requests, settings, show, options, advance))


def print_coverage(coverage: Coverage, show: Callable[[str], None] = say) -> None:
    """Print how many previews came to what, platform by platform; what none came to is left out."""
    rows = [(_title(row), row) for row in coverage.rows]
    if len(rows) > 1:
        rows.append((tr("all"), coverage.total))
    width = max(len(title) for title, _ in rows)
    heads = {it: head for it, head in _HEADS.items() if coverage.total.counts[it]}
    show(_line("", dict(zip(heads.values(), heads.values(), strict=True)), width))
    for title, row in rows:
        counts = {head: f"{row.counts[it] or '–'}" for it, head in heads.items()}
        show(_line(title, counts, width))


def _title(row: Row) -> str:
    return (title_of(row.platform) or row.platform) if row.platform else tr("no known platform")


def _line(title: str, cells: Mapping[str, str], width: int) -> str:
    return f"{title:{width}}" + "".join(f"  {cell:>{len(head)}}" for head, cell in cells.items())
