# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs that were imported before the one that has the result of their ingest."""

from collections.abc import Collection, Mapping
from pathlib import Path

from carrel.archive import Archive
from carrel.engine.rebuilding.warc_contents import PartOf, first_of


def parts_of(archive: Archive, ingest_ids: Collection[str]) -> Mapping[str, str]:
    """Return which WARCs, of those that belong to no ingest yet, say that they are of these.

    Raises ArchiveError.
    """
    if not ingest_ids:
        return {}
    names = archive.ledger.captures.warcs_without_ingest()
    said = {name: _part_of(archive.warcs / name) for name in names}
    return {name: ingest_id for name, ingest_id in said.items() if ingest_id in ingest_ids}


def _part_of(path: Path) -> str:
    """Return which ingest a WARC says at its beginning that it belongs to, "" for none."""
    first = first_of(path)
    return first.ingest_id if isinstance(first, PartOf) else ""
