# SPDX-License-Identifier: AGPL-3.0-or-later
"""The collections file as the engine gives and takes it, over lists in place of a file."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from carrel.engine.mementos.sources import Sources
from carrel.errors import ConfigError
from carrel.model import SourceReport, SourceState, SourceType
from carrel.model.memento_views import CollectionInfo, SourceEntry

MEMENTO, CDX, FILE = SourceType.MEMENTO, SourceType.CDX, SourceType.FILE
PORTUGAL = "memento+https://arquivo.pt/wayback/"
WAYBACK = "cdx+https://web.archive.org/cdx/search/cdx /web/"
NATIONAL = """\
type: memento
# The TimeMap stands elsewhere than the usual rule says.
timegate_url: https://webarchive.nationalarchives.gov.uk/timegate/{url}
timemap_url: https://webarchive.nationalarchives.gov.uk/timemap/{url}
replay_url: https://webarchive.nationalarchives.gov.uk/ukgwa/{timestamp}id_/{url}"""
ODD = "type: cdx\napi_url: https://index.example.org/?url={url}\nfields: all"
BROKEN = """\
collections.yaml, line 12, collection “all”, key “index_grup”: there is no key called \
“index_grup”. Did you mean “index_group”?
collections.yaml, line 18, collection “all”, key “index_group.arquivo”: “arquivo.pt/wayback” must \
begin with http:// or https://."""
NO_GROUP = "“nearby” is not a group of sources; first make it an “index_group” by hand."


def entries() -> dict[str, list[SourceEntry]]:
    """Return the sources of two collections, one of each kind in the first."""
    return {
        "all": [
            SourceEntry("archive", "$archive", SourceType.LEDGER),
            SourceEntry("crawls", "/media/crawls/2019.warc.gz", FILE),
            SourceEntry("arquivo.pt", PORTUGAL, MEMENTO),
            SourceEntry("Internet Archive", WAYBACK, CDX),
            SourceEntry("UK National Archives", NATIONAL, MEMENTO),
            SourceEntry("seminar", "redis://localhost:6379/0/captures", SourceType.REDIS),
            SourceEntry("odd", ODD, None, "“fields”: there is no key called “fields”."),
            SourceEntry("live", "$live", SourceType.LIVE),
        ],
        "public": [SourceEntry("arquivo.pt", PORTUGAL, MEMENTO)],
    }


def reports() -> dict[str, SourceReport]:
    """Return what sources answer, one state each, by their text."""
    soon = datetime.now(UTC) + timedelta(minutes=20)
    return {
        "$archive": SourceReport("s", SourceType.LEDGER, SourceState.NONE, took_s=0.01),
        PORTUGAL: SourceReport("s", MEMENTO, SourceState.ANSWERED, 214, took_s=1.21),
        WAYBACK: SourceReport(
            "s",
            CDX,
            SourceState.REFUSED,
            message="web.archive.org answered 429 Too Many Requests.",
            took_s=0.4,
            until=soon,
        ),
        NATIONAL: SourceReport("s", MEMENTO, SourceState.TIMED_OUT, took_s=15.0),
        "redis://localhost:6379/0/captures": SourceReport(
            "s", SourceType.REDIS, SourceState.UNREACHABLE, message="Connection refused."
        ),
        "$live": SourceReport("s", SourceType.LIVE, SourceState.ANSWERED, 1),
    }


@dataclass(slots=True)
class SourceScript:
    """What the file says. `fixed` are collections that are no lists, with the reason; `refusal` is
    raised by every change, `doubt` told of each; sources whose text is in `held` answer when they
    are released."""

    entries: dict[str, list[SourceEntry]] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    reports: Mapping[str, SourceReport] = field(default_factory=dict)
    refusal: ConfigError | None = None
    doubt: str = ""
    held: frozenset[str] = frozenset()
    texts: dict[str, dict[str, list[SourceEntry]]] = field(default_factory=dict)


class FakeSources(Sources):
    """The part of the engine's mementos that reads and changes the collections file."""

    def __init__(self, script: Callable[[], SourceScript], calls: list[str]) -> None:
        self._now, self.calls = script, calls

    @property
    def script(self) -> SourceScript:
        return self._now()

    def listed(self) -> Sequence[CollectionInfo]:
        """Return the scripted collections, none where others are to be shown."""
        return [
            CollectionInfo(
                name,
                name.capitalize(),
                tuple((each.name, each.kind or FILE) for each in sources),
            )
            for name, sources in self.script.entries.items()
        ]

    async def of(self, collection: str) -> Sequence[SourceEntry]:
        if collection in self.script.fixed:
            raise ConfigError(self.script.fixed[collection])
        return list(self.script.entries.get(collection, ()))

    async def add(self, collection: str, name: str, text: str) -> None:
        self._log(f"add {collection} {name} {text}")
        self._list(collection).append(SourceEntry(name, text, None))

    async def change(self, collection: str, name: str, new_name: str, text: str) -> None:
        self._log(f"change {collection} {name} {new_name} {text}")
        place = self._place(collection, name)
        self._list(collection)[place] = SourceEntry(new_name, text, None)

    async def remove(self, collection: str, name: str) -> None:
        self._log(f"remove {collection} {name}")
        del self._list(collection)[self._place(collection, name)]

    async def move(self, collection: str, name: str, index: int) -> None:
        self._log(f"move {collection} {name} {index}")
        source = self._list(collection).pop(self._place(collection, name))
        self._list(collection).insert(index, source)

    async def doubt(self, text: str) -> str:
        return self.script.doubt

    async def text(self) -> str:
        """Return a text that stands for the entries."""
        entries = {name: list(sources) for name, sources in self.script.entries.items()}
        text = repr(entries)
        self.script.texts[text] = entries
        return text

    async def write(self, text: str, instead_of: str) -> None:
        self._log("write")
        if await self.text() != instead_of:
            raise ConfigError("The collections file was changed in the meantime.")
        self.script.entries.update(self.script.texts[text])

    async def test(self, source: str, url: str) -> SourceReport:
        self.calls.append(f"test {source} {url}")
        while source in self.script.held:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0)
        if source not in self.script.reports:
            raise ConfigError("the source, line 1: there is nothing at this path.")
        return self.script.reports[source]

    def _log(self, call: str) -> None:
        self.calls.append(call)
        if self.script.refusal:
            raise self.script.refusal

    def _list(self, collection: str) -> list[SourceEntry]:
        return self.script.entries[collection]

    def _place(self, collection: str, name: str) -> int:
        return next(n for n, each in enumerate(self._list(collection)) if each.name == name)
