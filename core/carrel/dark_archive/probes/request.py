# SPDX-License-Identifier: AGPL-3.0-or-later
"""One request to one host, in its turn, and once more where that may help. Follows no redirect."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from carrel.capture.client import Client, Response
from carrel.capture.exchange import Exchange
from carrel.capture.media import is_page
from carrel.dark_archive.probes.download import Received
from carrel.dark_archive.probes.faults import Fault, fault_of, is_by_proxy
from carrel.dark_archive.probes.hosts import LONGEST_PAUSE_S, Host, Hosts
from carrel.dark_archive.probes.own_network import OwnNetwork
from carrel.errors import IngestStop
from carrel.hosts.inside import is_inside
from carrel.hosts.retry import RetryPolicy, may_pass, retry_after_s
from carrel.model import Status
from carrel.translation import tr

_FIRST_PAUSE_S = 1.0
# What is worth looking at in a page that says why there is nothing.
_ERROR_PAGE_BYTES = 256 * 1024
# By these a proxy says that it reached no one.
_PROXY_FAILED = (502, 503, 504)

Take = Callable[[Response], Received | Fault | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came: the exchange, None if no one answered; its body, in a file; what went wrong."""

    exchange: Exchange | None = None
    received: Received | None = None
    fault: Fault | None = None

    def drop(self) -> None:
        """Remove what was received. Raises OSError."""
        if self.received is not None:
            self.received.payload.path.unlink(missing_ok=True)


class Requests:
    """Asks. Threads may share it."""

    def __init__(
        self,
        client: Client,
        hosts: Hosts,
        own_network: OwnNetwork,
        *,
        private_networks: bool,
        tries: int,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client, self._hosts, self._own_network = client, hosts, own_network
        self._private_networks = private_networks
        self._retries = RetryPolicy(tries, _FIRST_PAUSE_S, sleep, LONGEST_PAUSE_S)

    def ask(
        self,
        url: str,
        take: Take,
        is_cancelled: Callable[[], bool],
        *,
        keeps_distance: bool = True,
    ) -> Answer:
        """Return the answer to a GET. `take` gets the bodies of answers with 200 or 203.

        Raises Cancelled, and OSError of the disk.
        """
        host = self._hosts.of(url)
        is_known_bad = host.has_failed
        for attempt in self._retries.attempts():
            with host.turn(is_cancelled, keeps_distance=keeps_distance):
                answer = self._once(url, host, take, is_cancelled)
            reason = _reason_to_repeat(answer, url, is_known_bad=is_known_bad)
            if reason is None or not attempt.may_repeat(reason):
                break
            answer.drop()
            attempt.wait(reason, is_cancelled)
        self._count(host, answer, url)
        return answer

    def _once(self, url: str, host: Host, take: Take, is_cancelled: Callable[[], bool]) -> Answer:
        try:
            with self._client.open(url, {"Accept": "*/*"}, is_cancelled=is_cancelled) as response:
                self._heard(url, host, response.exchange)
                if self._came_from_inside(response, url):
                    message = tr("{url} leads to a machine inside a private network.", url=url)
                    return Answer(fault=Fault("not-public", message))
                return _taken(response, take)
        except IngestStop as stop:
            return Answer(fault=self._weighed(_heeding(host, fault_of(stop, url))))

    def _heard(self, url: str, host: Host, exchange: Exchange) -> None:
        """Learn from an answer that there is one."""
        if has_proxy_failed(exchange, url):
            return
        host.answered()
        if not is_inside(url):
            self._own_network.heard()

    def _weighed(self, fault: Fault) -> Fault:
        """Return a fault as a doubtful one, where it may be our own."""
        if not fault.may_be_ours or not self._own_network.explains(is_unsure=fault.is_unsure):
            return fault
        detail = tr("{detail} It may be our own network that fails.", detail=fault.detail)
        return replace(fault, detail=detail, is_doubtful=True)

    def _count(self, host: Host, answer: Answer, url: str) -> None:
        """Learn from a failure, once a question."""
        fault, exchange = answer.fault, answer.exchange
        if exchange is not None and has_proxy_failed(exchange, url):
            host.failed()
        if fault is not None and fault.is_host_down:
            host.failed()
        if fault is not None and (fault.is_doubtful or fault.outcome == "proxy"):
            self._own_network.failed()

    def _came_from_inside(self, response: Response, url: str) -> bool:
        """Say whether a public name led to an address inside; behind a proxy no one can tell."""
        if self._private_networks or is_inside(url) or is_by_proxy(url):
            return False
        peer = response.peer
        return is_inside(f"http://[{peer}]/" if ":" in peer else f"http://{peer}/")


def _heeding(host: Host, fault: Fault) -> Fault:
    """Return the fault of a host that answers others as one that is slow: it is responding."""
    if fault.outcome != "timeout" or not host.has_answered:
        return fault
    detail = tr("{detail} Its host answered other requests.", detail=fault.detail)
    return replace(fault, outcome="too-slow", detail=detail)


def has_proxy_failed(exchange: Exchange, url: str) -> bool:
    """Say whether it is a proxy that answers, because it cannot reach the host."""
    return exchange.status_code in _PROXY_FAILED and is_by_proxy(url)


def _taken(response: Response, take: Take) -> Answer:
    if response.exchange.status_code not in (200, 203):
        return Answer(_with_words(response))
    received = take(response)
    if isinstance(received, Fault):
        return Answer(response.exchange, fault=received)
    if received is not None and is_page(received.shown):
        # A bot check with status 200 is one by its words only: the client's throttle reads them.
        response.exchange = replace(response.exchange, body=received.beginning)
    return Answer(response.exchange, received)


def _with_words(response: Response) -> Exchange:
    """Return an answer without payload; its words are missing if they do not come."""
    try:
        return response.read(_ERROR_PAGE_BYTES)
    except IngestStop:
        return response.exchange


def _reason_to_repeat(answer: Answer, url: str, *, is_known_bad: bool) -> IngestStop | None:
    """Return why a retry may help and when, None if it will not."""
    fault, exchange = answer.fault, answer.exchange
    if fault is not None:
        may = fault.may_pass and not (fault.is_host_down and is_known_bad)
        return _stop(fault.detail) if may else None
    if exchange is None or not may_pass(exchange.status_code):
        return None
    wait_s = retry_after_s(exchange.headers.get("retry-after"))
    if exchange.status_code == 429 and wait_s is None:
        return None
    return _stop(
        tr("{url} answered with HTTP {status_code}.", url=url, status_code=exchange.status_code),
        wait_s,
    )


def _stop(message: str, wait_s: float | None = None) -> IngestStop:
    return IngestStop(Status.NETWORK_ERROR, message, may_repeat=True, retry_after_s=wait_s)
