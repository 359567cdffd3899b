# SPDX-License-Identifier: AGPL-3.0-or-later
"""The log of incidences, in its order, each beside the version that was before it."""

import json
from collections.abc import Iterator, Mapping

from carrel.ledger.connection import Connection, Row
from carrel.ledger.dark.clocks import DATA_DATE, IS_OF_DATA, LACKED_BY
from carrel.model.dark import IncidenceKind, ObiKind
from carrel.model.dark_views import ChangeRow

_PAGE = 1000

# What was read out of its turn is older than what was read in turn, whenever that was.
NEWEST_FIRST = (
    "r.source = 'backfill', iif(r.source = 'backfill', coalesce(v.src_tist, v.tist), v.tist) DESC, "
    "v.tist DESC"
)

# The numbers of one tist's incidences; sorted here, since they come in the order of an index.
_OF_TIST = """
SELECT json_group_array(seq) AS seqs FROM incidence
WHERE tist = :tist AND (:kind IS NULL OR kind = :kind)
"""

_COUNTS = """
SELECT i.kind, count(*) AS n FROM run AS r JOIN incidence AS i USING (tist)
WHERE r.source <> 'watch' GROUP BY i.kind
"""

_OF_SERIES = """
WITH tobi AS MATERIALIZED (SELECT obi_id FROM obi WHERE kind = 'tobi'
    AND (:archive IS NULL OR archive IS nullif(:archive, ''))
    AND (:series IS NULL OR series IS nullif(:series, ''))),
member AS MATERIALIZED (SELECT obi_id FROM tobi
    UNION SELECT r.fobi_id FROM tobi JOIN refipo AS r ON r.tobi_id = tobi.obi_id
    WHERE r.fobi_id IS NOT NULL
    UNION SELECT f.obi_id FROM obi AS f WHERE f.kind = 'fobi'
    AND coalesce(:archive, '') = '' AND coalesce(:series, '') = ''
    AND NOT EXISTS (SELECT 1 FROM refipo AS r WHERE r.fobi_id = f.obi_id))
SELECT json_group_array(json_array(i.tist, i.seq)) AS places
FROM member JOIN incidence AS i USING (obi_id)
WHERE (:since IS NULL OR i.tist >= :since) AND (:kind IS NULL OR i.kind = :kind)
"""

_INCIDENTS = f"""
SELECT i.seq, i.tist, i.kind AS incidence, o.kind, o.ident, i.since, i.cause, v.text_md5,
    p.tist AS before, p.text_md5 AS text_before, h.archive, h.series,
    iif({IS_OF_DATA.format(cause="i.cause")}, coalesce(
        iif(i.kind = 'deletion',
            (SELECT {DATA_DATE} FROM run AS r WHERE r.tist = {LACKED_BY}), NULL),
        v.src_tist, {DATA_DATE}), NULL) AS dated
FROM json_each(:seqs) AS j JOIN incidence AS i ON i.seq = j.value
JOIN obi AS o ON o.obi_id = i.obi_id JOIN run AS r ON r.tist = i.tist
LEFT JOIN version AS v ON v.obi_id = i.obi_id AND v.tist = i.tist
LEFT JOIN version AS p ON p.obi_id = i.obi_id AND p.tist = (
    SELECT v.tist FROM version AS v JOIN run AS r ON r.tist = v.tist
    WHERE v.obi_id = i.obi_id AND v.tist < i.tist ORDER BY {NEWEST_FIRST} LIMIT 1)
LEFT JOIN obi AS h ON h.obi_id = iif(o.kind = 'tobi', o.obi_id, (
    SELECT r.tobi_id FROM refipo AS r JOIN obi AS t ON t.obi_id = r.tobi_id
    WHERE r.fobi_id = o.obi_id AND (:archive IS NULL OR t.archive IS nullif(:archive, ''))
    AND (:series IS NULL OR t.series IS nullif(:series, ''))
    ORDER BY r.until IS NOT NULL, r.until DESC, t.archive, t.series LIMIT 1))
"""  # noqa: S608 - an order of ours


class Changes:
    def __init__(self, connection: Connection) -> None:
        self._rows = connection.rows

    def log(
        self,
        *,
        since: int | None = None,
        archive: str | None = None,
        series: str | None = None,
        kind: IncidenceKind | None = None,
    ) -> Iterator[ChangeRow]:
        """Yield the incidences from the tist `since` on, by tist and within it as they were noted.

        An `archive` or `series` takes in the full texts that its templates ever named; "" is none.
        Some thousand are in memory at a time, however long the log is.
        """
        asked = {"since": since, "archive": archive, "series": series, "kind": kind and str(kind)}
        for seqs in self._places(asked):
            for start in range(0, len(seqs), _PAGE):
                page = seqs[start : start + _PAGE]
                rows = self._rows(_INCIDENTS, {**asked, "seqs": json.dumps(page)})
                found = {row["seq"]: row for row in rows}
                yield from (_change_row(found[seq]) for seq in page)

    def counts(self) -> Mapping[IncidenceKind, int]:
        """Return how many incidences of each kind there are, but for those of watched datasets."""
        return {IncidenceKind(row["kind"]): row["n"] for row in self._rows(_COUNTS)}

    def _places(self, asked: Row) -> Iterator[list[int]]:
        """Yield the numbers of incidences, in the order of the log."""
        if asked["archive"] is not None or asked["series"] is not None:
            (row,) = self._rows(_OF_SERIES, asked)
            yield [seq for _, seq in sorted(json.loads(row["places"]))]
            return
        tists = "SELECT tist FROM run WHERE tist >= ? ORDER BY tist"
        for run in self._rows(tists, [asked["since"] or 0]):
            (row,) = self._rows(_OF_TIST, {**asked, **run})
            yield sorted(json.loads(row["seqs"]))


def _change_row(row: Row) -> ChangeRow:
    incidence = IncidenceKind(row["incidence"])
    return ChangeRow(
        row["tist"],
        incidence,
        ObiKind(row["kind"]),
        row["ident"],
        row["cause"],
        row["before"],
        _text_changed(incidence, row),
        row["archive"],
        row["series"],
        row["since"],
        row["dated"],
    )


def _text_changed(incidence: IncidenceKind, row: Row) -> bool | None:
    """Say whether the text is another one than before; None where there were not two to compare."""
    if row["before"] is None or incidence is IncidenceKind.DELETION:
        return None
    if row["text_md5"] is None:
        # What came back without a new version came back as it was.
        return False if incidence is IncidenceKind.REAPPEARANCE else None
    return bool(row["text_md5"] != row["text_before"])
