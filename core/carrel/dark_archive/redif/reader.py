# SPDX-License-Identifier: AGPL-3.0-or-later
"""Reading one ReDIF file: what it is, then its templates, however many there are."""

import hashlib
import io
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import BinaryIO

from carrel.dark_archive.redif.encodings import Decoding, Encoding, Sniffer, convention
from carrel.dark_archive.redif.flaws import Flaw
from carrel.dark_archive.redif.stretches import LineEnds, Stretch, stretches
from carrel.dark_archive.redif.template import Template, template_of
from carrel.model.dark import ContainerState

_BLOCK_BYTES = 256 * 1024
_NATURE_CHARS = 4096
_WORDS = {
    Flaw.EMPTY: "The file is empty.",
    Flaw.HTML: "The file is a web page, not ReDIF: the server sent it in place of the file.",
    Flaw.XML: "The file is XML, not ReDIF; the ending .rdf is also that of RDF/XML.",
    Flaw.NO_TEMPLATE: "The file has text, but no line that begins with Template-Type.",
}


# Blanks, ^Z and byte order marks, in any encoding.
_BLANK = b"\0\t\n\v\f\r \x1a\xef\xbb\xbf\xfe\xff"


class Reading:
    """One file of templates. What it is, is worked out when it is requested.

    A file of less than 256 KiB is read once, a larger one in passes, block by block: `file`, which
    stands at its beginning, stays open as long as the reading is in use. Everything here raises
    OSError as the file does.
    """

    def __init__(self, file: BinaryIO, path: str) -> None:
        self._file, self._path = file, path
        self._head = _read_block(file)
        self._is_small = len(self._head) < _BLOCK_BYTES
        self._line_ends = LineEnds()
        self._decoding: Decoding | None = None
        self._begun: Iterator[Stretch] | None = None

    @cached_property
    def size(self) -> int:
        """How many bytes there are."""
        return len(self._head) if self._is_small else self._file.seek(0, io.SEEK_END)

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the bytes, in hex."""
        digest = hashlib.sha256()
        for block in self._blocks():
            digest.update(block)
        return digest.hexdigest()

    @cached_property
    def encoding(self) -> Encoding:
        """The encoding that the file was found to be in."""
        sniffer = Sniffer()
        for block in self._blocks():
            if not sniffer.feed(block):
                break
        return sniffer.encoding()

    @property
    def convention(self) -> Encoding | None:
        """What RePEc takes the file for, if that is not what it is; None where all is well."""
        return convention(self._path, self.encoding, self._head)

    def _blank(self) -> Flaw | None:
        """Return EMPTY where there is nothing but white space and ^Z; comments are something."""
        told = b"".join(self._blocks()).strip(b"\0\t\n\v\f\r \x1a\xef\xbb\xbf\xfe\xff")
        return None if told else Flaw.EMPTY

    @property
    def state(self) -> ContainerState:
        """READ where there are templates, or nothing but comments and blank lines."""
        return ContainerState.READ if self.flaw is None else ContainerState.UNREADABLE

    @property
    def problem(self) -> str | None:
        """Why there is nothing to be read, in a sentence; None for what is READ."""
        return None if self.flaw is None else _WORDS[self.flaw]

    @cached_property
    def flaw(self) -> Flaw | None:
        """EMPTY, HTML, XML or NO_TEMPLATE where the file is UNREADABLE, else None."""
        text, is_empty = "", True
        coming = self.stretches()
        for stretch in coming:
            if stretch.bodies:
                # Mostly it is the first, and those that follow are requested next.
                self._begun = None if text else chain([stretch], coming)
                return None
            text = text or stretch.head.strip()
            is_empty = is_empty and stretch.is_empty
        if is_empty:
            return Flaw.EMPTY
        return _nature(text) if text else self._blank()

    @property
    def are_line_ends_mixed(self) -> bool:
        """Whether there are several kinds of line ends, in as much as was read."""
        return self._line_ends.are_mixed

    @property
    def is_damaged(self) -> bool:
        """Whether bytes were not valid in the encoding, in as much as was read."""
        return self._decoding is not None and self._decoding.is_damaged

    def templates(self) -> Iterator[Template]:
        """Yield the templates, in their order."""
        position = 0
        for stretch in self.stretches():
            for body in stretch.bodies:
                yield template_of(body, position)
                position += 1

    def stretches(self) -> Iterator[Stretch]:
        """Yield the stretches of templates, in their order."""
        begun, self._begun = self._begun, None
        if begun is not None:
            return begun
        return iter([self._whole]) if self._is_small else stretches(self._texts())

    @cached_property
    def _whole(self) -> Stretch:
        return Stretch("".join(self._texts()), 1)

    def _texts(self) -> Iterator[str]:
        self._decoding, self._line_ends = Decoding(self.encoding), LineEnds()
        return self._line_ends.unify(self._decoding.texts(self._blocks()))

    def _blocks(self) -> Iterator[bytes]:
        if self._is_small:
            yield self._head
            return
        # Several may be under way, so each knows where it is.
        place = 0
        while block := self._block_at(place):
            place += len(block)
            yield block

    def _block_at(self, place: int) -> bytes:
        self._file.seek(place)
        return _read_block(self._file)


def read(file: BinaryIO, path: str) -> Reading:
    """Return the reading of a seekable file; `path` is that in its source, for the ending's sake.

    Raises OSError.
    """
    return Reading(file, path)


def _read_block(file: BinaryIO) -> bytes:
    """Return the next block; a shorter one is the last."""
    block = file.read(_BLOCK_BYTES)
    while 0 < len(block) < _BLOCK_BYTES and (more := file.read(_BLOCK_BYTES - len(block))):
        block += more
    return block


def _nature(text: str) -> Flaw:
    """Return what a text without templates is."""
    text = text[:_NATURE_CHARS].lower()
    if not text.startswith("<"):
        return Flaw.NO_TEMPLATE
    is_xml = text.startswith(("<?xml", "<rdf:")) and "<html" not in text
    return Flaw.XML if is_xml else Flaw.HTML
