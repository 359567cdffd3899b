# SPDX-License-Identifier: AGPL-3.0-or-later
"""The words for how a watched dataset and its files stand, with their icons and colours."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter

from carrel.model.dark_views import FileDifference, WatchedRow
from carrel.model.watch_states import FIRST_SEEN, SAME
from carrel.translation import tr
from carrel_desktop import quantities

HAVE_MORE = ("changed", "new version")  # than what was captured


@dataclass(frozen=True, slots=True)
class Look:
    """How a state is shown: `rank` puts what needs a person first."""

    word: str
    icon: str
    tone: str
    rank: int

    @property
    def drawn(self) -> tuple[str, str]:
        """Its icon, and the colour of that."""
        return self.icon, self.tone


_STATES: Mapping[str, Look] = {
    "gone": Look(tr("Gone"), "lost", "failed", 0),
    "no dataset": Look(tr("No dataset found"), "question", "warning", 1),
    "changed": Look(tr("Changed"), "warning", "warning", 2),
    "new version": Look(tr("New version"), "add", "accent", 3),
    "restricted now": Look(tr("Restricted now"), "key", "warning", 4),
    "unreachable": Look(tr("Could not be checked"), "indicator-unreachable", "warning", 5),
    "unchecked": Look(tr("Not checked yet"), "waiting", "secondary", 6),
    "archived since": Look(tr("Archived since"), "archive", "secondary", 7),
    "unverified": Look(tr("Not fully compared"), "question", "secondary", 8),
    "as first seen": Look(tr("As first seen"), "watch", "secondary", 9),
    "same": Look(tr("No change published"), "ok", "ok", 10),
}
_FILES: Mapping[str, Look] = {
    "gone": Look(tr("Gone"), "lost", "failed", 0),
    "changed": Look(tr("Changed"), "warning", "warning", 1),
    "added": Look(tr("New"), "add", "accent", 2),
    "renamed": Look(tr("Renamed"), "warning", "warning", 3),
    "unlisted": Look(tr("No longer listed"), "warning", "warning", 4),
    "restricted": Look(tr("Restricted now"), "key", "warning", 5),
    "unverified": Look(tr("Not fully compared"), "question", "secondary", 6),
    "unchecked": Look(tr("Not compared yet"), "waiting", "secondary", 7),
    "first seen": Look(tr("First check"), "watch", "secondary", 8),
    "same": Look(tr("No change published"), "ok", "ok", 9),
}


def of(row: WatchedRow) -> Look:
    """Return how it is shown how a dataset stands; a version that goes back is not called new."""
    look = state(row.state)
    return replace(look, word=tr("Earlier version")) if row.is_older_version else look


def state(name: str) -> Look:
    """Return how the state of a dataset is shown; one that is not known is shown by its name."""
    return _STATES.get(name) or _unknown(name)


def file_state(name: str) -> Look:
    """Return how it is shown what became of a file."""
    return _FILES.get(name) or _unknown(name)


def counted(whole: str, looks: Iterable[Look]) -> str:
    """Return how many there are, in `whole`, and how many of each state, those that need a person
    first."""
    counts = Counter(looks)
    ranked = sorted(counts, key=attrgetter("rank"))
    parts = (f"{look.word} {quantities.number(counts[look])}" for look in ranked)
    return " · ".join(filter(None, [whole, *parts]))


def differs(each: FileDifference) -> bool:
    """Say whether a file is not, or may not be, as it was."""
    return each.what not in (SAME, FIRST_SEEN)


def _unknown(name: str) -> Look:
    return Look(name, "question", "secondary", 11)
