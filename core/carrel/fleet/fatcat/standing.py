# SPDX-License-Identifier: AGPL-3.0-or-later
"""What earlier pushes of the same editor left in fatcat that is not accepted yet.

Look-ups show accepted entities alone. What waits for review, or is in an editgroup that a crash
left open, is found by the extra of the editor's own editgroups.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from carrel.fleet.fatcat.answers import Editgroup


@dataclass(frozen=True, slots=True)
class Standing:
    """By key, the editgroup that waits for review, and the open one that is to have it.

    `open_keys` are the keys that each open one was made for.
    """

    in_review: dict[str, str] = field(default_factory=dict)
    open_for: dict[str, str] = field(default_factory=dict)
    open_keys: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, editgroups: Iterable[Editgroup]) -> "Standing":
        """Return how editgroups stand; the newest come first, and of two open ones it counts."""
        standing = cls()
        for each in editgroups:
            if each.changelog_index is not None or not each.keys:
                continue
            if each.submitted is not None:
                standing.in_review.update(dict.fromkeys(each.keys, each.editgroup_id))
                continue
            standing.open_keys[each.editgroup_id] = each.keys
            for key in each.keys:
                standing.open_for.setdefault(key, each.editgroup_id)
        return standing
