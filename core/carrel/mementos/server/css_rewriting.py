# SPDX-License-Identifier: AGPL-3.0-or-later
"""Style sheets whose addresses lead to captures. One pass from left to right, whatever they are."""

import re
from collections.abc import Iterator

from carrel.mementos.server.rewriting import IMAGE, STYLE, Links

# A short address can become a long one: what grows beyond this is cut.
MOST_WRITTEN = 32 * 1024**2

# What stands between addresses is no possessive group: before Python 3.11.5 one that fails half-way
# goes on from there (https://github.com/python/cpython/issues/106052).
_SPACE = r"[ \t\r\n\f]"
_ESCAPE = r"\\(?:\r\n|[\s\S])"
_COMMENT = r"/\*[^*]*+(?:\*(?!/)[^*]*+)*(?:\*/|\Z)"
# A string ends with its quote, before a line break (it is bad then), or with the text.
_STRING = (
    rf"""(?P<string>"(?:[^"\\\r\n\f]++|{_ESCAPE})*+(?:"|(?=[\r\n\f])|\\?\Z)"""
    rf"""|'(?:[^'\\\r\n\f]++|{_ESCAPE})*+(?:'|(?=[\r\n\f])|\\?\Z))"""
)
_URL = (
    rf"(?<![\w-])url\({_SPACE}*+(?:(?=[\"'])(?P<quoted>)"
    rf"|(?P<url>(?:[^)\\]++|{_ESCAPE})*+)(?:\)|\\?\Z))"
)
_IMPORT = rf"(?P<import>@import(?:{_SPACE}|{_COMMENT})*)(?=[\"']|url\()"
_NAMESPACE = r"(?P<namespace>@namespace[^;{}]*+)"
_CHARSET = r"(?P<charset>@charset[^;{}]*+;?+)"
_SET = r"(?P<set>(?<![\w-])(?:-webkit-)?image-set\()"
# Old ways to run scripts from styles; no browser of today knows them.
_SCRIPT = r"(?P<script>(?<![\w-])expression(?=\()|(?<![\w.#:-])(?:behavior|-moz-binding)(?=\s*+:))"
_ALWAYS = f"{_COMMENT}|{_STRING}|{_URL}"

_OUTSIDE = re.compile(
    f"{_ALWAYS}|{_IMPORT}|{_NAMESPACE}|{_CHARSET}|{_SET}|{_SCRIPT}", re.IGNORECASE
)
# Within image-set() a string is an address too, but not within its type().
_INSIDE = re.compile(
    rf"{_ALWAYS}|(?P<type>(?<![\w-])type\([^)]*+(?:\)|\Z))|(?P<open>\()|(?P<close>\))|(?P<end>[;{{}}])",
    re.IGNORECASE,
)
_ESCAPED = re.compile(rf"\\(?:([0-9a-fA-F]{{1,6}})(?:\r\n|{_SPACE})?|(\r\n|[\s\S]))")
_HAS_CODE = re.compile(r"\\[0-9a-fA-F]")
# In a page, this could end the element in which the styles stand.
_TAG = re.compile(r"<(?=[a-zA-Z/!?])")
_BAD_IN_STRING = re.compile(r'["\\\x00-\x1f\x7f<]')
_NOTHING = 'url("data:,")'


def rewrite_css(text: str, links: Links) -> str:
    """Return a style sheet, or the declarations of a style attribute, that loads only captures."""
    text = text.replace("\0", "")
    if _HAS_CODE.search(text):
        text = _plain_letters(text)
    return _TAG.sub(r"\\3c ", "".join(_bounded(_Sheet(text, links).pieces())))


def _bounded(pieces: Iterator[str]) -> Iterator[str]:
    written = 0
    for piece in pieces:
        written += len(piece)
        if written > MOST_WRITTEN:
            return
        yield piece


class _Sheet:
    """One pass over a sheet; `_depth` counts the open brackets of an image-set."""

    def __init__(self, text: str, links: Links) -> None:
        self._text = text
        self._links = links
        self._depth = 0
        self._awaits_import = False
        self._awaits_url = False

    def pieces(self) -> Iterator[str]:
        at = 0
        while match := (_INSIDE if self._depth else _OUTSIDE).search(self._text, at):
            yield self._text[at : match.start()]
            yield self._rewritten(match)
            at = match.end()
        yield self._text[at:]

    def _rewritten(self, match: re.Match[str]) -> str:
        kind = match.lastgroup
        if kind == "string":
            return self._string(match[0])
        if kind == "url":
            return self._url(_unescaped(match["url"].strip(" \t\r\n\f")))
        if kind == "quoted":
            # The bracket is written with the string, and closed by its own.
            self._awaits_url = True
            self._depth += bool(self._depth)
            return ""
        if kind == "import":
            self._awaits_import = True
            return match[0]
        if kind == "script":
            return "-left-out"
        if kind == "charset":
            return ""
        self._count(kind)
        # Of a comment only its bounds stay: it parts words where a space would part selectors.
        return match[0] if kind else "/**/"

    def _string(self, written: str) -> str:
        content = _unescaped(written[1:-1] if written[-1:] == written[0] else written[1:])
        if self._awaits_url:
            self._awaits_url = False
            return self._url(content).removesuffix(")")
        if self._awaits_import or self._depth:
            return self._url(content)
        return written

    def _url(self, text: str) -> str:
        modifier = STYLE if self._awaits_import else IMAGE
        self._awaits_import = False
        rewritten = self._links.rewrite(text, modifier)
        return f'url("{_in_string(rewritten)}")' if rewritten else _NOTHING

    def _count(self, kind: str | None) -> None:
        if kind in ("set", "open"):
            self._depth += 1
        elif kind == "close":
            self._depth -= 1
        elif kind == "end":
            self._depth = 0


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(_meant, text) if "\\" in text else text


def _meant(match: re.Match[str]) -> str:
    """Return what an escape stands for; a line break that is escaped stands for nothing."""
    if match[1] is None:
        return "" if match[2] in ("\n", "\r\n", "\f", "\r") else match[2]
    return _character(match[1])


def _character(code: str) -> str:
    number = int(code, 16)
    is_character = 0 < number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF
    return chr(number) if is_character else "\N{REPLACEMENT CHARACTER}"


def _plain_letters(text: str) -> str:
    r"""Return a sheet in which letters are not written as numbers, so that `u\72l(` is known.

    Everywhere else a letter and its number mean the same. Other numbers get a space behind them,
    else they would take in what follows.
    """
    return _ESCAPED.sub(_plain_letter, text)


def _plain_letter(match: re.Match[str]) -> str:
    if match[1] is None:
        return match[0]
    character = _character(match[1])
    return character if character.isascii() and character.isalpha() else f"\\{match[1]} "


def _in_string(url: str) -> str:
    return _BAD_IN_STRING.sub(lambda found: f"\\{ord(found[0]):x} ", url)
