# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is looked at: a file on disk, or the bytes of a member, or what was unpacked of them."""

from dataclasses import dataclass
from typing import BinaryIO

from carrel.errors import CarrelError
from carrel.model.sizes import KIBIBYTE

HEAD_BYTES = 64 * KIBIBYTE


class NotShown(CarrelError):
    """There is nothing to see of a file; `str` is the reason, in a sentence."""


@dataclass(frozen=True, slots=True)
class Source:
    """Bytes to look at. `file` can seek. `size` is that of all of it, None if that is not known;
    `is_whole` says that `file` has all of it. `name` and `mimetype` are what it is called;
    `charset` is the encoding that was declared, "" if none was. `fault` says why there is no more
    of it, or what is wrong behind all of it, as the end of a sentence, "" if nothing is known.
    """

    file: BinaryIO
    size: int | None
    name: str
    mimetype: str = ""
    is_whole: bool = True
    charset: str = ""
    fault: str = ""

    def head(self, most: int = HEAD_BYTES) -> bytes:
        """Return the first bytes."""
        self.file.seek(0)
        return self.file.read(most)

    def beginning(self, most: int) -> tuple[bytes, bool]:
        """Return the first bytes, and whether they are all."""
        content = self.head(most + 1)
        return content[:most], self.is_whole and len(content) <= most

    def has_ending(self, *endings: str) -> bool:
        return self.name.lower().endswith(endings)
