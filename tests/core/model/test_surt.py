# SPDX-License-Identifier: AGPL-3.0-or-later
"""Keys are those that other people's indexes are written and looked up with."""

import warnings
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from carrel.model.surt import key_by_all_rules, surt

with warnings.catch_warnings():
    # The oracle's own imports are older than its interpreter.
    warnings.simplefilter("ignore")
    import surt as oracle  # type: ignore[import-untyped]  # it has no types

SESSION = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.Example.COM:80/Path/Page.HTML?b=2&a=1", "com,example)/path/page.html?a=1&b=2"),
        ("https://example.com", "com,example)/"),
        ("https://example.com:443/", "com,example)/"),
        ("example.com/?", "com,example)/"),
        ("http://u:p@example.com/#x", "com,example)/"),
        ("http://example.com./", "com,example)/"),
        ("http://www2.example.com/x/", "com,example)/x"),
        ("http://example.com:8080/", "com,example:8080)/"),
        ("http://127.0.0.1:18180/x", "1,0,0,127:18180)/x"),
        ("http://[::1]/x", "::1)/x"),
        ("http://3279880203/blah", "11,0,127,195)/blah"),
        ("http://bücher.ch/", "ch,xn--bcher-kva)/"),
        ("http://example.com/café", "com,example)/caf%c3%a9"),
        ("http://example.com/%7Euser/%41", "com,example)/~user/a"),
        ("http://example.com/a b", "com,example)/a%20b"),
        ("http://example.com/a//b/../c", "com,example)/a/c"),
        ("http://example.com/%2F%2f", "com,example)/"),
        (f"http://example.com/?PHPSESSID={SESSION}&x=1", "com,example)/?x=1"),
        (f"http://example.com/?sid={SESSION}&x=1", "com,example)/?x=1"),
        (
            f"http://example.com/a;jsessionid={SESSION}",
            f"com,example)/a;jsessionid={SESSION}",
        ),
        ("http://example.com/(S(0123456789abcdefghijklmn))/p.aspx", "com,example)/p.aspx"),
        ("http://example.com/?b&a", "com,example)/?a&b"),
        ("http://example.com/?&&a=1", "com,example)/?&&a=1"),
        ("http://example.com/?q=a+b", "com,example)/?q=a+b"),
        ("http://example.com/?q=a%20b", "com,example)/?q=a%20b"),
        ("urn:x-carrel:ingest:1", "urn:x-carrel:ingest:1"),
        ("mailto:someone@example.org", "mailto:someone@example.org"),
        ("dns:example.org", "dns:example.org"),
        ("urn:pageinfo:http://Example.com/A", "urn:pageinfo:http://example.com/a"),
        ("dns:Example.ORG", "dns:example.org"),
        ("mailto:A@b.C", "mailto:a@b.c"),
        ("filedesc:Foo.warc.gz", "filedesc:Foo.warc.gz"),
        ("http://www.com/", "com)/"),
        ("", "-"),
    ],
)
def test_a_url_has_the_key_that_everybody_gives_it(url: str, key: str) -> None:
    assert surt(url) == key
    assert oracle.surt(url) == key


@pytest.mark.parametrize("url", ["http://", "http:///path", "https://:443/", "http://u:p@/"])
def test_what_names_no_host_has_no_key(url: str) -> None:
    with pytest.raises(ValueError, match="names no host"):
        surt(url)


WORDS = st.text("abzAZ019.-_~%+ &=;,'()é/?", max_size=12)
HOSTS = st.from_regex(r"(www\d?\.)?[a-zA-Z][a-zA-Z0-9]{0,6}(\.[a-z]{2,5}){1,2}\.?", fullmatch=True)
ESCAPED = st.from_regex(r"(%[0-9A-Fa-f]{2}|[a-zA-Z0-9._~-]){0,10}", fullmatch=True)


@given(
    scheme=st.sampled_from(["http", "https", "HTTP"]),
    host=HOSTS,
    port=st.sampled_from(["", ":80", ":443", ":8080"]),
    path=st.lists(WORDS | ESCAPED, max_size=4).map("/".join),
    query=st.none() | st.lists(WORDS | ESCAPED, max_size=4).map("&".join),
)
@example("http", "example.com", "", "a/../../b/./c/", None)
@example("http", "example.com", "", "a//../b", None)
@example("http", "example.com", "", "../..//..", None)
@example("http", "example.com", "", "", "a=1&A=0&b")
@example("http", "example.com", "", "%2525%2541", "x=%2525")
def test_any_address_has_the_key_that_the_field_s_package_gives(
    scheme: str, host: str, port: str, path: str, query: str | None
) -> None:
    url = f"{scheme}://{host}{port}/{path}" + ("" if query is None else f"?{query}")

    assert surt(url) == oracle.surt(url)


PLAIN = st.from_regex(
    r"[hH]ttps?://(www\d?\.)?[a-z0-9_-]{1,6}(\.[a-zA-Z0-9-]{1,5}){0,3}(:(80|443|0?[0-9]{1,4}))?"
    r"(/[a-zA-Z0-9~@!$*+,;:=._()-]{0,8}){0,4}(\?[a-zA-Z0-9~@!$*+,;:=./&?_%-]{0,20})?(#x)?",
    fullmatch=True,
)


@given(PLAIN)
@example("http://www.com/")
@example("http://www./")
@example("http://12345/")
@example("http://www.12345/")
@example("http://example.org:80/")
@example("https://example.org:443/")
@example("https://example.org:80/")
@example("https://example.org:0443/a")
@example("http://12345:8080/")
@example("https://example.org/a/./b")
@example("https://example.org/a//b/")
@example("https://example.org/?")
@example("https://example.org/?b=2&a=1&a=&b")
@example(f"https://example.org/?sid={SESSION}")
@example(f"https://example.org/?jsessionid={SESSION}")
@example("https://example.org/\n")
@example("https://\u212aelvin.example/")
def test_the_short_way_to_a_key_leads_to_that_of_the_long_one(url: str) -> None:
    assert _outcome(surt, url) == _outcome(key_by_all_rules, url)


def _outcome(key_of: Callable[[str], str], url: str) -> str:
    try:
        return key_of(url)
    except ValueError:
        return "none"
