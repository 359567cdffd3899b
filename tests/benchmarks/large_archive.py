# SPDX-License-Identifier: AGPL-3.0-or-later
"""The window on a large archive: how long each page takes to paint and to fill, how long it stalls.

The goals, at 100,000 holdings with 1,000,000 files: each page painted within 100 ms, the figures of
the Overview read within 50 ms, 99 of 100 turns of the window's loop late by less than 30 ms.

usage: QT_QPA_PLATFORM=offscreen large_archive.py [--datasets N] [--files N] [--folder DIR]
"""

import argparse
import asyncio
import hashlib
import json
import random
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import qasync
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from carrel.archive import LEDGER_NAME, Archive
from carrel.engine import Engine
from carrel_desktop.app import make_app
from carrel_desktop.garbage import collected_here
from carrel_desktop.main_window import MainWindow
from carrel_desktop.page import Page
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.overview.view import FILLED

_TICK_S = 0.005
_REACHED_S = 0.3
_PLATFORMS = ("dataverse", "zenodo", "figshare", "dspace", "osf", "dryad", "pangaea")
_WORDS = (
    *("tide", "harbour", "parish", "census", "burial", "ledger", "marsh", "survey", "rainfall"),
    *("herring", "cathedral", "dialect", "pollen", "glacier", "orchard", "quarry", "lichen"),
    *("railway", "estuary", "hymn", "weaving", "copper", "plankton"),
)
_LICENSES = ("CC-BY-4.0", "CC0-1.0", "ODbL-1.0", "")
_BEGAN = datetime(2019, 1, 7, tzinfo=UTC)


class Sample:
    """The rows of datasets that never were: the same in every run."""

    def __init__(self, number: int, files: int) -> None:
        noise = random.Random(number)
        self.number = number
        self.ended = _BEGAN + timedelta(minutes=31 * number)
        self.ingest_id = f"{self.ended:%Y%m%dT%H%M%S}-{number:016x}"
        self.domain = f"repository{number % 97}.example"
        self.url = f"https://{self.domain}/dataset/{number}"
        self.platform = noise.choice(_PLATFORMS)
        self.license = noise.choice(_LICENSES)
        self.title = f"{' '.join(noise.choices(_WORDS, k=5)).capitalize()}, {1500 + number % 500}"
        self.creators = [f"{noise.choice(_WORDS).title()}, {noise.choice('ABCDEFG')}."]
        self.paths = [f"{noise.choice(_WORDS)}/{each:04}-{number}.csv" for each in range(files)]

    @property
    def finished(self) -> str:
        return f"{self.ended:%Y-%m-%dT%H:%M:%SZ}"

    def files(self) -> Iterator[dict[str, Any]]:
        for position, path in enumerate(self.paths):
            name = f"{self.number}/{position}".encode()
            yield {
                "path": path,
                "size": 1000 + position,
                "md5": hashlib.md5(name, usedforsecurity=False).hexdigest(),
                "sha1": hashlib.sha1(name, usedforsecurity=False).hexdigest(),
                "sha256": hashlib.sha256(name).hexdigest(),
                "mimetype": "text/csv",
                "status": "success",
                "platform_url": f"{self.url}/{path}",
                "terminal_url": f"{self.url}/{path}",
                "terminal_dt": f"{self.ended:%Y%m%d%H%M%S}",
            }

    def result(self) -> dict[str, Any]:
        manifest = list(self.files())
        size = sum(file["size"] for file in manifest)
        return {
            "hit": True,
            "status": "success",
            "request": {"ingest_type": "dataset", "base_url": self.url},
            "ingest_id": self.ingest_id,
            "started": self.finished,
            "finished": self.finished,
            "findings": [],
            "platform_name": self.platform,
            "platform_domain": self.domain,
            "platform_id": f"doi:10.5072/{self.number}",
            "platform_version": "1.0",
            "title": self.title,
            "creators": self.creators,
            "license": self.license or None,
            "doi": f"10.5072/{self.number}",
            "file_count": len(manifest),
            "total_size": size,
            "kept_count": len(manifest),
            "kept_size": size,
            "proof": {"digest": len(manifest), "size": 0, "nothing": 0},
            "ingest_strategy": "web-fileset",
            "manifest": manifest,
        }


