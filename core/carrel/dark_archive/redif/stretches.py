# SPDX-License-Identifier: AGPL-3.0-or-later
"""A file's text in stretches of whole templates, each in normal form and with its line numbers.

Normal form: no blank lines, no comments ("#" in column one), no lines of ^Z alone, nothing white at
the end of a line. Lines end at CR LF, LF or CR, and at nothing else that Unicode calls a line end.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate

# A mark that another file brought along when files were put together: U+FEFF, or its bytes in
# UTF-8 when they are taken for Windows-1252.
_MARKS = ("\ufeff", "ï»¿")
_LEADING_MARKS = re.compile(rf"^(?:{'|'.join(_MARKS)})+", re.MULTILINE)
# "word://" begins an address, and no field.
_TYPE = "template-type:(?!//)"
_START = re.compile(rf"\n(?={_TYPE})", re.IGNORECASE)
_RAW_START = re.compile(rf"\n(?=(?:{'|'.join(_MARKS)}){{0,2}}{_TYPE})", re.IGNORECASE)
_USUAL_STARTS = ("\nTemplate-Type:", "\nTemplate-type:")
# So much must be seen of a start to know that it is one: two marks, the name, and "//" or not.
_START_CHARS = 24
_LONGEST_CHARS = 8 * 1024 * 1024
_END_OF_FILE = "\x1a"


class LineEnds:
    """Makes every line end an LF, and remembers which there were."""

    def __init__(self) -> None:
        self._found: set[str] = set()

    @property
    def are_mixed(self) -> bool:
        return len(self._found) > 1

    def unify(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield the texts of a file, one after another, with line ends of LF alone."""
        held = ""
        for text in texts:
            text = held + text if held else text
            # The LF that belongs to a final CR may come with the next text.
            held = "\r" if text.endswith("\r") else ""
            yield self._unified(text[:-1] if held else text)
        if held:
            yield self._unified(held)

    def _unified(self, text: str) -> str:
        if "\r" not in text:
            if "\n" in text:
                self._found.add("LF")
            return text
        unified = text.replace("\r\n", "\n")
        both = len(text) - len(unified)
        if both:
            self._found.add("CR LF")
        if not self.are_mixed and unified.count("\n") > both:
            self._found.add("LF")
        if "\r" not in unified:
            return unified
        self._found.add("CR")
        return unified.replace("\r", "\n")


class Stretch:
    """Whole templates that follow each other in a file.

    `text` is their normal form, behind an LF and without the final one. `head` is what stands before the first of them, `bodies` are their
    texts. `is_empty` says that there is not a character; `has_marks` that byte order marks stood before lines, `has_nul`
    that there are NUL characters, `is_cut` that the last template is longer than can be read.
    """

    def __init__(self, raw: str, first_line: int, *, is_cut: bool = False) -> None:
        self.first_line, self.is_cut, self.is_empty = first_line, is_cut, not raw
        self.has_marks = False
        if not raw.isascii() and any(mark in raw for mark in _MARKS):
            raw, count = _LEADING_MARKS.subn("", raw)
            self.has_marks = count > 0
        self.has_nul = "\0" in raw
        self._lines = raw.split("\n")
        text = "\n" + "\n".join(filter(None, map(str.rstrip, self._lines)))
        if ("#" in text and "\n#" in text) or _END_OF_FILE in text:
            text = "\n" + "\n".join(filter(_is_kept, map(str.rstrip, self._lines)))
        self.text = text
        head, *self.bodies = _START.split(text)
        self.head = head[1:]

    @property
    def next_line(self) -> int:
        """The number of the line on which the next stretch begins."""
        return self.first_line + len(self._lines) - 1

    def line(self, body: int, within: int = 0) -> int:
        """Return the number, in the file, of a line of a body (or, body -1, of the head)."""
        return self._numbers[self._begins[body + 1] + within]

    def line_at(self, at: int) -> int:
        """Return the number, in the file, of the line at a place of the text."""
        return self._numbers[self.text.count("\n", 0, at) - 1]

    @cached_property
    def _numbers(self) -> list[int]:
        """The number of each line of the normal form."""
        return [
            number
            for number, line in enumerate(self._lines, self.first_line)
            if _is_kept(line.rstrip())
        ]

    @cached_property
    def _begins(self) -> list[int]:
        """Where head and bodies begin, as lines of the normal form."""
        head = self.head.count("\n") + 1 if self.head else 0
        return [0, *accumulate((body.count("\n") + 1 for body in self.bodies), initial=head)]


def stretches(texts: Iterable[str]) -> Iterator[Stretch]:
    """Yield the stretches of a file from its texts, whose lines end with LF.

    All but the first begin with a template. One that is longer than 8 Mi characters is cut.
    """
    texts = iter(texts)
    pieces: list[str] = []
    size, line = 0, 1
    for text in texts:
        begin = _last_start(text) + 1
        if begin:
            stretch = Stretch("".join([*pieces, text[:begin]]), line)
            yield stretch
            pieces, size, line = [], 0, stretch.next_line
        pieces.append(text[begin:])
        size += len(text) - begin
        if size > _LONGEST_CHARS:
            stretch = Stretch("".join(pieces), line, is_cut=True)
            yield stretch
            rest, line = _after_cut(texts, stretch.next_line)
            pieces, size = [rest], len(rest)
    yield Stretch("".join(pieces), line)


def _last_start(text: str) -> int:
    """Return where a line break stands before a template, as far back as is easy; -1 if nowhere.

    To miss one costs memory, and nothing else.
    """
    end = len(text) - _START_CHARS
    for usual in _USUAL_STARTS:
        at = text.rfind(usual, 0, max(end, 0))
        if at >= 0 and _START.match(text, at):
            return at
    return max((found.start() for found in _RAW_START.finditer(text) if found.start() < end), default=-1)


def _after_cut(texts: Iterator[str], line: int) -> tuple[str, int]:
    """Return what follows a template that was cut, from the next one on, and its line."""
    for text in texts:
        found = _RAW_START.search(text)
        if found and found.start() < len(text) - _START_CHARS:
            return text[found.end() :], line + text.count("\n", 0, found.end())
        line += text.count("\n")
    return "", line


def _is_kept(line: str) -> bool:
    return line != "" and line[0] != "#" and line.replace(_END_OF_FILE, "").strip() != ""
