# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a face can ask about mementos: every copy of a URL, in this archive and in the world's.

All coroutines run on one loop, that of the engine.
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from carrel.access.holding_files import no_result
from carrel.archive import Archive
from carrel.engine.mementos.collections import ConfiguredCollections
from carrel.engine.mementos.content import compared, peeked, saved
from carrel.engine.mementos.local import LocalCaptures
from carrel.engine.mementos.server import MementoServer
from carrel.engine.mementos.sources import Sources
from carrel.errors import NotLoaded, QueryError, UsageError
from carrel.mementos.loading.part import part_of
from carrel.mementos.loading.record import Record, ResourceRequest
from carrel.mementos.lookup import Resource, Tell
from carrel.mementos.query import Query, query_for
from carrel.model import Identifier, Memento, Scheme
from carrel.model.memento_part import Part
from carrel.model.memento_views import (
    CollectionInfo,
    Comparison,
    DatasetPart,
    Found,
    Peek,
    Saved,
)
from carrel.model.user_information import bare_address, shown
from carrel.platforms.identifiers import find as find_identifiers
from carrel.platforms.identifiers import spellings
from carrel.settings import Settings
from carrel.translation import tr

# What may be an address without a scheme, or is of a scheme without hosts.
_MAYBE_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*://\S.*|(?:urn|dns|metadata|screenshot):\S+|localhost\S*|[^\s/?#@]+\.[^\s/?#@]+(?:[/?#].*)?",
    re.IGNORECASE | re.DOTALL,
)
# A look-up that no one limits still ends.
MOST_ROWS = 1_000_000


