# SPDX-License-Identifier: AGPL-3.0-or-later
"""Licences in the short form by which people know them."""

import re

_NAME = re.compile(
    r"creative commons (?P<kind>attribution[\w\s-]*|zero[\w\s-]*?)\s*v?(?P<version>\d\.\d)", re.I
)
_ADDRESS = re.compile(
    r"creativecommons\.org/(?:licenses/(?P<kind>[a-z-]+)|publicdomain/zero)/(?P<version>\d\.\d)",
    re.I,
)
_CODE = re.compile(r"^cc-?(?P<kind>0|by[a-z-]*?)-?(?P<version>\d\.\d)", re.I)
UNKNOWN = "unknown"
"""The licence of a dataset of which nothing tells it any more: not known is not the same as none
stated."""
_PARTS = (("noncommercial", "NC"), ("noderiv", "ND"), ("sharealike", "SA"))


def short_license(text: str) -> str:
    """Return "CC BY-NC 4.0" for any spelling of it; what is not known is returned as it is."""
    if match := _NAME.search(text):
        return _creative_commons(_kind_in_words(match["kind"]), match["version"])
    if match := _ADDRESS.search(text):
        return _creative_commons((match["kind"] or "0").upper(), match["version"])
    if match := _CODE.match(text.strip()):
        return _creative_commons(match["kind"].upper(), match["version"])
    return text


def _creative_commons(kind: str, version: str) -> str:
    return f"CC0 {version}" if kind == "0" else f"CC {kind} {version}"


def _kind_in_words(words: str) -> str:
    plain = re.sub(r"[\s-]", "", words.casefold())
    if plain.startswith("zero"):
        return "0"
    return "-".join(["BY", *(code for word, code in _PARTS if word in plain)])
