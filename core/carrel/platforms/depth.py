# SPDX-License-Identifier: AGPL-3.0-or-later
"""How deep a page is nested, found before it is parsed.

A parser takes time that grows with the square of the depth: a page of one megabyte can keep it
busy for hours. What is read here follows the parser's rules where they make a page less deep
(https://html.spec.whatwg.org/multipage/parsing.html, 2024); in doubt the page counts as deeper.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache

# Browsers stop at 512 levels; no page for people comes near.
_DEEPEST = 1000
# A formatting tag that is left open is made anew in each paragraph that follows.
_MOST_REMADE = 2_000_000
# With no more tags than these a page is soon parsed, whatever they are.
_FEW_TAGS = 2000
# Of equal formatting tags no more outlive their parents ("Noah's Ark").
_EQUAL_LASTING = 3

_MARKUP = re.compile(r"<(?:!--|[!?]|/?[a-zA-Z]|/)")
_COMMENT_END = re.compile(r"-?>|.*?--!?>", re.DOTALL)
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)"
    r"(?:[\s/]|[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\s>\"'][^\s>]*+|"
    r"(?=>)|\Z))?)*+>"
)


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VOID = _names("area base basefont bgsound br col embed frame hr img input keygen link meta param "
               "source track wbr image")  # fmt: skip
_ROOTS = _names("html head body")
_RAW = _names("script style title textarea xmp iframe noembed noframes")
_FOREIGN = _names("svg math")
_TABLE_PARTS = _names("caption colgroup tbody thead tfoot tr td th")
_SCOPE = _names("applet caption table td th marquee object template")
_FORMATTING = _names("a b big code em font i nobr s small strike strong tt u")
_SPECIAL = _SCOPE | _names(
    "address article aside blockquote button center colgroup dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup li listing "
    "main menu nav noscript ol p plaintext pre search section select summary tbody tfoot thead tr "
    "ul"
)
_MARKERS = _names("applet caption marquee object td template th")
_HOLDERS = _names("table template")
_BLOCKS = _SPECIAL - _names("applet button marquee object select")
_THROUGH = _names("address div p")
_LEAVES_FOREIGN = (
    _SPECIAL
    | _FORMATTING
    | _FOREIGN
    | _names("ruby span sub sup var foreignobject desc title mi mo mn ms mtext annotation-xml")
)
_SECTIONS = _names("tbody thead tfoot tr td th caption colgroup")
# What a start tag closes without an end tag, and what stands in the way of it.
_CLOSES = {
    "p": (_names("p"), _SPECIAL),
    "li": (_names("li"), _SPECIAL - _THROUGH),
    "dd": (_names("dd dt"), _SPECIAL - _THROUGH),
    "dt": (_names("dd dt"), _SPECIAL - _THROUGH),
    "button": (_names("button"), _SCOPE),
    "tr": (_names("tr td th caption colgroup"), _HOLDERS),
    "td": (_names("td th caption colgroup"), _HOLDERS),
    "th": (_names("td th caption colgroup"), _HOLDERS),
    **dict.fromkeys(("tbody", "thead", "tfoot", "caption", "colgroup"), (_SECTIONS, _HOLDERS)),
}


def shallow(html: str) -> str:
    """Return the page up to the tag with which it gets too deep to parse; all of it if none does.

    Elements that need no end tag (`<p>`, `<li>`, `<tr>` …) do not add up: any number may follow
    each other.
    """
    if html.count("<") <= _FEW_TAGS:
        return html
    place, nest = 0, _Nest()
    while markup := _MARKUP.search(html, place):
        start = markup.start()
        if not markup[0][-1].isalpha():
            end = html.find(">", start) + 1
            if markup[0] == "<!--":
                comment = _COMMENT_END.match(html, markup.end())
                end = comment.end() if comment else 0
        else:
            tag = _TAG.match(html, start)
            end = tag.end() if tag else 0
            if tag is not None:
                end = nest.take(tag, html)
        if nest.is_too_deep:
            return html[:start]
        if not end:
            return html  # whatever follows is no markup
        place = end
    return html


@dataclass(slots=True)
class _Nest:
    """The elements that are open.

    Those that format are kept as the whole tag with a number, and in `formatting` too: they outlive
    the element they stand in, and are made anew in the next. An empty text there stands for a cell,
    where the search for them ends.
    """

    open: list[str] = field(default_factory=list)
    formatting: list[str] = field(default_factory=list)
    serial: int = 0
    remade: int = 0
    _is_torn: bool = False

    @property
    def is_too_deep(self) -> bool:
        return len(self.open) > _DEEPEST or self.remade > _MOST_REMADE

    def take(self, tag: re.Match[str], html: str) -> int:
        """Take note of a tag; return where the markup goes on, 0 if it does not."""
        name = tag["name"].lower()
        if not _FOREIGN.isdisjoint(self.open):
            self._take_foreign(name, tag)
        elif tag["end"]:
            self._close(name)
        elif name in _RAW:
            found = _ended_by(name).search(html, tag.end())
            return found.end() if found else 0
        elif name == "plaintext":
            return 0
        elif name not in _FOREIGN or not tag[0].endswith("/>"):
            self._open(name, tag[0])
        return tag.end()

    def _take_foreign(self, name: str, tag: re.Match[str]) -> None:
        """In a drawing or formula every element needs its end tag. One that cannot stand there
        ended it without one, so that no end tag is trusted to reach over it."""
        if not tag["end"]:
            if not tag[0].endswith("/>"):
                self.open.append(name)
        elif name in self.open:
            place = _last(self.open, name)
            if _LEAVES_FOREIGN.isdisjoint(self.open[place + 1 :]):
                self._cut(place)

    def _open(self, name: str, text: str) -> None:
        if name in _VOID or name in _ROOTS:
            return
        if name in _TABLE_PARTS and not self._is_in_table():
            return
        if name in _FORMATTING:
            self._format(name, text)
            return
        if name in _CLOSES:
            self._make_way(*_CLOSES[name])
        elif name == "option" and self.open[-1:] == ["option"]:
            self.open.pop()
        if name not in _BLOCKS:
            self._remake()
        self.open.append(name)
        if name in _MARKERS:
            self.formatting.append("")
        elif name not in _TABLE_PARTS:
            self._remake()

    def _format(self, name: str, text: str) -> None:
        if name in ("a", "nobr"):
            self._end_formatting(name)
        self._remake()
        equal = [one for one in self._lasting() if one.partition("\0")[0] == text]
        if len(equal) == _EQUAL_LASTING:
            self.formatting.remove(equal[0])
        self.serial += 1
        self.open.append(f"{text}\0{self.serial}")
        self.formatting.append(self.open[-1])

    def _lasting(self) -> list[str]:
        """Return the formatting tags that are made anew where the page goes on."""
        if "" not in self.formatting:
            return self.formatting
        return self.formatting[_last(self.formatting, "") + 1 :]

    def _remake(self) -> None:
        """Open again what formats and went with its parent, as the text that follows does."""
        if not self._is_torn:
            return
        self._is_torn = False
        here = set(self.open[self._cell() :])
        missing = [one for one in self._lasting() if one not in here]
        self.open += missing
        self.remade += len(missing)

    def _cell(self) -> int:
        """Return the place of the innermost element that formatting does not enter or leave."""
        return max((_last(self.open, name) for name in _MARKERS if name in self.open), default=0)

    def _close(self, name: str) -> None:
        if name in _FORMATTING:
            self._end_formatting(name)
        elif name == "form":
            if name in self.open:
                del self.open[_last(self.open, name)]  # what is in it stays open
        elif self.open[-1:] == [name] and name not in _MARKERS:
            self.open.pop()
        elif name in self.open:
            place = _last(self.open, name)
            if _barrier(name).isdisjoint(self.open[place + 1 :]):
                self._cut(place)

    def _end_formatting(self, name: str) -> None:
        """Close the innermost tag of this name, but not what stands in it."""
        ends = _begun_by(name)
        if self.open and self.formatting[-1:] == self.open[-1:] and ends.match(self.open[-1]):
            self.open.pop()
            self.formatting.pop()
            return
        for texts, first in ((self.formatting, 0), (self.open, self._cell())):
            for place in range(len(texts) - 1, first - 1, -1):
                if not texts[place]:
                    break
                if ends.match(texts[place]):
                    del texts[place]
                    break

    def _make_way(self, closes: frozenset[str], barrier: frozenset[str]) -> None:
        """Close the outermost of these elements in which the next one cannot stand."""
        found = None
        for place in range(len(self.open) - 1, -1, -1):
            if self.open[place] in closes:
                found = place
            elif self.open[place] in barrier:
                break
        if found is not None:
            self._cut(found)

    def _cut(self, place: int) -> None:
        """Close the element at this place and all in it; a cell takes its formatting with it."""
        for name in self.open[place:]:
            if name in _MARKERS and "" in self.formatting:
                del self.formatting[_last(self.formatting, "") :]
            self._is_torn = self._is_torn or name in _MARKERS or name.startswith("<")
        del self.open[place:]

    def _is_in_table(self) -> bool:
        return next((name for name in reversed(self.open) if name in _HOLDERS), "") == "table"


@lru_cache(maxsize=64)
def _begun_by(name: str) -> re.Pattern[str]:
    return re.compile(rf"<{name}[\s/>]", re.IGNORECASE)


@lru_cache(maxsize=64)
def _ended_by(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)


def _barrier(name: str) -> frozenset[str]:
    """Return the elements that an end tag does not reach over."""
    if name in _HOLDERS or name in _TABLE_PARTS:
        return _HOLDERS
    if name == "li":
        return _SCOPE | {"ol", "ul"}
    return _SCOPE if name in _SPECIAL - {"p"} else _SPECIAL


def _last(texts: list[str], text: str) -> int:
    return len(texts) - 1 - texts[::-1].index(text)
