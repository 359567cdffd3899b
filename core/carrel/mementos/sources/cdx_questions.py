# SPDX-License-Identifier: AGPL-3.0-or-later
"""Questions to CDX servers: the configured one, and those for the captures next to a moment.

No limit is sent with the first: servers that ignore `closest` would give their oldest rows. The
interval is, which costs no rows wherever it is not understood.
"""

from collections.abc import Callable, Iterator, Mapping
from urllib.parse import urlencode

from carrel.mementos import moments
from carrel.mementos.config.templates import fill
from carrel.mementos.query import Query

_OF_MOMENT = ("{timestamp}", "{closest}")


def question(template: str, query: Query) -> str:
    """Return the address of the question for all captures that a query may want.

    Without a moment its parameters are left out: some servers refuse an empty one.
    """
    kept = template if query.closest else _without(template, _is_of_moment)
    return _with(kept, query, query.closest, _range_of(query))


def windows(template: str, query: Query, most: int) -> Iterator[str]:
    """Yield the questions for so many captures up to a moment and from it on.

    A limit below zero stands for the last rows, as the Wayback Machine understands it.
    """
    plain = _without(template, lambda part: _is_of_moment(part) or _name(part) in ("sort", "limit"))
    named, closest = _range_of(query), query.closest
    if closest >= query.first:
        last = min(closest, query.last or closest)
        yield _with(plain, query, "", {**named, "to": _real(last), "limit": f"-{most}"})
    if not query.last or closest <= query.last:
        first = max(closest, query.first)
        yield _with(plain, query, "", {**named, "from": first, "limit": str(most)})


def own_limit(template: str) -> int | None:
    """Return how many rows a configured question asks for at most, None if it does not say."""
    parts = template.partition("?")[2].split("&")
    values = (part.partition("=")[2] for part in parts if _name(part) == "limit")
    text = next(values, "").removeprefix("-")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _range_of(query: Query) -> dict[str, str]:
    named = {} if query.is_exact else {"matchType": str(query.match_type)}
    if query.first:
        named["from"] = query.first
    if query.last:
        named["to"] = _real(query.last)
    return named


def _with(template: str, query: Query, closest: str, named: Mapping[str, str]) -> str:
    """Return a template filled, with these parameters in place of its own of the same names."""
    bare = _without(template, lambda part: _name(part) in named)
    url = fill(bare, query.url, closest)
    if not named:
        return url
    return (
        f"{url}{'' if url.endswith(('?', '&')) else '&' if '?' in bare else '?'}{urlencode(named)}"
    )


def _without(template: str, is_left_out: Callable[[str], bool]) -> str:
    place, mark, parameters = template.partition("?")
    kept = [part for part in parameters.split("&") if part and not is_left_out(part)]
    return f"{place}{mark}{'&'.join(kept)}"


def _is_of_moment(part: str) -> bool:
    return any(each in part for each in _OF_MOMENT) or part == "sort=closest"


def _name(part: str) -> str:
    return part.partition("=")[0]


def _real(last: str) -> str:
    """Return the end of an interval as a moment that there is: the 31st may stand for any last."""
    for day in (last[6:8], "30", "29", "28"):
        moment = f"{last[:6]}{day}{last[8:]}"
        try:
            moments.moment(moment)
        except ValueError:
            continue
        return moment
    return last
