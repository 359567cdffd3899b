# SPDX-License-Identifier: AGPL-3.0-or-later
"""The source that reads a WARC, ARC or WACZ that has no index: it is indexed on the first question.

The index is kept in the cache, under a name that says of which file it is, and how that was: one
that changes is indexed anew, and its old index removed.
"""

import asyncio
import hashlib
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path

from carrel.errors import NotLoaded, SourceTrouble
from carrel.mementos.cdx_file import CdxFile, Skipped
from carrel.mementos.query import Query
from carrel.mementos.sources.source import Rows
from carrel.mementos.warc.external_sort import SortedLines
from carrel.mementos.warc.indexer import (
    SORTING_PREFIX,
    Progress,
    index_files,
    sorting_folder,
    write_whole,
)
from carrel.mementos.warc.problems import Problem
from carrel.mementos.warc.wacz import Wacz
from carrel.model.counts import more_faults
from carrel.model.memento import Memento, SourceState, SourceType
from carrel.translation import tr

_SUFFIX = ".records.cdxj"
# Beside an index: what is missing in it, in a sentence.
_MISSING = ".missing"
_FORGOTTEN_AFTER_S = 90 * 24 * 3600.0
_LEFT_AFTER_S = 2 * 24 * 3600.0
# So many rows are read before an answer is given, so that lines skipped are counted with them.
_READ_FIRST = 1000

Tell = Callable[[Progress], None]


class WarcFiles:
    """The captures in one WARC, ARC or WACZ. Lives on one loop.

    `tell` is called from another thread while the file is indexed.
    """

    kind = SourceType.FILE
    address = ""

    def __init__(
        self, name: str, path: Path, cache: Path, tell: Tell = lambda progress: None
    ) -> None:
        self.name = name
        self._path, self._cache, self._tell = path, cache, tell
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._opened: CdxFile | None = None
        self._missing = ""
        self._work: asyncio.Future[CdxFile] | None = None

    async def rows(self, query: Query) -> Rows:
        """Return the captures in the range, interval and order of a query. Raises SourceTrouble.

        When a question is cancelled, the indexing that it began goes on for the next one; `close`
        ends it.
        """
        if self._work is None or self._work.done():
            self._work = _in_thread(self._index)
            self._work.add_done_callback(_heed)
        index = await asyncio.shield(self._work)
        return await asyncio.to_thread(self._answer, index, query)

    def lookup(self, query: Query) -> Iterator[Memento]:
        """Yield the same captures. Blocks: for worker threads. Raises SourceTrouble."""
        return self._labelled(self._index().lookup(query))

    @property
    def place(self) -> str:
        """Where the captures are."""
        return str(self._path.absolute())

    def find_text(self, text: str) -> Iterator[Memento]:
        """Yield the captures whose URL has a text in it. Blocks. Raises SourceTrouble."""
        return self._labelled(self._index().find_text(text))

    def find_digest(self, digest: str) -> Iterator[Memento]:
        """Yield the captures of any URL whose payload has this digest; no revisits. Blocks."""
        return self._labelled(self._index().find_digest(digest))

    def close(self) -> None:
        """End an indexing that is under way."""
        self._stopped.set()
        if self._opened is not None:
            self._opened.close()

    def _answer(self, index: CdxFile, query: Query) -> Rows:
        skipped = Skipped()
        rows = self._labelled(index.lookup(query, skipped))
        rows = islice(rows, query.limit) if query.may_cut else rows
        first = list(islice(rows, _READ_FIRST))
        return Rows(chain(first, rows), skipped.count, missing=self._missing)

    def _labelled(self, rows: Iterator[Memento]) -> Iterator[Memento]:
        for row in rows:
            row.source = self.name
            yield row

    def _index(self) -> CdxFile:
        """Return the index of the file as it is now, made if it is not there. Raises SourceTrouble.

        One thread at a time makes it; the others wait.
        """
        with self._lock:
            try:
                path = self._cache / self._name_of_index()
                if not path.exists():
                    self._make(path)
                os.utime(path)
                self._missing = _read(path.with_suffix(_MISSING))
                is_empty = not path.stat().st_size
            except OSError as error:
                reason = error.strerror or str(error)
                message = tr(
                    "The captures in {path} cannot be looked up: {reason}.",
                    path=self._path,
                    reason=reason,
                )
                raise SourceTrouble(SourceState.UNREACHABLE, message) from error
            if is_empty and self._missing:
                raise SourceTrouble(SourceState.WRONG_ANSWER, self._missing)
            if self._opened is None or self._opened.path != path:
                self._opened = CdxFile(path, self._cache)
            return self._opened

    def _name_of_index(self) -> str:
        status = self._path.stat()
        return f"{self._prefix()}-{status.st_size}-{status.st_mtime_ns}{_SUFFIX}"

    def _prefix(self) -> str:
        return hashlib.sha256(os.fsencode(self._path.absolute())).hexdigest()[:24]

    def _make(self, path: Path) -> None:
        """Index the file. Raises OSError and SourceTrouble."""
        self._cache.mkdir(parents=True, exist_ok=True)
        _forget(self._cache, self._prefix())
        is_wacz = self._path.name.lower().endswith(".wacz")
        fresh = path.with_suffix(f".{os.getpid()}.fresh")
        count, first = self._from_wacz(fresh) if is_wacz else self._from_warc(fresh)
        missing = path.with_suffix(_MISSING)
        if first is not None:
            more = f" {more_faults(count - 1)}" if count > 1 else ""
            missing.write_text(f"{first}{more}", encoding="utf-8")
        fresh.replace(path)  # last: an index that is there says all that is to be said

    def _from_warc(self, path: Path) -> tuple[int, Problem | None]:
        """Write the index of a WARC; return how many problems there are, and the first."""
        indexed = index_files([self._path], path, self._heard)
        first = indexed.problems[0] if indexed.problems else None
        return len(indexed.problems) + indexed.unlisted, first

    def _from_wacz(self, path: Path) -> tuple[int, Problem | None]:
        problems = _Problems()
        try:
            with sorting_folder(path) as folder:
                lines = SortedLines(folder)
                for line in Wacz(self._path).index_lines(problems.note):
                    self._check()
                    lines.add(line)
                write_whole(lines, path)
        except NotLoaded as error:
            raise SourceTrouble(SourceState.WRONG_ANSWER, str(error)) from error
        return problems.count, problems.first

    def _heard(self, progress: Progress) -> None:
        self._check()
        self._tell(progress)

    def _check(self) -> None:
        if self._stopped.is_set():
            message = tr("Indexing {path} was cancelled.", path=self._path)
            raise SourceTrouble(SourceState.UNREACHABLE, message)


