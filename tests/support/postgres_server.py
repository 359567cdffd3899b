# SPDX-License-Identifier: AGPL-3.0-or-later
"""A real Postgres on a free port of this machine, in a folder of its own, ended by its id."""

import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp

import pytest

_DEBIAN = Path("/usr/lib/postgresql")
_STARTS_WITHIN_S, _ENDS_WITHIN_S = 60.0, 30.0
_OWNER = "carrel"
_SETTINGS = (
    *("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="),
    # The machine of a test does not lose its power.
    *("-c", "fsync=off", "-c", "max_connections=40", "-c", "shared_buffers=32MB"),
)


@dataclass
class PostgresServer:
    """A server with databases that tests make; it may be restarted, with what it holds."""

    programs: Path
    folder: Path
    port: int
    _process: "subprocess.Popen[bytes] | None" = None
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def new_database(self) -> str:
        """Return the URL of an empty database."""
        import psycopg

        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0".encode())
        return self.url(name)

    def url(self, database: str) -> str:
        return f"postgresql://{_OWNER}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        command = [str(self.programs / "postgres"), "-D", str(self.folder / "data")]
        command += ["-p", str(self.port), *_SETTINGS]
        with (self.folder / "postgres.log").open("ab") as log:
            self._process = subprocess.Popen(
                _as_another(command), cwd=self.folder, stdout=log, stderr=subprocess.STDOUT
            )
        _wait_for(self.port, self._process, self.folder / "postgres.log")

    def stop(self) -> None:
        """End the server at once, as an administrator does: sessions are cut off."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(timeout=_ENDS_WITHIN_S)
            self._process = None


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Run a server that trusts everyone on this machine; it ends with the block.

    Skips the test where there is none.
    """
    programs = _programs()
    folder = Path(mkdtemp(prefix="carrel-postgres-"))  # pytest's are for one user only
    try:
        _give_away(folder)
        _initialise(programs, folder)
        server = PostgresServer(programs, folder, free_port())
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path:
    if sys.platform == "win32":
        pytest.skip("the tests look for Debian's PostgreSQL")
    found = sorted(_DEBIAN.glob("*/bin"), key=lambda each: int(each.parent.name), reverse=True)
    for each in (*found, *_on_the_path()):
        if (each / "initdb").exists() and (each / "postgres").exists():
            return each
    pytest.skip("there is no PostgreSQL here (Debian: apt-get install postgresql)")


def _on_the_path() -> Iterator[Path]:
    if program := shutil.which("initdb"):
        yield Path(program).resolve().parent


def _initialise(programs: Path, folder: Path) -> None:
    command = [str(programs / "initdb"), "-D", str(folder / "data"), "-U", _OWNER]
    command += ["--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
    made = subprocess.run(_as_another(command), cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr


def _as_another(command: Sequence[str]) -> Sequence[str]:
    """Return a command that runs as another user where this one is root: Postgres refuses that."""
    if os.geteuid() != 0:
        return command
    return ["setpriv", f"--reuid={_other()}", "--regid=65534", "--clear-groups", *command]


def _give_away(folder: Path) -> None:
    if os.geteuid() == 0:
        shutil.chown(folder, _other())


def _other() -> str:
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        return "nobody"


def free_port() -> int:
    """Return a port of this machine that is free now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _wait_for(port: int, server: "subprocess.Popen[bytes]", log: Path) -> None:
    import psycopg

    until = time.monotonic() + _STARTS_WITHIN_S
    while time.monotonic() < until and server.poll() is None:
        try:
            psycopg.connect(f"host=127.0.0.1 port={port} user={_OWNER} dbname=postgres").close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(log.read_text(errors="replace")[-2000:])
