# SPDX-License-Identifier: AGPL-3.0-or-later
"""How a file is in a copy: looked up there and read, never believed of the list alone."""

from enum import Enum, auto

from carrel.capture.digests import sha256_of
from carrel.engine.replication.register import Register
from carrel.engine.replication.store import Store


class InCopy(Enum):
    """What became of a file since it was copied; one that never was is gone, too. Of a packed WARC
    the copy may have parts alone intact. A WARC that was changed together with the list there is
    another one than this archive knows."""

    INTACT = auto()
    OTHER = auto()
    IN_PART = auto()
    DAMAGED = auto()
    GONE = auto()


def in_copy(name: str, store: Store, register: Register) -> InCopy:
    """Read a file in a copy, and compare it with the list there. One that cannot be read is
    damaged."""
    if not register.has(name):
        return InCopy.GONE
    try:
        is_intact = sha256_of(store.read(name)) == register.digest(name)
    except OSError:
        is_intact = False
    return InCopy.INTACT if is_intact else InCopy.DAMAGED
