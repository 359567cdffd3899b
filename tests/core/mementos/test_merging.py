# SPDX-License-Identifier: AGPL-3.0-or-later
"""Rows of several sources become one stream: in order, folded, filtered, cut."""

import gc
from collections.abc import Iterator
from dataclasses import replace

from carrel.mementos.filters import parse_filter
from carrel.mementos.merge import merged
from carrel.mementos.query import Order, Query, query_for
from carrel.model import Memento

_URL = "http://example.com/"
_ALL = query_for(_URL)


def _row(timestamp: str, source: str = "a", url: str = _URL, **fields: str) -> Memento:
    return Memento("com,example)/", timestamp.ljust(14, "0"), {"url": url, **fields}, source=source)


def _times(rows: list[Memento]) -> list[str]:
    return [row.timestamp[:8] for row in rows]


def _ask(*answers: list[Memento], query: Query = _ALL) -> list[Memento]:
    return list(merged(answers, query))


def test_rows_of_all_sources_come_by_time() -> None:
    rows = _ask([_row("20160101"), _row("20180101")], [_row("20170101", "b")])

    assert _times(rows) == ["20160101", "20170101", "20180101"]
    assert [row.source for row in rows] == ["a", "b", "a"]


def test_reverse_begins_with_the_newest() -> None:
    query = replace(_ALL, order=Order.REVERSE)

    rows = _ask([_row("20180101"), _row("20160101")], [_row("20170101", "b")], query=query)

    assert _times(rows) == ["20180101", "20170101", "20160101"]


def test_of_two_equally_close_the_earlier_comes_first() -> None:
    query = query_for(_URL, closest="20170102000000")

    rows = _ask([_row("20170103")], [_row("20170101", "b")], query=query)

    assert _times(rows) == ["20170101", "20170103"]


def test_of_one_moment_the_very_url_comes_before_another_of_the_same_key() -> None:
    query = query_for(_URL, closest="20170101000000")

    rows = _ask(
        [_row("20170101", url="http://www.example.com/")], [_row("20170101", "b")], query=query
    )

    assert [row.url for row in rows] == [_URL, "http://www.example.com/"]


def test_copies_of_a_capture_are_one_row_that_names_all_its_sources() -> None:
    rows = _ask(
        [_row("20160101", digest="sha1:AAA")],
        [_row("20160101", "b", digest="AAA")],
        [_row("20160101", "c", digest="sha1:AAA")],
    )

    assert [(row.source, row.also) for row in rows] == [("a", ("b", "c"))]


def test_one_address_in_two_lists_is_one_memento() -> None:
    place = "http://web.example/20160101000000/http://example.com/"

    rows = _ask([_row("20160101", memento_url=place)], [_row("20160101", "b", memento_url=place)])

    assert [(row.source, row.also) for row in rows] == [("a", ("b",))]


def test_a_url_of_one_second_is_two_captures_where_nothing_proves_that_they_are_one() -> None:
    rows = _ask([_row("20160101", digest="AAA")], [_row("20160101", "b")], [_row("20160101", "c")])

    assert [row.source for row in rows] == ["a", "b", "c"]


def test_different_payloads_of_one_moment_stay_apart() -> None:
    rows = _ask([_row("20160101", digest="AAA")], [_row("20160101", "b", digest="BBB")])

    assert len(rows) == 2


def test_rows_of_one_source_are_never_folded() -> None:
    rows = _ask([_row("20160101", digest="AAA")] * 2, [_row("20170101", "b")])

    assert len(rows) == 3


def test_http_and_https_of_one_moment_stay_apart_where_nothing_says_they_are_the_same() -> None:
    rows = _ask([_row("20160101")], [_row("20160101", "b", url="https://example.com/")])

    assert len(rows) == 2


def test_the_limit_counts_what_is_left_after_filters() -> None:
    query = replace(_ALL, limit=1, filters=(parse_filter("=status:200"),))

    rows = _ask([_row("20160101", status="404"), _row("20170101", status="200")], query=query)

    assert _times(rows) == ["20170101"]


def test_a_revisit_names_the_record_that_has_its_bytes() -> None:
    query = replace(_ALL, resolve_revisits=True)
    where = {"offset": "5", "length": "7", "filename": "a.warc.gz"}
    first = _row("20160101", digest="AAA", mime="text/html", status="200", **where)
    again = _row("20170101", digest="AAA", mime="warc/revisit")

    original, revisit = _ask([first, again], query=query)

    assert original.fields["orig.filename"] == "-"
    assert revisit.fields["orig.filename"] == "a.warc.gz"
    assert (revisit.mimetype, revisit.status) == ("text/html", "200")


def test_a_revisit_is_resolved_also_where_it_comes_first() -> None:
    query = replace(query_for(_URL, closest="20170101000000"), resolve_revisits=True)
    first = _row("20160101", digest="AAA", filename="a.warc.gz")
    again = _row("20170101", digest="AAA", mime="warc/revisit")

    revisit, _ = _ask([first, again], query=query)

    assert revisit.fields["orig.filename"] == "a.warc.gz"


def test_neighbours_of_one_day_and_status_are_collapsed() -> None:
    query = replace(_ALL, collapse_time=8)

    rows = _ask([_row("20160101"), _row("2016010112"), _row("20160102")], query=query)

    assert _times(rows) == ["20160101", "20160102"]


def test_of_what_has_to_be_reordered_no_more_is_held_than_is_asked_for() -> None:
    query = replace(_ALL, order=Order.REVERSE, resolve_revisits=True, limit=1)
    held: list[int] = [_mementos_in_memory()]  # what other tests left among them

    def rows() -> Iterator[Memento]:
        for second in range(2000):
            yield _row(f"201601010{second // 3600}{second // 60 % 60:02}{second % 60:02}")
        held.append(_mementos_in_memory())

    (newest,) = merged([rows()], query)

    assert newest.timestamp == "20160101003319"
    assert held[1] - held[0] < 100


def _mementos_in_memory() -> int:
    return sum(isinstance(each, Memento) for each in gc.get_objects())


def test_reordered_copies_leave_as_many_captures_as_are_asked_for() -> None:
    query = replace(_ALL, order=Order.REVERSE, collapse_time=14, limit=2)
    days = ("20160101", "20160102", "20160103")

    rows = _ask(
        [_row(day, digest=day) for day in days],
        [_row(day, "b", digest=day, status="200") for day in days],
        query=query,
    )

    assert _times(rows) == ["20160103", "20160102"]
