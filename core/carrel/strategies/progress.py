# SPDX-License-Identifier: AGPL-3.0-or-later
"""How one transfer comes on: told to the faces, counted against limits, given room on the disk."""

from time import monotonic

from carrel.errors import IngestStop
from carrel.model import Stage, Status
from carrel.model.sizes import in_words
from carrel.strategies.strategy import Work
from carrel.translation import tr

_PROGRESS_EVERY_S = 0.1
_SLACK_BYTES = 1024 * 1024


class Progress:
    """Tells how one file comes on, not more often than anyone can see, and minds the budget."""

    def __init__(self, work: Work, index: int, declared: int | None) -> None:
        self._work, self._index = work, index
        self._declared, self._is_published = declared or 0, declared is not None
        self._taken = 0
        self._told_at = 0.0
        self._received, self._total = 0, declared
        self._found = 0
        self._waits_for = ""

    def received(self, count: int, total: int | None) -> None:
        if count == 0:
            self.give_back()
            self._found = 0
        self._received, self._total = count, total if total is not None else self._total
        now = monotonic()
        if now - self._told_at >= _PROGRESS_EVERY_S:
            self._told_at = now
            self.phase(Stage.FETCH)

    def found(self, count: int) -> None:
        """Take how many of the bytes an earlier ingest left."""
        self._found = count

    def phase(self, phase: Stage) -> None:
        self._work.events.progress(
            self._index, self._received, self._total, phase, found=self._found
        )

    def waits(self, reason: str) -> None:
        """Tell what is waited for, once; with "" that it moves again."""
        if reason == self._waits_for:
            return
        self._waits_for = reason
        if reason:
            self._work.events.waiting(self._index, reason, is_passing=True)
        else:
            self.phase(Stage.FETCH)

    def reserve(self, count: int) -> None:
        """Take from the budget what the declared size does not cover.

        Raises IngestStop when far more arrives than was published: such a file is not the one, and
        must not use up what the others may take. A content coding can make some difference.
        """
        if self._is_published and self._received + count > self._declared * 2 + _SLACK_BYTES:
            message = tr(
                "More bytes arrive than the published {declared}.", declared=self._declared
            )
            raise IngestStop(Status.MISMATCH_SIZE, message, may_repeat=False)
        room = self._work.archive.room
        room.use(self._work.ingest_id, count)
        room.wait(self._work.is_cancelled, self._wait_for_room)
        uncovered = max(0, self._received + count - self._declared) - self._taken
        if uncovered > 0:
            self._taken += uncovered
            self._work.budget.take(uncovered)

    def _wait_for_room(self, free: int) -> None:
        reason = tr("The disk has only {size} left; make room and it resumes.", size=in_words(free))
        self._work.events.waiting(self._index, reason)

    def give_back(self) -> None:
        """Give back what a try took that came to nothing: its bytes are gone."""
        self._work.budget.take(-self._taken)
        self._taken = 0
