# SPDX-License-Identifier: AGPL-3.0-or-later
"""Addresses that came out of a browser: shortcuts, which hold one, and bookmark files.

A shortcut is a Windows `.url`, a freedesktop `.desktop` or a macOS `.webloc` (a property list, as
XML or binary). What belongs to the form and names no address is passed over.
"""

import plistlib
import re
from collections.abc import Iterable, Iterator
from html import unescape
from xml.parsers.expat import ExpatError

from carrel.engine.batches.batch import Entry, Problem
from carrel.engine.batches.plain import TOO_LONG, listed
from carrel.engine.batches.text import Line, Lines
from carrel.errors import UsageError
from carrel.platforms.identifiers import find, why_nothing
from carrel.translation import tr

BINARY_PLIST = b"bplist00"
# Safari's are a few hundred bytes.
_PLIST_MAX_BYTES = 1024 * 1024
# "URL[$e]" is how KDE marks a value in which variables are expanded.
_URL_KEY = re.compile(r"\s*URL(?:\[\$?\w+\])?\s*=\s*(.*)", re.IGNORECASE)
_XML_PLIST = re.compile(r"(?:<\?xml[^<>]*>\s*)?<(?:!DOCTYPE\s+)?plist\b", re.IGNORECASE)
_INI_HEADER = re.compile(r"^\[(?:InternetShortcut|Desktop Entry)\]", re.MULTILINE)
_HTML = re.compile(
    r"(?:<\?xml[^<>]*>\s*|<!--(?:(?!-->).)*-->\s*)*<(?:!DOCTYPE\s+(?:html|NETSCAPE-Bookmark)|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_LINK = re.compile(r"<a\s([^<>]*)>", re.IGNORECASE)
_HREF = re.compile(r"""(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))""", re.IGNORECASE)
# A tag that goes on over more than this is no link.
_TAG_MAX_CHARS = 64 * 1024


def is_shortcut(start: str) -> bool:
    """Say whether a text that begins so is a shortcut."""
    return bool(_XML_PLIST.match(start) or _INI_HEADER.search(start))


def is_html(start: str) -> bool:
    """Say whether a text that begins so is HTML."""
    return bool(_HTML.match(start))


def read_shortcut(lines: Lines) -> Iterator[Entry]:
    """Yield what the address of a shortcut is. Raises UsageError for a damaged property list."""
    if lines.raw_head.startswith(BINARY_PLIST) or _XML_PLIST.match(lines.head.lstrip()):
        yield from _in_address(Line(1, _plist_address(lines.raw_chunks())))
        return
    for line in lines:
        if match := _URL_KEY.fullmatch(line.text):
            yield from _in_address(Line(line.number, match[1], line.is_cut))


def read_bookmarks(lines: Iterable[Line]) -> Iterator[Entry]:
    """Yield where the links of an HTML file lead, as far as that can be archived."""
    rest = ""
    for line in lines:
        if line.is_cut:
            yield Problem(line.number, line.text, TOO_LONG)
            continue
        text = f"{rest} {line.text}"
        for link in _LINK.finditer(text):
            if href := _HREF.search(link[1]):
                address = unescape(href[1] or href[2] or href[3] or "")
                yield from listed(find(address).identifiers, line.number)
        rest = _open_tag(text)


def _in_address(line: Line) -> Iterator[Entry]:
    found = () if line.is_cut else find(line.text).identifiers
    if not found:
        why = TOO_LONG if line.is_cut else why_nothing(line.text)
        yield Problem(line.number, line.text, why)
    yield from listed(found, line.number)


def _plist_address(chunks: Iterable[bytes]) -> str:
    """Return what a property list has as its URL, "" if it has none."""
    raw = b""
    for chunk in chunks:
        raw += chunk
        if len(raw) > _PLIST_MAX_BYTES:
            raise UsageError(tr("The file is too large for a shortcut."))
    try:
        fields = plistlib.loads(raw)
    except (ValueError, ExpatError, RecursionError) as error:
        raise UsageError(tr("This shortcut cannot be read: {error}.", error=error)) from error
    address = fields.get("URL") if isinstance(fields, dict) else None
    return address if isinstance(address, str) else ""


def _open_tag(text: str) -> str:
    """Return the tag at the end of a text that goes on in the next line, "" if none does."""
    start = text.rfind("<")
    is_open = start > text.rfind(">") and len(text) - start < _TAG_MAX_CHARS
    return text[start:] if is_open else ""
