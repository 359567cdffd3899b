# SPDX-License-Identifier: AGPL-3.0-or-later
"""The HTTP client: one per engine, polite, honest about who it is, blind to cookies.

It speaks HTTP/1.1 only: what a WARC records are the very headers that went over the wire, and
HTTP/2 has none of that form. It never follows a redirect by itself. Proxies and private certificate
authorities come from the environment (`HTTPS_PROXY`, `NO_PROXY`, `SSL_CERT_FILE`). A person's keys
are looked up for each address anew, so that no other host ever sees them, and are in no exchange.
"""

import asyncio
import copy
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from types import TracebackType
from urllib.parse import urlencode

import httpx

from carrel.capture.bandwidth import Bandwidth
from carrel.capture.connections import Connections
from carrel.capture.exchange import SECRET_HEADERS, Exchange
from carrel.capture.http1.head import Head
from carrel.capture.http1.headers import RawHeaders
from carrel.capture.network_faults import host_of, translated, without_password
from carrel.capture.proxies import Proxies
from carrel.capture.response import Response as Response
from carrel.capture.server import Server
from carrel.capture.throttle import Pause, Throttle, Turn
from carrel.capture.throughput import Throughput
from carrel.capture.user_agent import user_agent
from carrel.credentials import Credentials
from carrel.errors import IngestStop, SettingsError
from carrel.hosts.limiter import RateLimiter
from carrel.hosts.pauses import Cancelled as Cancelled
from carrel.hosts.pauses import Waits, stop_if
from carrel.model import Status
from carrel.model.sizes import MEBIBYTE
from carrel.model.user_information import (
    bare_address,
    may_need_freeing,
    shown,
    without_user_information,
)
from carrel.settings import Network
from carrel.translation import tr

# A head may come in pieces, each in time; in all it may take no longer than so many timeouts.
_HEAD_TIMEOUTS = 2
_BEGINNING_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class _Request:
    """What is sent to an address: a GET, or a POST of a form or of a question in JSON.

    `verb` is for interfaces that are written to: the question is sent by it then.
    """

    headers: Mapping[str, str] = field(default_factory=dict)
    accept: str | None = None
    is_open: bool = False
    form: Mapping[str, str] | None = None
    question: bytes | None = None
    verb: str = ""

    @property
    def method(self) -> bytes:
        if self.verb:
            return self.verb.encode("ascii")
        return b"GET" if self.form is None and self.question is None else b"POST"

    @property
    def body(self) -> bytes:
        return self.question or urlencode(self.form or {}).encode("ascii")

    @property
    def all_headers(self) -> Mapping[str, str]:
        """Those that are asked for, the wanted type of answer, and what frames a body."""
        accept = {} if self.accept is None else {"Accept": self.accept}
        if self.method == b"GET":
            return {**self.headers, **accept}
        kind = "application/json" if self.form is None else "application/x-www-form-urlencoded"
        framing = {"Content-Type": kind, "Content-Length": str(len(self.body))}
        return {**self.headers, **accept, **framing}


