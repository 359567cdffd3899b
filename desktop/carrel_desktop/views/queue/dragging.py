# SPDX-License-Identifier: AGPL-3.0-or-later
"""Jobs on their way to another place in the list."""

from collections.abc import Sequence

from PySide6.QtCore import QMimeData

from carrel.model import Job
from carrel_desktop.views.queue.row import Row

JOBS_FORMAT = "application/x-carrel-jobs"


def dragged(jobs: Sequence[Job]) -> QMimeData:
    """Return jobs as they are dragged: for us their ids, for other programs their addresses."""
    data = QMimeData()
    data.setData(JOBS_FORMAT, "\n".join(job.job_id for job in jobs).encode())
    data.setText("\n".join(job.request.base_url for job in jobs))
    return data


def job_ids_in(data: QMimeData) -> list[str]:
    """Return the ids of dragged jobs, none for anything else."""
    text = bytes(data.data(JOBS_FORMAT).data()).decode() if data.hasFormat(JOBS_FORMAT) else ""
    return text.split("\n") if text else []


def first_movable(rows: Sequence[Row], dragged_ids: Sequence[str]) -> str | None:
    """Return the first of these jobs that has a turn and is not dragged itself, None for none."""
    moving = set(dragged_ids)
    for row in rows:
        if row.is_movable and row.job.job_id not in moving:
            return row.job.job_id
    return None
