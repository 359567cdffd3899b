# SPDX-License-Identifier: AGPL-3.0-or-later
"""Keeps captures apart that an index could not tell from one another.

Index keys ignore case and more: `A.csv` and `a.csv` have one key. Two such files captured within
one second would have the same key and time, and a reader would show one for the other. So they are
fetched one after the other, each in a second of its own; the dates in the records stay true.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable

from carrel.capture.arrival import Fetched
from carrel.model.surt import surt

_LOOK_UP_S = 0.05


class OneASecond:
    """Knows which of these addresses share a key. Threads may share it."""

    def __init__(self, urls: Iterable[str | None]) -> None:
        keys = Counter(_key(url) for url in urls if url)
        self._locks = {key: threading.Lock() for key, times in keys.items() if times > 1}
        self._last: dict[str, str] = {}

    def apart(self, url: str, fetch: Callable[[], Fetched]) -> Fetched:
        """Fetch, after waiting for a later second if the key was captured in this one."""
        if not self._locks:
            return fetch()
        key = _key(url)
        lock = self._locks.get(key)
        if lock is None:
            return fetch()
        with lock:
            while time.strftime("%Y%m%d%H%M%S", time.gmtime()) <= self._last.get(key, ""):
                time.sleep(_LOOK_UP_S)
            fetched = fetch()
            self._last[key] = fetched.exchange.timestamp
            return fetched


def _key(url: str) -> str:
    try:
        return surt(url)
    except ValueError:
        return url
