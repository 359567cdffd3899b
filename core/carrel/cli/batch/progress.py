# SPDX-License-Identifier: AGPL-3.0-or-later
"""The progress of a batch, on standard error: how many datasets are through, and those that run."""

import sys
from contextlib import AbstractContextManager, nullcontext

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from carrel.cli.bars import ProgressBars, one_line
from carrel.cli.terminal import is_terminal
from carrel.model import JobState
from carrel.model.events import Event, JobChanged


def batch_progress(total: int) -> AbstractContextManager["BatchProgress | None"]:
    """Give what shows the events of the queue, None where standard error is no terminal."""
    return BatchProgress(total) if is_terminal(sys.stderr) else nullcontext()


class BatchProgress(ProgressBars):
    """Reads the events of the queue; `total` is how many datasets wait.

    Standard error must be a terminal.
    """

    def __init__(self, total: int) -> None:
        self._datasets = Progress(
            TextColumn("{task.description}", table_column=one_line()),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            expand=True,
        )
        self._through = self._datasets.add_task("datasets", total=total)
        super().__init__(above=self._datasets, names_dataset=True)

    def show(self, event: Event) -> None:
        """Take an event of the queue, or of an ingest in it."""
        super().show(event)
        if not isinstance(event, JobChanged) or event.job.state is JobState.RUNNING:
            return
        self.drop(event.job.ingest_id or "")
        if event.job.finished is not None:
            self._datasets.advance(self._through)
