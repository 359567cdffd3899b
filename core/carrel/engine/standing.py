# SPDX-License-Identifier: AGPL-3.0-or-later
"""How an archive stands: its figures, its disk, and what it requests."""

import shlex
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from carrel.archive import Archive
from carrel.engine.journal import is_journal_damaged
from carrel.engine.queue_waits import why_queue_waits
from carrel.engine.recovery import is_held
from carrel.model import Job, JobState
from carrel.model.figures import Figures
from carrel.model.hours import Hours
from carrel.model.iso_time import iso_now
from carrel.model.standing import Room, Standing
from carrel.settings.copies import copies_of
from carrel.translation import tr


def standing_of(archive: Archive, untold: Sequence[Job] = ()) -> Standing:
    """Return how an archive stands now; the `untold` jobs run by the ledger alone. It blocks, and
    raises ArchiveError where the ledger cannot be read, or the archive's folder is gone."""
    archive.check_place()
    figures = _with_untold(archive.ledger.figures(iso_now()), untold)
    queue = dict(figures.queue)
    running = queue.get(JobState.RUNNING, 0)
    if running and not archive.is_writable and not is_held(archive):
        # Whoever ran them ended without a word, and the next one goes on with them.
        queue[JobState.QUEUED] = queue.pop(JobState.RUNNING) + queue.get(JobState.QUEUED, 0)
        figures = replace(figures, queue=queue)
    requests, copies = len(archive.settings.undecided), copies_of(archive.path)
    return Standing(
        figures,
        _room(archive.path),
        requests,
        copies,
        is_journal_damaged(archive),
        archive.ledger.lost_results.datasets(),
        _why_queue_waits(archive) if queue.get(JobState.QUEUED) else "",
        archive.ledger.fixity.damaged_warcs() if copies and figures.damaged else (),
    )


def _with_untold(figures: Figures, untold: Sequence[Job]) -> Figures:
    """Count jobs of which the ledger could not be told as what they are by now."""
    queue = Counter(figures.queue)
    queue[JobState.RUNNING] -= len(untold)
    queue.update(job.state for job in untold if not job.is_on_hold)
    on_hold = figures.on_hold + sum(job.is_on_hold for job in untold)
    return replace(figures, queue=+queue, on_hold=on_hold)


def damage_of_original(archive: Archive) -> str:
    """Return that damage which is known in a second copy was found in the archive that it is a copy
    of, "" where this is none, or nothing is known. Raises ArchiveError."""
    if not archive.is_copy or next(archive.ledger.fixity_history.open_damages(), None) is None:
        return ""
    return tr(
        "The damage named here was found in the original archive, and need not be in this second "
        "copy. “{verify}” reads the copy.",
        verify=shlex.join(["carrel", "verify", "--archive", str(archive.path)]),
    )


def _why_queue_waits(archive: Archive) -> str:
    hours = Hours(archive.settings.schedule.hours)
    return why_queue_waits(archive.ledger.jobs, hours, datetime.now(UTC))


def _room(folder: Path) -> Room | None:
    try:
        usage = shutil.disk_usage(folder)
    except OSError:
        return None  # some network disks do not say
    return Room(usage.free, usage.total)
