# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which elements and attributes of an archived page are kept, and which hold addresses of what."""

from carrel.mementos.server.rewriting import FRAME, IMAGE, OTHER, STYLE

VOID = frozenset(
    {
        "area",
        "base",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    }
)
HEAD = frozenset(
    {"html", "head", "title", "base", "link", "meta", "style", "script", "noscript", "template"}
)
PLUGINS = frozenset({"object", "embed", "applet"})
# The elements themselves; what stands between their tags stays.
TAGS_LEFT_OUT = PLUGINS | {"noscript", "param", "portal", "fencedframe", ""}
RAW_LEFT_OUT = frozenset({"script", "iframe", "noembed", "noframes"})
ATTRIBUTES_LEFT_OUT = frozenset(
    {
        "action",
        "allow",
        "archive",
        "attributionsrc",
        "autofocus",
        "classid",
        "code",
        "codebase",
        "credentialless",
        "crossorigin",
        "csp",
        "data",
        "formaction",
        "formtarget",
        "fetchpriority",
        "http-equiv",
        "integrity",
        "manifest",
        "method",
        "nonce",
        "ping",
        "profile",
        "referrerpolicy",
        "sandbox",
        "srcdoc",
        "target",
        "xml:base",
        "xmlns:xlink",
    }
)
ADDRESSES = {
    "href": "",
    "xlink:href": "",
    "cite": "",
    "longdesc": "",
    "src": OTHER,
    "poster": IMAGE,
    "background": IMAGE,
    "lowsrc": IMAGE,
    "dynsrc": IMAGE,
}
OWN_MODIFIER = {
    ("img", "src"): IMAGE,
    ("input", "src"): IMAGE,
    ("iframe", "src"): FRAME,
    ("frame", "src"): FRAME,
}
# In drawings these load what they show; an `a` is followed.
DRAWN = frozenset(
    {"image", "use", "feimage", "pattern", "lineargradient", "radialgradient", "textpath", "mpath"}
)
LISTS = frozenset({"srcset", "imagesrcset"})
PAINTS = frozenset(
    {
        "style",
        "clip-path",
        "cursor",
        "fill",
        "filter",
        "marker",
        "marker-end",
        "marker-mid",
        "marker-start",
        "mask",
        "stroke",
    }
)

LOADED_LINKS = {"stylesheet": STYLE, "icon": IMAGE, "apple-touch-icon": IMAGE, "mask-icon": IMAGE}
LINKS_LEFT_OUT = frozenset(
    {
        "preload",
        "prefetch",
        "prerender",
        "dns-prefetch",
        "preconnect",
        "modulepreload",
        "manifest",
        "import",
        "serviceworker",
        "pingback",
        "search",
        "compression-dictionary",
        "expect",
    }
)
HTTP_EQUIV_KEPT = frozenset({"content-language", "default-style"})
NAMES_LEFT_OUT = frozenset({"referrer", "monetization"})
