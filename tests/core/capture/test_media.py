# SPDX-License-Identifier: AGPL-3.0-or-later
"""Telling what bytes are."""

import pytest

from carrel.capture.media import (
    has_pdf_end,
    is_binary,
    is_document,
    is_page,
    media_of,
    sniffed,
)


@pytest.mark.parametrize(
    ("beginning", "media"),
    [
        (b"%PDF-1.7\n", "application/pdf"),
        (b"\xef\xbb\xbf\r\n%PDF-1.2", "application/pdf"),
        (b"<br />\n<b>Warning</b>: on line 3\n%PDF-1.4", "application/pdf"),
        (b"<html>" + b" " * 1100 + b"%PDF-1.4", "text/html"),
        (b"%!PS-Adobe-3.0", "application/postscript"),
        (b"\x04%!PS", "application/postscript"),
        (b"PK\x03\x04", "application/zip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
        (b"\x1f\x8b\x08", "application/gzip"),
        (b"{\\rtf1", "application/rtf"),
        (b"<!DOCTYPE html>", "text/html"),
        (b"\n\t <HTML>", "text/html"),
        (b"<p>Removed", "text/html"),
        (b"<!-- saved --><div>", "text/html"),
        (b"\xef\xbb\xbf<html>", "text/html"),
        ("\ufeff<html>".encode("utf-16-le"), "text/html"),
        ("\ufeffwords".encode("utf-16-be"), "text/plain"),
        (b"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC>", "text/html"),
        (b"<?xml version='1.0'?><!-- a --><!-- b --><html xmlns='x'>", "text/html"),
        (b"<?xml version='1.0'?><rdf:RDF>", "text/plain"),
        (b"<paper>", "text/plain"),
        (b"words", "text/plain"),
        (b"\x1b[1mwords\x0c", "text/plain"),
        (b"\x00\x01\x02", None),
    ],
)
def test_the_first_bytes_tell(beginning: bytes, media: str | None) -> None:
    assert sniffed(beginning) == media


@pytest.mark.parametrize(
    ("beginning", "header", "media"),
    [
        (b"%PDF-1.7", "text/html", "application/pdf"),
        (b"<html>", "application/pdf", "text/html"),
        (b"Removed.", "text/html", "text/html"),
        (b"words", "application/pdf", "text/plain"),
        (b"words", "application/zip", "text/plain"),
        (b"a,b", "text/csv", "text/csv"),
        (b"\\documentclass", "application/x-tex", "application/x-tex"),
        (b"PK\x03\x04", "application/epub+zip", "application/epub+zip"),
        (b"PK\x03\x04", "application/octet-stream", "application/zip"),
        (b"%!PS", "application/octet-stream", "application/postscript"),
        (b"%!PS", "text/plain", "application/postscript"),
        (b"\x00\x01", "application/x-stata", "application/x-stata"),
        (b"\x00\x01", "application/pdf", None),
        (b"\x00\x01", "text/html", None),
        (b"\x00\x01", "", None),
    ],
)
def test_the_header_speaks_where_the_bytes_do_not(
    beginning: bytes, header: str, media: str | None
) -> None:
    assert media_of(beginning, header) == media


@pytest.mark.parametrize(
    ("declared", "page", "document", "binary"),
    [
        (None, False, False, False),
        ("", False, False, False),
        ("text/html", True, False, False),
        (" Text/HTML; charset=utf-8", True, False, False),
        ("html", True, False, False),
        ("Application/pdf", False, True, True),
        ("PDF", False, True, True),
        ("application/msword", False, True, True),
        ("application/postscript", False, True, False),
        ("text/plain", False, True, False),
    ],
)
def test_what_a_template_declares(
    declared: str | None, page: bool, document: bool, binary: bool
) -> None:
    assert (is_page(declared), is_document(declared), is_binary(declared)) == (
        page,
        document,
        binary,
    )


@pytest.mark.parametrize(
    ("ending", "has_end"),
    [(b"%%EOF", True), (b"%%EOF\n" + b"\0" * 2000, True), (b"endobj", False), (b"", False)],
)
def test_a_pdf_has_an_end(ending: bytes, has_end: bool) -> None:
    assert has_pdf_end(ending) is has_end


def test_hostile_comments_take_no_time() -> None:
    assert sniffed(b"<?xml ?>" + b"<!--a-->" * 500 + b"<x") == "text/plain"
