# SPDX-License-Identifier: AGPL-3.0-or-later
"""Web links as `Link` headers and TimeMaps write them (RFC 8288; RFC 6690; RFC 7089, section 5).

What others write is read with patience: line breaks anywhere, values without quotes, commas and
semicolons in addresses and in quotes, addresses relative to where they stand, a comma at the end.
What is not valid is left out and counted. The time is linear in the text, whatever it is.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from urllib.parse import quote, urljoin

from carrel.mementos import moments
from carrel.mementos.config.templates import fill
from carrel.model import Memento
from carrel.model.http_date import moment_of

_TARGET = re.compile(r"<([^<>]*)>")
_QUOTED = r'"((?:[^"\\]++|\\.)*+)"'
# A date without quotes has a comma and spaces in it, which no other bare value may.
_BARE = r"((?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},[^;,<>\"]*+|[^\s;,<>\"]*+)"
_PARAMETER = re.compile(
    rf'\s*+;\s*+([^\s=;,<>"]*+)\s*+(?:=\s*+(?:{_QUOTED}|{_BARE}))?', re.DOTALL | re.IGNORECASE
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_BETWEEN = re.compile(r"[\s,]*+")
_IMF_FIXDATE = re.compile(r"\w{3}, (\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT", re.ASCII)
# MemGator's TimeMaps in JSON have dates in this form.
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?Z", re.ASCII)
_MONTHS = {
    name: f"{number:02}"
    for number, name in enumerate(
        ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), 1
    )
}
# In a text with more nonsense than this the rest is nonsense too.
_MOST_SKIPPED = 100_000
_MEANINGLESS_IN_A_URI = re.compile(r"\s+")
_IN_A_URI = "!#$%&'()*+,/:;=?@[]~"


@dataclass(frozen=True, slots=True)
class Link:
    """A link to `uri`, which has a scheme; `rels` and names of `attributes` are in lower case."""

    uri: str
    rels: tuple[str, ...]
    attributes: Mapping[str, str] = field(default_factory=dict)


def parse_links(text: str, base: str = "") -> tuple[list[Link], int]:
    """Return the links in a text, and how many entries were not valid.

    `base` is the address at which the text stands. Nothing is read after 100,000 such entries.
    """
    links: list[Link] = []
    skipped = at = 0
    while skipped < _MOST_SKIPPED and (target := _TARGET.search(text, at)):
        skipped += _BETWEEN.fullmatch(text, at, target.start()) is None
        attributes, at = _attributes(text, target.end())
        link = _link(target[1], attributes, base)
        if link is None:
            skipped += 1
        else:
            links.append(link)
    skipped += _BETWEEN.fullmatch(text, at) is None
    return links, skipped


def timestamp_of(date: str) -> str:
    """Return a date as HTTP, mail or ISO 8601 write it in 14 digits, UTC. Raises ValueError."""
    if found := _ISO.fullmatch(date):
        timestamp = "".join(found.groups())
        moments.moment(timestamp)
        return timestamp
    if found := _IMF_FIXDATE.fullmatch(date):
        day, month, year, hour, minute, second = found.groups()
        timestamp = f"{year}{_MONTHS.get(month, '00')}{day}{hour}{minute}{second}"
        moments.moment(timestamp)
        return timestamp
    moment = moment_of(" ".join(date[:100].split()))
    if moment is None:
        raise ValueError(f"“{date[:60]}” is not a date")
    return moments.digits(moment)


def http_date(timestamp: str) -> str:
    """Return 14 digits as HTTP writes them (RFC 9110, 5.6.7). Raises ValueError."""
    return format_datetime(moments.moment(timestamp), usegmt=True)


def to_link_format(links: Iterable[Link], separator: str = ", ") -> str:
    """Return links as the value of a `Link` header; a TimeMap has line breaks between them."""
    return separator.join(map(link_value, links))


def link_value(link: Link) -> str:
    """Return one link. Nothing in it can end it, or the line it stands in."""
    named = {"rel": " ".join(link.rels), **link.attributes}
    return f"<{_safe_uri(link.uri)}>" + "".join(
        f'; {name}="{_safe_value(value)}"' for name, value in named.items()
    )


def timemap_lines(
    rows: Iterable[Memento], url: str, place: str, memento_format: str = ""
) -> Iterator[str]:
    """Yield the lines of the TimeMap of a URL, as rows in ascending order are read.

    `place` is the address of the collection on our server. `memento_format` is the template of
    addresses of mementos; "" for our own. Rows whose digits are not a valid time are left out.
    """
    yield link_value(Link(url, ("original",)))
    yield _next(Link(f"{place}/timegate/{url}", ("timegate",)))
    own = {"type": "application/link-format"}
    yield _next(Link(f"{place}/timemap/link/{url}", ("self",), own))
    template = memento_format or f"{place}/{{timestamp}}id_/{{url}}"
    for rels, row in _with_rels(rows):
        uri = fill(template, row.url or url, row.timestamp[:14])
        yield _next(Link(uri, rels, {"datetime": http_date(row.timestamp)}))
    yield "\n"


def _attributes(text: str, at: int) -> tuple[dict[str, str], int]:
    """Return the parameters that begin here, of repeated ones the first, and where they end."""
    attributes: dict[str, str] = {}
    while found := _PARAMETER.match(text, at):
        name, quoted, bare = found.groups()
        value = _ESCAPED.sub(r"\1", quoted) if quoted is not None else (bare or "").strip(" '")
        if name:
            attributes.setdefault(name.lower(), value)
        at = found.end()
    return attributes, at


def _link(target: str, attributes: dict[str, str], base: str) -> Link | None:
    rels = tuple(attributes.pop("rel", "").lower().split())
    if not rels:
        return None
    uri = _MEANINGLESS_IN_A_URI.sub("", target)
    if not uri.lower().startswith(("http://", "https://")):
        try:
            uri = urljoin(base, uri)
        except ValueError:
            return None
    return Link(uri, rels, attributes) if uri else None


def _with_rels(rows: Iterable[Memento]) -> Iterator[tuple[tuple[str, ...], Memento]]:
    """Yield rows with what they are in their TimeMap: the first, the last, or one of them."""
    is_first, previous = True, None
    for row in filter(_has_moment, rows):
        if previous is not None:
            yield _rels(is_first=is_first, is_last=False), previous
            is_first = False
        previous = row
    if previous is not None:
        yield _rels(is_first=is_first, is_last=True), previous


def _rels(*, is_first: bool, is_last: bool) -> tuple[str, ...]:
    return (*(["first"] if is_first else []), *(["last"] if is_last else []), "memento")


def _has_moment(row: Memento) -> bool:
    try:
        datetime.strptime(row.timestamp[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return False
    return True


def _next(link: Link) -> str:
    return f",\n{link_value(link)}"


def _safe_uri(uri: str) -> str:
    return quote(uri, safe=_IN_A_URI, errors="replace")


def _safe_value(value: str) -> str:
    printable = "".join(each if each.isprintable() else " " for each in value)
    return printable.replace("\\", r"\\").replace('"', r"\"")
