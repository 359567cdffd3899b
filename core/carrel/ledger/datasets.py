# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which attempts are at one dataset, however it was requested: by DOI, page or identifier.

Two attempts are when they were asked for by the same address, or when the platform gave what they
found the same identifier. So versions that one address led to in turn are one dataset, too.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlite_utils import Database

TABLES = """
CREATE TABLE datasets (
    dataset_id INTEGER PRIMARY KEY,
    note TEXT NOT NULL DEFAULT '',
    removed TEXT
);
CREATE TABLE dataset_tags (
    dataset_id INTEGER NOT NULL REFERENCES datasets (dataset_id),
    tag TEXT NOT NULL CHECK (length(tag) >= 1),
    PRIMARY KEY (dataset_id, tag)
) WITHOUT ROWID;
ALTER TABLE results ADD COLUMN dataset_id INTEGER REFERENCES datasets (dataset_id);
CREATE INDEX results_dataset ON results (dataset_id, finished);
"""
# Results of earlier days may have a DOI's address as their identifier.
_DOI_ADDRESS = "https://doi.org/"
_KNOWN = """
SELECT dataset_id FROM results WHERE base_url = :base_url AND dataset_id IS NOT NULL
UNION
SELECT dataset_id FROM results WHERE platform_name = :name AND platform_domain = :domain
    AND platform_id IN (:id, :address) AND dataset_id IS NOT NULL
ORDER BY dataset_id
"""
_UNASSIGNED = """
SELECT rowid, base_url, platform_name, platform_domain, platform_id FROM results
WHERE finished IS NOT NULL AND dataset_id IS NULL ORDER BY rowid
"""


def assign(db: "Database", ingest_id: str) -> int:
    """Note which dataset an attempt that ended is at, and return it.

    Datasets that it shows to be one become the oldest of them, with the notes and tags of all.
    """
    sql = "SELECT base_url, platform_name, platform_domain, platform_id FROM results"
    (row,) = db.query(f"{sql} WHERE ingest_id = ?", [ingest_id])
    identifier = (row["platform_id"] or "").removeprefix(_DOI_ADDRESS)
    asked = {
        "base_url": row["base_url"],
        "name": row["platform_name"],
        "domain": row["platform_domain"],
        "id": identifier,
        "address": _DOI_ADDRESS + identifier,
    }
    known = [each["dataset_id"] for each in db.query(_KNOWN, asked)]
    dataset_id: int = known[0] if known else _new(db)
    for other in known[1:]:
        _merge(db, other, dataset_id)
    named = [dataset_id, ingest_id]
    db.execute("UPDATE results SET dataset_id = ? WHERE ingest_id = ?", named)
    return dataset_id


def list_again(db: "Database", dataset_id: int) -> None:
    """List a dataset among the holdings, be it one that was removed from there."""
    db.execute("UPDATE datasets SET removed = NULL WHERE dataset_id = ?", [dataset_id])


def assign_all(db: "Database") -> None:
    """Note of every attempt that ended which dataset it is at."""
    rows = list(db.query(_UNASSIGNED))
    groups: dict[int, list[int]] = defaultdict(list)
    for group, row in zip(_groups(map(_marks, rows)), rows, strict=True):
        groups[group].append(row["rowid"])
    for members in groups.values():
        dataset_id = _new(db)
        numbers = ((dataset_id, rowid) for rowid in members)
        db.conn.executemany("UPDATE results SET dataset_id = ? WHERE rowid = ?", numbers)


def _marks(row: dict[str, Any]) -> tuple[object, ...]:
    """Return what other attempts at the same dataset have one of."""
    identifier = row["platform_id"]
    if identifier is None:
        return (row["base_url"],)
    name = (row["platform_name"], row["platform_domain"], identifier.removeprefix(_DOI_ADDRESS))
    return (row["base_url"], name)


def _groups(marked: Iterable[tuple[object, ...]]) -> Iterator[int]:
    """Yield the number of the group of each, where those that share a mark are in one group."""
    parent: list[int] = []
    first_with: dict[object, int] = {}

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = number = parent[parent[number]]
        return number

    for number, marks in enumerate(marked):
        parent.append(number)
        for mark in marks:
            one, other = root(first_with.setdefault(mark, number)), root(number)
            parent[max(one, other)] = min(one, other)
    yield from map(root, range(len(parent)))


def _new(db: "Database") -> int:
    cursor = db.execute("INSERT INTO datasets DEFAULT VALUES")
    return int(cursor.lastrowid or 0)


def _merge(db: "Database", other: int, into: int) -> None:
    """Make one dataset of two. One that was removed is only removed if both were."""
    both = {"into": into, "other": other}
    for sql in (
        "UPDATE results SET dataset_id = :into WHERE dataset_id = :other",
        "INSERT OR IGNORE INTO dataset_tags SELECT :into, tag FROM dataset_tags"
        " WHERE dataset_id = :other",
        "UPDATE datasets SET note = trim(note || char(10) || (SELECT note FROM datasets WHERE"
        " dataset_id = :other), char(10)), removed = CASE WHEN removed IS NOT NULL THEN"
        " (SELECT removed FROM datasets WHERE dataset_id = :other) END WHERE dataset_id = :into",
        "DELETE FROM holdings WHERE dataset_id = :other",
        "DELETE FROM holdings_text WHERE rowid = :other",
        "DELETE FROM dataset_tags WHERE dataset_id = :other",
        "DELETE FROM datasets WHERE dataset_id = :other",
    ):
        db.execute(sql, both)
