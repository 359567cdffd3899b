# SPDX-License-Identifier: AGPL-3.0-or-later
"""The loopback server, which shows mementos to a browser of this machine."""

import asyncio
from typing import TYPE_CHECKING

from carrel.engine.mementos.collections import ConfiguredCollections
from carrel.model import Memento

if TYPE_CHECKING:
    from carrel.mementos.server.listener import LoopbackServer


class MementoServer:
    """What is at `mementos.server`. It starts when it is first needed."""

    def __init__(self, collections: ConfiguredCollections) -> None:
        self._collections = collections
        self._server: LoopbackServer | None = None
        self._starting = asyncio.Lock()

    async def start(self, port: int = 0) -> str:
        """Have the server run, and return where. Raises UsageError, ConfigError."""
        async with self._starting:
            if self._server is None:
                from carrel.mementos.server.app import App  # for who is shown something
                from carrel.mementos.server.listener import LoopbackServer

                server = LoopbackServer(App(self._collections.current))
                await server.start(port)
                self._server = server
        return self._server.origin

    async def address_of(self, memento: Memento | None, collection: str) -> str:
        """Return where a memento is shown; None stands for the server's own first page."""
        origin = await self.start()
        if memento is None:
            return f"{origin}/"
        name = self._collections.named(collection).name
        return f"{origin}/{name}/{memento.timestamp[:14]}/{memento.url}"

    async def wait(self) -> None:
        """Return when the server has ended."""
        if self._server is not None:
            await self._server.wait()

    async def stop(self) -> None:
        if self._server is not None:
            await self._server.stop()
