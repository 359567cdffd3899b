# SPDX-License-Identifier: AGPL-3.0-or-later
"""Places where records are loaded from: a web server with WARCs on it, a web that is live, an index
for originals of revisits; and loading itself, in one call."""

import asyncio
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

from carrel.mementos.config.collection import ResourceConfig
from carrel.mementos.loading.loader import Loader
from carrel.mementos.loading.record import Fields, ResourceRequest
from carrel.mementos.loading.timeouts import Timeouts
from carrel.mementos.throttle import ArchiveThrottle
from carrel.mementos.web import Web
from carrel.model import Memento, SourceType
from carrel.model.surt import surt
from carrel.settings import Network
from support.warcs import TIMESTAMP, Made, write_warc

URL = "http://example.org/page"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A record that was read to its end; `warc` is all of it as a WARC has it."""

    fields: Fields
    http_head: bytes
    payload: bytes
    warc: bytes

    def field(self, name: str) -> str:
        return next((value for key, value in self.fields if key == name), "")

    def http(self, name: str) -> list[str]:
        """Return the values of an HTTP header."""
        lines = self.http_head.decode().split("\r\n")[1:]
        pairs = [line.partition(": ") for line in lines]
        return [value for key, _, value in pairs if key.lower() == name.lower()]


@dataclass(slots=True)
class Rows:
    """An index to ask for originals."""

    rows: Sequence[Memento] = ()
    asked: list[tuple[str, ...]] = field(default_factory=list)

    async def captures_of(self, url: str, timestamp: str) -> Sequence[Memento]:
        self.asked.append((url, timestamp))
        return [row for row in self.rows if row.urlkey == surt(url)]

    async def with_digest(self, digest: str) -> Sequence[Memento]:
        self.asked.append((digest,))
        return [row for row in self.rows if row.digest == digest and not row.is_revisit]


def load(
    row: Memento,
    *resources: ResourceConfig,
    find: Rows | None = None,
    request: ResourceRequest | None = None,
    timeouts: Timeouts | None = None,
    may_reach_private: bool = False,
    failed: dict[str, str] | None = None,
) -> Loaded:
    """Load the record of a row and read it. Raises NotLoaded."""

    async def run() -> Loaded:
        web = Web(Network(), ArchiveThrottle())
        loader = Loader(
            web,
            resources,
            find=find or Rows(),
            may_reach_private=may_reach_private,
            timeouts=timeouts or Timeouts(),
        )
        try:
            record = await loader.load(row, request or ResourceRequest(), failed=failed)
        finally:
            await web.close()
        try:
            block = b"".join(record.block())
        finally:
            record.close()
        payload = block[len(record.http_head) :]
        assert len(payload) == record.payload_length
        record.payload = iter([payload])
        warc = b"".join(record.to_warc())
        return Loaded(record.fields, record.http_head, payload, warc)

    return asyncio.run(run())


def row_in(
    path: Path, place: tuple[int, int], url: str = URL, timestamp: str = TIMESTAMP, **fields: str
) -> Memento:
    """Return the row of a record in a file; what is given as "" is left out."""
    named = {
        "url": url,
        "offset": str(place[0]),
        "length": str(place[1]),
        "filename": path.name,
        **fields,
    }
    return Memento(
        surt(url), timestamp, {name: value for name, value in named.items() if value}, "local"
    )


def stored(path: Path, made: Made, url: str = URL, **fields: str) -> Memento:
    """Write a WARC with one record and return its row."""
    return row_in(path, write_warc(path, made)[0], url, **fields)


def replayed(
    live_url: str,
    url: str = URL,
    timestamp: str = TIMESTAMP,
    source_type: SourceType = SourceType.MEMENTO,
) -> Memento:
    """Return a row of a capture that another archive replays."""
    fields = {"url": url, "live_url": live_url}
    return Memento(surt(url), timestamp, fields, "there", source_type)


def live(url: str) -> Memento:
    """Return the row of a page as it is now."""
    return Memento(surt(url), TIMESTAMP, {"url": url, "live_url": url}, "live", SourceType.LIVE)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that arrived; names of headers are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Told:
    """What is answered: headers as they are given, and a length if none is."""

    status: int = 200
    body: bytes = b""
    headers: Sequence[tuple[str, str]] = ()


class AnsweringServer:
    """Answers every request on 127.0.0.1 by asking `answer`, while the context lasts."""

    def __init__(self, answer: Callable[[Asked], Told]) -> None:
        self.asked: list[Asked] = []
        self._answer = answer
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), name="answering", daemon=True
        )

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def told(self, asked: Asked) -> Told:
        self.asked.append(asked)
        return self._answer(asked)

    def __enter__(self) -> "AnsweringServer":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def warc_store(folder: Path, *, knows_ranges: bool = True) -> AnsweringServer:
    """Return a web server with the files of a folder below /warcs/."""

    def answer(asked: Asked) -> Told:
        path = folder / asked.path.removeprefix("/warcs/")
        if not path.is_file():
            return Told(404, b"no such file")
        content = path.read_bytes()
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", asked.headers.get("range", ""))
        if wanted is None or not knows_ranges:
            return Told(200, content)
        start, last = int(wanted[1]), min(int(wanted[2] or len(content)), len(content) - 1)
        if start >= len(content):
            return Told(416, b"", [("Content-Range", f"bytes */{len(content)}")])
        given = f"bytes {start}-{last}/{len(content)}"
        return Told(206, content[start : last + 1], [("Content-Range", given)])

    return AnsweringServer(answer)


def _handler_for(server: AnsweringServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body leave together: else the second waits for an acknowledgement.
        wbufsize = -1

        def handle_one_request(self) -> None:
            self.raw_requestline = self.rfile.readline(65537)
            if not self.raw_requestline or not self.parse_request():
                self.close_connection = True
                return
            self._reply()

        def _reply(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            told = server.told(Asked(self.command, self.path, headers, body))
            self.send_response_only(told.status)
            for name, value in told.headers:
                self.send_header(name, value)
            if not any(name.lower() == "transfer-encoding" for name, _ in told.headers):
                self.send_header("Content-Length", str(len(told.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(told.body)
            self.wfile.flush()

    return Handler
