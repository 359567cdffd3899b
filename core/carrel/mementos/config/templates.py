# SPDX-License-Identifier: AGPL-3.0-or-later
"""Addresses with `{url}` and `{timestamp}` in them (`{closest}` is the latter's name in pywb)."""

import re
import string
from urllib.parse import quote

from carrel.mementos.config.addresses import check_web
from carrel.mementos.config.findings import Misread, shown, unknown
from carrel.translation import tr

_NAMES = ("url", "timestamp")
_OTHER_NAMES = {"closest": "timestamp"}
_VARIABLE = re.compile(r"\{([^{}]*)\}")
# In a path a URL stands as it is, but for what would break the line of a request.
_RAW = string.punctuation


def fill(template: str, url: str, timestamp: str) -> str:
    """Return an address for a URL and a moment in digits, "" for none.

    The URL is percent-encoded where it stands in the query, and left as it is in a path; spaces,
    control characters and what is not ASCII are always encoded.
    """
    query_from = template.find("?")

    def value(found: re.Match[str]) -> str:
        if found[1] != "url":
            return quote(timestamp, safe="")
        is_in_query = 0 <= query_from < found.start()
        return quote(url, safe="" if is_in_query else _RAW, errors="replace")

    return _VARIABLE.sub(value, template)


def check_template(template: str, needed: tuple[str, ...] = ("url",)) -> None:
    """Refuse, by raising Misread, what is no web address with at least these variables in it."""
    names = {_OTHER_NAMES.get(name, name) for name in _VARIABLE.findall(template)}
    for name in sorted(names.difference(_NAMES)):
        raise Misread(unknown("variable", name, _NAMES))
    if re.search(r"[{}]", _VARIABLE.sub("", template)):
        raise Misread(tr("{template} has an unmatched brace.", template=shown(template)))
    check_web(_VARIABLE.sub("x", template))
    if "{" in re.split(r"[/?]", template, maxsplit=3)[2]:
        raise Misread(tr("the host of {template} cannot be a variable.", template=shown(template)))
    if missing := [f"{{{name}}}" for name in needed if name not in names]:
        raise Misread(
            tr(
                "{template} has no {missing} in it.",
                template=shown(template),
                missing=" and no ".join(missing),
            )
        )
