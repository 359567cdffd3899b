# SPDX-License-Identifier: AGPL-3.0-or-later
"""The ledger: the SQLite catalogue of an archive. The only room that knows SQL."""

from carrel.ledger.connection import is_blank, why_no_ledger
from carrel.ledger.ledger import Ledger

__all__ = ["Ledger", "is_blank", "why_no_ledger"]
