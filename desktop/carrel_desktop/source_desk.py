# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pages' way to the collections file, and to a test of what stands in it."""

from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from carrel.engine import Engine
from carrel.model import SourceReport
from carrel.model.memento_views import CollectionInfo, SourceEntry

T = TypeVar("T")


class Call(Protocol):
    """Runs on the engine's loop what is asked of the engine."""

    async def __call__(self, ask: Callable[[Engine], Coroutine[Any, Any, T]], /) -> T: ...


class Aside(Protocol):
    """Does work that blocks on a thread of its own."""

    async def __call__(self, work: Callable[..., T], /, *given: object) -> T: ...


class SourceDesk:
    """Every method is awaited on the window's loop, and raises what the engine's raises."""

    def __init__(self, engine: Callable[[], Engine], call: Call, aside: Aside) -> None:
        self._engine = engine
        self._call = call
        self._aside = aside

    def path(self) -> Path | None:
        """Return where the collections file is, or will be; None where there can be none."""
        return self._engine().mementos.config_path

    async def is_written(self) -> bool:
        """Say whether there is a collections file yet."""
        path = self.path()
        return path is not None and await self._aside(path.exists)

    async def collections(self) -> Sequence[CollectionInfo]:
        """Return the collections. Raises ConfigError for a file that can not be understood."""

        async def ask(engine: Engine) -> Sequence[CollectionInfo]:
            return engine.mementos.collections()  # which belongs onto the engine's loop

        return await self._call(ask)

    async def sources(self, collection: str) -> Sequence[SourceEntry]:
        """Return the sources of a collection. Raises ConfigError for what is no list of them."""
        return await self._call(lambda engine: engine.mementos.sources(collection))

    async def add(self, collection: str, name: str, text: str) -> None:
        """Add a source at the end. Raises ConfigError."""
        await self._call(lambda engine: engine.mementos.add_source(collection, name, text))

    async def change(self, collection: str, name: str, new_name: str, text: str) -> None:
        """Write a source anew. Raises ConfigError."""
        await self._call(
            lambda engine: engine.mementos.change_source(collection, name, new_name, text)
        )

    async def remove(self, collection: str, name: str) -> None:
        """Take a source out. Raises ConfigError."""
        await self._call(lambda engine: engine.mementos.remove_source(collection, name))

    async def move(self, collection: str, name: str, place: int) -> None:
        """Give a source another place, counted from 0. Raises ConfigError."""
        await self._call(lambda engine: engine.mementos.move_source(collection, name, place))

    async def text(self) -> str:
        """Return the file as it is written. Raises ConfigError."""
        return await self._call(lambda engine: engine.mementos.text())

    async def write(self, text: str, instead_of: str) -> None:
        """Put a text in the place of another. Raises ConfigError, if that is not there any more."""
        await self._call(lambda engine: engine.mementos.write(text, instead_of))

    async def test(self, text: str, url: str) -> SourceReport:
        """Ask one source for a URL. Raises ConfigError, and QueryError."""
        return await self._call(lambda engine: engine.mementos.test(text, url))
