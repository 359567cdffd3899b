# SPDX-License-Identifier: AGPL-3.0-or-later
"""The private folder of one session, in which copies are opened and looked at; gone with it.

It lies where caches do, readable by its owner alone. Who holds the lock beside a folder uses it:
what a session that was killed left behind is swept by the next one.
"""

import contextlib
import hashlib
import os
import shutil
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from carrel.model import Fixity
from carrel.model.safe_names import safe_name
from carrel.settings.cache_folder import cache_folder

if TYPE_CHECKING:
    from filelock import FileLock

_FOLDER = "access-copies"
_LOCK = ".lock"
_PIECE_BYTES = 1024 * 1024


class Copies:
    """Places for copies. Threads may share it. `root` tells in which folder its own is made."""

    def __init__(self, root: Callable[[], Path] = cache_folder) -> None:
        self._root = root
        self._own: Path | None = None
        self._lock: FileLock | None = None
        self._making = threading.Lock()

    def place(self, name: str, key: str = "") -> Path:
        """Return a path in the session's folder for a file of this name, free or with its copy.

        Files of one `key` (a digest) and name have the same path; without one, each has its own.
        Raises OSError.
        """
        folder = self._folder() / (key or token_hex(8))
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder / safe_name(name)

    def sweep(self) -> None:
        """Remove the folders of sessions that have ended without doing so. Raises OSError."""
        parent = self._root() / _FOLDER
        if not parent.is_dir():
            return
        from filelock import FileLock, Timeout  # only where there is something to sweep

        for folder in parent.iterdir():
            if folder.name.endswith(_LOCK) or folder == self._own:
                continue
            lock = FileLock(parent / f"{folder.name}{_LOCK}", timeout=0)
            try:
                with lock:
                    _remove(folder)
            except Timeout:
                continue
            with contextlib.suppress(OSError):
                Path(lock.lock_file).unlink()

    def close(self) -> None:
        """Remove the session's folder with all copies in it."""
        with self._making:
            if self._own is None or self._lock is None:
                return
            _remove(self._own)
            self._lock.release()
            with contextlib.suppress(OSError):  # Windows, while another looks at it
                Path(self._lock.lock_file).unlink()
            self._own = None

    def _folder(self) -> Path:
        with self._making:
            if self._own is None:
                self._own = self._made()
            return self._own

    def _made(self) -> Path:
        from filelock import FileLock  # most sessions open nothing

        parent = self._root() / _FOLDER
        parent.mkdir(mode=0o700, exist_ok=True)
        own = parent / token_hex(8)
        self._lock = FileLock(parent / f"{own.name}{_LOCK}", timeout=0)
        self._lock.acquire()  # first the lock: a folder without one is swept
        own.mkdir(mode=0o700)
        return own


def is_still(path: Path, fixity: Fixity) -> bool:
    """Say whether a file is there and has these bytes: its owner can change what is theirs."""
    try:
        if path.is_symlink() or path.stat().st_size != fixity.size:
            return False
        digest = hashlib.sha256()
        with path.open("rb") as file:
            while piece := file.read(_PIECE_BYTES):
                digest.update(piece)
    except OSError:
        return False
    return digest.hexdigest() == fixity.digests.get("sha256")


def _remove(folder: Path) -> None:
    """Remove a folder, also what is for reading only; what is open stays for the next session."""
    for above, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                os.chmod(Path(above, name), stat.S_IRUSR | stat.S_IWUSR, follow_symlinks=False)
    shutil.rmtree(folder, ignore_errors=True)
