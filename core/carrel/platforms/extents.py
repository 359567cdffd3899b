# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far an identifier reaches in running text, a table, markdown or HTML."""

import csv
import re

# Zero-width characters come along with text copied from web pages.
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
BLANK = " \t\r\n\f\v\u00a0" + _INVISIBLE
_QUOTES = '"“”„«»‹›‘’「」『』'
_STOPS = frozenset(_INVISIBLE + _QUOTES + "`|\\^（）【】、。，；：｜")
_CLOSERS = {")": "(", "]": "[", "}": "{", ">": "<"}
_PAIRS = "".join((*_CLOSERS.values(), *_CLOSERS))
_TRAILING = ".,;:!?'…"
_MAY_END = re.compile(r"[^\w./:%?=&#~@!$*+-]")
# The bracketed middle of a SICI, as in 10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-1
_SICI_ANGLE = re.compile(r"<\d[^<>\s]*>(?=\d)")
_NEXT = re.compile(
    r"""[,;](?:$|[\s,;"'<(\[]|https?:|www\.|doi[:%]|10\.\d{4,9}[/.%]|hdl[:%]|ark:)""", re.IGNORECASE
)


def table_delimiter(text: str) -> str | None:
    """Return "," or ";" if the text is a table of at least two equally long rows, else None."""
    lines = [line for line in text.splitlines()[:50] if line.strip()]
    if len(lines) < 2:
        return None
    for delimiter in ",;":
        widths = {_width(line, delimiter) for line in lines}
        if len(widths) == 1 and widths.pop() > 1:
            return delimiter
    return None


def _width(line: str, delimiter: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=delimiter), []))
    except csv.Error:
        return 0


def end_of(line: str, begin: int, delimiter: str | None = None) -> int:
    """Return the index behind the identifier that begins at `begin`, trailing punctuation cut.

    Brackets that open inside the identifier belong to it with all they hold; one that closes what
    opened before it ends it.
    """
    open_brackets: list[str] = []
    quoted = begin > 0 and line[begin - 1] == "'"
    position = begin
    while (position := _next_edge(line, position)) < len(line):
        character = line[position]
        if character == "<" and (angle := _SICI_ANGLE.match(line, position)):
            position = angle.end()
            continue
        if _ends_here(line, position, delimiter, quoted):
            break
        if character in "([{":
            open_brackets.append(character)
        elif character in ")]}" and (open_brackets or [""]).pop() != _CLOSERS[character]:
            break
        position += 1
    return begin + len(trimmed(line[begin:position]))


def _next_edge(line: str, position: int) -> int:
    """Return the index of the next character that may end an identifier, or open a bracket."""
    other = _MAY_END.search(line, position)
    return other.start() if other else len(line)


def _ends_here(line: str, position: int, delimiter: str | None, quoted: bool) -> bool:
    character = line[position]
    if character.isspace() or not character.isprintable() or character in _STOPS:
        return True
    if character in "<>" or character == delimiter:
        return True
    if character in ",;" and _NEXT.match(line, position):
        return True
    return character == "'" and quoted


def trimmed(text: str) -> str:
    """Return the text without punctuation at its end and without brackets that never close.

    No more than a thousand characters go: nobody writes that many, and an attacker might.
    """
    end, least = len(text), max(0, len(text) - 1000)
    if not text or text[-1] not in _TRAILING + _PAIRS:
        return text
    counts = {bracket: text.count(bracket) for bracket in _PAIRS}
    while end > least:
        last = text[end - 1]
        unclosed = last in "([{" or (last in _CLOSERS and counts[_CLOSERS[last]] < counts[last])
        if last not in _TRAILING and not unclosed:
            break
        if last in counts:
            counts[last] -= 1
        end -= 1
    return text[:end]
