# SPDX-License-Identifier: AGPL-3.0-or-later
"""Lines of text from bytes: any line ends, any usual encoding, in flat memory."""

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from carrel.errors import UsageError
from carrel.model import Finding, FindingLevel
from carrel.model.user_information import without_user_information
from carrel.translation import tr

# No line of a list is longer; one that is, is an attack or no list.
LONGEST_LINE_BYTES = 1024 * 1024
_CHUNK_BYTES = 64 * 1024
_CUT_BYTES = 1000
# The marks that are longer come first: that of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NO_TEXT = {
    b"PK\x03\x04": tr("a spreadsheet or a zip; save it as CSV"),
    b"\xd0\xcf\x11\xe0": tr("a spreadsheet; save it as CSV"),
    b"%PDF": tr("a PDF; copy the text out of it"),
    b"\x1f\x8b": tr("compressed; unpack it"),
}


# Those that no text has; escape is in some encodings of Japanese.
_CONTROLS = bytes([*range(1, 9), *range(14, 27), *range(28, 32)])
_MOSTLY = 0.98


class Readable(Protocol):
    """Gives at most so many bytes, fewer if no more are there yet, none at the end."""

    def __call__(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end; `number` counts from 1. `is_cut` says that it was far too long."""

    number: int
    text: str
    is_cut: bool = False


class Lines:
    """The lines of a stream of bytes, to be iterated once, as they come.

    `findings` tells afterwards what was odd. A line that is no UTF-8 is taken for Windows-1252. A
    user name or password in an address is left out.
    Raises UsageError, from `head` or the iteration, for what is plainly no text.
    """

    def __init__(self, read: Readable) -> None:
        self._read = read
        self._head: bytes | None = None
        self._encoding = "utf-8"
        self._first_foreign = self._foreign_count = 0
        self._first_secret = self._secret_count = 0

    @property
    def head(self) -> str:
        """The beginning of the text, up to 64 KiB; reads as far as that."""
        raw = self.raw_head
        self._encoding = _encoding_of(raw)
        return raw.decode(self._encoding, "replace").removeprefix("\ufeff")

    @property
    def raw_head(self) -> bytes:
        """The same as bytes, whatever they are."""
        if self._head is None:
            head = bytearray()
            while len(head) < _CHUNK_BYTES and (piece := self._read(_CHUNK_BYTES - len(head))):
                head += piece
            self._head = bytes(head)
        return self._head

    def raw_chunks(self) -> Iterator[bytes]:
        """Yield the bytes as they are, for readers that know their encoding; instead of lines."""
        if self._head:
            yield self._head
        while chunk := self._read(_CHUNK_BYTES):
            yield chunk

    @property
    def findings(self) -> tuple[Finding, ...]:
        found = []
        if self._foreign_count:
            message = tr("this is not UTF-8 and was read as Windows-1252.")
            found.append(_finding("encoding", self._first_foreign, self._foreign_count, message))
        if self._secret_count:
            message = tr(
                "an address had a user name or password, which was removed: Carrel never sends "
                "them."
            )
            first, count = self._first_secret, self._secret_count
            found.append(_finding("user-information", first, count, message))
        return tuple(found)

    def __iter__(self) -> Iterator[Line]:
        number, rest = 0, b""
        is_skipping = False
        for chunk in self._utf8_chunks():
            pieces = (rest + chunk).splitlines(keepends=True)
            # What has no end yet goes on in the next chunk; so may a lone carriage return.
            rest = b"" if pieces[-1].endswith(b"\n") else pieces.pop()
            for piece in pieces:
                if is_skipping:
                    is_skipping = False
                    continue
                number += 1
                yield self._line(number, piece)
            if is_skipping:
                rest = b"\r" if rest.endswith(b"\r") else b""
            elif len(rest) > LONGEST_LINE_BYTES and not rest.endswith(b"\r"):
                number += 1
                yield self._line(number, rest)
                rest, is_skipping = b"", True
        if rest and not is_skipping:
            yield self._line(number + 1, rest)

    def _utf8_chunks(self) -> Iterator[bytes]:
        """Yield the text in UTF-8, without a mark, in chunks that are not empty."""
        chunks = self.raw_chunks()
        first = next(chunks, b"")
        self._encoding = _encoding_of(first)
        recode = _recoder(self._encoding)
        if text := recode(first).removeprefix(codecs.BOM_UTF8):
            yield text
        for chunk in chunks:
            if text := recode(chunk):
                yield text

    def _line(self, number: int, raw: bytes) -> Line:
        is_cut = len(raw) > LONGEST_LINE_BYTES
        bare = (raw[:_CUT_BYTES] if is_cut else raw).rstrip(b"\r\n")
        text = self._decoded(number, bare, is_cut=is_cut)
        known = without_user_information(text)
        if known != text:
            self._first_secret = self._first_secret or number
            self._secret_count += 1
        return Line(number, known, is_cut)

    def _decoded(self, number: int, raw: bytes, *, is_cut: bool) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            if is_cut:
                return raw.decode("utf-8", "replace")
            self._first_foreign = self._first_foreign or number
            self._foreign_count += 1
            return _from_windows(raw)


def _finding(code: str, first: int, count: int, message: str) -> Finding:
    """Return a warning about lines: the first of them, and how many more there are."""
    which = tr("Line {first}", first=first) + (
        tr(" and {count:,} more", count=count - 1) if count > 1 else ""
    )
    return Finding(code, f"{which}: {message}", FindingLevel.WARNING)


def _from_windows(raw: bytes) -> str:
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _recoder(encoding: str) -> Callable[[bytes], bytes]:
    """Return what turns chunks of this encoding into UTF-8; they may end within a character."""
    if encoding == "utf-8":
        return lambda chunk: chunk
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    return lambda chunk: decoder.decode(chunk).encode("utf-8")


def _encoding_of(head: bytes) -> str:
    """Return the encoding by its mark, or by where the zeros stand (as Windows leaves them).

    Raises UsageError for what is no text.
    """
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    for start, what in _NO_TEXT.items():
        if head.startswith(start):
            raise UsageError(tr("This is {what}.", what=what))
    sample = head[:1024]
    if b"\0" not in sample:
        if len(sample.translate(None, _CONTROLS)) < len(sample) * _MOSTLY:
            raise UsageError(tr("This is not text: it is full of control characters."))
        return "utf-8"
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > len(sample) / 5 and not even:
        return "utf-16-le"
    if even > len(sample) / 5 and not odd:
        return "utf-16-be"
    raise UsageError(tr("This is not text: it contains zero bytes."))
