# SPDX-License-Identifier: AGPL-3.0-or-later
"""Jobs are taken off the list, in a way that can be taken back."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.undoing import Done

SOON_S = 0.5  # what takes less is not worth a word


async def remove(session: Session, job_ids: Sequence[str]) -> Done | None:
    """Take jobs off the list, stopping those that run; None where none was there."""
    doing = forms("Removing 1 job from the queue…", "Removing {count} jobs from the queue…")
    async with telling(session, quantities.counted(len(job_ids), *doing)):
        removed = await session.call(lambda engine: engine.queue.remove(job_ids))

    async def back() -> None:
        jobs = quantities.counted(len(removed), *forms("1 job", "{count} jobs"))
        doing, done = tr("Restoring {jobs}…", jobs=jobs), tr("Restored {jobs}.", jobs=jobs)
        async with telling(session, doing, done):
            await session.call(lambda engine: engine.queue.restore(removed))

    def restore() -> None:
        session.start(back(), is_asked=True)

    text = forms("Removed 1 job from the queue.", "Removed {count} jobs from the queue.")
    return Done(quantities.counted(len(removed), *text), restore) if removed else None


@asynccontextmanager
async def telling(session: Session, doing: str, done: str = "") -> AsyncIterator[None]:
    """Say what is being done where it takes a while, and then that it is done, if nothing else
    does."""
    loop = asyncio.get_running_loop()
    is_told = False

    def tell() -> None:
        nonlocal is_told
        is_told = True
        session.noted.emit(doing)

    soon = loop.call_later(SOON_S, tell)
    try:
        yield
    finally:
        soon.cancel()
    if is_told and done:
        session.noted.emit(done)
