# SPDX-License-Identifier: AGPL-3.0-or-later
"""The tags and texts of a page, in one pass, as the HTML standard tells them apart.

No tree is built, so that what nests a million deep or never ends costs no more than its length
(https://html.spec.whatwg.org/multipage/parsing.html#tokenization). Comments, processing
instructions and markup that is none are left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from carrel.mementos.server.references import unescape

# More attributes than any page of this world has on one tag; the rest of them is skipped.
MOST_ATTRIBUTES = 1000
_LONGEST_NAME = 100

_MARKUP = re.compile(rb"<(?=[a-zA-Z/!?])")
_TAG_NAME = re.compile(rb"[^\t\n\f\r />]+")
_BEFORE_ATTRIBUTE = re.compile(rb"[\t\n\f\r /]*")
_ATTRIBUTE_NAME = re.compile(rb"[^\t\n\f\r />][^\t\n\f\r />=]*")
_EQUALS = re.compile(rb"[\t\n\f\r ]*+=[\t\n\f\r ]*+")
_UNQUOTED = re.compile(rb"[^\t\n\f\r >]*")
_COMMENT_END = re.compile(rb"--!?>")
_SCRIPT_STEP = re.compile(
    rb"(?i)<!--(?!-?>)|-->|<script(?=[\t\n\f\r />])|</script(?=[\t\n\f\r />])"
)
_PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_:.-]*")
_DRAWINGS = ("svg", "math")
# Elements whose content is text to its own end tag, whatever tags seem to be in it.
_RAW_END = {
    name: re.compile(rb"(?i)</%s(?=[\t\n\f\r />])" % name.encode())
    for name in ("style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
}


@dataclass(slots=True)
class StartTag:
    """A start tag; values of attributes are as written, None where there is none.

    Names are plain and in lower case: attributes with others are left out, and a tag whose own name
    is not plain has the name "". `is_closed` says that it ends with a slash.
    """

    name: str
    attributes: dict[str, bytes | None]
    is_closed: bool = False

    def value(self, name: str) -> str:
        """Return what an attribute means, "" where there is none."""
        return unescape((self.attributes.get(name) or b"").decode("utf-8", "replace"))


@dataclass(slots=True)
class EndTag:
    name: str


@dataclass(slots=True)
class Text:
    """Text as written, with its character references."""

    raw: bytes


@dataclass(slots=True)
class Raw:
    """The whole content of an element that has no markup in it; its end tag does not follow."""

    name: str
    raw: bytes


Token = StartTag | EndTag | Text | Raw


def tokens(body: bytes, is_xml: bool = False) -> Iterator[Token]:
    """Yield what a page in UTF-8 consists of. In XML, what is closed at once is empty."""
    at = drawings = 0
    while found := _MARKUP.search(body, at):
        if found.start() > at:
            yield Text(body[at : found.start()])
        at = found.end()
        if body[at : at + 1] in (b"!", b"?"):
            at = _after_declaration(body, at)
        elif body[at : at + 1] == b"/":
            tag, at = _end_tag(body, at + 1)
            if tag:
                yield tag
                drawings = max(0, drawings - (tag.name in _DRAWINGS))
        else:
            start, at = _start_tag(body, at)
            if start is None:
                return
            yield start
            drawings += start.name in _DRAWINGS and not start.is_closed
            if not (start.is_closed and (is_xml or drawings)):
                content, at = _raw_content(body, at, start.name)
                if content is not None:
                    yield Raw(start.name, content)
        if at < 0:
            return
    if at < len(body):
        yield Text(body[at:])


def _after_declaration(body: bytes, at: int) -> int:
    """Return where a comment, doctype or instruction ends, -1 if it never does."""
    if not body.startswith(b"!--", at):
        return body.find(b">", at) + 1 or -1
    for empty in (b"!-->", b"!--->"):
        if body.startswith(empty, at):
            return at + len(empty)
    end = _COMMENT_END.search(body, at + 3)
    return end.end() if end else -1


def _end_tag(body: bytes, at: int) -> tuple[EndTag | None, int]:
    if not body[at : at + 1].isalpha():
        return None, body.find(b">", at) + 1 or -1
    start, at = _start_tag(body, at)
    return (EndTag(start.name), at) if start else (None, -1)


def _start_tag(body: bytes, at: int) -> tuple[StartTag | None, int]:
    """Return a tag and where it ends, None for one that never does: then the page ends here."""
    name = _TAG_NAME.match(body, at)
    tag = StartTag(_plain(name[0]) if name else "", {})
    at = name.end() if name else at
    while True:
        at = _skipped(body, at)
        if at >= len(body):
            return None, -1
        if body[at] == ord(">"):
            tag.is_closed = body[at - 1] == ord("/")
            return tag, at + 1
        at = _attribute(body, at, tag.attributes)
        if at < 0:
            return None, -1


def _attribute(body: bytes, at: int, attributes: dict[str, bytes | None]) -> int:
    """Take in an attribute and return where it ends, -1 if it never does."""
    named = _ATTRIBUTE_NAME.match(body, at)
    if named is None:
        return -1
    value: bytes | None = None
    at = named.end()
    if equals := _EQUALS.match(body, at):
        at = equals.end()
        quote = body[at : at + 1]
        if quote in (b'"', b"'"):
            end = body.find(quote, at + 1)
            if end < 0:
                return -1
            value, at = body[at + 1 : end], end + 1
        elif unquoted := _UNQUOTED.match(body, at):
            value, at = unquoted[0], unquoted.end()
    if len(attributes) < MOST_ATTRIBUTES and (name := _plain(named[0])):
        attributes.setdefault(name, value)
    return at


def _skipped(body: bytes, at: int) -> int:
    space = _BEFORE_ATTRIBUTE.match(body, at)
    return space.end() if space else at


def _plain(name: bytes) -> str:
    """Return a name in lower case, "" for one that is not plain."""
    text = name[: _LONGEST_NAME + 1].decode("ascii", "replace").lower()
    return text if len(text) <= _LONGEST_NAME and _PLAIN_NAME.fullmatch(text) else ""


def _raw_content(body: bytes, at: int, name: str) -> tuple[bytes | None, int]:
    """Return the content of an element without markup, and what is behind its end tag.

    None for an element that has markup in it; -1 where the page ends.
    """
    if name == "plaintext":
        return body[at:], -1
    if name == "script":
        end = _script_end(body, at)
    elif name in _RAW_END:
        found = _RAW_END[name].search(body, at)
        end = found.start() if found else -1
    else:
        return None, at
    if end < 0:
        return body[at:], -1
    _, after = _end_tag(body, end + 2)
    return body[at:end], after


def _script_end(body: bytes, at: int) -> int:
    """Return where a script's end tag is: one in a script that is in a comment is none."""
    is_comment = is_nested = False
    for step in _SCRIPT_STEP.finditer(body, at):
        what = step[0].lower()
        if what == b"<!--":
            is_comment = True
        elif what == b"-->":
            is_comment = is_nested = False
        elif what == b"<script":
            is_nested = is_comment
        elif is_nested:
            is_nested = False
        else:
            return step.start()
    return -1
