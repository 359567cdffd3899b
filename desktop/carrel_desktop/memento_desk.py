# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pages' way to the engine's mementos."""

from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from carrel.engine import Engine
from carrel.model import Memento, SourceReport
from carrel.model.memento_views import (
    CollectionInfo,
    Comparison,
    DatasetPart,
    Found,
    Holding,
    Peek,
    Saved,
)

T = TypeVar("T")
Tell = Callable[[SourceReport, Sequence[Memento]], None]


class Call(Protocol):
    """Runs on the engine's loop what is asked of the engine."""

    async def __call__(self, ask: Callable[[Engine], Coroutine[Any, Any, T]], /) -> T: ...


class Aside(Protocol):
    """Does work that blocks on a thread of its own."""

    async def __call__(self, work: Callable[..., T], /, *given: object) -> T: ...


class MementoDesk:
    """Every method is awaited on the window's loop, and raises what the engine's raises."""

    def __init__(self, engine: Callable[[], Engine], call: Call, aside: Aside) -> None:
        self._engine = engine
        self._call = call
        self.aside = aside

    def config_path(self) -> Path | None:
        """Return where the collections file is or would be."""
        return self._engine().mementos.config_path

    async def collections(self) -> Sequence[CollectionInfo]:
        engine = self._engine()
        return await self.aside(lambda: engine.mementos.collections())

    async def find(self, text: str, collection: str, tell: Tell) -> Found:
        """Ask every source; `tell` is called on the engine's thread."""
        return await self._call(lambda engine: engine.mementos.find(text, collection, tell))

    async def peek(self, memento: Memento, collection: str, most: int) -> Peek:
        return await self._call(lambda engine: engine.mementos.peek(memento, collection, most))

    async def save(
        self, memento: Memento, collection: str, path: Path, tell: Callable[[int, int], None]
    ) -> Saved:
        return await self._call(
            lambda engine: engine.mementos.save(memento, collection, path, tell)
        )

    async def compare(self, one: Memento, other: Memento, collection: str) -> Comparison:
        return await self._call(lambda engine: engine.mementos.compare(one, other, collection))

    async def address_of(self, memento: Memento | None, collection: str) -> str:
        return await self._call(lambda engine: engine.mementos.address_of(memento, collection))

    async def parts_of(self, ingest_id: str) -> Sequence[DatasetPart]:
        return await self._call(lambda engine: engine.mementos.parts_of(ingest_id))

    async def hosts(self, text: str = "") -> Sequence[Holding]:
        return await self._call(lambda engine: engine.mementos.hosts(text))

    async def below(self, host: str, path: str) -> Sequence[Holding]:
        return await self._call(lambda engine: engine.mementos.below(host, path))

    async def search(self, text: str, most: int) -> Sequence[Memento]:
        return await self._call(lambda engine: engine.mementos.search(text, most))
