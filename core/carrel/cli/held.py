# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the archive holds of a dataset that is only looked at: where it cannot tell, a word why."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from carrel.archive import Archive
from carrel.engine.holdings import Holdings
from carrel.errors import ArchiveError, NotAnArchive
from carrel.model import Held, IngestFilesetResult


def held_fields(held: Held | ArchiveError | None) -> dict[str, Any]:
    """Return what is held, or why that cannot be told, as fields of the JSON of a preview."""
    if held is None:
        return {}
    fields = {"error_message": str(held)} if isinstance(held, ArchiveError) else held.to_json()
    return {"held": fields}


@contextmanager
def reading(archive: Path) -> Iterator[Archive | ArchiveError | None]:
    """Open an archive for reading; yield why that cannot be, or None if there is none."""
    try:
        opened = Archive.open_for_reading(archive)
    except NotAnArchive:
        yield None
        return
    except ArchiveError as error:
        yield error
        return
    with opened:
        yield opened


def holding(
    opened: Archive | ArchiveError | None, result: IngestFilesetResult
) -> Held | ArchiveError | None:
    """Return what is held of a dataset, or why that cannot be told: a preview does without."""
    if not isinstance(opened, Archive):
        return opened
    try:
        return Holdings(opened).held(result)
    except ArchiveError as error:
        return error
