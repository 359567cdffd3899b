# SPDX-License-Identifier: AGPL-3.0-or-later
"""The engine: one open archive, one client, one queue. Plain asyncio, one loop.

Methods that are coroutines run on the engine's own loop; the others may be called from any thread.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from carrel.engine.options import IngestOptions
from carrel.model import IngestFilesetResult, IngestRequest, Paste, VerificationReport
from carrel.model.events import Emit, ignore


class Engine:
    """Everything a face can ask for.

    As a context manager (`async with Engine.open(path) as engine`) it holds the archive's lock, and
    on leaving it stops what runs and leaves the archive true.
    """

    @classmethod
    def open(cls, archive: Path, emit: Emit = ignore) -> "Engine":
        """Return an engine on the archive at this path, made if there is none.

        `emit` gets the events of everything that is queued, on the engine's loop.
        """
        raise NotImplementedError

    async def __aenter__(self) -> "Engine":
        raise NotImplementedError

    async def __aexit__(self, *exc: object) -> None:
        raise NotImplementedError

    @staticmethod
    def understand(text: str) -> Paste:
        """Return the identifiers in a pasted text, and the lines that hold none."""
        raise NotImplementedError

    async def preview(
        self, request: IngestRequest, options: IngestOptions = IngestOptions(), emit: Emit = ignore
    ) -> IngestFilesetResult:
        """Return what an ingest would find, before anything is fetched; nothing is kept."""
        raise NotImplementedError

    async def ingest(
        self, request: IngestRequest, options: IngestOptions = IngestOptions(), emit: Emit = ignore
    ) -> IngestFilesetResult:
        """Archive a dataset now, past the queue, and return how it ended."""
        raise NotImplementedError

    async def enqueue(
        self, request: IngestRequest, options: IngestOptions = IngestOptions()
    ) -> str:
        """Put a dataset into the queue, which starts it when there is room; return its id."""
        raise NotImplementedError

    async def cancel(self, ingest_id: str) -> None:
        """Stop a queued or running ingest; what was verified stays kept."""
        raise NotImplementedError

    def results(self, url: str | None = None) -> Sequence[dict[str, Any]]:
        """Return the latest result of each dataset as result objects, newest first.

        With `url`, those whose request, identifier, landing page or file has this address.
        """
        raise NotImplementedError

    def result(self, ingest_id: str) -> dict[str, Any] | None:
        """Return the result object of one attempt, None if there is none."""
        raise NotImplementedError

    async def verify(self, ingest_id: str | None = None, emit: Emit = ignore) -> VerificationReport:
        """Read every record again (or those of one ingest) against every digest that is known."""
        raise NotImplementedError
