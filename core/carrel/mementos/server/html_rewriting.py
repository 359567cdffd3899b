# SPDX-License-Identifier: AGPL-3.0-or-later
"""Archived pages made fit for looking: every address leads to a capture, nothing in them runs.

This is for what people see. That nothing runs and nothing leaves is the browser's to enforce, by
the policy that goes with each page (`replay_policy`).
"""

import re
from collections.abc import Iterator

from carrel.mementos.server import html_rules as rules
from carrel.mementos.server.banner import Banner, banner_html
from carrel.mementos.server.charsets import page_in_utf8
from carrel.mementos.server.css_rewriting import rewrite_css
from carrel.mementos.server.html_tokens import EndTag, Raw, StartTag, Text, Token, tokens
from carrel.mementos.server.references import escape, unescape
from carrel.mementos.server.rewriting import IMAGE, Links

# A page that grows beyond this by its rewriting is one that was made to.
MOST_WRITTEN = 64 * 1024**2
_LONGEST_LIST = 64 * 1024
_LONGEST_STYLE = 256 * 1024
_ENOUGH_TEXT_FOR_A_TARGET = 4096

_REFRESH = re.compile(r"^\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?[\"']?(.*?)[\"']?\s*$", re.I | re.S)
_LISTED_URL = re.compile(r"[\s,]*+(\S++)")
_LISTED_SIZE = re.compile(r"[^,]*")
_DOCTYPE = re.compile(
    rb"\s{0,100}(?:<\?[^>]{0,200}>\s{0,100})?(<!doctype[\w\s\"'/:.,+-]{0,300}>)", re.I
)
_LAZY = ("data-src", "data-lazy-src", "data-original")
_LAZY_LISTS = ("data-srcset", "data-lazy-srcset")
_BREAK = b'<p role="note">[Carrel left out the rest: this page grows beyond measure.]</p>'


def rewrite_html(
    body: bytes,
    charset: str,
    links: Links,
    banner: Banner | None = None,
    *,
    is_xml: bool = False,
) -> bytes:
    """Return a page in UTF-8 whose addresses lead to captures, with a banner on top if given.

    `charset` is that of its Content-Type, "" for none. Takes time in proportion to the page's
    length, and never fails, whatever it is.
    """
    text = page_in_utf8(body, charset).replace(b"\0", b"")
    doctype = _DOCTYPE.match(text)
    # Without one a browser lays out as those of the last century did, and so the page was meant.
    start = doctype[1] if doctype else b""
    return start + _Page(links, banner, is_xml).written(tokens(text, is_xml))


