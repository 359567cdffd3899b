# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results that were lost with their WARCs, brought back when these are here again."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from carrel.archive import Archive


def bring_back_results(archive: Archive) -> None:
    """Have the ledger know the results again that it lacks and WARCs have.

    WARCs are read only of attempts whose result is lost, of which there are none but where a ledger
    was made again without them. Raises ArchiveError.
    """
    if names := archive.ledger.lost_results.warcs():
        lost = archive.ledger.lost_results.addresses()
        for name in names:
            found = _results_in(archive, name)
            here = {each: found[each] for each in found.keys() & lost.keys()}
            archive.ledger.lost_results.bring_back(here)


def _results_in(archive: Archive, name: str) -> Mapping[str, Mapping[str, Any]]:
    from carrel.engine.rebuilding.warc_contents import Document, contents_of  # few have lost any

    path = archive.warcs / name
    found: dict[str, Mapping[str, Any]] = {}
    with suppress(OSError):  # whoever verifies is told of it
        contents = contents_of(path, lambda problem: None)
        found.update((it.ingest_id, it.result) for it in contents if isinstance(it, Document))
    return found
