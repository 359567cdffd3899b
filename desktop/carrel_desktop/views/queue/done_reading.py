# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far the jobs that are done were read, page by page, the last that finished first."""

from collections.abc import Callable

from carrel.model.done_jobs import DonePage, Place
from carrel_desktop.views.queue.row import BEFORE_CLOSED, Row, order_of


class DoneReading:
    """What was read under one filter. The next page follows `after`; `want` asks for it."""

    def __init__(self, want: Callable[[], None]) -> None:
        self._want = want
        # Up to where, by the order of rows; None: all.
        self._frontier: tuple[float, ...] | None = None
        self.after: Place | None = None
        self.is_reading = False

    @property
    def lacks_some(self) -> bool:
        """Whether jobs are done that pass the filter, and were not read yet."""
        return self._frontier is not None

    def begin(self, *, is_unread: bool) -> None:
        """Begin anew, with all read, or nothing."""
        self.after, self.is_reading = None, False
        self._frontier = BEFORE_CLOSED if is_unread else None

    def want_more(self) -> None:
        """Ask for the next page, once."""
        if not self.is_reading:
            self.is_reading = True
            self._want()

    def take(self, page: DonePage) -> None:
        """Note how far was read, with the jobs of a page."""
        self.after, self.is_reading = page.last, False
        self._frontier = None if page.last is None else max(map(order_of, page.jobs))

    def has_read(self, row: Row) -> bool:
        """Say whether all rows before this one were read."""
        return self._frontier is None or row.order <= self._frontier
