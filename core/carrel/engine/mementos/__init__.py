# SPDX-License-Identifier: AGPL-3.0-or-later
"""Every copy of a URL, in this archive and in the world's: what the window and the commands ask."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.engine.mementos.content import Form, copied, saved
    from carrel.engine.mementos.mementos import MOST_ROWS, Mementos
    from carrel.mementos.lookup import Resource

__getattr__ = offering(
    __name__,
    {
        "content": ["Form", "copied", "saved"],
        "mementos": ["MOST_ROWS", "Mementos"],
        "carrel.mementos.lookup": ["Resource"],
    },
)
__all__ = ["MOST_ROWS", "Form", "Mementos", "Resource", "copied", "saved"]