class Mementos:
    """Collections, opened on first use, and what can be asked of them.

    `archive` is None where there is none at hand; `config` overrules its collections file. `opened`
    are WARC, ARC, WACZ and index files from anywhere, which are searched beside each collection and
    are the last one by themselves; `folder` is one that has collections as pywb lays them out.

    `sources` are those of the collections file, `local` is what this machine holds, and `server`
    shows mementos to a browser.
    """

    def __init__(
        self,
        settings: Settings,
        archive: Archive | None = None,
        config: Path | None = None,
        opened: Sequence[Path] = (),
        folder: Path | None = None,
    ) -> None:
        self._archive = archive
        self._collections = ConfiguredCollections(settings, archive, config, opened, folder)
        self.sources = Sources(self._collections)
        self.local = LocalCaptures(self._collections)
        self.server = MementoServer(self._collections)

    @property
    def config_path(self) -> Path | None:
        """Where the collections file is, though it may not be there yet; None if there is none."""
        return self._collections.path

    @property
    def warnings(self) -> Sequence[str]:
        """What in the configuration works, but perhaps not as meant. Raises ConfigError."""
        return self._collections.current().warnings

    async def problems(self) -> Sequence[str]:
        """Return what is wrong with local indexes, in sentences. Raises ConfigError."""
        return await asyncio.to_thread(self._collections.current().problems)

    def collections(self) -> Sequence[CollectionInfo]:
        """Return the collections, the first being the one to ask by default. Raises ConfigError."""
        return [
            CollectionInfo(
                each.name, each.title, tuple((source.name, source.kind) for source in each.sources)
            )
            for each in self._collections.current()
        ]

    async def find(
        self, text: str, collection: str, tell: Tell | None = None, query: Query | None = None
    ) -> Found:
        """Ask every source of a collection for a URL or DOI, telling of each as it answers.

        `query` narrows the question down. Raises QueryError for what cannot be looked up,
        UsageError for an unknown collection, ConfigError.
        """
        url = await self.address_for(text)
        asked = query or query_for(url, limit=MOST_ROWS)
        answer = await self._collections.named(collection).find(
            asked, tell or (lambda report, rows: None)
        )
        rows = await asyncio.to_thread(list, answer.rows)
        return Found(asked.url, rows, answer.reports)

    async def address_for(self, text: str) -> str:
        """Return the URL to look up for a URL, a DOI or another identifier.

        For what was archived here it is the landing page, under which other archives know it too.
        """
        identifiers = find_identifiers(text).identifiers
        given, text = bare_address(text.strip()), shown(text)
        if len(identifiers) > 1:
            raise QueryError(
                tr("“{text}” contains several addresses; look them up one by one.", text=text[:200])
            )
        if identifiers and identifiers[0].scheme is not Scheme.URL:
            return await asyncio.to_thread(self._landing_page, identifiers[0])
        address = given
        if not identifiers and not _MAYBE_ADDRESS.fullmatch(address):
            raise QueryError(
                tr("“{text}” is neither a web address nor a DOI, Handle or ARK.", text=text[:200])
            )
        return address

    async def load(self, query: Query, collection: str) -> Resource:
        """Return the first record that can be had. Raises NothingLoaded."""
        return await self._collections.named(collection).load(query, ResourceRequest())

    async def peek(self, memento: Memento, collection: str, most: int = 1024**2) -> Peek:
        """Return the heads and the beginning of a memento. Raises NotLoaded."""
        record = await self._record(memento, collection)
        try:
            return await asyncio.to_thread(peeked, record, memento, most)
        finally:
            await asyncio.to_thread(record.close)

    async def part_of(self, memento: Memento, collection: str) -> Part | None:
        """Return why a capture is only a part of what its server had, None if its record does not
        say so, or is not on this machine. A revisit has no bytes of its own."""
        if not memento.source_type.is_local or memento.is_revisit:
            return None
        try:
            record = await self._collections.named(collection).load_here(memento)
        except NotLoaded:  # whoever reads it is told
            return None
        await asyncio.to_thread(record.close)
        return part_of(record)

    async def save(
        self, memento: Memento, collection: str, path: Path, tell: Callable[[int, int], None]
    ) -> Saved:
        """Write the payload of a memento to a file, whole or not at all.

        `tell` learns of bytes done and in all, from a worker thread. Raises NotLoaded, and OSError.
        """
        record = await self._record(memento, collection)
        try:
            return await asyncio.to_thread(saved, record, memento, path, tell)
        finally:
            await asyncio.to_thread(record.close)

    async def compare(self, one: Memento, other: Memento, collection: str) -> Comparison:
        """Say whether two mementos are the same, and how they differ. Raises NotLoaded."""
        first = await self._record(one, collection)
        try:
            second = await self._record(other, collection)
            try:
                return await asyncio.to_thread(compared, (one, first), (other, second))
            finally:
                await asyncio.to_thread(second.close)
        finally:
            await asyncio.to_thread(first.close)

    async def parts_of(self, ingest_id: str) -> Sequence[DatasetPart]:
        """Return the landing page and the files of a dataset that was looked at, as far as they are
        on the web: what was imported may have no page there."""
        result = await asyncio.to_thread(self._result, ingest_id)
        return await asyncio.to_thread(self._with_captures, list(_parts(result)))

    async def close(self) -> None:
        """Stop the server and let go of the network."""
        await self.server.stop()
        await self._collections.close()

    async def _record(self, memento: Memento, collection: str) -> Record:
        return await self._collections.named(collection).load_row(memento)

    def _with_captures(self, parts: Sequence[DatasetPart]) -> Sequence[DatasetPart]:
        """Return parts with whether this archive has captures of their addresses."""
        if self._archive is None:
            return parts
        captured = self._archive.ledger.captures.captured([part.url for part in parts])
        return [replace(part, is_captured=part.url in captured) for part in parts]

    def _result(self, ingest_id: str) -> dict[str, Any]:
        if self._archive is None:
            raise UsageError(tr("No archive is open."))
        result = self._archive.ledger.result(ingest_id)
        if result is None:
            raise UsageError(no_result(self._archive.ledger, ingest_id))
        return result

    def _landing_page(self, identifier: Identifier) -> str:
        for result in self._results_named(identifier):
            if result.get("hops"):
                return str(result["hops"][-1])
        return identifier.url

    def _results_named(self, identifier: Identifier) -> Iterator[dict[str, Any]]:
        """Yield what the archive knows by an identifier, what it holds of it first."""
        if self._archive is not None:
            holdings = self._archive.ledger.holdings
            for ask in (holdings.held, holdings.listed):
                for spelling in spellings(identifier):
                    yield from ask(spelling)


def _parts(result: Mapping[str, Any]) -> Iterator[DatasetPart]:
    """Yield the page and the files of a result that have addresses on the web."""
    page = (result.get("hops") or [result["request"]["base_url"]])[-1]
    if _is_on_web(page):
        yield DatasetPart("", page, "")
    for entry in result.get("manifest") or ():
        url = entry.get("terminal_url") or entry.get("platform_url")
        if url and _is_on_web(url):
            yield DatasetPart(entry["path"], url, entry.get("sha1") or "")


def _is_on_web(url: str) -> bool:
    return url.startswith(("http://", "https://"))
