# SPDX-License-Identifier: AGPL-3.0-or-later
"""The source that reads CDX and CDXJ: one file, or a folder of them."""

import asyncio
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from carrel.errors import SourceTrouble
from carrel.mementos.cdx_file import CdxFile, Skipped
from carrel.mementos.index_bytes import unreadable
from carrel.mementos.query import Query
from carrel.mementos.reader_threads import reading
from carrel.mementos.row_order import merged
from carrel.mementos.sources.source import Rows
from carrel.model.endings import WARC_ENDINGS
from carrel.model.memento import Memento, SourceState, SourceType
from carrel.translation import tr

_ENDINGS = (".cdx", ".cdxj")
_PACKED = (".cdx.gz", ".cdxj.gz")
_ZIPNUM = (".idx", ".summary", ".loc")
# So many rows are read before an answer is given, so that lines skipped are counted with them.
_READ_FIRST = 1000
_SAMPLED_ROWS = 500
_ATTEMPTS = 4


class CdxFiles:
    """Local captures, from one index file or from every *.cdx and *.cdxj in a folder.

    Files that come, go or change are noticed by the next question. `cache` is a folder for sorted
    copies of files that are not sorted. Lives on one loop.
    """

    kind = SourceType.FILE
    address = ""

    def __init__(self, name: str, path: Path, cache: Path) -> None:
        self.name = name
        self._path = path
        self._cache = cache
        self._files: dict[Path, CdxFile] = {}
        self._work: asyncio.Future[Rows] | None = None
        # Whether it was opened, and sorted where need be: the first question may take long.
        self._is_ready = False

    async def rows(self, query: Query) -> Rows:
        """Return the captures in the range, interval and order of a query. Raises SourceTrouble.

        The file is read in a worker thread. Questions for one URL take microseconds, and wait for
        no one; those that go through much of an index follow each other. What is under way when a
        question is cancelled goes on for the next one: sorting an index that was not, say.
        """
        if query.is_exact and self._is_ready:
            return await reading(self._answer, query)
        while self._work is not None and not self._work.done():
            await asyncio.wait([self._work])
        self._work = asyncio.ensure_future(reading(self._answer, query))
        self._work.add_done_callback(_heed)
        return await asyncio.shield(self._work)

    def lookup(self, query: Query) -> Iterator[Memento]:
        """Return the same captures. Reading blocks: for worker threads. Raises SourceTrouble."""
        return self._lookup(query, Skipped(), [])

    @property
    def place(self) -> str:
        """Where the captures are."""
        return str(self._path.absolute())

    def find_text(self, text: str) -> Iterator[Memento]:
        """Yield the captures whose URL has a text in it. Blocks. Raises SourceTrouble."""
        for file in self._current():
            yield from self._labelled(file, file.find_text(text))

    def find_digest(self, digest: str) -> Iterator[Memento]:
        """Yield the captures of any URL whose payload has this digest; no revisits.

        All is gone through: for worker threads. Raises SourceTrouble.
        """
        for file in self._current():
            yield from self._labelled(file, file.find_digest(digest))

    def problems(self, warc_folders: Sequence[Path] = ()) -> list[str]:
        """Return sentences about what works otherwise than someone may think. Blocks.

        `warc_folders` are where the WARCs of these captures lie.
        """
        try:
            files = self._current()
            return [
                *self._passed_over(),
                *chain.from_iterable(map(_problems_of, files)),
                *_newer_warcs(files, warc_folders),
                *_missing_warcs(files, warc_folders),
            ]
        except SourceTrouble as trouble:
            return [str(trouble)]

    def close(self) -> None:
        for file in self._files.values():
            file.close()

    def _answer(self, query: Query) -> Rows:
        skipped, missing = Skipped(), list[str]()
        rows = self._lookup(query, skipped, missing)
        first = list(islice(rows, _READ_FIRST))
        self._is_ready = True
        return Rows(chain(first, rows), skipped.count, missing=" ".join(missing))

    def _lookup(self, query: Query, skipped: Skipped, missing: list[str]) -> Iterator[Memento]:
        """Return the captures; what is `missing` are files that cannot be read while others can.

        Raises SourceTrouble where none can.
        """
        before = skipped.count
        for _ in range(_ATTEMPTS):
            found: list[Iterator[Memento]] = []
            troubles: list[SourceTrouble] = []
            skipped.count = before
            for file in (files := self._current()):
                try:
                    found.append(self._labelled(file, file.lookup(query, skipped)))
                except SourceTrouble as trouble:
                    troubles.append(trouble)
            # Of several files someone may just have made one.
            if not troubles or [file.path for file in files] == self._paths():
                break
        if troubles and not found:
            raise troubles[0]
        missing += map(str, troubles)
        rows = merged(query, found)
        return islice(rows, query.limit) if query.may_cut else rows

    def _labelled(self, file: CdxFile, rows: Iterable[Memento]) -> Iterator[Memento]:
        detail = "" if file.path == self._path else file.path.name
        for row in rows:
            row.source, row.detail = self.name, detail
            yield row

    def _current(self) -> list[CdxFile]:
        """Return the files that there are now. Raises SourceTrouble."""
        self._files = {
            path: self._files.get(path) or CdxFile(path, self._cache) for path in self._paths()
        }
        return list(self._files.values())

    def _paths(self) -> list[Path]:
        try:
            names = os.listdir(self._path)
        except NotADirectoryError:
            if self._path.name.endswith((*_ZIPNUM, *_PACKED)):
                raise _unsupported(self._path) from None
            return [self._path]
        except OSError as error:
            raise unreadable(self._path, error) from error
        return [self._path / name for name in sorted(names) if name.endswith(_ENDINGS)]

    def _passed_over(self) -> list[str]:
        """Return why indexes in the folder are not looked at."""
        if not self._path.is_dir():
            return []
        names = sorted(name.name for name in self._path.iterdir())
        unread = [name for name in names if name.endswith((*_ZIPNUM, *_PACKED))]
        return [str(_unsupported(self._path / name)) for name in unread]


