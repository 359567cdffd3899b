# SPDX-License-Identifier: AGPL-3.0-or-later
"""The formats of what ingests archive: identified as the files arrive, or once the end is noted."""

import asyncio
from typing import TYPE_CHECKING

from carrel.access.formats.availability import why_unavailable
from carrel.archive import Archive

if TYPE_CHECKING:
    from carrel.engine.formats import FormatIdentification
    from carrel.engine.ingest import Ingest
    from carrel.strategies.strategy import HeedEnds


class IngestFormats:
    """One process identifies for all ingests that run, and ends when none does. For one loop."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._identification: FormatIdentification | None = None

    @property
    def heed(self) -> "HeedEnds | None":
        """What an ingest that begins now gives its files' ends to; None where nothing identifies.

        It is of use until `rest`.
        """
        if why_unavailable():
            return None
        arriving = self._begun().arriving
        arriving.get_ready()
        return arriving.take

    async def identify(self, ingest: "Ingest") -> None:
        """Identify what an ingest has archived, where there is what does that."""
        if not ingest.has_archived or why_unavailable():
            return
        after_ingest = self._begun().after_ingest
        await asyncio.to_thread(after_ingest, ingest.ingest_id, lambda: ingest.is_over)

    async def rest(self) -> None:
        """End the process until another ingest needs it."""
        if self._identification is not None:
            identification, self._identification = self._identification, None
            await asyncio.to_thread(identification.close)

    def _begun(self) -> "FormatIdentification":
        if self._identification is None:
            from carrel.engine.formats import FormatIdentification  # few have what it needs

            self._identification = FormatIdentification(self._archive)
        return self._identification
