# SPDX-License-Identifier: AGPL-3.0-or-later
"""Archived pages lead to captures, and have nothing in them that runs."""

import re
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.mementos.server.banner import Banner
from carrel.mementos.server.html_rewriting import rewrite_html
from carrel.mementos.server.rewriting import Links

URL = "http://h.example/dir/page.html?x=1"
LINKS = Links("/c/", "20200101000000", URL, "/e/k/c/")
FOLLOWED = "/c/20200101000000/http://h.example/"
LOADED = "/e/k/c/20200101000000"
IMAGE, SHEET, FRAME = (f"{LOADED}{mark}_/http://h.example/dir/" for mark in ("im", "cs", "if"))
BANNER = Banner(URL, datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC), "Some archive")


def rewritten(page: str, links: Links = LINKS, charset: str = "") -> str:
    return rewrite_html(page.encode(), charset, links).decode()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a", f"{FOLLOWED}dir/a"),
        ("/a?b#c", f"{FOLLOWED}a?b#c"),
        ("//o.example/", "/c/20200101000000/http://o.example/"),
        (r"http:\\o.example\x", "/c/20200101000000/http://o.example/x"),
        ("../../../../index", f"{FOLLOWED}index"),
        ("http://o.example/%2e%2E/..//index", "/c/20200101000000/http://o.example//index"),
        ('a b"<ü', f"{FOLLOWED}dir/a%20b%22%3C%C3%BC"),
        ("#part", "#part"),
        ("mailto:a@h.example", "mailto:a@h.example"),
        ("http://w.example/web/2019mp_/http://z/", None),
        ("/c/20200101000000/http://o.example/", "/c/20200101000000/http://o.example/"),
        ("java\nscript:x", ""),
        ("\x01javascript:x", ""),
        ("data:text/html,x", ""),
        ("blob:x", ""),
        ("http://[::1", ""),
        ("x" * 5000, ""),
        ("", ""),
    ],
)
def test_address_that_is_followed(text: str, place: str | None) -> None:
    assert LINKS.rewrite(text) == (f"/c/20200101000000/{text}" if place is None else place)


def test_images_as_data_stay_where_a_page_loads_them() -> None:
    data = "data:image/png;base64,AA=="

    assert (LINKS.rewrite(data, "im_"), LINKS.rewrite(data)) == (data, "")


@pytest.mark.parametrize(
    ("page", "result"),
    [
        ("<a href=b target=_top ping=/p>", f'<a href="{FOLLOWED}dir/b">'),
        (
            "<a href='?a=1&copy=2&amp;b'>",
            f'<a href="{FOLLOWED}dir/page.html?a=1&amp;copy=2&amp;b">',
        ),
        ("<a href=&#106;avascript:x onclick=y>", "<a>"),
        ("<IMG SRC=i ONERROR=x crossorigin>", f'<img src="{IMAGE}i">'),
        (
            "<img srcset='a 1x, b, c,d 2x'>",
            f'<img srcset="{IMAGE}a 1x, {IMAGE}b, {IMAGE}c,d 2x">',
        ),
        ("<video poster=p src=v>", None),
        ("<p style='b:url(x)'>", f'<p style="b:url(&quot;{IMAGE}x&quot;)">'),
        ("<style>@import 'x'</style>", f'<style>@import url("{SHEET}x")</style>'),
        ("<link rel=stylesheet href=s integrity=z>", f'<link rel="stylesheet" href="{SHEET}s">'),
        ("<link rel=preload as=style href=s>", f'<link rel="stylesheet" href="{SHEET}s">'),
        (
            "<link rel=dns-prefetch href=//x><link rel=manifest href=m>",
            "",
        ),
        ("<link rel=canonical href=/c>", f'<link rel="canonical" href="{FOLLOWED}c">'),
        (
            "<iframe src=f srcdoc=x allow=camera>in</iframe>",
            f'<iframe src="{FRAME}f" sandbox=""></iframe>',
        ),
        ("<form action=/go method=post><button formaction=x>", "<form><button>"),
        ("<noscript><b>x</b></noscript>", "<b>x</b>"),
        ("<script src=x>a</script>b", "b"),
        ("<script><!-- w('<script></script>') --></script>b", "b"),
        (
            "<svg><script/><use xlink:href=#a /><image href=i /></svg>b",
            f'<svg><use xlink:href="#a"></use><image href="{IMAGE}i"></image></svg>b',
        ),
        (
            "<svg><set attributeName=href to=javascript:x /></svg>",
            '<svg><set to="javascript:x"></set></svg>',
        ),
        (
            "<base href=http://o.example/s/><a href=b>",
            '<a href="/c/20200101000000/http://o.example/s/b">',
        ),
        (
            "<meta http-equiv=Content-Security-Policy content=x><meta http-equiv=set-cookie>",
            "",
        ),
        ("<head><meta charset=latin1>", '<head><meta charset="utf-8">'),
        ("<object data=o><embed src=e>still here</object>", None),
        ("a < b </3 <!--> c <!-- d --> <?e?>", "a &lt; b  c  "),
        ("<textarea><b></textarea><plaintext><b>", "<textarea>&lt;b></textarea><pre>&lt;b></pre>"),
        ("<p a='", ""),
        ("<!-- never ends <p>", ""),
        (
            "<img data-src=late src=data:image/gif;base64,R0>",
            f'<img data-src="late" src="{IMAGE}late">',
        ),
        (
            "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01//EN'>x",
            "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01//EN'>x",
        ),
    ],
)
def test_what_becomes_of_markup(page: str, result: str | None) -> None:
    if result is None:
        assert "still here" in rewritten(page) or "im_/" in rewritten(page)
    else:
        assert rewritten(page) == result


