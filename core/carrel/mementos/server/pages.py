# SPDX-License-Identifier: AGPL-3.0-or-later
"""The server's own pages: which collections there are, which captures of a URL, what went wrong."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from carrel.mementos.server.capture_list import MOST_COUNTED, CaptureList, year_of
from carrel.mementos.server.page_frame import Page, page
from carrel.mementos.server.references import escape
from carrel.mementos.server.rewriting import Links, of_sources
from carrel.mementos.server.sources_in_words import asked_sources, kind_in_words, troubles
from carrel.model import Memento, SourceReport, SourceType
from carrel.model.counts import counted
from carrel.model.memento import UNCHANGED
from carrel.translation import plural, tr

# The second and the URL of a capture.
_Moment = tuple[str, str | None]
_LONGEST_SHOWN = 300
_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_UNKNOWN = '<span class="quiet" aria-hidden="true">–</span><span class="unseen">unknown</span>'
_COLUMNS = ("Captured (UTC)", "Status", "Type", "Length", "Digest", "Source", "Raw")


@dataclass(frozen=True, slots=True)
class Listed:
    """A collection as it is listed; `title` is "" for none. Sources are in their order."""

    name: str
    title: str
    sources: Sequence[tuple[str, SourceType]]

    @property
    def prefix(self) -> str:
        return prefix_of(self.name)


@dataclass(frozen=True, slots=True)
class Advice:
    """What someone can do next: words that lead to an address of this server."""

    words: str
    address: str


def prefix_of(collection: str) -> str:
    """Return what the addresses of a collection on this server begin with."""
    return f"/{quote(collection, safe='')}/"


def collections_page(collections: Sequence[Listed]) -> Page:
    """Return the first page: all collections, each with a form to look a URL up."""
    intro = (
        "<h1>Collections</h1><p>Look up an address to see every capture of it that the sources of "
        "a collection hold, here and in other archives.</p>"
    )
    none = "<p>No collection is configured yet.</p>"
    return page("Collections", intro + ("".join(map(_card, collections)) or none))


def collection_page(collection: Listed) -> Page:
    """Return the page of one collection."""
    title = collection.title or collection.name
    return page(title, f"<h1>{_shown(title)}</h1>{_card(collection, has_heading=False)}")


def captures_page(
    collection: str,
    url: str,
    captures: CaptureList,
    reports: Sequence[SourceReport],
) -> Page:
    """Return the captures of a URL by year, newest first, and what its sources had to say."""
    groups, shared = _by_year(captures.shown), _shared(captures)
    links = Links(prefix_of(collection), "", url)
    sections = (
        _year_section(year, group, captures.years[year], url, links.prefix, shared)
        for year, group in groups.items()
    )
    parts = (
        f'<h1><span class="quiet">Captures of</span> {_shown(url)}</h1>',
        _summary(collection, url, captures),
        troubles(reports),
        _form(links.prefix, url),
        _year_list(captures.years, groups),
        *sections,
        asked_sources(reports),
    )
    return page(tr("Captures of {url}", url=url[:_LONGEST_SHOWN]), "".join(parts))


def _by_year(rows: Iterable[Memento]) -> Mapping[str, Sequence[Memento]]:
    groups: dict[str, list[Memento]] = {}
    for row in rows:
        groups.setdefault(year_of(row), []).append(row)
    return groups


def error_page(status: int, title: str, sentence: str, advice: Iterable[Advice] = ()) -> Page:
    """Return a page that says what is wrong, and what can be done about it."""
    choices = (*advice, Advice(tr("See all collections"), "/"))
    links = "".join(
        f'<li><a href="{escape(each.address)}">{_shown(each.words)}</a></li>' for each in choices
    )
    words = f'<p class="address">{_shown(sentence, 1000)}</p>'
    content = f'<h1>{_shown(title)}</h1>{words}<ul class="choices">{links}</ul>'
    return page(title[:_LONGEST_SHOWN], f'{content}<p class="quiet">Status {status}</p>', status)


def _card(collection: Listed, *, has_heading: bool = True) -> str:
    title, name = _shown(collection.title or collection.name), _shown(collection.name)
    detail = f"<small>{name}</small>" if collection.title else ""
    heading = (
        f'<h2><a href="{escape(collection.prefix)}">{title}</a>{detail}</h2>' if has_heading else ""
    )
    kinds = ", ".join(
        f"{_shown(name)} ({kind_in_words(kind)})" for name, kind in collection.sources
    )
    sources = f'<p class="quiet address">Sources: {kinds or "none"}.</p>'
    form = _form(collection.prefix, "", of=collection.title or collection.name)
    return f'<section class="card">{heading}{sources}{form}</section>'


def _form(prefix: str, url: str, of: str = "") -> str:
    where = f'<span class="unseen"> in {_shown(of)}</span>' if of else ""
    return (
        f'<form action="{escape(prefix)}" method="get" role="search">'
        f"<label><span>Address{where}</span>"
        '<input name="url" type="text" inputmode="url" required autocomplete="off" '
        f'autocapitalize="off" spellcheck="false" placeholder="https://example.org/" '
        f'value="{escape(url)}"></label>'
        f"<button>Look up{where}</button></form>"
    )


def _summary(collection: str, url: str, captures: CaptureList) -> str:
    if not captures.count:
        return f"<p>No capture of this address is known in “{_shown(collection)}”.</p>"
    *_, first = captures.years
    last = next(iter(captures.years))
    span = (
        tr("in {first}", first=first)
        if first == last
        else tr("from {first} to {last}", first=first, last=last)
    )
    text = tr(
        "{captures} {span}, in “{shown}”.",
        captures=_how_many(captures.count),
        span=span,
        shown=_shown(collection),
    )
    if len(captures.shown) < captures.count:
        text += f" {_which_are_shown(captures)} {_where_all_are(collection, url)}"
    return f"<p>{text}</p>"


def _how_many(count: int) -> str:
    if count <= MOST_COUNTED:
        return counted(count, "capture")
    return tr("More than {captures}", captures=counted(MOST_COUNTED, "capture"))


def _which_are_shown(captures: CaptureList) -> str:
    newest, held = len(captures.newest), len(captures.held)
    if not held:
        return tr("The newest {newest:,} are shown.", newest=newest)
    if captures.held_left_out:
        return tr(
            "The newest {newest:,} are shown, and the newest {held:,} of the older ones that are "
            "on this machine.",
            newest=newest,
            held=held,
        )
    return plural(
        "The newest {newest:,} are shown, and {held:,} older one that is on this machine.",
        "The newest {newest:,} are shown, and {held:,} older ones that are on this machine.",
        held,
        newest=newest,
        held=held,
    )


def _where_all_are(collection: str, url: str) -> str:
    """Return a link to the list for programs, which has them all."""
    address = Links(prefix_of(collection), "timemap/link", url).to(url)
    return f'<a href="{escape(address)}">{tr("Others are in the TimeMap.")}</a>'


def _year_list(years: Mapping[str, int], shown: Container[str]) -> str:
    """Return the years with what each has; a year of which nothing is shown leads nowhere."""
    if len(years) < 2:
        return ""
    items = "".join(
        f"<li>{_year(year, count, year in shown)}</li>" for year, count in years.items()
    )
    return f'<nav aria-label="Years"><ul class="years">{items}</ul></nav>'


def _year(year: str, count: int, is_shown: bool) -> str:
    words = f"{year}<span>{count:,}</span>"
    if is_shown:
        return f'<a href="#y{year}">{words}</a>'
    return f'<span>{words}<span class="unseen"> {tr("not shown")}</span></span>'


def _shared(captures: CaptureList) -> frozenset[_Moment]:
    """Return the seconds of which several captures are, or may be where not all are listed."""
    moments = Counter(map(_moment_of, captures.shown))
    several = (moment for moment, count in moments.items() if count > 1)
    return frozenset(several) | frozenset(map(_moment_of, captures.held))


def _moment_of(row: Memento) -> _Moment:
    return row.timestamp[:14], row.url


def _year_section(
    year: str,
    rows: Sequence[Memento],
    count: int,
    url: str,
    prefix: str,
    shared: frozenset[_Moment],
) -> str:
    heads = "".join(
        f'<th scope="col"{_number_class(name == "Length")}>{name}</th>' for name in _COLUMNS
    )
    lines = "".join(_row(row, url, prefix, is_shared=_moment_of(row) in shared) for row in rows)
    return (
        f'<section aria-labelledby="y{year}"><h2 id="y{year}">{year}'
        f"<small>{_of_the_year(len(rows), count)}</small></h2>"
        f'<div class="scroll" tabindex="0" role="group" aria-labelledby="y{year}">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div></section>"
    )


def _of_the_year(shown: int, count: int) -> str:
    captures = counted(count, "capture")
    if shown == count:
        return captures
    return tr("{shown:,} of {captures}", shown=shown, captures=captures)


def _number_class(is_number: bool) -> str:
    return ' class="number"' if is_number else ""


def _row(row: Memento, asked: str, prefix: str, *, is_shared: bool) -> str:
    """Return a row; of several captures of a second each leads to that of its own sources."""
    of = of_sources((row.source, *row.also)) if is_shared else ""
    links = Links(prefix, row.timestamp[:14], row.url or asked, of=of)
    look, raw = links.own(row.url or asked), links.own(row.url or asked, "id_")
    moment = _moment(row.timestamp)
    other = f"<small>{_shown(row.url)}</small>" if row.url and row.url != asked else ""
    also = f"<small>also in {_shown(', '.join(row.also))}</small>" if row.also else ""
    return (
        f'<tr><th scope="row"><a href="{escape(look)}">{moment}</a>{other}</th>'
        f"<td>{_shown(row.status) or _UNKNOWN}</td>"
        f'<td class="wide">{_type(row)}</td>'
        f'<td class="number">{_length(row.length)}</td>'
        f"<td>{_digest(row.bare_digest)}</td>"
        f'<td class="wide">{_shown(row.source)}{also}</td>'
        f'<td><a href="{escape(raw)}">raw<span class="unseen"> capture of {moment}</span></a>'
        "</td></tr>"
    )


def _moment(timestamp: str) -> str:
    digits = timestamp[:14]
    if not (len(digits) == 14 and digits.isascii() and digits.isdigit()):
        return _shown(timestamp[:17]) or "undated"
    day, time = (digits[:4], digits[4:6], digits[6:8]), (digits[8:10], digits[10:12], digits[12:])
    return f"{'-'.join(day)} {':'.join(time)}"


def _type(row: Memento) -> str:
    if row.is_revisit:
        return UNCHANGED
    if row.source_type is SourceType.LIVE:
        return tr("the live web")
    mimetype = row.mimetype
    return _shown(mimetype, 80) if mimetype not in ("", "-", "unk") else _UNKNOWN


def _length(length: int | None) -> str:
    if length is None:
        return _UNKNOWN
    size, unit = float(length), 0
    while size >= 1000 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    text = f"{length:,}" if unit == 0 else f"{size:,.1f}"
    return f'<span title="{length:,} bytes as stored">{text} {_UNITS[unit]}</span>'


def _digest(digest: str) -> str:
    if not digest:
        return _UNKNOWN
    return f'<code title="{_shown(digest)}">{_shown(digest[:8])}</code>'


def _shown(text: str, most: int = _LONGEST_SHOWN) -> str:
    """Return any text as it can stand in a page: escaped, and no longer than is of use."""
    return escape(text if len(text) <= most else f"{text[:most]}…")
