# SPDX-License-Identifier: AGPL-3.0-or-later
"""What other ledgers say, joined with this one, table by table."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.ledger.connection import Row
    from carrel.ledger.merging.decisions import DECISIONS, Decision
    from carrel.ledger.merging.merging import Counts, Merging, Portion
    from carrel.ledger.merging.same_records import SharedWarc, Stretch
    from carrel.ledger.merging.source_file import readable_ledger

__getattr__ = offering(
    __name__,
    {
        "carrel.ledger.connection": ["Row"],
        "decisions": ["DECISIONS", "Decision"],
        "merging": ["Counts", "Merging", "Portion"],
        "same_records": ["SharedWarc", "Stretch"],
        "source_file": ["readable_ledger"],
    },
)
__all__ = [
    "DECISIONS",
    "Counts",
    "Decision",
    "Merging",
    "Portion",
    "Row",
    "SharedWarc",
    "Stretch",
    "readable_ledger",
]
