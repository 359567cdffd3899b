# SPDX-License-Identifier: AGPL-3.0-or-later
"""The source that reads CDXJ lines from sorted sets in Redis, as pywb keeps them.

All members have the score 0, so that Redis sorts them by their bytes, and ranges of them can be
asked for by text (https://redis.io/docs/latest/commands/zrangebylex/, July 2026).
"""

import heapq
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import islice
from urllib.parse import unquote, urlsplit

from redis import exceptions
from redis.asyncio import Redis

from carrel.causes import reason_of
from carrel.errors import SourceTrouble
from carrel.mementos.cdx_lines import parse_line, says_nothing
from carrel.mementos.query import Order, Query
from carrel.mementos.row_order import bounds, merged, nearness_to, outwards
from carrel.mementos.sources.source import Rows
from carrel.model.memento import Memento, SourceState, SourceType
from carrel.translation import tr

_PAGE = 1000
# More are not kept in memory for one question.
_MOST_ROWS = 250_000
_MOST_KEYS = 1000
_CONNECT_S = 10.0
_ANSWER_S = 60.0


class RedisRows:
    """Captures in one sorted set, or in several whose keys have a `*` in their name.

    `redis_url` is `redis://[user:password@]host[:port]/db/key`. Every question has a connection of
    its own, closed when it ends.
    """

    kind = SourceType.REDIS
    address = ""

    def __init__(self, name: str, redis_url: str) -> None:
        self.name = name
        parts = urlsplit(redis_url)
        database, _, key = parts.path.removeprefix("/").partition("/")
        self._server = parts._replace(path=f"/{database}", query="", fragment="").geturl()
        self._key = unquote(key)
        # What people are shown has no password in it.
        self._where = f"{parts.scheme}://{parts.hostname}:{parts.port or 6379}/{database}/{key}"

    async def rows(self, query: Query) -> Rows:
        """Return the captures in the range, interval and order of a query. Raises SourceTrouble."""
        async with self._connected() as redis:
            found = [await _Set(redis, key, query).rows() for key in await self._keys(redis)]
        rows = list(merged(query, [each for each, _ in found]))
        for row in rows:
            row.source, row.source_type = self.name, self.kind
        return Rows(rows, sum(skipped for _, skipped in found))

    async def _keys(self, redis: "Redis") -> list[str]:
        if "*" not in self._key:
            return [self._key]
        pattern = re.sub(r"([?\[\]\\])", r"\\\1", self._key)
        keys: list[str] = []
        async for key in redis.scan_iter(match=pattern, count=_PAGE, _type="zset"):
            keys.append(key.decode("utf-8", "surrogateescape"))
            if len(keys) > _MOST_KEYS:
                message = tr(
                    "More than {most_keys} keys match {where}. Use a more specific pattern.",
                    most_keys=_MOST_KEYS,
                    where=self._where,
                )
                raise SourceTrouble(SourceState.WRONG_ANSWER, message)
        return sorted(set(keys))

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator["Redis"]:
        """Give a connection. Raises SourceTrouble for all that can go wrong with one."""
        try:
            redis = Redis.from_url(
                self._server, socket_connect_timeout=_CONNECT_S, socket_timeout=_ANSWER_S
            )
        except ValueError as error:
            message = tr(
                "{where} is not the address of a Redis server: {error}.",
                where=self._where,
                error=error,
            )
            raise SourceTrouble(SourceState.WRONG_ANSWER, message) from error
        try:
            async with redis:
                yield redis
        except exceptions.RedisError as error:
            raise self._trouble(error) from error
        except OSError as error:
            raise self._trouble(exceptions.ConnectionError(reason_of(error))) from error

    def _trouble(self, error: exceptions.RedisError) -> SourceTrouble:
        state, words = _meaning(error)
        return SourceTrouble(state, f"{words.format(where=self._where)} ({error})")


