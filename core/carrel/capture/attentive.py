# SPDX-License-Identifier: AGPL-3.0-or-later
"""Waiting for a server without going deaf: a wish to stop ends any wait within about a second.

Reading takes place in short turns with a look at the wish between them; looking a name up,
connecting and shaking hands can not be taken in turns, so a thread of its own does that and is left
to itself when nobody waits for it any more.
"""

import queue
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any

import httpcore
import httpx

# How long a wait may last before the wish to stop is looked at.
LOOK_UP_S = 0.5

_is_cancelled: ContextVar[Callable[[], bool]] = ContextVar("is_cancelled", default=lambda: False)

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


class Cancelled(Exception):
    """The transfer was stopped because the person wished so."""


def stop_if(is_cancelled: Callable[[], bool]) -> None:
    """Raise Cancelled if the person wishes to stop."""
    if is_cancelled():
        raise Cancelled


@contextmanager
def heeding(is_cancelled: Callable[[], bool]) -> Iterator[None]:
    """Let this wish to stop end what the thread waits for within the context."""
    token = _is_cancelled.set(is_cancelled)
    try:
        yield
    finally:
        _is_cancelled.reset(token)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Have what the thread reads within the context end in time, however it drips.

    A read that begins too late raises httpcore.ReadTimeout.
    """
    token = _deadline.set(monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


def make_attentive(transport: httpx.HTTPTransport) -> None:
    """Have all connections of a transport heed the wish of the thread that waits for them.

    httpcore takes a network backend of one's own; httpx has no argument that hands one on.
    """
    pool = transport._pool
    pool._network_backend = _Backend(pool._network_backend)


class _Backend(httpcore.NetworkBackend):
    def __init__(self, inner: httpcore.NetworkBackend) -> None:
        self._inner = inner

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        def connect() -> httpcore.NetworkStream:
            return self._inner.connect_tcp(host, port, timeout, local_address, socket_options)

        return _Stream(_awaited(connect))


class _Stream(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        until = None if timeout is None else monotonic() + timeout
        turn = LOOK_UP_S if timeout is None else min(LOOK_UP_S, timeout)
        while True:
            _stop_if_too_late()
            try:
                return self._inner.read(max_bytes, turn)
            except httpcore.ReadTimeout:
                stop_if(_is_cancelled.get())
                if until is None:
                    continue
                turn = min(LOOK_UP_S, until - monotonic())
                if turn <= 0:
                    raise

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, timeout)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        def shake_hands() -> httpcore.NetworkStream:
            return self._inner.start_tls(ssl_context, server_hostname, timeout)

        return _Stream(_awaited(shake_hands))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _stop_if_too_late() -> None:
    deadline = _deadline.get()
    if deadline is not None and monotonic() > deadline:
        raise httpcore.ReadTimeout("the answer's head takes too long")


def _awaited(begin: Callable[[], httpcore.NetworkStream]) -> httpcore.NetworkStream:
    """Return the stream that `begin` makes. Raises what it raises, and Cancelled."""
    found: queue.SimpleQueue[httpcore.NetworkStream | BaseException] = queue.SimpleQueue()
    handing_over = threading.Lock()
    is_left = False

    def work() -> None:
        try:
            outcome: httpcore.NetworkStream | BaseException = begin()
        except BaseException as error:  # carried to the thread that waits
            outcome = error
        with handing_over:
            if is_left and not isinstance(outcome, BaseException):
                outcome.close()
            found.put(outcome)

    threading.Thread(target=work, name="connect", daemon=True).start()
    while True:
        try:
            outcome = found.get(timeout=LOOK_UP_S)
            break
        except queue.Empty:
            if not _is_cancelled.get()():
                continue
        with handing_over:
            is_left = True
            if not found.empty():
                _close(found.get())
        raise Cancelled
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _close(outcome: httpcore.NetworkStream | BaseException) -> None:
    if not isinstance(outcome, BaseException):
        outcome.close()
