# SPDX-License-Identifier: AGPL-3.0-or-later
"""The strip at the top of an archived page that says what it is.

It stands in a page of someone else's styles: all of it is reset and styled in place, since no
style sheet of a page outranks a style attribute that is important.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from carrel.mementos.server.references import escape
from carrel.mementos.server.rewriting import RAW, Links
from carrel.model.iso_time import iso_time
from carrel.translation import tr

_FONT = "15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
# Each colour twice: for browsers that know light-dark(), and before that for those that do not.
_STRIP = (
    "all:initial;display:block;position:relative;z-index:2147483647;box-sizing:border-box;width:100%;"
    "flex:0 0 100%;grid-column:1/-1;margin:0;padding:8px 16px;text-align:start;direction:ltr;"
    f"font:{_FONT};color-scheme:light dark;color:#1d2733;color:light-dark(#1d2733,#e6ebf1);"
    "background:#f3f0e7;background:light-dark(#f3f0e7,#1e252d);"
    "border-bottom:1px solid #8a8371;border-bottom-color:light-dark(#b9b19b,#56616d);"
    "overflow-wrap:anywhere"
)
_LINE = "all:unset;display:block;max-width:110ch"
_STRONG = "all:unset;font-weight:600"
_PLAIN = "all:unset"
_LINK = (
    "all:unset;color:#0b57a4;color:light-dark(#0b57a4,#8ec5ff);text-decoration:underline;"
    "text-underline-offset:2px;cursor:pointer;margin-inline-end:18px"
)
_MOST_SHOWN = 300


@dataclass(frozen=True, slots=True)
class Banner:
    """What is said of a page: its address, its moment (aware), and the source that it is from."""

    url: str
    moment: datetime
    source: str


def banner_html(banner: Banner, links: Links, sends_on_to: str = "") -> bytes:
    """Return the strip. `sends_on_to` is where the page leads by itself, "" for nowhere."""
    parts = [
        f'<div role="region" aria-label="About this archived copy" {_style(_STRIP)}>',
        f"<p {_style(_LINE)}>Archived copy of <b {_style(_STRONG)}>{_shown(banner.url)}</b> as "
        f"captured on {_time(banner.moment)}, from “{_shown(banner.source)}”. Scripts were "
        "removed; if something looks wrong, see the raw capture.</p>",
        _sent_on(sends_on_to, links),
        f"<p {_style(_LINE)}>",
        _link(links.own(banner.url, RAW), tr("Raw capture")),
        _link(links.captures_of(banner.url), tr("Other captures")),
        _link(banner.url, tr("The page on the web today")) if _is_web(banner.url) else "",
        "</p></div>",
    ]
    return "".join(parts).encode("utf-8", "replace")


def moment_in_words(moment: datetime) -> str:
    """Return a moment as people write it, in UTC."""
    at = moment.astimezone(UTC)
    return tr("{day} {at:%B} {year}, {at:%H:%M:%S} UTC", day=at.day, at=at, year=at.year)


def _sent_on(target: str, links: Links) -> str:
    address = links.rewrite(target) if target else ""
    if not address:
        return ""
    return f"<p {_style(_LINE)}>This page redirects to {_link(address, target[:_MOST_SHOWN])}</p>"


def _time(moment: datetime) -> str:
    machine = iso_time(moment)
    return f'<time datetime="{machine}" {_style(_PLAIN)}>{moment_in_words(moment)}</time>'


def _link(address: str, words: str) -> str:
    return (
        f'<a href="{escape(address)}" rel="noreferrer noopener" {_style(_LINK)}>{escape(words)}</a>'
    )


def _shown(text: str) -> str:
    return escape(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…")


def _is_web(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))


def _style(declarations: str) -> str:
    important = declarations.replace(";", "!important;")
    return f'style="{important}!important"'
