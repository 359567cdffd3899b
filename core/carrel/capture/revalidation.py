# SPDX-License-Identifier: AGPL-3.0-or-later
"""Answers of interfaces, kept for a day with their ETags: who looks again transfers them once.

The server is asked each time whether the answer still holds (RFC 9110, 13.1.2), so that what is
shown is what is published now. What was opened by a token is not kept.
"""

import asyncio
import json
import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from carrel.capture.client import Client
from carrel.capture.exchange import Exchange
from carrel.capture.http1.headers import RawHeaders
from carrel.ledger.hosts import ANSWERS_KEPT_S, HostStore, KeptAnswer
from carrel.model.sizes import MEBIBYTE

_MOST_BYTES = 8 * MEBIBYTE
_NOT_MODIFIED = 304
_LEFT_OUT = frozenset({b"set-cookie", b"connection", b"keep-alive"})


@dataclass(frozen=True, slots=True)
class _Kept:
    etag: str
    headers: RawHeaders
    body: bytes

    def instead_of(self, exchange: Exchange) -> Exchange:
        """Return the answer that a 304 says is still the one, of the request that was answered."""
        return replace(
            exchange,
            status_code=200,
            reason=b"OK",
            response_headers=self.headers,
            body=self.body,
            truncated="",
        )


class Revalidating:
    """An `Asker` over a client. For previews alone: what is archived is fetched whole.

    What the server asks to wait for longer than `longest_pause_s` is not asked again, if that is
    less than the client waits for.
    """

    def __init__(
        self,
        client: Client,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        *,
        longest_pause_s: float = math.inf,
    ) -> None:
        self._client, self._now = client, now
        self._longest_pause_s = longest_pause_s

    @property
    def longest_pause_s(self) -> float:
        return min(self._longest_pause_s, self._client.longest_pause_s)

    def has_token(self, url: str) -> bool:
        return self._client.has_token(url)

    async def get(
        self,
        url: str,
        *,
        accept: str = "*/*",
        max_bytes: int = 16 * MEBIBYTE,
        is_wanted: Callable[[Exchange], bool] = lambda exchange: True,
        is_cancelled: Callable[[], bool] = lambda: False,
        is_open: bool = False,
        question: bytes | None = None,
    ) -> Exchange:
        """Return the answer, as `Client.get` does, transferred now or within the last day."""
        is_public = is_open or not self.has_token(url)
        is_kept = is_public and question is None and max_bytes > 0
        name = f"{accept} {url}"
        kept = await asyncio.to_thread(self._kept, name, max_bytes) if is_kept else None
        exchange = await self._client.get(
            url,
            accept=accept,
            max_bytes=max_bytes,
            is_wanted=is_wanted,
            is_cancelled=is_cancelled,
            is_open=is_open,
            question=question,
            headers={"If-None-Match": kept.etag} if kept else {},
        )
        if kept and exchange.status_code == _NOT_MODIFIED:
            return kept.instead_of(exchange)
        if is_kept and _may_be_kept(exchange):
            await asyncio.to_thread(self._keep, name, exchange)
        return exchange

    @property
    def _store(self) -> HostStore:
        return self._client.limiter.store

    def _kept(self, name: str, max_bytes: int) -> _Kept | None:
        """Return what is kept under a name, None for nothing, or what is old or damaged."""
        found = self._store.answer(name)
        if found is None or self._now().timestamp() - found.answered_at > ANSWERS_KEPT_S:
            return None
        try:
            etag, pairs = json.loads(found.headers)
            headers = tuple((n.encode("latin-1"), v.encode("latin-1")) for n, v in pairs)
            body = zlib.decompressobj().decompress(found.body, _MOST_BYTES + 1)
            return _Kept(str(etag), headers, body) if len(body) <= max_bytes else None
        except (ValueError, TypeError, AttributeError, zlib.error):
            return None

    def _keep(self, name: str, exchange: Exchange) -> None:
        pairs = [
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in exchange.response_headers
            if name.lower() not in _LEFT_OUT
        ]
        headers = json.dumps([exchange.headers["etag"], pairs])
        body = zlib.compress(exchange.body, 1)
        answer = KeptAnswer(self._now().timestamp(), headers, body)
        self._store.keep(name, answer)


def _may_be_kept(exchange: Exchange) -> bool:
    """Return whether an answer is whole, has an ETag, and is not to be kept by no one (RFC 9111,
    3 and 4.1)."""
    control = exchange.headers.get("cache-control", "").lower()
    return (
        exchange.status_code == 200
        and not exchange.is_cut
        and "etag" in exchange.headers
        and "no-store" not in control
        and exchange.headers.get("vary", "").strip() != "*"
        and len(exchange.body) <= _MOST_BYTES
    )
