# SPDX-License-Identifier: AGPL-3.0-or-later
"""Finding objects by a piece of a handle or URL, and what stands near one that is not there."""

import json
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from carrel.ledger.connection import Connection, Row
from carrel.ledger.dark.renames import Renames
from carrel.model.dark import ObiKind
from carrel.model.dark_views import Hit, ObiState

_SCHEMES = ("http://", "https://", "http://www.", "https://www.")
_HOST = re.compile(r"https?://[^/?#]*", re.IGNORECASE)
# Characters of an identifier end far before this one.
_LAST = "\U0010fffd"
_NEIGHBOURS = 20
_SHORTEST_TAIL = 4

# Of an object `o`, with what is pending of it as `p`.
IS_UNNAMED = (
    "o.kind = 'fobi' AND o.state <> 'lost' AND p.obi_id IS NULL"
    " AND EXISTS (SELECT 1 FROM refipo AS x WHERE x.fobi_id = o.obi_id)"
    " AND NOT EXISTS (SELECT 1 FROM refipo AS x WHERE x.fobi_id = o.obi_id AND x.until IS NULL)"
)
STATE = (
    "CASE WHEN o.state = 'present' AND p.obi_id IS NOT NULL THEN 'suspect'"
    f" WHEN {IS_UNNAMED} THEN 'unnamed' ELSE o.state END"
)
# What the last check found wrong with bytes, by their digest; NULL if nothing.
FAULT = """(SELECT nullif(f.result, 'ok') FROM fixity AS f WHERE f.sha256 = {sha256}
    AND NOT EXISTS (SELECT 1 FROM purge AS g WHERE g.sha256 = f.sha256)
    ORDER BY f.at DESC LIMIT 1)"""

_BEGINNING_WITH = """
SELECT obi_id FROM obi WHERE kind IN ('tobi', 'fobi') AND ident_n >= :first AND ident_n < :last
ORDER BY kind DESC, ident_n LIMIT :most
"""

_HITS = f"""
SELECT o.obi_id, o.kind, o.ident, {STATE} AS state, h.archive, h.series, (
    SELECT b.fault FROM (SELECT v.tist, {FAULT.format(sha256="v.sha256")} AS fault
        FROM version AS v WHERE v.obi_id = o.obi_id) AS b
    WHERE b.fault IS NOT NULL ORDER BY b.tist DESC LIMIT 1) AS fault,
    (SELECT b.outcome FROM probe AS b WHERE b.obi_id = o.obi_id
        ORDER BY b.first DESC LIMIT 1) AS outcome,
    (SELECT max(b.last) FROM probe AS b WHERE b.obi_id = o.obi_id AND b.outcome = 'ok')
    AS delivered
FROM json_each(:ids) AS j JOIN obi AS o ON o.obi_id = j.value
LEFT JOIN pending AS p ON p.obi_id = o.obi_id
LEFT JOIN obi AS h ON h.obi_id = iif(o.kind = 'tobi', o.obi_id, (
    SELECT r.tobi_id FROM refipo AS r JOIN obi AS t ON t.obi_id = r.tobi_id
    WHERE r.fobi_id = o.obi_id
    ORDER BY r.until IS NOT NULL, r.until DESC, t.archive, t.series LIMIT 1))
"""  # noqa: S608 - an expression of ours


