# SPDX-License-Identifier: AGPL-3.0-or-later
"""What talks on each connection to a port of 127.0.0.1, in a thread of its own."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self


class Listening:
    """Listens while the context lasts; `talk` is for what is made of it. With `tls` it is spoken to
    by TLS."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self.connections = 0
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listener.getsockname()[1]

    def talk(self, connection: socket.socket) -> None:
        """Talk until the end. What it raises as an OSError is the other side's to raise."""
        raise NotImplementedError

    def keep(self, connection: socket.socket) -> None:
        """Have a connection end, at the latest, with the context."""
        with self._lock:
            self._open.add(connection)

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        with self._lock:
            for each in (self._listener, *self._open):
                with contextlib.suppress(OSError):  # never connected, or gone already
                    each.shutdown(socket.SHUT_RDWR)
        for thread in list(self._threads):
            thread.join()
        self._listener.close()

    def _start(self, work: Callable[..., None], *arguments: socket.socket) -> None:
        name = type(self).__name__
        thread = threading.Thread(target=work, args=arguments, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.keep(connection)
            self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        talking = connection
        try:
            if self._tls is not None:
                talking = self._tls.wrap_socket(connection, server_side=True)
            self.talk(talking)
        except OSError:
            pass  # the client hung up, which it may
        finally:
            with self._lock:
                self._open.discard(connection)
            talking.close()
            connection.close()
