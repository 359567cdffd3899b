# SPDX-License-Identifier: AGPL-3.0-or-later
"""Digests of a stream, computed in one pass beside the thread that feeds it.

MD5 alone takes as long as SHA-1 and SHA-256 together (760 against 930 MB/s), and hashlib lets go of
the interpreter's lock for large blocks: two threads hash at nearly the speed of MD5 alone.
"""

import hashlib
import queue
import threading
from collections.abc import Iterable

from carrel.model import Fixity

ALWAYS = ("md5", "sha1", "sha256")

# Threads pay only from this block size on; below it the hand-over costs more than it gives.
_THREADED_BLOCK_BYTES = 256 * 1024
_QUEUED_BLOCKS = 4


def algorithms_for(declared: Iterable[str]) -> tuple[str, ...]:
    """Return the algorithms to compute: always md5, sha1, sha256, and any other declared one."""
    return (*ALWAYS, *(name for name in declared if name not in ALWAYS and is_known(name)))


def is_known(algorithm: str) -> bool:
    """Say whether we can compute this algorithm; one of variable length has no single digest."""
    return algorithm in hashlib.algorithms_available and not algorithm.startswith("shake")


class Digester:
    """Sizes and hashes what is fed to it, in feeding order.

    Small streams are hashed in place; the first large block starts two threads. `fixity` ends the
    stream. Not for use by several threads at once.
    """

    def __init__(self, algorithms: Iterable[str] = ALWAYS) -> None:
        self._hashes = {name: hashlib.new(name) for name in algorithms}
        self._size = 0
        self._threads: list[_HashThread] = []

    def feed(self, block: bytes | bytearray) -> None:
        """Take a block, which must not be changed afterwards. Waits while the threads lag."""
        self._size += len(block)
        if not self._threads and len(block) >= _THREADED_BLOCK_BYTES:
            self._start_threads()
        if self._threads:
            for thread in self._threads:
                thread.blocks.put(block)
        else:
            for each in self._hashes.values():
                each.update(block)

    def fixity(self) -> Fixity:
        """Return size and digests of all that was fed. Call once, at the end."""
        self.close()
        digests = {name: each.hexdigest() for name, each in self._hashes.items()}
        return Fixity(self._size, digests)

    def close(self) -> None:
        """End the threads, if any. Harmless when called again."""
        for thread in self._threads:
            thread.blocks.put(None)
        for thread in self._threads:
            thread.join()
        self._threads = []

    def _start_threads(self) -> None:
        slow = [each for name, each in self._hashes.items() if name == "md5"]
        fast = [each for name, each in self._hashes.items() if name != "md5"]
        self._threads = [_HashThread(group) for group in (slow, fast) if group]
        for thread in self._threads:
            thread.start()


class _HashThread(threading.Thread):
    def __init__(self, hashes: "list[hashlib._Hash]") -> None:
        super().__init__(name="digests", daemon=True)
        self.blocks: queue.Queue[bytes | bytearray | None] = queue.Queue(_QUEUED_BLOCKS)
        self._hashes = hashes

    def run(self) -> None:
        while (block := self.blocks.get()) is not None:
            for each in self._hashes:
                each.update(block)
