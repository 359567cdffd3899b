# SPDX-License-Identifier: AGPL-3.0-or-later
"""The lines of the journal: one JSON object each, chained by the digest of the line before.

A line of an entry ends with `"prev"`, a line that commits a group with `"sum"`. The digest of a
line is the SHA-256 of its bytes without the line end. No one else writes them, so they are compared
byte for byte: a line means what it says only if it is the very line that would be written.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

# What stands in place of a digest before the very first line.
NOTHING = "0" * 64
# Nothing that is written has a longer line; one that is longer is read in pieces.
LONGEST_LINE = 64 * 1024**2

# How a commit line begins, and no other.
COMMIT_BEGINS = b'{"entry":"commit",'
# The last field of a line: its name, 64 digits, the closing brace.
_LAST_FIELD = 75
_PREV = b',"prev":"'
_SUM = b'","sum":"'

_COMMIT = re.compile(
    rb'\{"entry":"commit","lines":([1-9][0-9]{0,18}),"all":([1-9][0-9]{0,18})'
    rb',"prev":"([0-9a-f]{64})","sum":"[0-9a-f]{64}"\}'
)
_PREV_FIELD = re.compile(rb',"prev":"([0-9a-f]{64})"[,}]')

_write = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, separators=(",", ":")
).encode
# Beyond JSON's own: line ends of Unicode, controls, what turns the direction of writing, what is
# no character. Escaped, a line stays one line, and is seen as it is, in every editor and terminal.
_UNSEEN = re.compile(
    "[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)


@dataclass(frozen=True, slots=True)
class Commit:
    """What a commit line says: `lines` it closes, `all` lines of the journal, itself included."""

    lines: int
    all: int
    prev: str


def digest(line: bytes) -> str:
    """Return the SHA-256, in hex, of a line without its line end."""
    return sha256(line).hexdigest()


def entry_line(coded: Mapping[str, Any], prev: str) -> bytes:
    """Return the line of a coded entry, without its line end. Raises ValueError for what JSON has
    not."""
    text = _write(coded)
    if not text.isascii() or "\x7f" in text:
        text = _UNSEEN.sub(_escaped, text)
    return b'%s,"prev":"%s"}' % (text[:-1].encode(), prev.encode())


def commit_line(lines: int, total: int, prev: str) -> bytes:
    """Return the line that closes a group, without its line end; `total` counts it too."""
    body = f'{{"entry":"commit","lines":{lines},"all":{total},"prev":"{prev}"'
    return f'{body},"sum":"{digest((body + "}").encode())}"}}'.encode()


def read_entry(line: bytes) -> Mapping[str, Any]:
    """Return what a line says, coded as it was written. Raises ValueError."""
    try:
        coded = json.loads(str(line, "utf-8"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(coded, dict):
        raise ValueError("it is not an object")
    return coded


def read_commit(line: bytes) -> Commit | None:
    """Return what a commit line says, None if it is none or not as it was written."""
    found = _COMMIT.fullmatch(line)
    if found is None:
        return None
    commit = Commit(int(found[1]), int(found[2]), found[3].decode())
    return commit if line == commit_line(commit.lines, commit.all, commit.prev) else None


def follows(line: bytes, prev: str) -> bool:
    """Return whether an entry's line says that it comes after the line with this digest."""
    return line[-_LAST_FIELD:] == b',"prev":"%s"}' % prev.encode()


def named_before(line: bytes) -> str | None:
    """Return which digest a line, of either kind, says stands before it; None if none is there."""
    commit = line.startswith(COMMIT_BEGINS)
    found = _PREV_FIELD.search(line, max(0, len(line) - (2 if commit else 1) * _LAST_FIELD))
    return found[1].decode() if found else None


def is_like_commit(line: bytes) -> bool:
    """Return whether a line is a commit, or was one: one wrong byte hides it not.

    An entry cannot look like this, whatever it holds.
    """
    return line.startswith(COMMIT_BEGINS) or line[-_LAST_FIELD : 9 - _LAST_FIELD] == _SUM


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
