# SPDX-License-Identifier: AGPL-3.0-or-later
"""Text from outside, as the window shows it: nothing in it may turn the writing around.

A title with U+202E can make a file named "exe.csv" read as another one; the terminal has the same
rule (`carrel.cli.terminal`), and knows no lines or joined letters that would have to be spared.
"""

import re

from PySide6.QtGui import QGuiApplication

_LINES = "\n\t"
_ENDS_OF_LINES = re.compile(r"\s*[\t\n\v\f\r\x85\u2028\u2029]\s*")
_CONTROLS = [*range(0x20), *range(0x7F, 0xA0)]
# Unicode 15, annex 9: embeddings and overrides, isolates, and the marks.
_DIRECTIONS = [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C]
_MARK = "\ufffd"
_NEUTRAL = {code: _MARK for code in (*_CONTROLS, *_DIRECTIONS) if chr(code) not in _LINES}

# What is written from left to right whatever stands around it: addresses, identifiers, paths and
# names of files, digests, dates with their times, sizes with their units.
_WRITTEN_SO = re.compile(
    r"""[a-z][a-z0-9+.-]*://\S+
    |\b(?:ark:|hdl:|doi:|urn:|RePEc:)\S+
    |(?<![\w/])(?:~|[A-Za-z]:)?[/\\][^\s/\\]+(?:[/\\][^\s/\\]*)*
    |\b[\w.~%+-]+(?:[/\\][\w.~%+@:()-]+)+/?
    |\b[\w-]+(?:\.[A-Za-z][A-Za-z0-9]{0,5})+\b
    |\b[0-9a-f]{16,}\b
    |\b\d{4}-\d\d-\d\d(?:[ ]\d\d:\d\d(?::\d\d)?)?
    |\b\d[\d.,]*[ \u00a0](?:bytes|[KMGTP]i?B)(?:/s)?\b""",
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)
_ENDS_SENTENCE = ".,;:!?)”\"'"
_LETTER = re.compile(r"[^\W\d_]")
_FROM_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_ISOLATE, _END = "\u2068", "\u2069"
_BREAK = "\u200b"
BETWEEN_FACTS = " · "
# Qt itself divides behind a slash; within letters that are joined, or have marks, no one does.
_LONG_WORD = re.compile(r"[^\s/]{21,}")
_BETWEEN = re.compile(r"(?<=[!-~\w]{4})(?=[!-~\w]{4})")


def shown(text: str) -> str:
    """Return a text with a mark in place of each control character but ends of lines and tabs."""
    return text.translate(_NEUTRAL)


def in_cell(text: str) -> str:
    """Return a text as it is drawn in a line: ends of lines and tabs are marks, too. Qt draws a tab
    as wide as many letters, for which no column has room."""
    return in_place(text.replace("\t", _MARK).replace("\n", _MARK))


def in_place(text: str) -> str:
    """Return a text as it is drawn: `shown`, and from right to left with `isolated` parts."""
    clean = shown(text)
    if not QGuiApplication.isRightToLeft():
        return clean
    return "\n".join(map(_line_in_place, clean.split("\n")))


def one_line(text: str) -> str:
    """Return a text without ends of lines: in a name of one creator they would make several."""
    return _ENDS_OF_LINES.sub(" ", text.strip())


def in_title(name: str) -> str:
    """Return a name as it stands in the title of a window, whose direction the desktop decides.

    Qt adds the program's name behind it, which titles therefore leave out.
    """
    clean = shown(name)
    is_turned = QGuiApplication.isRightToLeft() or _FROM_RIGHT.search(clean)
    return f"{_ISOLATE}{clean}{_END}" if is_turned else clean


def _line_in_place(line: str) -> str:
    """Return a line in its own order, or each of several facts in it.

    One without a letter that is read from right to left keeps its full stop, its brackets, and the
    "…" of what was cut at its own end.
    """
    parts = line.split(BETWEEN_FACTS)
    if len(parts) > 1:  # each in its own order, so that no count goes with the one before
        return BETWEEN_FACTS.join(f"{_ISOLATE}{isolated(part)}{_END}" for part in parts)
    is_foreign = _LETTER.search(line) and not _FROM_RIGHT.search(line)
    return f"{_ISOLATE}{line}{_END}" if is_foreign else isolated(line)


def isolated(text: str) -> str:
    """Return a text in which addresses, identifiers and paths keep their order, and lend it none.

    10.5072/FK2/BRIDGE would be read as FK2/BRIDGE/10.5072 among words from right to left.
    """
    return _WRITTEN_SO.sub(_one_isolated, text)


def as_written(text: str) -> str:
    """Return a text without the marks of `isolated`, to be copied."""
    return text.replace(_ISOLATE, "").replace(_END, "")


def divisible(text: str) -> str:
    """Return a text whose longest words may be continued in the next line: digests, addresses.

    They have marks of that (U+200B; Unicode 15, annex 14), which `undivided` takes away.
    """
    return _LONG_WORD.sub(lambda word: _BETWEEN.sub(_BREAK, word[0]), text)


def undivided(text: str) -> str:
    """Return a text without the marks of `divisible`."""
    return text.replace(_BREAK, "")


def _one_isolated(found: re.Match[str]) -> str:
    part = found[0].rstrip(_ENDS_SENTENCE)
    return f"{_ISOLATE}{part}{_END}{found[0][len(part) :]}"
