# SPDX-License-Identifier: AGPL-3.0-or-later
"""The web as it is now: one row for any URL, made up without asking anyone."""

import re

from carrel.mementos import moments
from carrel.mementos.query import Query
from carrel.mementos.sources.source import Rows
from carrel.model import Memento, SourceType

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


class LiveWeb:
    kind = SourceType.LIVE
    address = ""

    def __init__(self, name: str) -> None:
        self.name = name

    async def rows(self, query: Query) -> Rows:
        """Return the URL as requested, as of now, if that is in the interval; nothing of many."""
        now = moments.now()
        if not query.is_exact or not query.takes(now):
            return Rows(())
        fields = {"url": query.url, "live_url": _with_scheme(query.url), "is_live": "true"}
        return Rows([Memento(query.urlkey, now, fields, self.name, self.kind)])


def _with_scheme(url: str) -> str:
    return url if _SCHEME.match(url) else f"http://{url}"
