# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was done to records that are intact again, as certificates and fixity reports say it.

It stays in the ledger, and goes along where an archive is merged into another one: there, and on
another computer, a path says nothing. The names of the copy and of the archive do.
"""

from collections.abc import Callable
from pathlib import PureWindowsPath

from carrel.translation import tr

_PLACE = "\0"


def repaired_from(place: str) -> str:
    """Return that records came back from the second copy in a place."""
    return tr("Repaired from the second copy in {place}.", place=place)


def brought_from(place: str) -> str:
    """Return that records came back from an archive that was merged into this one."""
    return tr("Brought again from the archive in {place}.", place=place)


def as_of_another(remedy: str, archive: str) -> str:
    """Return what was done to records in an archive of this name, for another one into which it is
    merged."""
    if copy := _place_in(remedy, repaired_from):
        return tr(
            "Repaired from “{copy}”, a second copy of the archive “{archive}”, which was merged "
            "into this one.",
            copy=_name(copy),
            archive=archive,
        )
    if other := _place_in(remedy, brought_from):
        return tr(
            "Brought again from the archive “{other}” to the archive “{archive}”, which was merged "
            "into this one.",
            other=_name(other),
            archive=archive,
        )
    return remedy


def _place_in(remedy: str, words: Callable[[str], str]) -> str:
    """Return the place that a remedy in these words names, "" for one in other words."""
    before, _, after = words(_PLACE).partition(_PLACE)
    is_so = remedy.startswith(before) and remedy.endswith(after)
    return remedy[len(before) : len(remedy) - len(after)] if is_so else ""


def _name(place: str) -> str:
    """Return what a folder is called, whatever it is in; an address names the same everywhere."""
    return place if "://" in place else PureWindowsPath(place).name or place  # with / and with \
