# SPDX-License-Identifier: AGPL-3.0-or-later
"""Character references in attributes, undone as browsers do it, and text made safe for HTML.

`html.unescape` reads attributes like texts (`?a=1&copy=2` is no ©), and fails on long numbers.
"""

import re
from html import unescape as _unescape_text
from html.entities import html5

_REFERENCE = re.compile(r"&(?:#(\d+);?|#[xX]([0-9a-fA-F]+);?|([A-Za-z][A-Za-z0-9]*+)(;|(?!=)))")
_LONGEST_NUMBER = 8
_UNSAFE = {"&": "&amp;", '"': "&quot;", "'": "&#39;", "<": "&lt;", ">": "&gt;"}
_UNSAFE_CHARACTERS = re.compile("[&\"'<>]")


def unescape(text: str) -> str:
    """Return what an attribute's value means."""
    return _REFERENCE.sub(_character, text) if "&" in text else text


def escape(text: str) -> str:
    """Return a text that means itself, in content and in attributes."""
    return _UNSAFE_CHARACTERS.sub(lambda found: _UNSAFE[found[0]], text)


def _character(match: re.Match[str]) -> str:
    decimal, hexadecimal, name, end = match.groups()
    if name:
        return html5.get(name + end, match[0])
    if len(decimal or hexadecimal) > _LONGEST_NUMBER:
        return "\N{REPLACEMENT CHARACTER}"
    return _unescape_text(f"&#{decimal};" if decimal else f"&#x{hexadecimal};")
