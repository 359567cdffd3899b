# SPDX-License-Identifier: AGPL-3.0-or-later
"""The story of an ingest and the queue: what both faces talk to."""

from carrel.engine.engine import Engine, preview
from carrel.model import IngestOptions

__all__ = ["Engine", "IngestOptions", "preview"]
