# SPDX-License-Identifier: AGPL-3.0-or-later
"""The sources of collections as their file has them: shown, changed, and asked one by one.

The file keeps its comments, and stays as it is when ConfigError is raised. Coroutines run on the
engine's loop.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from carrel.engine.mementos.collections import ConfiguredCollections
from carrel.errors import ConfigError, UsageError
from carrel.mementos.assembly import OpenCollections
from carrel.mementos.config.collection import Collection, Collections, Step
from carrel.mementos.config.doubts import doubts_about_source
from carrel.mementos.config.editor import CollectionsFile
from carrel.mementos.config.grammar import understand_source
from carrel.mementos.query import query_for
from carrel.model import SourceReport
from carrel.model.memento_views import SourceEntry
from carrel.translation import tr


class Sources:
    """What is at `mementos.sources`."""

    def __init__(self, collections: ConfiguredCollections) -> None:
        self._collections = collections
        self._editing: CollectionsFile | None = None

    async def of(self, collection: str) -> Sequence[SourceEntry]:
        """Return the sources of a collection as its file has them. Raises ConfigError."""
        return await asyncio.to_thread(self._entries, collection)

    async def add(self, collection: str, name: str, text: str) -> None:
        """Add a source, given as its YAML, at the end of a collection. Raises ConfigError."""
        await asyncio.to_thread(self._file().add_source, collection, name, text)

    async def change(self, collection: str, name: str, new_name: str, text: str) -> None:
        """Put another source, perhaps with a new name, in the place of one. Raises ConfigError."""
        await asyncio.to_thread(self._file().change_source, collection, name, text, new_name)

    async def remove(self, collection: str, name: str) -> None:
        """Take a source out of a collection. Raises ConfigError."""
        await asyncio.to_thread(self._file().remove_source, collection, name)

    async def move(self, collection: str, name: str, index: int) -> None:
        """Give a source another place in the order of its collection. Raises ConfigError."""
        await asyncio.to_thread(self._file().move_source, collection, name, index)

    async def check(self, text: str) -> SourceEntry:
        """Return what a source, given as its YAML, would be; no one is asked."""
        return await asyncio.to_thread(self._entry, "source", text)

    async def doubt(self, text: str) -> str:
        """Return what a source, given as its YAML, lacks at the moment, "" for nothing.

        That is no error: the disk with its files may be connected later.
        """
        return await asyncio.to_thread(self._doubt, text)

    async def text(self) -> str:
        """Return the collections file as it is written, for looking at. Raises ConfigError."""
        return await asyncio.to_thread(self._file().text)

    async def write(self, text: str, instead_of: str) -> None:
        """Put another text in the place of the collections file.

        `instead_of` is what it is thought to say. Raises ConfigError, for a text that makes no
        sense too.
        """
        await asyncio.to_thread(self._write, text, instead_of)

    async def test(self, source: str, url: str) -> SourceReport:
        """Ask one source, given as its YAML, for a URL, and return what it answered.

        Raises ConfigError for what is no source, QueryError.
        """
        config = understand_source(
            source,
            name=tr("the source"),
            base=self._collections.base,
            archive=self._collections.archive_folder,
        )
        alone = Collections((Collection("test", (Step((config,)),)),))
        collections = OpenCollections(alone, self._collections.surroundings())
        (collection,) = collections
        answer = await collection.find(query_for(url), lambda report, rows: None)
        (report,) = answer.reports
        if report.message:
            return report
        return replace(report, message=" ".join(await asyncio.to_thread(collections.problems)))

    def _file(self) -> CollectionsFile:
        path = self._collections.path
        if path is None:
            raise UsageError(tr("There is no collections file to change: no archive is open."))
        if self._editing is None:
            # Kept, so that it knows what the person was shown.
            self._editing = CollectionsFile(path, archive=self._collections.archive_folder)
        return self._editing

    def _write(self, text: str, instead_of: str) -> None:
        file = self._file()
        if file.text() != instead_of:
            raise ConfigError(
                tr("The collections file was changed in the meantime. Reload it first.")
            )
        file.write(text)

    def _entries(self, collection: str) -> list[SourceEntry]:
        return [self._entry(name, text) for name, text in self._file().sources(collection)]

    def _doubt(self, text: str) -> str:
        path, archive = self._collections.path, self._collections.archive_folder
        base = path.absolute().parent if path is not None else self._collections.base
        try:
            config = understand_source(text, name="source", base=base, archive=archive)
        except ConfigError as error:
            return str(error)
        return next(doubts_about_source(config), "")

    def _entry(self, name: str, text: str) -> SourceEntry:
        base, archive = self._collections.base, self._collections.archive_folder
        try:
            config = understand_source(text, name=name, base=base, archive=archive)
        except ConfigError as error:
            return SourceEntry(name, text, None, str(error))
        return SourceEntry(name, text, config.kind)
