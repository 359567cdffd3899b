# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fixity: records read again, against every digest that is known.

`run` carries a run out and sums it up, and `delivery` has it shown; `captures` checks what an
ingest rests on; `files` checks WARCs, wherever they lie, of which `paths` finds those that were
named. What one record says of itself is read in `contents`, what the ledger says of it in `known`.
What was found of the archive's own records is kept by `noting`, and `advice` says of those that are
not intact what can be done.
"""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.engine.verification.run import verify, verify_paths

__getattr__ = offering(
    __name__,
    {
        "run": ["verify", "verify_paths"],
    },
)
__all__ = ["verify", "verify_paths"]
