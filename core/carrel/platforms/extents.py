# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far an identifier reaches in running text, a table, markdown or HTML."""

import csv
import re

# Zero-width characters come along with text copied from web pages.
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
BLANK = " \t\r\n\f\v\u00a0" + _INVISIBLE
_QUOTES = '"“”„«»‹›‘’「」『』'
# No dash but the hyphen is in a DOI as Crossref takes it
# (https://www.crossref.org/documentation/member-setup/constructing-your-dois/). A long one is
# prose; a short one may be a hyphen that a word processor or a PDF made into a dash, and stays
# where nothing that follows says otherwise: cut there, it would be another's DOI.
_LONG_DASHES = "—―"
_SHORT_DASHES = "–‒"
_STOPS = frozenset(_INVISIBLE + _QUOTES + _LONG_DASHES + "`|\\^（）【】、。，；：｜")
_CLOSERS = {")": "(", "]": "[", "}": "{", ">": "<"}
_PAIRS = "".join((*_CLOSERS.values(), *_CLOSERS))
_TRAILING = ".,;:!?'…" + _SHORT_DASHES
# Markdown's marks for what is bold, italic or crossed out stand once to thrice before and behind.
_NEVER_LAST = "*~"
_MARK_BEFORE = re.compile(r"(?P<mark>([*_~])\2{0,2})(?:doi:\s?)?\Z", re.IGNORECASE)
_LONGEST_BEFORE = len("***doi: ")
_MAY_END = re.compile(r"[^\w./:%?=&#~@!$*+-]")
# The bracketed middle of a SICI, as in 10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-1
_SICI_ANGLE = re.compile(r"<\d[^<>\s]*>(?=\d)")
_NEXT = re.compile(
    rf"""[,;{_SHORT_DASHES}]
    (?:$|[\s,;"'<(\[]|https?:|www\.|info[:%]|doi[:%]|10\.\d{{4,9}}[/.%]|hdl[:%]|ark:)""",
    re.IGNORECASE | re.VERBOSE,
)
_DASH_AND_WORD = re.compile(rf"[{_SHORT_DASHES}](?=[^\W\d_])")


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
    opened before it ends it, as does the mark of markdown that stands directly before it.
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
    return begin + len(_unmarked(trimmed(line[begin:position]), _mark_before(line, begin)))


def name_in(text: str) -> str:
    """Return the DOI, Handle or ARK that a text begins with, where nothing is encoded any more.

    Names are held to be plainer than web addresses, in which titles stand as they are written: a
    dash does not join a word to them, and no asterisk ends them.
    """
    name = text[: end_of(text, 0)]
    dash = _DASH_AND_WORD.search(name)
    return trimmed(name[: dash.start()] if dash else name, marks=_NEVER_LAST)


def _mark_before(line: str, begin: int) -> str:
    """Return the mark of markdown before an identifier or its label, "" if there is none."""
    found = _MARK_BEFORE.search(line[max(0, begin - _LONGEST_BEFORE) : begin])
    return found["mark"] if found else ""


def _unmarked(text: str, mark: str) -> str:
    return trimmed(text.removesuffix(mark)) if mark and text.endswith(mark) else text


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
    if character in ",;" + _SHORT_DASHES and _NEXT.match(line, position):
        return True
    return character == "'" and quoted


def trimmed(text: str, *, marks: str = "") -> str:
    """Return the text without punctuation at its end and without brackets that never close.

    Two or more asterisks or tildes at its end go, and one of `marks`. No more than a thousand
    characters go: no one writes that many, and an attacker might.
    """
    end, least = len(text), max(0, len(text) - 1000)
    if not text or text[-1] not in _TRAILING + _PAIRS + _NEVER_LAST:
        return text
    counts = {bracket: text.count(bracket) for bracket in _PAIRS}
    while end > least:
        last = text[end - 1]
        unclosed = last in "([{" or (last in _CLOSERS and counts[_CLOSERS[last]] < counts[last])
        beside = text[max(0, end - 2) : end - 1], text[end : end + 1]
        marked = last in _NEVER_LAST and (last in marks or last in beside)
        if last not in _TRAILING and not unclosed and not marked:
            break
        if last in counts:
            counts[last] -= 1
        end -= 1
    return text[:end]
