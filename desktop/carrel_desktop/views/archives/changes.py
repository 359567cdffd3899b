# SPDX-License-Identifier: AGPL-3.0-or-later
"""The collections file, which is the truth: read, and changed in the order that was requested."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from carrel.engine.mementos.sources import Sources
from carrel.errors import ConfigError, UsageError
from carrel.model.memento_views import CollectionInfo
from carrel_desktop.session import Session
from carrel_desktop.views.archives.edit import Edit
from carrel_desktop.views.archives.kinds import kind_of_type
from carrel_desktop.views.archives.model import Source, source_of

T = TypeVar("T")
Work = Coroutine[Any, Any, None]


@dataclass(frozen=True, slots=True)
class Contents:
    """What the file has. `shown` is the collection whose `sources` these are, None for none.

    `fixed` says why they cannot be changed, "" if they can; `is_written` whether there is a file.
    """

    collections: Sequence[CollectionInfo]
    shown: CollectionInfo | None
    sources: Sequence[Source]
    fixed: str
    is_written: bool


def config_path(session: Session) -> Path | None:
    """Return where the file is, or will be; None where there can be none."""
    return session.engine.mementos.config_path if session.is_open else None


async def read_contents(session: Session, collection: str) -> Contents:
    """Return the file with the sources of a collection, of the first if there is none such.

    Raises ConfigError for a file that cannot be understood.
    """
    infos = await session.order(lambda engine: engine.mementos.collections())
    shown = next((it for it in infos if it.name == collection), next(iter(infos), None))
    sources, fixed = await _sources_of(session, shown)
    path = config_path(session)
    is_written = path is not None and await session.aside(path.exists)
    return Contents(infos, shown, sources, fixed, is_written)


async def _sources_of(session: Session, info: CollectionInfo | None) -> tuple[list[Source], str]:
    if info is None:
        return [], ""
    try:
        entries = await session.call(lambda engine: engine.mementos.sources.of(info.name))
    except (ConfigError, UsageError) as error:
        return [Source(name, "", kind_of_type(kind)) for name, kind in info.sources], str(error)
    return [source_of(each) for each in entries], ""


@dataclass(frozen=True, slots=True)
class Removed:
    """A source that was taken out, and where it stood; `before` and `after` are the texts of the
    file."""

    collection: str
    name: str
    text: str
    place: int
    before: str = ""
    after: str = ""


class Changes:
    """All raise what the engine raises; `load` reads the file again and chooses a source by name.

    `removed` is what can be put back, None for nothing.
    """

    def __init__(self, session: Session, load: Callable[[str], Work]) -> None:
        self._session = session
        self._load = load
        self._turn = asyncio.Lock()
        self.removed: Removed | None = None

    def ask(self, work: Work) -> None:
        """Do what the person asked for, once what was asked before is done."""
        if self._session.start(self._in_turn(work), is_asked=True) is None:
            work.close()

    async def save(self, collection: str, name: str, edit: Edit) -> None:
        """Write a source anew; one that has no name yet is added."""
        if name:
            await self._call(lambda sources: sources.change(collection, name, edit.name, edit.text))
        else:
            await self._call(lambda sources: sources.add(collection, edit.name, edit.text))

    async def doubt(self, edit: Edit) -> str:
        """Return what a source that was saved lacks at the moment, "" for nothing."""
        return await self._session.call(lambda engine: engine.mementos.sources.doubt(edit.text))

    async def remove(self, source: Removed) -> None:
        before = await self._call(lambda sources: sources.text())
        await self._call(lambda sources: sources.remove(source.collection, source.name))
        after = await self._call(lambda sources: sources.text())
        self.removed = replace(source, before=before, after=after)

    async def put_back(self, source: Removed) -> bool:
        """Write the file as it was; add what was taken out if the file has changed since then.

        Says whether comments of the source are back, too.
        """
        try:
            await self._call(lambda sources: sources.write(source.before, instead_of=source.after))
        except ConfigError:
            await self._add_again(source)
            return False
        self.removed = None
        await self._load(source.name)
        return True

    async def move(self, collection: str, name: str, place: int) -> None:
        await self._call(lambda sources: sources.move(collection, name, place))
        await self._load(name)

    async def _add_again(self, source: Removed) -> None:
        """Add what was taken out, at its old place."""
        where = source.collection, source.name
        await self._call(lambda sources: sources.add(*where, source.text))
        self.removed = None
        try:
            await self._call(lambda sources: sources.move(*where, source.place))
        finally:
            await self._load(source.name)

    async def _call(self, ask: Callable[[Sources], Coroutine[Any, Any, T]]) -> T:
        return await self._session.call(lambda engine: ask(engine.mementos.sources))

    async def _in_turn(self, work: Work) -> None:
        async with self._turn:
            await work
