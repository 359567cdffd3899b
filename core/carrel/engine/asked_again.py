# SPDX-License-Identifier: AGPL-3.0-or-later
"""How what is held is asked for to be archived again."""

from collections.abc import Sequence

from carrel.engine.holdings import Holdings
from carrel.model import IngestOptions
from carrel.model.holdings import HoldingRow
from carrel.model.item import PAGE_LINKS


def asked_again(
    holdings: Holdings, rows: Sequence[HoldingRow]
) -> Sequence[tuple[IngestOptions, Sequence[HoldingRow]]]:
    """Return the options for datasets, with those that each are for: most need their addresses
    alone, links of a page are those that were chosen. Raises ArchiveError."""
    by_options: dict[IngestOptions, list[HoldingRow]] = {}
    for row in rows:
        result = holdings.result(row.ingest_id) if row.platform_name == PAGE_LINKS else None
        by_options.setdefault(IngestOptions.again(result or {}), []).append(row)
    return [*by_options.items()]
