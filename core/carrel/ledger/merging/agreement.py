# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether two ledgers that know the same attempt, or the same record, say the same of it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from carrel.errors import ArchivesDiffer
from carrel.ledger.connection import Connection
from carrel.translation import tr

_ATTEMPTS = """
SELECT s.ingest_id, s.result AS one, t.result AS other,
    s.base_url IS t.base_url AND s.started IS t.started AND s.finished IS t.finished
        AND s.status IS t.status AND s.hit IS t.hit AS is_same
FROM source.results AS s JOIN main.results AS t USING (ingest_id)
WHERE s.finished IS NOT NULL AND (s.result IS NOT t.result OR s.base_url IS NOT t.base_url
    OR s.started IS NOT t.started OR s.finished IS NOT t.finished OR s.status IS NOT t.status
    OR s.hit IS NOT t.hit)
"""
_RECORDS = """
SELECT s.record_id FROM source.captures AS s JOIN main.captures AS t USING (record_id)
WHERE s.sha256 <> t.sha256 OR s.size <> t.size OR s.url <> t.url OR s.timestamp <> t.timestamp
LIMIT 1
"""


def refuse_contradictions(connection: Connection, path: Path) -> None:
    """Raise ArchivesDiffer where the source says something else of what is known here."""
    for row in connection.each(_ATTEMPTS):
        if not (row["is_same"] and _means_same(row)):
            raise _refusal(path, tr("ingest {name}", name=row["ingest_id"]))
    for row in connection.rows(_RECORDS):
        raise _refusal(path, tr("record {name}", name=row["record_id"]))


def _means_same(row: Mapping[str, Any]) -> bool:
    try:
        return bool(json.loads(row["one"]) == json.loads(row["other"]))
    except (TypeError, ValueError):
        return False


def _refusal(path: Path, what: str) -> ArchivesDiffer:
    return ArchivesDiffer(
        tr(
            "{path} contradicts what this archive already has on {what}; nothing of it was "
            "merged. Either one of the two was changed, or both are copies of one archive that "
            "were used separately. “carrel rebuild” of each tells whether it agrees with its "
            "journal and WARC files. If both do, keep {path} as an archive of its own.",
            path=path.parent,
            what=what,
        )
    )
