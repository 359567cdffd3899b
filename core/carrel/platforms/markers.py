# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a page says of the software that made it, in its `<meta>` elements."""

from functools import lru_cache

from selectolax.lexbor import LexborHTMLParser

from carrel.model import Landing
from carrel.platforms.depth import shallow

_MOST_PAGES = 4


def generators(landing: Landing) -> tuple[str, ...]:
    """Return the software that made a page, in lower case: "dspace 7.6.1", "ckan 2.10.4"."""
    return tuple(text.lower() for text in meta(landing, "generator"))


def is_made_by(landing: Landing, software: str) -> bool:
    """Return whether a page names this software, in lower case, as what made it."""
    return any(text.partition(" ")[0] == software for text in generators(landing))


def meta(landing: Landing, name: str) -> tuple[str, ...]:
    """Return what the `<meta>` elements of this name (in lower case) hold, in their order."""
    found = _metas(landing.html) if landing.outcome is None else ()
    return tuple(content for each, content in found if each == name)


@lru_cache(maxsize=_MOST_PAGES)  # each platform looks at the same page
def _metas(html: str) -> tuple[tuple[str, str], ...]:
    tree = LexborHTMLParser(shallow(html))
    return tuple(
        ((node.attributes.get("name") or "").lower(), " ".join(content.split()))
        for node in tree.css("meta[name][content]")
        if (content := node.attributes.get("content"))
    )
