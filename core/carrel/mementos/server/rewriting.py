# SPDX-License-Identifier: AGPL-3.0-or-later
"""Addresses in an archived page, turned into those of their captures on the loopback server."""

import re
from collections.abc import Sequence
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

from carrel.model.user_information import bare_address

# Longer than any browser or server of an archived page went along with; a short link in a page with
# a longer base would else grow without measure.
LONGEST_URL = 4096
# What a page asks for itself, as the Wayback Machine marks it: images, styles, frames, others.
IMAGE, STYLE, FRAME, OTHER = "im_", "cs_", "if_", "oe_"
RAW = "id_"

# Pages name the same addresses again and again.
_MOST_KNOWN = 4096
_LONGEST_KNOWN = 500

_EDGES = "".join(map(chr, range(0x21)))
# Browsers leave these out of an address wherever they stand: `java\nscript:` is a script.
_BREAKS = re.compile(r"[\t\r\n]")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_SLASHES = re.compile(r"^(https?|ftp):[/\\]+", re.IGNORECASE)
_HARMLESS_DATA = re.compile(
    r"data:(?:image/|font/|audio/|video/|application/(?:x-)?(?:font|vnd\.ms-fontobject))",
    re.IGNORECASE,
)
_PATH_END = re.compile(r"[?#]")
_CLIMBS = re.compile(r"/(?:\.|%2e)", re.IGNORECASE)
_DOT = re.compile(r"%2e", re.IGNORECASE)
_SAFE = "!#$%&'()*+,/:;=?@[]~"


def of_sources(names: Sequence[str]) -> str:
    """Return the part of a memento's address that says which sources it is of, "" for any."""
    return f"from/{'+'.join(quote(each, safe='') for each in names)}/" if names else ""


def sources_in(part: str) -> Sequence[str]:
    """Return the names of the sources that such a part gives."""
    names = part.removeprefix("from/").rstrip("/")
    return tuple(unquote(each) for each in names.split("+") if each)


class Links:
    """The addresses of one page, and where their captures are.

    What a person may follow is below `prefix` (`/<collection>/`). What a page loads itself, images
    and styles and frames, is below `embedded`, which is `prefix` unless given: a prefix that no one
    else can guess lets the server tell the archived page from any other in the same browser. The
    page itself is `of` some sources, whatever it leads to: another may have another of that second.
    """

    def __init__(
        self, prefix: str, timestamp: str, base_url: str, embedded: str = "", of: str = ""
    ) -> None:
        self.prefix = prefix
        self.timestamp = timestamp
        self.base_url = base_url
        self.embedded = embedded or prefix
        self._of = of
        self._known: dict[tuple[str, str], str] = {}
        self._rewritten = tuple(f"{start}{timestamp}" for start in {prefix, self.embedded})

    def based_on(self, text: str) -> "Links":
        """Return the links of a page that says its base is another (`<base href>`)."""
        base = _absolute(self.base_url, _cleaned(text))
        return Links(self.prefix, self.timestamp, base or self.base_url, self.embedded, self._of)

    def rewrite(self, text: str, modifier: str = "") -> str:
        """Return where the capture of an address is, "" for what a page shall not lead to.

        `text` is the address as the page means it: entities and escapes undone, relative to the
        page. A `modifier` says that the page loads it itself, and as what. References within the
        page, mail and telephone addresses stay; of `data:` those images, fonts and media that a
        page loads itself.
        """
        if (known := self._known.get((text, modifier))) is not None:
            return known
        place = self._place(text, modifier)
        if len(self._known) < _MOST_KNOWN and len(text) < _LONGEST_KNOWN:
            self._known[text, modifier] = place
        return place

    def _place(self, text: str, modifier: str) -> str:
        text = _cleaned(text)
        if text.startswith("#"):
            return _quoted(text) if len(text) <= LONGEST_URL else ""
        if modifier and _HARMLESS_DATA.match(text):
            return text
        if len(text) > LONGEST_URL or not text:
            return ""
        if text.startswith(self._rewritten) and "://" in text:
            return _quoted(text)
        if not modifier and text.lower().startswith(("mailto:", "tel:")):
            return _quoted(text)
        absolute = _absolute(self.base_url, text)
        return self.to(absolute, modifier) if absolute else ""

    def to(self, url: str, modifier: str = "") -> str:
        """Return where the capture of a whole address is."""
        start = self.embedded if modifier not in ("", RAW) else self.prefix
        return f"{start}{self.timestamp}{modifier}/{_quoted(url)}"

    def own(self, url: str, modifier: str = "") -> str:
        """Return where this very capture is, of a page whose address is given."""
        return f"{self.prefix}{self._of}{self.timestamp}{modifier}/{_quoted(url)}"

    def captures_of(self, url: str) -> str:
        """Return where all captures of a whole address are listed."""
        return f"{self.prefix}*/{_quoted(url)}"


def _cleaned(text: str) -> str:
    return _BREAKS.sub("", text.strip(_EDGES))


def _absolute(base_url: str, text: str) -> str:
    """Return a whole address of the web, "" if it is none."""
    scheme = _SCHEME.match(text)
    if scheme and scheme[1].lower() not in ("http", "https", "ftp"):
        return ""
    text = _SLASHES.sub(r"\1://", text)
    place, rest = _cut(text)
    try:
        parts = urlsplit(urljoin(base_url, place.replace("\\", "/") + rest))
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https", "ftp") or not parts.netloc:
        return ""
    if not parts.path or _CLIMBS.search(parts.path):
        parts = parts._replace(path=_without_dots(parts))
    url = bare_address(parts.geturl())
    return url if len(url) <= LONGEST_URL else ""


def _cut(text: str) -> tuple[str, str]:
    """Return the part of an address in which a backslash is a slash, and what follows it."""
    mark = _PATH_END.search(text)
    end = mark.start() if mark else len(text)
    return text[:end], text[end:]


def _without_dots(parts: SplitResult) -> str:
    """Return a path that does not climb: in the capture's address it would leave the capture."""
    segments: list[str] = []
    last = ""
    for last in parts.path.split("/")[1:]:
        plain = _DOT.sub(".", last)
        if plain == "..":
            segments = segments[:-1]
        elif plain != ".":
            segments.append(last)
    if _DOT.sub(".", last) in (".", ".."):
        segments.append("")
    return "/" + "/".join(segments)


def _quoted(url: str) -> str:
    """Return an address that can stand in an attribute, a style sheet or a header as it is."""
    return quote(url, safe=_SAFE, errors="replace")
