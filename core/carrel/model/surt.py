# SPDX-License-Identifier: AGPL-3.0-or-later
"""SURT keys: the form of a URL by which captures are sorted and found.

The rules are those that pywb and cdxj-indexer write and look up (the `surt` package 0.3 with its
defaults, after the Heritrix and wayback canonicalizers), so that their indexes and ours agree.
"""

import re
from urllib.parse import unquote_to_bytes

_SCHEME = re.compile(r"^([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_WITH_HOST = re.compile(
    r"^([a-z][a-z0-9+.-]*)://([^/?#]*)([^?#]*)(\?[^#]*)?", re.IGNORECASE | re.DOTALL
)
# People leave slashes out, and browsers forgive it.
_SLASHES = re.compile(r"^(https?):/?(?!/)", re.IGNORECASE)
_WWW = re.compile(r"^www\d*\.")
_OPAQUE = ("urn:", "mailto:", "dns:", "data:", "screenshot:")
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_CONTROL = re.compile(r"[\t\r\n]")

_PATH_SESSIONS = (
    re.compile(r"^(.*/)(\((?:[a-z]\([0-9a-z]{24}\))+\)/)([^?]+\.aspx.*)$", re.IGNORECASE),
    re.compile(r"^(.*/)(\([0-9a-z]{24}\)/)([^?]+\.aspx.*)$", re.IGNORECASE),
)
_QUERY_SESSIONS = (
    re.compile(r"^(.*)(?:jsessionid=[0-9a-z]{32})(?:&(.*))?$", re.IGNORECASE),
    re.compile(r"^(.*)(?:phpsessid=[0-9a-z]{32})(?:&(.*))?$", re.IGNORECASE),
    re.compile(r"^(.*)(?:sid=[0-9a-z]{32})(?:&(.*))?$", re.IGNORECASE),
    re.compile(r"^(.*)(?:aspsessionid[a-z]{8}=[a-z]{24})(?:&(.*))?$", re.IGNORECASE),
    re.compile(r"^(.*)(?:cfid=[^&]+&cftoken=[^&]+)(?:&(.*))?$", re.IGNORECASE),
)

# Bytes that stay as they are once everything was unescaped; the rest is written as %xx.
_SAFE = frozenset(range(0x21, 0x7F)) - frozenset(b"%#")


# Addresses of which the rules change nothing but case, www and the order of parameters. They are
# nearly all that is ever looked up, and take a fifth of the time so.
_PLAIN = re.compile(
    r"(https?)://(?:www\d*\.)?([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::([0-9]+))?"
    r"((?:/[a-z0-9_~@!$*+,;:=-][a-z0-9_~@!$*+,;:=.-]*)*)/?"
    r"(?:\?([a-z0-9_~@!$*+,;:=./&?-]+))?"
)
_MAYBE_SESSION = re.compile(r"sid=|sessionid|cfid=")


def surt(url: str) -> str:
    """Return the key of a URL, "-" for an empty one.

    A URL of a scheme without hosts (urn:, dns: ...) is its own key, in lower case. Raises
    ValueError for what has no host where it needs one.
    """
    return _plain_key(url) or key_by_all_rules(url)


def _plain_key(url: str) -> str | None:
    """Return the key of an address in which nothing has to be repaired, None for others."""
    if not url.isascii():
        return None
    match = _PLAIN.fullmatch(url.lower())
    if match is None:
        return None
    scheme, host, port, path, query = match.groups()
    if host.isdigit() or (query and _MAYBE_SESSION.search(query)):
        return None
    labels = host.split(".")
    labels.reverse()
    key = ",".join(labels)
    if port and port != _DEFAULT_PORTS[scheme]:
        key = f"{key}:{port}"
    if not query:
        return f"{key}){path or '/'}"
    return f"{key}){path or '/'}?{_in_order(query) if '&' in query else query}"


def key_by_all_rules(url: str) -> str:
    """Return the same key as `surt`, the long way."""
    cleaned = _CONTROL.sub("", url.strip())
    if not cleaned:
        return "-"
    if cleaned.startswith("filedesc:"):
        return cleaned
    if cleaned.lower().startswith(_OPAQUE):
        return cleaned.lower()
    if not _SCHEME.match(cleaned) or re.match(r"^[^/?#]*:\d+(?:[/?#]|$)", cleaned):
        cleaned = f"http://{cleaned}"
    match = _WITH_HOST.match(_SLASHES.sub(r"\1://", cleaned))
    if match is None:
        return cleaned
    scheme, authority, path, query = match.groups()
    if not authority and scheme.lower() not in _DEFAULT_PORTS:
        return cleaned
    host = _host_key(authority, scheme.lower())
    return f"{host}){_path_key(path)}{_query_key(query)}".lower()


def _host_key(authority: str, scheme: str) -> str:
    host, port = _split_port(authority.rpartition("@")[2])
    host = _canonical_host(host)
    if not host:
        raise ValueError(f"{authority!r} names no host")
    reversed_host = host if host.startswith("[") else ",".join(reversed(host.split(".")))
    reversed_host = reversed_host.strip("[]")
    if port and port != _DEFAULT_PORTS.get(scheme):
        return f"{reversed_host}:{port}"
    return reversed_host


def _split_port(authority: str) -> tuple[str, str]:
    match = re.match(r"^(\[[^\]]*\]|[^:]*)(?::(\d*))?$", authority)
    if match is None:
        raise ValueError(f"{authority!r} names no host")
    return match[1], match[2] or ""


def _canonical_host(host: str) -> str:
    text = unquote_to_bytes(host).decode("utf-8", "replace").strip(".")
    text = re.sub(r"\.{2,}", ".", text)
    if not text.isascii():
        try:
            text = text.encode("idna").decode("ascii")
        except UnicodeError:
            text = _escape(text.encode())
    text = _WWW.sub("", text.lower())
    return _dotted(text) if text.isdigit() else text


def _dotted(number: str) -> str:
    """Return a host that is one decimal number as the IPv4 address it stands for."""
    value = int(number)
    if value > 0xFFFFFFFF:
        return number
    return ".".join(str(value >> shift & 0xFF) for shift in (24, 16, 8, 0))


def _path_key(path: str) -> str:
    path = _escape(_unescape(path))
    segments: list[str] = []
    for segment in path.split("/")[1:]:
        # What is between two slashes counts as a folder, even where there is nothing.
        if segment == ".." and segments:
            segments.pop()
        elif segment != ".":
            segments.append(segment)
    joined = "/" + "/".join(filter(None, segments))
    for session in _PATH_SESSIONS:
        if match := session.match(joined):
            joined = match[1] + match[3]
    return joined.rstrip("/") or "/"


def _query_key(query: str | None) -> str:
    if not query or query == "?":
        return ""
    text = _escape(_unescape(query[1:]))
    for session in _QUERY_SESSIONS:
        if match := session.match(text):
            text = match[1] + (match[2] or "") if match[2] else match[1]
    if not text:
        return ""
    return "?" + _in_order(text.lower())


def _in_order(query: str) -> str:
    return "&".join(sorted(query.split("&"), key=lambda part: tuple(part.split("=", 1))))


def _unescape(text: str) -> bytes:
    """Undo escapes until nothing changes: what was escaped twice is the same resource."""
    raw = text.encode("utf-8", "surrogateescape")
    while (plain := unquote_to_bytes(raw)) != raw:
        raw = plain
    return raw


def _escape(raw: bytes) -> str:
    return "".join(chr(byte) if byte in _SAFE else f"%{byte:02x}" for byte in raw)
