# SPDX-License-Identifier: AGPL-3.0-or-later
"""Packed WARCs: large ones that were made by putting small ones one behind the other.

Gzip members stand by themselves (RFC 1952, section 2.2), so a packed WARC is one like any other.
Each of its parts begins with the warcinfo record of the WARC that it was, which has its name.
"""

from dataclasses import dataclass

from carrel.model.capture import Capture

PACKED = "packed-"
"""What the names of packed WARCs begin with."""


@dataclass(frozen=True, slots=True)
class WarcPart:
    """A stretch of a WARC in the collection that was a WARC of its own, named `name`.

    One that was never packed is a stretch of itself. `filename` is the file that it is in now,
    `offset` and `length` are in bytes; a `length` of 0 stands for the rest of the file.
    """

    name: str
    filename: str
    offset: int = 0
    length: int = 0

    @property
    def is_packed(self) -> bool:
        return self.name != self.filename

    def former_place(self, capture: Capture) -> tuple[str, int]:
        """Return name and offset that a capture within it had before it was packed."""
        return self.name, capture.offset - self.offset

    def has(self, capture: Capture) -> bool:
        """Say whether the record of a capture stands in it."""
        return self.covers(capture.filename, capture.offset)

    def covers(self, filename: str, offset: int) -> bool:
        """Say whether a place in the collection is within it."""
        is_before_end = not self.length or offset < self.offset + self.length
        return filename == self.filename and self.offset <= offset and is_before_end
