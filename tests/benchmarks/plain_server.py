# SPDX-License-Identifier: AGPL-3.0-or-later
"""Serves a folder on loopback, with connections that stay open, where nginx is not installed.

usage: plain_server.py FOLDER PORT
"""

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The head of an answer is sent by itself: what follows is not to wait for its receipt.
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of each request."""


def serve(folder: Path, port: int) -> None:
    """Serve until the process is ended."""
    handler = partial(_Handler, directory=str(folder))
    ThreadingHTTPServer(("127.0.0.1", port), handler).serve_forever()


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))
