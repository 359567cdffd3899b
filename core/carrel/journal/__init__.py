# SPDX-License-Identifier: AGPL-3.0-or-later
"""A journal: chained lines of JSON in files by month, from which a ledger can be made again."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.journal.codec import Codec
    from carrel.journal.faults import FaultKind, JournalFault
    from carrel.journal.groups import BEGINNING, Group, Head
    from carrel.journal.journal import Journal

__getattr__ = offering(
    __name__,
    {
        "codec": ["Codec"],
        "faults": ["FaultKind", "JournalFault"],
        "groups": ["BEGINNING", "Group", "Head"],
        "journal": ["Journal"],
    },
)
__all__ = [
    "BEGINNING",
    "Codec",
    "FaultKind",
    "Group",
    "Head",
    "Journal",
    "JournalFault",
]
