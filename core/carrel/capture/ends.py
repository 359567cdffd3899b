# SPDX-License-Identifier: AGPL-3.0-or-later
"""What signatures look at of a file: all of a small one or a container, else its two ends.

PRONOM's signatures are found relative to the beginning or the end of a file; its own tool, DROID,
looks at the first and the last 64 KiB. Containers (ZIP, OLE2) are opened, and so have to be whole.
"""

from collections import deque
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO

from carrel.model.sizes import MEBIBYTE

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

END_BYTES = 4 * MEBIBYTE
MOST_OF_A_CONTAINER = 256 * MEBIBYTE
_CONTAINERS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")


class Ends(BytesIO):
    """Takes all bytes of a file, and puts into another what signatures look at of them.

    What was dropped between the ends leaves no gap: `is_cut` says that there was something. Of a
    container all goes there, or no more than of other files if not `has_room`.
    """

    def __init__(self, file: BinaryIO, *, has_room: bool = True) -> None:
        super().__init__()
        self._file = file
        self._most_of_a_container = MOST_OF_A_CONTAINER if has_room else END_BYTES
        self._begin()

    def write(self, piece: "ReadableBuffer", /) -> int:
        view = memoryview(piece)
        if self._written == 0:
            self.is_container = bytes(view[:8]).startswith(_CONTAINERS)
            self._most = self._most_of_a_container if self.is_container else END_BYTES
        head = view[: self._most - self._written]
        self._file.write(head)
        self._written += len(head)
        if rest := view[len(head) :]:
            self._keep_end(rest)
        return len(view)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Begin again: who writes a file starts anew when a record turns out to be damaged."""
        self._begin()
        return 0

    def truncate(self, size: int | None = None, /) -> int:
        return 0

    def finish(self) -> None:
        """Write the end, after which the file has all that is looked at."""
        if too_many := max(0, self._kept - END_BYTES):
            self._end[0], self.is_cut = self._end[0][too_many:], True
        self._file.writelines(self._end)
        self._file.flush()

    def _begin(self) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._written, self._most = 0, END_BYTES
        self._end: deque[memoryview] = deque()
        self._kept = 0
        self.is_cut = self.is_container = False

    def _keep_end(self, piece: memoryview) -> None:
        """Hold the last pieces, which nobody changes: copied, they would cost more than to read."""
        self._end.append(piece)
        self._kept += len(piece)
        while self._kept - len(self._end[0]) >= END_BYTES:
            self._kept -= len(self._end.popleft())
            self.is_cut = True


class HeldEnds(Ends):
    """The ends of a file in memory, of a container no more than of other files."""

    def __init__(self) -> None:
        self._held = BytesIO()
        super().__init__(self._held, has_room=False)

    @property
    def is_enough(self) -> bool:
        """Whether it has what signatures look at: a container has to be whole."""
        return not (self.is_container and self.is_cut)

    def content(self) -> bytes:
        """Return the ends, after `finish`."""
        return self._held.getvalue()
