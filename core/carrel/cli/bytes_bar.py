# SPDX-License-Identifier: AGPL-3.0-or-later
"""One bar of bytes on a terminal, with rate and time left."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)


class BytesBar:
    """Use as a context manager. Standard error must be a terminal; nothing else is touched."""

    def __init__(self, label: str) -> None:
        self._progress = Progress(
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
        self._task = self._progress.add_task(label, total=None)

    def __enter__(self) -> "BytesBar":
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def show(self, done: int, total: int) -> None:
        self._progress.update(self._task, completed=done, total=total)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Take the bar off the terminal while something else is printed there."""
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()
