# SPDX-License-Identifier: AGPL-3.0-or-later
"""pywb's own server, which replays what Carrel wrote."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BIN = Path(sys.executable).parent


@contextmanager
def pywb(folder: Path) -> Iterator[str]:
    """Run pywb's server in a folder that holds collections; gives its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [str(BIN / "wayback"), "-b", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        assert server.stdout is not None
        try:
            while "Starting Gevent Server on" not in server.stdout.readline():
                assert server.poll() is None
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.communicate()
