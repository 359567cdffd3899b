# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a scheduled check of watched datasets says: what changed, and what could not be checked."""

from collections.abc import Sequence

from carrel.engine.schedule.running import first_of
from carrel.model.dark_views import WatchedRow
from carrel.translation import forms, plural, tr

_CHANGED = forms("1 dataset has changed:", "{count:,} datasets have changed:")
_NONE = forms("The dataset could not be checked:", "None of {count:,} datasets could be checked:")
_SOME = forms(
    "1 of {total:,} datasets could not be checked:",
    "{count:,} of {total:,} datasets could not be checked:",
)


def told_of_check(
    changed: Sequence[WatchedRow], unchecked: Sequence[WatchedRow], total: int
) -> str:
    """Return sentences about those that changed since someone was told of them last, and about
    those of `total` of which no one can tell now; "" if there are none."""
    parts = []
    if changed:
        parts += [plural(*_CHANGED, len(changed), count=len(changed)), _named(changed)]
    if unchecked:
        words = _NONE if len(unchecked) == total else _SOME
        parts += [plural(*words, len(unchecked), count=len(unchecked), total=total)]
        parts += [_named(unchecked)]
    return " ".join(parts)


def _named(rows: Sequence[WatchedRow]) -> str:
    return first_of(
        [tr("“{title}”: {message}", title=row.title, message=row.message) for row in rows]
    )
