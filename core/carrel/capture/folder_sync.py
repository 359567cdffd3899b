# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bringing the names in a folder to the disk, so that a loss of power forgets none of them."""

import errno
import os
import sys
from pathlib import Path

# What file systems answer whose folders cannot be synced.
_NO_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}


def sync_folder(folder: str | Path) -> None:
    """Bring the names in a folder to the disk. Does nothing where a system has no way to."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _sync_handle(handle)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(handle)


def _sync_handle(handle: int) -> None:
    if sys.platform == "darwin":
        import fcntl  # Windows has none

        # Elsewhere fsync empties the cache of the drive too (fsync(2) of macOS).
        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
    else:
        os.fsync(handle)
