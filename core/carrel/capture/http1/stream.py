# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bytes to a server and from it, in turns: no wait is so long that a wish to stop goes unheard."""

import socket
import ssl
import struct
import sys
from typing import Protocol

import httpcore

from carrel.capture.attentive import LOOK_UP_S

_READ_BYTES = 64 * 1024


class Stream(Protocol):
    """A connection's bytes. Raises httpcore.NetworkError and, from `send`, its WriteTimeout."""

    @property
    def peer(self) -> str:
        """The network address at the other end."""

    @property
    def was_cut(self) -> bool:
        """Whether its end came without the goodbye that TLS has (RFC 8446, 6.1)."""

    def send(self, data: bytes) -> None: ...

    def take(self) -> bytes | None:
        """Return what came, b"" at the end of all, None if nothing came for a turn."""

    def take_up_to(self, size: int) -> bytes | None:
        """Return as `take` does, but as many of `size` bytes as come within the turn."""

    def is_readable(self) -> bool:
        """Say whether there is something to take, be it the end."""

    def close(self) -> None: ...


def stream_of(inner: httpcore.NetworkStream, timeout_s: float) -> Stream:
    """Return the bytes of a connection of httpcore's; to send may take `timeout_s`."""
    bare = inner.get_extra_info("socket")
    is_tls = inner.get_extra_info("ssl_object") is not None
    if sys.platform == "linux" and not is_tls and type(bare) is socket.socket:
        return _Bare(inner, bare, timeout_s)
    return _Through(inner, timeout_s)


class _OfLibrary:
    """What the library does well for any connection. Raises httpcore.ConnectError."""

    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self._inner = inner
        try:
            self.peer = str(inner.get_extra_info("server_addr")[0])
        except OSError as error:  # reset already
            raise httpcore.ConnectError(str(error)) from error
        self.was_cut = False

    def is_readable(self) -> bool:
        return bool(self._inner.get_extra_info("is_readable"))

    def close(self) -> None:
        self._inner.close()


class _Bare(_OfLibrary):
    """A socket of Linux: the system waits, and gathers large reads, without a word of Python."""

    def __init__(
        self, inner: httpcore.NetworkStream, bare: socket.socket, timeout_s: float
    ) -> None:
        super().__init__(inner)
        self._socket = bare
        bare.settimeout(None)  # Python would wait in two calls, and come back with the first bytes
        bare.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _timeval(min(LOOK_UP_S, timeout_s)))
        bare.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _timeval(timeout_s))

    def send(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except BlockingIOError as error:
            raise httpcore.WriteTimeout(str(error)) from error
        except OSError as error:
            raise httpcore.WriteError(str(error)) from error

    def take(self) -> bytes | None:
        return self._received(_READ_BYTES, 0)

    def take_up_to(self, size: int) -> bytes | None:
        return self._received(size, socket.MSG_WAITALL)

    def _received(self, size: int, flags: int) -> bytes | None:
        try:
            return self._socket.recv(size, flags)
        except BlockingIOError:
            return None
        except OSError as error:
            raise httpcore.ReadError(str(error)) from error


class _Through(_OfLibrary):
    """Any other: TLS, TLS within TLS, and other systems' sockets go through the library."""

    def __init__(self, inner: httpcore.NetworkStream, timeout_s: float) -> None:
        super().__init__(inner)
        self._timeout_s = timeout_s
        self._turn_s = min(LOOK_UP_S, timeout_s)
        self._tls = inner.get_extra_info("ssl_object")

    def is_readable(self) -> bool:
        # TLS holds back what it has decrypted; of TLS within TLS each does, and what came for the
        # inner one is between them.
        layers = (self._tls, self._inner.get_extra_info("socket"))
        is_pending = any(each.pending() > 0 for each in layers if hasattr(each, "pending"))
        between = getattr(self._inner, "_incoming", None)
        is_between = between is not None and between.pending > 0
        return is_pending or is_between or super().is_readable()

    def send(self, data: bytes) -> None:
        self._inner.write(data, self._timeout_s)

    def take(self) -> bytes | None:
        return self.take_up_to(_READ_BYTES)

    def take_up_to(self, size: int) -> bytes | None:
        # A TLS record holds 16 KiB; asking for more allocates much and returns little.
        try:
            return self._inner.read(min(size, _READ_BYTES), self._turn_s)
        except httpcore.ReadTimeout:
            return None
        except httpcore.ReadError as error:
            if not _is_cut(error.__cause__):
                raise
            self.was_cut = True
            return b""


def _is_cut(error: BaseException | None) -> bool:
    """Say whether TLS ended without its goodbye; before Python 3.11.4 OpenSSL 3 says so itself."""
    return isinstance(error, ssl.SSLEOFError) or (
        isinstance(error, ssl.SSLError) and error.reason == "UNEXPECTED_EOF_WHILE_READING"
    )


def _timeval(seconds: float) -> bytes:
    microseconds = max(1, round(seconds * 1e6))  # none at all would mean forever
    return struct.pack("@ll", *divmod(microseconds, 1_000_000))
