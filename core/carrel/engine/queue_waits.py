# SPDX-License-Identifier: AGPL-3.0-or-later
"""Why no job of the queue begins: it is paused, or it is outside of the hours."""

from datetime import datetime

from carrel.ledger.jobs import Jobs
from carrel.model.hours import Hours
from carrel.translation import tr


def why_queue_waits(jobs: Jobs, hours: Hours, now: datetime) -> str:
    """Return it for people, "" where jobs begin once a program works on the queue."""
    if jobs.paused_since() is not None:
        return tr(
            "The queue is paused, and stays so until you resume it, in the window or by “carrel "
            "batch run”."
        )
    return "" if hours.include(now) else held_back_words(hours, now)


def held_back_words(hours: Hours, now: datetime) -> str:
    """Return that it is outside of the hours, and when they begin."""
    begins = hours.next_change(now)
    if begins is None:
        return tr("Datasets are archived {hours} only.", hours=hours.text)
    local = begins.astimezone(hours.zone)
    day = "" if local.date() == now.astimezone(hours.zone).date() else f"{local:%Y-%m-%d} "
    return tr(
        "The queue goes on at {moment}: datasets are archived {hours} only.",
        hours=hours.text,
        moment=f"{day}{local:%H:%M}",
    )
