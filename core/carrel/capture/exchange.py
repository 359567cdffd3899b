# SPDX-License-Identifier: AGPL-3.0-or-later
"""One HTTP request and its response, as they went over the wire."""

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from carrel.capture.http1.headers import RawHeaders, joined
from carrel.capture.replayable import beyond_latin1, replayable
from carrel.capture.server import Server
from carrel.errors import CarrelError
from carrel.translation import tr

# What a person's keys travel in. It goes over the wire and nowhere else.
SECRET_HEADERS = frozenset(
    {
        b"authorization",
        b"proxy-authorization",
        b"cookie",
        b"x-dataverse-key",
        b"x-api-key",
        b"api-key",
        b"x-auth-token",
        b"x-access-token",
        b"x-authorization",
        b"private-token",
    }
)

_FRAMING = {b"transfer-encoding", b"content-length"}
# What readers of WARCs know; pywb answers for nothing else.
_VERSIONS = (b"HTTP/1.1", b"HTTP/1.0")
_PIECE_BYTES = 1024 * 1024
_FREED = tr("An address in it had a user name or password, which was removed.")
# zlib's names for gzip's and its own wrapping.
_WINDOW_BITS = {"gzip": 31, "x-gzip": 31, "deflate": 15}
_GZIP_BEGINS = b"\x1f\x8b"
_CONTENT_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18})")


class CannotDecode(CarrelError, ValueError):
    """A body's content coding is broken, or ends early, or is one that we cannot undo."""


class TooMuch(CannotDecode):
    """A body is larger than anyone reads, once its content coding is undone."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and the response to it; `started` is aware UTC, `elapsed_s` to the last byte.

    `body` is what was transferred, without the transfer coding and with the content coding; it is
    empty where the payload went elsewhere. `truncated` says why the body is not all there is, in
    the words of WARC-Truncated (ISO 28500:2017, 5.13); "" where it is. `freed_headers` names (in
    lower case) those of the response in which an address had a user name or password, which is left
    out here. `server` is who answered.
    """

    url: str
    target: bytes
    request_headers: RawHeaders
    status_code: int
    reason: bytes
    response_headers: RawHeaders
    started: datetime
    method: str = "GET"
    request_body: bytes = b""
    body: bytes = b""
    elapsed_s: float = 0.0
    truncated: str = ""
    http_version: bytes = b"HTTP/1.1"
    freed_headers: frozenset[bytes] = frozenset()
    server: Server = Server()
    headers: Mapping[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "headers", joined(self.response_headers))

    @property
    def timestamp(self) -> str:
        """The moment of the request in 14 digits, UTC."""
        return self.started.strftime("%Y%m%d%H%M%S")

    @property
    def mimetype(self) -> str:
        """The declared type without its parameters, in lower case; "" if there is none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def is_cut(self) -> bool:
        """Whether the body is not all there is."""
        return bool(self.truncated)

    @property
    def tells_end(self) -> bool:
        """Whether the answer says where its body ends, so that a cut one is known (RFC 9112, 6.3).

        To say that there is no transfer coding ("identity") is to say nothing.
        """
        coding = self.headers.get("transfer-encoding", "")
        return "content-length" in self.headers or "chunked" in coding.lower()

    @property
    def content_range(self) -> tuple[int, int, int] | None:
        """The first and the last byte that are sent, and how many there are in all; None if the
        answer does not tell all three (RFC 9110, 14.4)."""
        found = _CONTENT_RANGE.fullmatch(self.headers.get("content-range", ""))
        return (int(found[1]), int(found[2]), int(found[3])) if found else None

    @property
    def is_part(self) -> bool:
        """Whether the answer says of itself that it has only a part."""
        if self.status_code == 206 or "content-range" not in self.headers:
            return self.status_code == 206
        first, last, total = self.content_range or (-1, 0, 0)
        is_all = first == 0 and last + 1 == total
        return self.status_code < 300 and not is_all

    @property
    def is_redirect(self) -> bool:
        return self.status_code in (301, 302, 303, 307, 308) and "location" in self.headers

    def content(self, *, max_bytes: int) -> bytes:
        """Return the body with its content coding undone, all of it.

        Raises CannotDecode, and TooMuch.
        """
        if not self.content_coding:
            return self.body
        content, is_whole = self._decoded(max_bytes + 1)
        if len(content) > max_bytes:
            raise TooMuch(tr("its content is larger than {max_bytes} bytes", max_bytes=max_bytes))
        if self.body and not is_whole:
            raise CannotDecode(
                tr("the {content_coding} coding ends too early", content_coding=self.content_coding)
            )
        return content

    def beginning(self, max_bytes: int) -> bytes:
        """Return what the body begins with, its content coding undone. Raises CannotDecode."""
        return self._decoded(max_bytes)[0] if self.content_coding else self.body[:max_bytes]

    def _decoded(self, max_bytes: int) -> tuple[bytes, bool]:
        """Return so much of the body, its coding undone, and whether the coding came to its end."""
        decoder = ContentDecoder(self.content_coding)
        content = bytearray()
        for piece in decoder.feed(self.body):
            content += piece
            if len(content) >= max_bytes:
                break
        return bytes(content[:max_bytes]), decoder.is_complete

    @property
    def content_coding(self) -> str:
        """The declared content coding in lower case, "" if there is none."""
        coding = self.headers.get("content-encoding", "").strip().lower()
        return "" if coding == "identity" else coding

    def request_bytes(self) -> bytes:
        """Return the request as it was sent, with what is secret left out."""
        head = b" ".join((self.method.encode(), self.target, b"HTTP/1.1"))
        shown = (pair for pair in self.request_headers if pair[0].lower() not in SECRET_HEADERS)
        return _message(head, shown) + self.request_body

    def response_head_bytes(self) -> bytes:
        """Return status line and headers as they came, up to and with the empty line.

        The body is stored without its transfer coding, so the headers that would have readers undo
        it again are renamed: `X-Archive-Orig-Transfer-Encoding`, and the length that stood beside
        it, which the coding overrules (RFC 9112, 6.3). So is the length of a body that was cut
        (`X-Archive-Orig-Content-Length`): who replays the record would wait for the rest. Values
        that no reader could hand on are in ASCII (`replayable.py`); a version that none knows is
        HTTP/1.1.
        """
        version = self.http_version if self.http_version in _VERSIONS else _VERSIONS[0]
        head = b"%s %d %s" % (version, self.status_code, replayable(b"", self.reason))
        if self._is_plain:
            return _message(head, self.response_headers)
        is_other = self.is_cut or "transfer-encoding" in self.headers
        kept = (
            (b"X-Archive-Orig-" + name if is_other and name.lower() in _FRAMING else name, value)
            for name, value in self.response_headers
        )
        return _message(head, ((name, replayable(name, value)) for name, value in kept))

    @property
    def rewritten_headers(self) -> Mapping[str, str]:
        """What `response_head_bytes` has otherwise than it came, by lower-case name; the version of
        HTTP is `version`."""
        is_known = self.http_version in _VERSIONS
        rewritten = {} if is_known else {"version": self.http_version.decode("ascii")}
        for name in self.freed_headers:
            rewritten[name.decode("latin-1")] = _FREED
        if not self._is_plain:
            for name, value in self.response_headers:
                if (text := beyond_latin1(value)) is not None:
                    rewritten[name.decode("latin-1").lower()] = text
        return rewritten

    @property
    def _is_plain(self) -> bool:
        """Whether all headers can stand in a record as they came, as nearly all answers' can."""
        values = b"".join([value for _, value in self.response_headers])
        is_framed = not self.is_cut and "transfer-encoding" not in self.headers
        return values.isascii() and is_framed


