# SPDX-License-Identifier: AGPL-3.0-or-later
"""A WARC of one archive under a name in another: linked, sharing its blocks, or copied and compared
with what it was copied from."""

import errno
import os
import shutil
import sys
from pathlib import Path

from carrel.errors import UsageError
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

# The request that a file share the blocks of another one (ioctl_ficlonerange(2)).
_FICLONE = 0x40049409
_NOT_HERE = {errno.ENOSYS, errno.EOPNOTSUPP, errno.EXDEV, errno.EINVAL, errno.EPERM, errno.ENOTTY}
_AT_ONCE = 64 * MEBIBYTE


def link(source: Path, fresh: Path) -> None:
    """Give a file a second name. Raises UsageError on another file system, OSError."""
    try:
        os.link(source, fresh)
    except OSError as error:
        if error.errno not in (errno.EXDEV, errno.EPERM, errno.EOPNOTSUPP):
            raise
        raise UsageError(
            tr(
                "{path} cannot be linked from here: it is on another file system, or on one that "
                "knows no hard links. Merge without --link: it is copied.",
                path=source,
            )
        ) from error


def copy(source: Path, fresh: Path) -> None:
    """Write the bytes of a file to a new one, and bring them to the disk. Where the file system
    can, both share them; else the copy is read again and compared. Raises OSError."""
    with source.open("rb") as read, fresh.open("xb") as written:
        is_shared = _clone(read.fileno(), written.fileno())
        if not is_shared and not _copied_inside(read.fileno(), written.fileno()):
            shutil.copyfileobj(read, written, MEBIBYTE)
        written.flush()
        os.fsync(written.fileno())
    if not is_shared and not same_bytes(source, fresh):
        raise OSError(errno.EIO, tr("what was written reads back differently"), str(fresh))


def same_bytes(one: Path, other: Path) -> bool:
    """Say whether two files have the same bytes. Raises OSError."""
    with one.open("rb", buffering=0) as first, other.open("rb", buffering=0) as second:
        if os.fstat(first.fileno()).st_size != os.fstat(second.fileno()).st_size:
            return False
        while piece := first.read(MEBIBYTE):
            if second.read(len(piece)) != piece:
                return False
    return True


def _clone(read: int, written: int) -> bool:
    if sys.platform != "linux":
        return False
    import fcntl  # Windows has none

    try:
        fcntl.ioctl(written, _FICLONE, read)
    except OSError as error:
        if error.errno not in _NOT_HERE:
            raise
        return False
    return True


def _copied_inside(read: int, written: int) -> bool:
    """Copy without the bytes passing through this process; False where that cannot be."""
    if sys.platform != "linux":
        return False
    left = os.fstat(read).st_size
    try:
        while left > 0:
            count = os.copy_file_range(read, written, min(left, _AT_ONCE))
            if count == 0:
                break  # it became shorter: comparing shows it
            left -= count
    except OSError as error:
        if error.errno not in _NOT_HERE or os.fstat(written).st_size:
            raise
        return False
    return True
