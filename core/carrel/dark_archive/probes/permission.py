# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether an address may be requested: public, not resting, and not against its host's wish."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from carrel.capture.client import Response
from carrel.capture.exchange import Exchange
from carrel.capture.hops import Hops
from carrel.dark_archive.probes.faults import Fault
from carrel.dark_archive.probes.hosts import Host, Hosts
from carrel.dark_archive.probes.own_network import OwnNetwork
from carrel.dark_archive.probes.request import Requests, has_proxy_failed
from carrel.errors import IngestStop
from carrel.hosts import robots
from carrel.hosts.inside import is_inside
from carrel.hosts.pauses import held
from carrel.hosts.robots import Robots
from carrel.settings.consequences import REACHES_OWN_NETWORK
from carrel.translation import tr

# So many redirects of a robots.txt are followed at least (RFC 9309, 2.3.1.2).
_ROBOTS_HOPS = 5
# What says nothing of robots.txt, but of us or of what is between.
_NOT_OF_ROBOTS = frozenset({"proxy", "busy-here", "left-alone", "not-public", "not-fetchable"})


@dataclass(frozen=True, slots=True)
class Permission:
    """Knows for a run what may be asked. Threads may share it."""

    requests: Requests
    hosts: Hosts
    own_network: OwnNetwork
    private_networks: bool

    def objection(
        self, url: str, came_from: str | None, is_cancelled: Callable[[], bool]
    ) -> Fault | None:
        """Return why an address is not to be requested, None if it may be.

        `came_from` is the address that led here, None if it is the one that was requested. Asks for
        the host's robots.txt, if that is not known yet. Raises Cancelled.
        """
        if not _is_web_address(url):
            return Fault("not-fetchable", tr("“{url}” is not a web address.", url=url[:200]))
        if not self._is_open(url, came_from):
            return _closed(url, came_from)
        host = self.hosts.of(url)
        return self._resting(host, url) or self._robots_objection(host, url, is_cancelled)

    def _is_open(self, url: str, came_from: str | None) -> bool:
        """Say whether an address is public, or may be asked anyway."""
        if not is_inside(url):
            return True
        if came_from is not None and not is_inside(came_from):
            return False
        return self.private_networks

    def _resting(self, host: Host, url: str) -> Fault | None:
        if host.is_down:
            message = tr(
                "{name} could not be reached several times in a row; no more requests are sent.",
                name=host.name,
            )
            return Fault("host-down", message)
        if host.is_left_alone:
            message = tr(
                "{name} asks for no requests until {until:%Y-%m-%d %H:%M} UTC.",
                name=host.name,
                until=host.quiet_until,
            )
            return Fault("left-alone", message)
        if not is_inside(url) and self.own_network.is_offline:
            return Fault("offline", tr("No host can be reached: this machine seems to be offline."))
        return None

    def _robots_objection(
        self, host: Host, url: str, is_cancelled: Callable[[], bool]
    ) -> Fault | None:
        if host.robots is None:
            with held(host.asking_robots, is_cancelled):
                if host.robots is None:
                    found = self._robots_of(url, is_cancelled)
                    if isinstance(found, Fault):
                        return found
                    host.robots = found
        if host.robots.allows(url):
            return None
        if host.robots.is_known:
            return Fault(
                "robots", tr("The robots.txt of {name} disallows {url}.", name=host.name, url=url)
            )
        message = tr(
            "The robots.txt of {name} cannot be read, so nothing is fetched there.", name=host.name
        )
        return Fault("robots-unreachable", message)

    def _robots_of(self, url: str, is_cancelled: Callable[[], bool]) -> Robots | Fault:
        """Return what a host's robots.txt asks for, or why the host cannot be asked at all."""
        at = urljoin(url, "/robots.txt")
        hops = Hops(at)
        while True:
            answer = self.requests.ask(at, _read_robots, is_cancelled, keeps_distance=False)
            if answer.exchange is None or answer.fault is not None:
                return _unread(answer.fault, is_first=len(hops.urls) == 1)
            if has_proxy_failed(answer.exchange, at):
                code = answer.exchange.status_code
                return Fault(
                    f"http-{code}",
                    tr("The proxy answered for {at} with HTTP {code}.", at=at, code=code),
                )
            try:
                target = hops.next_after(answer.exchange)
            except IngestStop:
                return robots.ALLOW_ALL  # as if there were none (RFC 9309, 2.3.1.2)
            if target is None:
                return _robots_in(answer.exchange)
            if len(hops.urls) > _ROBOTS_HOPS + 1:
                return robots.ALLOW_ALL
            if not self._is_open(target, at):
                return robots.UNREACHABLE
            at = target


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        has_port = parts.port is None or parts.port > 0
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and has_port


def _closed(url: str, came_from: str | None) -> Fault:
    if came_from is not None and not is_inside(came_from):
        return Fault(
            "bad-redirect",
            tr(
                "{came_from} redirects to {url}, inside a private network.",
                came_from=came_from,
                url=url,
            ),
        )
    message = tr(
        "{url} is inside a private network, and only public content is harvested. “Harvest "
        "settings” in the window allows it with “{setting}” in Settings, or “private_networks = "
        "yes” in the configuration of the harvest (dark_archive/gathering.conf in the archive "
        "folder) with “private_networks = true” in yours.",
        url=url,
        setting=REACHES_OWN_NETWORK,
    )
    return Fault("not-public", message)


def _read_robots(response: Response) -> Fault | None:
    try:
        response.read(robots.MAX_BYTES)
    except IngestStop as stop:
        return Fault("robots-unreachable", str(stop), may_pass=True)
    return None


def _robots_in(exchange: Exchange) -> Robots:
    code = exchange.status_code
    if code in (200, 203):
        return robots.understood(exchange.body)
    return robots.UNREACHABLE if code >= 500 or code == 429 else robots.ALLOW_ALL


def _unread(fault: Fault | None, *, is_first: bool) -> Robots | Fault:
    """Return what it means that a robots.txt did not come.

    A host that connects and then says nothing may be slow with this file only; one that cannot be
    connected to has nothing else to give either, and the question itself ends so.
    """
    if fault is None or not is_first:
        return robots.UNREACHABLE
    is_general = fault.outcome in _NOT_OF_ROBOTS or fault.outcome.startswith("http-")
    return fault if fault.is_connecting or is_general else robots.UNREACHABLE
