# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is done for an ingest once its end is noted: the formats of its files are identified."""

import asyncio
from typing import TYPE_CHECKING

from carrel.access.formats.availability import why_unavailable
from carrel.archive import Archive

if TYPE_CHECKING:
    from carrel.engine.formats import FormatIdentification
    from carrel.engine.ingest import Ingest


class AfterIngest:
    """One process identifies for all ingests that run, and ends when none does. For one loop."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._formats: FormatIdentification | None = None

    async def identify(self, ingest: "Ingest") -> None:
        """Identify what an ingest has archived, where there is what does that."""
        if not ingest.has_archived or why_unavailable():
            return
        if self._formats is None:
            from carrel.engine.formats import FormatIdentification  # few have what it needs

            self._formats = FormatIdentification(self._archive)
        after_ingest = self._formats.after_ingest
        await asyncio.to_thread(after_ingest, ingest.ingest_id, lambda: ingest.is_over)

    async def rest(self) -> None:
        """End the process until another ingest needs it."""
        if self._formats is not None:
            formats, self._formats = self._formats, None
            await asyncio.to_thread(formats.close)
