# SPDX-License-Identifier: AGPL-3.0-or-later
"""The server's socket: on 127.0.0.1, in whichever loop starts it."""

import asyncio
import contextlib
import os
import socket

import uvicorn

from carrel.errors import UsageError
from carrel.mementos.server.app import App
from carrel.translation import tr

_KEEP_ALIVE_S = 60


class LoopbackServer:
    """Serves an application from `start` to `stop`, both on one loop."""

    def __init__(self, app: App) -> None:
        config = uvicorn.Config(
            app,
            lifespan="off",
            http="httptools",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE_S,
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        self._task: asyncio.Task[None] | None = None
        self.origin = ""

    async def start(self, port: int = 0) -> str:
        """Begin to serve, and return where; port 0 is any free one. Raises UsageError."""
        try:
            listener = _listener(port)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            raise UsageError(
                tr("Port {port} cannot be used: {reason}.", port=port, reason=reason)
            ) from error
        self.origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._task = asyncio.create_task(self._serve(listener))
        while not self._server.started and not self._task.done():
            await asyncio.sleep(0.005)
        return self.origin

    async def wait(self) -> None:
        """Return when the server has ended, as an interrupt from the keyboard has it do."""
        if self._task is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def stop(self) -> None:
        self._server.should_exit = True
        await self.wait()

    async def _serve(self, listener: socket.socket) -> None:
        with contextlib.closing(listener):
            await self._server.serve(sockets=[listener])


def _listener(port: int) -> socket.socket:
    """Return a socket that listens on the loopback. Raises OSError.

    Its protocol is named: only then does asyncio send small answers at once (TCP_NODELAY), and not
    after the 40 ms that the other side's delayed acknowledgement takes.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(1024)
    except (OSError, OverflowError):
        listener.close()
        raise
    return listener
