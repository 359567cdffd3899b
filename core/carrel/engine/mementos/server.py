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

    async def address_of(
        self, memento: Memento | None, collection: str, *, is_raw: bool = False
    ) -> str:
        """Return where a memento is shown, or `is_raw`, with nothing rewritten; None stands for the
        server's own first page. It is the one of its own sources, of several of the same second."""
        origin = await self.start()
        if memento is None:
            return f"{origin}/"
        name = self._collections.named(collection).name
        from carrel.mementos.server.rewriting import RAW, of_sources

        of = of_sources((memento.source, *memento.also))
        modifier = RAW if is_raw else ""
        return f"{origin}/{name}/{of}{memento.timestamp[:14]}{modifier}/{memento.url}"

    async def wait(self) -> None:
        """Return when the server has ended."""
        if self._server is not None:
            await self._server.wait()

    async def stop(self) -> None:
        if self._server is not None:
            await self._server.stop()
