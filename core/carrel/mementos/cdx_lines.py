# SPDX-License-Identifier: AGPL-3.0-or-later
"""One line of an index as a memento: CDXJ, and CDX as the Wayback Machine and pywb write it.

CDXJ lines are `surt timestamp {json}`. A CDX line has columns; which, a header ` CDX N b a ...` at
the top of its file says, else their number does.
"""

import json
import re
from collections.abc import Mapping, Sequence

from pydantic_core import from_json

from carrel.model.memento import Memento
from carrel.model.user_information import bare_address

LONGEST_LINE_BYTES = 1024 * 1024

# The letters of CDX headers (Internet Archive, "CDX file format", 2003, as seen in July 2026) for
# the columns that we know. Those of others are passed over.
_LETTERS = {
    "N": "urlkey",
    "A": "urlkey",
    "b": "timestamp",
    "a": "url",
    "m": "mime",
    "s": "status",
    "k": "digest",
    "r": "redirect",
    "M": "robotflags",
    "S": "length",
    "V": "offset",
    "g": "filename",
}
_SEVEN = ("urlkey", "timestamp", "url", "mime", "status", "digest", "length")
_NINE = (*_SEVEN[:6], "redirect", "offset", "filename")
_TEN = (*_SEVEN[:6], "redirect", "robotflags", "offset", "filename")
_ELEVEN = (*_SEVEN[:6], "redirect", "robotflags", "length", "offset", "filename")
# pywb's indexes with resolved revisits have three more.
_ORIGINAL = ("orig.length", "orig.offset", "orig.filename")
_BY_NUMBER = {
    **{len(each): each for each in (_SEVEN, _NINE, _TEN, _ELEVEN)},
    **{len(each) + 3: each + _ORIGINAL for each in (_NINE, _TEN, _ELEVEN)},
}
_NUMBERS = ("length", "offset", "orig.length", "orig.offset")
# What CDX servers call fields of CDXJ.
_ADDRESSES = ("url", "live_url", "redirect")
_OTHER_NAMES = {"original": "url", "mimetype": "mime", "statuscode": "status"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def parse_line(line: bytes | str, columns: Sequence[str] | None = None) -> Memento | None:
    """Return the row that a line stands for, None if it is not valid.

    `columns` are those of a file with a header, None to go by their number. All values are texts:
    numbers as they are written, lists and objects as JSON. What a CDX line has as "-" is left out.
    Values with control characters are not valid: they are in no one's URL, type or file name, and
    would do harm in a header.
    """
    try:
        text = line.decode() if isinstance(line, bytes) else line
        urlkey, timestamp, rest = text.split(" ", 2)
        is_plain = "\\" not in rest and "@" not in rest and "%40" not in rest
        if rest[:1] == "{" and len(timestamp) == 14 and is_plain:
            fields = from_json(rest, cache_strings="keys")
            # What is no text raises here: the quickest way to know.
            "".join(fields.values())
            if urlkey and timestamp.isdecimal() and timestamp.isascii() and "url" in fields:
                return Memento(urlkey, timestamp, fields)
    except (ValueError, TypeError):
        pass
    return _parse_carefully(line, columns)


def header_columns(line: bytes | str) -> tuple[str, ...] | None:
    """Return the columns that a header names ("" for those of no use), None if it is none."""
    letters = _text(line).split()
    if letters[:1] != ["CDX"]:
        return None
    return tuple(_LETTERS.get(letter, "") for letter in letters[1:])


def columns_of(line: bytes) -> tuple[str, ...] | None:
    """Return the columns of a CDX line by their number, None for CDXJ and what is neither."""
    parts = _text(line).split()
    return None if len(parts) < 3 or parts[2][:1] == "{" else _BY_NUMBER.get(len(parts))


def says_nothing(line: bytes) -> bool:
    """Say whether a line is no row by intention: an empty one, a header, or a remark."""
    return not line.strip() or line[:1] in (b" ", b"!") or line.startswith(b"CDX ")


def sort_key(line: bytes) -> bytes:
    """Return what lines are sorted and found by: key and time, as they stand in the line."""
    end = line.find(b" ", line.find(b" ") + 1)
    return line if end < 0 else line[:end]


def _parse_carefully(line: bytes | str, columns: Sequence[str] | None) -> Memento | None:
    """Return the same for lines that are not as nearly all of them are."""
    if len(line) > LONGEST_LINE_BYTES:
        return None
    urlkey, timestamp, rest = (*(_text(line).split(" ", 2)), "", "")[:3]
    if len(timestamp) not in (14, 17) or not (timestamp.isdecimal() and timestamp.isascii()):
        return None
    if rest[:1] == "{":
        fields = _json_fields(rest)
    else:
        fields = _column_fields([urlkey, timestamp, *rest.split()], columns)
    if fields is None or not urlkey:
        return None
    return Memento(urlkey, timestamp, _bare(fields))


def _bare(fields: dict[str, str]) -> dict[str, str]:
    """Return the fields with no user name or password in an address."""
    return {
        name: bare_address(value) if name in _ADDRESSES else value for name, value in fields.items()
    }


def _text(line: bytes | str) -> str:
    return line if isinstance(line, str) else line.decode("utf-8", "replace")


def _json_fields(text: str) -> dict[str, str] | None:
    try:
        found = from_json(text)
    except ValueError:
        return None
    fields = {_OTHER_NAMES.get(name, name): value for name, value in _as_texts(found).items()}
    return None if _has_control(fields) else fields


def _as_texts(found: Mapping[str, object]) -> dict[str, str]:
    return {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in found.items()
        if value is not None
    }


def _has_control(fields: Mapping[str, str]) -> bool:
    return any(_CONTROL.search(each) for pair in fields.items() for each in pair)


def _column_fields(values: list[str], columns: Sequence[str] | None) -> dict[str, str] | None:
    names = columns if columns is not None else _BY_NUMBER.get(len(values), ())
    if columns is not None and len(values) == len(names) + 3:
        names = (*names, *_ORIGINAL)
    if not names or len(values) != len(names):
        return None
    pairs = zip(names[2:], values[2:], strict=True)
    fields = {name: value for name, value in pairs if name and value != "-"}
    if any(name in fields and not fields[name].isdecimal() for name in _NUMBERS):
        return None
    return None if _has_control(fields) else fields
