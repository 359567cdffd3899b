# SPDX-License-Identifier: AGPL-3.0-or-later
"""A question to an index: which keys, which interval, in which order.

`understand` reads the parameters of pywb's index API, and refuses what is not valid instead of
answering something else.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum

from carrel.errors import QueryError
from carrel.mementos import moments
from carrel.mementos.filters import Filter, parse_filter
from carrel.model.names import in_utf8, is_in_utf8
from carrel.model.surt import surt
from carrel.model.user_information import bare_address
from carrel.translation import tr

DEFAULT_LIMIT = 100_000
# More than anyone has, and still a number that everybody can count to.
_MOST, _MOST_DIGITS = 10**15, 1000
_YES = ("1", "true", "t", "on", "yes")
_NO = ("0", "false", "f", "off", "no", "")
_PORT = re.compile(r"^[a-z][a-z0-9+.-]*://[^/?#]*:(\d+)(?:[/?#]|$)", re.IGNORECASE)


class MatchType(StrEnum):
    """Which keys a URL stands for: its own, those it begins, its host's, its domain's."""

    EXACT = "exact"
    PREFIX = "prefix"
    HOST = "host"
    DOMAIN = "domain"


class Order(Enum):
    """By key and time; the same from the end; by distance from `closest`, earlier first."""

    ASCENDING = "ascending"
    REVERSE = "reverse"
    CLOSEST = "closest"


@dataclass(slots=True)
class Query:
    """What is looked for. No one changes it; it is not frozen, since that would double its cost.

    Lines of an index between `start` and before `end` (bytes; a line begins with its key and a
    space) are in range. `first` and `last` are 14 digits, inclusive, "" for open. `closest` is 14
    digits where the order needs it, else "". `collapse_time` is how many digits of neighbours must
    differ, None for all rows. `only` and `without` name sources of a group; None for all.
    """

    url: str
    urlkey: str
    match_type: MatchType
    start: bytes
    end: bytes
    order: Order = Order.ASCENDING
    closest: str = ""
    first: str = ""
    last: str = ""
    limit: int = DEFAULT_LIMIT
    filters: tuple[Filter, ...] = ()
    resolve_revisits: bool = False
    collapse_time: int | None = None
    only: frozenset[str] | None = None
    without: frozenset[str] = frozenset()

    @property
    def is_exact(self) -> bool:
        return self.match_type is MatchType.EXACT

    @property
    def may_cut(self) -> bool:
        """Whether the first `limit` rows of each source are enough."""
        return not self.filters and not self.resolve_revisits and self.collapse_time is None

    def takes(self, timestamp: str) -> bool:
        """Say whether a moment is in the interval."""
        moment = timestamp[:14]
        return moment >= self.first and (not self.last or moment <= self.last)

    def ascending(self) -> "Query":
        """Return the same question in the plain order, with every row."""
        return replace(self, order=Order.ASCENDING)


def query_for(
    url: str,
    *,
    match_type: MatchType = MatchType.EXACT,
    closest: str = "",
    limit: int = DEFAULT_LIMIT,
) -> Query:
    """Return the question for the captures of a URL, closest to a moment if one is given.

    A user name or password in it is left out: it is no part of any key, and would be told to every
    archive that is asked. Raises QueryError for what has no key.
    """
    url = bare_address(url)
    start, end, urlkey = key_range(url, match_type)
    order = Order.CLOSEST if closest else Order.ASCENDING
    return Query(url, urlkey, match_type, start, end, order, closest, limit=limit)


def understand(parameters: Mapping[str, Sequence[str]], *, lookup_url: str | None = None) -> Query:
    """Return the question that the parameters of an index request stand for.

    `lookup_url` is the URL with a request's method and body in it, by which such captures are
    found; None for the URL itself. Raises QueryError with a sentence that names the parameter.
    """
    given = _Given(parameters)
    url = given.text("url")
    if not url:
        raise QueryError(tr('The "url" param is required'))
    match_type, bare = _match(bare_address(url), given.text("matchType"))
    asked_for = bare if lookup_url is None else bare_address(lookup_url)
    start, end, urlkey = key_range(asked_for, match_type)
    order, closest = _order(given)
    given.check_unused()
    only, without = _sources(given.text("sources"))
    return Query(
        url=bare,
        urlkey=urlkey,
        match_type=match_type,
        start=start,
        end=end,
        order=order,
        closest=closest,
        first=moments.beginning(given.text("from"), "from") if given.text("from") else "",
        last=moments.end(given.text("to"), "to") if given.text("to") else "",
        limit=given.number("limit") or DEFAULT_LIMIT,
        filters=_filters(given),
        resolve_revisits=given.flag("resolveRevisits"),
        collapse_time=given.number("collapseTime"),
        only=only,
        without=without,
    )


def key_range(url: str, match_type: MatchType) -> tuple[bytes, bytes, str]:
    """Return where the lines of a URL begin and end, and its key. Raises QueryError."""
    if not is_in_utf8(url):
        raise QueryError(
            tr(
                "“{in_utf8}” is not a URL that can be looked up: it is not UTF-8.",
                in_utf8=in_utf8(url)[:200],
            )
        )
    try:
        urlkey = surt(url)
    except ValueError as error:
        raise QueryError(
            tr("“{url}” is not a URL that can be looked up: {error}.", url=url[:200], error=error)
        ) from error
    if (port := _PORT.match(url)) and int(port[1][:9]) > 65_535:
        raise QueryError(
            tr("“{url}” is not a URL that can be looked up: it has no such port.", url=url[:200])
        )
    if match_type is MatchType.EXACT:
        key = urlkey.encode()
        return key + b" ", key + b"!", urlkey
    if match_type is MatchType.PREFIX:
        key = _open_ended(url, urlkey).encode()
        return key, key[:-1] + bytes([key[-1] + 1]), urlkey
    host = urlkey.partition(")")[0].encode()
    if match_type is MatchType.HOST:
        return host + b")/", host + b"*", urlkey
    # A top-level domain alone has no pages of its own.
    start = host + (b")/" if b"," in host or b":" in host else b",")
    return start, host + b"-", urlkey


def is_set(value: str, name: str) -> bool:
    """Say whether a parameter that is on or off is on. Raises QueryError for other values."""
    if value.lower() not in (*_YES, *_NO):
        raise QueryError(
            tr(
                "“{name}” is on or off (1, true, 0, false), not “{value}”.",
                name=name,
                value=value[:60],
            )
        )
    return value.lower() in _YES


class _Given:
    """The parameters of a request, checked one by one."""

    def __init__(self, parameters: Mapping[str, Sequence[str]]) -> None:
        self._parameters = parameters

    def all(self, name: str) -> Sequence[str]:
        return self._parameters.get(name, ())

    def text(self, name: str) -> str:
        return next(iter(self.all(name)), "").strip()

    def flag(self, name: str) -> bool:
        return is_set(self.text(name), name)

    def check_unused(self) -> None:
        """Look at what pywb knows and nothing here needs. Raises QueryError."""
        for name in ("page", "pageSize"):
            self.number(name)
        for name in ("allowFuzzy", "nosource", "showNumPages", "showPagedIndex"):
            self.flag(name)

    def number(self, name: str) -> int | None:
        """Return a number that is 0 or more, None if none is given. Raises QueryError."""
        text = self.text(name)
        if not text:
            return None
        if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
            raise QueryError(
                tr("“{name}” must be a number, 0 or more, not “{text}”.", name=name, text=text[:60])
            )
        return min(int(text), _MOST)


def _match(url: str, named: str) -> tuple[MatchType, str]:
    """Return how a URL is meant, and the URL without a star that said so. Raises QueryError."""
    if named:
        try:
            return MatchType(named), url
        except ValueError as error:
            known = ", ".join(MatchType)
            raise QueryError(
                tr("“matchType” cannot be “{named}”; it is {known}.", named=named[:60], known=known)
            ) from error
    if url.startswith("*."):
        return MatchType.DOMAIN, url[2:]
    if url.endswith("*"):
        return MatchType.PREFIX, url[:-1]
    return MatchType.EXACT, url


def _order(given: _Given) -> tuple[Order, str]:
    closest, sort = given.text("closest"), given.text("sort")
    if not closest and any(given.all("closest")):
        raise QueryError(tr("“closest” must be a time, but is empty."))
    if sort not in ("", "reverse", "closest"):
        raise QueryError(tr("“sort” cannot be “{sort}”; it is reverse or closest.", sort=sort[:60]))
    if closest:
        moment = moments.now() if closest == "now" else moments.beginning(closest, "closest")
        return Order.CLOSEST, moment
    if sort == "closest":
        raise QueryError(tr("“sort=closest” requires “closest”, the time."))
    if sort == "reverse" or given.flag("reverse"):
        return Order.REVERSE, ""
    return Order.ASCENDING, ""


def _filters(given: _Given) -> tuple[Filter, ...]:
    texts = [*given.all("filter"), *(f"=mime:{each}" for each in given.all("content_type"))]
    return tuple(parse_filter(text) for text in texts if text)


def _sources(text: str) -> tuple[frozenset[str] | None, frozenset[str]]:
    names = frozenset(filter(None, text.removeprefix("!").split(",")))
    if not names or text == "*":
        return None, frozenset()
    return (None, names) if text.startswith("!") else (names, frozenset())


def _open_ended(url: str, urlkey: str) -> str:
    """Return a key for all that begins so; what the key of one page drops at its end stays."""
    for last in ("/", "?"):
        if url.endswith(last) and not urlkey.endswith(last):
            return urlkey + last
    return urlkey
