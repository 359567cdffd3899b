# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bars of bytes on a terminal, with rate and time left: of an ingest, or of any other long work."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from carrel.cli.terminal import printable
from carrel.model import Stage, total_size
from carrel.model.events import (
    Described,
    Event,
    FileFinished,
    FileProgress,
    IngestFinished,
    IngestStarted,
    StageEntered,
)

_PHASES = {
    Stage.RESOLVE: "looking up",
    Stage.DESCRIBE: "asking the platform about",
    Stage.CHOOSE: "choosing a strategy for",
    Stage.VERIFY: "verifying",
    Stage.FETCH: "fetching",
    Stage.STORE: "storing",
    Stage.REPORT: "sealing",
}


class Bars:
    """Something drawn on a terminal while long work goes on. Use as a context manager."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._progress.stop()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take it off the terminal while something else is printed there."""
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()


class ProgressBars(Bars):
    """Reads the event stream of one ingest after the other. Standard error must be a terminal."""

    def __init__(self) -> None:
        super().__init__(_progress())
        self._task: TaskID | None = None
        self._received: dict[int, int] = {}
        self._sum = 0

    def show(self, event: Event) -> None:
        """Take an event of the stream."""
        match event:
            case IngestStarted():
                self._received, self._sum = {}, 0
                self._task = self._progress.add_task(printable(event.request.base_url), total=None)
            case StageEntered():
                words = printable(f"{_PHASES[event.stage]} {event.detail}")
                self._update(description=words[:60])
            case Described():
                self._update(total=total_size(event.item.manifest) or None)
            case FileProgress():
                self._count(event.index, event.received)
            case FileFinished():
                self._count(event.index, (event.file.size or 0) if event.file.is_kept else 0)
            case IngestFinished() if self._task is not None:
                self._progress.remove_task(self._task)
                self._task = None

    def _count(self, index: int, received: int) -> None:
        self._sum += received - self._received.get(index, 0)
        self._received[index] = received
        self._update(completed=self._sum)

    def _update(self, *, total: int | None = None, **fields: object) -> None:
        if self._task is None:
            return
        if total is not None:
            self._progress.update(self._task, total=total)
        self._progress.update(self._task, **fields)  # type: ignore[arg-type]  # its own names


class BytesBar(Bars):
    """One bar. Standard error must be a terminal."""

    def __init__(self, label: str) -> None:
        super().__init__(_progress())
        self._task = self._progress.add_task(label, total=None)

    def show(self, done: int, total: int) -> None:
        self._progress.update(self._task, completed=done, total=total)


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(binary_units=True),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        # Else what is printed meanwhile would go to standard error.
        redirect_stdout=False,
        redirect_stderr=False,
    )
