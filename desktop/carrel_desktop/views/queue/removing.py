# SPDX-License-Identifier: AGPL-3.0-or-later
"""Jobs are taken off the list, in a way that can be taken back."""

from collections.abc import Sequence

from carrel.translation import forms
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.undoing import Done


async def remove(session: Session, job_ids: Sequence[str]) -> Done | None:
    """Take jobs off the list, stopping those that run; None where none was there."""
    removed = await session.call(lambda engine: engine.queue.remove(job_ids))

    def restore() -> None:
        work = session.call(lambda engine: engine.queue.restore(removed))
        session.start(work, is_asked=True)

    text = forms("Removed 1 job from the queue.", "Removed {count} jobs from the queue.")
    return Done(quantities.counted(len(removed), *text), restore) if removed else None
