# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bytes as text: the encoding is found out, the beginning shown. Else their digits."""

import codecs
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from carrel.access.renditions.source import NotShown, Source
from carrel.model.counts import counted
from carrel.model.rendition import Rendition, Text
from carrel.model.sizes import KIBIBYTE, in_words
from carrel.translation import tr

MOST_BYTES = 512 * KIBIBYTE
MOST_LETTERS = 300_000  # that a window lays out without a wait
MOST_OF_A_LINE = 2000
_MOST_GUESSED = 32 * KIBIBYTE
_MOST_DIGITS = 4 * KIBIBYTE
_BYTES_A_LINE = 16
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# https://www.w3.org/TR/xml/#NT-XMLDecl, https://html.spec.whatwg.org/#charset
_XML_ENCODING = re.compile(rb"""<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']""")
_META_CHARSET = re.compile(
    rb"""<meta\s[^>]*?\bcharset\s*=\s*["']?\s*([A-Za-z0-9._:-]+)""", re.IGNORECASE
)
_MOST_DECLARING = 2 * KIBIBYTE
_WESTERN = frozenset("äöüÄÖÜßéèêëÉÈÊËàâáãåÀÂÁÃÅçÇîïíìÎÏÍôóõòøÔÓÕØûùúÛÙÚñÑœ–—‘’“”„…•€°±£§©®«»")
# Control characters that no text has.
_NOT_TEXT = frozenset(range(32)) - frozenset(b"\t\n\r\f\x1a\x1b\b\v")


def encoding_of(head: bytes, declared: str = "") -> str | None:
    """Return the encoding of a text by its beginning, None if it is no text.

    What was declared counts where the bytes do not say it themselves, as XML and HTML may.
    """
    for mark, encoding in _MARKS.items():
        if head.startswith(mark):
            return encoding
    if wide := _wide(head):
        return wide
    if _is_utf8(head):
        return None if any(byte in _NOT_TEXT for byte in head) else "utf-8"
    if b"\0" in head or sum(byte in _NOT_TEXT for byte in head) * 100 > len(head):
        return None
    return _declared_in(head) or _known(declared) or _guessed(head[:_MOST_GUESSED])


def decoded(content: bytes, encoding: str) -> str:
    """Return a text with "\\n" between its lines; what is not valid is a "�"."""
    return _with_plain_lines(content.decode(encoding, errors="replace"))


def _with_plain_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def as_text(source: Source, encoding: str, kind: str, *notes: str) -> Rendition:
    """Return the beginning of a text."""
    return shown_text(source, kind, encoding, notes)


def shown_text(
    source: Source,
    kind: str,
    encoding: str,
    notes: tuple[str, ...] = (),
    form: Callable[[str], str] = str,
) -> Rendition:
    """Return as much of a text as can be shown, in a form, with what is said of the rest."""
    content, is_whole = source.beginning(MOST_BYTES)
    text = form(decoded(content, encoding))
    shown = text[:MOST_LETTERS]
    lines = shown.split("\n")
    long = sum(len(line) > MOST_OF_A_LINE for line in lines)
    told = [*notes, *guessed_encoding(source, encoding)]
    if not is_whole or len(shown) < len(text):
        seen = len(shown) - max(0, len(lines[-1]) - MOST_OF_A_LINE)  # nothing is after the cut
        told.append(beginning_of(source, _bytes_of(seen, content, encoding, form)))
    if long:
        told.append(
            tr(
                "{lines} cut at {most:,} characters.",
                lines=counted(long, "long line"),
                most=MOST_OF_A_LINE,
            )
        )
        lines = [
            f"{line[:MOST_OF_A_LINE]}…" if len(line) > MOST_OF_A_LINE else line for line in lines
        ]
    told += replaced_bytes(shown)
    return Rendition(kind, Text("\n".join(lines), encoding), tuple(told), source.size)


