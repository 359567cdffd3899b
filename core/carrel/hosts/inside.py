# SPDX-License-Identifier: AGPL-3.0-or-later
"""Addresses inside the institution's own network, where no public page has business to lead.

Else a hostile manifest could have Carrel fetch what only this machine can reach, and put it into an
archive. What is written as a number or a local name is recognised; names are not looked up, since
behind a proxy that tells nothing.
"""

import contextlib
import socket
from functools import lru_cache
from ipaddress import ip_address

_LOCAL_ENDINGS = (".localhost", ".localdomain", ".local", ".internal", ".home.arpa")


def is_inside(url: str) -> bool:
    """Say whether an address is one of this machine or of a private network."""
    return _is_inside_host(_host(url))


def is_loopback(host: str) -> bool:
    """Say whether a host, without its port, is this machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@lru_cache(maxsize=256)
def _host(url: str) -> str:
    """Return the host as the client asks for it: other letters for a dot are dots."""
    import httpx  # with the first address

    try:
        return httpx.URL(url).raw_host.decode("ascii", "replace").rstrip(".").strip("[]")
    except (httpx.InvalidURL, UnicodeError):
        return ""


@lru_cache(maxsize=256)
def _is_inside_host(host: str) -> bool:
    if host == "localhost" or host.endswith(_LOCAL_ENDINGS):
        return True
    with contextlib.suppress(OSError, UnicodeError):
        # Every spelling that a resolver takes for a number: 127.1, 0x7f000001, 2130706433.
        host = socket.inet_ntoa(socket.inet_aton(host))
    try:
        return not ip_address(host).is_global
    except ValueError:
        return False


def leads_inside(start: str, target: str) -> bool:
    """Say whether a public address leads to one inside."""
    return not is_inside(start) and is_inside(target)
