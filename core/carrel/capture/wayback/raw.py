# SPDX-License-Identifier: AGPL-3.0-or-later
"""Raw captures: the bytes as they were captured, read once and hashed, never held whole.

What the Wayback Machine gives back counts only if it is the capture that was requested: it likes to
send visitors to another time, and its error pages look like any page. A memento names its time in
`Memento-Datetime` (RFC 7089, 2.1.1).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin, urlsplit

from carrel.capture.arrival import Fetched
from carrel.capture.client import Client, Response
from carrel.capture.decoded import Decoded
from carrel.capture.digests import Digester, algorithms_for
from carrel.capture.exchange import Exchange
from carrel.capture.hops import location_of
from carrel.capture.wayback.index import IndexRow, is_same_address
from carrel.capture.wayback.pauses import Waiting
from carrel.errors import IngestStop
from carrel.hosts.retry import retry_after_s
from carrel.model import Fixity, Status
from carrel.model.http_date import moment_of
from carrel.translation import tr

Watch = Callable[[int, int | None], None]

_MEMENTO = re.compile(r"/web/(\d{14})[a-z_]*/(.+)", re.ASCII | re.DOTALL)
_STRICT_HOST = "web.archive.org"
_MAX_HOPS = 3
_SLACK_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Onward:
    """A capture of a redirect: what was requested led to `url` at that time."""

    url: str


class RawCaptures:
    """Reads captures at `origin`. `most_bytes` bounds those whose size no one published."""

    def __init__(self, client: Client, origin: str, waiting: Waiting, most_bytes: int) -> None:
        self._client, self._origin, self._waiting = client, origin, waiting
        self._most_bytes = most_bytes

    def address(self, timestamp: str, url: str) -> str:
        """Return where the raw capture of an address is."""
        return f"{self._origin}/web/{timestamp}id_/{urldefrag(url).url}"

    def read(self, row: IndexRow, expected: Fixity, watch: Watch) -> Fetched | Onward:
        """Return what a capture holds, its bytes hashed and gone, or where it leads.

        `watch` is told bytes received and the announced length; 0 bytes for each new try. Blocks.
        Raises IngestStop (wayback-error; terminal-bad-status for a captured error page;
        mismatch-size, too-large-size as soon as that is certain) and Cancelled.
        """
        return self._waiting.persist(lambda: self._read_once(row, expected, watch))

    def _read_once(self, row: IndexRow, expected: Fixity, watch: Watch) -> Fetched | Onward:
        address = self.address(row.timestamp, row.url)
        is_cancelled = self._waiting.is_cancelled
        try:
            for _ in range(_MAX_HOPS):
                with self._client.open(address, is_cancelled=is_cancelled) as response:
                    exchange = response.exchange
                    if not exchange.is_redirect:
                        self._refuse_unless_payload(exchange, row)
                        return self._receive(response, expected, watch)
                following = self._following(exchange, row)
                if isinstance(following, Onward):
                    return following
                address = following
        except IngestStop as stop:
            raise _as_wayback_error(stop) from stop
        raise _not_it(row, tr("leads in a circle"))

    def _following(self, exchange: Exchange, row: IndexRow) -> Onward | str:
        """Return where a redirect leads: one that was captured, or one of the archive's own."""
        timestamp, url = self._place(exchange)
        if _proves(exchange, row) or not (self._is_strict or is_same_address(url, row.url)):
            return Onward(url)
        if timestamp != row.timestamp or not is_same_address(url, row.url):
            raise _not_it(
                row,
                tr(
                    "does not exist: only one of {timestamp} does",
                    timestamp=timestamp or tr("no time"),
                ),
            )
        return self.address(timestamp, url)

    def _place(self, exchange: Exchange) -> tuple[str | None, str]:
        """Return the time and the original address that a redirect names."""
        location = location_of(exchange)
        try:
            target = urljoin(exchange.url, location)
            is_own = urlsplit(target).netloc == urlsplit(self._origin).netloc
        except ValueError:
            return None, location
        found = _MEMENTO.fullmatch(target[len(self._origin) :]) if is_own else None
        return (found[1], found[2]) if found else (None, target)

    def _refuse_unless_payload(self, exchange: Exchange, row: IndexRow) -> None:
        """Raise IngestStop unless this is the capture that was requested, of a 200."""
        code, is_proven = exchange.status_code, _proves(exchange, row)
        if code == 200 and (is_proven or not (self._is_strict or _names_time(exchange))):
            return
        if code != 200 and is_proven:
            message = tr(
                "The capture of {timestamp} is of an error, HTTP {code}.",
                timestamp=row.timestamp,
                code=code,
            )
            raise IngestStop(Status.TERMINAL_BAD_STATUS, message, may_repeat=False)
        wait_s = retry_after_s(exchange.headers.get("retry-after"))
        if code == 200:
            raise _not_it(row, tr("cannot be confirmed for that time"))
        message = tr(
            "The Wayback Machine answered with HTTP {code} for the capture {timestamp}.",
            code=code,
            timestamp=row.timestamp,
        )
        # What was captured a moment ago may be a 404 at first.
        raise IngestStop(Status.WAYBACK_ERROR, message, may_repeat=True, retry_after_s=wait_s)

    def _receive(self, response: Response, expected: Fixity, watch: Watch) -> Fetched:
        most_bytes = self._most_bytes if expected.size is None else expected.size * 2 + _SLACK_BYTES
        _refuse_other_size(response, expected)
        digester = Digester(algorithms_for(expected.digests))
        decoded = Decoded.of(response.exchange.content_coding, expected.digests)
        received = 0
        try:
            watch(0, response.length)
            for block in response.blocks():
                received += len(block)
                if received > most_bytes:
                    raise _too_large(expected, most_bytes)
                digester.feed(block)
                decoded.feed(block)
                watch(received, response.length)
            return Fetched((), response.exchange, digester.fixity(), decoded.fixity())
        finally:
            digester.close()
            decoded.close()

    @property
    def _is_strict(self) -> bool:
        """Whether this host always says when a capture was made, so that silence is refusal."""
        return urlsplit(self._origin).hostname == _STRICT_HOST


