# SPDX-License-Identifier: AGPL-3.0-or-later
"""The parameters of the index API, read strictly."""

import pytest

from carrel.errors import QueryError
from carrel.mementos.query import DEFAULT_LIMIT, MatchType, Order, Query, understand


def _query(**parameters: str) -> Query:
    return understand({name: [value] for name, value in parameters.items()})


def test_an_exact_url_is_looked_for_by_its_key_alone() -> None:
    query = _query(url="http://www.Example.com:80/A?b=2&a=1")

    assert query.urlkey == "com,example)/a?a=1&b=2"
    assert (query.start, query.end) == (b"com,example)/a?a=1&b=2 ", b"com,example)/a?a=1&b=2!")
    assert query.limit == DEFAULT_LIMIT
    assert query.order is Order.ASCENDING


@pytest.mark.parametrize(
    ("url", "match_type", "start", "end"),
    [
        ("http://example.com/p", "prefix", b"com,example)/p", b"com,example)/q"),
        ("http://example.com/p/", "prefix", b"com,example)/p/", b"com,example)/p0"),
        ("http://example.com/p?", "prefix", b"com,example)/p?", b"com,example)/p@"),
        ("http://example.com/p", "host", b"com,example)/", b"com,example*"),
        ("http://example.com/p", "domain", b"com,example)/", b"com,example-"),
        ("com", "domain", b"com,", b"com-"),
        ("http://example.com:8080/", "host", b"com,example:8080)/", b"com,example:8080*"),
    ],
)
def test_a_match_type_says_which_keys_are_in_range(
    url: str, match_type: str, start: bytes, end: bytes
) -> None:
    query = _query(url=url, matchType=match_type)

    assert (query.start, query.end) == (start, end)


def test_stars_say_how_a_url_is_meant() -> None:
    assert _query(url="*.example.com").match_type is MatchType.DOMAIN
    assert _query(url="http://example.com/p*").start == b"com,example)/p"


def test_a_star_is_a_letter_where_the_match_type_is_given() -> None:
    query = _query(url="http://example.com/p*", matchType="exact")

    assert query.urlkey == "com,example)/p*"


def test_a_shortened_moment_begins_an_interval_and_ends_it() -> None:
    query = _query(url="example.com", **{"from": "2016", "to": "201602"})

    assert (query.first, query.last) == ("20160101000000", "20160231235959")
    assert query.takes("20160229235959999")
    assert not query.takes("20160301000000")


def test_the_closest_to_a_year_are_those_around_its_beginning() -> None:
    query = _query(url="example.com", closest="2016")

    assert query.order is Order.CLOSEST
    assert query.closest == "20160101000000"


def test_closest_wins_over_reverse() -> None:
    assert _query(url="example.com", closest="2016", sort="reverse").order is Order.CLOSEST


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("matchType", "fuzzy"),
        ("limit", "ten"),
        ("limit", "-1"),
        ("limit", "1e9"),
        ("closest", "abc"),
        ("closest", "20161301"),
        ("closest", "123"),
        ("from", "2016-01-01"),
        ("to", "20160230"),
        ("sort", "size"),
        ("sort", "closest"),
        ("page", "x"),
        ("collapseTime", "1.5"),
        ("filter", "~mime:(("),
        ("filter", "~url:" + "a" * 5000),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(QueryError, match=f"{name}|filter"):
        _query(url="example.com", **{name: value})


@pytest.mark.parametrize("url", ["", "   "])
def test_a_url_is_required(url: str) -> None:
    with pytest.raises(QueryError, match='The "url" param is required'):
        _query(url=url)


def test_a_url_without_a_host_is_refused() -> None:
    with pytest.raises(QueryError, match="looked up"):
        _query(url="http://:80/")


@pytest.mark.parametrize(("value", "is_set"), [("true", True), ("1", True), ("0", False)])
def test_switches_are_off_for_what_says_no(value: str, is_set: bool) -> None:
    assert _query(url="example.com", resolveRevisits=value).resolve_revisits is is_set


def test_sources_are_chosen_or_left_out() -> None:
    assert _query(url="example.com", sources="a,b").only == frozenset("ab")
    assert _query(url="example.com", sources="!a").without == {"a"}
    assert _query(url="example.com", sources="*").only is None


def test_a_request_with_a_body_is_looked_up_by_another_key() -> None:
    query = understand(
        {"url": ["http://example.com/f"]},
        lookup_url="http://example.com/f?__wb_method=POST&a=1",
    )

    assert query.url == "http://example.com/f"
    assert query.urlkey == "com,example)/f?__wb_method=post&a=1"
