# SPDX-License-Identifier: AGPL-3.0-or-later
"""A replay server over captures in memory, a stranger to be reached by nobody, and a real browser.

It has the server's routes for looking and none of its look-ups, and keeps what a page asked for.
"""

import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from carrel.mementos.loading.record import Record
from carrel.mementos.server.replay import Looking, replayed
from carrel.mementos.server.replay_policy import Door, embedded_source
from carrel.mementos.server.rewriting import Links

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
MOMENT = datetime(2019, 5, 3, 12, 4, 5, tzinfo=UTC)
TIMESTAMP = "20190503120405"
_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars "
    "--disable-background-networking --disable-component-update --disable-sync"
)


def record(
    payload: bytes, content_type: str = "text/html", *more: str, status: int = 200
) -> Record:
    """Return an archived response as it is loaded; `more` are further lines of its head."""
    lines = [f"HTTP/1.1 {status} X", f"Content-Type: {content_type}", *more, "", ""]
    head = "\r\n".join(lines).encode("latin-1")
    return Record((), head, iter([payload]), len(payload))


@dataclass(slots=True)
class Site:
    """Captures by URL, and the paths that were asked for, here and of the stranger."""

    captures: Mapping[str, tuple[bytes, str]]
    origin: str = ""
    stranger: str = ""
    door: Door = field(default_factory=Door)
    asked: list[str] = field(default_factory=list)
    strangers_asked: list[str] = field(default_factory=list)

    def address(self, url: str) -> str:
        return f"{self.origin}/c/{TIMESTAMP}/{url}"

    def answer(self, path: str) -> tuple[int, list[tuple[str, str]], bytes]:
        self.asked.append(path)
        inner = self.door.behind(path)
        mark, _, url = (inner or path).removeprefix("/c/").partition("/")
        modifier = mark.removeprefix(TIMESTAMP)
        if url not in self.captures or (modifier and inner is None):
            return 404, [], b""
        links = Links("/c/", TIMESTAMP, url, self.door.prefix("/c/"))
        source = embedded_source(links, self.origin.removeprefix("http://"))
        looking = Looking(links, MOMENT, "here", source, modifier)
        status, headers, body = replayed(record(*self.captures[url]), url, looking)
        whole = body if isinstance(body, bytes) else b"".join(body)
        return status, [each for each in headers if each[0] != "Content-Length"], whole


@contextmanager
def served(captures: Mapping[str, tuple[bytes, str]]) -> Iterator[Site]:
    """Serve captures on a free port, and a stranger on another."""
    site = Site(captures)

    class Replay(_Quiet):
        def do_GET(self) -> None:
            self.reply(*site.answer(self.path))

    class Stranger(_Quiet):
        def do_GET(self) -> None:
            site.strangers_asked.append(self.path)
            self.reply(200, [("Access-Control-Allow-Origin", "*")], b"")

    with ExitStack() as stack:
        site.origin = stack.enter_context(_running(Replay))
        site.stranger = stack.enter_context(_running(Stranger))
        yield site


def browsed(address: str, folder: Path, *more: str) -> str:
    """Open an address in Chromium, and return what it told of itself."""
    assert CHROMIUM is not None
    command = [CHROMIUM, *_FLAGS.split(), f"--user-data-dir={folder}", "--enable-logging=stderr"]
    shot = ["--virtual-time-budget=3000", f"--screenshot={folder / 'shot.png'}", *more, address]
    done = subprocess.run(
        [*command, *shot], capture_output=True, text=True, timeout=120, check=False
    )
    return done.stderr


class _Quiet(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass

    def reply(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def _running(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
