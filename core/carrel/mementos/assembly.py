# SPDX-License-Identifier: AGPL-3.0-or-later
"""From the configuration to collections that can be asked: a line here for each kind of source."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from carrel.errors import ConfigError
from carrel.ledger import Ledger
from carrel.mementos.config.collection import (
    CdxSource,
    Collection,
    Collections,
    FileSource,
    LedgerSource,
    LiveSource,
    MementoSource,
    RedisSource,
    SourceConfig,
    Step,
    WarcPrefix,
)
from carrel.mementos.loading.loader import Loader
from carrel.mementos.lookup import OpenCollection, OpenStep
from carrel.mementos.sources.cdx_files import CdxFiles
from carrel.mementos.sources.cdx_server import CdxServer
from carrel.mementos.sources.ledger_captures import LedgerCaptures
from carrel.mementos.sources.live import LiveWeb
from carrel.mementos.sources.memento_archive import MementoArchive
from carrel.mementos.sources.source import Closable, Inspectable, Source
from carrel.mementos.sources.warc_files import WarcFiles
from carrel.mementos.web import Web
from carrel.model.endings import RECORD_ENDINGS
from carrel.translation import tr


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What sources and loaders need of the world.

    `cache` is a folder for indexes that are made on the way. `ledger` is None without an archive.
    """

    web: Web
    cache: Path
    ledger: Ledger | None = None
    may_reach_private: bool = False


class OpenCollections:
    """All collections of a configuration, opened. Lives on one loop."""

    def __init__(self, collections: Collections, surroundings: Surroundings) -> None:
        self.warnings = collections.warnings
        self._configured = collections
        opened = collections.opened
        beside = _open_step(opened.steps[0], surroundings) if opened else None
        self._collections = {
            each.name: _open_collection(each, surroundings, beside)
            for each in collections.collections
        }
        if opened and beside:
            self._collections[opened.name] = OpenCollection(opened.name, [beside], opened.title)

    def __iter__(self) -> Iterator[OpenCollection]:
        return iter(self._collections.values())

    def problems(self) -> Sequence[str]:
        """Return what is wrong with local indexes: stale, unsorted, without their WARCs. Blocks."""
        found: dict[str, None] = {}
        every = [*self._configured.collections]
        if self._configured.opened:
            every.append(self._configured.opened)
        for configured in every:
            steps = self._collections[configured.name].steps
            for step, opened in zip(configured.steps, steps, strict=True):
                folders = _warc_folders(step)
                for source in opened.sources:
                    if isinstance(source, Inspectable):
                        found.update(dict.fromkeys(source.problems(folders)))
        return list(found)

    def close(self) -> None:
        """End what the sources still do."""
        for step in [step for collection in self for step in collection.steps]:
            for source in step.sources:
                if isinstance(source, Closable):
                    source.close()

    def named(self, name: str) -> OpenCollection | None:
        return self._collections.get(name)


def open_source(config: SourceConfig, surroundings: Surroundings) -> Source:
    """Return a source that can be asked. Raises ConfigError where it lacks its archive."""
    match config:
        case FileSource(name, path) if path.name.lower().endswith(RECORD_ENDINGS):
            return WarcFiles(name, path, surroundings.cache)
        case FileSource(name, path):
            return CdxFiles(name, path, surroundings.cache)
        case LedgerSource(name) if surroundings.ledger is not None:
            return LedgerCaptures(name, surroundings.ledger)
        case LedgerSource(name):
            raise ConfigError(
                tr("“{name}” is the archive itself, and no archive is open.", name=name)
            )
        case RedisSource(name, redis_url):
            from carrel.mementos.sources.redis_rows import RedisRows  # its library is large

            return RedisRows(name, redis_url)
        case CdxSource():
            return CdxServer(config, surroundings.web)
        case MementoSource():
            return MementoArchive(config, surroundings.web)
        case LiveSource(name):
            return LiveWeb(name)


def _warc_folders(step: Step) -> Sequence[Path]:
    """Return where the WARCs of a step lie, none if they may lie elsewhere too."""
    prefixes = [each.location for each in step.resources if isinstance(each, WarcPrefix)]
    folders = [each for each in prefixes if isinstance(each, Path)]
    return folders if len(folders) == len(step.resources) else ()


def _open_collection(
    collection: Collection, surroundings: Surroundings, beside: OpenStep | None
) -> OpenCollection:
    steps = [_open_step(step, surroundings) for step in collection.steps]
    return OpenCollection(collection.name, steps, collection.title, beside)


def _open_step(step: Step, surroundings: Surroundings) -> OpenStep:
    sources = [open_source(each, surroundings) for each in step.sources]
    make_loader = partial(_loader, step, surroundings)
    return OpenStep(sources, step.timeout_s, surroundings.web.throttle, make_loader)


def _loader(step: Step, surroundings: Surroundings, find: OpenStep) -> Loader:
    return Loader(
        surroundings.web,
        step.resources,
        find=find,
        may_reach_private=surroundings.may_reach_private,
    )
