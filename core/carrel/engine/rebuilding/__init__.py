# SPDX-License-Identifier: AGPL-3.0-or-later
"""The ledger of an archive made again, from its journal and its WARCs."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.engine.rebuilding.rebuilding import Rebuilt, Tell, rebuild
    from carrel.engine.rebuilding.sentences import lacks_of

__getattr__ = offering(
    __name__,
    {
        "rebuilding": ["Rebuilt", "Tell", "rebuild"],
        "sentences": ["lacks_of"],
    },
)
__all__ = ["Rebuilt", "Tell", "lacks_of", "rebuild"]
