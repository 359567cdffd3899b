# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a scheduled check of watched datasets says: what changed, and what could not be checked."""

from collections.abc import Iterator, Sequence

from carrel.engine.schedule.running import MOST_NAMED, listed
from carrel.model.dark_views import WatchedRow
from carrel.model.prose import shortlist
from carrel.model.watch_states import CHANGED, GONE, NEW_VERSION, NO_DATASET, RESTRICTED
from carrel.translation import forms, plural, tr

# The worst first; each kind by its own word.
_KINDS = {
    GONE: forms("1 dataset is gone", "{count:,} datasets are gone"),
    NO_DATASET: forms(
        "No dataset is found at 1 address", "No dataset is found at {count:,} addresses"
    ),
    RESTRICTED: forms("1 dataset is restricted now", "{count:,} datasets are restricted now"),
    CHANGED: forms("1 dataset has changed", "{count:,} datasets have changed"),
    NEW_VERSION: forms("1 dataset has another version", "{count:,} datasets have other versions"),
}
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
    parts = [*_by_kind(changed)]
    if unchecked:
        words = _NONE if len(unchecked) == total else _SOME
        parts += [plural(*words, len(unchecked), count=len(unchecked), total=total)]
        parts += [_by_reason(unchecked)]
    return " ".join(parts)


def _by_kind(rows: Sequence[WatchedRow]) -> Iterator[str]:
    """Yield a sentence about each kind of change; the first datasets of all are named, those that
    lost files before others of their kind."""
    left = MOST_NAMED
    for state, words in _KINDS.items():
        found = sorted((row for row in rows if _kind(row) == state), key=lambda row: not row.gone)
        if not found:
            continue
        counted = plural(*words, len(found), count=len(found))
        named = [
            tr("“{title}”: {message}", title=row.title, message=row.message) for row in found[:left]
        ]
        more = len(found) - len(named)
        left -= len(named)
        yield f"{counted}: {listed(named, more)}" if named else f"{counted}."


def _kind(row: WatchedRow) -> str:
    return row.state if row.state in _KINDS else CHANGED


def _by_reason(rows: Sequence[WatchedRow]) -> str:
    """Return the first datasets and why no one can tell how they are: mostly that is one host."""
    titles: dict[str, list[str]] = {}
    for row in rows:
        title = tr("“{title}”", title=row.title)
        titles.setdefault(row.attempt or row.message, []).append(title)
    named = [f"{shortlist(titles[why])}: {why}" for why in [*titles][:MOST_NAMED]]
    others = [*titles.values()][MOST_NAMED:]
    return listed(named, sum(map(len, others)))
