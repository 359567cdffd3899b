# SPDX-License-Identifier: AGPL-3.0-or-later
"""The story of an ingest and the queue: what both faces talk to."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.capture.disk_room import RESERVE_BYTES
    from carrel.engine.engine import Engine
    from carrel.engine.previewing import preview
    from carrel.engine.queue import Queue
    from carrel.model import IngestOptions

__getattr__ = offering(
    __name__,
    {
        "engine": ["Engine"],
        "previewing": ["preview"],
        "queue": ["Queue"],
        "carrel.capture.disk_room": ["RESERVE_BYTES"],
        "carrel.model": ["IngestOptions"],
    },
)
__all__ = ["RESERVE_BYTES", "Engine", "IngestOptions", "Queue", "preview"]