class Searching:
    def __init__(self, connection: Connection) -> None:
        self._rows = connection.rows
        self._renames = Renames(connection)

    def find(self, text: str, most: int) -> list[Hit]:
        """Return what begins with a text, then what has each of its words in it, without case.

        A handle may lack its "RePEc:", a URL its "http://". Only what the index does not find is
        looked for in every identifier there is.
        """
        words = text.split()
        if not words:
            return []
        found: dict[int, None] = {}
        if len(words) == 1:
            for beginning in _beginnings(words[0]):
                found.update(dict.fromkeys(self._beginning_with(beginning, most)))
        if len(found) < most:
            found.update(dict.fromkeys(self._with_all(words, most)))
        return self.hits(list(found)[:most])

    def near(self, ident_n: str, most: int) -> list[Hit]:
        """Return what is most like an identifier that is not there, nothing if all is far from it.

        Looked at is what stands beside it in the order of identifiers, and what ends as it does.
        """
        ids = [row["obi_id"] for row in self._beside(ident_n)]
        tail = re.split("[:/]", ident_n)[-1]
        if len(tail) >= _SHORTEST_TAIL:
            ids += self._with_all([tail], _NEIGHBOURS)
        hits = {hit.ident: hit for hit in self.hits(list(dict.fromkeys(ids)))}
        return [hits[ident] for ident in get_close_matches(ident_n, hits, most)]

    def hits(self, ids: Sequence[int]) -> list[Hit]:
        """Return objects as they stand, in the order of their ids as given."""
        rows = {row["obi_id"]: row for row in self._rows(_HITS, {"ids": json.dumps(ids)})}
        gone = [row["obi_id"] for row in rows.values() if is_lost_template(row)]
        renamed = self._renames.of(gone)
        return [_hit(rows[each], is_renamed=each in renamed) for each in ids]

    def _beginning_with(self, beginning: str, most: int) -> Iterable[int]:
        asked = {"first": beginning, "last": beginning + _LAST, "most": most}
        return (row["obi_id"] for row in self._rows(_BEGINNING_WITH, asked))

    def _with_all(self, words: Sequence[str], most: int) -> Iterable[int]:
        """Return what has all words in it; LIKE knows no case in ASCII, handles have none."""
        patterns = [f"%{_plain(word)}%" for word in words]
        for kind, spelled in (
            (ObiKind.TOBI, [each.lower() for each in patterns]),
            (ObiKind.FOBI, patterns),
        ):
            like = " AND ".join(["ident_n LIKE ? ESCAPE '\\'"] * len(spelled))
            sql = f"SELECT obi_id FROM obi WHERE kind = ? AND {like} ORDER BY ident_n LIMIT ?"  # noqa: S608
            for row in self._rows(sql, [str(kind), *spelled, most]):
                yield row["obi_id"]

    def _beside(self, ident_n: str) -> list[Row]:
        rows = []
        for compared, order in (("<", "DESC"), (">", "ASC")):
            for kind in ObiKind:
                sql = (
                    f"SELECT obi_id FROM obi WHERE kind = ? AND ident_n {compared} ?"  # noqa: S608
                    f" ORDER BY ident_n {order} LIMIT ?"
                )
                rows += self._rows(sql, [str(kind), ident_n, _NEIGHBOURS])
        return rows


def _beginnings(word: str) -> list[str]:
    """Return how identifiers may begin that a person means by this beginning."""
    lower = word.lower()
    host = _HOST.match(word)
    if host is not None:
        return [host[0].lower() + word[host.end() :]]
    if lower.startswith("repec:"):
        return ["RePEc:" + lower[6:]]
    name, slash, path = word.partition("/")
    bare = name.lower() + slash + path
    return ["RePEc:" + lower, lower, *(scheme + bare for scheme in _SCHEMES)]


def _plain(word: str) -> str:
    """Return a word in which LIKE finds nothing special."""
    return re.sub(r"([\\%_])", r"\\\1", word)


def is_lost_template(row: Row) -> bool:
    """Say of a row with a kind and a state whether it is a template that may have been renamed."""
    return bool(row["kind"] == ObiKind.TOBI and row["state"] == ObiState.LOST)


def _hit(row: Row, *, is_renamed: bool) -> Hit:
    return Hit(
        ObiKind(row["kind"]),
        row["ident"],
        ObiState.RENAMED if is_renamed else ObiState(row["state"]),
        row["archive"],
        row["series"],
        row["fault"],
        row["outcome"],
        row["delivered"],
    )
