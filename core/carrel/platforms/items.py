# SPDX-License-Identifier: AGPL-3.0-or-later
"""A dataset as its platform describes it, and the item on archive.org that would hold it."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from carrel.model import AskedItem, PlatformItem
from carrel.platforms.depth import shallow

_NAME_MAX_CHARS = 100


def item_name(host: str, *parts: str | None) -> str:
    """Return the item name, `host-part-part`, as archive.org allows it."""
    return identifier("-".join([host.partition(":")[0], *(part for part in parts if part)]))


def identifier(text: str) -> str:
    """Return a text as an identifier on archive.org: 3 to 100 letters, digits, ".", "_" and "-".

    What has to be shortened, or has too little to go by, gets a digest, so that no two are alike.
    """
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-._")
    if 3 <= len(name) <= _NAME_MAX_CHARS:
        return name
    digest = hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    start = name[: _NAME_MAX_CHARS - len(digest) - 1].rstrip("-._")
    return f"{start}-{digest}" if start else digest


def item_meta(**fields: Any) -> Mapping[str, Any]:
    """Return the item's metadata in the collection of datasets; what is unknown is left out."""
    known = {name: value for name, value in fields.items() if value not in (None, "", [], ())}
    return {"collection": "datasets", **known}


def described(
    asked: AskedItem, *, source: str, description: str | None = None, **known: Any
) -> PlatformItem:
    """Return what a platform says of a dataset, with the item on archive.org that would hold it.

    `known` are fields of `PlatformItem`; `source` is the page of the dataset, `description` its
    abstract, in HTML or plain text.
    """
    host, identity, version = (
        asked.platform_domain,
        asked.platform_id,
        known.get("platform_version"),
    )
    return PlatformItem(
        platform_name=asked.platform_name,
        platform_domain=host,
        platform_id=identity,
        archiveorg_item_name=item_name(host, identity, version),
        archiveorg_item_meta=item_meta(
            date=known.get("published"),
            source=source,
            doi=known.get("doi"),
            title=known.get("title"),
            creator=list(known.get("creators", ())),
            description=plain_text(description),
            license=known.get("license"),
            version=version,
        ),
        **known,
    )


# The elements of HTML (2024-11, section 4) and MathML that titles and descriptions have; those of
# JATS come with a prefix.
_ELEMENTS = (
    "a abbr address article aside b bdi bdo big blockquote body br button caption center cite "
    "code col colgroup data dd del details dfn div dl dt em embed fieldset figcaption figure "
    "font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label "
    "legend li link main map mark math menu meta mfrac mi mn mo mrow ms mspace msqrt mstyle "
    "msub msubsup msup mtext munder nav nobr noscript object ol p picture pre q rp rt ruby s "
    "samp script section select small source span strike strong style sub summary sup svg table "
    "tbody td template textarea tfoot th thead time title tr tt u ul var video wbr"
)
_NO_ELEMENT = re.compile(
    rf"<(?=/?[a-z])(?!/?(?:[a-z]+:[a-z]|(?:{'|'.join(_ELEMENTS.split())})[\s/>]))", re.IGNORECASE
)


def plain_text(html: str | None) -> str | None:
    """Return the text of a snippet of HTML on one line, None if there is none.

    What stands in angle brackets and is no element is text: "the <names> of birds".
    """
    if not html:
        return None
    if "<" in html or "&" in html:
        text = LexborHTMLParser(shallow(_NO_ELEMENT.sub("&lt;", html))).text()
    else:
        text = html
    return " ".join(text.split()) or None
