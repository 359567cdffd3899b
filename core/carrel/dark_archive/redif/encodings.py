# SPDX-License-Identifier: AGPL-3.0-or-later
"""In which encoding a ReDIF file is written, and its text: no byte fails, none is dropped.

A byte order mark decides; else zero bytes in every second place mean UTF-16; else ASCII, UTF-8 that
is valid throughout, and Windows-1252 where it has signs that ISO-8859-1 has not.
"""

import codecs
from collections.abc import Iterable, Iterator
from enum import StrEnum


class Encoding(StrEnum):
    ASCII = "ascii"
    UTF_8 = "utf-8"
    UTF_8_SIG = "utf-8-sig"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"
    WINDOWS_1252 = "windows-1252"
    ISO_8859_1 = "iso-8859-1"


_MARKS = (
    (codecs.BOM_UTF8, Encoding.UTF_8_SIG),
    (codecs.BOM_UTF16_LE, Encoding.UTF_16_LE),
    (codecs.BOM_UTF16_BE, Encoding.UTF_16_BE),
)
_SAMPLE_BYTES = 4096
# The signs of Windows-1252 stand where ISO-8859-1 has control characters that no one writes.
_C1 = bytes(range(0x80, 0xA0))
# The five bytes that Windows-1252 does not define are what ISO-8859-1 says.
_WINDOWS_1252 = "".join(
    bytes([byte]).decode("windows-1252", "ignore") or chr(byte) for byte in range(256)
)
_SAVING = "carrel.redif.saving"


class Sniffer:
    """Learns the encoding of a file from its bytes, block by block from the first."""

    def __init__(self) -> None:
        self._mark: Encoding | None = None
        self._is_first, self._is_ascii, self._has_c1 = True, True, False
        self._utf_8: codecs.IncrementalDecoder | None = None

    def feed(self, block: bytes) -> bool:
        """Take the next block; return False once nothing that follows can matter."""
        if self._is_first:
            self._is_first = False
            self._mark = _marked(block) or _utf_16_without_mark(block[:_SAMPLE_BYTES])
        if self._mark is not None:
            return False
        if self._is_ascii and block.isascii():
            return True
        if self._is_ascii:
            self._is_ascii, self._utf_8 = False, codecs.getincrementaldecoder("utf-8")()
        self._has_c1 = self._has_c1 or len(block.translate(None, _C1)) < len(block)
        self._try_utf_8(block)
        return self._utf_8 is not None or not self._has_c1

    def encoding(self) -> Encoding:
        """Return the encoding of a file of which all blocks were fed."""
        if self._mark is not None:
            return self._mark
        if self._is_ascii:
            return Encoding.ASCII
        self._try_utf_8(b"", final=True)
        if self._utf_8 is not None:
            return Encoding.UTF_8
        return Encoding.WINDOWS_1252 if self._has_c1 else Encoding.ISO_8859_1

    def _try_utf_8(self, block: bytes, *, final: bool = False) -> None:
        try:
            if self._utf_8 is not None:
                self._utf_8.decode(block, final)
        except UnicodeDecodeError:
            self._utf_8 = None


def _marked(head: bytes) -> Encoding | None:
    return next((encoding for mark, encoding in _MARKS if head.startswith(mark)), None)


def _utf_16_without_mark(sample: bytes) -> Encoding | None:
    """Return what zeros in every second place mean; signs beyond Latin-1 may stand between them."""
    if b"\0" not in sample:
        return None
    pairs, even, odd = len(sample) // 2, sample[0::2].count(0), sample[1::2].count(0)
    if odd * 5 > pairs * 2 and even * 10 < odd:
        return Encoding.UTF_16_LE
    if even * 5 > pairs * 2 and odd * 10 < even:
        return Encoding.UTF_16_BE
    return None


def convention(path: str, encoding: Encoding, head: bytes) -> Encoding | None:
    """Return what RePEc takes a file for where that is not what it is, None where all is well.

    By convention an .rdf without a byte order mark is Windows-1252 (or ISO-8859-1), a .redif UTF-8.
    `head` is how the file begins.
    """
    if encoding is Encoding.ASCII or _marked(head) is not None:
        return None
    ending = path.lower()
    if ending.endswith(".redif"):
        return None if encoding is Encoding.UTF_8 else Encoding.UTF_8
    is_single = encoding in (Encoding.WINDOWS_1252, Encoding.ISO_8859_1)
    return None if is_single or not ending.endswith(".rdf") else Encoding.WINDOWS_1252


class Decoding:
    """The text of a file in a known encoding. `is_damaged` says that bytes were not valid in it."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding, self.is_damaged = encoding, False

    def texts(self, blocks: Iterable[bytes]) -> Iterator[str]:
        """Yield the text of the blocks of a file, without its byte order mark.

        What is not valid is taken byte by byte as Windows-1252; half a surrogate pair becomes
        U+FFFD.
        """
        blocks = _without_mark(blocks, self._encoding)
        if self._encoding is Encoding.WINDOWS_1252:
            for block in blocks:
                yield codecs.charmap_decode(block, "strict", _WINDOWS_1252)[0]
        elif self._encoding in (Encoding.ASCII, Encoding.ISO_8859_1):
            for block in blocks:
                yield block.decode("iso-8859-1")
        else:
            yield from self._unicode(blocks)

    def _unicode(self, blocks: Iterable[bytes]) -> Iterator[str]:
        name = "utf-8" if self._encoding is Encoding.UTF_8_SIG else self._encoding.value
        decoder = codecs.getincrementaldecoder(name)()
        for block in blocks:
            yield self._decoded(decoder, block)
        yield self._decoded(decoder, b"", final=True)

    def _decoded(
        self, decoder: codecs.IncrementalDecoder, block: bytes, *, final: bool = False
    ) -> str:
        try:
            return decoder.decode(block, final)
        except UnicodeDecodeError:
            # The decoder keeps its state where it fails, so the block can be given again.
            self.is_damaged = True
            decoder.errors = _SAVING
            return decoder.decode(block, final)


def _without_mark(blocks: Iterable[bytes], encoding: Encoding) -> Iterator[bytes]:
    is_first = True
    for block in blocks:
        if is_first:
            mark = next((mark for mark, named in _MARKS if named is encoding), b"")
            block, is_first = block.removeprefix(mark), False
        yield block


def _saved(error: UnicodeError) -> tuple[str, int]:
    """Return something for bytes that are not valid, and where to go on (see PEP 293)."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    bad = error.object[error.start : error.end]
    if error.encoding.startswith("utf-16") and len(bad) > 1:
        # What ends early in a pair may be three bytes long, the last one alone.
        return "\ufffd" + "".join(_WINDOWS_1252[byte] for byte in bad[2:]), error.end
    return "".join(_WINDOWS_1252[byte] for byte in bad), error.end


codecs.register_error(_SAVING, _saved)
