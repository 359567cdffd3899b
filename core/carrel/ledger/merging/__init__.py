# SPDX-License-Identifier: AGPL-3.0-or-later
"""What other ledgers say, joined with this one, table by table."""

from carrel.ledger.connection import Row
from carrel.ledger.merging.decisions import DECISIONS, Decision
from carrel.ledger.merging.merging import Counts, Merging, Portion
from carrel.ledger.merging.source_file import readable_ledger

__all__ = ["DECISIONS", "Counts", "Decision", "Merging", "Portion", "Row", "readable_ledger"]
