# SPDX-License-Identifier: AGPL-3.0-or-later
"""Writing a small file whole or not at all, whatever stands in its folder already."""

import contextlib
import os
import stat
from pathlib import Path
from secrets import token_hex

_PRIVATE, _USUAL = 0o600, 0o666


def replace_file(path: Path, content: bytes, *, private: bool = False, synced: bool = True) -> None:
    """Have a file hold these bytes; it keeps its permissions. Raises OSError.

    A new one is readable as the system has it, one that is `private` by its owner alone. What
    someone put beside it, a link for instance, is neither followed nor written over. Unless it is
    `synced` a power cut may leave it empty: that is for what can be made again.
    """
    fresh = path.with_name(f".{path.name}.{token_hex(8)}.tmp")
    mode = _PRIVATE if private else _USUAL
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(fresh, flags, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            if synced:
                os.fsync(file.fileno())
        if not private:
            _keep_mode(path, fresh)
        fresh.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):  # the failure itself is what matters
            fresh.unlink()
        raise


def _keep_mode(path: Path, fresh: Path) -> None:
    """Give the new file the permissions of the one that it replaces, if there is one."""
    with contextlib.suppress(FileNotFoundError):
        before = path.lstat()
        if stat.S_ISREG(before.st_mode):
            fresh.chmod(stat.S_IMODE(before.st_mode))
