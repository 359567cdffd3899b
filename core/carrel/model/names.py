# SPDX-License-Identifier: AGPL-3.0-or-later
"""Names of files as text: a file system has bytes there, and not all of them are UTF-8."""

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from itertools import count

# What moves a terminal's cursor, or turns the direction of a text, is shown and does nothing.
_UNFIT = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def readable(name: str) -> str:
    """Return a name as text that can be stored and shown.

    Bytes that are no UTF-8, and control characters, are written as escapes ("\\xe9").
    """
    if name.isascii() and name.isprintable():
        return name
    return _UNFIT.sub(_escape, in_utf8(name))


def in_utf8(text: str) -> str:
    """Return a text that can be written as UTF-8: what no character stands for is escaped."""
    if not _SURROGATE.search(text):
        return text
    return name_bytes(text).decode("utf-8", "backslashreplace")


def name_bytes(name: str) -> bytes:
    """Return the bytes that a name has in its file system."""
    return name.encode("utf-8", "surrogateescape" if _is_escaped(name) else "surrogatepass")


def in_utf8_apart(names: Collection[str]) -> Mapping[str, str]:
    """Return each of some names as `in_utf8` writes it, with a number where that is another's."""
    odd = [name for name in dict.fromkeys(names) if not is_in_utf8(name)]
    taken = {name for name in names if is_in_utf8(name)}
    texts = {name: name for name in taken}
    for name in sorted(odd):
        texts[name] = next(each for each in _numbered(in_utf8(name)) if each not in taken)
        taken.add(texts[name])
    return texts


def is_in_utf8(text: str) -> bool:
    """Say whether each part of a text is a character."""
    return text.isascii() or not _SURROGATE.search(text)


def _numbered(name: str) -> Iterator[str]:
    yield name
    stem, ending = posixpath.splitext(name)
    yield from (f"{stem} ({number}){ending}" for number in count(2))


def _is_escaped(name: str) -> bool:
    """Say whether all surrogates of a name stand for bytes (PEP 383)."""
    return not any("\ud800" <= char < "\udc80" or "\udcff" < char <= "\udfff" for char in name)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
