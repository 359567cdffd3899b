# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Wayback Machine's index: which captures of an address there are.

It is a CDX server (the wayback-cdx-server of the Internet Archive): a JSON array of rows, the first
one with the names of the columns, the oldest capture next. It is asked without a limit, because a
limit gives the oldest ones; no more often than once in `poll_s`, because it takes 24 questions a
minute (2026) and shuts out for an hour who does not heed its 429.
"""

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from urllib.parse import unquote, urldefrag, urlencode, urlsplit

from carrel.capture.client import Client
from carrel.capture.exchange import Exchange
from carrel.capture.wayback.pauses import Waiting
from carrel.errors import IngestStop
from carrel.hosts.limiter import host_in
from carrel.hosts.rate_limit import RateLimit
from carrel.hosts.retry import retry_after_s
from carrel.model import Status
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr
from carrel.validation import TypeAdapter, ValidationError

_COLUMNS = ("timestamp", "original", "mimetype", "statuscode", "digest")
_ANSWER_MAX_BYTES = 64 * MEBIBYTE
# The server gives no more rows than this, the oldest ones, and does not say that there are others.
_ROWS_MAX = 150_000
_BUSY_PAUSE_S = 60.0
# The limiter's word for these questions; so far ahead they may be booked, in seconds.
_PURPOSE = "index"
_LONGEST_QUEUE_S = 3600.0
_TIMESTAMP = re.compile(r"\d{14}", re.ASCII)
_SHA1_BASE32 = re.compile(r"[A-Z2-7]{32}")


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One capture: when (14 digits, UTC), of which address, what it answered.

    `status_code` is None for a revisit, which refers to an earlier capture of the same bytes.
    `sha1` is lower-case hex, None where the index has no usable digest. It is over the body as the
    crawler wrote it, which may have a transfer coding in it: equality proves, difference does not.
    """

    timestamp: str
    url: str
    mimetype: str
    status_code: int | None
    sha1: str | None

    @property
    def may_hold_payload(self) -> bool:
        return self.status_code == 200 or self.is_revisit

    @property
    def is_revisit(self) -> bool:
        return self.status_code is None and self.mimetype == "warc/revisit"

    @property
    def is_redirect(self) -> bool:
        return self.status_code in (301, 302, 303, 307, 308)


@dataclass(frozen=True, slots=True)
class IndexAnswer:
    """The captures of an address, newest first, and the exchange that says so."""

    rows: Sequence[IndexRow]
    exchange: Exchange


class WaybackIndex:
    """Asks the index at `origin`. Threads may share it.

    When it does not answer at all it is not asked again: every lookup then ends the same way.
    """

    def __init__(self, client: Client, origin: str, waiting: Waiting) -> None:
        self._client, self._origin, self._waiting = client, origin, waiting
        self._silence: IngestStop | None = None

    def captures(self, url: str) -> IndexAnswer:
        """Return every capture of this very address, with http or https.

        Blocks. Raises IngestStop (cdx-error) and Cancelled.
        """
        if self._silence is not None:
            raise self._silence
        try:
            exchange = self._waiting.persist(lambda: self._ask(url))
        except IngestStop as stop:
            if stop.may_repeat:
                self._silence = stop
            raise
        rows = [row for row in _rows(exchange) if is_same_address(row.url, url)]
        rows.sort(key=lambda row: row.timestamp, reverse=True)
        return IndexAnswer(rows, exchange)

    def _ask(self, url: str) -> Exchange:
        fields = {
            "url": urldefrag(url).url,
            "matchType": "exact",
            "output": "json",
            "fl": ",".join(_COLUMNS),
            "gzip": "false",
        }
        address = f"{self._origin}/cdx/search/cdx?{urlencode(fields)}"
        self._wait_for_turn()
        try:
            with self._client.open(
                address,
                {"Accept": "application/json"},
                is_cancelled=self._waiting.is_cancelled,
                is_question=True,
            ) as response:
                exchange = response.read(_ANSWER_MAX_BYTES)
        except IngestStop as stop:
            message = tr("The Wayback Machine's index cannot be queried: {stop}", stop=stop)
            raise IngestStop(
                Status.CDX_ERROR,
                message,
                may_repeat=stop.may_repeat,
                retry_after_s=stop.retry_after_s,
            ) from stop
        _refuse_unless_ok(exchange)
        return exchange

    def _wait_for_turn(self) -> None:
        """Keep questions `poll_s` apart: the server counts those of all ingests together."""
        limiter = self._client.limiter
        limit = RateLimit(1, self._waiting.poll_s)
        turn_at = limiter.book(host_in(self._origin), _PURPOSE, limit, _LONGEST_QUEUE_S)
        self._waiting.pause(turn_at - limiter.seconds())


