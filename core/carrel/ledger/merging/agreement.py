# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether two ledgers that know the same attempt, or the same record, say the same of it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from carrel.errors import ArchivesDiffer
from carrel.ledger.connection import Connection
from carrel.model.imported import IMPORTED_FROM, is_import
from carrel.translation import tr

_ATTEMPTS = """
SELECT s.ingest_id, s.result AS one, t.result AS other,
    s.base_url IS t.base_url AND s.status IS t.status AND s.hit IS t.hit AS is_same,
    s.started IS t.started AND s.finished IS t.finished AS is_as_old
FROM source.results AS s JOIN main.results AS t USING (ingest_id)
WHERE s.finished IS NOT NULL AND (s.result IS NOT t.result OR s.base_url IS NOT t.base_url
    OR s.started IS NOT t.started OR s.finished IS NOT t.finished OR s.status IS NOT t.status
    OR s.hit IS NOT t.hit)
"""
# What a package brought has the same ids wherever it was imported, and the time of that import.
_RECORDS = """
SELECT s.record_id FROM source.captures AS s JOIN main.captures AS t USING (record_id)
WHERE s.sha256 <> t.sha256 OR s.size <> t.size OR s.url <> t.url
    OR (s.timestamp <> t.timestamp AND s.url NOT GLOB 'urn:x-carrel:ingest:*')
LIMIT 1
"""
_OF_THE_IMPORT = frozenset({"started", "finished", "findings", "carrel_version"})


def refuse_contradictions(connection: Connection, archive: Path) -> None:
    """Raise ArchivesDiffer where the source, the ledger of an archive, says something else of what
    is known here."""
    for row in connection.each(_ATTEMPTS):
        if not (row["is_same"] and _means_same(row)):
            raise _refusal(archive, tr("ingest {name}", name=row["ingest_id"]))
    for row in connection.rows(_RECORDS):
        raise _refusal(archive, tr("record {name}", name=row["record_id"]))


def _means_same(row: Mapping[str, Any]) -> bool:
    try:
        one, other = json.loads(row["one"]), json.loads(row["other"])
        if one == other:
            return bool(row["is_as_old"])
        are_imports = is_import(one) and is_import(other)
        return are_imports and _but_for_the_import(one) == _but_for_the_import(other)
    except (AttributeError, KeyError, TypeError, ValueError):  # someone changed it
        return False


def _but_for_the_import(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a result says of a package, without when, from where and by which Carrel that was
    imported: each of two archives that have it imported it by itself."""
    left = {name: value for name, value in result.items() if name not in _OF_THE_IMPORT}
    request = {name: it for name, it in result["request"].items() if name != IMPORTED_FROM}
    manifest = [
        {name: value for name, value in file.items() if name != "terminal_dt"}
        for file in result.get("manifest") or ()
    ]
    return {**left, "request": request, "manifest": manifest}


def _refusal(path: Path, what: str) -> ArchivesDiffer:
    return ArchivesDiffer(
        tr(
            "{path} contradicts what this archive already has on {what}; nothing of it was "
            "merged. Either one of the two was changed, or both are copies of one archive that "
            "were used separately. “carrel rebuild” of each tells whether it agrees with its "
            "journal and WARC files. If both do, keep {path} as an archive of its own.",
            path=path,
            what=what,
        )
    )
