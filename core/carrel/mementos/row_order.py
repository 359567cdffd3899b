# SPDX-License-Identifier: AGPL-3.0-or-later
"""The three orders of rows: by key and time, the same from the end, and by distance in time."""

import heapq
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from carrel.mementos import moments
from carrel.mementos.query import DEFAULT_LIMIT, Order, Query
from carrel.model.memento import Memento


def bounds(query: Query) -> tuple[bytes, bytes]:
    """Return where the lines of a query begin and end, by key and, for one key, by time."""
    if not query.is_exact:
        return query.start, query.end
    # A colon comes after every digit and after the space behind 14 of them.
    end = query.start + query.last.encode() + b":" if query.last else query.end
    return query.start + query.first.encode(), end


def merged(query: Query, streams: Iterable[Iterable[Memento]]) -> Iterator[Memento]:
    """Yield the rows of several streams, each in the order of the query, in that order."""
    if query.order is Order.CLOSEST:
        nearness = nearness_to(query.closest)
        return heapq.merge(*streams, key=lambda row: (nearness(row), row.urlkey))
    reverse = query.order is Order.REVERSE
    return heapq.merge(*streams, key=lambda row: (row.urlkey, row.timestamp), reverse=reverse)


def outwards(
    query: Query, newest_first: Iterable[Memento], oldest_first: Iterable[Memento]
) -> Iterator[Memento]:
    """Yield the rows before a moment and those from it on by distance, the earlier ones first.

    Both sides are of one key and begin at the moment; no more of them is read than is taken.
    """
    nearness = nearness_to(query.closest)
    seconds = groupby(newest_first, key=lambda row: row.timestamp[:14])
    # Rows of one second are equally near, and come in the order of the index.
    before = (row for _, rows in seconds for row in reversed(list(rows)))
    return heapq.merge(before, oldest_first, key=nearness)


def nearest_first(query: Query, ascending: Callable[[], Iterable[Memento]]) -> Iterator[Memento]:
    """Yield rows of many keys by distance from the query's moment, the earlier ones first.

    They are gone through anew for every so many rows, so that memory holds no more than these.
    """
    nearness = nearness_to(query.closest)
    most = min(query.limit, DEFAULT_LIMIT) if query.may_cut else DEFAULT_LIMIT
    last: tuple[object, ...] = ()
    while True:
        ranked = ((nearness(row), number, row) for number, row in enumerate(ascending()))
        batch = heapq.nsmallest(most, (each for each in ranked if each[:2] > last))
        for _, _, row in batch:
            yield row
        if len(batch) < most or query.may_cut:
            return
        last = batch[-1][:2]


def nearness_to(moment: str) -> Callable[[Memento], tuple[int, str]]:
    """Return what tells of two rows which is nearer to a moment, the earlier one when equal."""
    wanted = moments.seconds(moment)
    return lambda row: (abs(moments.seconds(row.timestamp) - wanted), row.timestamp[:14])
