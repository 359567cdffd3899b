# SPDX-License-Identifier: AGPL-3.0-or-later
"""The words for how a watched dataset and its files stand, with their icons and colours."""

from collections.abc import Mapping
from dataclasses import dataclass

from carrel.model.dark_views import FileDifference
from carrel.translation import tr

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
    "changed": Look(tr("Changed"), "warning", "warning", 1),
    "new version": Look(tr("New version"), "add", "accent", 2),
    "restricted now": Look(tr("Restricted now"), "key", "warning", 3),
    "unreachable": Look(tr("Unreachable"), "indicator-unreachable", "warning", 4),
    "unchecked": Look(tr("Not checked yet"), "waiting", "secondary", 5),
    "unverified": Look(tr("Not fully compared"), "question", "secondary", 6),
    "as first seen": Look(tr("As first seen"), "watch", "secondary", 7),
    "same": Look(tr("Unchanged"), "ok", "ok", 8),
}
_FILES: Mapping[str, Look] = {
    "gone": Look(tr("Gone"), "lost", "failed", 0),
    "changed": Look(tr("Changed"), "warning", "warning", 1),
    "added": Look(tr("New"), "add", "accent", 2),
    "unverified": Look(tr("Not compared"), "question", "secondary", 3),
    "same": Look(tr("Unchanged"), "ok", "ok", 4),
}
_UNKNOWN = Look("", "question", "secondary", 9)


def state(name: str) -> Look:
    """Return how the state of a dataset is shown; one that is not known is shown by its name."""
    return _translated(_STATES, name)


def file_state(name: str) -> Look:
    """Return how it is shown what became of a file."""
    return _translated(_FILES, name)


def differs(each: FileDifference) -> bool:
    """Say whether a file is not, or may not be, as it was."""
    return each.what != "same"


def _translated(looks: Mapping[str, Look], name: str) -> Look:
    look = looks.get(name, _UNKNOWN)
    word = look.word if look.word else name
    return Look(word, look.icon, look.tone, look.rank)
