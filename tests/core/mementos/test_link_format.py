# SPDX-License-Identifier: AGPL-3.0-or-later
"""Links are read with patience, whatever is among them, and written so that nothing escapes."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.mementos.link_format import (
    Link,
    http_date,
    link_value,
    parse_links,
    timemap_lines,
    timestamp_of,
    to_link_format,
)
from carrel.model import Memento

BASE = "http://archive.example/timemap/link/http://a.example/"


def only(text: str) -> Link:
    links, skipped = parse_links(text, BASE)
    assert (len(links), skipped) == (1, 0)
    return links[0]


def test_a_link_has_its_address_its_relations_and_the_rest() -> None:
    link = only(
        '<http://m.example/1>; rel="First Memento"; datetime="Thu, 01 Jan 2015 00:00:00 GMT"'
    )

    assert link.uri == "http://m.example/1"
    assert link.rels == ("first", "memento")
    assert link.attributes == {"datetime": "Thu, 01 Jan 2015 00:00:00 GMT"}


def test_commas_and_semicolons_in_an_address_are_part_of_it() -> None:
    assert only('<http://m.example/a;b,c?q="1">; rel=memento').uri == 'http://m.example/a;b,c?q="1"'


def test_commas_brackets_and_escapes_in_quotes_are_part_of_the_value() -> None:
    link = only(r'<http://m.example/>; title="a, <b>; \"c\""; rel=memento')

    assert link.attributes["title"] == 'a, <b>; "c"'
    assert link.rels == ("memento",)


def test_values_need_no_quotes_not_even_dates() -> None:
    link = only("<http://m.example/>; datetime=Thu, 01 Jan 2015 00:00:00 GMT ; rel=memento")

    assert timestamp_of(link.attributes["datetime"]) == "20150101000000"


def test_line_breaks_may_be_anywhere() -> None:
    link = only('\n<http://m.example/\n 1>\r\n ;\n rel\n =\n "first\nmemento"\n,\n')

    assert (link.uri, link.rels) == ("http://m.example/1", ("first", "memento"))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("/web/1", "http://archive.example/web/1"),
        ("//other.example/1", "http://other.example/1"),
        ("", BASE),
        ("HTTP://A.example/", "HTTP://A.example/"),
    ],
)
def test_addresses_are_relative_to_where_they_stand(written: str, meant: str) -> None:
    assert only(f"<{written}>; rel=memento").uri == meant


def test_what_makes_no_sense_is_left_out_and_counted() -> None:
    text = "junk, <http://a/>; rel=memento, <http://no.rel/>, <//[bad>; rel=memento, <open"

    links, skipped = parse_links(text, BASE)

    assert [link.uri for link in links] == ["http://a/"]
    assert skipped == 4


def test_of_repeated_attributes_the_first_counts() -> None:
    assert only("<http://a/>; rel=memento; rel=original").rels == ("memento",)


@pytest.mark.parametrize(
    "junk",
    ["<", '<a>;b="', '<a>;b=\\"', "<a>;", '"', ";", "<a>;mon,", "<a> ", ",", '<a>;x="\\\\', "x "],
)
def test_the_time_for_junk_is_linear_in_its_length(junk: str) -> None:
    text = junk * (3_000_000 // len(junk))

    began = time.process_time()
    parse_links(text, BASE)

    # A quadratic reader would take hours.
    assert time.process_time() - began < 30


@given(st.text(alphabet='<>;,="\\ \nabrel'))
def test_no_text_is_too_strange(text: str) -> None:
    links, skipped = parse_links(text, BASE)

    assert skipped >= 0
    assert all(link.uri and link.rels for link in links)


@given(
    st.text(min_size=1).filter(str.strip),
    st.text(),
)
def test_nothing_ends_a_link_or_its_line(path: str, title: str) -> None:
    written = link_value(Link(f"http://a.example/{path}", ("memento",), {"title": title}))

    assert written.isprintable()
    links, skipped = parse_links(written)
    assert (len(links), skipped) == (1, 0)


def test_several_links_are_one_header() -> None:
    links = [Link("http://a/", ("original",)), Link("http://b/", ("timemap",), {"type": "x/y"})]

    assert (
        to_link_format(links)
        == '<http://a/>; rel="original", <http://b/>; rel="timemap"; type="x/y"'
    )


@pytest.mark.parametrize(
    ("date", "timestamp"),
    [
        ("Thu, 01 Jan 2015 10:20:30 GMT", "20150101102030"),
        ("Thu, 1 Jan 2015 10:20:30 +0100", "20150101092030"),
        ("2015-01-01T10:20:30Z", "20150101102030"),
    ],
)
def test_dates_are_read_in_the_forms_in_use(date: str, timestamp: str) -> None:
    assert timestamp_of(date) == timestamp


@pytest.mark.parametrize(
    "date",
    ["", "yesterday", "Thu, 41 Jan 2015 10:20:30 GMT", "Thu, 01 Foo 2015 10:20:30 GMT", "9" * 5000],
)
def test_what_is_no_date_is_an_error(date: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the library's words
        timestamp_of(date)


def test_a_moment_is_written_as_http_does() -> None:
    assert http_date("20150101102030") == "Thu, 01 Jan 2015 10:20:30 GMT"


def test_a_timemap_is_read_back() -> None:
    url = "http://a.example/x"
    rows = [
        Memento("k", timestamp, {"url": url})
        for timestamp in ("20140101000000", "20150101000000", "20159999000000", "20160101000000")
    ]

    text = "".join(timemap_lines(rows, url, "http://127.0.0.1:8080/all"))

    links, skipped = parse_links(text)
    assert skipped == 0
    assert [link.rels for link in links] == [
        ("original",),
        ("timegate",),
        ("self",),
        ("first", "memento"),
        ("memento",),
        ("last", "memento"),
    ]
    assert links[3].uri == "http://127.0.0.1:8080/all/20140101000000id_/http://a.example/x"


def test_mementos_of_a_timemap_are_where_a_template_says() -> None:
    rows = [Memento("k", "20140101000000", {"url": "http://a.example/"})]

    text = "".join(
        timemap_lines(rows, "http://a.example/", "http://h/c", "http://r/{timestamp}/{url}")
    )

    assert '<http://r/20140101000000/http://a.example/>; rel="first last memento"' in text
