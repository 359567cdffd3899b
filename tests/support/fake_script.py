# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a fake engine shall know and do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from carrel.model import IngestFilesetResult, Job, PlatformItem, Question, RecordCheck, Status
from carrel.model.standing import Standing
from support import fake_standing
from support.fake_dark import DarkScript
from support.fake_mementos import MementoScript


@dataclass(slots=True)
class Script:
    """What the engine shall know and do.

    `items` are datasets and `refusals` outcomes, both by request URL; `file_outcomes` are outcomes
    of single files by path. Ingests of `held` URLs stop halfway until they are released. Of the
    URLs in `questions` each first attempt ends in a question. `jobs` are in the queue from before,
    which may be paused.
    The archive stands as in `standing`.
    """

    items: Mapping[str, PlatformItem] = field(default_factory=dict)
    refusals: Mapping[str, Status] = field(default_factory=dict)
    file_outcomes: Mapping[str, Status] = field(default_factory=dict)
    held: frozenset[str] = frozenset()
    questions: Mapping[str, Question] = field(default_factory=dict)
    jobs: Sequence[Job] = ()
    is_queue_paused: bool = False
    kept: Sequence[IngestFilesetResult] = ()
    damaged: Sequence[RecordCheck] = ()
    read_only_because: str = ""
    opening_error: Exception | None = None
    place_error: Exception | None = None
    ledger_error: Exception | None = None
    standing: Standing = fake_standing.EMPTY
    mementos: MementoScript = field(default_factory=MementoScript)
    dark: DarkScript = field(default_factory=DarkScript)
