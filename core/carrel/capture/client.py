# SPDX-License-Identifier: AGPL-3.0-or-later
"""The HTTP client: one per engine, polite, honest about who it is, blind to cookies.

It speaks HTTP/1.1 only: what a WARC records are the very headers that went over the wire, and
HTTP/2 has none of that form. It never follows a redirect by itself. Proxies and private certificate
authorities come from the environment (`HTTPS_PROXY`, `NO_PROXY`, `SSL_CERT_FILE`).
"""

import asyncio
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from time import monotonic
from types import TracebackType
from urllib.parse import urldefrag
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from carrel import __version__
from carrel.capture.block_worker import Block
from carrel.capture.exchange import Exchange
from carrel.capture.gzip_member import MEBIBYTE
from carrel.errors import IngestStop, SettingsError
from carrel.model import Status
from carrel.settings import Network

# From this length on a body is read straight from the connection, past the parser: it is a third
# faster, and the price is that the connection is not used again.
_RAW_READ_FROM_BYTES = 4 * MEBIBYTE
_BEGINNING_BYTES = 64 * 1024
# A TLS record holds 16 KiB; asking for more allocates much and returns little.
_TLS_READ_BYTES = 64 * 1024
# A block is handed on after this time though it is not full: slow files show progress too.
_SLICE_S = 0.5
# How often a silent connection is looked at, to notice a wish to stop.
_POLL_S = 1.0


class Cancelled(Exception):
    """The transfer was stopped because the person wished so."""


class Response:
    """An answer whose body is still to come. Read `blocks` once, or `read`, inside its `with`."""

    def __init__(self, response: httpx.Response, exchange: Exchange, clock: float) -> None:
        self._response, self._began = response, clock
        self.exchange = exchange

    @property
    def length(self) -> int | None:
        """The announced length of the body in bytes, None if there is none to trust."""
        text = self.exchange.headers.get("content-length", "")
        return int(text) if text.isascii() and text.isdigit() else None

    @property
    def elapsed_s(self) -> float:
        return monotonic() - self._began

    def blocks(self, is_cancelled: Callable[[], bool], stall_s: float) -> Iterator[Block]:
        """Yield the body in blocks of 1 MiB at the most, each in memory of its own.

        Raises IngestStop (truncated, read-timeout, network-error) and Cancelled.
        """
        with _translated(self.exchange.url):
            length = self.length
            has_coding = "transfer-encoding" in self.exchange.headers
            if length is None or has_coding or length < _RAW_READ_FROM_BYTES:
                yield from self._parsed_blocks(is_cancelled)
            else:
                yield from self._raw_blocks(length, is_cancelled, stall_s)

    def read(self, max_bytes: int) -> Exchange:
        """Return the exchange with its body, cut at `max_bytes`."""
        body, is_cut = bytearray(), False
        try:
            with _translated(self.exchange.url):
                for piece in self._response.iter_raw():
                    body += piece
                    if len(body) > max_bytes:
                        break
        except IngestStop:
            if not self.exchange.is_redirect:
                raise
            is_cut = True  # where a redirect leads is known, whatever becomes of its words
        is_cut = is_cut or len(body) > max_bytes
        return replace(
            self.exchange, body=bytes(body[:max_bytes]), elapsed_s=self.elapsed_s, is_cut=is_cut
        )

    def _parsed_blocks(self, is_cancelled: Callable[[], bool]) -> Iterator[Block]:
        block, since = bytearray(), monotonic()
        for piece in self._response.iter_raw():
            _stop_if(is_cancelled)
            block += piece
            if len(block) >= MEBIBYTE or monotonic() - since > _SLICE_S:
                yield block
                block, since = bytearray(), monotonic()
        if block:
            yield block

    def _raw_blocks(
        self, length: int, is_cancelled: Callable[[], bool], stall_s: float
    ) -> Iterator[Block]:
        # The parser holds back what came with the headers: its first piece empties it. It must
        # stay alive until the end, for the connection closes with it.
        parsed = self._response.iter_raw()
        first = next(parsed)
        yield first
        left = length - len(first)
        read_into = _reader(self._response.extensions["network_stream"])
        while left > 0:
            block = bytearray(min(left, MEBIBYTE))
            filled = self._fill(block, read_into, is_cancelled, stall_s)
            del block[filled:]
            left -= filled
            yield block

    def _fill(
        self,
        block: bytearray,
        read_into: Callable[[memoryview], int],
        is_cancelled: Callable[[], bool],
        stall_s: float,
    ) -> int:
        """Fill a block, or as much of it as comes in a while; return how much came."""
        began = silent_since = monotonic()
        filled = 0
        with memoryview(block) as view:
            while filled < len(block) and not (filled and silent_since - began > _SLICE_S):
                _stop_if(is_cancelled)
                try:
                    count = read_into(view[filled:])
                except (TimeoutError, httpcore.ReadTimeout):
                    if monotonic() - silent_since > stall_s:
                        raise
                    continue
                if not count:
                    raise httpx.RemoteProtocolError("the connection ended before the body did")
                silent_since = monotonic()
                filled += count
        return filled


