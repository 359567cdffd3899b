# SPDX-License-Identifier: AGPL-3.0-or-later
"""Records become answers: unpacked within bounds, rewritten, with headers that harm nobody."""

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from carrel.mementos.loading.record import Record
from carrel.mementos.server.replay import Looking, replayed
from carrel.mementos.server.rewriting import Links
from support.archived_site import MOMENT, record

URL = "http://h.example/dir/page"
LINKS = Links("/c/", "20190503120405", URL, "/e/k/c/")
OPENED = Looking(LINKS, MOMENT, "Some archive", "127.0.0.1:8/e/k/c/")
EMBEDDED = Looking(LINKS, MOMENT, "Some archive", "127.0.0.1:8/e/k/c/", "im_")
PAGE = b"<p>shown <a href=/next>"


def shown(archived: Record, looking: Looking = OPENED) -> tuple[int, dict[str, str], bytes]:
    status, headers, body = replayed(archived, URL, looking)
    return status, dict(headers), body if isinstance(body, bytes) else b"".join(body)


@pytest.mark.parametrize(
    ("payload", "coding"),
    [
        (PAGE, ""),
        (gzip.compress(PAGE, mtime=0), "gzip"),
        (gzip.compress(PAGE[:5], mtime=0) + gzip.compress(PAGE[5:], mtime=0), "x-gzip"),
        (zlib.compress(PAGE), "deflate"),
        (zlib.compress(PAGE)[2:-4], "deflate"),
        (gzip.compress(gzip.compress(PAGE, mtime=0), mtime=0), "gzip, gzip"),
        (PAGE, "gzip"),
        (PAGE, "identity"),
    ],
)
def test_page_is_unpacked_and_rewritten(payload: bytes, coding: str) -> None:
    status, headers, body = shown(record(payload, "text/html", f"Content-Encoding: {coding}"))

    assert status == 200
    assert b"shown" in body
    assert b'href="/c/20190503120405/http://h.example/next"' in body
    assert "from “Some archive”".encode() in body
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Content-Length"] == str(len(body))
    assert "Content-Encoding" not in headers


def test_page_leads_to_its_own_raw_capture_and_elsewhere_to_any() -> None:
    looking = replace(OPENED, links=Links("/c/", "20190503120405", URL, of="from/big/"))

    page = shown(record(b"<p><a href=/next>x</a>", "text/html"), looking)[2].decode()

    assert f'href="/c/from/big/20190503120405id_/{URL}"' in page
    assert 'href="/c/20190503120405/http://h.example/next"' in page


def test_page_packed_with_brotli_is_unpacked() -> None:
    brotli = pytest.importorskip("brotli", reason="there is no brotli library")

    _, _, body = shown(record(brotli.compress(PAGE), "text/html", "Content-Encoding: br"))

    assert b"shown" in body


@pytest.mark.parametrize("name", ["gzip", "deflate"])
def test_bomb_is_not_unpacked_and_the_page_says_so(name: str) -> None:
    packer = zlib.compressobj(wbits=31 if name == "gzip" else 15)
    bomb = b"".join(packer.compress(bytes(1024**2)) for _ in range(64)) + packer.flush()

    status, headers, body = shown(record(bomb, "text/html", f"Content-Encoding: {name}"))

    assert status == 501
    assert b"larger than the 16 MiB" in body
    assert f"/c/20190503120405id_/{URL}".encode() in body
    assert "style-src 'sha256-" in headers["Content-Security-Policy"]


def test_unknown_coding_is_named_and_escaped() -> None:
    status, _, body = shown(record(PAGE, "text/html", "Content-Encoding: <zip>"))

    assert status == 501
    assert b"&lt;zip&gt;" in body


def test_endless_page_is_read_no_further_than_its_bound() -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield bytes(1024**2)

    archived = record(b"", "text/html")
    archived.payload = endless()

    assert shown(archived)[0] == 501


def test_style_sheet_is_rewritten() -> None:
    _, headers, body = shown(record(b"a{b:url(x)}", "text/css"), EMBEDDED)

    assert body == b'a{b:url("/e/k/c/20190503120405im_/http://h.example/dir/x")}'
    assert headers["Content-Type"] == "text/css; charset=utf-8"


def test_frame_has_no_banner() -> None:
    assert b"Some archive" not in shown(record(PAGE), EMBEDDED)[2]


