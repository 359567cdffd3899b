# SPDX-License-Identifier: AGPL-3.0-or-later
"""What people add to holdings: tags, a note, and that one is not to be listed any more.

Nothing in a WARC is changed by it. A tag is one in capital and in small letters: it is written as
it was first. A ledger of an older Carrel may have several spellings; one of them stands for all.
"""

import json
from collections.abc import Collection, Mapping, Sequence

from carrel.ledger.catalogue import Catalogue
from carrel.ledger.connection import Connection
from carrel.model.holdings import MOST_NOTE_CHARS, MOST_TAG_CHARS

_ASKED = "dataset_id IN (SELECT value FROM json_each(?))"
_COUNTED = "min(tag) AS tag, count(DISTINCT dataset_id) AS n"
_EACH = "GROUP BY casefold(tag) ORDER BY 1"
# One step in the index for each tag, however many datasets have it.
_SPELLINGS = """
WITH RECURSIVE each(tag) AS (
    SELECT min(tag) FROM dataset_tags
    UNION ALL
    SELECT (SELECT min(t.tag) FROM dataset_tags AS t WHERE t.tag > each.tag)
    FROM each WHERE each.tag IS NOT NULL
)
SELECT tag FROM each WHERE casefold(tag) = casefold(?) ORDER BY tag
"""


class Curation:
    """Writes for all of some datasets or for none. Raises ArchiveError if it cannot."""

    def __init__(self, connection: Connection, catalogue: Catalogue) -> None:
        self._connection, self._catalogue = connection, catalogue

    def tags(self) -> Mapping[str, int]:
        """Return every tag with how many datasets have it, in the order of the alphabet."""
        sql = f"SELECT {_COUNTED} FROM dataset_tags {_EACH}"  # noqa: S608
        return {row["tag"]: row["n"] for row in self._connection.rows(sql)}

    def tags_of(self, dataset_ids: Collection[int]) -> Mapping[str, int]:
        """Return the tags of some datasets, with how many of these have each."""
        sql = f"SELECT {_COUNTED} FROM dataset_tags WHERE {_ASKED} {_EACH}"  # noqa: S608
        rows = self._connection.rows(sql, [json.dumps(list(dataset_ids))])
        return {row["tag"]: row["n"] for row in rows}

    def add_tag(self, dataset_ids: Collection[int], tag: str) -> Sequence[int]:
        """Give datasets a tag, of one line: white space in it is one blank, at its ends none. One
        that others have is written as theirs.

        Return which did not have it until now.
        """
        named = self._written(" ".join(tag.split())[:MOST_TAG_CHARS].rstrip())
        having = set(self._having(dataset_ids, named))
        lacking = [each for each in dataset_ids if each not in having]
        self._change(
            "INSERT OR IGNORE INTO dataset_tags SELECT dataset_id, :tag FROM datasets"
            " WHERE dataset_id IN (SELECT value FROM json_each(:asked))",
            {"tag": named},
            lacking,
        )
        return lacking

    def tag_attempt(self, ingest_id: str, tags: Collection[str]) -> None:
        """Give the dataset of an attempt these tags; nothing, where it is of none."""
        sql = "SELECT dataset_id FROM results WHERE ingest_id = ? AND dataset_id IS NOT NULL"
        dataset_ids = self._connection.column(sql, [ingest_id])
        for tag in tags if dataset_ids else ():
            self.add_tag(dataset_ids, tag)

    def remove_tag(self, dataset_ids: Collection[int], tag: str) -> Sequence[int]:
        """Take a tag from datasets; return which had it until now."""
        having = self._having(dataset_ids, tag)
        self._change(
            "DELETE FROM dataset_tags WHERE casefold(tag) = casefold(:tag)"
            " AND dataset_id IN (SELECT value FROM json_each(:asked))",
            {"tag": tag},
            having,
        )
        return having

    def note_on(self, dataset_id: int) -> str:
        """Return the note on a dataset, "" for none."""
        sql = "SELECT note FROM datasets WHERE dataset_id = ?"
        notes: list[str | None] = self._connection.column(sql, [dataset_id])
        return next(iter(notes), None) or ""

    def write_note(self, dataset_id: int, note: str) -> None:
        """Replace the note on a dataset; "" for none."""
        self._change(
            "UPDATE datasets SET note = :note"
            " WHERE dataset_id IN (SELECT value FROM json_each(:asked))",
            {"note": note.strip()[:MOST_NOTE_CHARS]},
            [dataset_id],
        )

    def remove(self, dataset_ids: Collection[int], moment: str) -> Sequence[int]:
        """List datasets no more among the holdings; return which were until now.

        `moment` is in UTC, ISO 8601. Bytes, results and captures stay as they are.
        """
        asked = json.dumps(list(dataset_ids))
        listed = f"SELECT dataset_id FROM datasets WHERE removed IS NULL AND {_ASKED}"  # noqa: S608
        removed: list[int] = self._connection.column(listed, [asked])
        self._change(
            "UPDATE datasets SET removed = :moment"
            " WHERE dataset_id IN (SELECT value FROM json_each(:asked))",
            {"moment": moment},
            removed,
        )
        return removed

    def restore(self, dataset_ids: Collection[int]) -> Sequence[int]:
        """List datasets again that were removed; return which were until now."""
        asked = json.dumps(list(dataset_ids))
        gone = f"SELECT dataset_id FROM datasets WHERE removed IS NOT NULL AND {_ASKED}"  # noqa: S608
        restored: list[int] = self._connection.column(gone, [asked])
        self._change(
            "UPDATE datasets SET removed = NULL"
            " WHERE dataset_id IN (SELECT value FROM json_each(:asked))",
            {},
            restored,
        )
        return restored

    def list_again(self, ingest_id: str) -> bool:
        """List the dataset of an attempt again if it was removed; say whether it was."""
        sql = (
            "SELECT dataset_id FROM datasets JOIN results USING (dataset_id)"
            " WHERE ingest_id = ? AND removed IS NOT NULL"
        )
        dataset_ids = self._connection.column(sql, [ingest_id])
        return bool(dataset_ids and self.restore(dataset_ids))

    def removed(self) -> Mapping[int, str]:
        """Return which datasets were removed and when, the last first."""
        sql = "SELECT dataset_id, removed FROM datasets WHERE removed IS NOT NULL ORDER BY 2 DESC"
        return {row["dataset_id"]: row["removed"] for row in self._connection.rows(sql)}

    def when_removed(self, ingest_id: str) -> str | None:
        """Return when the dataset of an attempt was removed, None if it is listed."""
        sql = "SELECT removed FROM datasets JOIN results USING (dataset_id) WHERE ingest_id = ?"
        moments: list[str | None] = self._connection.column(sql, [ingest_id])
        return next(iter(moments), None)

    def _written(self, tag: str) -> str:
        """Return a tag as it is written where any dataset has it, else as it is."""
        return next(iter(self._connection.column(_SPELLINGS, [tag])), tag)

    def _having(self, dataset_ids: Collection[int], tag: str) -> Sequence[int]:
        """Return which of some datasets have a tag."""
        sql = (
            "SELECT DISTINCT dataset_id FROM dataset_tags"  # noqa: S608
            f" WHERE casefold(tag) = casefold(?) AND {_ASKED}"
        )
        having: list[int] = self._connection.column(sql, [tag, json.dumps(list(dataset_ids))])
        return having

    def _change(self, sql: str, values: Mapping[str, str], dataset_ids: Collection[int]) -> None:
        with self._connection.writing() as db:
            db.execute(sql, {**values, "asked": json.dumps(list(dataset_ids))})
            self._catalogue.update(db, dataset_ids)
