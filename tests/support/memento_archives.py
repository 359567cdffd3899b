# SPDX-License-Identifier: AGPL-3.0-or-later
"""Stand-ins for web archives on loopback: TimeMaps, TimeGates, CDX servers, replay, good and bad.

`StandIn` answers each path as it is told (`on`). `hold` lets it be an archive: what it holds is at
`/timemap/link/URL`, `/timegate/URL`, `/web/<timestamp>id_/URL` and, as pywb and the Wayback Machine
do, at `/cdx` and `/ia-cdx`. The functions below are the answers of those that are not well.

Nothing here lasts longer than the stand-in: who is slow or drips wakes up when it is closed.
"""

import contextlib
import gzip
import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import parse_qs, urlsplit

from carrel.model.surt import surt

_WORDS = {200: "OK", 302: "Found", 404: "Not Found", 429: "Too Many Requests"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that arrived. `target` is its path with the query, as sent."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> Mapping[str, str]:
        found = parse_qs(urlsplit(self.target).query, keep_blank_values=True)
        return {name: values[0] for name, values in found.items()}


@dataclass(frozen=True, slots=True)
class Said:
    """An answer. `body` may be pieces, made when they are sent; it has no length then."""

    status: int = 200
    body: bytes | Callable[["StandIn"], Iterable[bytes]] = b""
    headers: Mapping[str, str] = field(default_factory=dict)


Answerer = Callable[[Asked], Said]


@dataclass(frozen=True, slots=True)
class Held:
    """A capture that a stand-in holds."""

    url: str
    timestamp: str
    body: bytes = b"a capture"
    status: int = 200
    mimetype: str = "text/html"
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def date(self) -> str:
        return http_date(self.timestamp)

    @property
    def fields(self) -> dict[str, str]:
        return {"url": self.url, "mime": self.mimetype, "status": str(self.status)}


class StandIn:
    """An archive on a free port of 127.0.0.1 while the context lasts.

    `page_size` splits its TimeMap into an index of pages with so many mementos each; 0 for one.
    """

    def __init__(self, page_size: int = 0) -> None:
        self.page_size = page_size
        self.held: list[Held] = []
        self.closing = threading.Event()
        self.connections: set[socket.socket] = set()
        self._answers: list[tuple[str, Answerer]] = []
        self._asked: list[Asked] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._server.daemon_threads, self._server.block_on_close = False, True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def asked(self) -> list[Asked]:
        """What was asked, in order; each is there before it is answered."""
        with self._lock:
            return list(self._asked)

    def targets(self, start: str = "/") -> list[str]:
        return [asked.target for asked in self.asked if asked.target.startswith(start)]

    def hold(self, url: str, *timestamps: str, body: bytes = b"a capture") -> None:
        self.held += [Held(url, timestamp, body) for timestamp in timestamps]

    def on(self, start: str, *said: Said | Answerer) -> str:
        """Answer every path that begins so, and return its address.

        Of several answers each is given once, the last one for ever.
        """
        left = list(said)

        def answer(asked: Asked) -> Said:
            now = left.pop(0) if len(left) > 1 else left[0]
            return now if isinstance(now, Said) else now(asked)

        self._answers.append((start, answer))
        return self.origin + start

    def answer(self, asked: Asked) -> Said:
        with self._lock:
            self._asked.append(asked)
            answers = [each for start, each in self._answers if asked.target.startswith(start)]
            answers += [each for start, each in self._own() if asked.target.startswith(start)]
            return answers[0](asked) if answers else page(404)

    def __enter__(self) -> "StandIn":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        for connection in list(self.connections):
            with contextlib.suppress(OSError):  # gone already
                connection.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._server.server_close()

    def _own(self) -> list[tuple[str, Answerer]]:
        return [
            ("/timemap/link/", self._timemap),
            ("/timegate/", self._timegate),
            ("/web/", self._replay),
            ("/cdx?", self._cdxj),
            ("/ia-cdx?", self._ia_cdx),
        ]

    def captures_of(self, url: str) -> list[Held]:
        found = [held for held in self.held if surt(held.url) == surt(url)]
        return sorted(found, key=lambda held: held.timestamp)

    def _timemap(self, asked: Asked) -> Said:
        url = asked.target.removeprefix("/timemap/link/")
        page_at, _, rest = url.partition("/")
        number = int(page_at) if page_at.isdigit() else None
        url = rest if number is not None else url
        captures = self.captures_of(url)
        if not captures:
            return page(404)
        if self.page_size and number is None:
            return timemap(f'<{url}>; rel="original"', *self._pages(url, len(captures)))
        if number is not None:
            captures = captures[number * self.page_size : (number + 1) * self.page_size]
        return timemap(f'<{url}>; rel="original"', *map(self.memento, captures))

    def _pages(self, url: str, count: int) -> Iterator[str]:
        captures = self.captures_of(url)
        for start in range(0, count, self.page_size):
            inside = captures[start : start + self.page_size]
            place = f"{self.origin}/timemap/link/{start // self.page_size}/{url}"
            span = f'from="{inside[0].date}"; until="{inside[-1].date}"'
            yield f'<{place}>; rel="timemap"; type="application/link-format"; {span}'

    def memento(self, held: Held) -> str:
        """Return the link to a capture, as TimeMaps have it."""
        place = f"{self.origin}/web/{held.timestamp}/{held.url}"
        return f'<{place}>; rel="memento"; datetime="{held.date}"'

    def _timegate(self, asked: Asked) -> Said:
        captures = self.captures_of(asked.target.removeprefix("/timegate/"))
        if not captures:
            return page(404)
        wanted = asked.headers.get("accept-datetime")
        best = min(captures, key=lambda held: _apart(held, wanted)) if wanted else captures[-1]
        links = [f'<{best.url}>; rel="original"', self.memento(best)]
        place = f"{self.origin}/web/{best.timestamp}/{best.url}"
        return Said(
            302, b"", {"Location": place, "Link": ", ".join(links), "Vary": "accept-datetime"}
        )

    def _replay(self, asked: Asked) -> Said:
        moment, _, url = asked.target.removeprefix("/web/").partition("/")
        timestamp = moment[:14]
        found = [each for each in self.captures_of(url) if each.timestamp == timestamp]
        if not found:
            return page(404)
        held = found[0]
        headers = {
            "Content-Type": held.mimetype,
            "Memento-Datetime": held.date,
            "Link": f'<{held.url}>; rel="original"',
            **held.headers,
        }
        return Said(held.status, held.body, headers)

    def _cdxj(self, asked: Asked) -> Said:
        captures = self.captures_of(asked.query.get("url", ""))
        return Said(200, b"".join(map(cdxj_line, captures)), {"Content-Type": "text/x-cdxj"})

    def _ia_cdx(self, asked: Asked) -> Said:
        """Answer as the Wayback Machine does: seven columns, the oldest first, no `closest`."""
        query = asked.query
        captures = [
            each
            for each in self.captures_of(query.get("url", ""))
            if each.timestamp >= query.get("from", "") and each.timestamp <= query.get("to", "9")
        ]
        limit = int(query.get("limit", "150000"))
        kept = captures[limit:] if limit < 0 else captures[:limit]
        return Said(200, b"".join(map(cdx_line, kept)), {"Content-Type": "text/plain"})


def http_date(timestamp: str) -> str:
    moment = datetime.strptime(timestamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    return format_datetime(moment, usegmt=True)


def timemap(*links: str, media_type: str = "application/link-format") -> Said:
    return Said(200, ",\n".join(links).encode(), {"Content-Type": media_type})


def cdxj_line(held: Held) -> bytes:
    return f"{surt(held.url)} {held.timestamp} {json.dumps(held.fields)}\n".encode()


def cdx_line(held: Held) -> bytes:
    columns = (
        surt(held.url),
        held.timestamp,
        held.url,
        held.mimetype,
        str(held.status),
        "-",
        "100",
    )
    return (" ".join(columns) + "\n").encode()


def page(status: int = 200, text: str = "Sorry") -> Said:
    """A page for people where a machine asked."""
    body = f"<!DOCTYPE html><html><h1>{text}</h1></html>".encode()
    return Said(status, body, {"Content-Type": "text/html"})


def text(body: str | bytes, media_type: str = "text/plain", status: int = 200) -> Said:
    raw = body.encode() if isinstance(body, str) else body
    return Said(status, raw, {"Content-Type": media_type})


def too_many(retry_after: str | None = None) -> Said:
    return Said(429, b"slow down", {"Retry-After": retry_after} if retry_after else {})


def redirect(location: str, status: int = 302, **headers: str) -> Said:
    return Said(status, b"", {"Location": location, **headers})


def silent() -> Answerer:
    """Take the question and say nothing until the stand-in is closed."""

    return lambda asked: Said(200, _nothing)


def dripping(byte: bytes = b" ") -> Said:
    """One byte now and then, without an end."""

    def drips(stand_in: StandIn) -> Iterator[bytes]:
        while not stand_in.closing.wait(0.02):
            yield byte

    return Said(200, drips)


def endless(piece: bytes) -> Said:
    """The same bytes again and again, as fast as they are taken."""

    def pieces(stand_in: StandIn) -> Iterator[bytes]:
        while not stand_in.closing.is_set():
            yield piece

    return Said(200, pieces)


def bomb(size: int) -> Said:
    """So many zeroes in a small gzip body."""
    return Said(200, gzip.compress(bytes(size)), {"Content-Encoding": "gzip"})


def cut_short(body: bytes, announced: int) -> Said:
    return Said(200, body, {"Content-Length": str(announced), "Connection": "close"})


def dead_origin() -> str:
    """Return an address at which nobody listens."""
    with StandIn() as gone:
        return gone.origin


def _nothing(stand_in: StandIn) -> Iterator[bytes]:
    stand_in.closing.wait()
    yield b""


def _apart(held: Held, wanted: str) -> float:
    moment = datetime.strptime(wanted, "%a, %d %b %Y %H:%M:%S GMT").replace(tzinfo=UTC)
    own = datetime.strptime(held.timestamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    return abs((own - moment).total_seconds())


def _handler_for(stand_in: StandIn) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body leave together: else the second waits for an acknowledgement.
        wbufsize = -1

        def setup(self) -> None:
            super().setup()
            stand_in.connections.add(self.connection)

        def handle(self) -> None:
            with contextlib.suppress(OSError):  # the client hung up, which it may
                super().handle()

        def finish(self) -> None:
            stand_in.connections.discard(self.connection)
            with contextlib.suppress(OSError):
                super().finish()

        def answer(self) -> None:
            length = int(self.headers.get("Content-Length", "0"))
            names = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, self.path, names, self.rfile.read(length))
            self._send(stand_in.answer(asked))

        do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_PATCH = answer

        def _send(self, said: Said) -> None:
            if isinstance(said.body, bytes):
                self._head(said, {"Content-Length": str(len(said.body)), **said.headers})
                if self.command != "HEAD":
                    self.wfile.write(said.body)
                self.close_connection |= said.headers.get("Connection") == "close"
                return
            pieces = iter(said.body(stand_in))
            first = next(pieces, b"")
            self._head(said, {"Connection": "close", **said.headers})
            self.wfile.write(first)
            for piece in pieces:
                self.wfile.flush()
                self.wfile.write(piece)
            self.close_connection = True

        def _head(self, said: Said, headers: Mapping[str, str]) -> None:
            self.send_response_only(said.status, _WORDS.get(said.status, "Something"))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

    return Handler