def test_page_of_another_charset_becomes_utf8() -> None:
    page = "<meta charset=windows-1251><p>Привет".encode("cp1251")

    assert "Привет" in rewrite_html(page, "", LINKS).decode()
    assert "Привет" in rewrite_html("<p>Привет".encode("koi8-r"), "koi8-r", LINKS).decode()
    assert "naïve" in rewrite_html("naïve".encode("latin-1"), "utf-7", LINKS).decode()


def test_xhtml_closes_what_html_would_leave_open() -> None:
    page = b"<html><script src='x'/><title/><div/>shown</html>"

    shown = rewrite_html(page, "", LINKS, is_xml=True)

    assert shown == b"<html><title></title><div></div>shown</html>"


@pytest.mark.parametrize(
    "page",
    [
        "<html><head><title>t</title></head><body class=a><p>b",
        "<title>t</title><p>b",
        "only text",
        "",
        "<template><p>in</p></template><p>b",
    ],
)
def test_banner_stands_before_the_content(page: str) -> None:
    shown = rewrite_html(page.encode(), "", LINKS, BANNER).decode()

    before, _, after = shown.partition('<div role="region"')
    assert "b" not in re.sub(r"<[^>]*>", "", before)
    assert "2 January 2020, 03:04:05 UTC" in after
    assert "Scripts were removed" in after
    assert f'href="{"/c/20200101000000id_/" + URL}"' in after
    assert f'href="/c/*/{URL}"' in after


def test_banner_says_where_a_page_would_have_led() -> None:
    page = b"<meta http-equiv=refresh content=\"0; URL='/next'\"><body>x"

    shown = rewrite_html(page, "", LINKS, BANNER).decode()

    assert f'<a href="{FOLLOWED}next"' in shown
    assert "http-equiv" not in shown


def test_banner_is_escaped() -> None:
    evil = 'http://h/"><script>x</script>'

    shown = rewrite_html(b"", "", LINKS, Banner(evil, BANNER.moment, "<script>y")).decode()

    assert "<script" not in shown


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.bad += [tag] if tag in ("script", "object", "embed", "base") else []
        self.bad += [name for name, _ in attrs if name.startswith("on")]
        self.bad += [value for _, value in attrs if value and value.startswith("javascript:")]


PIECES = st.sampled_from(
    [
        "<",
        ">",
        "/",
        "=",
        '"',
        "'",
        "a",
        "<a",
        "<script>",
        "</script>",
        "<style>",
        "</style>",
        "<svg>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "\x00",
        "onx=y",
        "href=javascript:x",
        "<title>",
        "</title>",
        "<textarea>",
        "<template>",
        "&lt;",
        "<?x",
        "<p",
        "<base",
        "<embed",
    ]
)


@given(st.lists(PIECES, max_size=20).map(" ".join))
def test_nothing_that_runs_is_left_whatever_is_cut_together(page: str) -> None:
    seen = _Seen()

    seen.feed(rewritten(page))

    assert seen.bad == []


@pytest.mark.parametrize(
    "page",
    [
        b"<div>" * 200_000,
        b"<a b=" * 200_000,
        b"<a b='" + b'<a b="' * 200_000,
        b"<a" + b" x" * 500_000,
        b"<a" + b" " * 1_000_000,
        b"<!--" * 200_000,
        b"<script><!--" * 100_000,
        b"<title>" * 200_000,
        b"</" * 500_000,
        b"\0" * 1_000_000,
        b'<img srcset="' + b", " * 30_000 + b'">',
    ],
)
def test_hostile_page_is_passed_once(page: bytes) -> None:
    assert len(rewrite_html(page, "", LINKS)) <= 2 * len(page) + 100


def test_page_that_grows_beyond_measure_is_cut_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("carrel.mementos.server.html_rewriting.MOST_WRITTEN", 1000)

    shown = rewrite_html(b"<a href=x>" * 10_000, "", LINKS)

    assert len(shown) < 2000
    assert b"left out the rest" in shown
