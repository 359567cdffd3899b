# SPDX-License-Identifier: AGPL-3.0-or-later
"""What goes wrong on the network, in words that a person understands and without anybody's keys."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from carrel.capture.throughput import TooSlow
from carrel.errors import IngestStop
from carrel.model import Status


@contextmanager
def translated(url: str, *, broken: Status = Status.TRUNCATED) -> Iterator[None]:
    """Turn errors of httpx, and of httpcore under it, into an IngestStop that people understand.

    `broken` is the status when the other side does not keep to HTTP, or ends the conversation.
    """
    try:
        yield
    except (
        httpx.InvalidURL,
        httpx.UnsupportedProtocol,
        httpcore.UnsupportedProtocol,
        UnicodeError,
    ) as error:
        raise IngestStop(Status.INVALID_URL, f"“{url[:200]}” is not a web address.") from error
    except (httpx.LocalProtocolError, httpcore.LocalProtocolError):
        # The library's words repeat the header, which may hold a key.
        message = f"The question to {host_of(url)} can not be put into HTTP."
        raise IngestStop(Status.INVALID_URL, message) from None
    except TooSlow as error:
        raise IngestStop(Status.READ_TIMEOUT, f"{host_of(url)} {error} of {url}.") from error
    except (httpx.TimeoutException, httpcore.TimeoutException, TimeoutError) as error:
        raise IngestStop(Status.READ_TIMEOUT, f"{host_of(url)} did not answer in time.") from error
    except (httpx.RemoteProtocolError, httpcore.RemoteProtocolError) as error:
        what = "broke off in the middle of" if broken is Status.TRUNCATED else "did not answer"
        reason = str(error).rstrip(".")
        raise IngestStop(broken, f"{host_of(url)} {what} {url}: {reason}.") from error
    except (httpx.ReadError, httpcore.ReadError, ConnectionError) as error:
        if broken is not Status.TRUNCATED:
            raise _network_stop(url, error) from error
        message = f"{host_of(url)} broke off in the middle of {url}: {_reason(error)}."
        raise IngestStop(broken, message) from error
    except (
        httpx.TransportError,
        httpcore.NetworkError,
        httpcore.ProtocolError,
        httpcore.ProxyError,
    ) as error:
        raise _network_stop(url, error) from error


def _network_stop(url: str, error: Exception) -> IngestStop:
    if any(isinstance(cause, socket.gaierror) for cause in _causes(error)):
        message = f"There is no host called {host_of(url)}, or it cannot be looked up from here."
        return IngestStop(Status.INVALID_HOST_RESOLUTION, message)
    message = f"{host_of(url)} cannot be reached{_by_proxy(url)}: {_reason(error)}."
    return IngestStop(Status.NETWORK_ERROR, message)


def _reason(error: Exception) -> str:
    """Return the innermost words of the system, else those of the library."""
    reason = str(error)
    for cause in _causes(error):
        if isinstance(cause, OSError) and cause.strerror:
            reason = cause.strerror
    return reason


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _by_proxy(url: str) -> str:
    """Return through which proxy an address is asked for, for people; "" if through none."""
    proxies = getproxies()
    proxy = proxies.get(url.partition(":")[0].lower()) or proxies.get("all")
    if not proxy or proxy_bypass(host_of(url)):
        return ""
    return f" through the proxy {without_password(proxy)}"


def without_password(url: str) -> str:
    scheme, _, rest = url.rpartition("://")
    bare = rest.rpartition("@")[2]
    return f"{scheme}://{bare}" if scheme else bare


def host_of(url: str) -> str:
    try:
        return httpx.URL(url).host or url
    except httpx.InvalidURL:
        return url
