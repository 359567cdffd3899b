# SPDX-License-Identifier: AGPL-3.0-or-later
"""What becomes of each table of a ledger that is merged into another one.

A test compares this with the schema: no table is forgotten.
"""

from collections.abc import Mapping
from enum import StrEnum


class Decision(StrEnum):
    """How the rows of a table come into the other ledger."""

    JOINED = "joined"
    """Rows are told apart by what they say, get new numbers, and each comes once."""
    NEWER = "newer"
    """There is one row for each thing; the one that was written last counts."""
    DERIVED = "derived"
    """It follows from other tables and is made anew."""
    DARK = "dark"
    """It follows from the journal of the dark archive, which is joined."""
    OWN = "own"
    """It is about one folder, one queue or one machine, and stays there."""


DECISIONS: Mapping[str, Decision] = {
    "requests": Decision.JOINED,
    "datasets": Decision.JOINED,
    "dataset_tags": Decision.JOINED,
    "results": Decision.JOINED,
    "files": Decision.JOINED,
    "captures": Decision.JOINED,
    "ingest_file_results": Decision.JOINED,
    "imports": Decision.JOINED,
    "packed_warcs": Decision.JOINED,
    "batches": Decision.JOINED,
    "jobs": Decision.JOINED,
    "removed_jobs": Decision.JOINED,
    "removed_alone": Decision.JOINED,
    "verifications": Decision.JOINED,
    "fixity_events": Decision.JOINED,
    "ingest_fileset_platform": Decision.NEWER,
    "record_fixity": Decision.NEWER,
    "accompanying_fixity": Decision.DERIVED,
    "watched": Decision.NEWER,
    "formats": Decision.NEWER,
    "holdings": Decision.DERIVED,
    "holdings_text": Decision.DERIVED,
    "holding_totals": Decision.DERIVED,
    "holding_days": Decision.DERIVED,
    "month_totals": Decision.DERIVED,
    "holding_formats": Decision.DERIVED,
    "format_totals": Decision.DERIVED,
    "catalogue": Decision.DERIVED,
    "index_files": Decision.DERIVED,
    **dict.fromkeys(
        (
            *("run", "obi", "content", "version", "incidence", "refipo", "redirect", "probe"),
            *("pending", "container", "reading", "occurrence", "archive_missed", "fixity"),
            *("fixity_run", "opening", "purge", "object_store", "journal_group"),
        ),
        Decision.DARK,
    ),
    "deliveries": Decision.OWN,
    "queue_paused": Decision.OWN,
    "schedule_runs": Decision.OWN,
    "unjournaled": Decision.OWN,
    "journal_head": Decision.OWN,
    "journal_damage": Decision.OWN,
}
