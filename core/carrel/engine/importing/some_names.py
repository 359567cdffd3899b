# SPDX-License-Identifier: AGPL-3.0-or-later
"""The first of several files, by name, in a sentence."""

from collections.abc import Sequence

from carrel.model.names import readable
from carrel.translation import tr

_MOST_TOLD = 5


def some_names(paths: Sequence[str]) -> str:
    """Return the names of files, and how many more there are than are told."""
    more = len(paths) - _MOST_TOLD
    names = ", ".join(map(readable, paths[:_MOST_TOLD]))
    return names + (tr(" and {count:,} more", count=more) if more > 0 else "")
