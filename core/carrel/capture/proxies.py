# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which proxy leads to an address: as the environment says it, or the system's own settings.

`NO_PROXY` has no standard. Understood is what institutions write into it: names with everything
below them (`example.org`, `.example.org`, `*.example.org`), addresses and networks (`10.0.0.0/8`),
each with a port or without, and `*` for all.
"""

import ipaddress
import sys
from collections.abc import Mapping, Sequence
from urllib.request import getproxies, proxy_bypass

import httpx


class Proxies:
    """The proxies that there are, by the scheme they are for, and what is asked without them."""

    def __init__(self, by_scheme: Mapping[str, str], exceptions: Sequence[str]) -> None:
        self._by_scheme, self._exceptions = by_scheme, exceptions

    @classmethod
    def of_environment(cls) -> "Proxies":
        """Return what the environment says now."""
        found = getproxies()
        by_scheme = {
            scheme: address if "://" in address else f"http://{address}"
            for scheme in ("http", "https", "all")
            if (address := found.get(scheme))
        }
        return cls(by_scheme, [each.strip() for each in found.get("no", "").split(",")])

    @property
    def addresses(self) -> frozenset[str]:
        return frozenset(self._by_scheme.values())

    def leading_to(self, url: httpx.URL | str) -> str | None:
        """Return the proxy through which an address is requested, None if through none.

        Raises httpx.InvalidURL.
        """
        target = httpx.URL(url)
        proxy = self._by_scheme.get(target.scheme) or self._by_scheme.get("all")
        if proxy is None or any(_names(each, target) for each in self._exceptions):
            return None
        # There the system has a list of its own.
        is_bypassed = sys.platform in ("darwin", "win32") and proxy_bypass(target.host)
        return None if is_bypassed else proxy


def _names(exception: str, url: httpx.URL) -> bool:
    """Say whether an entry of NO_PROXY is about an address."""
    if exception == "*":
        return True
    scheme, _, entry = exception.rpartition("://")
    if not entry or (scheme and scheme.lower() != url.scheme):
        return False
    host = url.raw_host.decode("ascii").strip("[]").rstrip(".")
    if _is_in_network(host, entry):
        return True
    name, port = _without_port(entry)
    if port and int(port) != (url.port or {"http": 80, "https": 443}.get(url.scheme)):
        return False
    name = _ascii(name.lower().lstrip("*").strip("."))
    return bool(name) and (host == name or host.endswith(f".{name}"))


def _is_in_network(host: str, entry: str) -> bool:
    try:
        network = ipaddress.ip_network(entry.strip("[]"), strict=False)
        return ipaddress.ip_address(host) in network
    except ValueError:
        return False


def _without_port(entry: str) -> tuple[str, str]:
    """Return name and port of an entry; what has several colons is an address of IPv6."""
    if entry.startswith("["):
        address, _, rest = entry[1:].partition("]")
        return address, rest.lstrip(":") if rest.lstrip(":").isdecimal() else ""
    name, _, port = entry.rpartition(":")
    return (name, port) if name and ":" not in name and port.isdecimal() else (entry, "")


def _ascii(name: str) -> str:
    if name.isascii():
        return name
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return name
