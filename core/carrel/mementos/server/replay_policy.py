# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a browser may do with an archived page: show it, and nothing else.

A page gets an origin of its own that is no one's (`sandbox` without `allow-same-origin`), no script
runs in it, and it loads images, styles, fonts, media and frames from one place of this server only.

What follows from that was measured in Chromium (November 2026): the page's own images come with
`Sec-Fetch-Site: cross-site`, its fonts with `Origin: null`, and `Cross-Origin-Resource-Policy:
same-origin` or `frame-ancestors 'self'` on them would keep them from it, as they would keep any
stranger. Hence the `Door`: archived pages fetch what they embed by a prefix that no stranger knows.
"""

import secrets
from urllib.parse import urlsplit

from carrel.mementos.server.rewriting import Links

_DOOR = "_embedded"
# A click on a file of a landing page is a download, which a sandbox forbids unless it is allowed.
_SANDBOX = "sandbox allow-downloads"
_NOTHING_ELSE = (
    "default-src 'none'; script-src 'none'; connect-src 'none'; object-src 'none'; "
    "worker-src 'none'; manifest-src 'none'; form-action 'none'; base-uri 'none'"
)
# Browsers show PDF by a program of their own, which does not start in a sandbox. It needs
# styles of its own making, and nothing from anywhere.
_PDF_POLICY = (
    "default-src 'none'; script-src 'none'; connect-src 'none'; form-action 'none'; "
    "base-uri 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
)
PDF = "application/pdf"

_ALWAYS = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("X-DNS-Prefetch-Control", "off"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
)
# Types that a browser shows. All others are saved, not opened: among them are certificates and
# extensions, which it would offer to install.
_SHOWN = ("image/", "audio/", "video/", "font/")
_SHOWN_TYPES = frozenset(
    {
        "text/html",
        "application/xhtml+xml",
        "text/plain",
        "text/css",
        "text/csv",
        "text/xml",
        "text/javascript",
        "text/markdown",
        "text/tab-separated-values",
        "text/vtt",
        "application/javascript",
        "application/json",
        "application/ld+json",
        "application/geo+json",
        "application/xml",
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "application/vnd.ms-fontobject",
        "application/font-woff",
        "application/font-woff2",
        "application/x-font-ttf",
        "application/x-font-woff",
        "application/pdf",
    }
)


class Door:
    """The prefix by which archived pages fetch what they embed; new with each run of the server.

    Whoever comes by it was shown to it in an archived page, so that a server may answer it alone
    when a browser says that another site's page is asking.
    """

    NAME = _DOOR

    def __init__(self, key: str = "") -> None:
        self._key = key or secrets.token_urlsafe(18)

    def prefix(self, collection_prefix: str) -> str:
        """Return the prefix for a collection, given its own: `/<coll>/`, or a whole address."""
        start, _, name = collection_prefix.rstrip("/").rpartition("/")
        return f"{start}/{_DOOR}/{self._key}/{name}/"

    def behind(self, path: str) -> str | None:
        """Return what a path (as sent, from its first slash) asks for behind the door.

        None for a path that is not by the door, or has not its key.
        """
        start, _, rest = path.removeprefix(f"/{_DOOR}/").partition("/")
        is_known = secrets.compare_digest(start.encode(), self._key.encode())
        return f"/{rest}" if path.startswith(f"/{_DOOR}/") and is_known else None


def embedded_source(links: Links, host: str) -> str:
    """Return the one place that a page may load from, as a policy names it.

    `host` is that of the request, with its port, which the server has checked.
    """
    parts = urlsplit(links.embedded)
    place = f"{parts.netloc or host}{parts.path}"
    return place.replace(";", "%3B").replace(",", "%2C").replace(" ", "%20")


def page_policy(source: str, *, is_embedded: bool = False) -> str:
    """Return the Content-Security-Policy of what is replayed.

    Styles in place are archived pages' own, and load nothing but what the policy lets them load. A
    frame's parent is an archived page, which has no origin that could be named: a frame may be
    anywhere, but for that its address must be known.
    """
    loaded = (
        f"img-src {source} data:; style-src {source} 'unsafe-inline'; font-src {source} data:; "
        f"media-src {source} data:; frame-src {source}"
    )
    policy = f"{_SANDBOX}; {_NOTHING_ELSE}; {loaded}"
    return policy if is_embedded else f"{policy}; frame-ancestors 'self'"


def replay_headers(
    mimetype: str, source: str, *, is_embedded: bool = False
) -> list[tuple[str, str]]:
    """Return the headers that say what a browser may do with a replayed resource.

    `is_embedded` says that a page asks for it, by the door, to show it within itself.
    """
    is_pdf = mimetype == PDF and not is_embedded
    policy = _PDF_POLICY if is_pdf else page_policy(source, is_embedded=is_embedded)
    headers = [("Content-Security-Policy", policy), *_ALWAYS]
    headers.append(
        ("Cross-Origin-Resource-Policy", "cross-origin" if is_embedded else "same-origin")
    )
    if is_embedded:
        # Fonts are requested by origin, which for these pages is “null”.
        headers += [("Access-Control-Allow-Origin", "null"), ("Vary", "Origin")]
    headers.append(
        ("Cache-Control", "private, max-age=300" if is_embedded else "no-cache, private")
    )
    return headers


def is_shown(mimetype: str) -> bool:
    """Say whether a browser shows a type, so that it need not be saved."""
    return mimetype in _SHOWN_TYPES or mimetype.startswith(_SHOWN)