def _names_time(exchange: Exchange) -> bool:
    return "memento-datetime" in exchange.headers


def _proves(exchange: Exchange, row: IndexRow) -> bool:
    """Say whether an answer is a capture of that very time."""
    named = exchange.headers.get("memento-datetime")
    if named is None:
        return "x-archive-src" in exchange.headers
    moment = moment_of(named)
    return moment is not None and moment.strftime("%Y%m%d%H%M%S") == row.timestamp


def _refuse_other_size(response: Response, expected: Fixity) -> None:
    """Raise IngestStop where the announced length alone shows that these are other bytes."""
    length = response.length
    if response.exchange.content_coding or None in (length, expected.size):
        return
    if length != expected.size:
        message = tr(
            "It has {length} bytes, but {size} were published.", length=length, size=expected.size
        )
        raise IngestStop(Status.MISMATCH_SIZE, message, may_repeat=False)


def _too_large(expected: Fixity, most_bytes: int) -> IngestStop:
    if expected.size is None:
        message = tr(
            "The capture is larger than the limit of {most_bytes:,} bytes.", most_bytes=most_bytes
        )
        return IngestStop(Status.TOO_LARGE_SIZE, message)
    message = tr(
        "It is far larger than the {size:,} bytes that were published.", size=expected.size
    )
    return IngestStop(Status.MISMATCH_SIZE, message, may_repeat=False)


def _not_it(row: IndexRow, fault: str) -> IngestStop:
    message = tr("The capture of {timestamp} {fault}.", timestamp=row.timestamp, fault=fault)
    return IngestStop(Status.WAYBACK_ERROR, message, may_repeat=False)


_OWN = frozenset(
    {
        Status.WAYBACK_ERROR,
        Status.TERMINAL_BAD_STATUS,
        Status.MISMATCH_SIZE,
        Status.TOO_LARGE_SIZE,
    }
)


def _as_wayback_error(stop: IngestStop) -> IngestStop:
    """Return the failure in this service's own word, so that it is not taken for the platform's."""
    if stop.status in _OWN:
        return stop
    return IngestStop(
        Status.WAYBACK_ERROR,
        tr("The capture cannot be read back: {stop}", stop=stop),
        may_repeat=stop.may_repeat,
        retry_after_s=stop.retry_after_s,
    )
