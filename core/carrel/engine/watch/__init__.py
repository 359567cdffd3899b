# SPDX-License-Identifier: AGPL-3.0-or-later
"""Watched datasets: what their platforms publish now, beside what was captured."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.engine.watch.checks import Looking
    from carrel.engine.watch.comparison import compare
    from carrel.engine.watch.look import Look, Sight
    from carrel.engine.watch.watch import Watching
    from carrel.engine.watch.watch_list import WatchList

__getattr__ = offering(
    __name__,
    {
        "checks": ["Looking"],
        "comparison": ["compare"],
        "look": ["Look", "Sight"],
        "watch": ["Watching"],
        "watch_list": ["WatchList"],
    },
)
__all__ = ["Look", "Looking", "Sight", "WatchList", "Watching", "compare"]
