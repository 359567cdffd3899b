# SPDX-License-Identifier: AGPL-3.0-or-later
"""Loopback proxies that lead on: by CONNECT, or by SOCKS 5, with a password or without."""

import base64
import contextlib
import socket
import ssl
import struct
import threading
from typing import BinaryIO

from support.listening import Listening

_SOCKS = 5
_BY_PASSWORD = 2
_REFUSED = 255


class LeadingProxy(Listening):
    """Leads to whatever is asked for while the context lasts, if `password` is known.

    `answer` is what CONNECT is answered with.
    """

    def __init__(
        self,
        *,
        is_socks: bool = False,
        password: str = "",
        tls: ssl.SSLContext | None = None,
        answer: bytes = b"HTTP/1.1 200 Connection established\r\n\r\n",
        reply_code: int = 0,
    ) -> None:
        super().__init__(tls)
        self._is_socks, self._password = is_socks, password
        self._answer, self._reply_code = answer, reply_code
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        scheme = "socks5" if self._is_socks else "https" if self._tls else "http"
        login = f"joe:{self._password}@" if self._password else ""
        return f"{scheme}://{login}127.0.0.1:{self.port}"

    def talk(self, connection: socket.socket) -> None:
        """Lead to where it is asked to."""
        with connection.makefile("rb") as reader:
            end = (self._by_socks if self._is_socks else self._by_connect)(connection, reader)
            if end is not None:
                self._relay(connection, end)

    def _by_connect(self, connection: socket.socket, reader: BinaryIO) -> tuple[str, int] | None:
        lines = list(iter(lambda: _line(reader), b""))
        target = lines[0].split()[1].decode()
        self.asked.append(target)
        login = base64.b64encode(f"joe:{self._password}".encode())
        if self._password and b"Proxy-Authorization: Basic " + login not in lines:
            connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
            return None
        connection.sendall(self._answer)
        host, _, port = target.rpartition(":")
        return (host, int(port)) if b" 200 " in self._answer else None

    def _by_socks(self, connection: socket.socket, reader: BinaryIO) -> tuple[str, int] | None:
        _, count = reader.read(2)
        methods = reader.read(count)
        method = _BY_PASSWORD if self._password else 0
        connection.sendall(bytes((_SOCKS, method if method in methods else _REFUSED)))
        if method not in methods:
            return None
        if self._password:
            _, length = reader.read(2)
            name = reader.read(length)
            secret = reader.read(reader.read(1)[0])
            is_known = (name, secret) == (b"joe", self._password.encode())
            connection.sendall(bytes((1, 0 if is_known else 1)))
            if not is_known:
                return None
        _, _, _, kind = reader.read(4)
        host = reader.read(reader.read(1)[0]).decode() if kind == 3 else _numbers(reader, kind)
        (port,) = struct.unpack("!H", reader.read(2))
        self.asked.append(f"{host}:{port}")
        for byte in (_SOCKS, self._reply_code, 0, 1, 0, 0, 0, 0, 0, 0):
            connection.sendall(bytes([byte]))  # nobody promises that it comes in one piece
        return (host, port) if not self._reply_code else None

    def _relay(self, connection: socket.socket, end: tuple[str, int]) -> None:
        """Lead to `end`; names lead to this machine, where nobody is looked up."""
        with socket.create_connection(("127.0.0.1", end[1])) as server:
            self.keep(server)
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
