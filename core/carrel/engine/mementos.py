# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a face can ask about mementos: every copy of a URL, in this archive and in the world's.

All coroutines run on one loop, that of the engine.
"""

import asyncio
import logging
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from carrel.archive import COLLECTIONS_NAME, Archive
from carrel.engine.memento_browsing import Browsing
from carrel.engine.memento_bytes import compared, peeked, saved
from carrel.engine.opened_files import of_files, of_pywb
from carrel.errors import ConfigError, QueryError, UsageError
from carrel.hosts.remembered import FILE_NAME
from carrel.ledger.hosts import HostStore
from carrel.mementos.config.collection import (
    Collection,
    Collections,
    Step,
)
from carrel.mementos.config.default import default_text
from carrel.mementos.config.editing import CollectionsFile
from carrel.mementos.config.grammar import read, understand, understand_source
from carrel.mementos.config.public_archives import public_archives
from carrel.mementos.loading.record import Record, ResourceRequest
from carrel.mementos.lookup import OpenCollection, Resource, Tell
from carrel.mementos.opening import OpenCollections, Surroundings
from carrel.mementos.query import Query, query_for
from carrel.mementos.server.app import App
from carrel.mementos.server.serving import LoopbackServer
from carrel.mementos.sources.source import Browsable
from carrel.mementos.throttle import ArchiveThrottle
from carrel.mementos.web import Web
from carrel.model import Identifier, Memento, Scheme, SourceReport
from carrel.model.memento_views import (
    CollectionInfo,
    Comparison,
    DatasetPart,
    Found,
    Holding,
    Peek,
    Saved,
    SourceEntry,
)
from carrel.model.user_information import bare_address, shown
from carrel.platforms.identifiers import find as find_identifiers
from carrel.platforms.identifiers import spellings
from carrel.settings import Settings
from carrel.settings.cache_folder import cache_folder
from carrel.translation import tr

log = logging.getLogger(__name__)
# What may be an address without a scheme, or is of a scheme without hosts.
_MAYBE_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*://\S.*|(?:urn|dns|metadata|screenshot):\S+|localhost\S*|[^\s/?#@]+\.[^\s/?#@]+(?:[/?#].*)?",
    re.IGNORECASE | re.DOTALL,
)
# A look-up that nobody limits still ends.
MOST_ROWS = 1_000_000


class Mementos:
    """Collections, opened on first use, and what can be asked of them.

    `archive` is None where there is none at hand; `config` overrules its collections file. `opened`
    are WARC, ARC, WACZ and index files from anywhere, and `folder` is one that has collections as
    pywb lays them out: they become collections of their own.
    """

    def __init__(
        self,
        settings: Settings,
        archive: Archive | None = None,
        config: Path | None = None,
        opened: Sequence[Path] = (),
        folder: Path | None = None,
    ) -> None:
        self._settings, self._archive = settings, archive
        self._pywb_folder = folder if archive is None else None
        self._config, self._opened = config, opened
        self._web: Web | None = None
        self._collections: OpenCollections | None = None
        self._server: LoopbackServer | None = None
        self._read_from: tuple[int, int] | None = None
        self._own_cache: tempfile.TemporaryDirectory[str] | None = None
        self._editing: CollectionsFile | None = None
        self._starting = asyncio.Lock()

    @property
    def config_path(self) -> Path | None:
        """Where the collections file is, though it may not be there yet; None if there is none."""
        if self._config is not None:
            return self._config
        return self._archive.path / COLLECTIONS_NAME if self._archive else None

    @property
    def warnings(self) -> Sequence[str]:
        """What in the configuration works, but perhaps not as meant. Raises ConfigError."""
        return self._open().warnings

    async def problems(self) -> Sequence[str]:
        """Return what is wrong with local indexes, in sentences. Raises ConfigError."""
        return await asyncio.to_thread(self._open().problems)

    def collections(self) -> Sequence[CollectionInfo]:
        """Return the collections, the first being the one to ask by default. Raises ConfigError."""
        return [
            CollectionInfo(
                each.name, each.title, tuple((source.name, source.kind) for source in each.sources)
            )
            for each in self._open()
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
        answer = await self._named(collection).find(asked, tell or (lambda report, rows: None))
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
        return await self._named(collection).load(query, ResourceRequest())

    async def peek(self, memento: Memento, collection: str, most: int = 1024**2) -> Peek:
        """Return the heads and the beginning of a memento. Raises NotLoaded."""
        record = await self._record(memento, collection)
        try:
            return await asyncio.to_thread(peeked, record, memento, most)
        finally:
            await asyncio.to_thread(record.close)

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

    async def address_of(self, memento: Memento | None, collection: str) -> str:
        """Return where a memento is shown on the loopback server, which starts if need be.

        None stands for the server's own first page.
        """
        origin = await self.serve()
        if memento is None:
            return f"{origin}/"
        name = self._named(collection).name
        return f"{origin}/{name}/{memento.timestamp[:14]}/{memento.url}"

    async def serve(self, port: int = 0) -> str:
        """Have the loopback server run, and return where. Raises UsageError, ConfigError."""
        async with self._starting:
            if self._server is None:
                server = LoopbackServer(App(self._open))
                await server.start(port)
                self._server = server
        return self._server.origin

    async def wait_until_served(self) -> None:
        """Return when the server has ended."""
        if self._server is not None:
            await self._server.wait()

    async def parts_of(self, ingest_id: str) -> Sequence[DatasetPart]:
        """Return the landing page and the files of a dataset that was looked at."""
        result = await asyncio.to_thread(self._result, ingest_id)
        page = (result.get("hops") or [result["request"]["base_url"]])[-1]
        parts = [DatasetPart("", page, "")]
        for entry in result.get("manifest") or ():
            url = entry.get("terminal_url") or entry.get("platform_url")
            if url:
                parts.append(DatasetPart(entry["path"], url, entry.get("sha1") or ""))
        return parts

    async def hosts(self, text: str = "") -> Sequence[Holding]:
        """Return the hosts of the local collections whose name has this text in it, by name.

        Raises SourceTrouble, ConfigError.
        """
        return await asyncio.to_thread(self._browsing().hosts, text)

    async def below(self, host: str, path: str = "/") -> Sequence[Holding]:
        """Return what the local collections have directly below a path of a host, by name."""
        return await asyncio.to_thread(self._browsing().below, host, path)

    async def search(self, text: str, most: int = 1000) -> Sequence[Memento]:
        """Return captures of the local collections whose URL has this text in it, newest first."""
        return await asyncio.to_thread(self._browsing().search, text, most)

    async def sources(self, collection: str) -> Sequence[SourceEntry]:
        """Return the sources of a collection as its file has them. Raises ConfigError."""
        return await asyncio.to_thread(self._entries, collection)

    async def add_source(self, collection: str, name: str, text: str) -> None:
        """Add a source, given as its YAML, at the end of a collection.

        The file keeps its comments, and stays as it is when ConfigError is raised; so in all that
        changes it.
        """
        await asyncio.to_thread(self._file().add_source, collection, name, text)

    async def change_source(self, collection: str, name: str, new_name: str, text: str) -> None:
        """Put another source, perhaps with a new name, in the place of one. Raises ConfigError."""
        await asyncio.to_thread(self._file().change_source, collection, name, text, new_name)

    async def remove_source(self, collection: str, name: str) -> None:
        """Take a source out of a collection. Raises ConfigError."""
        await asyncio.to_thread(self._file().remove_source, collection, name)

    async def move_source(self, collection: str, name: str, index: int) -> None:
        """Give a source another place in the order of its collection. Raises ConfigError."""
        await asyncio.to_thread(self._file().move_source, collection, name, index)

    async def check(self, text: str) -> SourceEntry:
        """Return what a source, given as its YAML, would be; nobody is asked."""
        return await asyncio.to_thread(self._entry, "source", text)

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
        base = self._base()
        config = understand_source(source, name=tr("the source"), base=base, archive=self._folder())
        alone = Collections((Collection("test", (Step((config,)),)),))
        collections = OpenCollections(alone, self._surroundings())
        (collection,) = collections
        answer = await collection.find(query_for(url), lambda report, rows: None)
        (report,) = answer.reports
        if report.message:
            return report
        return replace(report, message=" ".join(await asyncio.to_thread(collections.problems)))

    async def close(self) -> None:
        """Stop the server and let go of the network."""
        if self._server is not None:
            await self._server.stop()
        if self._collections is not None:
            self._collections.close()
        if self._web is not None:
            await self._web.close()
            self._web.throttle.store.close()
        if self._own_cache is not None:
            self._own_cache.cleanup()

    def _browsing(self) -> Browsing:
        """Return the local sources of all collections, each place once."""
        sources = [each for collection in self._open() for each in collection.sources]
        local = {each.place: each for each in sources if isinstance(each, Browsable)}
        return Browsing(tuple(local.values()))

    def _file(self) -> CollectionsFile:
        if self.config_path is None:
            raise UsageError(tr("There is no collections file to change: no archive is open."))
        if self._editing is None:
            # Kept, so that it knows what the person was shown.
            self._editing = CollectionsFile(self.config_path, archive=self._folder())
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

    def _entry(self, name: str, text: str) -> SourceEntry:
        try:
            config = understand_source(text, name=name, base=self._base(), archive=self._folder())
        except ConfigError as error:
            return SourceEntry(name, text, None, str(error))
        return SourceEntry(name, text, config.kind)

    def _named(self, name: str) -> OpenCollection:
        collections = self._open()
        found = collections.named(name) if name else next(iter(collections), None)
        if found is None:
            known = ", ".join(each.name for each in collections)
            raise UsageError(
                tr("There is no collection “{name}”; there is {known}.", name=name, known=known)
            )
        return found

    async def _record(self, memento: Memento, collection: str) -> Record:
        return await self._named(collection).load_row(memento)

    def _open(self) -> OpenCollections:
        """Return the collections as their file says now."""
        path = self.config_path
        written = _written(path)
        if self._collections is None or written != self._read_from:
            if self._collections is not None:
                self._collections.close()
            self._collections = OpenCollections(self._configured(path), self._surroundings())
            self._read_from = written
        return self._collections

    def _configured(self, path: Path | None) -> Collections:
        if path is not None and (path.exists() or path is self._config):
            collections = read(path, archive=self._folder())
        else:
            text = default_text(has_archive=self._archive is not None)
            collections = understand(
                text, name=COLLECTIONS_NAME, base=self._base(), archive=self._folder()
            )
            found = of_pywb(self._pywb_folder) if self._pywb_folder else ()
            taken = {each.name for each in found}
            others = tuple(each for each in collections.collections if each.name not in taken)
            collections = replace(collections, collections=found + others)
        taken = {each.name for each in collections.collections}
        opened = of_files(self._opened, taken)
        return replace(collections, collections=opened + collections.collections)

    def _surroundings(self) -> Surroundings:
        if self._web is None:
            store = HostStore(self._cache / FILE_NAME)
            budgets = {host: each.budgets for each in public_archives() for host in each.hosts}
            self._web = Web(self._settings.network, ArchiveThrottle(store, budgets))
        return Surroundings(
            self._web,
            self._cache,
            self._archive.ledger if self._archive else None,
            may_reach_private=self._settings.mementos.private_networks,
        )

    @cached_property
    def _cache(self) -> Path:
        """The folder for what can be made again; one of this process alone where there is none."""
        try:
            return cache_folder()
        except OSError as error:
            log.warning("The cache cannot be used (%s); nothing is remembered.", error)
            self._own_cache = tempfile.TemporaryDirectory(prefix="carrel-")
            return Path(self._own_cache.name)

    def _folder(self) -> Path | None:
        return self._archive.path if self._archive else None

    def _base(self) -> Path:
        return self._folder() or Path.cwd()

    def _result(self, ingest_id: str) -> dict[str, Any]:
        result = self._archive.ledger.result(ingest_id) if self._archive else None
        if result is None:
            raise UsageError(
                tr("There is no ingest {ingest_id} in this archive.", ingest_id=ingest_id)
            )
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


def _written(path: Path | None) -> tuple[int, int] | None:
    """Return what tells one state of a file from another, None where there is no file."""
    try:
        status = path.stat() if path else None
    except OSError:
        return None
    return status and (status.st_mtime_ns, status.st_size)
