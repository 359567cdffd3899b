# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bytes from the network, set aside until they are read: a few in memory, many in a file that is
gone when it is closed. They are hashed on the way."""

import asyncio
import hashlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator

from carrel.capture.disk_room import RESERVE_BYTES
from carrel.errors import NotLoaded
from carrel.model.sizes import in_words
from carrel.translation import tr

_IN_MEMORY_BYTES = 8 * 1024**2
_BLOCK_BYTES = 1024**2
_PIECE_BYTES = 64 * 1024


class SpooledBody:
    """A body that was fetched. `head` is what stands before it in a record's block.

    `name` is what the body is called when there is no room for it.
    """

    def __init__(self, name: str, head: bytes = b"") -> None:
        self._name = name
        # Closed by `close`, whoever has the record then.
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY_BYTES)  # noqa: SIM115
        self._payload, self._block = hashlib.sha1(), hashlib.sha1(head)
        self.size = 0

    @property
    def payload_sha1(self) -> bytes:
        return self._payload.digest()

    @property
    def block_sha1(self) -> bytes:
        """The digest of head and body."""
        return self._block.digest()

    async def take(self, pieces: AsyncIterator[bytes]) -> None:
        """Take all there is. Raises NotLoaded when the disk has no room for it."""
        gathered = bytearray()
        async for piece in pieces:
            gathered += piece
            if len(gathered) >= _BLOCK_BYTES:
                await asyncio.to_thread(self._write, bytes(gathered))
                gathered.clear()
        self._write(bytes(gathered))

    def pieces(self) -> Iterator[bytes]:
        """Yield what was taken, from its beginning. Blocks."""
        self._file.seek(0)
        while piece := self._file.read(_PIECE_BYTES):
            yield piece

    def close(self) -> None:
        self._file.close()

    def _write(self, block: bytes) -> None:
        self._payload.update(block)
        self._block.update(block)
        self.size += len(block)
        try:
            if self.size > _IN_MEMORY_BYTES and _free_bytes() < RESERVE_BYTES:
                raise OSError(tr("too little is free"))
            self._file.write(block)
        except OSError as error:
            message = tr(
                "There is no room for the {size} of {name} so far in {gettempdir}: {strerror}.",
                size=in_words(self.size),
                name=self._name,
                gettempdir=tempfile.gettempdir(),
                strerror=error.strerror or error,
            )
            raise NotLoaded(self._name, message) from error


def _free_bytes() -> int:
    return shutil.disk_usage(tempfile.gettempdir()).free
