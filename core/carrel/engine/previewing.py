# SPDX-License-Identifier: AGPL-3.0-or-later
"""A preview with no archive at hand."""

from dataclasses import replace
from pathlib import Path

from carrel.capture.client import Client
from carrel.capture.revalidation import Revalidating
from carrel.capture.throttle import Throttle
from carrel.engine.ingest import Ingest, Tools
from carrel.engine.ingest_ids import new_ingest_id
from carrel.engine.stored_credentials import stored_credentials
from carrel.hosts.remembered import remembered
from carrel.model import IngestFilesetResult, IngestOptions, IngestRequest
from carrel.model.events import Emit, ignore
from carrel.settings import Settings

# The longest that it waits for a host which asks for a pause.
_PAUSE_S = 20.0


async def preview(
    request: IngestRequest,
    settings: Settings,
    options: IngestOptions = IngestOptions(),
    emit: Emit = ignore,
    record: Path | None = None,
) -> IngestFilesetResult:
    """Preview a dataset with no archive at hand.

    With `record`, the exchanges are written to this folder, which must be empty or new: a fixture
    for `carrel.testing`. Raises UsageError and OSError if they cannot be.
    """
    credentials = stored_credentials()
    # No one is there to be told why nothing moves: who asks for a pause is named instead.
    network = replace(settings.network, longest_pause_s=_PAUSE_S)
    with Client(network, credentials, Throttle(network, open_store=remembered)) as client:
        tools = Tools(client, settings, None, credentials)
        if record is None:
            tools = replace(tools, asks_through=Revalidating(client))
            return await Ingest(tools, request, options, emit, new_ingest_id()).preview()
        from carrel.platforms.recording.outcome import write_with_outcome  # for few
        from carrel.platforms.recording.recording import Recorder, Recording
        from carrel.strategies.limits import limits_for

        limits = limits_for(options, settings.limits)
        recording = Recording(request.base_url, limits.max_file_count)
        recorder = Recorder(client, recording, credentials.headers_for)
        tools = replace(tools, asks_through=recorder)
        result = await Ingest(tools, request, options, emit, new_ingest_id()).preview()
        await write_with_outcome(recording, record)
        return result
