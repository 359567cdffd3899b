# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a scheduled check of watched datasets says: what changed, and what could not be checked."""

from collections.abc import Sequence

from carrel.engine.schedule.running import MOST_NAMED, first_of, listed
from carrel.model.dark_views import WatchedRow
from carrel.model.prose import shortlist
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
        parts += [_by_reason(unchecked)]
    return " ".join(parts)


def _named(rows: Sequence[WatchedRow]) -> str:
    return first_of(
        [tr("“{title}”: {message}", title=row.title, message=row.message) for row in rows]
    )


def _by_reason(rows: Sequence[WatchedRow]) -> str:
    """Return the first datasets and why no one can tell how they are: mostly that is one host."""
    titles: dict[str, list[str]] = {}
    for row in rows:
        title = tr("“{title}”", title=row.title)
        titles.setdefault(row.attempt or row.message, []).append(title)
    named = [f"{shortlist(titles[why])}: {why}" for why in [*titles][:MOST_NAMED]]
    others = [*titles.values()][MOST_NAMED:]
    return listed(named, sum(map(len, others)))
