# SPDX-License-Identifier: AGPL-3.0-or-later
"""A real sshd on a free port of this machine, with a host key and a configuration of its own."""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

_STARTS_WITHIN_S = 20.0
_PLACES = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
_CONFIG = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host_key
PidFile none
AuthorizedKeysFile {folder}/authorized_keys
StrictModes no
UsePAM no
PasswordAuthentication yes
KbdInteractiveAuthentication no
PermitRootLogin yes
Subsystem sftp internal-sftp {options}
LogLevel VERBOSE
"""


@dataclass
class SftpServer:
    """A running server. `home` is that of the person whose key it lets in, and who knows it;
    `remote` is where copies are made."""

    folder: Path
    port: int
    options: str = ""
    home: Path = field(init=False)
    remote: Path = field(init=False)
    _process: "subprocess.Popen[bytes] | None" = None

    def __post_init__(self) -> None:
        self.home, self.remote = self.folder / "home", self.folder / "remote"

    @property
    def address(self) -> str:
        return f"sftp://{getpass.getuser()}@127.0.0.1:{self.port}{self.remote}"

    @property
    def name(self) -> str:
        return f"sftp://127.0.0.1:{self.port}"

    @property
    def variables(self) -> dict[str, str]:
        return {"HOME": str(self.home)}

    def start(self) -> None:
        config = _CONFIG.format(port=self.port, folder=self.folder, options=self.options)
        (self.folder / "sshd_config").write_text(config)
        program = shutil.which("sshd", path=_PLACES)
        assert program is not None
        command = [program, "-D", "-e", "-f", str(self.folder / "sshd_config")]
        with (self.folder / "sshd.log").open("ab") as log:
            # A group of its own, with the processes of its connections.
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, start_new_session=True
            )
        self._wait()

    def stop(self) -> None:
        """End it with all of its connections."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.terminate()
            self._process.wait(timeout=_STARTS_WITHIN_S)
            self.cut()
        self._process = None

    def cut(self) -> None:
        """Break every connection that stands; the server goes on."""
        for each in self.connections():
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)

    def connections(self) -> list[int]:
        """Return the processes of the connections: those that write to this server's log."""
        log, own = (self.folder / "sshd.log").stat().st_ino, self._process and self._process.pid
        found = []
        for each in Path("/proc").iterdir():
            with suppress(OSError, ValueError):
                if int(each.name) != own and (each / "fd/2").stat().st_ino == log:
                    found.append(int(each.name))
        return found

    def make_host_key(self) -> None:
        """Give it another host key than it had."""
        for each in (self.folder / "host_key", self.folder / "host_key.pub"):
            each.unlink(missing_ok=True)
        make_key(self.folder / "host_key")

    def make_known(self) -> None:
        """Put its host key where the person's OpenSSH looks for it."""
        kind, key, *_ = (self.folder / "host_key.pub").read_text().split()
        line = f"[127.0.0.1]:{self.port} {kind} {key}\n"
        (self.home / ".ssh/known_hosts").write_text(line)

    def fingerprint(self) -> str:
        told = subprocess.run(
            ["ssh-keygen", "-l", "-f", str(self.folder / "host_key.pub")],
            capture_output=True,
            text=True,
            check=True,
        )
        return told.stdout.split()[1]

    def let_in(self, opened_by: str = "") -> None:
        """Give the person a key that the server knows, perhaps with a passphrase."""
        key = self.home / ".ssh/id_ed25519"
        for each in (key, key.with_suffix(".pub")):
            each.unlink(missing_ok=True)
        make_key(key, opened_by)
        shutil.copy(key.with_suffix(".pub"), self.folder / "authorized_keys")

    def _wait(self) -> None:
        until = time.monotonic() + _STARTS_WITHIN_S
        while time.monotonic() < until and self._process and self._process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        raise AssertionError(f"sshd did not start: {(self.folder / 'sshd.log').read_text()}")


@contextmanager
def sftp_server(folder: Path, options: str = "") -> Iterator[SftpServer]:
    """Run a server in a folder, known to the person and with a key of theirs.

    Skips the test where there is no sshd.
    """
    if shutil.which("sshd", path=_PLACES) is None:
        pytest.skip("there is no sshd here (Debian: apt-get install openssh-server)")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # sshd wants it
    server = SftpServer(folder, free_port(), options)
    (server.home / ".ssh").mkdir(parents=True)
    server.remote.mkdir()
    server.make_host_key()
    server.make_known()
    server.let_in()
    server.start()
    try:
        yield server
    finally:
        server.stop()


def make_key(path: Path, opened_by: str = "") -> None:
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", opened_by, "-f", str(path)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