def _bytes_of(letters: int, content: bytes, encoding: str, form: Callable[[str], str]) -> int:
    """Return how many bytes of a file the first letters are of what is shown of it."""

    def is_enough(size: int) -> bool:
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        return len(form(_with_plain_lines(decoder.decode(content[:size])))) >= letters

    return bisect_left(range(len(content)), True, key=is_enough)


def replaced_bytes(shown: str) -> Iterator[str]:
    """Yield that something stands for bytes that are not valid, if it does."""
    if "\ufffd" in shown:
        yield tr("Some bytes are not valid in this encoding; they are shown as �.")


def guessed_encoding(source: Source, encoding: str) -> Iterator[str]:
    """Yield that an encoding is a guess, where it is: nothing declares it, and it is no Unicode."""
    is_declared = _known(source.charset) or _declared_in(source.head(_MOST_DECLARING))
    if encoding and not encoding.startswith("utf") and not is_declared:
        yield tr("No encoding is declared; {encoding} is the most likely one.", encoding=encoding)


def beginning_of(source: Source, shown: int) -> str:
    """Return that only the beginning is shown."""
    if source.size is None:
        return tr("The first {shown} are shown.", shown=in_words(shown))
    told, size = in_words(shown), in_words(source.size)
    if told == size:
        return tr("All but the last {left} are shown.", left=in_words(source.size - shown))
    return tr("The first {shown} of {size} are shown.", shown=told, size=size)


def as_digits(source: Source) -> Rendition:
    """Return the first bytes as hexadecimal digits, with the letters among them."""
    content, is_whole = source.beginning(_MOST_DIGITS)
    if not content:
        raise NotShown(tr("The file is empty."))
    lines = []
    for start in range(0, len(content), _BYTES_A_LINE):
        line = content[start : start + _BYTES_A_LINE]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "·" for byte in line)
        lines.append(f"{start:08x}  {line.hex(' '):<47}  {letters}")
    notes = [tr("Unknown format; its bytes are shown.")]
    if not is_whole:
        notes.append(beginning_of(source, len(content)))
    return Rendition(tr("Binary data"), Text("\n".join(lines)), tuple(notes), source.size)


def _declared_in(head: bytes) -> str:
    """Return the encoding that XML or HTML declares in itself, "" if it declares none."""
    if not head.lstrip().startswith(b"<"):
        return ""
    found = _XML_ENCODING.match(head.lstrip()) or _META_CHARSET.search(head[:_MOST_DECLARING])
    return _known(found[1].decode()) if found else ""


def _known(charset: str) -> str:
    """Return the name of a declared encoding, "" for one that does not exist or is none of text."""
    try:
        about = codecs.lookup(charset) if charset else None
    except (LookupError, ValueError):
        return ""
    return about.name if about is not None and about._is_text_encoding else ""


def _guessed(head: bytes) -> str:
    """Return the likeliest encoding of a text that declares none and is not in Unicode.

    Of short texts the library cannot tell the encodings of Europe apart; what is all Western in the
    commonest one is in that.
    """
    beyond = {letter for letter in head.decode("cp1252", "replace") if ord(letter) > 127}
    if beyond <= _WESTERN:
        return "cp1252"
    from charset_normalizer import from_bytes  # few texts come to this

    guess = from_bytes(head).best()
    return guess.encoding if guess else "cp1252"


def _is_utf8(head: bytes) -> bool:
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.start >= len(head) - 3 and error.reason == "unexpected end of data"
    return True


def _wide(head: bytes) -> str | None:
    """Return UTF-16 without a mark, by where its zeros are."""
    pairs = head[:4096]
    even, odd = pairs[::2].count(0), pairs[1::2].count(0)
    half = len(pairs) // 2
    if half >= 8 and odd > half * 0.6 and even < half * 0.05:
        return "utf-16-le"
    return "utf-16-be" if half >= 8 and even > half * 0.6 and odd < half * 0.05 else None
