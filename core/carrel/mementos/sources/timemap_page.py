# SPDX-License-Identifier: AGPL-3.0-or-later
"""One answer to the question for a TimeMap, in any of the forms in use.

RFC 7089 (section 5) has link-format; besides there are CDXJ (pywb's, and another kind, MemGator's),
a JSON array of arrays (the Wayback Machine) and lists of mementos in a JSON object (MemGator).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from carrel.mementos.link_format import Link, parse_links, timestamp_of
from carrel.mementos.query import Query
from carrel.mementos.sources.cdx_dialects import NoRows, parsed, rows_in
from carrel.mementos.sources.index_client import Answer, wrong
from carrel.model import Memento
from carrel.model.surt import surt
from carrel.translation import tr

_LINK_TYPES = ("", "application/link-format", "text/plain")
_PLACES = frozenset(("first", "last", "prev", "previous", "next"))
# MemGator's CDXJ ("Object Resource Stream"): no key, the address in the object.
_ORS_LINE = re.compile(r"^\d{14} (\{.*\})\s*$", re.MULTILINE | re.ASCII)
_MOST_OBJECTS = 500_000
_OF_WARCS = ("filename", "offset", "orig.filename", "orig.offset", "orig.length")


@dataclass(frozen=True, slots=True)
class Page:
    """Mementos in the interval of a query, how many were not valid, and links to other TimeMaps."""

    rows: list[Memento]
    skipped: int
    others: list[Link]


def understood(answer: Answer, query: Query) -> Page:
    """Return what one answer says. Raises SourceTrouble (wrong-answer)."""
    text = answer.body.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if answer.is_html:
        raise wrong(answer.url, tr("sent an HTML page in place of a TimeMap"))
    if text.startswith("{") and (named := _json_object(text)) is not None:
        return _from_links(list(_links_of_json(named)), 0, answer, query)
    if _ORS_LINE.search(text[:5000]):
        return _from_links(list(_links_of_lines(text)), 0, answer, query)
    if "<" in text[:1000]:
        return _from_links(*parse_links(text, answer.url), answer, query)
    return _from_index(answer, query)


def is_memento(link: Link) -> bool:
    """Say whether a link is to a memento; some archives name only its place among the others."""
    has_place = "datetime" in link.attributes and not _PLACES.isdisjoint(link.rels)
    return "memento" in link.rels or has_place


def memento_row(link: Link, url: str, query: Query) -> Memento:
    """Return the row of a link to a memento. Raises ValueError for one that is not valid."""
    if not link.uri.lower().startswith(("http://", "https://")):
        raise ValueError(f"“{link.uri[:60]}” is not a web address")
    timestamp = timestamp_of(link.attributes.get("datetime", ""))
    fields = {"url": url, "memento_url": link.uri, "mem_rel": " ".join(link.rels)}
    return Memento(query.urlkey, timestamp, fields)


def original_of(links: list[Link], query: Query) -> str | None:
    """Return the URL that links say they are about, None if it is another than was requested.

    An archive that does not say it is believed.
    """
    said = next((link.uri for link in links if "original" in link.rels), query.url)
    try:
        return said if surt(said) == surt(query.url) else None
    except ValueError:
        return None


def _from_links(links: list[Link], skipped: int, answer: Answer, query: Query) -> Page:
    original = original_of(links, query)
    if original is None:
        raise wrong(answer.url, tr("sent the TimeMap of another address"))
    mementos = [link for link in links if is_memento(link)]
    rows = [row for link in mementos if (row := _row(link, original, query)) is not None]
    others = [link for link in links if _is_other(link)]
    if not rows and not others and (mementos or not links):
        raise wrong(answer.url, tr("sent an answer without a valid memento"))
    wanted = [row for row in rows if query.takes(row.timestamp)]
    return Page(wanted, skipped + len(mementos) - len(rows), others)


def _row(link: Link, original: str, query: Query) -> Memento | None:
    try:
        return memento_row(link, original, query)
    except ValueError:
        return None


def _is_other(link: Link) -> bool:
    """Say whether a link is to a further TimeMap, and not to the same one in another form."""
    kind = link.attributes.get("type", "").partition(";")[0].strip().lower()
    return "timemap" in link.rels and "self" not in link.rels and kind in _LINK_TYPES


def _from_index(answer: Answer, query: Query) -> Page:
    try:
        found = rows_in(answer.body, query)
    except NoRows as error:
        raise wrong(answer.url, tr("{error}: a TimeMap was requested", error=error)) from error
    return Page([_as_replayed(row) for row in found.rows], found.skipped, [])


def _as_replayed(row: Memento) -> Memento:
    """Return a row of an index as that of an archive, whose bytes are had by replay alone."""
    for name in _OF_WARCS:
        row.fields.pop(name, None)
    row.fields["mem_rel"] = "memento"
    return row


def _json_object(text: str) -> Mapping[str, Any] | None:
    """Return a TimeMap that is one JSON object, None for lines of several."""
    found = parsed(text) if text.count("{") < _MOST_OBJECTS else None
    is_timemap = isinstance(found, dict) and ("mementos" in found or "timemap_index" in found)
    return found if is_timemap else None


def _links_of_json(found: Mapping[str, Any]) -> Iterator[Link]:
    """Yield the links in a TimeMap as MemGator and timetravel.mementoweb.org write it."""
    if isinstance(original := found.get("original_uri"), str):
        yield Link(original, ("original",))
    mementos = found.get("mementos")
    listed = mementos.get("list") if isinstance(mementos, dict) else mementos
    for each in listed if isinstance(listed, list) else ():
        yield _link_of_json(each, "memento")
    indexed = found.get("timemap_index")
    for each in indexed if isinstance(indexed, list) else ():
        yield _link_of_json(each, "timemap")


def _links_of_lines(text: str) -> Iterator[Link]:
    """Yield the links in a TimeMap of MemGator's CDXJ."""
    for found in _ORS_LINE.finditer(text):
        yield _link_of_json(parsed(found[1]), "memento")


def _link_of_json(each: Any, rel: str) -> Link:
    given = each if isinstance(each, dict) else {}
    texts = {name: value for name, value in given.items() if isinstance(value, str)}
    return Link(texts.pop("uri", ""), (rel,), texts)
