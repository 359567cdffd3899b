# SPDX-License-Identifier: AGPL-3.0-or-later
"""What goes wrong on the network, in words that a person understands and without anyone's keys."""

import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import httpcore
import httpx

from carrel.capture.http1.head import ProtocolViolation
from carrel.capture.name_service import NameService
from carrel.capture.proxies import Proxies
from carrel.capture.throughput import TooSlow
from carrel.causes import reason_of, with_causes
from carrel.errors import IngestStop
from carrel.model import Status
from carrel.model.user_information import bare_address
from carrel.translation import tr

# How the words of h11, and ours, begin where a body ends before its time.
_CUT_SHORT = ("peer closed connection", "the connection ended")
_CAME = re.compile(r"received (\d+) bytes, expected (\d+)")
# What OpenSSL calls a certificate that no authority vouches for which is known here (x509_vfy.h):
# X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT and the three that follow it.
_UNKNOWN_AUTHORITY = (18, 19, 20, 21)
_names = NameService()


@contextmanager
def translated(url: str, *, broken: Status = Status.TRUNCATED) -> Iterator[None]:
    """Turn errors of httpx, and of httpcore under it, into an IngestStop that people understand.

    `broken` is the status when the other side ends the conversation. What it says against the rules
    of HTTP is a fault of the server (remote-server-error), whenever it says it.
    """
    url = bare_address(url)
    try:
        yield
    except (
        httpx.InvalidURL,
        httpx.UnsupportedProtocol,
        httpcore.UnsupportedProtocol,
        UnicodeError,
    ) as error:
        raise IngestStop(
            Status.INVALID_URL, tr("“{url}” is not a web address.", url=url[:200])
        ) from error
    except (httpx.LocalProtocolError, httpcore.LocalProtocolError):
        # The library's words repeat the header, which may hold a key.
        message = tr("The request to {host_of} cannot be written as HTTP.", host_of=host_of(url))
        raise IngestStop(Status.INVALID_URL, message) from None
    except TooSlow as error:
        raise IngestStop(
            Status.READ_TIMEOUT,
            tr("{host_of} {error} of {url}.", host_of=host_of(url), error=error, url=url),
        ) from error
    except (httpx.TimeoutException, httpcore.TimeoutException, TimeoutError) as error:
        message = tr(
            "{host_of} did not answer in time{by_proxy}.",
            host_of=host_of(url),
            by_proxy=_by_proxy(url),
        )
        raise IngestStop(Status.READ_TIMEOUT, message) from error
    except (httpx.RemoteProtocolError, httpcore.RemoteProtocolError) as error:
        raise _breach(error, url, broken) from None
    except (httpx.ReadError, httpcore.ReadError, ConnectionError) as error:
        if broken is not Status.TRUNCATED:
            message = tr(
                "{host_of} closed the connection before it answered{by_proxy}",
                host_of=host_of(url),
                by_proxy=_by_proxy(url),
            )
            raise IngestStop(broken, f"{message}: {reason_of(error)}.") from error
        raise IngestStop(broken, broke_off(url, reason_of(error))) from error
    except (
        httpx.TransportError,
        httpcore.NetworkError,
        httpcore.ProtocolError,
        httpcore.ProxyError,
    ) as error:
        raise _network_stop(url, error) from error


def _breach(error: Exception, url: str, broken: Status) -> IngestStop:
    """Return what the other side did, without its bytes: they may repeat a key that was sent."""
    words, host = str(error), host_of(url)
    if words.startswith(_CUT_SHORT):
        found = _CAME.search(words)
        how = came(int(found[1]), int(found[2])) if found else "its end is missing"
        return IngestStop(broken, broke_off(url, how))
    if words.startswith("Server disconnected"):
        message = tr(
            "{host} did not answer {url}: it closed the connection without an answer.",
            host=host,
            url=url,
        )
        return IngestStop(broken, message)
    message = tr("{host} answered {url} with something that is not HTTP.", host=host, url=url)
    if isinstance(error, ProtocolViolation):
        message = tr(
            "The answer of {host} to {url} is not valid HTTP: {words}.",
            host=host,
            url=url,
            words=words,
        )
    return IngestStop(Status.REMOTE_SERVER_ERROR, message)