def is_same_address(one: str, other: str) -> bool:
    """Say whether two addresses name the same thing; http and https are not told apart.

    The index finds by a key without upper case and “www”: not all that it finds was requested.
    """
    return _address(one) == _address(other)


def _refuse_unless_ok(exchange: Exchange) -> None:
    code = exchange.status_code
    if code == 200:
        return
    wait_s = retry_after_s(exchange.headers.get("retry-after"))
    if code == 429 and wait_s is None:
        wait_s = _BUSY_PAUSE_S
    is_passing = code == 429 or code >= 500
    message = tr("The Wayback Machine's index answered with HTTP {code}.", code=code)
    raise IngestStop(Status.CDX_ERROR, message, may_repeat=is_passing, retry_after_s=wait_s)


def _rows(exchange: Exchange) -> list[IndexRow]:
    """Return the rows of an answer. Raises IngestStop (cdx-error) for anything that is not one."""
    if exchange.is_cut:
        raise _unusable(tr("is too large for a list of captures"))
    try:
        table = _table().validate_python(
            json.loads(exchange.content(max_bytes=_ANSWER_MAX_BYTES)), strict=True
        )
    except ValidationError as error:
        raise _unusable(tr("is not a text table")) from error
    except (ValueError, RecursionError) as error:
        raise _unusable(
            tr("is not JSON but {mimetype}", mimetype=exchange.mimetype or tr("something else"))
        ) from error
    if not table:
        return []
    if len(table) > _ROWS_MAX:
        raise _unusable(tr("lists more captures than one answer can hold; the newest are missing"))
    columns, *rows = table
    if any(name not in columns for name in _COLUMNS):
        raise _unusable(tr("lacks one of the columns {columns}", columns=", ".join(_COLUMNS)))
    if any(len(row) != len(columns) for row in rows):
        raise _unusable(tr("has rows of different lengths"))
    return [_row(dict(zip(columns, row, strict=True))) for row in rows]


@cache
def _table() -> TypeAdapter[list[list[str]]]:
    return TypeAdapter(list[list[str]])


def _row(fields: dict[str, str]) -> IndexRow:
    timestamp, code = fields["timestamp"], fields["statuscode"]
    if not _TIMESTAMP.fullmatch(timestamp):
        raise _unusable(tr("dates a capture “{timestamp}”", timestamp=timestamp[:20]))
    return IndexRow(
        timestamp=timestamp,
        url=fields["original"],
        mimetype=fields["mimetype"],
        status_code=int(code) if re.fullmatch(r"\d{3}", code, re.ASCII) else None,
        sha1=_sha1(fields["digest"]),
    )


def _sha1(digest: str) -> str | None:
    """Return a digest of the index as hex; None for another algorithm and for “error”."""
    bare = digest.removeprefix("sha1:")
    return base64.b32decode(bare).hex() if _SHA1_BASE32.fullmatch(bare) else None


def _unusable(fault: str) -> IngestStop:
    message = tr("The answer of the Wayback Machine's index {fault}.", fault=fault)
    return IngestStop(Status.CDX_ERROR, message, may_repeat=False)


def _address(url: str) -> tuple[str, ...]:
    try:
        parts = urlsplit(urldefrag(url).url)
        port = parts.port
    except ValueError:
        return (url,)
    shown_port = "" if port in (None, 80, 443) else str(port)
    host = (parts.hostname or "").rstrip(".")
    return host, shown_port, unquote(parts.path or "/"), unquote(parts.query)
