# SPDX-License-Identifier: AGPL-3.0-or-later
"""Templates of addresses: what is put in, and how it is written there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.mementos.config.templates import fill

URL = "http://example.org/a?b=1&c=%20 d"


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (
            "http://h/web/{timestamp}id_/{url}",
            "http://h/web/2016id_/http://example.org/a?b=1&c=%20%20d",
        ),
        (
            "http://h/cdx?url={url}&x=1",
            "http://h/cdx?url=http%3A%2F%2Fexample.org%2Fa%3Fb%3D1%26c%3D%2520%20d&x=1",
        ),
        ("http://h/cdx?closest={closest}", "http://h/cdx?closest=2016"),
        ("http://h/", "http://h/"),
    ],
)
def test_a_template_is_filled(template: str, expected: str) -> None:
    assert fill(template, URL, "2016") == expected


def test_no_moment_is_nothing() -> None:
    assert fill("http://h/?closest={timestamp}", URL, "") == "http://h/?closest="


def test_a_url_is_not_a_template() -> None:
    assert fill("http://h/{url}/{timestamp}", "http://x/{timestamp}", "1") == (
        "http://h/http://x/{timestamp}/1"
    )


@given(st.text(max_size=50))
def test_any_url_makes_one_line_of_ascii(url: str) -> None:
    filled = fill("http://h/{url}", url, "") + fill("http://h/?u={url}", url, "")

    assert filled.isascii()
    assert filled.isprintable()
    assert " " not in filled


@given(st.text(max_size=50))
def test_a_url_in_a_query_stays_one_value(url: str) -> None:
    query = fill("http://h/?u={url}&z=1", url, "").partition("?")[2]

    assert query.count("&") == 1
    assert "#" not in query
