# SPDX-License-Identifier: AGPL-3.0-or-later
"""Parts that no ingest has any more: theirs ended before they were whole.

A later ingest that wants what is at the same address resumes them, by the same rules as with
its own (`unfinished.py`). No one misses them if they are removed, and after a while they are.
"""

import logging
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from carrel.capture.unfinished import Unfinished, unfinished_in

log = logging.getLogger(__name__)

KEPT_DAYS = 30
_DAY_S = 86_400


class Leftovers:
    """The leftovers of an archive, one an address, in a folder of their own. Threads may share it.

    What cannot be moved or removed is left where it is, and no fault: it is not kept yet.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._known: dict[str, Unfinished] | None = None

    def take(self, url: str, target: Path) -> Unfinished | None:
        """Move what is left of an address into a folder and return it there, None if nothing is."""
        with self._lock:
            left = self._all().pop(url, None)
            if left is None:
                return None
            moved = _moved(left, target)
            self._remove_empty()
            return moved

    def leave(self, part: Unfinished) -> None:
        """Take a part over, in place of what was left of its address before."""
        with self._lock:
            self._folder.mkdir(exist_ok=True)
            moved = _moved(part, self._folder)
            if moved is None:
                return
            before = self._all().get(moved.beginning.url)
            if before is not None and before.path != moved.path:
                before.discard()
            self._all()[moved.beginning.url] = moved

    def bytes_of(self, urls: Collection[str]) -> int:
        """Return how many bytes of the disk the leftovers of some addresses take."""
        with self._lock:
            found = [each for url, each in self._all().items() if url in urls]
            return sum(each.path.stat().st_size for each in found if each.path.exists())

    def sweep(self) -> None:
        """Remove what is too old to be of use, and what is no leftover at all."""
        if not self._folder.is_dir():
            return
        since = time.time() - KEPT_DAYS * _DAY_S
        with self._lock:
            fresh = {
                name
                for each in unfinished_in(self._folder)
                if each.path.stat().st_mtime > since
                for name in each.names
            }
            for path in self._folder.iterdir():
                if path.name not in fresh:
                    path.unlink(missing_ok=True)
            self._remove_empty()
            self._known = None

    def _remove_empty(self) -> None:
        with suppress(OSError):  # it is not empty
            self._folder.rmdir()

    def _all(self) -> dict[str, Unfinished]:
        if self._known is None:
            self._known = {each.beginning.url: each for each in unfinished_in(self._folder)}
        return self._known


def _moved(part: Unfinished, folder: Path) -> Unfinished | None:
    """Move a part, then its notes, which are nothing without it; None if that cannot be done."""
    try:
        return part.moved_to(folder)
    except OSError as error:
        log.info("%s stays where it is: %s", part.path, error)
        return None
