# SPDX-License-Identifier: AGPL-3.0-or-later
"""How an ingest was asked to stop: for good, to go on later, or once what it has begun is done."""

import threading
from time import monotonic

from carrel.errors import IngestStop
from carrel.model import Status
from carrel.translation import tr

# So long a dataset is described of an ingest that is cancelled.
_PATIENCE_S = 20.0


class Stopping:
    """Asked from any thread. `lists_files` says that files were fetched before an interruption, and
    `is_described` that it is known by now which files there are.

    Of an ingest that is cancelled between, the dataset is described all the same, for a while: else
    no one could tell what was archived of it.
    """

    def __init__(self) -> None:
        self._cancelled, self._ending = threading.Event(), threading.Event()
        self._patient_until = 0.0
        self.is_suspended = self.lists_files = self.is_described = False

    def cancel(self) -> None:
        """Have it end for good."""
        self.is_suspended = False
        self._cancelled.set()
        self._patient_until = monotonic() + _PATIENCE_S

    def suspend(self) -> None:
        """Have it stop here and be taken up later, unless it is to end anyway."""
        if not self._cancelled.is_set():
            self.is_suspended = True
            self._cancelled.set()

    def wind_down(self) -> None:
        """Have it end what it has begun, and be taken up later."""
        self._ending.set()

    def is_cancelled(self) -> bool:
        """Say whether it is to stop, for good or not."""
        return self._cancelled.is_set()

    def is_winding_down(self) -> bool:
        """Say whether it is to be taken up later, though nothing is wrong with it."""
        return self._ending.is_set()

    def is_before_files(self) -> bool:
        """Say whether it is to stop before it comes to its files."""
        if not self._cancelled.is_set():
            return self._ending.is_set()
        if self.is_suspended or not self.lists_files:
            return True
        return not self.is_described and monotonic() > self._patient_until

    def reason(self, stop: IngestStop) -> IngestStop:
        """Return why it stops before its files, where `stop` kept them from being known."""
        if not self._cancelled.is_set() or self.is_suspended or not self.lists_files:
            return stop
        message = tr(
            "The ingest was stopped. What had arrived is in the archive's WARC files; which files "
            "of the dataset that is could not be found out. {why}",
            why=stop,
        )
        return IngestStop(Status.CANCELLED, message)
