# SPDX-License-Identifier: AGPL-3.0-or-later
"""A real browser shows an archived page with its images and styles, and lets it do nothing else."""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.archived_site import CHROMIUM, Site, browsed, served

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

PAGE = "http://dataset.example/landing/page.html"


def _png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    rows = (b"\0" + b"\xc0\x30\x30" * 8) * 8
    size = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (chunk(b"IHDR", size), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    )


ORDINARY = b"""<html><head><link rel=stylesheet href=/style.css></head><body>
<p class=f>text</p><img src=../own.png><img srcset="../wide.png 1x">
<iframe src=/inner.html></iframe>"""
# What a page tries although its addresses were rewritten: by styles, frames, scripts of all sorts.
HOSTILE = """<body onload="fetch('/onload')"><script>new Image().src='/script'</script>
<img src=x onerror="new Image().src='/onerror'"><a href="javascript:1" id=j>j</a>
<svg><script>new Image().src='/svg'</script></svg><svg onload="new Image().src='/svgload'"></svg>
<object data="%s/object"></object><embed src="%s/embed">
<link rel=preload as=image href="%s/preload">
<link rel=prefetch href="%s/prefetch"><meta http-equiv=refresh content="0;url=%s/refresh">
<form action="%s/form"><input autofocus onfocus="this.form.submit()"></form>
<iframe srcdoc="<script>parent.location='/srcdoc'</script>"></iframe>"""


@pytest.fixture
def site() -> Iterator[Site]:
    captures = {
        PAGE: (ORDINARY, "text/html"),
        "http://dataset.example/style.css": (
            b"@font-face{font-family:f;src:url(font.woff2)}p{font-family:f;background:url(bg.png)}",
            "text/css",
        ),
        "http://dataset.example/own.png": (_png(), "image/png"),
        "http://dataset.example/wide.png": (_png(), "image/png"),
        "http://dataset.example/bg.png": (_png(), "image/png"),
        "http://dataset.example/font.woff2": (b"wOF2", "font/woff2"),
        "http://dataset.example/inner.html": (b"<img src=inner.png>", "text/html"),
        "http://dataset.example/inner.png": (_png(), "image/png"),
    }
    with served(captures) as site:
        yield site


def _loaded(site: Site) -> set[str]:
    """Return the last parts of the paths that were asked for by the door."""
    return {path.rpartition("/")[2] for path in site.asked if site.door.behind(path)}


def test_a_page_is_shown_with_its_own_images_styles_fonts_and_frames(
    site: Site, tmp_path: Path
) -> None:
    told = browsed(site.address(PAGE), tmp_path)

    assert _loaded(site) == {
        "style.css",
        "own.png",
        "wide.png",
        "bg.png",
        "font.woff2",
        "inner.html",
        "inner.png",
    }
    assert "violates" not in told
    assert "has been blocked" not in told


def test_rewritten_hostile_page_reaches_nothing(tmp_path: Path) -> None:
    captures: dict[str, tuple[bytes, str]] = {}
    with served(captures) as site:
        captures[PAGE] = (HOSTILE.replace("%s", site.stranger).encode(), "text/html")

        browsed(site.address(PAGE), tmp_path)

        others = [path for path in site.asked if site.door.behind(path) is None]
        assert others in (
            [f"/c/20190503120405/{PAGE}"],
            [f"/c/20190503120405/{PAGE}", "/favicon.ico"],
        )
        assert site.strangers_asked == []


def test_page_that_was_not_rewritten_at_all_reaches_nothing_by_its_policy(tmp_path: Path) -> None:
    """XHTML that is served as XML is shown as it is: what holds it is the policy alone."""
    tries = (
        '<x:script>new Image().src="/script"</x:script><x:img src="%s/img"/><x:img src="/c/index"/>'
        '<x:link rel="stylesheet" href="%s/css"/><x:iframe src="%s/frame"/>'
        "<x:style>@import url(%s/import); * { background: url(%s/bg) }</x:style>"
        '<x:object data="%s/object"/><x:embed src="%s/embed"/><x:video src="%s/video"/>'
        '<x:meta http-equiv="refresh" content="0;url=%s/refresh"/>'
    )
    captures: dict[str, tuple[bytes, str]] = {}
    with served(captures) as site:
        body = f'<r xmlns:x="http://www.w3.org/1999/xhtml">{tries}</r>'
        xml = body.replace("%s", site.stranger).encode()
        captures[PAGE] = (xml, "application/xml")

        told = browsed(site.address(PAGE), tmp_path)

        assert [path for path in site.asked if "favicon" not in path] == [
            f"/c/20190503120405/{PAGE}"
        ]
        assert site.strangers_asked == []
        assert "Blocked script execution" in told
