# SPDX-License-Identifier: AGPL-3.0-or-later
"""The engine: one archive, one client, one queue. Plain asyncio, one loop.

Methods that are coroutines run on the engine's own loop; the others may be called from any thread.
"""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from carrel.archive import Archive
from carrel.capture.client import Client
from carrel.engine.ingest import Ingest, Tools, iso_now, new_ingest_id
from carrel.engine.queue import Queue
from carrel.engine.verification import capture_checks, other_checks
from carrel.errors import UsageError
from carrel.model import (
    Fate,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    Paste,
    RecordCheck,
    Status,
    VerificationReport,
)
from carrel.model.events import Emit, IngestQueued, RecordVerified, ignore
from carrel.platforms.identifiers import find
from carrel.settings import Settings


class Engine:
    """Everything a face can ask for.

    As a context manager (`async with Engine.open(path) as engine`) it holds the archive's lock, and
    on leaving it stops what runs and leaves the archive true.
    """

    def __init__(self, archive: Archive, emit: Emit) -> None:
        self.archive = archive
        self._emit = emit
        self._client = Client(archive.settings.network)
        self._tools = Tools(self._client, archive.settings, archive)
        self._queue = Queue(archive.settings.network.ingests, Ingest.run)

    @classmethod
    def open(cls, archive: Path, emit: Emit = ignore) -> "Engine":
        """Return an engine on the archive at this path, made if there is none.

        `emit` gets the events of everything that is queued, on the engine's loop. Attempts that an
        earlier process left unfinished get their true end here. Raises ArchiveError.
        """
        opened = Archive.create_or_open(archive)
        opened.sweep()
        for ingest_id in opened.ledger.interrupted():
            _close_interrupted(opened, ingest_id)
        return cls(opened, emit)

    async def __aenter__(self) -> "Engine":
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._queue.stop()
        self._client.close()
        self.archive.close()

    @staticmethod
    def understand(text: str) -> Paste:
        """Return the identifiers in a pasted text, and the lines that hold none."""
        return find(text)

    async def preview(
        self, request: IngestRequest, options: IngestOptions = IngestOptions(), emit: Emit = ignore
    ) -> IngestFilesetResult:
        """Return what an ingest would find, before anything is fetched; nothing is kept."""
        return await Ingest(self._tools, request, options, emit, new_ingest_id()).preview()

    async def ingest(
        self, request: IngestRequest, options: IngestOptions = IngestOptions(), emit: Emit = ignore
    ) -> IngestFilesetResult:
        """Archive a dataset now, past the queue, and return how it ended."""
        ingest = Ingest(self._tools, request, options, emit, new_ingest_id())
        return await self._queue.run_now(ingest)

    async def enqueue(
        self, request: IngestRequest, options: IngestOptions = IngestOptions()
    ) -> str:
        """Put a dataset into the queue, which starts it when there is room; return its id."""
        ingest = Ingest(self._tools, request, options, self._emit, new_ingest_id())
        self._emit(IngestQueued(ingest.ingest_id, request))
        self._queue.add(ingest)
        return ingest.ingest_id

    async def cancel(self, ingest_id: str) -> None:
        """Stop a queued or running ingest; what was verified stays kept."""
        self._queue.cancel(ingest_id)

    def cancel_all(self) -> None:
        """Ask everything to stop; what was verified stays kept."""
        self._queue.cancel_all()

    def results(self, url: str | None = None) -> Sequence[dict[str, Any]]:
        """Return the latest result of each dataset, newest first, without the manifests.

        With `url`, those whose request, identifier, landing page or file has this address.
        """
        return self.archive.ledger.latest_results(url)

    def result(self, ingest_id: str) -> dict[str, Any] | None:
        """Return the whole result object of one attempt, None if there is none."""
        return self.archive.ledger.result(ingest_id)

    async def verify(self, ingest_id: str | None = None, emit: Emit = ignore) -> VerificationReport:
        """Read every record again (or those of one ingest) against every digest that is known."""
        return await verify(self.archive, ingest_id, emit)


async def preview(
    request: IngestRequest,
    settings: Settings,
    options: IngestOptions = IngestOptions(),
    emit: Emit = ignore,
) -> IngestFilesetResult:
    """Preview a dataset with no archive at hand."""
    with Client(settings.network) as client:
        tools = Tools(client, settings, None)
        return await Ingest(tools, request, options, emit, new_ingest_id()).preview()


async def verify(
    archive: Archive, ingest_id: str | None = None, emit: Emit = ignore
) -> VerificationReport:
    """Run fixity checks on an archive, which may be open for reading only.

    Raises UsageError for the id of an ingest that there is not.
    """
    ledger = archive.ledger
    if ingest_id is not None and ledger.result(ingest_id) is None:
        raise UsageError(f"There is no ingest {ingest_id} in this archive.")
    captures = ledger.captures() if ingest_id is None else ledger.captures_of_files(ingest_id)
    loop = asyncio.get_running_loop()
    checks = capture_checks(archive, captures)
    if ingest_id is None:
        checks = chain(checks, other_checks(archive, captures))
    total = sum(capture.size for capture in captures)
    return await asyncio.to_thread(_verify, checks, total, ingest_id or "", emit, loop)


def _verify(
    checks: Iterator[RecordCheck],
    total: int,
    run_id: str,
    emit: Emit,
    loop: asyncio.AbstractEventLoop,
) -> VerificationReport:
    done = records = 0
    failures: list[RecordCheck] = []
    for check in checks:
        records += 1
        done += check.size
        if check.fate is not Fate.INTACT:
            failures.append(check)
        # The small records between the payloads are not known beforehand.
        event = RecordVerified(run_id, check, done, max(total, done))
        loop.call_soon_threadsafe(emit, event)
    return VerificationReport(records, done, tuple(failures))


def _close_interrupted(archive: Archive, ingest_id: str) -> None:
    result = IngestFilesetResult(
        request=archive.ledger.request_of(ingest_id),
        status=Status.CANCELLED,
        error_message="Carrel was ended before this ingest was; the ledger lists nothing of it.",
        ingest_id=ingest_id,
        started=archive.ledger.started(ingest_id),
        finished=iso_now(),
    )
    archive.ledger.close_interrupted(ingest_id, result.to_json(), iso_now())
