# SPDX-License-Identifier: AGPL-3.0-or-later
"""The JSON of a result as it is stored, taken apart in pieces: its files may be many thousands."""

import codecs
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

Read = Callable[[int], bytes]
_PIECE_BYTES = 256 * 1024
_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_ENDS = frozenset(",:]} \t\n\r")
_FILES = "manifest"


def head_of(read: Read) -> dict[str, Any]:
    """Return all of a result but its files. Raises ValueError if it is no JSON object."""
    text, head = _Text(read), {}
    for name in _names(text):
        if name == _FILES:
            for _ in _entries(text):
                pass
        else:
            head[name] = text.value()
    return head


def files_of(read: Read) -> Iterator[Any]:
    """Yield each entry of a result's manifest, one in memory at a time. Raises ValueError."""
    text = _Text(read)
    for name in _names(text):
        if name == _FILES:
            yield from _entries(text)
        else:
            text.value()


def _names(text: "_Text") -> Iterator[str]:
    """Yield each name of an object, where its value is next."""
    for _ in text.parts("{", "}"):
        name = text.value()
        text.take(":")
        yield name


def _entries(text: "_Text") -> Iterator[Any]:
    """Yield each entry of an array; of what is none there is nothing to yield."""
    if text.sign() != "[":
        text.value()
        return
    for _ in text.parts("[", "]"):
        yield text.value()


class _Text:
    """JSON in UTF-8, read as far as it is looked at. Raises ValueError where it is none."""

    def __init__(self, read: Read) -> None:
        self._read, self._decoder = read, codecs.getincrementaldecoder("utf-8")()
        self._text, self._at, self._is_whole = "", 0, False

    def sign(self) -> str:
        """Return the next character that is no space."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if self._is_whole:
                raise ValueError("it ends early")
            self._read_on()

    def take(self, sign: str) -> None:
        """Go past a character that has to be there."""
        if self.sign() != sign:
            raise ValueError(f"{sign} is missing")
        self._at += 1

    def parts(self, begin: str, end: str) -> Iterator[None]:
        """Stand before each part of what begins and ends with these characters."""
        self.take(begin)
        if self.sign() != end:
            yield
            while self.sign() != end:
                self.take(",")
                self.sign()
                yield
        self.take(end)

    def value(self) -> Any:
        """Return the next value, and go past it."""
        self.sign()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except ValueError:
                if self._is_whole:
                    raise
            else:
                # Else a number may go on where what was read ends.
                if self._is_whole or self._text[end : end + 1] in _ENDS:
                    self._at = end
                    return value
            self._read_on()

    def _read_on(self) -> None:
        """Read as much again as there is, so that a long value is not begun too often."""
        rest = self._text[self._at :]
        piece = self._read(max(_PIECE_BYTES, len(rest)))
        self._is_whole = not piece
        self._text, self._at = rest + self._decoder.decode(piece, final=not piece), 0