class ContentDecoder:
    """Undoes a content coding (RFC 9110, 8.4) piece by piece, in bounded memory.

    Raises CannotDecode for a coding that is unknown, here, or broken, from `feed`.
    """

    def __init__(self, coding: str) -> None:
        if coding not in _WINDOW_BITS:
            raise CannotDecode(
                tr("the content coding “{coding}” is not supported by Carrel", coding=coding)
            )
        self._coding = coding
        self._inflate = zlib.decompressobj(_WINDOW_BITS[coding])
        self._is_over = False
        self._first = b""

    @property
    def has_begun(self) -> bool:
        """Whether what was fed begins as the coding does: the body is coded as it says.

        A gzip has two bytes of its own (RFC 1952, 2.3.1); of zlib's the first names the method, and
        both are a multiple of 31 (RFC 1950, 2.2).
        """
        if self._coding != "deflate":
            return self._first == _GZIP_BEGINS
        method = self._first[:1]
        return bool(method) and method[0] & 15 == 8 and int.from_bytes(self._first) % 31 == 0

    @property
    def is_complete(self) -> bool:
        """Whether what was fed so far ends where the coding does."""
        return self._inflate.eof

    def feed(self, block: bytes | bytearray) -> Iterator[bytes]:
        """Yield the content of a block in pieces of 1 MiB at most."""
        left: bytes | bytearray = block
        self._first += bytes(left[: len(_GZIP_BEGINS) - len(self._first)])
        while left and not self._is_over:
            if self._inflate.eof:
                self._is_over = not self._begins_again(left)
                continue
            try:
                content = self._inflate.decompress(left, _PIECE_BYTES)
            except zlib.error as error:
                raise CannotDecode(
                    tr("the {coding} coding is broken: {error}", coding=self._coding, error=error)
                ) from error
            yield content
            left = self._inflate.unused_data if self._inflate.eof else self._inflate.unconsumed_tail

    def _begins_again(self, left: bytes | bytearray) -> bool:
        """Go on with the next member of a gzip (RFC 1952, 2.2); what only pads the last is none."""
        if self._coding == "deflate" or left[:1] != _GZIP_BEGINS[:1]:
            return False
        self._inflate = zlib.decompressobj(_WINDOW_BITS[self._coding])
        return True


def _message(first_line: bytes, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    lines = [first_line, *(name + b": " + value for name, value in headers)]
    return b"\r\n".join(lines) + b"\r\n\r\n"
