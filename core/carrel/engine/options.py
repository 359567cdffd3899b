# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the person may overrule for one ingest."""

from dataclasses import dataclass

from carrel.model import IngestStrategy


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """None means: as the settings say (limits in bytes and files), or as the chooser finds."""

    strategy: IngestStrategy | None = None
    max_total_size: int | None = None
    max_file_count: int | None = None