def _reader(stream: httpcore.NetworkStream) -> Callable[[memoryview], int]:
    """Return what reads from a connection into memory, waiting `_POLL_S` at the most.

    A bare socket reads straight into it; TLS, and TLS within TLS, go through the library.
    """
    bare = stream.get_extra_info("socket")
    if stream.get_extra_info("ssl_object") is None and type(bare) is socket.socket:
        bare.settimeout(_POLL_S)
        return bare.recv_into

    def read_into(view: memoryview) -> int:
        piece = stream.read(min(len(view), _TLS_READ_BYTES), timeout=_POLL_S)
        view[: len(piece)] = piece
        return len(piece)

    return read_into


class _NoCookies(httpx.Cookies):
    """Takes none, and does not look for any: that is a tenth of the work for a small file."""

    def extract_cookies(self, response: httpx.Response) -> None: ...


class _WithoutCookies(httpx.Client):
    _none = _NoCookies()

    @property  # type: ignore[misc]  # nobody is to set any
    def cookies(self) -> httpx.Cookies:
        return self._none


class Client:
    """The engine's only way to the network. Threads may share it."""

    def __init__(self, network: Network) -> None:
        self._network = network
        timeout = httpx.Timeout(network.timeout_s, connect=network.connect_timeout_s)
        limits = httpx.Limits(max_connections=64, max_keepalive_connections=16)
        try:
            self._http = _WithoutCookies(
                headers={"User-Agent": user_agent(network.contact), "Accept-Encoding": "identity"},
                timeout=timeout,
                limits=limits,
                follow_redirects=False,
                event_hooks={"response": [_set_headers_aside]},
            )
        except (OSError, ValueError, ImportError, httpx.InvalidURL) as error:
            raise SettingsError(_environment_fault(error)) from error

    def open(
        self, url: str, headers: Mapping[str, str] | None = None
    ) -> AbstractContextManager[Response]:
        """Return the answer to a GET, its body still to come. Blocks: for worker threads.

        Raises IngestStop (invalid-url, invalid-host-resolution, network-error, read-timeout).
        """
        return self._open(url, headers or {})

    async def get(
        self,
        url: str,
        *,
        accept: str = "*/*",
        max_bytes: int = 16 * MEBIBYTE,
        is_wanted: Callable[[Exchange], bool] = lambda exchange: True,
    ) -> Exchange:
        """Return one whole exchange; the body is cut at `max_bytes`. Raises as `open` does.

        Of an answer that is not wanted, as its headers show, only the beginning is read.
        """
        return await asyncio.to_thread(self._get, url, accept, max_bytes, is_wanted)

    @property
    def stall_s(self) -> float:
        """How long a connection may be silent before it is given up, in seconds."""
        return self._network.timeout_s

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def _get(
        self, url: str, accept: str, max_bytes: int, is_wanted: Callable[[Exchange], bool]
    ) -> Exchange:
        with self.open(url, {"Accept": accept}) as response:
            limit = max_bytes if is_wanted(response.exchange) else _BEGINNING_BYTES
            return response.read(limit)

    @contextmanager
    def _open(self, url: str, headers: Mapping[str, str]) -> Iterator[Response]:
        with _translated(url, broken=Status.NETWORK_ERROR):
            request = self._http.build_request("GET", _bare(url), headers=headers)
            began, started = monotonic(), datetime.now(UTC)
            answer = self._http.send(request, stream=True)
        try:
            yield Response(answer, _exchange(request, answer, started), began)
        finally:
            answer.close()


