# SPDX-License-Identifier: AGPL-3.0-or-later
"""The library's client of SFTP, with extensions that it has no method for (PROTOCOL of OpenSSH, 4).

A server that does not know one says so: SSH_FX_OP_UNSUPPORTED (draft-ietf-secsh-filexfer-02, 7).
"""

import errno
import stat
from collections.abc import Iterable, Iterator

from paramiko import SFTPClient
from paramiko.message import Message
from paramiko.sftp import CMD_EXTENDED, SFTP_OP_UNSUPPORTED

from carrel.engine.replication.sftp.pipeline import Pipeline
from carrel.translation import tr

_MOST_AT_ONCE = 256 * 1024


class Files(SFTPClient):
    """What is asked of a server. Every method raises OSError; what a server does not support is
    EOPNOTSUPP."""

    _arrived, _taken = b"", 0

    def blocks(self, path: str, start: int = 0) -> Iterator[bytes]:
        """Yield what a file holds from a byte on, up to the size that it has when it is opened."""
        with self.open(path, "rb") as file:
            size = file.stat().st_size or 0
            yield from Pipeline(self, file.handle).read(start, size)  # type: ignore[arg-type]  # bytes

    def append(self, path: str, start: int, pieces: Iterable[bytes]) -> None:
        """Have a file hold these bytes from one on, its end, and reach the disk of the server."""
        with self.open(path, "r+b") as file:
            handle: bytes = file.handle  # type: ignore[assignment]  # bytes
            file.truncate(start)
            end = Pipeline(self, handle).write(start, pieces)
            if (size := file.stat().st_size) != end:
                raise OSError(errno.EIO, tr("{size} of {end} bytes are there", size=size, end=end))
            self._extended(b"fsync@openssh.com", handle)

    def kind(self, path: str) -> int | None:
        """Return what is at a path, as stat.S_IFMT has it, without following it; None if nothing
        is."""
        try:
            return stat.S_IFMT(self.lstat(path).st_mode or 0)
        except FileNotFoundError:
            return None

    def free(self, path: str) -> int | None:
        """Return how many bytes there is room for at a path, None if the server does not say."""
        answer = self._extended(b"statvfs@openssh.com", path.encode())
        if answer is None:
            return None
        _block, fragment, _blocks, _free, available = (answer.get_int64() for _ in range(5))
        return int(fragment * available)

    def _extended(self, name: bytes, of: bytes) -> Message | None:
        """Return the answer to a request, None from a server that does not know it."""
        try:
            _, answer = self._request(CMD_EXTENDED, name, of)  # type: ignore[attr-defined]  # untold
        except OSError as error:
            if error.errno == errno.EOPNOTSUPP:
                return None
            raise
        found: Message = answer
        return found

    def _read_all(self, size: int) -> bytes:
        """Return so many bytes of the channel, from which all is taken at once that has arrived:
        each time that a few are taken the library moves all others."""
        while len(self._arrived) - self._taken < size:
            more = self.sock.recv(_MOST_AT_ONCE)
            if not more:
                raise EOFError
            self._arrived, self._taken = self._arrived[self._taken :] + more, 0
        self._taken += size
        return self._arrived[self._taken - size : self._taken]

    def _convert_status(self, msg: Message) -> None:
        start = msg.packet.tell()
        code = msg.get_int()
        msg.packet.seek(start)
        try:
            super()._convert_status(msg)  # type: ignore[misc]  # of the library, untold
        except OSError as error:
            if code == SFTP_OP_UNSUPPORTED:
                raise OSError(errno.EOPNOTSUPP, str(error)) from error
            raise
