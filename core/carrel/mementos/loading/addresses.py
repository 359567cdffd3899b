# SPDX-License-Identifier: AGPL-3.0-or-later
"""Addresses that strangers give: where redirects lead, and what an archive's replays are of."""

import re
from urllib.parse import SplitResult, urljoin, urlsplit

import httpx

from carrel.model.user_information import bare_address

_PORTS = {"http": 80, "https": 443}
# The address within a replay's: behind its timestamp and modifier, else wherever one begins.
_BEHIND_TIMESTAMP = re.compile(r"/\d{4,17}(?:[a-z]{2}_)?/(https?:/.*)", re.IGNORECASE | re.DOTALL)
_EMBEDDED = re.compile(r"(?<!:/)(?<!:)/(https?:/.*)", re.IGNORECASE | re.DOTALL)


def web_parts(url: str) -> SplitResult | None:
    """Return the parts of a web address, None for what is none."""
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
        return parts if is_web and (parts.port is None or parts.port > 0) else None
    except ValueError:
        return None


def joined(base: str, location: str) -> str:
    """Return where a page's redirect leads, without user name or password, "" where that makes no
    sense."""
    try:
        return bare_address(urljoin(base, location))
    except ValueError:
        return ""


def server_of(url: str) -> tuple[str, int | None]:
    """Return host and port; HTTP and HTTPS at their own ports are one server."""
    parts = web_parts(url)
    if parts is None:
        return "", None
    is_usual = parts.port is None or parts.port == _PORTS[parts.scheme]
    return parts.hostname or "", None if is_usual else parts.port


def host_of(url: str) -> str:
    """Return the host of an address for people, the address itself where it has none."""
    return server_of(url)[0] or url[:200]


def is_same_address(one: str, other: str) -> bool:
    """Say whether two addresses are one, however they are spelled; HTTPS is another than HTTP."""
    return one == other or _plain(one) == _plain(other)


def embedded(url: str) -> str:
    """Return the address that a replay's address is of, "" for none."""
    found = _BEHIND_TIMESTAMP.search(url) or _EMBEDDED.search(url)
    return _with_slashes(found[1]) if found else ""


def behind_timestamp(url: str) -> str:
    """Return the address behind a timestamp in a replay's address, "" for none."""
    found = _BEHIND_TIMESTAMP.search(url)
    return _with_slashes(found[1]) if found else ""


def endpoint_of(url: str) -> str:
    """Return what an archive's replays begin with, as far as there is a timestamp behind it."""
    parts = web_parts(url)
    if parts is None:
        return url
    found = _BEHIND_TIMESTAMP.search(parts.path)
    return f"{parts.scheme}://{parts.netloc}{parts.path[: found.start()] if found else ''}/"


def _with_slashes(url: str) -> str:
    """Return a URL whose double slash was taken for one, as some servers do with paths."""
    return re.sub(r"^(https?):/+", r"\1://", url, flags=re.IGNORECASE)


def _plain(url: str) -> tuple[object, ...]:
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL:
        return (url,)
    return parsed.scheme, parsed.host, parsed.port, parsed.raw_path
