# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an item on archive.org that held a dataset would be called and say of it."""

import re
from collections.abc import Mapping
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from carrel.platforms.nesting import shallow


def item_name(host: str, *parts: str | None) -> str:
    """Return the item name, `host-part-part`, with the 100 characters that archive.org allows."""
    text = "-".join([host.partition(":")[0], *(part for part in parts if part)])
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-._")[:100]


def item_meta(**fields: Any) -> Mapping[str, Any]:
    """Return the item's metadata in the collection of datasets; what is unknown is left out."""
    known = {name: value for name, value in fields.items() if value not in (None, "", [], ())}
    return {"collection": "datasets", **known}


def plain_text(html: str | None) -> str | None:
    """Return the text of a snippet of HTML on one line, None if there is none."""
    if not html:
        return None
    text = LexborHTMLParser(shallow(html)).text() if "<" in html or "&" in html else html
    return " ".join(text.split()) or None
