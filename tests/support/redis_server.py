# SPDX-License-Identifier: AGPL-3.0-or-later
"""A real Redis on a free port of this machine, with nothing in it and nothing kept."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_STARTS_WITHIN_S = 20.0
_PLACES = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"


@contextmanager
def redis_server(folder: Path, *options: str) -> Iterator[int]:
    """Give the port of a server that runs in a folder; it ends with the block.

    Skips the test where there is no redis-server.
    """
    program = shutil.which("redis-server", path=_PLACES)
    if program is None:
        pytest.skip("there is no redis-server here (Debian: apt-get install redis-server)")
    port = _free_port()
    command = [program, "--bind", "127.0.0.1", "--port", str(port), "--save", ""]
    command += ["--appendonly", "no", "--daemonize", "no", "--dir", str(folder), *options]
    with (folder / "redis.log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    try:
        _wait_for(port, server)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=_STARTS_WITHIN_S)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _wait_for(port: int, server: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + _STARTS_WITHIN_S
    while time.monotonic() < until and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError(f"redis-server did not start on port {port}; it ended: {server.poll()}")
