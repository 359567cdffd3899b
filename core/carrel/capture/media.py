# SPDX-License-Identifier: AGPL-3.0-or-later
"""What kind of content some bytes are. The bytes speak first, the header where they are silent."""

import re
import string

PDF, HTML, TEXT = "application/pdf", "text/html", "text/plain"

# Readers of PDF look for its mark in the first so many bytes (ISO 32000-1, annex H, note 13).
_PDF_WITHIN = 1024
_PDF_END_WITHIN = 64 * 1024
_LOOKED_AT = 4096

_MARKS = (
    (b"%!", "application/postscript"),
    (b"\x04%!", "application/postscript"),
    (b"\x1b%-12345X", "application/postscript"),
    (b"\xc5\xd0\xd3\xc6", "application/postscript"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\x1f\x9d", "application/x-compress"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\x00", "application/x-xz"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (rb"{\rtf", "application/rtf"),
    (b"\xf7\x02", "application/x-dvi"),
    (b"AT&TFORM", "image/vnd.djvu"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF8", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
)
# As browsers tell it (mimesniff.spec.whatwg.org, 7.1), and some tags that old pages begin with.
_HTML = re.compile(
    rb"<(?:!--|(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p"
    rb"|meta|link|center|form|noscript)(?:[\s/>]|$))",
    re.IGNORECASE,
)
_XHTML = re.compile(
    rb"<\?xml[^>]*+>\s*+(?:<!--[^-]*(?:-(?!->)[^-]*)*-->\s*+)*<(?:!doctype html|html)(?:[\s/>]|$)",
    re.IGNORECASE,
)
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
# Escape, form feed and the white space are what text may hold of the control characters.
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_SAYS_NOTHING = (
    "",
    "application/octet-stream",
    "binary/octet-stream",
    "application/force-download",
)
_PAGES = ("text/html", "application/xhtml+xml", "html", "htm", "xhtml")
_BINARY = (
    *("pdf", "zip", "word", "office", "excel", "compress", "djvu", "dvi", "ole", "image/"),
    *("audio/", "video/", "hdf", "netcdf", "x-tar", "7z", "parquet", "sqlite"),
)
_CONTAINERS = ("application/zip", "application/x-ole-storage", "application/gzip")


def sniffed(beginning: bytes) -> str | None:
    """Return what the first bytes of a body are, None if no one can tell."""
    if b"%PDF-" in beginning[:_PDF_WITHIN]:
        return PDF
    for mark, media in _MARKS:
        if beginning.startswith(mark):
            return media
    text = _as_ascii(beginning[:_LOOKED_AT])
    bare = text.lstrip(string.whitespace.encode())
    if _HTML.match(bare) or _XHTML.match(bare):
        return HTML
    return None if _NO_TEXT.search(text) else TEXT


def media_of(beginning: bytes, header: str) -> str | None:
    """Return the media type of a body by its first bytes and the declared type, None if unknown.

    `header` is the declared type in lower case, without parameters, "" if there is none.
    """
    seen = sniffed(beginning)
    if seen in (PDF, HTML):
        return seen
    if header in _PAGES:
        # What is called a page and is plain text is a page that was badly made.
        return HTML if seen == TEXT else seen
    if header == PDF or header in _SAYS_NOTHING or (seen == TEXT and is_binary(header)):
        return seen
    is_more_exact = seen in (None, TEXT, *_CONTAINERS)
    return header if is_more_exact else seen


def is_page(media: str | None) -> bool:
    """Say whether a media type, or a File-Format, is that of a page in HTML."""
    return _bare(media) in _PAGES


def is_binary(media: str | None) -> bool:
    """Say whether a media type, or a File-Format, is one that plain text cannot be."""
    return any(word in _bare(media) for word in _BINARY)


def is_document(media: str | None) -> bool:
    """Say whether a media type, or a File-Format, is known, and is no page."""
    return bool(_bare(media)) and not is_page(media)


def has_pdf_end(ending: bytes) -> bool:
    """Say whether a PDF ends as it should, by its last bytes (ISO 32000-1, 7.5.5)."""
    return b"%%EOF" in ending[-_PDF_END_WITHIN:]


def _bare(media: str | None) -> str:
    return (media or "").partition(";")[0].strip().lower()


def _as_ascii(beginning: bytes) -> bytes:
    for mark, encoding in _BOMS:
        if beginning.startswith(mark):
            text = beginning[len(mark) :].decode(encoding, "replace")
            return text.encode("ascii", "replace")
    return beginning
