# SPDX-License-Identifier: AGPL-3.0-or-later
"""Loopback proxies that lead on: by CONNECT, or by SOCKS 5, with a password or without."""

import base64
import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import BinaryIO

_SOCKS = 5
_BY_PASSWORD = 2
_REFUSED = 255


@dataclass
class LeadingProxy:
    """Leads to whatever is asked for while the context lasts, if `password` is known.

    With `tls` it is itself spoken to by TLS. `answer` is what CONNECT is answered with.
    """

    is_socks: bool = False
    password: str = ""
    tls: ssl.SSLContext | None = None
    answer: bytes = b"HTTP/1.1 200 Connection established\r\n\r\n"
    reply_code: int = 0
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._open: list[socket.socket] = [self._listener]

    @property
    def address(self) -> str:
        scheme = "socks5" if self.is_socks else "https" if self.tls else "http"
        login = f"joe:{self.password}@" if self.password else ""
        return f"{scheme}://{login}127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> "LeadingProxy":
        self._start(self._accept)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        for each in list(self._open):
            with contextlib.suppress(OSError):  # gone already
                each.shutdown(socket.SHUT_RDWR)
        for thread in list(self._threads):
            thread.join()
        self._listener.close()

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, name="proxy", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            if self.tls is not None:
                connection = self.tls.wrap_socket(connection, server_side=True)
            with connection, connection.makefile("rb") as reader:
                end = (self._by_socks if self.is_socks else self._by_connect)(connection, reader)
                if end is not None:
                    self._relay(connection, end)

    def _by_connect(self, connection: socket.socket, reader: BinaryIO) -> tuple[str, int] | None:
        lines = list(iter(lambda: _line(reader), b""))
        target = lines[0].split()[1].decode()
        self.asked.append(target)
        login = base64.b64encode(f"joe:{self.password}".encode())
        if self.password and b"Proxy-Authorization: Basic " + login not in lines:
            connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
            return None
        connection.sendall(self.answer)
        host, _, port = target.rpartition(":")
        return (host, int(port)) if b" 200 " in self.answer else None

    def _by_socks(self, connection: socket.socket, reader: BinaryIO) -> tuple[str, int] | None:
        _, count = reader.read(2)
        methods = reader.read(count)
        method = _BY_PASSWORD if self.password else 0
        connection.sendall(bytes((_SOCKS, method if method in methods else _REFUSED)))
        if method not in methods:
            return None
        if self.password:
            _, length = reader.read(2)
            name = reader.read(length)
            secret = reader.read(reader.read(1)[0])
            is_known = (name, secret) == (b"joe", self.password.encode())
            connection.sendall(bytes((1, 0 if is_known else 1)))
            if not is_known:
                return None
        _, _, _, kind = reader.read(4)
        host = reader.read(reader.read(1)[0]).decode() if kind == 3 else _numbers(reader, kind)
        (port,) = struct.unpack("!H", reader.read(2))
        self.asked.append(f"{host}:{port}")
        for byte in (_SOCKS, self.reply_code, 0, 1, 0, 0, 0, 0, 0, 0):
            connection.sendall(bytes([byte]))  # nobody promises that it comes in one piece
        return (host, port) if not self.reply_code else None

    def _relay(self, connection: socket.socket, end: tuple[str, int]) -> None:
        """Lead to `end`; names lead to this machine, where nobody is looked up."""
        with socket.create_connection(("127.0.0.1", end[1])) as server:
            self._open.append(server)
            back = threading.Thread(target=_pump, args=(server, connection), daemon=True)
            back.start()
            _pump(connection, server)
            back.join()


def _line(reader: BinaryIO) -> bytes:
    return reader.readline().strip()


def _numbers(reader: BinaryIO, kind: int) -> str:
    family, size = (socket.AF_INET, 4) if kind == 1 else (socket.AF_INET6, 16)
    return socket.inet_ntop(family, reader.read(size))


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