class _Problems:
    """Counts problems and keeps the first."""

    def __init__(self) -> None:
        self.count = 0
        self.first: Problem | None = None

    def note(self, problem: Problem) -> None:
        self.count += 1
        self.first = self.first or problem


def _in_thread(work: Callable[[], CdxFile]) -> "asyncio.Future[CdxFile]":
    """Begin work in a thread that no one waits for when the program ends."""
    done: Future[CdxFile] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # it is handed to whoever asked
            done.set_exception(error)

    threading.Thread(target=run, name="indexing", daemon=True).start()
    return asyncio.wrap_future(done)


def _heed(work: "asyncio.Future[CdxFile]") -> None:
    """Take note of how work ended that no one may be waiting for any more."""
    if not work.cancelled():
        work.exception()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def _forget(cache: Path, prefix: str) -> None:
    """Remove indexes of this file as it was before, and those that no one used for long."""
    long_ago = time.time() - _FORGOTTEN_AFTER_S
    for index in cache.glob(f"*{_SUFFIX}"):
        with suppress(OSError):
            if index.name.startswith(prefix) or index.stat().st_mtime < long_ago:
                index.with_suffix(_MISSING).unlink(missing_ok=True)
                index.unlink()
    # What a killed process left.
    for left in (*cache.glob(f"{SORTING_PREFIX}*"), *cache.glob("*.fresh")):
        with suppress(OSError):
            if left.stat().st_mtime < time.time() - _LEFT_AFTER_S:
                shutil.rmtree(left) if left.is_dir() else left.unlink()
