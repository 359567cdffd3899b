# SPDX-License-Identifier: AGPL-3.0-or-later
"""Names of files as text: a file system has bytes there, and not all of them are UTF-8."""

import re

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
    raw = text.encode("utf-8", "surrogateescape" if _is_escaped(text) else "surrogatepass")
    return raw.decode("utf-8", "backslashreplace")


def is_in_utf8(text: str) -> bool:
    """Say whether each part of a text is a character."""
    return text.isascii() or not _SURROGATE.search(text)


def _is_escaped(name: str) -> bool:
    """Say whether all surrogates of a name stand for bytes (PEP 383)."""
    return not any("\ud800" <= char < "\udc80" or "\udcff" < char <= "\udfff" for char in name)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
