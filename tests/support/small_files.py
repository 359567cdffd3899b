# SPDX-License-Identifier: AGPL-3.0-or-later
"""A disk that has no room for large files, made of a limit of this process."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def room_for(size_bytes: int) -> Iterator[None]:
    """Have the system refuse (EFBIG) what would make a file larger than that."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
