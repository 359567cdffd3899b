# SPDX-License-Identifier: AGPL-3.0-or-later
"""Real HTTP/1.1 with keep-alive, on loopback only. What is answered is the responder's."""

import logging
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

from carrel.demo.answer import Answer, Payload, html_answer
from carrel.demo.delivery import Sending, sending

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SeenRequest:
    """A request that arrived. `target` is path and query as they were sent, `agent` who asked."""

    method: str
    target: str
    byte_range: str | None = None
    agent: str = field(default="", compare=False)


class Responder(Protocol):
    """Whoever knows the answers. `slow_s` is how long a slow payload takes, in seconds."""

    slow_s: float

    def answer(self, seen: SeenRequest) -> Answer: ...


class LoopbackServer(ThreadingHTTPServer):
    """A threading server on 127.0.0.1 that knows its connections, so that it can end them."""

    request_queue_size = 128

    def __init__(self, port: int, responder: Responder) -> None:
        self.responder = responder
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._connections: set[Any] = set()
        self._handlers: list[threading.Thread] = []
        super().__init__(("127.0.0.1", port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a connection on a thread of its own; it never keeps the process from ending."""
        thread = threading.Thread(
            target=self.process_request_thread, args=(request, client_address), daemon=True
        )
        self._handlers = [each for each in self._handlers if each.is_alive()]
        self._handlers.append(thread)
        with self._lock:
            self._connections.add(request)
        thread.start()

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._connections.discard(request)
        super().shutdown_request(request)

    def close(self) -> None:
        """Close every connection, wait for their threads, and give the port back.

        `serve_forever` must have ended before.
        """
        self.closing.set()
        with self._lock:
            for connection in self._connections:
                _interrupt(connection)
        for thread in self._handlers:
            thread.join()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that hangs up in the middle is no fault of the server's.
        if isinstance(sys.exc_info()[1], ConnectionError):
            log.debug("%s hung up", client_address)
        else:
            super().handle_error(request, client_address)


def _interrupt(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError as error:
        log.debug("already disconnected: %s", error)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "CarrelDemo"
    sys_version = ""
    disable_nagle_algorithm = True
    server: LoopbackServer

    def do_GET(self) -> None:
        self._respond()

    def do_HEAD(self) -> None:
        self._respond()

    def log_message(self, format: str, *args: Any) -> None:
        log.debug(format, *args)

    def _respond(self) -> None:
        port = self.server.server_port
        # No page of another site may reach us by pointing a name of its own to loopback.
        if self.headers.get("Host") not in (f"127.0.0.1:{port}", f"localhost:{port}"):
            self._send(html_answer("<h1>This host name is not served here</h1>", 421))
            return
        byte_range, agent = self.headers.get("Range"), self.headers.get("User-Agent", "")
        seen = SeenRequest(self.command, self.path, byte_range, agent)
        answer = self.server.responder.answer(seen)
        if answer.payload:
            self._send_payload(answer.payload)
        else:
            self._send(answer)

    def _send(self, answer: Answer) -> None:
        self._send_head(answer.status, (*answer.headers, ("Content-Length", str(len(answer.body)))))
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def _send_head(self, status: int, headers: Sequence[tuple[str, str]]) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()

    def _send_payload(self, payload: Payload) -> None:
        plan = sending(payload, self.headers.get("Range"), self.headers.get("If-Range"))
        self._send_head(plan.status, plan.headers)
        if self.command != "HEAD":
            self._send_pieces(plan, self._write_chunk if plan.is_chunked else self.wfile.write)

    def _send_pieces(self, plan: Sending, write: Callable[[bytes], Any]) -> None:
        for piece in plan.pieces(self.server.responder.slow_s, self.server.closing):
            write(piece)
        if plan.is_chunked:
            self.wfile.write(b"0\r\n\r\n")
        if plan.breaks_off:
            self.close_connection = True

    def _write_chunk(self, piece: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
