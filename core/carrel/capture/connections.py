# SPDX-License-Identifier: AGPL-3.0-or-later
"""The connections of the HTTP client: made as the environment says, and used again while they last.

Proxies and certificate authorities are found as httpx finds them. What is received is read here and
not by a library, since what a WARC is to record is the answer itself; and for thousands of small
files the library's own work took longer than all of ours.
"""

import os
import ssl
import threading
from collections.abc import Callable, Hashable
from functools import cache
from time import monotonic

import httpcore
import httpx

from carrel.capture.attentive import awaited
from carrel.capture.http1.connection import Answer, Connection
from carrel.capture.http1.head import question
from carrel.capture.http1.headers import RawHeaders
from carrel.capture.http1.way import Way
from carrel.capture.proxies import Proxies
from carrel.settings import Network

# Many servers end a connection that rests for longer.
_REST_S = 5.0
_MOST_AT_REST = 16


class Connections:
    """Connections, direct and through the proxies of the environment.

    Threads may share them. Raises OSError, ValueError and httpx.InvalidURL for what the environment
    names and cannot be used.
    """

    def __init__(self, network: Network) -> None:
        self._proxies = Proxies.of_environment()
        # One for all, and for who needs it: to read the certificate authorities takes longer than
        # the rest.
        trust = cache(_trust)
        if os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR"):
            trust()
        self._ways = {
            proxy: Way(network, trust, proxy) for proxy in (None, *self._proxies.addresses)
        }
        self._lock = threading.Lock()
        self._resting: list[Connection] = []
        self._is_closed = False

    def send(
        self,
        method: bytes,
        url: httpx.URL,
        headers: RawHeaders,
        body: bytes = b"",
        *,
        until: float,
        is_cancelled: Callable[[], bool],
    ) -> Answer:
        """Return the answer, its body still to come; whoever has read enough calls `done`.

        Its head must be there `until` a moment of the monotonic clock. Raises httpcore's
        exceptions, and Cancelled.
        """
        way = self._ways[self._proxies.leading_to(url)]
        asked = question(method, way.target(url), (*way.headers(url), *headers), body)
        may_rest = method == b"GET"
        while True:
            rested = self._rested(way.end(url)) if may_rest else None
            connection = rested or awaited(lambda: way.connect(url), is_cancelled)
            try:
                return connection.ask(method, asked, until=until, is_cancelled=is_cancelled)
            except (httpcore.NetworkError, httpcore.RemoteProtocolError):
                connection.close()
                # The server ended it while we asked, or it was not as clean as it looked: what
                # changes nothing may be asked once more (RFC 9112, 9.3.1).
                if rested is None:
                    raise
                may_rest = False  # the next is one that no one has used
            except BaseException:
                connection.close()
                raise

    def done(self, answer: Answer) -> None:
        """Let go of an answer; its connection is used again if nothing is left on it."""
        left = [answer.connection]
        if answer.leaves_nothing:
            answer.connection.idle_since = monotonic()
            with self._lock:
                if not self._is_closed:
                    self._resting += left
                    left = self._resting[:-_MOST_AT_REST]
                    del self._resting[:-_MOST_AT_REST]
        for connection in left:
            connection.close()

    def close(self) -> None:
        """Let go of all that rest; those in use are closed when they are done with."""
        with self._lock:
            self._is_closed = True
            resting, self._resting = self._resting, []
        for connection in resting:
            connection.close()

    def _rested(self, end: Hashable) -> Connection | None:
        """Return a connection that can be used again, None if there is none."""
        while True:
            with self._lock:
                connection = next((each for each in self._resting if each.end == end), None)
                if connection is None:
                    return None
                self._resting.remove(connection)
            if not connection.has_expired(_REST_S):
                return connection
            connection.close()


def _trust() -> ssl.SSLContext:
    """Return whom to trust, and how TLS is spoken."""
    context = httpx.create_ssl_context()
    context.set_alpn_protocols(["http/1.1"])
    # Else an end without TLS's goodbye looks like any other.
    context.options &= ~getattr(ssl, "OP_IGNORE_UNEXPECTED_EOF", 0)
    return context
