# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far a batch is, on standard error: one bar of datasets; silent when it is no terminal."""

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from carrel.cli.bars import Bars
from carrel.cli.terminal import printable
from carrel.model import JobState
from carrel.model.events import Event, JobChanged


class BatchProgress(Bars):
    """Reads the events of the queue; `total` is how many datasets wait."""

    def __init__(self, total: int) -> None:
        progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            disable=not sys.stderr.isatty(),
            transient=True,
            # Else what belongs on standard output would be drawn beside the bar.
            redirect_stdout=False,
            redirect_stderr=False,
        )
        super().__init__(progress)
        self._task = progress.add_task("datasets", total=total)

    def show(self, event: Event) -> None:
        """Take an event of the queue."""
        if self._progress.disable or not isinstance(event, JobChanged):
            return
        if event.job.state is JobState.RUNNING:
            words = printable(event.job.title or event.job.request.base_url)
            self._progress.update(self._task, description=words[:60])
        elif event.job.finished is not None:
            self._progress.advance(self._task)
