# SPDX-License-Identifier: AGPL-3.0-or-later
"""The collections as their file says now, opened on first use and read again when it changes."""

import logging
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from carrel.archive import COLLECTIONS_NAME, Archive
from carrel.engine.mementos.opened_files import of_files, of_pywb
from carrel.errors import UsageError
from carrel.hosts.remembered import FILE_NAME
from carrel.ledger.hosts import HostStore
from carrel.mementos.assembly import OpenCollections, Surroundings
from carrel.mementos.config.collection import Collections
from carrel.mementos.config.default import default_text
from carrel.mementos.config.grammar import read, understand
from carrel.mementos.config.public_archives import public_archives
from carrel.mementos.lookup import OpenCollection
from carrel.mementos.throttle import ArchiveThrottle
from carrel.mementos.web import Web
from carrel.settings import Settings
from carrel.settings.cache_folder import cache_folder
from carrel.translation import tr

log = logging.getLogger(__name__)


class ConfiguredCollections:
    """What `Mementos` and its parts look into; the arguments are those of `Mementos`."""

    def __init__(
        self,
        settings: Settings,
        archive: Archive | None,
        config: Path | None,
        opened: Sequence[Path],
        folder: Path | None,
    ) -> None:
        self._settings, self._archive = settings, archive
        self._pywb_folder = folder if archive is None else None
        self._config, self._opened = config, opened
        self._web: Web | None = None
        self._collections: OpenCollections | None = None
        self._read_from: tuple[int, int] | None = None
        self._own_cache: tempfile.TemporaryDirectory[str] | None = None

    @property
    def path(self) -> Path | None:
        """Where the collections file is, though it may not be there yet; None if there is none."""
        if self._config is not None:
            return self._config
        return self._archive.path / COLLECTIONS_NAME if self._archive else None

    @property
    def archive_folder(self) -> Path | None:
        return self._archive.path if self._archive else None

    @property
    def base(self) -> Path:
        """The folder that relative paths in a source start from, where it stands in no file."""
        return self.archive_folder or Path.cwd()

    def current(self) -> OpenCollections:
        """Return the collections as their file says now. Raises ConfigError."""
        path = self.path
        written = _written(path)
        if self._collections is None or written != self._read_from:
            if self._collections is not None:
                self._collections.close()
            self._collections = OpenCollections(self._configured(path), self.surroundings())
            self._read_from = written
        return self._collections

    def named(self, name: str) -> OpenCollection:
        """Return the collection of this name, the first for "". Raises UsageError, ConfigError."""
        collections = self.current()
        found = collections.named(name) if name else next(iter(collections), None)
        if found is None:
            known = ", ".join(each.name for each in collections)
            raise UsageError(
                tr("There is no collection “{name}”; there is {known}.", name=name, known=known)
            )
        return found

    def surroundings(self) -> Surroundings:
        """Return what sources need to be opened: the network, the cache, the ledger."""
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

    async def close(self) -> None:
        """Close the sources, and let go of the network."""
        if self._collections is not None:
            self._collections.close()
        if self._web is not None:
            await self._web.close()
            self._web.throttle.store.close()
        if self._own_cache is not None:
            self._own_cache.cleanup()

    def _configured(self, path: Path | None) -> Collections:
        if path is not None and (path.exists() or path is self._config):
            collections = read(path, archive=self.archive_folder)
        else:
            text = default_text(has_archive=self._archive is not None)
            collections = understand(
                text, name=COLLECTIONS_NAME, base=self.base, archive=self.archive_folder
            )
            found = of_pywb(self._pywb_folder) if self._pywb_folder else ()
            taken = {each.name for each in found}
            others = tuple(each for each in collections.collections if each.name not in taken)
            collections = replace(collections, collections=found + others)
        return replace(collections, opened=of_files(self._opened, _names(collections)))

    @cached_property
    def _cache(self) -> Path:
        """The folder for what can be made again; one of this process alone where there is none."""
        try:
            return cache_folder()
        except OSError as error:
            log.warning("The cache cannot be used (%s); nothing is remembered.", error)
            self._own_cache = tempfile.TemporaryDirectory(prefix="carrel-")
            return Path(self._own_cache.name)


def _names(collections: Collections) -> set[str]:
    """Return the names of the collections, and of all their sources."""
    every = collections.collections
    sources = {source.name for each in every for step in each.steps for source in step.sources}
    return {each.name for each in every} | sources


def _written(path: Path | None) -> tuple[int, int] | None:
    """Return what tells one state of a file from another, None where there is no file."""
    try:
        status = path.stat() if path else None
    except OSError:
        return None
    return status and (status.st_mtime_ns, status.st_size)