@pytest.mark.parametrize(
    ("status", "given"),
    [
        (200, 200),
        (404, 404),
        (500, 500),
        (206, 200),
        (304, 200),
        (407, 403),
        (999, 200),
        (100, 200),
    ],
)
def test_status_is_kept_unless_it_would_mean_something_now(status: int, given: int) -> None:
    answer = shown(record(PAGE, status=status))

    assert answer[0] == given


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect_leads_to_a_capture(status: int) -> None:
    location = "Location: https://o.example/there"

    got, headers, _ = shown(record(b"", "text/html", location, status=status))

    assert got == status
    assert headers["Location"] == "/c/20190503120405/https://o.example/there"
    assert headers["Cache-Control"] == "no-store"


def test_redirect_of_an_image_stays_behind_the_door() -> None:
    _, headers, _ = shown(record(b"", "text/html", "Location: /i.png", status=302), EMBEDDED)

    assert headers["Location"] == "/e/k/c/20190503120405im_/http://h.example/i.png"


def test_redirect_to_a_script_is_a_page_that_says_so() -> None:
    status, headers, body = shown(record(b"", "t/h", "Location: javascript:x", status=302))

    assert status == 404
    assert "Location" not in headers
    assert b"javascript:x" in body


def test_headers_that_act_are_left_out() -> None:
    more = (
        "Set-Cookie: a=b",
        "Content-Security-Policy: default-src *",
        "Strict-Transport-Security: max-age=1",
        "Refresh: 0;url=http://x",
        "Clear-Site-Data: *",
        "Service-Worker-Allowed: /",
        "Link: <http://x>; rel=preload",
        "Access-Control-Allow-Origin: *",
        "Last-Modified: Thu, 01 Jan 2015 00:00:00 GMT",
        "Content-Language: pt",
        "Transfer-Encoding: chunked",
    )

    _, headers, _ = shown(record(PAGE, "text/html", *more))

    assert headers["X-Archive-Orig-Last-Modified"] == "Thu, 01 Jan 2015 00:00:00 GMT"
    assert headers["Content-Language"] == "pt"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert not {
        "Set-Cookie",
        "Strict-Transport-Security",
        "Refresh",
        "Clear-Site-Data",
        "Service-Worker-Allowed",
        "Link",
        "Access-Control-Allow-Origin",
        "Transfer-Encoding",
    } & set(headers)


def test_other_types_stream_as_they_are_with_their_coding() -> None:
    packed = gzip.compress(b"a,b")

    _, headers, body = shown(record(packed, "text/csv; charset=utf-8", "Content-Encoding: gzip"))

    assert body == packed
    assert headers["Content-Encoding"] == "gzip"
    assert headers["Content-Type"] == "text/csv; charset=utf-8"
    assert "Content-Disposition" not in headers


def test_coding_that_was_undone_before_is_not_promised() -> None:
    _, headers, _ = shown(record(b"a,b", "text/csv", "Content-Encoding: gzip"))

    assert "Content-Encoding" not in headers


def test_what_no_browser_shows_is_saved() -> None:
    certificate = shown(record(b"x", "application/x-x509-ca-cert"))[1]
    file = shown(
        record(b"x", "application/zip", 'Content-Disposition: attachment; filename="d.zip"')
    )[1]

    assert certificate["Content-Disposition"] == "attachment"
    assert file["Content-Disposition"] == 'attachment; filename="d.zip"'


@pytest.mark.parametrize(
    ("payload", "mimetype"),
    [
        (b" <!-- c --><!doctype html><p>", "text/html; charset=utf-8"),
        (b"<!--" * 500, "text/plain"),
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"plain", "text/plain"),
        (b"\0\1", "application/octet-stream"),
        (gzip.compress(b"<html>", mtime=0), "text/html; charset=utf-8"),
        (b"", "text/plain"),
    ],
)
def test_missing_type_is_guessed_with_care(payload: bytes, mimetype: str) -> None:
    coding = "Content-Encoding: gzip" if payload.startswith(b"\x1f\x8b") else "X: y"

    assert shown(record(payload, "", coding))[1]["Content-Type"] == mimetype


def test_headers_can_not_be_split() -> None:
    archived = record(b"x", "image/png; charset=a\x0bb", "Content-Language: a\x00b\x0ac")

    _, headers, _ = shown(archived)

    assert headers["Content-Type"] == "image/png"
    assert "Content-Language" not in headers