class Client:
    """The engine's only way to the network. Threads may share it, and its throttle with it.

    `credentials` open what is closed to the public, each at its own host; None for none. Clients
    that are given one `bandwidth` keep its limit together.
    """

    def __init__(
        self,
        network: Network,
        credentials: Credentials | None = None,
        throttle: Throttle | None = None,
        bandwidth: Bandwidth | None = None,
    ) -> None:
        self._network, self._credentials = network, credentials
        self._throttle = throttle or Throttle(network)
        self._bandwidth = bandwidth or Bandwidth(network.max_rate)
        self._headers = {
            "Accept": "*/*",
            "Accept-Encoding": "identity",
            "Connection": "keep-alive",
            "User-Agent": user_agent(network.contact),
        }
        try:
            self._connections = Connections(network)
        except (OSError, ValueError, ImportError, httpx.InvalidURL) as error:
            raise SettingsError(environment_fault(error)) from error

    def noting(self, note: Callable[[Pause], None]) -> "Client":
        """Return this client for one who is told, from any thread, of each pause that it waits
        for; it is closed with this one."""
        own = copy.copy(self)
        own._throttle = self._throttle.noting(note)
        return own

    def open(
        self,
        url: str,
        headers: Mapping[str, str] | None = None,
        *,
        is_cancelled: Callable[[], bool] = lambda: False,
        waits: Waits = lambda reason: None,
        is_question: bool = False,
    ) -> AbstractContextManager[Response]:
        """Return the answer to a GET, its body still to come. Blocks: for worker threads.

        Waits for its turn at the host before, of which `waits` is told; `is_question` says that an
        interface is asked, which has its own limit. Raises IngestStop (invalid-url,
        invalid-host-resolution, network-error, certificate-unknown, read-timeout,
        remote-server-error, credentials-required, and for hosts that are not to be asked now
        rate-limited, blocked-challenge, forbidden), and Cancelled.
        """
        request = _Request(headers or {})
        return self._open(url, request, is_cancelled, waits, is_question=is_question)

    def post(
        self,
        url: str,
        form: Mapping[str, str],
        headers: Mapping[str, str],
        *,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> Exchange:
        """Return the whole answer to a form that is sent; its body is cut at 1 MiB.

        The exchange has the request's headers and not the form. Blocks. Raises as `open` does.
        """
        request = _Request(headers, form=form)
        with self._open(url, request, is_cancelled, is_question=True) as response:
            return response.read(MEBIBYTE)

    def call(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        content: bytes | None = None,
        *,
        max_bytes: int = 16 * MEBIBYTE,
    ) -> Exchange:
        """Return the whole answer of an interface to GET, POST or PUT, sent once; `content` is
        JSON. Its body is cut at `max_bytes`.

        The person's tokens are not looked up: what opens it is in `headers`. Blocks. Raises as
        `open` does.
        """
        request = _Request(headers, "application/json", is_open=True, question=content, verb=method)
        with self._open(url, request, lambda: False, is_question=True) as response:
            return response.read(max_bytes)

    async def get(
        self,
        url: str,
        *,
        accept: str = "*/*",
        max_bytes: int = 16 * MEBIBYTE,
        is_wanted: Callable[[Exchange], bool] = lambda exchange: True,
        is_cancelled: Callable[[], bool] = lambda: False,
        is_open: bool = False,
        question: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Exchange:
        """Return one whole exchange; the body is cut at `max_bytes`.

        Of an answer that is not wanted, as its headers show, only the beginning is read. What
        `is_open` to everybody is asked without the person's token. A `question`, in JSON, is sent
        by POST: one that only reads, since it may be sent again. Raises IngestStop as `open` does,
        and with the status cancelled.
        """
        request = _Request(headers or {}, accept, is_open, question=question)
        return await asyncio.to_thread(
            self._whole, url, request, max_bytes, is_wanted, is_cancelled
        )

    def has_token(self, url: str) -> bool:
        """Return whether a token of the person's goes along with a request to this address."""
        return self._credentials is not None and bool(self._credentials.headers_for(url))

    @property
    def limiter(self) -> RateLimiter:
        """What is known of hosts, and when each may be asked."""
        return self._throttle.limiter

    @property
    def stall_s(self) -> float:
        """How long a connection may be silent before it is given up, in seconds."""
        return self._network.timeout_s

    @property
    def longest_pause_s(self) -> float:
        """How long a pause may be, in seconds, that a server asks for and is given."""
        return self._network.longest_pause_s

    def close(self) -> None:
        self._connections.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def _whole(
        self,
        url: str,
        request: "_Request",
        max_bytes: int,
        is_wanted: Callable[[Exchange], bool],
        is_cancelled: Callable[[], bool],
    ) -> Exchange:
        try:
            with self._open(url, request, is_cancelled, is_question=True) as response:
                limit = max_bytes if is_wanted(response.exchange) else _BEGINNING_BYTES
                return response.read(limit)
        except Cancelled:
            message = tr("The wait for {host_of} was stopped.", host_of=host_of(url))
            raise IngestStop(Status.CANCELLED, message, may_repeat=False) from None

    @contextmanager
    def _open(
        self,
        url: str,
        request: "_Request",
        is_cancelled: Callable[[], bool],
        waits: Waits = lambda reason: None,
        *,
        is_question: bool,
    ) -> Iterator[Response]:
        with translated(url):
            target = bare_url(url)
        stop_if(is_cancelled)
        host = target.netloc.decode("ascii")
        with self._throttle.turn(
            host, is_question=is_question, is_cancelled=is_cancelled, waits=waits
        ) as turn:
            yield from self._answer(target, request, turn, is_cancelled)

    def _answer(
        self,
        url: httpx.URL,
        request: "_Request",
        turn: Turn,
        is_cancelled: Callable[[], bool],
    ) -> Iterator[Response]:
        """Yield the one answer, and learn from it."""
        text = str(url)
        keys = {} if request.is_open else self._keys(text)
        method, body = request.method, request.body
        groups = [self._headers, request.all_headers, keys]
        network = self._network
        with translated(text, broken=Status.NETWORK_ERROR):
            sent = _raw_headers(url, groups)
            began, started = monotonic(), datetime.now(UTC)
            until = began + _HEAD_TIMEOUTS * network.timeout_s + network.connect_timeout_s
            answer = self._connections.send(
                method, url, sent, body, until=until, is_cancelled=is_cancelled
            )
        server = answer.connection.server
        exchange = _exchange(request, url, sent, answer.head, started, server, secret=keys)
        response = Response(
            answer,
            exchange,
            began=began,
            flow=Throughput(network.min_rate, network.timeout_s),
            bandwidth=self._bandwidth,
            stall_s=self.stall_s,
            is_cancelled=is_cancelled,
        )
        try:
            turn.head_came(exchange)
            yield response
        finally:
            self._connections.done(answer)
            turn.answer_came(response.exchange)

    def _keys(self, url: str) -> Mapping[str, str]:
        """Return the headers that open this address.

        Raises IngestStop (credentials-required) for a key that cannot stand in a header, without
        repeating it, as the library would.
        """
        if self._credentials is None:
            return {}
        keys = self._credentials.headers_for(url)
        for value in keys.values():
            if not (value.isascii() and value.isprintable()):
                message = tr(
                    "The key that is stored for {host_of} is damaged; store it again.",
                    host_of=host_of(url),
                )
                raise IngestStop(Status.CREDENTIALS_REQUIRED, message, may_repeat=False)
        return keys


def bare_url(url: str) -> httpx.URL:
    """Return a web address without a name and password in it, which no one is to be sent.

    Raises IngestStop (invalid-url).
    """
    parsed = httpx.URL(bare_address(url))
    has_port = parsed.port is None or 0 < parsed.port < 65536
    if parsed.scheme not in ("http", "https") or not parsed.host or not has_port:
        raise IngestStop(
            Status.INVALID_URL, tr("“{url}” is not a web address.", url=shown(url)[:200])
        )
    return parsed.copy_with(userinfo=b"") if parsed.userinfo else parsed


def environment_fault(error: Exception) -> str:
    """Return which variable of the environment keeps the client from being made."""
    named = os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR")
    if isinstance(error, OSError) and named:
        return tr(
            "SSL_CERT_FILE or SSL_CERT_DIR names {named}, which cannot be used: {error}.",
            named=named,
            error=error,
        )
    proxies = ", ".join(sorted(map(without_password, Proxies.of_environment().addresses)))
    if proxies:
        # The error is not repeated: it may hold the password that stands in the address.
        return tr(
            "The proxy settings of the environment ({proxies}) cannot be used: an address reads"
            " http://name:password@host:port, with %40 for an @ in a password, %2F for a slash.",
            proxies=proxies,
        )
    return tr("The network cannot be used as the environment says: {error}.", error=error)


def _exchange(
    request: _Request,
    url: httpx.URL,
    sent: RawHeaders,
    head: Head,
    started: datetime,
    server: Server,
    *,
    secret: Collection[str],
) -> Exchange:
    """Return what went over the wire, but for the headers whose names are `secret`."""
    unsaid = SECRET_HEADERS.union(name.lower().encode() for name in secret)
    headers = _bare(head.headers)
    return Exchange(
        url=str(url).partition("#")[0],
        target=url.raw_path,
        request_headers=tuple(pair for pair in sent if pair[0].lower() not in unsaid),
        status_code=head.status_code,
        reason=head.reason,
        response_headers=headers,
        freed_headers=frozenset(
            name.lower()
            for (name, value), (_, sent) in zip(headers, head.headers, strict=True)
            if value != sent
        ),
        started=started,
        method=request.method.decode("ascii"),
        request_body=request.question or b"",
        http_version=head.http_version,
        server=server,
    )


def _bare(headers: RawHeaders) -> RawHeaders:
    """Return headers with no user name or password in an address."""
    if not may_need_freeing(b"\n".join([value for _, value in headers]).decode("latin-1")):
        return headers
    return tuple((name, _bare_value(value)) for name, value in headers)


def _bare_value(value: bytes) -> bytes:
    text = value.decode("latin-1")
    freed = without_user_information(text)
    return value if freed == text else freed.encode("latin-1")


def _raw_headers(url: httpx.URL, groups: Iterable[Mapping[str, str]]) -> RawHeaders:
    """Return headers as they go over the wire; of those with one name the last counts."""
    merged = {"host": (b"Host", url.netloc)}
    for group in groups:
        for name, value in group.items():
            merged[name.lower()] = name.encode("ascii"), value.encode("latin-1")
    return tuple(merged.values())
