# SPDX-License-Identifier: AGPL-3.0-or-later
"""From the character sets of archived pages and style sheets to UTF-8, as browsers find them."""

import codecs
import re
from email.message import Message

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# The Encoding Standard's names (encoding.spec.whatwg.org) that Python knows under another or would
# take more narrowly. UTF-7 and other codecs that are no character set of the web are left out.
_CODECS = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "latin1": "cp1252",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "iso-8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "euc-jp": "euc_jp",
    "iso-2022-jp": "iso2022_jp",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "utf8": "utf-8",
    "utf-8": "utf-8",
    "utf-16": "utf-16-le",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
    "macintosh": "mac-roman",
    "windows-874": "cp874",
    "tis-620": "cp874",
}
_NUMBERED = re.compile(r"(?:(?:windows-|cp)(125[0-8])|iso-8859-(\d{1,2}))")
_META = re.compile(rb"<meta[^>]{0,300}?charset\s{0,20}=\s{0,20}[\"']?\s{0,20}([\w:.-]{1,40})", re.I)
_AT_CHARSET = re.compile(rb'@charset "([\w:.-]{1,40})"')
_XML = re.compile(rb"<\?xml[^>]{0,200}encoding=[\"']([\w:.-]{1,40})")
_LOOKED_THROUGH = 4096


def declared_type(content_type: str) -> tuple[str, str]:
    """Return the media type and the charset of a Content-Type, lower-case, "" where none is."""
    message = Message()
    message["content-type"] = content_type[:500]
    has_type = "/" in content_type.partition(";")[0]
    charset = message.get_param("charset")
    return (
        message.get_content_type() if has_type else "",
        charset.strip().lower() if isinstance(charset, str) else "",
    )


def page_in_utf8(body: bytes, charset: str) -> bytes:
    """Return a page in UTF-8; `charset` is that of its Content-Type, "" for none."""
    return _in_utf8(body, charset, (_META, _XML))


def styles_in_utf8(body: bytes, charset: str) -> bytes:
    """Return a style sheet in UTF-8; `charset` is that of its Content-Type, "" for none."""
    return _in_utf8(body, charset, (_AT_CHARSET,))


def _in_utf8(body: bytes, charset: str, declarations: tuple[re.Pattern[bytes], ...]) -> bytes:
    for bom, codec in _BOMS:
        if body.startswith(bom):
            return _recoded(body[len(bom) :], codec)
    codec = _codec(charset) or _declared_codec(body, declarations)
    return _recoded(body, codec or _likely(body))


def _declared_codec(body: bytes, declarations: tuple[re.Pattern[bytes], ...]) -> str:
    beginning = body[:_LOOKED_THROUGH]
    for declaration in declarations:
        if match := declaration.search(beginning):
            codec = _codec(match[1].decode("ascii", "replace").lower())
            # What could be read so far is not in UTF-16, whatever it says.
            return "utf-8" if codec.startswith("utf-16") else codec
    return ""


def _codec(label: str) -> str:
    """Return Python's name for a charset, "" for one that is not of the web."""
    if label in _CODECS:
        return _CODECS[label]
    match = _NUMBERED.fullmatch(label)
    if match is None:
        return ""
    name = f"cp{match[1]}" if match[1] else f"iso8859-{match[2]}"
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""


def _likely(body: bytes) -> str:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _recoded(body: bytes, codec: str) -> bytes:
    """Return a text in UTF-8. What was in it stays as it is: a browser repairs it well enough."""
    if codec == "utf-8":
        return body
    return body.decode(codec, "replace").encode("utf-8", "replace")