def _unsupported(path: Path) -> SourceTrouble:
    kind = tr("part of a ZipNum cluster") if path.name.endswith(_ZIPNUM) else "packed"
    return SourceTrouble(
        SourceState.WRONG_ANSWER,
        tr(
            "The index {path} is {kind}, which cannot be searched. Unpack it to a plain CDXJ file.",
            path=path,
            kind=kind,
        ),
    )


def _heed(work: "asyncio.Future[Rows]") -> None:
    """Take note of how work ended that no one may be waiting for any more."""
    if not work.cancelled():
        work.exception()


def _problems_of(file: CdxFile) -> Iterator[str]:
    try:
        if not file.is_sorted:
            yield tr(
                "The index {path} is not sorted. It is searched in a sorted copy; sort it "
                "with LC_ALL=C sort to have it searched directly.",
                path=file.path,
            )
        row = next(file.sample(1), None)
        if row is not None and not _is_surt(row.urlkey):
            yield tr(
                "The keys of the index {path} are no SURTs (“{urlkey}”), so "
                "nothing can be found by them. Index its WARCs again.",
                path=file.path,
                urlkey=row.urlkey[:60],
            )
    except SourceTrouble as trouble:
        yield str(trouble)


def _is_surt(urlkey: str) -> bool:
    """Say whether a key is one that web addresses, or schemes without hosts, have."""
    return ")" in urlkey or ":" in urlkey or urlkey == "-"


def _newer_warcs(files: Sequence[CdxFile], folders: Sequence[Path]) -> list[str]:
    written = max((_modified(file.path) for file in files), default=0.0)
    newer = sorted(path.name for path in _warcs(folders) if _modified(path) > written)
    if not newer:
        return []
    return [
        tr(
            "{some} changed after the index was written, so captures in them may be missing. "
            "Index them.",
            some=_some(newer),
        )
    ]


def _missing_warcs(files: Sequence[CdxFile], folders: Sequence[Path]) -> list[str]:
    """Return a sentence about WARCs that a sample of rows names and that are not there."""
    if not folders:
        return []
    rows = chain.from_iterable(file.sample(_SAMPLED_ROWS) for file in files)
    names = {row.fields.get("filename", "") for row in rows} - {""}
    there = {path.name for path in _warcs(folders)}
    missing = sorted(
        name
        for name in names
        if Path(name).name not in there and not any((each / name).exists() for each in folders)
    )
    if not missing:
        return []
    return [
        tr(
            "The index names {some}, not to be found in {folders}. Its captures cannot be shown.",
            some=_some(missing),
            folders=", ".join(map(str, folders)),
        )
    ]


def _warcs(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        if folder.is_dir():
            yield from (path for path in folder.iterdir() if path.name.endswith(WARC_ENDINGS))


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _some(names: Sequence[str]) -> str:
    rest = len(names) - 3
    return ", ".join(names[:3]) + (tr(" and {rest} more", rest=rest) if rest > 0 else "")
