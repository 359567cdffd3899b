# SPDX-License-Identifier: AGPL-3.0-or-later
"""The engine's mementos over a script: archives that answer, are slow, refuse, or rest."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from carrel.engine.mementos import Mementos
from carrel.engine.mementos.local import LocalCaptures
from carrel.engine.mementos.server import MementoServer
from carrel.errors import ConfigError, NotLoaded, QueryError
from carrel.mementos.query import Query
from carrel.model import Memento, SourceReport, SourceState, SourceType
from carrel.model.memento_views import (
    CollectionInfo,
    Comparison,
    DatasetPart,
    Found,
    Holding,
    Peek,
    Saved,
)
from support.fake_sources import FakeSources, SourceScript

OWN, WAYBACK, NATIONAL = "This archive", "Internet Archive", "National Library"
BATCH = 2000

Tell = Callable[[SourceReport, Sequence[Memento]], None]
Answer = tuple[SourceReport, Sequence[Memento]]


@dataclass(slots=True)
class MementoScript:
    """What is held where. Answers are by URL; sources in `held` answer when they are released.

    `merged` are the captures of a URL after folding, where that is more than putting them together.
    """

    collections: Sequence[CollectionInfo] = (
        CollectionInfo(
            "all",
            "All archives",
            ((WAYBACK, SourceType.CDX), (NATIONAL, SourceType.MEMENTO), (OWN, SourceType.LEDGER)),
        ),
        CollectionInfo("own", "Only this archive", ((OWN, SourceType.LEDGER),)),
    )
    answers: Mapping[str, Sequence[Answer]] = field(default_factory=dict)
    merged: Mapping[str, Sequence[Memento]] = field(default_factory=dict)
    held: frozenset[str] = frozenset()
    peeks: Mapping[str, Peek] = field(default_factory=dict)
    comparison: Comparison | None = None
    parts: Mapping[str, Sequence[DatasetPart]] = field(default_factory=dict)
    hosts: Sequence[Holding] = ()
    below: Mapping[tuple[str, str], Sequence[Holding]] = field(default_factory=dict)
    found: Sequence[Memento] = ()
    config_error: ConfigError | None = None
    sources: SourceScript = field(default_factory=SourceScript)


class FakeLocal(LocalCaptures):
    def __init__(self, mementos: "FakeMementos") -> None:
        self._mementos = mementos

    async def hosts(self, text: str = "") -> Sequence[Holding]:
        return [host for host in self._mementos.script.hosts if text in host.name]

    async def below(self, host: str, path: str = "/") -> Sequence[Holding]:
        self._mementos.calls.append(f"below {host} {path}")
        return self._mementos.script.below.get((host, path), ())

    async def search(self, text: str, most: int = 1000) -> Sequence[Memento]:
        return [memento for memento in self._mementos.script.found if text in memento.url][:most]


class FakeServer(MementoServer):
    def __init__(self) -> None:
        """Listen nowhere."""

    async def address_of(
        self, memento: Memento | None, collection: str, *, is_raw: bool = False
    ) -> str:
        if memento is None:
            return "http://127.0.0.1:8765/token/"
        at = f"{memento.timestamp}{'id_' if is_raw else ''}"
        return f"http://127.0.0.1:8765/{collection}/{at}/{memento.url}"


class FakeMementos(Mementos):
    """The methods of the engine's mementos over a script; `calls` tells what was asked."""

    def __init__(self, script: MementoScript, calls: list[str]) -> None:
        self.script = script
        self.calls = calls
        self.sources = self.fake_sources = FakeSources(lambda: self.script.sources, calls)
        self.local = FakeLocal(self)
        self.server = FakeServer()
        self._released: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def config_path(self) -> Path | None:
        return Path("/srv/archives/research-data/collections.yaml")

    def collections(self) -> Sequence[CollectionInfo]:
        if self.script.config_error:
            raise self.script.config_error
        return self.fake_sources.listed() or self.script.collections

    def release(self) -> None:
        """Let held sources answer; from any thread."""
        assert self._loop
        assert self._released
        self._loop.call_soon_threadsafe(self._released.set)

    async def find(
        self, text: str, collection: str, tell: Tell | None = None, query: Query | None = None
    ) -> Found:
        self.calls.append(f"find {text} {collection}")
        tell = tell or (lambda report, rows: None)
        self._loop = asyncio.get_running_loop()
        self._released = self._released or asyncio.Event()
        if " " in text:
            raise QueryError(f"“{text}” is no URL and no identifier.")
        url = f"https://doi.org/{text}" if text.startswith("10.") else text
        answers = self._answers(url, collection)
        for report, _ in answers:
            tell(SourceReport(report.source, report.source_type, SourceState.ASKED), ())
        for report, rows in answers:
            if report.source in self.script.held:
                await self._released.wait()
            await asyncio.sleep(0)
            for first in range(0, len(rows), BATCH):
                tell(replace(report, count=min(first + BATCH, len(rows))), rows[first:][:BATCH])
            if not rows:
                tell(report, ())
        together = [row for _, rows in answers for row in rows]
        merged = self.script.merged.get(url, together)
        ordered = sorted(merged, key=lambda row: row.timestamp)
        return Found(url, ordered, [report for report, _ in answers])

    def _answers(self, url: str, collection: str) -> list[Answer]:
        names = next(each.sources for each in self.script.collections if each.name == collection)
        told = {report.source: (report, rows) for report, rows in self.script.answers.get(url, ())}
        return [
            told.get(name, (SourceReport(name, type_, SourceState.NONE), ()))
            for name, type_ in names
        ]

    async def peek(self, memento: Memento, collection: str, most: int = 1024**2) -> Peek:
        self.calls.append(f"peek {memento.timestamp} {memento.source}")
        peek = self.script.peeks.get(memento.timestamp) or self.script.peeks.get(memento.url)
        if peek is None:
            raise NotLoaded(memento.source, f"{memento.source} does not give this capture.")
        return replace(peek, memento=memento)

    async def save(
        self, memento: Memento, collection: str, path: Path, tell: Callable[[int, int], None]
    ) -> Saved:
        self.calls.append(f"save {memento.timestamp} {path.name}")
        peek = await self.peek(memento, collection)
        tell(len(peek.content) // 2, len(peek.content))
        path.write_bytes(peek.content)
        return Saved(
            path, len(peek.content), "0" * 64, True, peek.delivered_at, peek.part, peek.status
        )

    async def compare(self, one: Memento, other: Memento, collection: str) -> Comparison:
        self.calls.append(f"compare {one.timestamp} {other.timestamp}")
        if self.script.comparison is None:
            raise NotLoaded(one.source, f"{one.source} does not give this capture.")
        return self.script.comparison

    async def parts_of(self, ingest_id: str) -> Sequence[DatasetPart]:
        return self.script.parts.get(ingest_id, ())
