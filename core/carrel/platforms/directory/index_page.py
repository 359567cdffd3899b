# SPDX-License-Identifier: AGPL-3.0-or-later
"""Listings that web servers write as pages: Apache, nginx, lighttpd, IIS, and their like.

A page is one by two things together: its title has the form that a server gives it, and it names
the very folder at which it stands, or leads up from it or sorts its rows.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from carrel.platforms.depth import shallow
from carrel.platforms.directory.rows import Folder, Row, child_of, leads_up, name_in, sizes

_TITLES = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"index of:? +(?P<path>(?:/|ftp://).*)",  # Apache, nginx, lighttpd, gateways to FTP
        r"directory listing (?:for|of) +\[?(?P<path>/[^\]]*?)\]?(?: - up to .*)?",  # Python, Tomcat
        r"(?:ftp )?directory: +(?P<path>(?:/|ftp://).*)",  # Jetty, Squid
        r"(?:.{1,80} - )?revision \d+: +(?P<path>/.*)",  # Subversion by WebDAV
        r"[\w.:-]{1,253} - (?P<path>/.*)",  # IIS
    )
)
_MAY_BE = re.compile(
    r"index of|directory listing|directory:|parent directory|revision \d", re.IGNORECASE
)
_WITHIN = 20_000
_SORTS = re.compile(r"\?[CNMSD]=", re.IGNORECASE)
_UP = re.compile(r"\s*(?:\.\./?|\[?(?:to |up to )?(?:higher level |the )?parent directory\]?/?)\s*",
                 re.IGNORECASE)  # fmt: skip
_DATE = (
    r"(?:\d{4}[-/.]\w{2,3}[-/.]\d\d?|\d\d?[-/. ]\w{1,9}[-/. ]\d{4}|[a-z]{3} \d\d? \d{4}"
    r"|(?:[a-z]+, )?[a-z]+ \d\d?, \d{4})"
)
_TIME = r"\d\d?:\d\d(?::\d\d)?(?: *[ap]m)?"
_SIZE = r"-|&lt;dir&gt;|<dir>|\d[\d.,]* ?(?:[kmgtp]i?b?|b|bytes?)?"
_DATED = re.compile(rf"{_DATE}[ T]+{_TIME}(?: *[+-]\d{{4}}| gmt)?", re.IGNORECASE)
_BEHIND_DATE = re.compile(rf"{_DATED.pattern}\s+({_SIZE})(?=\s|$)", re.IGNORECASE)
_WHOLE_SIZE = re.compile(_SIZE, re.IGNORECASE)
_LOOKED_BACK = 4


@dataclass(frozen=True, slots=True)
class _Link:
    node: LexborNode
    href: str


def index_page(base: str, html: str) -> Folder | None:
    """Return what a page lists of the folder at `base`, None if it is no listing of it."""
    if not _MAY_BE.search(html[:_WITHIN]):
        return None
    tree = LexborHTMLParser(shallow(html))
    title, path = _title(tree)
    if path is None:
        return None
    links = [
        _Link(node, node.attributes.get("href") or "")
        for node in tree.css("a[href]")
        if _place(node)
    ]
    folder = _folder(base, title, links)
    is_sure = _is_same(path, base) or any(_is_of_server(link) for link in links)
    is_own = _is_same(path, base) and len(folder.elsewhere) <= len(folder.files + folder.folders)
    return folder if is_own or (is_sure and any(map(_is_of_server, links))) else None


def _title(tree: LexborHTMLParser) -> tuple[str, str | None]:
    """Return the title of the page and the folder that it names, None if it names none."""
    for node in (*tree.css("title"), *tree.css("h1"), *tree.css("h2")):
        text = " ".join(node.text().split())
        for form in _TITLES:
            if found := form.fullmatch(text):
                return text, found["path"]
    return "", None


def _is_same(path: str, base: str) -> bool:
    """Return whether a title names this folder: whole, or as a server behind another knows it."""
    told = _plain(urlsplit(path).path if path.startswith("ftp:") else path)
    here = _plain(unquote(urlsplit(base).path))
    return told == here or (bool(told) and (here.endswith(f"/{told}") or told.endswith(f"/{here}")))


def _plain(path: str) -> str:
    return unquote(path).partition("?")[0].strip("/ ").lower()


def _is_of_server(link: _Link) -> bool:
    """Return whether a link is one that servers add: to the folder above, or to sort the rows."""
    is_sort = link.href.startswith("?") and bool(_SORTS.match(link.href))
    return is_sort or _UP.fullmatch(link.node.text()) is not None


def _place(node: LexborNode) -> str:
    """Return what an anchor stands in: the text, table or list of the rows; "" for anything else,
    as what people write above and below the rows."""
    parent = node.parent
    for _ in range(_LOOKED_BACK * 2):
        if parent is None or parent.tag in ("address", "footer", "nav"):
            return ""
        if parent.tag in ("pre", "table", "ul", "body"):
            return parent.tag
        parent = parent.parent
    return ""


def _folder(base: str, title: str, links: Sequence[_Link]) -> Folder:
    files: dict[str, Row] = {}
    folders: dict[str, None] = {}
    elsewhere: dict[str, None] = {}
    for link in links:
        url = child_of(base, link.href)
        if url is None:
            if not _is_of_server(link) and not _is_aside(base, link):
                elsewhere[link.href] = None
        elif url.endswith("/"):
            folders[url] = None
        elif url not in files or files[url].size is None:
            size, told = sizes(_size_text(link.node))
            files[url] = Row(name_in(url[len(base) :]), url, size, told)
    return Folder(title, tuple(files.values()), tuple(folders), tuple(elsewhere))


def _is_aside(base: str, link: _Link) -> bool:
    """Return whether a link is none of a row: a place on the page, a way up, or beside the rows."""
    is_empty = not link.href.strip() or link.href.startswith(("#", "javascript:", "mailto:"))
    return is_empty or leads_up(base, link.href) or _place(link.node) == "body"


def _size_text(node: LexborNode) -> str | None:
    """Return the size that stands in the row of a link, as it is written; None if there is none."""
    cell = _up_to(node, "td")
    if cell is not None:
        return _size_in_cells(cell)
    behind = _BEHIND_DATE.search(_text_behind(node))
    if behind:
        return behind[1]
    before = [*_BEHIND_DATE.finditer(_text_before(node))]
    return before[-1][1] if before else None


def _up_to(node: LexborNode, tag: str) -> LexborNode | None:
    parent = node.parent
    for _ in range(_LOOKED_BACK):
        if parent is None or parent.tag in ("table", "body"):
            return None
        if parent.tag == tag:
            return parent
        parent = parent.parent
    return None


def _size_in_cells(cell: LexborNode) -> str | None:
    texts = [" ".join(one.text().split()) for one in _cells_behind(cell)]
    dates = [at for at, text in enumerate(texts) if _DATED.search(text)]
    after = texts[dates[0] + 1 :] if dates else []
    before = texts[: dates[0]] if dates else texts
    for text in (*after[:1], *before[:1]):
        if _WHOLE_SIZE.fullmatch(text):
            return text
    return None


def _cells_behind(cell: LexborNode) -> Iterator[LexborNode]:
    node = cell.next
    while node is not None:
        if node.tag == "td":
            yield node
        node = node.next


def _text_behind(node: LexborNode) -> str:
    """Return what follows a link up to the end of its line."""
    text = ""
    following = node.next
    while following is not None and following.tag not in ("a", "br", "img", "hr"):
        text += following.text() or ""
        if "\n" in text.strip(" \t\r"):
            break
        following = following.next
    return text.lstrip().partition("\n")[0]


def _text_before(node: LexborNode) -> str:
    """Return what stands before a link on its line, as IIS writes it."""
    before = node.prev
    text = (before.text() or "") if before is not None and before.tag == "-text" else ""
    return text.rpartition("\n")[2]
