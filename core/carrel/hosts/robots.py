# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a robots.txt asks of us (RFC 9309): the longest rule wins, and of two alike the kind one.

The standard library's reader takes the first rule that fits and knows no wildcards, which is what
the web did before the RFC.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

# Our product token, in lower case (RFC 9309, 2.2.1).
_OUR_NAME = "carrel"
# As much of a robots.txt as must be read (RFC 9309, 2.5).
MAX_BYTES = 500 * 1024
# However long a host wants us to wait between two questions, it gets no more than this.
LONGEST_DELAY_S = 60.0

_PRODUCT = re.compile(r"[a-z_-]+")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_LINE_END = re.compile(r"\r\n|\r|\n")
_DELAY = re.compile(r"\d{1,9}(?:\.\d{0,9})?")


@dataclass(frozen=True, slots=True)
class Rule:
    """`pattern` is a path with `*` for anything, and `$` for the end."""

    is_allowed: bool
    pattern: str

    def fits(self, path: str) -> bool:
        is_anchored = self.pattern.endswith("$")
        first, *pieces = self.pattern.removesuffix("$").split("*")
        if not path.startswith(first):
            return False
        at = len(first)
        last = pieces.pop() if pieces and is_anchored else None
        for piece in pieces:
            found = path.find(piece, at)
            if found < 0:
                return False
            at = found + len(piece)
        if last is not None:
            return path.endswith(last) and len(path) - len(last) >= at
        return not is_anchored or at == len(path)


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules for us. `delay_s` is the wait between two questions, in seconds, 0 for none.

    What cannot be had `is_known` to nobody, and forbids everything.
    """

    rules: Sequence[Rule] = ()
    delay_s: float = 0.0
    is_known: bool = True

    def allows(self, url: str) -> bool:
        """Say whether an address may be asked for. robots.txt itself always may."""
        parts = urlsplit(url)
        path = _plain(f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/")
        if path == "/robots.txt":
            return True
        fitting = [(len(rule.pattern), rule.is_allowed) for rule in self.rules if rule.fits(path)]
        return max(fitting, default=(0, True))[1]


ALLOW_ALL = Robots()
UNREACHABLE = Robots((Rule(is_allowed=False, pattern="/"),), is_known=False)


def understood(content: bytes) -> Robots:
    """Return what a robots.txt asks of Carrel, or else of everybody; what is no rule is skipped."""
    ours: list[tuple[str, str]] = []
    everybody: list[tuple[str, str]] = []
    is_named = False
    for names, lines in _groups(content):
        if _OUR_NAME in names:
            is_named = True
            ours += lines
        if "*" in names:
            everybody += lines
    return _robots(ours if is_named else everybody)


def _robots(lines: Sequence[tuple[str, str]]) -> Robots:
    rules = tuple(
        Rule(key == "allow", _plain(value))
        for key, value in lines
        if key != "crawl-delay" and value
    )
    delays = [
        float(value) for key, value in lines if key == "crawl-delay" and _DELAY.fullmatch(value)
    ]
    return Robots(rules, min(max(delays, default=0.0), LONGEST_DELAY_S))


def _groups(content: bytes) -> Iterator[tuple[set[str], list[tuple[str, str]]]]:
    """Yield the names of each group, in lower case, and its lines; names alike may come again."""
    names: set[str] = set()
    lines: list[tuple[str, str]] = []
    for key, value in _fields(content):
        if key == "user-agent":
            if lines:
                yield names, lines
                names, lines = set(), []
            names.add(_product(value))
        elif names:
            lines.append((key, value))
    yield names, lines


def _fields(content: bytes) -> Iterator[tuple[str, str]]:
    text = content[:MAX_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    for line in _LINE_END.split(text):
        key, colon, value = line.partition("#")[0].partition(":")
        key = key.strip().lower()
        if colon and key in ("user-agent", "allow", "disallow", "crawl-delay"):
            yield key, value.strip()


def _product(value: str) -> str:
    if value.startswith("*"):
        return "*"
    token = _PRODUCT.match(value.lower())
    return token[0] if token else ""


def _plain(path: str) -> str:
    """Return a path in the spelling in which paths are compared (RFC 9309, 2.2.2)."""
    ascii_only = quote(path, safe="".join(map(chr, range(33, 127))))
    return _ESCAPE.sub(_unescaped, ascii_only)


def _unescaped(escape: re.Match[str]) -> str:
    letter = chr(int(escape[1], 16))
    return letter if letter in _UNRESERVED else escape[0].upper()
