# SPDX-License-Identifier: AGPL-3.0-or-later
"""Watched datasets: what their platforms publish now, beside what was captured."""

from carrel.engine.watching.comparison import compare
from carrel.engine.watching.look import Look, Sight
from carrel.engine.watching.looking import Looking
from carrel.engine.watching.watch_list import WatchList
from carrel.engine.watching.watching import Watching

__all__ = ["Look", "Looking", "Sight", "WatchList", "Watching", "compare"]
