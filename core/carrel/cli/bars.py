# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bars of bytes on a terminal, with rate and time left: of an ingest, or of any other long work."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.table import Column

from carrel.cli.terminal import brief, printable
from carrel.model import PlatformItem, Stage, Status, total_size
from carrel.model.events import (
    Described,
    Event,
    FileFinished,
    FileProgress,
    FileStarted,
    IngestFinished,
    IngestStarted,
    StageEntered,
)
from carrel.translation import tr

_PHASES = {
    Stage.RESOLVE: "resolving",
    Stage.DESCRIBE: tr("querying the platform about"),
    Stage.CHOOSE: tr("choosing a strategy for"),
    Stage.VERIFY: "verifying",
    Stage.FETCH: "fetching",
    Stage.STORE: "storing",
    Stage.REPORT: "sealing",
}
_PATH_CHARACTERS = 40
_BAR_CHARACTERS = 16


class Bars:
    """Something drawn on a terminal while long work goes on. Use as a context manager."""

    def __init__(self, drawn: Progress | Live) -> None:
        self._drawn = drawn

    def __enter__(self) -> Self:
        self._drawn.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._drawn.stop()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take it off the terminal while something else is printed there."""
        self._drawn.stop()
        try:
            yield
        finally:
            self._drawn.start()


class ProgressBars(Bars):
    """Reads the event stream of ingests, a bar for each. Standard error must be a terminal.

    `above` is shown over them. While files arrive the first of those that do is named, with its
    dataset if `names_dataset`.
    """

    def __init__(self, *, above: Progress | None = None, names_dataset: bool = False) -> None:
        self._bars = _progress()
        parts = [self._bars] if above is None else [above, self._bars]
        console = Console(stderr=True)
        # Else what is printed meanwhile would go to standard error.
        super().__init__(
            Live(
                Group(*parts),
                console=console,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
        )
        self._names_dataset = names_dataset
        self._running: dict[str, _Running] = {}

    def show(self, event: Event) -> None:
        """Take an event of the stream."""
        if isinstance(event, IngestStarted):
            task = self._bars.add_task(printable(event.request.base_url), total=None)
            self._running[event.ingest_id] = _Running(task)
        if (running := self._running.get(event.ingest_id)) is None:
            return
        match event:
            case StageEntered():
                self._describe(running, f"{_PHASES[event.stage]} {event.detail}")
            case Described():
                running.take(event.item)
                self._bars.update(running.task, total=total_size(event.item.manifest) or None)
            case FileProgress():
                running.count(event.index, event.received)
                self._moved(running, was_there=running.finds(event.index, event.found))
            case FileStarted():
                running.begin(event.index)
            case FileFinished():
                was_there = not running.has_begun(event.index)
                was_there = was_there or event.file.status is Status.SUCCESS_EXISTING
                running.end(event.index, (event.file.size or 0) if event.file.is_kept else 0)
                self._moved(running, was_there=was_there)
            case IngestFinished():
                self.drop(event.ingest_id)

    def drop(self, ingest_id: str) -> None:
        """Show an ingest no longer, if it is shown."""
        if running := self._running.pop(ingest_id, None):
            self._bars.remove_task(running.task)

    def _moved(self, running: "_Running", *, was_there: bool) -> None:
        """Show how far an ingest is; what was there before it began is no speed."""
        if was_there:
            task = next(each for each in self._bars.tasks if each.id == running.task)
            task.completed = running.received  # an update would take it for what moved
        self._bars.update(running.task, completed=running.received)
        if named := running.named(with_dataset=self._names_dataset):
            self._describe(running, named)

    def _describe(self, running: "_Running", words: str) -> None:
        self._bars.update(running.task, description=printable(words))


class _Running:
    """An ingest that runs: what it is of, and how far its files are."""

    def __init__(self, task: TaskID) -> None:
        self.task = task
        self.received = 0
        self._title = ""
        self._paths: Sequence[str] = ()
        self._bytes: dict[int, int] = {}
        self._found: dict[int, int] = {}
        self._moving: dict[int, None] = {}  # in the order in which they began
        self._begun: set[int] = set()

    def take(self, item: PlatformItem) -> None:
        self._title = brief(item.title or item.platform_id)
        self._paths = [entry.path for entry in item.manifest]

    def begin(self, index: int) -> None:
        self._begun.add(index)

    def has_begun(self, index: int) -> bool:
        """Say whether anything of a file was fetched: else an earlier ingest had it."""
        return index in self._begun or index in self._moving

    def count(self, index: int, received: int) -> None:
        self._moving[index] = None
        self.received += received - self._bytes.get(index, 0)
        self._bytes[index] = received

    def finds(self, index: int, found: int) -> bool:
        """Take how much of a file an earlier ingest left; say whether it is more than before."""
        before, self._found[index] = self._found.get(index, 0), found
        return found > before

    def end(self, index: int, size: int) -> None:
        self.count(index, size)
        del self._moving[index]
        self._begun.discard(index)

    def named(self, *, with_dataset: bool) -> str:
        """Return the file that moves, and how many do beside it; "" if none does."""
        first = next(iter(self._moving), None)
        if first is None or first >= len(self._paths):
            return ""
        beside = f" +{len(self._moving) - 1}" if len(self._moving) > 1 else ""
        file = f"{_shortened(self._paths[first])}{beside}"
        return f"{file} · {self._title}" if with_dataset else file


def _shortened(path: str) -> str:
    """Return the end of a path, which tells files apart better than its beginning."""
    return path if len(path) <= _PATH_CHARACTERS else f"…{path[1 - _PATH_CHARACTERS :]}"


class BytesBar(Bars):
    """One bar. Standard error must be a terminal."""

    def __init__(self, label: str) -> None:
        progress = _progress()
        super().__init__(progress)
        self._bar = progress
        self._task = progress.add_task(label, total=None)

    def show(self, done: int, total: int) -> None:
        self._bar.update(self._task, completed=done, total=total)


class CountBar(Bars):
    """One bar of things that are done one by one. Standard error must be a terminal."""

    def __init__(self, label: str, total: int) -> None:
        progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        super().__init__(progress)
        self._bar = progress
        self._task = progress.add_task(label, total=total)

    def advance(self) -> None:
        """Count one more as done."""
        self._bar.advance(self._task)


def one_line() -> Column:
    """Return a column that takes what the others leave, and cuts what does not fit."""
    return Column(ratio=1, no_wrap=True, overflow="ellipsis")


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False, table_column=one_line()),
        BarColumn(bar_width=_BAR_CHARACTERS),
        DownloadColumn(binary_units=True),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        expand=True,
        transient=True,
        # Else what is printed meanwhile would go to standard error.
        redirect_stdout=False,
        redirect_stderr=False,
    )
