# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which of several attempts at a dataset its row shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from carrel.model.status import Status


@dataclass(frozen=True, slots=True, order=True)
class Attempt:
    """One attempt; they sort by when they ended, then by id."""

    finished: datetime
    ingest_id: str
    status: str

    @property
    def is_existing(self) -> bool:
        return self.status == Status.SUCCESS_EXISTING


def shown(attempts: Sequence[Attempt]) -> Attempt:
    """Return the attempt that the row of a dataset shows: the newest, whatever order they came in.

    `success-existing` only says that an archive has it all already. It never hides the success that
    brought it there: where that is the newest besides, it is shown. `attempts` are not empty.
    """
    newest = max(attempts)
    others = [each for each in attempts if not each.is_existing]
    if newest.is_existing and others and (last := max(others)).status.startswith(Status.SUCCESS):
        return last
    return newest
