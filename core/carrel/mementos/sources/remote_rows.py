# SPDX-License-Identifier: AGPL-3.0-or-later
"""Rows that came over the network in the order of a question: no order of theirs is trusted."""

from collections.abc import Iterable

from carrel.mementos.query import Order, Query
from carrel.mementos.row_order import nearness_to
from carrel.model import Memento


def in_order(rows: Iterable[Memento], query: Query) -> list[Memento]:
    """Return rows once each, in the order of a query, and no more than it needs."""
    found = sorted(_distinct(rows), key=lambda row: (row.urlkey, row.timestamp))
    if query.order is Order.CLOSEST:
        found.sort(key=nearness_to(query.closest))
    elif query.order is Order.REVERSE:
        found.reverse()
    return found[: query.limit] if query.may_cut else found


def _distinct(rows: Iterable[Memento]) -> Iterable[Memento]:
    """Return rows without those that are the same in everything that tells captures apart."""
    found: dict[tuple[str | None, ...], Memento] = {}
    for row in rows:
        where = row.fields.get("filename"), row.fields.get("offset")
        found.setdefault((row.urlkey, row.timestamp, row.url, row.digest, *where), row)
    return found.values()
