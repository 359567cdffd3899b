# SPDX-License-Identifier: AGPL-3.0-or-later
"""The connections of the HTTP client: those of httpx, asked directly.

httpx knows the environment (proxies, certificate authorities) and keeps pools of connections. What
its client does with every request beyond that (cookies, redirects, authentication, codings) is not
for us to use, and takes longer than a small file does.
"""

import httpcore
import httpx

from carrel.capture.attentive import make_attentive
from carrel.capture.exchange import RawHeaders
from carrel.settings import Network

_LIMITS = httpx.Limits(max_connections=64, max_keepalive_connections=16)


class Connections:
    """Pools of connections, direct and through the proxies of the environment.

    Threads may share them. Raises OSError, ValueError, ImportError and httpx.InvalidURL for what
    the environment names and can not be used.
    """

    def __init__(self, network: Network) -> None:
        timeout = httpx.Timeout(network.timeout_s, connect=network.connect_timeout_s)
        # One for all: to read the certificate authorities takes longer than the rest.
        context = httpx.create_ssl_context()
        self._http = httpx.Client(verify=context, timeout=timeout, limits=_LIMITS)
        self._extensions = {"timeout": timeout.as_dict()}
        make_attentive(self._http)

    def send(
        self, method: str, url: httpx.URL, headers: RawHeaders, body: bytes = b""
    ) -> httpcore.Response:
        """Return the answer, its body still to come; whoever has read enough closes it.

        Raises httpcore's exceptions, and Cancelled.
        """
        transport = self._http._transport_for_url(url)
        if not isinstance(transport, httpx.HTTPTransport):
            raise TypeError(f"httpx has a transport of another kind: {transport!r}")
        target = httpcore.URL(
            scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
        )
        request = httpcore.Request(
            method, target, headers=headers, content=body, extensions=self._extensions
        )
        return transport._pool.handle_request(request)

    def close(self) -> None:
        self._http.close()