def make_archive(folder: Path, datasets: int, files: int) -> None:
    """Make an archive whose ledger says that it holds so many datasets; it has no WARCs."""
    with Archive.create_or_open(folder):
        pass
    with sqlite3.connect(folder / LEDGER_NAME) as db:
        for number in range(datasets):
            _add(db, Sample(number, files // datasets))
    db.close()
    with Archive.create_or_open(folder) as archive:
        archive.ledger.catalogue.make()


def _add(db: sqlite3.Connection, sample: Sample) -> None:
    request = json.dumps({"ingest_type": "dataset", "base_url": sample.url})
    _insert(
        db,
        "requests",
        id=sample.number + 1,
        ingest_type="dataset",
        base_url=sample.url,
        created=sample.finished,
        request=request,
    )
    result = sample.result()
    columns = ("platform_name", "platform_domain", "platform_id", "platform_version")
    _insert(
        db,
        "results",
        ingest_id=sample.ingest_id,
        request_id=sample.number + 1,
        base_url=sample.url,
        started=sample.finished,
        finished=sample.finished,
        hit=1,
        status="success",
        terminal_url=sample.url,
        result=json.dumps(result),
        **{name: result[name] for name in columns},
    )
    for position, file in enumerate(result["manifest"]):
        record_id = f"<urn:uuid:{sample.number:08x}-0000-4000-8000-{position:012x}>"
        _insert(db, "captures", **_capture(sample, file, record_id, position))
        names = {"ingest_id": sample.ingest_id, "position": position, "capture_id": record_id}
        _insert(db, "files", **names, **file)
    state = "done"
    _insert(
        db,
        "jobs",
        job_id=f"job-{sample.number:08}",
        base_url=sample.url,
        request=request,
        options="{}",
        state=state,
        position=sample.number,
        batch=f"list {sample.number // 5000}",
        added=sample.finished,
        attempts=1,
        ingest_id=sample.ingest_id,
        finished=sample.finished,
        status="success",
        title=sample.title,
        platform_name=sample.platform,
        file_count=result["file_count"],
        kept_count=result["kept_count"],
        total_size=result["total_size"],
        kept_size=result["kept_size"],
    )


def _capture(sample: Sample, file: dict[str, Any], record_id: str, position: int) -> dict[str, Any]:
    digests = {name: file[name] for name in ("md5", "sha1", "sha256", "size", "mimetype")}
    return {
        "record_id": record_id,
        "ingest_id": sample.ingest_id,
        "url": file["platform_url"],
        "surt": f"example,{sample.domain.split('.')[0]})/dataset/{sample.number}/{file['path']}",
        "timestamp": file["terminal_dt"],
        "status_code": 200,
        "filename": f"main-{file['terminal_dt']}-{sample.number:05}-carrel.warc.gz",
        "offset": position * 2000,
        "length": 2000,
        "is_revisit": 0,
        **digests,
    }


def _insert(db: sqlite3.Connection, table: str, **values: object) -> None:
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(values.values()))


class Painted(QObject):
    """When a widget was last painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.at: float | None = None
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and self.at is None:
            self.at = time.perf_counter()
        return False


class Pulse:
    """How late the turns of the window's loop were, and how long its thread was at work in each: on
    a machine with other work the latter tells more. In seconds.
    """

    def __init__(self) -> None:
        self.late: list[float] = []
        self.busy: list[float] = []
        self._told = 0

    async def beat(self) -> None:
        while True:
            begun, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(_TICK_S)
            self.late.append(max(0.0, time.perf_counter() - begun - _TICK_S))
            self.busy.append(time.thread_time() - worked)

    def worst(self) -> str:
        """Return the longest since this was asked last."""
        begun, self._told = self._told, len(self.late)
        late, busy = (max(each[begun:], default=0.0) * 1000 for each in (self.late, self.busy))
        return f"at most {late:4.0f} ms late, {busy:4.0f} at work"

    def in_worst_hundredth(self) -> str:
        late, busy = (sorted(each)[int(len(each) * 0.99)] * 1000 for each in (self.late, self.busy))
        return f"the worst hundredth of turns: {late:.0f} ms late, {busy:.0f} at work"


class Trial:
    """One window, used."""

    def __init__(self, window: MainWindow) -> None:
        self.window, self.pulse = window, Pulse()

    async def run(self) -> None:
        beating = asyncio.ensure_future(self.pulse.beat())
        for when in ("at first", "again"):
            for kind in PageKind:
                await self._open(kind, when)
        await self._work_in_holdings()
        await self._work_in_queue()
        beating.cancel()
        print(self.pulse.in_worst_hundredth())

    async def _open(self, kind: PageKind, when: str) -> None:
        """Open a page as the mouse does: it comes to the side bar, and clicks a moment later."""
        bar, there = self.window.side_bar, QPointF()
        QApplication.sendEvent(bar, QEnterEvent(there, there, there))
        await asyncio.sleep(_REACHED_S)
        self.pulse.worst()
        begun = time.perf_counter()
        bar.buttons[list(PageKind).index(kind)].click()
        page = self.window.page
        painted = Painted(page)
        page.update()  # it may be the one that is shown
        await _until(lambda: painted.at is not None)
        shown = (painted.at or 0) - begun
        await self._settled(page)
        filled = time.perf_counter() - begun
        await asyncio.sleep(0.3)
        self._tell(f"{page.naming.title} {when}", shown, filled)

    async def _settled(self, page: Page) -> None:
        pages = self.window.pages
        if page is pages.overview:
            await _until(lambda: pages.overview.stack.currentIndex() == FILLED)
        elif page is pages.holdings:
            await _until(lambda: pages.holdings.listing.is_settled and self._has_rows())
        elif page is pages.queue:
            await _until(lambda: not pages.queue.reading.is_busy)

    def _has_rows(self) -> bool:
        model = self.window.pages.holdings.listing.model
        return bool(model.rowCount()) and bool(model.index(0, 0).data())

    async def _work_in_holdings(self) -> None:
        holdings = self.window.pages.holdings
        self.window.show_page(holdings)
        for text in ("harb", "0003-77123", "cathedral dialect", "hymn", ""):
            await self._timed(f"find “{text}”", partial(self._find, text))
            await self._timed("… and all that follow", self._completed)
        for column in range(6):
            await self._timed(f"sort by column {column}", partial(self._sort, column))
            await self._timed("… and all that follow", self._completed)
        await self._timed("facets", self._facets)
        await self._timed("choose a row", self._choose)
        await self._timed("scroll", self._scroll)

    async def _find(self, text: str) -> None:
        listing = self.window.pages.holdings.listing
        listing.ask(text=text)
        await _until(
            lambda: listing.is_settled and (self._has_rows() or not listing.model.rowCount())
        )

    async def _completed(self) -> None:
        listing = self.window.pages.holdings.listing
        await _until(lambda: listing.answer is not None and listing.answer.is_whole)

    async def _sort(self, column: int) -> None:
        holdings = self.window.pages.holdings
        holdings.ui.table.sortByColumn(column, Qt.SortOrder.AscendingOrder)
        await asyncio.sleep(0)
        await _until(lambda: holdings.listing.is_settled and self._has_rows())

    async def _facets(self) -> None:
        holdings = self.window.pages.holdings
        holdings.filtering.show(True)
        holdings.filtering.keep()
        listing = holdings.listing
        await _until(lambda: listing.answer is not None and not listing.answer.is_counting)

    async def _choose(self) -> None:
        holdings = self.window.pages.holdings
        holdings.ui.table.setCurrentIndex(holdings.listing.model.index(5, 0))
        await _until(lambda: holdings.choice.record is not None)

    async def _scroll(self) -> None:
        table = self.window.pages.holdings.ui.table
        for _ in range(40):
            QTest.keyClick(table, Qt.Key.Key_PageDown)
            await asyncio.sleep(0.01)
        QTest.keyClick(table, Qt.Key.Key_End)
        await asyncio.sleep(0.2)

    async def _work_in_queue(self) -> None:
        queue = self.window.pages.queue
        self.window.show_page(queue)

        async def scroll() -> None:
            for _ in range(40):
                QTest.keyClick(queue.tree, Qt.Key.Key_PageDown)
                await asyncio.sleep(0.01)

        await self._timed("scroll the queue", scroll)

    async def _timed(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        self.pulse.worst()
        begun = time.perf_counter()
        await work()
        took = time.perf_counter() - begun
        await asyncio.sleep(0.2)
        self._tell(name, None, took)

    def _tell(self, name: str, painted: float | None, filled: float) -> None:
        paint = f"painted {painted * 1000:5.0f} ms, " if painted is not None else " " * 18
        print(f"{name:26} {paint}done {filled * 1000:5.0f} ms, {self.pulse.worst()}", flush=True)


async def _until(is_so: Callable[[], bool]) -> None:
    until = time.perf_counter() + 60
    while not is_so():
        if time.perf_counter() > until:
            raise TimeoutError
        await asyncio.sleep(0.001)


async def use(folder: Path) -> None:
    """Open a window on an archive and use it."""
    begun = time.perf_counter()
    window = MainWindow.furnished(Session(folder, Engine.open_or_read), Theme(make_app()))
    painted = Painted(window)
    window.resize(1400, 850)
    window.show()
    await _until(lambda: painted.at is not None)
    print(f"window painted after {((painted.at or 0) - begun) * 1000:.0f} ms")
    await window.session.open()
    print(f"archive open after {(time.perf_counter() - begun) * 1000:.0f} ms")
    try:
        await asyncio.sleep(1)
        await Trial(window).run()
    finally:
        await window.session.close()
        window.hide()


def figures(folder: Path) -> None:
    """Print how long the figures of the Overview take."""
    with Archive.open_for_reading(folder) as archive:
        took = []
        for _ in range(5):
            begun = time.perf_counter()
            archive.ledger.figures(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")
            took.append(time.perf_counter() - begun)
    best, most = min(took) * 1000, max(took) * 1000
    print(f"figures of the Overview: {best:.0f} ms at best, {most:.0f} at most")


def main() -> None:
    """Make the archive where there is none yet, and use it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=int, default=100_000)
    parser.add_argument("--files", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    with TemporaryDirectory() as passing:
        folder = given.folder or Path(passing) / "archive"
        if not folder.exists():
            begun = time.perf_counter()
            make_archive(folder, given.datasets, given.files)
            print(f"made in {time.perf_counter() - begun:.0f} s")
        figures(folder)
        app = make_app()
        with (
            collected_here(app),
            asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as run,
        ):
            run.run(use(folder))


if __name__ == "__main__":
    main()
