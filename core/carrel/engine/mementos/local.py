# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the collections hold on this machine, for those who know no URL. Runs on the engine's loop.

Each raises SourceTrouble and ConfigError.
"""

import asyncio
from collections.abc import Sequence

from carrel.engine.mementos.browsing import Browsing
from carrel.engine.mementos.collections import ConfiguredCollections
from carrel.mementos.sources.source import Browsable
from carrel.model import Memento
from carrel.model.memento_views import Holding


class LocalCaptures:
    """What is at `mementos.local`."""

    def __init__(self, collections: ConfiguredCollections) -> None:
        self._collections = collections

    async def hosts(self, text: str = "") -> Sequence[Holding]:
        """Return the hosts of the local collections whose name has this text in it, by name."""
        return await asyncio.to_thread(self._browsing().hosts, text)

    async def below(self, host: str, path: str = "/") -> Sequence[Holding]:
        """Return what the local collections have directly below a path of a host, by name."""
        return await asyncio.to_thread(self._browsing().below, host, path)

    async def search(self, text: str, most: int = 1000) -> Sequence[Memento]:
        """Return captures of the local collections whose URL has this text in it, newest first."""
        return await asyncio.to_thread(self._browsing().search, text, most)

    def _browsing(self) -> Browsing:
        """Return the local sources of all collections, each place once."""
        sources = [
            each for collection in self._collections.current() for each in collection.sources
        ]
        local = {each.place: each for each in sources if isinstance(each, Browsable)}
        return Browsing(tuple(local.values()))
