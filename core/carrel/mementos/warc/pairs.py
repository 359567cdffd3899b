# SPDX-License-Identifier: AGPL-3.0-or-later
"""Responses and the requests that brought them, which stand near each other in a WARC."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator

from carrel.mementos.warc.rows import Asked, Row

# Writers put the two side by side; those that write for several at once, not much further away.
REACH = 32


class Pairing:
    """Rows that wait for their request, and requests that wait for their row, in bounded number."""

    def __init__(self) -> None:
        self._rows: OrderedDict[int, Row] = OrderedDict()
        self._asked: OrderedDict[int, Asked] = OrderedDict()
        self._count = 0

    def add(self, row: Row) -> Iterator[Row]:
        """Take a row, and yield those that are done with."""
        number = next((key for key, asked in self._asked.items() if _belong(row, asked)), None)
        if number is not None:
            row.asked = self._asked.pop(number)
            yield row
            return
        self._count += 1
        self._rows[self._count] = row
        if len(self._rows) > REACH:
            yield self._rows.popitem(last=False)[1]

    def add_request(self, asked: Asked) -> Iterator[Row]:
        """Take a request, and yield the row that it brought, if that was waiting."""
        number = next((key for key, row in self._rows.items() if _belong(row, asked)), None)
        if number is not None:
            row = self._rows.pop(number)
            row.asked = asked
            yield row
            return
        self._count += 1
        self._asked[self._count] = asked
        if len(self._asked) > REACH:
            self._asked.popitem(last=False)

    def waiting(self) -> list[Row]:
        """Return the rows whose request did not come; a plain GET's never does."""
        return list(self._rows.values())

    def unanswered(self) -> list[Asked]:
        """Return the requests whose row did not come."""
        return list(self._asked.values())


def answer(rows: Iterable[Row], requests: Iterable[Asked]) -> None:
    """Give each of these rows the request that it answers, if it is among these."""
    unpaired = [row for row in rows if row.asked is None]
    for asked in requests:
        for row in unpaired:
            if row.asked is None and _belong(row, asked):
                row.asked = asked
                break


def _belong(row: Row, asked: Asked) -> bool:
    """Say whether a response answers a request: either may name the other."""
    if row.url != asked.url:
        return False
    return row.record_id in asked.concurrent_to or asked.record_id in row.concurrent_to
