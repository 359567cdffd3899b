# SPDX-License-Identifier: AGPL-3.0-or-later
"""Digests of a stream, computed in one pass beside the thread that feeds it.

MD5 alone takes as long as SHA-1 and SHA-256 together (760 against 930 MB/s), and hashlib lets go of
the interpreter's lock for large blocks: two threads hash at nearly the speed of MD5 alone.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence

from carrel.capture.block_worker import Block, BlockWorker
from carrel.model import Fixity

ALWAYS = ("md5", "sha1", "sha256")
# By name the library looks each up anew, for each of thousands of small files.
_NEW = {"md5": hashlib.md5, "sha1": hashlib.sha1, "sha256": hashlib.sha256}

# Threads pay only from this block size on; below it the hand-over costs more than it gives.
_THREADED_BLOCK_BYTES = 256 * 1024


def algorithms_for(declared: Iterable[str]) -> tuple[str, ...]:
    """Return the algorithms to compute: always md5, sha1, sha256, and any other declared one."""
    return (*ALWAYS, *(name for name in declared if name not in ALWAYS and is_known(name)))


def is_known(algorithm: str) -> bool:
    """Say whether we can compute this algorithm; one of variable length has no single digest."""
    return algorithm in hashlib.algorithms_available and not algorithm.startswith("shake")


def sha256_of(pieces: Iterable[bytes]) -> str:
    """Return the SHA-256 of these bytes, in hexadecimal digits."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


class Digester:
    """Sizes and hashes what is fed to it, in feeding order.

    Small streams are hashed in place; the first large block starts the threads. `fixity` ends the
    stream. Not for use by several threads at once.
    """

    def __init__(self, algorithms: Iterable[str] = ALWAYS) -> None:
        self._hashes = {
            name: _NEW[name]() if name in _NEW else hashlib.new(name) for name in algorithms
        }
        self._size = 0
        self._workers: list[BlockWorker[Sequence[Block]]] = []

    def feed(self, *blocks: Block) -> None:
        """Take blocks, which must not be changed afterwards. Waits while the threads lag.

        Several that are handed over at once cost no more than one, and need not be joined.
        """
        size = sum(map(len, blocks))
        self._size += size
        if not self._workers and size >= _THREADED_BLOCK_BYTES:
            self._start_workers()
        if self._workers:
            for worker in self._workers:
                worker.put(blocks)
        else:
            _update(self._hashes.values(), blocks)

    def fixity(self) -> Fixity:
        """Return size and digests of all that was fed. Call once, at the end."""
        for worker in self._workers:
            worker.finish()
        self._workers = []
        digests = {name: each.hexdigest() for name, each in self._hashes.items()}
        return Fixity(self._size, digests)

    def close(self) -> None:
        """End the threads, if any. Harmless when called again."""
        for worker in self._workers:
            worker.abandon()
        self._workers = []

    def _start_workers(self) -> None:
        slow = [each for name, each in self._hashes.items() if name == "md5"]
        fast = [each for name, each in self._hashes.items() if name != "md5"]
        groups = [group for group in (slow, fast) if group]
        self._workers = [BlockWorker(_updating(group), "digests") for group in groups]


def _updating(hashes: "Iterable[hashlib._Hash]") -> Callable[[Sequence[Block]], None]:
    return lambda blocks: _update(hashes, blocks)


def _update(hashes: "Iterable[hashlib._Hash]", blocks: Sequence[Block]) -> None:
    for block in blocks:
        for each in hashes:
            each.update(block)
