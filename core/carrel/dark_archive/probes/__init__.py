# SPDX-License-Identifier: AGPL-3.0-or-later
"""Asking for full texts: one look at one address, and what came of it. Knows no store, no ledger.

`Asker` takes one look, `look_at_all` takes many, several hosts at once. `outcomes` has the words
for what can come of a look, and which of them speak for a loss.
"""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.dark_archive.probes.asker import Asker
    from carrel.dark_archive.probes.look import Json, Look, Payload, Question
    from carrel.dark_archive.probes.many import look_at_all

__getattr__ = offering(
    __name__,
    {
        "asker": ["Asker"],
        "look": ["Json", "Look", "Payload", "Question"],
        "many": ["look_at_all"],
    },
)
__all__ = ["Asker", "Json", "Look", "Payload", "Question", "look_at_all"]
