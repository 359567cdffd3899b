# SPDX-License-Identifier: AGPL-3.0-or-later
"""User names and passwords in web addresses (RFC 3986, 3.2.1): they are left out, everywhere.

Carrel sends them to no one, so that no server, log, WARC, index, result or window can have them.
This is the one place that knows how they look. Whatever carries an address (a request, a manifest,
a question to an index, an error) asks here when it is made.

What is taken for one is what some reader of addresses would take for one: more than one @, a
backslash, an @ that is written otherwise, an address within another one, and a password whose
slash cuts the address in two.
"""

import re
from collections.abc import Mapping
from typing import Any

from carrel.translation import tr

LEFT_OUT = tr(
    "The address had a user name or password, which was removed: Carrel never sends them. For a "
    "platform that requires a token, use “carrel credentials set HOST”."
)
_MARK = re.compile(r"@|＠|﹫|%(?:25)*40|\\u0040|&(?:\#0*64|\#x0*40|commat);", re.IGNORECASE)
_AT = f"(?:{_MARK.pattern})"
# What ends an authority, or the address as a whole.
_WITHIN = r"""[^/?#\s<>"]"""
_ENCODED_SLASHES = r"%(?:25)*3A(?:%(?:25)*(?:2F|5C))+"
_USER = rf"(?:{_WITHIN}*{_AT})+"
# Within a query another address ends where the next parameter begins.
_USER_IN_QUERY = rf"""(?:[^&;/?#\s<>"]*{_AT})+"""
# A port that is no number: the password goes on behind the slash.
_CUT = rf"""[^:/?#\s\[<>"]*:(?!\d*(?:[/?#\s<>"]|$))[^\s<>"]{{0,200}}{_AT}"""
_IN_TEXT = re.compile(
    rf"""(?P<query>(?<==)[a-z][a-z0-9+.-]{{0,30}}:[/\\]+)(?:{_USER_IN_QUERY})?
    | (?P<start>(?<=[a-z0-9+.-]):[/\\]{{2,}}|(?:(?<=http)|(?<=https)|(?<=ftp)):[/\\]
        |(?<![\w:/\\.%=-])//)(?:{_USER}|{_CUT})
    | (?P<coded>{_ENCODED_SLASHES})
      (?:(?:(?!%(?:25)*(?:2F|3F|23))[^/?#&\s<>"])*(?:[@＠﹫]|%(?:25)*40))+""",
    re.IGNORECASE | re.VERBOSE,
)
# Behind these words an @ belongs to a mailbox or an account, and there is no password.
_MAILBOX = r"(?:mailto|xmpp|sips?|acct|im):"
_WITHOUT_SCHEME = re.compile(
    rf"""(?<![^\s"'<>(\[{{=,;“„«])(?!{_MAILBOX})
    [^/?#\s<>":@'(“„«]+:[^/?#\s<>"@]+{_AT}(?=[\w\[])""",
    re.IGNORECASE | re.VERBOSE,
)
_OPAQUE = r"(?:mailto|urn|dns|data|screenshot|metadata|filedesc|info|doi|hdl|ark|about|javascript):"
_ALONE = re.compile(
    rf"""(?P<scheme>(?:https?|ftps?|wss?):(?![/\\])|(?=[^/?#])(?!{_OPAQUE}|[a-z][a-z0-9+.-]*:[/\\]))
    (?:[^/?#]*{_AT})+(?=.)""",
    re.IGNORECASE | re.VERBOSE,
)
_WITH_BLANKS = re.compile(rf"(?P<scheme>[a-z][a-z0-9+.-]*:[/\\]+)(?:[^/?#]*{_AT})+", re.IGNORECASE)
# What readers of addresses pass over.
_IGNORED = re.compile(r"[\t\r\n]")


def may_need_freeing(text: str) -> bool:
    """Return whether a text has a mark of user information. Most have none: ask of many at once."""
    # What a mark begins with is found far more quickly than a mark.
    if not text.isascii() or "@" in text or "%" in text or "&" in text or "\\" in text:
        return _MARK.search(text) is not None
    return False


def without_user_information(text: str) -> str:
    """Return a text with no user name or password in any address in it."""
    if not may_need_freeing(text):
        return text
    return _IN_TEXT.sub(_kept, text)


def bare_address(address: str) -> str:
    """Return a text that is one address, perhaps without its scheme, without user information."""
    if not may_need_freeing(address):
        return address
    text = _IGNORED.sub("", address).strip()
    for alone in (_WITH_BLANKS, _ALONE):
        if found := alone.match(text):
            text = found["scheme"] + text[found.end() :]
    return without_user_information(text)


def shown(text: str) -> str:
    """Return a text as people may see it: also what may be a password without a scheme is out."""
    if not may_need_freeing(text):
        return text
    return _WITHOUT_SCHEME.sub("…@", without_user_information(text))


def freed(value: Any) -> Any:
    """Return a JSON value with no user information in any of its texts, the value itself if there
    is none in it."""
    if isinstance(value, str):
        return without_user_information(value)
    if value is None or isinstance(value, int | float):  # a number is told quickly, a Mapping not
        return value
    if isinstance(value, Mapping):
        pairs = {freed(name): freed(each) for name, each in value.items()}
        return pairs if pairs != value else value
    if isinstance(value, list | tuple):
        return type(value)(map(freed, value))
    return value


def _kept(found: re.Match[str]) -> str:
    return found["query"] or found["start"] or found["coded"]
