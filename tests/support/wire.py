# SPDX-License-Identifier: AGPL-3.0-or-later
"""A loopback server that sends exactly the bytes it is told to, right or wrong."""

import json
import socket
import ssl
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import trustme

from support.listening import Listening

Pieces = Callable[[], Iterable[bytes]]


class End(StrEnum):
    """What becomes of the connection when all pieces are sent."""

    KEEP = "keep"
    CLOSE = "close"  # also of TLS, without the goodbye that it has
    GOODBYE = "goodbye"  # of TLS
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class Reply:
    """Bytes for the wire, made anew for each request."""

    pieces: Pieces
    end: End = End.KEEP


@dataclass(frozen=True, slots=True)
class Seen:
    """A request that arrived; header names are in lower case."""

    target: str
    headers: Mapping[str, str]


def head(status: str, headers: Mapping[str, Any]) -> bytes:
    """Return a status line with headers; no value is checked."""
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def reply(body: bytes = b"", status: str = "200 OK", **headers: Any) -> Reply:
    """Return a well-formed answer. Underscores in header names become hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(lambda: [head(status, {"Content-Length": len(body), **named}) + body])


def redirect(location: str, status: str = "302 Found") -> Reply:
    return reply(b"moved", status, Location=location)


def html(body: str, status: str = "200 OK", **headers: Any) -> Reply:
    return reply(body.encode(), status, Content_Type="text/html; charset=utf-8", **headers)


def cut_off(body: bytes, *, announced: int, end: End = End.CLOSE) -> Reply:
    """Return an answer that promises more bytes than it sends."""
    return Reply(lambda: [head("200 OK", {"Content-Length": announced}), body], end)


def chunked(*chunks: bytes, is_ended: bool = True) -> Reply:
    def pieces() -> Iterable[bytes]:
        yield head("200 OK", {"Transfer-Encoding": "chunked"})
        for chunk in chunks:
            yield b"%x\r\n%b\r\n" % (len(chunk), chunk)
        if is_ended:
            yield b"0\r\n\r\n"

    return Reply(pieces, End.KEEP if is_ended else End.CLOSE)


def raw(*pieces: bytes, end: End = End.CLOSE) -> Reply:
    return Reply(lambda: pieces, end)


def certified(authority: trustme.CA, *names: str) -> ssl.SSLContext:
    """Return what serves these names by TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    return context


class WireServer(Listening):
    """Answers from a table of targets on 127.0.0.1 while the context lasts.

    Of several replies to one target each is given once, the last one for ever. What is not in the
    table is a 404. With `tls` it speaks HTTPS.
    """

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls)
        self._replies: dict[str, list[Reply]] = {}
        self._seen: list[Seen] = []

    @property
    def origin(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}"

    @property
    def seen(self) -> list[Seen]:
        with self._lock:
            return list(self._seen)

    def times_asked(self, target: str) -> int:
        return [seen.target for seen in self.seen].count(target)

    def serve(self, target: str, *replies: Reply) -> str:
        """Set what is answered to a target and return its address."""
        with self._lock:
            self._replies[target] = list(replies)
        return self.origin + target

    def talk(self, connection: socket.socket) -> None:
        """Answer one request after the other."""
        with connection.makefile("rb") as reader:
            while (seen := _request(reader)) is not None:
                answer = self._reply_to(seen)
                for piece in answer.pieces():
                    connection.sendall(piece)
                if answer.end is End.RESET:
                    linger = struct.pack("ii", 1, 0)
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                if answer.end is End.GOODBYE and isinstance(connection, ssl.SSLSocket):
                    connection.unwrap()
                if answer.end is not End.KEEP:
                    return

    def _reply_to(self, seen: Seen) -> Reply:
        with self._lock:
            self._seen.append(seen)
            replies = self._replies.get(seen.target, [])
            if not replies:
                return html("<h1>Not found</h1>", "404 Not Found")
            return replies.pop(0) if len(replies) > 1 else replies[0]


def _request(reader: Any) -> Seen | None:
    first = reader.readline().split()
    if len(first) != 3:
        return None
    headers = {}
    while (line := reader.readline().strip()) != b"":
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    return Seen(first[1].decode(), headers)


def dataset_page(
    server: WireServer, files: Sequence[Mapping[str, Any]], at: str = "/dataset", **fields: Any
) -> str:
    """Serve a page that describes a dataset by JSON-LD and return its address."""
    block = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": "Soundings",
        "identifier": "https://doi.org/10.5072/soundings",
        "distribution": [{"@type": "DataDownload", **file} for file in files],
        **fields,
    }
    script = f'<script type="application/ld+json">{json.dumps(block)}</script>'
    return server.serve(at, html(f"<html><title>Soundings</title>{script}</html>"))
