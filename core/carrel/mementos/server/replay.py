# SPDX-License-Identifier: AGPL-3.0-or-later
"""A record made fit for looking at in a browser: status, headers and body of the answer.

Pages and style sheets are rewritten, everything else goes through as it was, bounded in memory.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from carrel.mementos.loading.content_coding import (
    BROWSER_CODINGS,
    NotUnpacked,
    codings_of,
    is_gzip,
    unchunked,
    unpacked,
)
from carrel.mementos.loading.record import Record, http_fields, http_status
from carrel.mementos.server.banner import Banner
from carrel.mementos.server.charsets import declared_type, styles_in_utf8
from carrel.mementos.server.css_rewriting import rewrite_css
from carrel.mementos.server.html_rewriting import rewrite_html
from carrel.mementos.server.pages import Advice, error_page
from carrel.mementos.server.replay_policy import is_shown, replay_headers
from carrel.mementos.server.rewriting import RAW, Links
from carrel.translation import tr

# More than this no page or style sheet is; a hostile one would keep a worker busy for minutes.
MOST_REWRITTEN = 16 * 1024**2
_PAGES = ("text/html", "application/xhtml+xml")
_STYLES = "text/css"
_UNKNOWN = "application/octet-stream"
_REDIRECTS = (301, 302, 303, 307, 308)
# These mean something to the browser that asks now: an unasked part, nothing new, a retry,
# a proxy's password.
_TAKEN_FOR_OWN = {206: 200, 304: 200, 204: 200, 205: 200, 407: 403, 408: 400, 421: 400, 425: 400}
# Kept under another name, so that no browser acts on them. All else is left out: cookies, policies,
# refreshes, links to load and whatever will be thought of.
_TOLD = ("Date", "Last-Modified", "ETag", "Server")
_PRINTABLE = re.compile(r"[\x20-\x7e]{1,500}")
_TYPE = re.compile(r"[\w.+-]{1,100}/[\w.+-]{1,100}", re.ASCII)
_LOOKS_LIKE_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?(?>\s|<!--.{0,500}?-->)*+"
    rb"<(?:!doctype html|html|head|body|title|script|div|p|h1|table|a)\b",
    re.IGNORECASE | re.DOTALL,
)
_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
)

Headers = list[tuple[str, str]]
Answer = tuple[int, Headers, bytes | Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Looking:
    """How a record is looked at: by whose links, as what, and where it may load from.

    `modifier` is the one it was requested with, "" for what a person opens; `embedded_source` is
    what `replay_policy.embedded_source` names. `source` names the archive that the record is of.
    """

    links: Links
    moment: datetime
    source: str
    embedded_source: str
    modifier: str = ""

    @property
    def is_embedded(self) -> bool:
        return self.modifier not in ("", RAW)


def replayed(record: Record, target_url: str, looking: Looking) -> Answer:
    """Return the answer that shows a record: status, headers, and a body or the pieces of one.

    The record stays the caller's to close, after the body. Reading blocks: for worker threads.
    Raises NotLoaded.
    """
    fields = http_fields(record.http_head)
    status = _status(record)
    if status in _REDIRECTS and fields.get("location"):
        return _redirect(status, fields["location"], target_url, looking)
    pieces, beginning = _begun(unchunked(record))
    mimetype, charset = declared_type(fields.get("content-type", ""))
    mimetype = _checked(mimetype) or _sniffed(beginning, fields.get("content-encoding", ""))
    kept = _kept(fields, mimetype, status)
    if mimetype in _PAGES or mimetype == _STYLES:
        body = _Body(pieces, fields.get("content-encoding", ""), mimetype, charset)
        return _rewritten(body, _TAKEN_FOR_OWN.get(status, status), kept, target_url, looking)
    headers = _headers_as_they_are(fields, mimetype, beginning)
    return (
        _TAKEN_FOR_OWN.get(status, status),
        [*headers, *kept, *_policy(mimetype, looking)],
        pieces,
    )


class _TooLarge(NotUnpacked):
    pass


@dataclass(frozen=True, slots=True)
class _Body:
    pieces: Iterator[bytes]
    content_encoding: str
    mimetype: str
    charset: str


def _rewritten(
    body: _Body, status: int, kept: Headers, target_url: str, looking: Looking
) -> Answer:
    try:
        content = _whole(body)
    except NotUnpacked as error:
        return _not_shown(str(error), 501, target_url, looking)
    links = looking.links
    if body.mimetype == _STYLES:
        text = styles_in_utf8(content, body.charset).decode("utf-8", "replace")
        out, mimetype = rewrite_css(text, links).encode("utf-8", "replace"), _STYLES
    else:
        banner = Banner(target_url, looking.moment, looking.source)
        out = rewrite_html(
            content,
            body.charset,
            links,
            None if looking.is_embedded else banner,
            is_xml=body.mimetype != "text/html",
        )
        mimetype = "text/html"
    headers = [("Content-Type", f"{mimetype}; charset=utf-8"), ("Content-Length", str(len(out)))]
    return status, [*headers, *kept, *_policy(mimetype, looking)], out


def _whole(body: _Body) -> bytes:
    """Return a page unpacked; what ends early as far as it goes. Raises NotUnpacked."""
    content = bytearray()
    try:
        for piece in unpacked(body.pieces, body.content_encoding):
            content += piece
            if len(content) > MOST_REWRITTEN:
                most = MOST_REWRITTEN // 1024**2
                words = tr(
                    "It is larger than the {most} MiB up to which captures are rewritten for "
                    "replay.",
                    most=most,
                )
                raise _TooLarge(words)
    except NotUnpacked as error:
        if not content or isinstance(error, _TooLarge):
            raise
    return bytes(content)


def _headers_as_they_are(fields: Mapping[str, str], mimetype: str, beginning: bytes) -> Headers:
    headers = [("Content-Type", _type_header(mimetype, fields.get("content-type", "")))]
    if coding := _browsers_own(fields.get("content-encoding", ""), beginning):
        headers.append(("Content-Encoding", coding))
    return headers


def _redirect(status: int, location: str, target_url: str, looking: Looking) -> Answer:
    """Lead to the capture of where an archived redirect led, never out of the archive."""
    # Servers send raw UTF-8 here, which was read as Latin-1.
    location = location.encode("latin-1", "replace").decode("utf-8", "replace")
    place = looking.links.rewrite(location, looking.modifier)
    if not place or place.startswith("#"):
        words = tr(
            "The capture redirects to “{location}”, which cannot have captures.",
            location=location[:300],
        )
        return _not_shown(words, 404, target_url, looking)
    headers = [("Location", place), ("Content-Length", "0"), *_policy("text/plain", looking)]
    # The browser shall not keep a redirect: another capture may be closest tomorrow.
    headers = [*((n, v) for n, v in headers if n != "Cache-Control"), ("Cache-Control", "no-store")]
    return status, headers, b""


def _not_shown(words: str, status: int, target_url: str, looking: Looking) -> Answer:
    """Answer a page of our own that says why the capture cannot be shown, and offers it raw."""
    raw = Advice(tr("Get the raw capture"), looking.links.own(target_url, RAW))
    others = Advice(tr("See the other captures"), looking.links.captures_of(target_url))
    page = error_page(status, tr("This capture cannot be shown"), words, (raw, others))
    return page.status, list(page.headers), page.body


def _status(record: Record) -> int:
    digits = http_status(record.http_head)
    status = int(digits) if len(digits) == 3 else 200
    return status if 200 <= status <= 599 else 200


def _begun(payload: Iterator[bytes]) -> tuple[Iterator[bytes], bytes]:
    """Return all pieces of a payload, and a look at the first that has anything in it."""
    for piece in payload:
        if piece:
            return chain((piece,), payload), piece
    return iter(()), b""


def _checked(mimetype: str) -> str:
    return mimetype if _TYPE.fullmatch(mimetype) else ""


def _sniffed(beginning: bytes, content_encoding: str) -> str:
    """Return what a payload without a type seems to be; browsers are told not to guess."""
    if codings_of(content_encoding) and is_gzip(beginning):
        beginning = _first_bytes_unpacked(beginning, content_encoding)
    if _LOOKS_LIKE_HTML.match(beginning[:2048]):
        return "text/html"
    known = (mimetype for magic, mimetype in _MAGIC if beginning.startswith(magic))
    return next(known, _UNKNOWN if b"\0" in beginning[:2048] else "text/plain")


def _first_bytes_unpacked(beginning: bytes, content_encoding: str) -> bytes:
    try:
        return next(unpacked((beginning[:4096],), content_encoding), b"")
    except NotUnpacked:
        return b""


def _kept(fields: Mapping[str, str], mimetype: str, status: int) -> Headers:
    """Return the archived headers that may reach a browser, and those that are told as history."""
    headers = [("X-Archive-Orig-Status", str(status))]
    for name in _TOLD:
        if _PRINTABLE.fullmatch(value := fields.get(name.lower(), "")):
            headers.append((f"X-Archive-Orig-{name}", value))
    if _PRINTABLE.fullmatch(language := fields.get("content-language", "")):
        headers.append(("Content-Language", language))
    if disposition := _disposition(fields.get("content-disposition", ""), mimetype):
        headers.append(("Content-Disposition", disposition))
    return headers


def _disposition(archived: str, mimetype: str) -> str:
    """Return whether a payload is saved: as it said of itself, and if no browser shows its type."""
    if archived.lower().startswith("attachment") and _PRINTABLE.fullmatch(archived):
        return archived
    return "" if is_shown(mimetype) else "attachment"


def _type_header(mimetype: str, declared: str) -> str:
    _, charset = declared_type(declared)
    is_plain = bool(re.fullmatch(r"[\w.:-]{1,40}", charset, re.ASCII))
    return f"{mimetype}; charset={charset}" if charset and is_plain else mimetype


def _browsers_own(content_encoding: str, beginning: bytes) -> str:
    """Return the codings that the browser is to undo, "" where they were undone before."""
    names = codings_of(content_encoding)
    if not names or not set(names) <= BROWSER_CODINGS:
        return ""
    if names[-1] in ("gzip", "x-gzip") and not is_gzip(beginning):
        return ""
    return ", ".join(names)


def _policy(mimetype: str, looking: Looking) -> Headers:
    return replay_headers(mimetype, looking.embedded_source, is_embedded=looking.is_embedded)
