# SPDX-License-Identifier: AGPL-3.0-or-later
"""Places three objects again and again, each time in a process that is killed one step later.

usage: python placing_killed.py FOLDER KIND...

Steps are whatever changes the disk: files that are opened for writing, written to (half of it, then
all), renamed, linked, made read-only or removed, folders that are made, and what is synced. FOLDER
gets a store for each step, named by its number, as the killed process left it. A KIND is "added"
(the folder of the objects is there), "nolinks" (there are no hard links), or "eachsync" (no call
brings everything to the disk at once).
"""

import errno
import hashlib
import itertools
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from carrel.dark_archive.store import ObjectStore, disk

TIST = 1352481230
FIRST = ("RePEc:aaa:wpaper:0", b"what was there before")
OBJECTS = {
    "RePEc:aaa:wpaper:1": b"Template-Type: ReDIF-Paper 1.0\n",
    "http://e.org/" + "long/" * 80: b"%PDF-1.4 a name that does not say all",
    "http://e.org/a.pdf": b"%PDF-1.4 streamed to a file" * 1000,
}
_CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.chmod"}


class Steps:
    """Counts steps, and ends the process at one of them."""

    def __init__(self, last: int) -> None:
        self._last, self._taken = last, 0

    def take(self) -> None:
        self._taken += 1
        if self._taken == self._last:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self) -> None:
        def audit(name: str, given: tuple[Any, ...]) -> None:
            if name in _CHANGES or (name == "open" and given[2] & (os.O_WRONLY | os.O_RDWR)):
                self.take()

        sys.addaudithook(audit)
        write, fsync = os.write, os.fsync

        def write_half(handle: int, data: bytes) -> int:
            self.take()
            written = write(handle, data[: len(data) // 2])
            self.take()
            return written + write(handle, data[written:])

        def sync(handle: int) -> None:
            self.take()
            fsync(handle)

        os.write = write_half  # type: ignore[assignment]
        os.fsync = sync  # type: ignore[assignment]

    def around(self, call: Callable[[int], None]) -> Callable[[int], None]:
        def wrapped(handle: int) -> None:
            self.take()
            call(handle)
            self.take()

        return wrapped


def place_all(store: ObjectStore) -> None:
    """Place the three objects."""
    batch = store.batch(TIST)
    for identifier, data in OBJECTS.items():
        digests = {"sha256": hashlib.sha256(data).hexdigest(), "md5": hashlib.md5(data).hexdigest()}
        if len(data) < 1000:
            batch.put_bytes(identifier, data, **digests)
        else:
            staged = batch.incoming()
            staged.write_bytes(data)
            batch.put_file(identifier, staged, size=len(data), **digests)
    batch.place()


def _begin(root: Path, kinds: list[str]) -> None:
    batch = ObjectStore.open(root, writing=True).batch(TIST if "added" in kinds else TIST - 1)
    digest = hashlib.sha256(FIRST[1]).hexdigest()
    batch.put_bytes(*FIRST, sha256=digest, md5="m")
    batch.place()


def _place_until(step: int, root: Path, kinds: list[str]) -> None:
    steps, sync = Steps(step), disk.whole_sync()
    if "eachsync" in kinds or sync is None:
        disk.whole_sync = lambda: None
    else:
        disk.whole_sync = lambda: steps.around(sync)
    if "nolinks" in kinds:
        os.link = _refuse  # type: ignore[assignment]
    store = ObjectStore.open(root, writing=True)
    steps.watch()
    place_all(store)


def _refuse(source: object, target: object) -> None:
    raise PermissionError(errno.EPERM, "Operation not permitted")


def _is_killed(step: int, root: Path, kinds: list[str]) -> bool:
    """Place in a process of its own; say whether it was killed before it came to its end."""
    child = os.fork()
    if child == 0:
        try:
            _place_until(step, root, kinds)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        sys.exit(f"step {step} failed")
    return os.WIFSIGNALED(status)


if __name__ == "__main__":
    for number in itertools.count(1):
        place = Path(sys.argv[1], str(number))
        _begin(place, sys.argv[2:])
        if not _is_killed(number, place, sys.argv[2:]):
            break
