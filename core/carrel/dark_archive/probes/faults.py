# SPDX-License-Identifier: AGPL-3.0-or-later
"""Why no one answered, told from what the client raises."""

import errno
import re
import socket
import ssl
from dataclasses import dataclass

import httpcore

from carrel.capture.proxies import Proxies
from carrel.causes import with_causes
from carrel.errors import IngestStop
from carrel.model import Status

# By any of these a resolver says that there is no such name; by the others, that it does not know.
_NO_SUCH_NAME = frozenset(
    number
    for name in ("EAI_NONAME", "EAI_NODATA")
    if (number := getattr(socket, name, None)) is not None
)
# Windows has numbers of its own: host not found, no data (WinSock 11001, 11004).
_NO_SUCH_NAME_IN_WINDOWS = (11001, 11004)
_TOO_MANY = (errno.EMFILE, errno.ENFILE)
_NO_WAY = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL)

_BY_STATUS = {
    Status.INVALID_URL: "not-fetchable",
    Status.RATE_LIMITED: "left-alone",
    Status.BLOCKED_CHALLENGE: "left-alone",
    Status.FORBIDDEN: "left-alone",
}
# What says that the host as a whole cannot be reached.
_OF_THE_HOST = frozenset({"dns", "refused", "timeout", "tls", "unreachable"})


@dataclass(frozen=True, slots=True)
class Fault:
    """`outcome` is a word of `outcomes`.

    `is_host_down` counts against the host; `may_be_ours` says that our own network may be to blame,
    `is_unsure` that it is so unless others can be reached, and `is_doubtful` that it is so now.
    `is_connecting` says that there was not even a connection, `may_pass` that trying again soon may
    help.
    """

    outcome: str
    detail: str
    is_host_down: bool = False
    may_be_ours: bool = False
    is_unsure: bool = False
    may_pass: bool = False
    is_connecting: bool = False
    is_doubtful: bool = False


def fault_of(stop: IngestStop, url: str) -> Fault:
    """Return why there was no answer from `url`."""
    detail = str(stop)
    if stop.status in _BY_STATUS:
        return Fault(_BY_STATUS[stop.status], detail)
    if is_by_proxy(url):
        return _proxy_fault(stop, detail)
    causes = tuple(with_causes(stop))
    if any(isinstance(cause, OSError) and cause.errno in _TOO_MANY for cause in causes):
        return Fault("busy-here", detail, may_pass=True)
    outcome = _outcome(stop.status, causes)
    is_unsure = outcome == "unreachable" or (outcome == "dns" and not _is_known_missing(causes))
    is_late = any(isinstance(cause, httpcore.ConnectTimeout) for cause in causes)
    return Fault(
        outcome,
        detail,
        is_host_down=outcome in _OF_THE_HOST,
        may_be_ours=outcome in ("dns", "unreachable") or is_late,
        is_unsure=is_unsure,
        may_pass=outcome in ("timeout", "no-answer"),
        is_connecting=is_late or outcome in ("dns", "refused", "tls", "unreachable"),
    )


def is_by_proxy(url: str) -> bool:
    """Say whether an address is requested through a proxy, as the environment says."""
    return Proxies.of_environment().leading_to(url) is not None


def _proxy_fault(stop: IngestStop, detail: str) -> Fault:
    """Return what a proxy failed with: nothing is known of the host behind it then."""
    for cause in with_causes(stop):
        said = re.match(r"5\d\d", str(cause)) if isinstance(cause, httpcore.ProxyError) else None
        if said:
            return Fault(f"http-{said[0]}", detail, is_host_down=True, may_pass=True)
    return Fault("proxy", detail, may_pass=True)


def _outcome(status: Status, causes: tuple[BaseException, ...]) -> str:
    if status is Status.INVALID_HOST_RESOLUTION:
        return "dns"
    if status is Status.READ_TIMEOUT:
        return "timeout"
    for cause in causes:
        if isinstance(cause, ssl.SSLError):
            return "tls"
        if isinstance(cause, ConnectionRefusedError):
            return "refused"
        if isinstance(cause, OSError) and cause.errno in _NO_WAY:
            return "unreachable"
    return "no-answer"


def _is_known_missing(causes: tuple[BaseException, ...]) -> bool:
    numbers = [cause.errno for cause in causes if isinstance(cause, socket.gaierror)]
    return any(each in _NO_SUCH_NAME or each in _NO_SUCH_NAME_IN_WINDOWS for each in numbers)
