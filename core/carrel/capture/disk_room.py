# SPDX-License-Identifier: AGPL-3.0-or-later
"""Room on the archive's disk: claimed before a dataset is fetched, watched while it is.

Other programs write to the same disk: what was free when an ingest began may be gone in its middle.
Then transfers wait until there is room again; nothing fails, and nothing that was fetched is lost.
"""

import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

from carrel.errors import IngestStop
from carrel.model import Status
from carrel.model.sizes import in_words
from carrel.translation import tr

# Left free beside what is to be fetched: indexes, ledger, WARC heads, other programs.
RESERVE_BYTES = 64 * 1024 * 1024
_LOOK_EVERY_S = 1.0


class DiskRoom:
    """The room on one disk, for all ingests of an archive. Threads may share it."""

    def __init__(
        self,
        path: Path,
        *,
        free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._path, self._free_bytes, self._sleep = path, free_bytes, sleep
        self._lock = threading.Lock()
        self._claims: dict[str, int] = {}
        self._looked_at = 0.0
        self._is_low = False

    def free(self) -> int:
        """Return how many bytes are free on the disk, claimed or not."""
        return self._free_bytes(self._path)

    def claim(self, ingest_id: str, needed: int) -> None:
        """Claim bytes for an ingest, beside what others have claimed.

        Raises IngestStop (disk-full) if that much is not free.
        """
        free = self._free_bytes(self._path)
        with self._lock:
            others = sum(self._claims.values())
            if needed + others + RESERVE_BYTES > free:
                claimed = (
                    tr(", {size} of it reserved by other transfers", size=in_words(others))
                    if others
                    else ""
                )
                wanted = tr(
                    "{needed} are needed and {reserve} must stay free",
                    needed=in_words(needed),
                    reserve=in_words(RESERVE_BYTES),
                )
                message = tr(
                    "{wanted}, but there are only {size}{claimed}.",
                    wanted=wanted,
                    size=in_words(free),
                    claimed=claimed,
                )
                raise IngestStop(Status.DISK_FULL, message)
            self._claims[ingest_id] = needed

    def use(self, ingest_id: str, count: int) -> None:
        """Note that bytes that were claimed are written now."""
        with self._lock:
            if ingest_id in self._claims:
                self._claims[ingest_id] = max(0, self._claims[ingest_id] - count)

    def release(self, ingest_id: str) -> None:
        """Give back what an ingest claimed and did not use."""
        with self._lock:
            self._claims.pop(ingest_id, None)

    def wait(self, is_cancelled: Callable[[], bool], tell: Callable[[int], None]) -> None:
        """Return when there is room, or a wish to stop. Looks once a second at most.

        `tell` is told how many bytes are free each time that is too little.
        """
        while self._look() and not is_cancelled():
            tell(self._free_bytes(self._path))
            self._sleep(_LOOK_EVERY_S)

    def _look(self) -> bool:
        """Say whether room is low, as it was found within the last second."""
        now = time.monotonic()
        with self._lock:
            if now - self._looked_at < _LOOK_EVERY_S and not self._is_low:
                return False
            self._looked_at = now
            self._is_low = self._free_bytes(self._path) < RESERVE_BYTES
            return self._is_low
