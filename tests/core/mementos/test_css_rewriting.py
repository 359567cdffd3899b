# SPDX-License-Identifier: AGPL-3.0-or-later
"""Style sheets load captures only, whatever is written in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.mementos.server.css_rewriting import rewrite_css
from carrel.mementos.server.rewriting import Links

LINKS = Links("/c/", "20200101000000", "http://h.example/dir/page.html", "/e/k/c/")
IMAGES = "/e/k/c/20200101000000im_/http://h.example/dir/"
SHEETS = "/e/k/c/20200101000000cs_/http://h.example/dir/"


@pytest.mark.parametrize(
    ("written", "rewritten"),
    [
        ("a{b:url(x.png)}", f'a{{b:url("{IMAGES}x.png")}}'),
        ("a{b:URL( 'x y.png' )}", f'a{{b:url("{IMAGES}x%20y.png" )}}'),
        (r"a{b:url(x\)y.png)}", f'a{{b:url("{IMAGES}x)y.png")}}'),
        (r"a{b:\75 rl(x.png)}", f'a{{b:url("{IMAGES}x.png")}}'),
        (r"a{b:u\000072l(x.png)}", f'a{{b:url("{IMAGES}x.png")}}'),
        ('@import "x.css" print;', f'@import url("{SHEETS}x.css") print;'),
        ("@import url(x.css);", f'@import url("{SHEETS}x.css");'),
        ('@import/* */"x.css";', f'@import/* */url("{SHEETS}x.css");'),
        (
            'a{b:image-set("x.png" 1x, url("y.png") 2x type("image/png"))} c{content:"z"}',
            f'a{{b:image-set(url("{IMAGES}x.png") 1x, url("{IMAGES}y.png") 2x '
            'type("image/png"))} c{content:"z"}',
        ),
        ("/* url(x) */a{b:c}", "/**/a{b:c}"),
        ('a{content:"url(x)"}', 'a{content:"url(x)"}'),
        ("a{b:url(#drawn)}", 'a{b:url("#drawn")}'),
        ("a{b:url(data:image/gif;base64,R0)}", 'a{b:url("data:image/gif;base64,R0")}'),
        ("a{b:url(javascript:x)}", 'a{b:url("data:,")}'),
        ("@namespace s url(http://www.w3.org/s);", "@namespace s url(http://www.w3.org/s);"),
        ("a{b:expression(x)}", "a{b:-left-out(x)}"),
        ("a{behavior:none;-moz-binding:none}", "a{-left-out:none;-left-out:none}"),
        ("html{scroll-behavior:smooth} .behavior:hover{}", None),
        ("@media (width < 9em){a{b:c}}", None),
        (r'a{content:"\201C"}', r'a{content:"\201C "}'),
        ("</style><script>", r"\3c /style>\3c script>"),
        ("a{b:url(x", f'a{{b:url("{IMAGES}x")'),
        ("a{b:'x", None),
        ("a{/* never ends url(x)", "a{/**/"),
    ],
)
def test_addresses_lead_to_captures(written: str, rewritten: str | None) -> None:
    assert rewrite_css(written, LINKS) == (written if rewritten is None else rewritten)


@pytest.mark.parametrize(
    "piece",
    ["url(", "url(\\)", '"', "'\\", "/*", "@import", "@charset", "image-set(", "\\61", "behavior "],
)
def test_what_never_ends_is_passed_once(piece: str) -> None:
    rewrite_css(piece * 100_000, LINKS)
    rewrite_css("image-set(" + "type(" * 100_000 + piece * 100_000, LINKS)


def test_sheet_that_grows_beyond_measure_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carrel.mementos.server.css_rewriting.MOST_WRITTEN", 1000)

    assert len(rewrite_css("url(x)" * 1000, LINKS)) <= 1000


@given(st.text(alphabet="url()\"'\\@import ;{}/*<x:-set.72", max_size=60))
def test_no_text_breaks_it_or_ends_the_element(text: str) -> None:
    assert "</" not in rewrite_css(text, LINKS)