class _Page:
    """A page while it is written again from its tokens."""

    def __init__(self, links: Links, banner: Banner | None, is_xml: bool) -> None:
        self._links = links
        self._banner = banner
        self._is_xml = is_xml
        self._out = bytearray()
        self._has_base = False
        self._templates = 0
        self._drawings = 0
        self._sends_on_to = ""

    def written(self, page: Iterator[Token]) -> bytes:
        for token in page:
            self._take(token)
            if len(self._out) > MOST_WRITTEN:
                self._out += _BREAK
                break
        self._show_banner()
        return bytes(self._out)

    def _take(self, token: Token) -> None:
        if isinstance(token, StartTag):
            self._start(token)
        elif isinstance(token, EndTag):
            self._end(token)
        elif isinstance(token, Raw):
            self._raw(token)
        else:
            self._text(token)

    def _text(self, text: Text) -> None:
        if not text.raw.isspace():
            self._show_banner_here()
        # A sign that begins no tag here shall begin none in any browser.
        self._out += text.raw.replace(b"<", b"&lt;")

    def _raw(self, element: Raw) -> None:
        """Write what an element without markup has in it, and its end."""
        name = element.name
        if name in rules.RAW_LEFT_OUT:
            self._out += b"</iframe>" if name == "iframe" else b""
            return
        if name == "style":
            text = element.raw.decode("utf-8", "replace")
            bare = text.replace("<![CDATA[", "").replace("]]>", "")
            self._out += rewrite_css(bare, self._links).encode("utf-8", "replace")
        elif name in ("xmp", "plaintext"):
            self._out += element.raw.replace(b"&", b"&amp;").replace(b"<", b"&lt;")
        else:
            self._out += element.raw.replace(b"<", b"&lt;")
        self._out += b"</%s>" % _written_name(name).encode()

    def _start(self, tag: StartTag) -> None:
        if tag.name == "base":
            self._base(tag)
        elif tag.name == "meta":
            self._meta(tag)
        elif tag.name == "link":
            self._link(tag)
        elif tag.name in rules.PLUGINS:
            self._plugin(tag)
        elif tag.name not in rules.TAGS_LEFT_OUT | rules.RAW_LEFT_OUT or tag.name == "iframe":
            self._plain(tag)

    def _plain(self, tag: StartTag) -> None:
        if tag.name not in rules.HEAD and tag.name not in ("body", "frameset"):
            self._show_banner_here()
        if tag.name == "frameset" and not self._templates:
            self._banner = None
        if tag.name == "template":
            self._templates += 1
        if tag.name in ("svg", "math"):
            self._drawings += not tag.is_closed
        self._write(tag)
        if tag.name == "head":
            self._out += b'<meta charset="utf-8">'
        if tag.name == "body":
            self._show_banner_here()

    def _end(self, tag: EndTag) -> None:
        if tag.name in rules.TAGS_LEFT_OUT or tag.name in rules.RAW_LEFT_OUT:
            return
        if tag.name == "template":
            self._templates = max(0, self._templates - 1)
        if tag.name in ("svg", "math"):
            self._drawings = max(0, self._drawings - 1)
        self._out += b"</%s>" % tag.name.encode()

    def _base(self, tag: StartTag) -> None:
        """Take the first base that there is; the tag itself is left out."""
        if tag.attributes.get("href") and not self._has_base:
            self._links = self._links.based_on(tag.value("href"))
            self._has_base = True

    def _meta(self, tag: StartTag) -> None:
        told = tag.value("http-equiv").strip().lower()
        if told == "refresh":
            self._refresh(tag.value("content"))
        if told and told not in rules.HTTP_EQUIV_KEPT:
            return
        if "charset" in tag.attributes or tag.value("name").strip().lower() in rules.NAMES_LEFT_OUT:
            return
        kept = f' http-equiv="{told}"' if told else ""
        self._write(tag, kept)

    def _refresh(self, content: str) -> None:
        """Keep where a page sends its readers: no browser obeys without scripts, but people may."""
        _, parting, target = content[:_ENOUGH_TEXT_FOR_A_TARGET].partition(";")
        if match := _REFRESH.match(target if parting else ""):
            self._sends_on_to = self._sends_on_to or match[1].strip()

    def _link(self, tag: StartTag) -> None:
        """Write a link to a style or an icon, or one that nothing is loaded by."""
        relations = tag.value("rel").lower().split()[:20]
        if "preload" in relations and tag.value("as").lower() == "style":
            relations.append("stylesheet")
        kept = [each for each in relations if each not in rules.LINKS_LEFT_OUT]
        if not kept:
            return
        modifier = next(
            (rules.LOADED_LINKS[each] for each in kept if each in rules.LOADED_LINKS), ""
        )
        address = self._links.rewrite(tag.value("href"), modifier)
        if not address:
            return
        for name in ("href", "rel", "as", "imagesrcset"):
            tag.attributes.pop(name, None)
        if "media" in tag.value("onload"):
            # Loaded as if for print, and put to use by a script.
            tag.attributes.pop("media", None)
        self._write(tag, f' rel="{escape(" ".join(kept))}" href="{escape(address)}"')

    def _plugin(self, tag: StartTag) -> None:
        """Write a note in the place of what a plug-in showed; what stood in for it follows."""
        name = "data" if tag.name == "object" else "src"
        self._show_banner_here()
        if tag.value("type").lower().startswith("image/"):
            address = self._links.rewrite(tag.value(name), IMAGE)
            self._out += f'<img alt="" src="{escape(address)}">'.encode()
        elif address := self._links.rewrite(tag.value(name)):
            link = f'<a href="{escape(address)}">embedded content</a>'
            self._out += f"<span>[Left out: {link}]</span>".encode()

    def _write(self, tag: StartTag, more: str = "") -> None:
        """Write a start tag with the attributes that are kept."""
        self._out += b"<%s" % _written_name(tag.name).encode()
        if tag.name in ("img", "source"):
            _show_at_once(tag)
        for name, value in tag.attributes.items():
            self._attribute(tag.name, name, value)
        if tag.name == "iframe":
            more += ' sandbox=""'
        self._out += more.encode("utf-8", "replace") + b">"
        self._close(tag)

    def _close(self, tag: StartTag) -> None:
        """Close what was closed at once, where HTML would take it for open."""
        if tag.is_closed and tag.name not in rules.VOID and (self._is_xml or self._drawings):
            self._out += b"</%s>" % _written_name(tag.name).encode()

    def _attribute(self, tag: str, name: str, value: bytes | None) -> None:
        if name.startswith("on") or name in rules.ATTRIBUTES_LEFT_OUT:
            return
        if value is None:
            self._out += b" %s" % name.encode()
            return
        if name == "attributename" and value.lower().strip().endswith(b"href"):
            return
        written = self._address(tag, name, value)
        if written is None:
            self._out += b' %s="%s"' % (name.encode(), value.replace(b'"', b"&quot;"))
        elif written:
            escaped = escape(written).encode("utf-8", "replace")
            self._out += b' %s="%s"' % (name.encode(), escaped)

    def _address(self, tag: str, name: str, value: bytes) -> str | None:
        """Return what an attribute with addresses becomes, "" for nothing, None for others."""
        if name in rules.ADDRESSES:
            modifier = (
                IMAGE
                if tag in rules.DRAWN
                else rules.OWN_MODIFIER.get((tag, name), rules.ADDRESSES[name])
            )
            return self._links.rewrite(_meant(value), modifier)
        if name in rules.LISTS:
            return self._list(_meant(value)) if len(value) <= _LONGEST_LIST else ""
        if name in rules.PAINTS:
            return rewrite_css(_meant(value), self._links) if len(value) <= _LONGEST_STYLE else ""
        return None

    def _list(self, text: str) -> str:
        """Return a list of images for several sizes."""
        images = []
        at = 0
        while url := _LISTED_URL.match(text, at):
            address = self._links.rewrite(url[1].rstrip(","), IMAGE)
            at = url.end()
            size = ""
            # A comma right behind an address means that no size is given.
            if not url[1].endswith(",") and (given := _LISTED_SIZE.match(text, at)):
                size, at = given[0].strip(), given.end()
            if address:
                images.append(f"{address} {size}".rstrip())
        return ", ".join(images)

    def _show_banner_here(self) -> None:
        if not self._templates:
            self._show_banner()

    def _show_banner(self) -> None:
        if self._banner:
            self._out += banner_html(self._banner, self._links, self._sends_on_to)
        self._banner = None


def _show_at_once(tag: StartTag) -> None:
    """Give an image that a script would have filled in later what it would have been given."""
    source = tag.attributes.get("src")
    if not source or source.startswith(b"data:"):
        late = [tag.attributes[name] for name in _LAZY if tag.attributes.get(name)]
        if late and tag.name == "img":
            tag.attributes["src"] = late[0]
    if not tag.attributes.get("srcset"):
        late = [tag.attributes[name] for name in _LAZY_LISTS if tag.attributes.get(name)]
        if late:
            tag.attributes["srcset"] = late[0]


def _meant(value: bytes) -> str:
    return unescape(value.decode("utf-8", "replace"))


def _written_name(name: str) -> str:
    return "pre" if name in ("xmp", "plaintext") else name