class _Set:
    """One sorted set that is asked one question."""

    def __init__(self, redis: "Redis", key: str, query: Query) -> None:
        self._redis, self._key, self._query = redis, key.encode("utf-8", "surrogateescape"), query
        self._skipped = 0

    async def rows(self) -> tuple[list[Memento], int]:
        """Return the rows in the order of the question, and how many members are not valid."""
        await self._check_scores()
        start, end = (b"[" + bounds(self._query)[0], b"(" + bounds(self._query)[1])
        if self._query.order is Order.CLOSEST:
            rows = await self._closest(start, end)
        else:
            reverse = self._query.order is Order.REVERSE
            rows = await self._between(start, end, reverse=reverse)
        return rows, self._skipped

    async def _check_scores(self) -> None:
        """Raise SourceTrouble for a set that Redis does not sort by bytes alone."""
        first = await self._redis.zrange(self._key, 0, 0, withscores=True)
        last = await self._redis.zrange(self._key, -1, -1, withscores=True)
        if first and last and first[0][1] != last[0][1]:
            message = tr(
                "The members of {decode} in Redis have different "
                "scores, so they are not sorted like an index. Add them with the score 0.",
                decode=self._key.decode("utf-8", "replace"),
            )
            raise SourceTrouble(SourceState.WRONG_ANSWER, message)

    async def _closest(self, start: bytes, end: bytes) -> list[Memento]:
        query = self._query
        if not query.is_exact:
            rows = await self._between(start, end, most=_MOST_ROWS)
            nearness = nearness_to(query.closest)
            return heapq.nsmallest(query.limit if query.may_cut else len(rows), rows, key=nearness)
        moment = min(max(query.start + query.closest.encode(), start[1:]), end[1:])
        before = await self._between(start, b"(" + moment, reverse=True)
        after = await self._between(b"[" + moment, end)
        return list(islice(outwards(query, before, after), query.limit if query.may_cut else None))

    async def _between(
        self, start: bytes, end: bytes, *, reverse: bool = False, most: int | None = None
    ) -> list[Memento]:
        """Return the rows between two texts, from either side, page by page."""
        if most is None:
            most = self._query.limit if self._query.may_cut else _MOST_ROWS
        rows: list[Memento] = []
        while True:
            page = min(_PAGE, most + 1)
            members = await self._members(start, end, page, reverse=reverse)
            rows += self._taken(members)
            if len(members) < page or (len(rows) >= most and self._query.may_cut):
                return rows
            if len(rows) > _MOST_ROWS:
                raise _too_many(self._key)
            start, end = (start, b"(" + members[-1]) if reverse else (b"(" + members[-1], end)

    async def _members(self, start: bytes, end: bytes, count: int, *, reverse: bool) -> list[bytes]:
        if reverse:
            found = await self._redis.zrevrangebylex(self._key, end, start, 0, count)
        else:
            found = await self._redis.zrangebylex(self._key, start, end, 0, count)
        return [each if isinstance(each, bytes) else each.encode() for each in found]

    def _taken(self, members: list[bytes]) -> Iterator[Memento]:
        for member in members:
            row = parse_line(member)
            if row is None:
                self._skipped += not says_nothing(member)
            elif self._query.takes(row.timestamp):
                yield row


def _too_many(key: bytes) -> SourceTrouble:
    return SourceTrouble(
        SourceState.WRONG_ANSWER,
        tr(
            "{decode} in Redis has more than {most_rows:,} captures for this "
            "query. Query fewer URLs or a shorter interval.",
            decode=key.decode("utf-8", "replace"),
            most_rows=_MOST_ROWS,
        ),
    )


def _meaning(error: exceptions.RedisError) -> tuple[SourceState, str]:
    """Return the state that an error ends in, and a sentence that says what it means."""
    text = str(error)
    if isinstance(error, exceptions.AuthenticationError) or text.startswith(("NOAUTH", "NOPERM")):
        return SourceState.REFUSED, tr("{where} requires another user or password.")
    if isinstance(error, exceptions.BusyLoadingError):
        return SourceState.FAILED, tr("{where} is still loading its data. Try again.")
    if isinstance(error, exceptions.TimeoutError):
        return SourceState.TIMED_OUT, tr("{where} did not answer in time.")
    if isinstance(error, exceptions.ConnectionError):
        return SourceState.UNREACHABLE, tr("{where} cannot be reached. Is Redis running there?")
    if text.startswith("WRONGTYPE"):
        return SourceState.WRONG_ANSWER, tr("{where} is not a sorted set of CDXJ lines.")
    return SourceState.WRONG_ANSWER, tr("{where} did not answer as Redis does.")
