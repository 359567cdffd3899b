# SPDX-License-Identifier: AGPL-3.0-or-later
"""The values of fields, without what people and programs lay around them."""

import html
import re
from functools import lru_cache
from html.entities import html5

from carrel.dark_archive.redif.vocabulary import TYPES

_LINE_BREAK = re.compile(r"<\s*+/?+\s*+br(?:\s[^<>]*+)?+/?+\s*+>", re.IGNORECASE)
# An entity without its semicolon is none: "?a=1&copy=2" is an address as it stands.
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TYPE = re.compile(r"(redif-[a-z]++)\s*+(.*)", re.IGNORECASE)
_LONGEST_TYPE = 100


def joined(value: str) -> str:
    """Return a value without any white space or HTML line breaks: a handle, an address."""
    # A handle of an old publisher may hold other tags' look-alikes, which stay.
    return "".join((_LINE_BREAK.sub(" ", value) if "<" in value else value).split())


def folded(value: str) -> str:
    """Return a value in one line, without HTML line breaks."""
    return " ".join((_LINE_BREAK.sub(" ", value) if "<" in value else value).split())


def spelled(value: str) -> str:
    """Return a value with its own blanks and line breaks, without those of HTML: an address."""
    return (_LINE_BREAK.sub("\n", value) if "<" in value else value).strip()


def address(value: str) -> str:
    """Return the address in a File-URL, "" if there is none; it may be no web address at all."""
    url = joined(value)
    if url[:4].lower() == "url:":
        url = url[4:]
    return _ENTITY.sub(_meaning, url) if "&" in url else url


def type_and_version(value: str) -> tuple[str | None, str, bool]:
    """Return the type that a Template-Type names, its version, and whether the type is known.

    The type is None for an empty value, spelled as usual if it is known, else as it stands.
    """
    return _parted(value if len(value) < _LONGEST_TYPE else folded(value)[:_LONGEST_TYPE])


@lru_cache(maxsize=1024)
def _parted(value: str) -> tuple[str | None, str, bool]:
    text = folded(value)
    found = _TYPE.fullmatch(text)
    if found is None:
        return text or None, "", False
    known = TYPES.get(found[1].lower())
    return known or found[1], found[2], known is not None


def _meaning(entity: re.Match[str]) -> str:
    if entity[0][1] == "#":
        return html.unescape(entity[0])
    return html5.get(entity[0][1:], entity[0])
