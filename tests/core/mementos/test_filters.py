# SPDX-License-Identifier: AGPL-3.0-or-later
"""Filters: what they let pass, and that they always end."""

import pytest

from carrel.errors import QueryError
from carrel.mementos import filters
from carrel.mementos.filters import parse_filter
from carrel.model import Memento

_PAGE = Memento(
    "com,example)/", "20160101000000", {"url": "http://example.com/", "mime": "text/html"}
)


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("mime:html", True),
        ("mimetype:html", True),
        ("m:html", True),
        ("=mime:html", False),
        ("=mime:text/html", True),
        ("!=mime:text/html", False),
        ("~mime:text/.*", True),
        ("~mime:html", False),
        ("!~mime:image/.*", True),
        ("!status:200", True),
        ("=status:", True),
        ("20160101", True),
        ("!example", False),
        ("urlkey:com,example", True),
        ("timestamp:2016", True),
        ("nofield:x", False),
    ],
)
def test_a_filter_looks_at_its_field(text: str, passes: bool) -> None:
    assert parse_filter(text).lets_pass(_PAGE) is passes


def test_an_expression_that_others_never_finish_ends_at_once() -> None:
    row = Memento("com,example)/", "20160101000000", {"url": "a" * 50_000 + "!"})

    assert not parse_filter("~url:(a+)+$").lets_pass(row)
    assert not parse_filter("~url:(.*a){20}b").lets_pass(row)


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("~url:(?!.*png)http", True),
        ("~url:http(?=://example)", True),
        (r"~mime:(t)ex\1", True),
        (r"~mime:text/html\Z", True),
        ("~mime:(?<!x)image", False),
    ],
)
def test_what_only_pythons_expressions_know_is_understood(text: str, passes: bool) -> None:
    assert parse_filter(text).lets_pass(_PAGE) is passes


def test_such_an_expression_that_does_not_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filters, "_PATIENCE_S", 0.2)
    slow = parse_filter(r"~url:(?!x)(a|aa)+$")
    row = Memento("com,example)/", "20160101000000", {"url": "a" * 60 + "!"})

    with pytest.raises(QueryError, match="simpler"):
        slow.lets_pass(row)


@pytest.mark.parametrize("text", ["~mime:(", "~mime:[z-a]", "~mime:(?P<a", "~mime:*a"])
def test_an_expression_that_can_not_be_used_is_refused(text: str) -> None:
    with pytest.raises(QueryError, match="cannot be used"):
        parse_filter(text)


def test_an_expression_that_would_fill_the_memory_is_refused_at_once() -> None:
    with pytest.raises(QueryError, match="repeats too much"):
        parse_filter("~url:(?=a)(?:(?:(?:a{9999}){9999}){9999})")
