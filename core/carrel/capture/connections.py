# SPDX-License-Identifier: AGPL-3.0-or-later
"""The connections of the HTTP client: the pools of httpx's transports, asked directly.

httpx makes them as the environment says (proxies, certificate authorities). What its client does
with every request beyond that (cookies, redirects, authentication, codings) is not for us to use,
and takes longer than a small file does.
"""

from typing import Any

import h11
import httpcore
import httpx

from carrel.capture.attentive import make_attentive
from carrel.capture.exchange import RawHeaders
from carrel.capture.proxies import Proxies
from carrel.settings import Network

_LIMITS = httpx.Limits(max_connections=64, max_keepalive_connections=16)


class Connections:
    """Pools of connections, direct and through the proxies of the environment.

    Threads may share them. Raises OSError, ValueError, ImportError and httpx.InvalidURL for what
    the environment names and can not be used.
    """

    def __init__(self, network: Network) -> None:
        timeout = httpx.Timeout(network.timeout_s, connect=network.connect_timeout_s)
        self._extensions = {"timeout": timeout.as_dict()}
        self._proxies = Proxies.of_environment()
        # One for all: to read the certificate authorities takes longer than the rest.
        context = httpx.create_ssl_context()
        self._transports = {
            proxy: httpx.HTTPTransport(verify=context, limits=_LIMITS, proxy=proxy)
            for proxy in (None, *self._proxies.addresses)
        }
        for transport in self._transports.values():
            make_attentive(transport)

    def send(
        self, method: str, url: httpx.URL, headers: RawHeaders, body: bytes = b""
    ) -> httpcore.Response:
        """Return the answer, its body still to come; whoever has read enough calls `done`.

        Raises httpcore's exceptions, and Cancelled.
        """
        target = httpcore.URL(
            scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
        )
        request = httpcore.Request(
            method, target, headers=headers, content=body, extensions=self._extensions
        )
        pool = self._transports[self._proxies.leading_to(url)]._pool
        return pool.handle_request(request)

    def done(self, answer: httpcore.Response) -> None:
        """Let go of an answer; its connection is used again if nothing is left on it."""
        if surplus(answer.stream):
            answer.extensions["network_stream"].close()
        answer.close()

    def close(self) -> None:
        for transport in self._transports.values():
            transport.close()


def surplus(stream: Any) -> bytes:
    """Return what was received behind a body that was read to its end, and belongs to no question.

    `stream` is the body as a pool of httpcore gives it, which would take what is left for the
    answer to the next question on the connection. It has no public way to ask for it.
    """
    state: h11.Connection = stream._stream._connection._h11_state
    return state.trailing_data[0] if state.their_state is h11.DONE else b""
