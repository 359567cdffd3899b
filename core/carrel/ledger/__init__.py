# SPDX-License-Identifier: AGPL-3.0-or-later
"""The ledger: the SQLite catalogue of an archive. The only room that knows SQL."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.ledger.connection import is_blank, why_no_ledger
    from carrel.ledger.ledger import Ledger

__getattr__ = offering(
    __name__,
    {
        "connection": ["is_blank", "why_no_ledger"],
        "ledger": ["Ledger"],
    },
)
__all__ = ["Ledger", "is_blank", "why_no_ledger"]