def _set_headers_aside(response: httpx.Response) -> None:
    """Keep the headers as they were sent, and hide the redirect from the library.

    It would prepare the next request even though it is not to follow, and fail on a Location that
    makes no sense before we have seen the answer.
    """
    response.extensions["headers_as_sent"] = tuple(response.headers.raw)
    response.headers.pop("location", None)


def user_agent(contact: str) -> str:
    """Return what Carrel calls itself: product, version, and whom to write to."""
    return f"Carrel/{__version__} (research data archiving; {contact or 'no contact given'})"


def _bare(url: str) -> httpx.URL:
    """Return a web address without a name and password in it, which nobody is to be sent.

    Raises IngestStop (invalid-url).
    """
    parsed = httpx.URL(url)
    has_port = parsed.port is None or 0 < parsed.port < 65536
    if parsed.scheme not in ("http", "https") or not parsed.host or not has_port:
        raise IngestStop(Status.INVALID_URL, f"“{url[:200]}” is not a web address.")
    return parsed.copy_with(userinfo=b"") if parsed.userinfo else parsed


def _environment_fault(error: Exception) -> str:
    """Return which variable of the environment keeps the client from being made."""
    named = os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR")
    if isinstance(error, OSError) and named:
        return f"SSL_CERT_FILE or SSL_CERT_DIR names {named}, which cannot be used: {error}."
    urls = {_without_password(url) for name, url in getproxies().items() if name != "no"}
    proxies = ", ".join(sorted(urls))
    if proxies:
        return f"The proxy settings of the environment ({proxies}) cannot be used: {error}."
    return f"The network cannot be used as the environment says: {error}."


def _exchange(request: httpx.Request, answer: httpx.Response, started: datetime) -> Exchange:
    return Exchange(
        url=urldefrag(str(request.url)).url,
        target=request.url.raw_path,
        request_headers=tuple(request.headers.raw),
        status_code=answer.status_code,
        reason=answer.extensions.get("reason_phrase", b""),
        response_headers=answer.extensions["headers_as_sent"],
        started=started,
        http_version=answer.extensions.get("http_version", b"HTTP/1.1"),
    )


def _stop_if(is_cancelled: Callable[[], bool]) -> None:
    if is_cancelled():
        raise Cancelled


@contextmanager
def _translated(url: str, *, broken: Status = Status.TRUNCATED) -> Iterator[None]:
    """Turn the library's errors into an IngestStop that a person understands.

    `broken` is the status when the other side does not keep to HTTP, or ends the conversation.
    """
    try:
        yield
    except (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError) as error:
        raise IngestStop(Status.INVALID_URL, f"“{url[:200]}” is not a web address.") from error
    except (httpx.TimeoutException, httpcore.TimeoutException, TimeoutError) as error:
        raise IngestStop(Status.READ_TIMEOUT, f"{_host(url)} did not answer in time.") from error
    except httpx.RemoteProtocolError as error:
        what = "broke off in the middle of" if broken is Status.TRUNCATED else "did not answer"
        raise IngestStop(broken, f"{_host(url)} {what} {url}: {error}.") from error
    except (
        httpx.TransportError,
        httpcore.NetworkError,
        httpcore.ProtocolError,
        ConnectionError,
    ) as error:
        raise _network_stop(url, error) from error


def _network_stop(url: str, error: Exception) -> IngestStop:
    reason = str(error)
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            message = f"There is no host called {_host(url)}, or it cannot be looked up from here."
            return IngestStop(Status.INVALID_HOST_RESOLUTION, message)
        if isinstance(cause, OSError) and cause.strerror:
            reason = cause.strerror
        cause = cause.__cause__ or cause.__context__
    message = f"{_host(url)} cannot be reached{_by_proxy(url)}: {reason}."
    return IngestStop(Status.NETWORK_ERROR, message)


def _by_proxy(url: str) -> str:
    """Return through which proxy an address is asked for, for people; "" if through none."""
    proxies = getproxies()
    proxy = proxies.get(url.partition(":")[0].lower()) or proxies.get("all")
    if not proxy or proxy_bypass(_host(url)):
        return ""
    return f" through the proxy {_without_password(proxy)}"


def _without_password(url: str) -> str:
    scheme, _, rest = url.rpartition("://")
    bare = rest.rpartition("@")[2]
    return f"{scheme}://{bare}" if scheme else bare


def _host(url: str) -> str:
    try:
        return httpx.URL(url).host or url
    except httpx.InvalidURL:
        return url
