# SPDX-License-Identifier: AGPL-3.0-or-later
"""What could not be written where a person wanted it: why, in words, and what to do."""

import errno
from pathlib import Path

from carrel.model.sizes import in_words
from carrel.translation import tr

# The disk, someone's quota on it, and what its file system takes as one file.
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def is_full(error: BaseException) -> bool:
    """Say whether something could not be written for want of room."""
    return isinstance(error, OSError) and error.errno in _FULL


def why_unwritten(place: Path, error: OSError) -> str:
    """Return that a file or folder cannot be written, why, and what helps where it is full."""
    words = tr("{place} cannot be written: {reason}.", place=place, reason=error.strerror or error)
    helps = tr("Free some space there or choose another folder, then try again.")
    return f"{words} {helps}" if is_full(error) else words


def no_room(target: Path, size: int, free: int, error: OSError) -> str:
    """Return that an export, whose files have so many bytes, has no room where so many are free,
    and what to do.

    How much room it needs beyond its files is known only once it is written. A quota, or the most
    that one file may have, may be in the way of less than is free.
    """
    words = tr(
        "There is no room for {name} in {folder}: {reason}.",
        name=target.name,
        folder=target.parent,
        reason=error.strerror or error,
    )
    sizes = tr("Its files alone have {size}.", size=in_words(size))
    if free < size:
        sizes = tr(
            "Its files alone have {size}; {free} are free there.",
            size=in_words(size),
            free=in_words(free),
        )
    helps = tr("Free some space there or choose another folder, and export it again.")
    return f"{words} {sizes} {helps}"
