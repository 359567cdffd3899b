# SPDX-License-Identifier: AGPL-3.0-or-later
"""One stream of rows out of those of several sources: in true order, copies folded, as requested.

Rows are taken from their sources as they are needed, so that memory stays flat. The order of work
is pywb's: revisits are resolved, rows filtered, neighbours collapsed, and then ordered and counted.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from carrel.mementos import row_order
from carrel.mementos.query import Order, Query
from carrel.mementos.row_order import order_key
from carrel.model import Memento

Key = Callable[[Memento], Any]
# So many rows of one moment are looked at together; more are not worth comparing with each other.
_LARGEST_GROUP = 1000
# So many payloads are remembered while revisits of them are looked for.
_MOST_ORIGINALS = 100_000


def merged(
    answers: Sequence[Iterable[Memento]], query: Query, *, folds: bool = True
) -> Iterator[Memento]:
    """Yield what a question asks for out of the answers of its sources, each in its order.

    Where answers are reordered afterwards (see `plain_question`), they are in ascending order.
    """
    rows = row_order.merged(plain_question(query), answers)
    if query.resolve_revisits:
        rows = _resolved(rows)
    for each in query.filters:
        rows = filter(each.lets_pass, rows)
    if query.collapse_time is not None:
        rows = _collapsed(rows, query.collapse_time)
    if plain_question(query) is not query:
        # No more is held than may be given: each source has a capture once, at most.
        pick = heapq.nlargest if query.order is Order.REVERSE else heapq.nsmallest
        most = query.limit * max(1, len(answers))
        rows = iter(pick(most, rows, key=order_key(query)))
    if query.order is Order.CLOSEST or (folds and len(answers) > 1):
        rows = _grouped(rows, query, folds=folds and len(answers) > 1)
    return islice(rows, query.limit)


def plain_question(query: Query) -> Query:
    """Return what sources are to be asked: what compares neighbours needs them in plain order."""
    compares = query.resolve_revisits or query.collapse_time is not None
    return query.ascending() if compares and query.order is not Order.ASCENDING else query


def _grouped(rows: Iterable[Memento], query: Query, *, folds: bool) -> Iterator[Memento]:
    """Give each capture once, with the names of the other sources that have it too.

    Of rows that are equally close, those of the very URL come before those that share its key.
    """
    for group in _groups(rows, order_key(query)):
        if len(group) == 1:
            yield group[0]
            continue
        kept = _folded(group) if folds else group
        yield from sorted(kept, key=lambda row: row.url != query.url) if query.is_exact else kept


def _folded(group: Iterable[Memento]) -> list[Memento]:
    kept: list[Memento] = []
    for row in group:
        _add(kept, row)
    return kept


def _groups(rows: Iterable[Memento], key: Key) -> Iterator[list[Memento]]:
    group: list[Memento] = []
    previous: Any = None
    for row in rows:
        current = key(row)
        if group and (current != previous or len(group) == _LARGEST_GROUP):
            yield group
            group = []
        group.append(row)
        previous = current
    if group:
        yield group


def _add(kept: list[Memento], row: Memento) -> None:
    for number, other in enumerate(kept):
        if row.source not in (other.source, *other.also) and _is_same(row, other):
            kept[number] = replace(other, also=(*other.also, row.source))
            return
    kept.append(row)


def _is_same(one: Memento, other: Memento) -> bool:
    """Say whether rows of two archives are of the same capture: by its digest or its very address.

    That two archives have a URL of the same second proves nothing.
    """
    if one.timestamp[:14] != other.timestamp[:14] or one.urlkey != other.urlkey:
        return False
    if one.bare_digest or other.bare_digest:
        return one.bare_digest == other.bare_digest
    address = one.fields.get("memento_url")
    return address is not None and address == other.fields.get("memento_url")


def _resolved(rows: Iterable[Memento]) -> Iterator[Memento]:
    """Name for each revisit the record that has its bytes, as far as it is among the rows."""
    originals: dict[str, dict[str, str]] = {}
    for row in rows:
        original = originals.get(row.bare_digest)
        if not row.is_revisit and row.bare_digest and original is None:
            if len(originals) == _MOST_ORIGINALS:
                originals.pop(next(iter(originals)))
            originals[row.bare_digest] = row.fields
        yield _with_original(row, original if row.is_revisit else None)


def _with_original(row: Memento, original: dict[str, str] | None) -> Memento:
    """Return a row with its `orig.` fields: "-" where it has its own bytes, or none are known."""
    fields = dict(row.fields)
    for name in ("length", "offset", "filename"):
        fields[f"orig.{name}"] = (original or {}).get(name, "-")
    for name in ("mime", "status"):
        if original and name in original:
            fields[name] = original[name]
    return replace(row, fields=fields)


def _collapsed(rows: Iterable[Memento], count: int) -> Iterator[Memento]:
    """Leave out what equals its neighbour in key, status and so many digits of the moment."""
    previous = None
    for row in rows:
        current = (row.urlkey, row.timestamp[:count], row.status)
        if current != previous:
            yield row
        previous = current
