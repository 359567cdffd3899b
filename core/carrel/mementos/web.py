# SPDX-License-Identifier: AGPL-3.0-or-later
"""The way of mementos to the network: one asynchronous client, and how archives are treated.

Redirects are never followed by the client, certificates are checked, proxies and private
certificate authorities come from the environment, cookies and credentials are sent to no one. How
long an answer may take in all is for whoever asks: cancelling ends everything that was begun.
"""

import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import h11
import httpx

from carrel.capture.client import bare_url, environment_fault
from carrel.capture.network_faults import host_of, translated
from carrel.capture.proxies import Proxies
from carrel.capture.user_agent import user_agent
from carrel.errors import IngestStop, SettingsError, SourceTrouble
from carrel.mementos.throttle import LOOKUP, ArchiveThrottle
from carrel.model import SourceState, Status
from carrel.model.sizes import MEBIBYTE
from carrel.settings import Network
from carrel.translation import tr

_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=32)
# What frames a request is for the client to say, and the host is that of the URL.
_CLIENTS_OWN = frozenset(
    (
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "keep-alive",
        "proxy-connection",
        "proxy-authorization",
        "te",
        "trailer",
        "upgrade",
        "expect",
    )
)
_GZIP_OR_ZLIB = 47
_GZIP_MAGIC = b"\x1f\x8b"
_STATES = {
    Status.READ_TIMEOUT: SourceState.TIMED_OUT,
    Status.TRUNCATED: SourceState.INTERRUPTED,
    Status.REMOTE_SERVER_ERROR: SourceState.WRONG_ANSWER,
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A small answer that was read whole. Names of headers are lower-case."""

    url: str
    status_code: int
    headers: httpx.Headers
    body: bytes


class TooLong(SourceTrouble):
    """An answer went on for longer than anyone reads (wrong-answer)."""


class _NoCookies(httpx.Cookies):
    """Takes none, and does not look for any."""

    def extract_cookies(self, response: httpx.Response) -> None: ...


class _WithoutCookies(httpx.AsyncClient):
    _none = _NoCookies()

    @property  # type: ignore[misc]  # no one is to set any
    def cookies(self) -> httpx.Cookies:
        return self._none


class _Ways(httpx.AsyncBaseTransport):
    """Asks each address directly, or through the proxy that the environment names for it."""

    def __init__(self) -> None:
        self._proxies = Proxies.of_environment()
        context = httpx.create_ssl_context()
        self._transports = {
            proxy: httpx.AsyncHTTPTransport(verify=context, limits=_LIMITS, proxy=proxy)
            for proxy in (None, *self._proxies.addresses)
        }

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        transport = self._transports[self._proxies.leading_to(request.url)]
        response = await transport.handle_async_request(request)
        response.stream = _Body(response)
        return response

    async def aclose(self) -> None:
        for transport in self._transports.values():
            await transport.aclose()


class _Body(httpx.AsyncByteStream):
    """A body, whose connection is used again if nothing is left on it."""

    def __init__(self, response: httpx.Response) -> None:
        self._stream: Any = response.stream
        self._network = response.extensions["network_stream"]

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            yield piece

    async def aclose(self) -> None:
        if self._has_surplus():
            await self._network.aclose()
        await self._stream.aclose()

    def _has_surplus(self) -> bool:
        """Say whether more came than the body, which the pool would take for the next answer.

        It has no public way to ask for it.
        """
        state: h11.Connection = self._stream._httpcore_stream._stream._connection._h11_state
        return state.their_state is h11.DONE and bool(state.trailing_data[0])


class Web:
    """Asks archives, courteously. Lives on one loop. Raises SettingsError."""

    def __init__(self, network: Network, throttle: ArchiveThrottle) -> None:
        self.throttle = throttle
        try:
            self._http = _WithoutCookies(
                headers={"User-Agent": user_agent(network.contact), "Accept-Encoding": "identity"},
                timeout=httpx.Timeout(network.timeout_s, connect=network.connect_timeout_s),
                transport=_Ways(),
                trust_env=False,
                follow_redirects=False,
                event_hooks={"response": [_hide_redirect]},
            )
        except (OSError, ValueError, ImportError, httpx.InvalidURL) as error:
            raise SettingsError(environment_fault(error)) from error

    @asynccontextmanager
    async def open(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: tuple[tuple[str, str], ...] = (),
        body: bytes = b"",
        purpose: str = LOOKUP,
    ) -> AsyncIterator[httpx.Response]:
        """Give the answer to one request, its body still to come, once its host's budget allows.

        `headers` are sent as given, but for those that frame a request. `purpose` names the budget:
        lookup (indexes), memento (records), live. Errors of reading the body with the response's
        `aiter_raw` become SourceTrouble too. Raises SourceTrouble (timed-out, refused, unreachable,
        resting).
        """
        with _told(url, Status.NETWORK_ERROR):
            request = self._request(method, url, headers, body)
        async with self.throttle.turn(url, purpose):
            with _told(url, Status.NETWORK_ERROR):
                response = await self._http.send(request, stream=True)
            try:
                response.headers = response.extensions["headers_as_sent"]
                with _told_of_body(url):
                    yield response
            finally:
                await response.aclose()

    async def fetch(self, url: str, *, accept: str = "*/*", most: int = 64 * MEBIBYTE) -> Fetched:
        """Return one whole answer whatever its status, for look-ups. Raises SourceTrouble.

        More than `most` bytes, packed or unpacked, are a wrong answer.
        """
        headers = (("Accept", accept), ("Accept-Encoding", "gzip"))
        async with self.open(url, headers=headers) as response:
            body = await _body(response, url, most)
        return Fetched(url, response.status_code, response.headers, body)

    async def close(self) -> None:
        await self._http.aclose()

    def _request(
        self, method: str, url: str, headers: tuple[tuple[str, str], ...], body: bytes
    ) -> httpx.Request:
        sent = [
            (name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
            for name, value in headers
            if name.lower() not in _CLIENTS_OWN
        ]
        return self._http.build_request(
            method, bare_url(url), headers=httpx.Headers(sent), content=body or None
        )


async def _hide_redirect(response: httpx.Response) -> None:
    """Keep the library from preparing the next request, on which it may fail."""
    response.extensions["headers_as_sent"] = response.headers
    response.headers = httpx.Headers(
        [pair for pair in response.headers.raw if pair[0].lower() != b"location"]
    )


@contextmanager
def _told(url: str, broken: Status) -> Iterator[None]:
    """Turn the library's errors into SourceTrouble."""
    try:
        with translated(url, broken=broken):
            yield
    except IngestStop as stop:
        state = _STATES.get(stop.status, SourceState.UNREACHABLE)
        raise SourceTrouble(state, str(stop)) from stop


@contextmanager
def _told_of_body(url: str) -> Iterator[None]:
    """Turn errors of reading a body into SourceTrouble, and none that are the reader's own."""
    try:
        yield
    except httpx.TransportError:
        with _told(url, Status.TRUNCATED):
            raise


async def _body(response: httpx.Response, url: str, most: int) -> bytes:
    """Return the whole body, unpacked; a small one that becomes a large one is stopped in time."""
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    unpacking = _Unpacking(coding, url, most)
    parts: list[bytes] = []
    async for raw in response.aiter_raw():
        parts += unpacking.parts_of(raw)
    parts.append(unpacking.rest())
    return b"".join(parts)


class _Unpacking:
    """Undoes the content coding of one answer. Raises SourceTrouble (wrong-answer)."""

    def __init__(self, coding: str, url: str, most: int) -> None:
        self._host, self._most = host_of(url), most
        self._came = self._made = 0
        if coding not in ("identity", "", "gzip", "x-gzip", "deflate"):
            raise self._trouble(
                tr("in the coding “{coding}”, which was not requested", coding=coding[:40])
            )
        self._inflate = _inflate() if coding.endswith(("gzip", "deflate")) else None

    def parts_of(self, raw: bytes) -> Iterator[bytes]:
        self._came += len(raw)
        if self._came > self._most:
            raise self._too_long()
        while raw:
            part, raw = self._step(raw)
            self._made += len(part)
            if self._made > self._most:
                raise self._too_long()
            yield part

    def rest(self) -> bytes:
        """Return what was held back, once all came."""
        if self._inflate is None or not self._came:
            return b""
        rest = self._inflate.flush()
        if not self._inflate.eof:
            raise self._trouble(tr("that was cut short"))
        return rest

    def _step(self, raw: bytes) -> tuple[bytes, bytes]:
        """Return up to 1 MiB of what these bytes stand for, and what is left of them."""
        if self._inflate is None:
            return raw, b""
        if self._inflate.eof:
            if not raw.startswith(_GZIP_MAGIC):
                return b"", b""  # what pads the last member is nothing
            self._inflate = _inflate()
        try:
            part = self._inflate.decompress(raw, MEBIBYTE)
        except zlib.error as error:
            raise self._trouble(tr("compressed in an invalid way")) from error
        return part, self._inflate.unconsumed_tail or self._inflate.unused_data

    def _too_long(self) -> SourceTrouble:
        words = tr(
            "{host} gave an answer of more than {most:,} bytes, which was not read.",
            host=self._host,
            most=self._most,
        )
        return TooLong(SourceState.WRONG_ANSWER, words)

    def _trouble(self, what: str) -> SourceTrouble:
        return SourceTrouble(
            SourceState.WRONG_ANSWER,
            tr("{host} gave an answer {what}.", host=self._host, what=what),
        )


def _inflate() -> "zlib._Decompress":
    return zlib.decompressobj(_GZIP_OR_ZLIB)
