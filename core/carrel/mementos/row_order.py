# SPDX-License-Identifier: AGPL-3.0-or-later
"""The three orders of rows: by key and time, the same from the end, and by distance in time."""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
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


def order_key(query: Query) -> Callable[[Memento], tuple[object, ...]]:
    """Return the key by which rows of a query are sorted, from the end for the reverse order."""
    if query.order is not Order.CLOSEST:
        return lambda row: (row.urlkey, row.timestamp)
    nearness = nearness_to(query.closest)
    return lambda row: (nearness(row), row.urlkey)


def merged(query: Query, streams: Sequence[Iterable[Memento]]) -> Iterator[Memento]:
    """Yield the rows of several streams, each in the order of the query, in that order."""
    if len(streams) == 1:
        return iter(streams[0])
    return heapq.merge(*streams, key=order_key(query), reverse=query.order is Order.REVERSE)


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
