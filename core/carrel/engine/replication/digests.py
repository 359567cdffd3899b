# SPDX-License-Identifier: AGPL-3.0-or-later
"""SHA-256 of what is here and of what a store gives back, with the bytes counted."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

Attend = Callable[[int], None]
"""Called with how many bytes were read since."""


def pieces_of(path: Path, size: int, attend: Attend) -> Iterator[bytes]:
    """Yield the first bytes of a file. Raises OSError, also where there are fewer."""
    with path.open("rb") as file:
        left = size
        while left and (piece := file.read(min(left, MEBIBYTE))):
            left -= len(piece)
            attend(len(piece))
            yield piece
    if left:
        raise OSError(5, tr("it became shorter while it was read"), str(path))


def sha256_of(pieces: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def unnoted(count: int) -> None:
    """Take a count that no one wants."""
