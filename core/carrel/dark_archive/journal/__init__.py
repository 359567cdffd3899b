# SPDX-License-Identifier: AGPL-3.0-or-later
"""The journal of the dark archive: chained lines that say everything the ledger knows."""

from carrel.dark_archive.journal.codec import decode, encode
from carrel.dark_archive.journal.faults import FaultKind, JournalFault
from carrel.dark_archive.journal.groups import BEGINNING, Group, Head
from carrel.dark_archive.journal.journal import Journal

__all__ = [
    "BEGINNING",
    "FaultKind",
    "Group",
    "Head",
    "Journal",
    "JournalFault",
    "decode",
    "encode",
]
