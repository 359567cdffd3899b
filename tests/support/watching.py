# SPDX-License-Identifier: AGPL-3.0-or-later
"""A repository whose dataset changes under our eyes, at one address; and looks at it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from carrel.demo.answer import Answer, html_answer
from carrel.demo.catalogue import CC_BY
from carrel.demo.dataset import AskedAs, DemoDataset, DemoFile, Hosting
from carrel.demo.inveniordm import inveniordm_answer
from carrel.demo.loopback import SeenRequest
from carrel.demo.server import DemoRepository
from carrel.demo.site import Site
from carrel.engine import Engine
from carrel.engine.watch import Look, Looking, WatchList
from carrel.model import Status
from carrel.model.dark_views import FileDifference, RunProgress, WatchedRow

LOG = DemoFile("log.txt", 400)
WINDS = DemoFile("winds.txt", 500)
TIDES = DemoFile("tides/1953.txt", 600)
RECORD = DemoDataset(
    number=901,
    key="w4tch-tow3r",
    hosting=Hosting.INVENIORDM,
    title="Log of the watch tower",
    creators=("Coast Guard",),
    licence=CC_BY,
    published="2024-03-01",
    shows="a dataset that changes",
    expected=Status.SUCCESS,
    files=(LOG, WINDS, TIDES),
    version="1",
    concept="w4tch-all00",
)
NEWER = replace(
    RECORD,
    number=902,
    key="w4tch-tow4r",
    version="2",
    version_index=2,
    files=(LOG, WINDS, DemoFile("tides/1954.txt", 700)),
)


class _WithoutPages(DemoRepository):
    """Has the files of its datasets, and of their pages knows nothing any more."""

    def answer(self, seen: SeenRequest) -> Answer:
        """Return the answer to a request, 404 to one that is not for a file."""
        answer = super().answer(seen)
        return answer if "/files/" in seen.target else html_answer("<h1>Not found</h1>", 404)


class _WithPagesForFiles(DemoRepository):
    """Says sorry, with status 200 and nothing said of its length, in place of each file."""

    def answer(self, seen: SeenRequest) -> Answer:
        """Return the answer to a request, a page to one that is for a file."""
        answer = super().answer(seen)
        is_for_bytes = answer.payload is not None
        return html_answer("<h1>We are moving</h1>") if is_for_bytes else answer


class _WithFilesUnlisted(DemoRepository):
    """Lists no more than the files of its datasets, and still has all those of `RECORD`."""

    def answer(self, seen: SeenRequest) -> Answer:
        """Return the answer to a request; to one for a file, whether it is listed or not."""
        of_all = Site(self.origin, (RECORD,))
        stored = inveniordm_answer(of_all, urlsplit(seen.target).path)
        return stored if stored and stored.payload else super().answer(seen)


class _WithErrorsForFiles(DemoRepository):
    """Answers requests for files with an error of its own."""

    def answer(self, seen: SeenRequest) -> Answer:
        """Return the answer to a request, an error to one that is for a file."""
        answer = super().answer(seen)
        is_for_bytes = answer.payload is not None
        return html_answer("<h1>Sorry</h1>", 503) if is_for_bytes else answer


class ChangingRepository:
    """The sample repository at one address, with other datasets each time it is told so."""

    def __init__(self, *datasets: DemoDataset) -> None:
        self.running: DemoRepository | None = None
        self.origin = ""
        self._port = 0
        self.publish(*datasets)

    def publish(self, *datasets: DemoDataset) -> None:
        """Serve these datasets from now on, and no others."""
        self._serve(DemoRepository, datasets)

    def withdraw_pages(self, *datasets: DemoDataset) -> None:
        """Serve no more than the files of these datasets from now on."""
        self._serve(_WithoutPages, datasets)

    def send_pages(self, *datasets: DemoDataset) -> None:
        """Serve these datasets, and a web page in place of each file."""
        self._serve(_WithPagesForFiles, datasets)

    def unlist(self, *datasets: DemoDataset) -> None:
        """Serve these datasets, and still all files of `RECORD`."""
        self._serve(_WithFilesUnlisted, datasets)

    def fail_for_files(self, *datasets: DemoDataset) -> None:
        """Serve these datasets, and an error in place of each file."""
        self._serve(_WithErrorsForFiles, datasets)

    def _serve(self, kind: type[DemoRepository], datasets: Sequence[DemoDataset]) -> None:
        self.close()
        self.running = kind(datasets, port=self._port)
        self.running.__enter__()
        self.origin = self.running.origin
        self._port = int(self.origin.rpartition(":")[2])

    def close(self) -> None:
        """Answer no more."""
        if self.running is not None:
            self.running.__exit__(None, None, None)
            self.running = None

    def url(self, dataset: DemoDataset = RECORD) -> str:
        return dataset.page_url(self)

    def concept_url(self, dataset: DemoDataset = RECORD) -> str:
        return replace(dataset, asked_as=AskedAs.CONCEPT).url(self)


def watch(archive: Path, *texts: str) -> int:
    """Put datasets on the list; return how many were not there."""

    async def add() -> int:
        async with Engine.open(archive) as engine:
            return WatchList(engine.archive).add(texts)

    return asyncio.run(add())


def unwatch(archive: Path, *texts: str) -> int:
    """Take datasets off the list; return how many."""

    async def remove() -> int:
        async with Engine.open(archive) as engine:
            return WatchList(engine.archive).remove(texts)

    return asyncio.run(remove())


def look(
    archive: Path,
    *texts: str,
    check_files: bool = True,
    told: list[RunProgress] | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> list[Look]:
    """Look at watched datasets, all if none is named."""

    async def run() -> list[Look]:
        async with Engine.open(archive) as engine:
            return await looking(engine).look(
                texts,
                (lambda progress: None) if told is None else told.append,
                is_cancelled,
                check_files=check_files,
            )

    return asyncio.run(run())


def looking(engine: Engine) -> Looking:
    archive = engine.archive
    return Looking(WatchList(archive), engine.preview, engine._network.client, archive.settings)


def rows(archive: Path) -> list[WatchedRow]:
    async def read() -> list[WatchedRow]:
        async with Engine.open(archive) as engine:
            return WatchList(engine.archive).rows()

    return asyncio.run(read())


def differences(archive: Path, text: str) -> list[FileDifference]:
    async def read() -> list[FileDifference]:
        async with Engine.open(archive) as engine:
            return WatchList(engine.archive).differences(text)

    return asyncio.run(read())


def whats(found: Sequence[FileDifference]) -> dict[str, str]:
    return {each.path: each.what for each in found}
