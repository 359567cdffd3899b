# SPDX-License-Identifier: AGPL-3.0-or-later
"""Batches: other people's lists of datasets, read into ingest requests.

Plain lists, tables (CSV, TSV), JSON lines of requests, BibTeX, RIS, what browsers save (shortcuts,
bookmarks), and OAI-PMH harvests. Reading is tolerant and tells: every line that holds nothing is
named, and so is every one that repeats another.
"""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.engine.batches.batch import Batch, Duplicate, Kind, Problem, Seen
    from carrel.engine.batches.coverage import Coverage, Verdict
    from carrel.engine.batches.harvesting import harvest, harvest_with
    from carrel.engine.batches.jsonl import read_request, refused_request
    from carrel.engine.batches.plan import Cause, Plan, Planned, same_datasets
    from carrel.engine.batches.previews import preview_each
    from carrel.engine.batches.reader import head_of_file, read, read_file
    from carrel.engine.batches.table import Columns, Head
    from carrel.engine.batches.text import Line, Lines

__getattr__ = offering(
    __name__,
    {
        "batch": ["Batch", "Duplicate", "Kind", "Problem", "Seen"],
        "coverage": ["Coverage", "Verdict"],
        "harvesting": ["harvest", "harvest_with"],
        "jsonl": ["read_request", "refused_request"],
        "plan": ["Cause", "Plan", "Planned", "same_datasets"],
        "previews": ["preview_each"],
        "reader": ["head_of_file", "read", "read_file"],
        "table": ["Columns", "Head"],
        "text": ["Line", "Lines"],
    },
)
__all__ = [
    "Batch",
    "Cause",
    "Columns",
    "Coverage",
    "Duplicate",
    "Head",
    "Kind",
    "Line",
    "Lines",
    "Plan",
    "Planned",
    "Problem",
    "Seen",
    "Verdict",
    "harvest",
    "harvest_with",
    "head_of_file",
    "preview_each",
    "read",
    "read_file",
    "read_request",
    "refused_request",
    "same_datasets",
]