def broke_off(url: str, how: str) -> str:
    """Return, for people, how an answer ended before its time."""
    return tr(
        "{host_of} interrupted the transfer of {url}: {how}.",
        host_of=host_of(url),
        url=url,
        how=how,
    )


def came(count: int, total: int) -> str:
    """Return, for people, how many bytes came, of how many."""
    return tr("{count:,} of {total:,} bytes arrived", count=count, total=total)


def _network_stop(url: str, error: Exception) -> IngestStop:
    proxy = _by_proxy(url)
    for cause in with_causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return _distrust(url, proxy, cause)
        if isinstance(cause, ssl.SSLError):
            return _insecure(url, proxy, cause)
    if proxy and any(isinstance(cause, socket.gaierror) for cause in with_causes(error)):
        message = tr(
            "{host_of} cannot be reached{proxy}: there is no such proxy.",
            host_of=host_of(url),
            proxy=proxy,
        )
        return IngestStop(Status.NETWORK_ERROR, message)
    if any(isinstance(cause, socket.gaierror) for cause in with_causes(error)):
        return _unknown_host(url)
    message = tr(
        "{host_of} cannot be reached{proxy}: {reason}.",
        host_of=host_of(url),
        proxy=proxy,
        reason=reason_of(error),
    )
    return IngestStop(Status.NETWORK_ERROR, message)


def _distrust(url: str, proxy: str, error: ssl.SSLCertVerificationError) -> IngestStop:
    """Return what it means that a certificate was not accepted, without the library's words."""
    if error.verify_code in _UNKNOWN_AUTHORITY:
        message = tr(
            "The connection to {host_of}{proxy} is not trusted: its certificate was issued by an "
            "authority that is unknown here.",
            host_of=host_of(url),
            proxy=proxy,
        )
        return IngestStop(Status.CERTIFICATE_UNKNOWN, message, may_repeat=False)
    message = tr(
        "The connection to {host_of}{proxy} is not trusted: its certificate is not valid "
        "({reason}).",
        host_of=host_of(url),
        proxy=proxy,
        reason=error.verify_message.rstrip("."),
    )
    return IngestStop(Status.NETWORK_ERROR, message)


def _insecure(url: str, proxy: str, error: ssl.SSLError) -> IngestStop:
    """Return what it means that no secure connection came about, certificates apart."""
    message = tr(
        "{host_of} was reached{proxy}, but not over a secure connection (TLS: {reason}). If its "
        "pages open with http: in a browser, use that address.",
        host_of=host_of(url),
        proxy=proxy,
        reason=(error.reason or "").replace("_", " ").lower() or reason_of(error),
    )
    return IngestStop(Status.NETWORK_ERROR, message)


def _unknown_host(url: str) -> IngestStop:
    """Return what it means that a host was not found: where none is, the network is missing."""
    if _names.knows_others_than(host_of(url)):
        message = tr(
            "There is no host called {host_of}, or it cannot be looked up from here.",
            host_of=host_of(url),
        )
        return IngestStop(Status.INVALID_HOST_RESOLUTION, message)
    message = tr(
        "There is no network: {host_of} cannot be looked up, nor can any other host.",
        host_of=host_of(url),
    )
    return IngestStop(Status.NETWORK_ERROR, message)


def _by_proxy(url: str) -> str:
    """Return through which proxy an address is requested, for people; "" if through none."""
    try:
        proxy = Proxies.of_environment().leading_to(url)
    except httpx.InvalidURL:
        return ""
    return (
        tr(" through the proxy {without_password}", without_password=without_password(proxy))
        if proxy
        else ""
    )


def without_password(url: str) -> str:
    """Return the address of a proxy as it may be shown; whatever stands before its last @ is out,
    also where that is not valid as an address."""
    scheme, _, rest = url.partition("://")
    bare = (rest or scheme).rpartition("@")[2]
    return f"{scheme}://{bare}" if rest else bare


def host_of(url: str) -> str:
    try:
        return httpx.URL(url).host or url
    except httpx.InvalidURL:
        return url
