# SPDX-License-Identifier: AGPL-3.0-or-later
"""The way to a server: straight, or through a proxy that forwards, tunnels, or speaks SOCKS."""

import base64
import ssl
from collections.abc import Callable, Hashable
from time import monotonic

import httpcore
import httpx

from carrel.capture.http1.connection import Connection
from carrel.capture.http1.head import question
from carrel.capture.http1.headers import RawHeaders
from carrel.capture.http1.socks import ask_socks
from carrel.capture.http1.stream import stream_of
from carrel.capture.server import Server
from carrel.settings import Network
from carrel.translation import tr

_PORTS = {"http": 80, "https": 443}


class Way:
    """Leads to any server, through one proxy, or through none.

    The address of a proxy may hold name and password. Raises ValueError and httpx.InvalidURL for
    one that is none.
    """

    def __init__(
        self, network: Network, trust: Callable[[], ssl.SSLContext], proxy: str | None
    ) -> None:
        self._network, self._trust = network, trust
        self._proxy = None if proxy is None else httpx.Proxy(proxy)

    def end(self, url: httpx.URL) -> Hashable:
        """Return where a connection for this address ends: those with one end are alike."""
        if self._proxy is not None and self._is_forwarded(url):
            return self._proxy.url
        return url.scheme, url.raw_host, _port(url)

    def target(self, url: httpx.URL) -> bytes:
        """Return what stands for this address in a question (RFC 9112, 3.2)."""
        if self._is_forwarded(url):
            return b"%s://%s%s" % (url.raw_scheme, url.netloc, url.raw_path)
        return url.raw_path

    def headers(self, url: httpx.URL) -> RawHeaders:
        """Return the headers that are for the proxy alone."""
        return self._authorization() if self._is_forwarded(url) else ()

    def connect(self, url: httpx.URL) -> Connection:
        """Return a new connection. Blocks. Raises httpcore's exceptions."""
        stream = self._stream(url)
        try:
            if url.scheme == "https":
                stream = self._secured(stream, url)
            connection = self._connection(stream, self.end(url))
            connection.server = self._server(stream, connection.stream.peer, url)
            return connection
        except BaseException:
            stream.close()
            raise

    def _server(self, stream: httpcore.NetworkStream, peer: str, url: httpx.URL) -> Server:
        """Return who answers: the address behind a proxy is not known."""
        tls = stream.get_extra_info("ssl_object") if url.scheme == "https" else None
        return Server.of(peer if self._proxy is None else "", tls)

    def _stream(self, url: httpx.URL) -> httpcore.NetworkStream:
        """Return the bytes to a server and from it, before any TLS of its own."""
        proxy = self._proxy
        if proxy is None:
            return self._reached(url)
        stream = self._reached(proxy.url)
        try:
            if proxy.url.scheme == "https":
                stream = self._secured(stream, proxy.url)
            if proxy.url.scheme.startswith("socks5"):
                address = url.raw_host, _port(url)
                ask_socks(stream, address, proxy.raw_auth, self._network.timeout_s)
            elif not self._is_forwarded(url):
                self._ask_for_tunnel(stream, url)
        except BaseException:
            stream.close()
            raise
        return stream

    def _reached(self, url: httpx.URL) -> httpcore.NetworkStream:
        host, timeout_s = url.raw_host.decode("ascii"), self._network.connect_timeout_s
        return httpcore.SyncBackend().connect_tcp(host, _port(url), timeout_s)

    def _secured(self, stream: httpcore.NetworkStream, url: httpx.URL) -> httpcore.NetworkStream:
        host = url.raw_host.decode("ascii")
        secured = stream.start_tls(self._trust(), host, self._network.connect_timeout_s)
        bare = secured.get_extra_info("socket")
        if isinstance(bare, ssl.SSLSocket):
            # An end without a goodbye is to be told of.
            bare.suppress_ragged_eofs = False  # type: ignore[attr-defined]  # its stub has it not
        return secured

    def _connection(self, stream: httpcore.NetworkStream, end: Hashable) -> Connection:
        timeout_s = self._network.timeout_s
        return Connection(stream_of(stream, timeout_s), end, timeout_s)

    def _ask_for_tunnel(self, stream: httpcore.NetworkStream, url: httpx.URL) -> None:
        """Have an HTTP proxy lead on (RFC 9110, 9.3.6). Raises httpcore.ProxyError."""
        connection = self._connection(stream, None)
        target = b"%s:%d" % (_bracketed(url.raw_host), _port(url))
        asked = question(
            b"CONNECT", target, ((b"Host", target), (b"Accept", b"*/*"), *self._authorization())
        )
        until = monotonic() + self._network.timeout_s
        try:
            head = connection.ask(b"CONNECT", asked, until=until).head
        except httpcore.RemoteProtocolError as error:
            raise httpcore.ProxyError(tr("the proxy's answer is not a proxy's answer")) from error
        if head.status_code >= 300:
            reason = head.reason.decode("ascii", "ignore")
            raise httpcore.ProxyError(f"{head.status_code} {reason}".strip())
        if connection.taken_along():
            raise httpcore.ProxyError(tr("the proxy answered in place of the server"))

    def _is_forwarded(self, url: httpx.URL) -> bool:
        proxy = self._proxy
        return proxy is not None and url.scheme == "http" and proxy.url.scheme.startswith("http")

    def _authorization(self) -> RawHeaders:
        auth = self._proxy.raw_auth if self._proxy else None
        if auth is None:
            return ()
        return ((b"Proxy-Authorization", b"Basic " + base64.b64encode(b":".join(auth))),)


def _port(url: httpx.URL) -> int:
    default = 1080 if url.scheme.startswith("socks5") else _PORTS[url.scheme]
    return url.port or default


def _bracketed(host: bytes) -> bytes:
    return b"[%s]" % host if b":" in host else host
