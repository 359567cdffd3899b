# SPDX-License-Identifier: AGPL-3.0-or-later
"""A server of SFTP that does what no OpenSSH does: it lists what no folder has, lacks extensions,
has no room left, and lets in by a password of the test."""

import os
import socket
import stat
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import paramiko
from paramiko.common import AUTH_FAILED, AUTH_SUCCESSFUL, OPEN_SUCCEEDED
from paramiko.sftp import SFTP_FAILURE, SFTP_OK

PASSWORD = "p4ss wörd"  # noqa: S105 - of the test alone


@dataclass
class StandIn:
    """What the server shows: the files of a folder, and names that are none of it.

    `room` is how many bytes it takes. It knows no extension of OpenSSH.
    """

    folder: Path
    extra: Sequence[str] = ()
    room: int = 1 << 40
    port: int = 0
    key: paramiko.PKey = field(default_factory=lambda: paramiko.ECDSAKey.generate())
    asked: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"sftp://ada@127.0.0.1:{self.port}/copy"

    def make_known(self, home: Path) -> None:
        (home / ".ssh").mkdir(parents=True)
        line = f"[127.0.0.1]:{self.port} {self.key.get_name()} {self.key.get_base64()}\n"
        (home / ".ssh/known_hosts").write_text(line)


@contextmanager
def stand_in(shown: StandIn) -> Iterator[StandIn]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        shown.port = listener.getsockname()[1]
        transports: list[paramiko.Transport] = []
        thread = threading.Thread(target=_serve, args=(listener, shown, transports), daemon=True)
        thread.start()
        try:
            yield shown
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            for each in transports:
                each.close()
            thread.join()


def _serve(listener: socket.socket, shown: StandIn, transports: list[paramiko.Transport]) -> None:
    with suppress(OSError):
        while True:
            opened, _ = listener.accept()
            transport = paramiko.Transport(opened)
            transports.append(transport)
            transport.add_server_key(shown.key)
            transport.set_subsystem_handler("sftp", paramiko.SFTPServer, _Files, shown)
            with suppress(paramiko.SSHException, EOFError):
                transport.start_server(server=_Door())


class _Door(paramiko.ServerInterface):
    def check_auth_password(self, username: str, password: str) -> int:
        is_right = (username, password) == ("ada", PASSWORD)
        return AUTH_SUCCESSFUL if is_right else AUTH_FAILED

    def get_allowed_auths(self, username: str) -> str:
        return "password"

    def check_channel_request(self, kind: str, chanid: int) -> int:
        return OPEN_SUCCEEDED


class _Handle(paramiko.SFTPHandle):
    def __init__(self, path: Path, flags: int, shown: StandIn) -> None:
        super().__init__(flags)
        self._shown = shown
        self._file = os.open(path, flags & ~os.O_APPEND, 0o600)

    def close(self) -> None:
        os.close(self._file)

    def read(self, offset: int, length: int) -> bytes | int:
        return os.pread(self._file, length, offset)

    def write(self, offset: int, data: bytes) -> int:  # type: ignore[override]  # that is what comes
        data = bytes(data)
        if offset + len(data) > self._shown.room:
            return SFTP_FAILURE
        os.pwrite(self._file, data, offset)
        return SFTP_OK

    def stat(self) -> paramiko.SFTPAttributes:
        return paramiko.SFTPAttributes.from_stat(os.fstat(self._file))

    def chattr(self, attr: paramiko.SFTPAttributes) -> int:
        if attr.st_size is not None:
            os.ftruncate(self._file, attr.st_size)
        return SFTP_OK


class _Files(paramiko.SFTPServerInterface):
    def __init__(self, server: paramiko.ServerInterface, shown: StandIn) -> None:
        super().__init__(server)
        self._shown = shown

    def _path(self, path: str) -> Path:
        self._shown.asked.append(path)
        return self._shown.folder / path.lstrip("/")

    def list_folder(self, path: str) -> list[paramiko.SFTPAttributes] | int:
        try:
            names = [(each.name, each.lstat()) for each in self._path(path).iterdir()]
        except OSError as error:
            return int(paramiko.SFTPServer.convert_errno(error.errno or 0))
        found = [paramiko.SFTPAttributes.from_stat(each, name) for name, each in names]
        for name in self._shown.extra:
            attributes = paramiko.SFTPAttributes()
            attributes.filename, attributes.st_mode, attributes.st_size = name, stat.S_IFREG, 1
            found.append(attributes)
        return found

    def stat(self, path: str) -> paramiko.SFTPAttributes | int:
        try:
            return paramiko.SFTPAttributes.from_stat(self._path(path).stat())
        except OSError as error:
            return int(paramiko.SFTPServer.convert_errno(error.errno or 0))

    def lstat(self, path: str) -> paramiko.SFTPAttributes | int:
        try:
            return paramiko.SFTPAttributes.from_stat(self._path(path).lstat())
        except OSError as error:
            return int(paramiko.SFTPServer.convert_errno(error.errno or 0))

    def open(
        self, path: str, flags: int, attr: paramiko.SFTPAttributes
    ) -> paramiko.SFTPHandle | int:
        try:
            return _Handle(self._path(path), flags, self._shown)
        except OSError as error:
            return int(paramiko.SFTPServer.convert_errno(error.errno or 0))

    def mkdir(self, path: str, attr: paramiko.SFTPAttributes) -> int:
        self._path(path).mkdir()
        return SFTP_OK

    def remove(self, path: str) -> int:
        self._path(path).unlink()
        return SFTP_OK

    def rename(self, oldpath: str, newpath: str) -> int:
        """Replace nothing (draft-ietf-secsh-filexfer-02, 6.5)."""
        if self._path(newpath).exists():
            return SFTP_FAILURE
        self._path(oldpath).rename(self._path(newpath))
        return SFTP_OK
