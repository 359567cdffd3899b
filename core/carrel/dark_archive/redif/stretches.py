# SPDX-License-Identifier: AGPL-3.0-or-later
"""A file's text in stretches of whole templates.

Lines end at CR LF, LF or CR, and at nothing else that Unicode calls a line end.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

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
_COMMENT = re.compile(r"\n#[^\n]*+")
_LONE_END_OF_FILE = re.compile(r"\n(?:[^\S\n]|\x1a)++(?![^\n])")


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
    """Whole templates that follow each other in a file, with all their lines, so that those count.

    `head` is what stands before the first of them, `bodies` are the templates. Comments and lone ^Z
    are blank lines here. `is_empty` says that there is not a character, `has_marks` that byte order
    marks stood before lines, `is_cut` that the last template is longer than can be read.
    """

    def __init__(self, text: str, first_line: int, *, is_cut: bool = False) -> None:
        self.is_empty, self.is_cut, self.has_marks = not text, is_cut, False
        self._first_line = first_line
        # The last sign of the second mark is rare, and single signs are found fast.
        if "\ufeff" in text or ("¿" in text and _MARKS[1] in text):
            text, count = _LEADING_MARKS.subn("", text)
            self.has_marks = count > 0
        text = "\n" + text
        if "#" in text and "\n#" in text:
            text = _COMMENT.sub("\n", text)
        if _END_OF_FILE in text:
            text = _LONE_END_OF_FILE.sub("\n", text)
        self._text = text
        self.head, *self.bodies = _START.split(text)

    @property
    def has_nul(self) -> bool:
        return "\0" in self._text

    @property
    def next_line(self) -> int:
        """The number of the line on which the next stretch begins."""
        return self._first_line + self._text.count("\n") - 1

    def line_of(self, pattern: re.Pattern[str]) -> Callable[[], int] | None:
        """Return what tells the line of what begins with a "<", None where it is not there."""
        found = pattern.search(self._text) if "<" in self._text else None
        return partial(self._line, found.start()) if found else None

    def line(self, body: int, at: int = 0) -> int:
        """Return the number, in the file, of the line at a place of a body."""
        before = sum(len(each) + 1 for each in [self.head, *self.bodies[:body]])
        return self._line(before + at)

    def line_of_head(self) -> int:
        """Return the number of the first line that is not blank."""
        return self._line(len(self.head) - len(self.head.lstrip()))

    def _line(self, at: int) -> int:
        return self._first_line + self._text.count("\n", 0, at) - 1


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
    if pieces != [""]:
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
    return max(
        (found.start() for found in _RAW_START.finditer(text) if found.start() < end), default=-1
    )


def _after_cut(texts: Iterator[str], line: int) -> tuple[str, int]:
    """Return what follows a template that was cut, from the next one on, and its line."""
    for text in texts:
        found = _RAW_START.search(text)
        if found and found.start() < len(text) - _START_CHARS:
            return text[found.end() :], line + text.count("\n", 0, found.end())
        line += text.count("\n")
    return "", line
