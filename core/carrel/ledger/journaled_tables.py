# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which tables of the ledger its journal tells of, and how changes of them are noted.

All are whose rows cannot be made again from the WARCs, the dark archive's journal, or each other.
"""

from collections.abc import Iterator, Mapping, Sequence

# By table what tells its rows apart: their number, or their primary key where they have none.
# What rows refer to comes first.
KEYS: Mapping[str, Sequence[str]] = {
    "requests": ("rowid",),
    "datasets": ("rowid",),
    "results": ("rowid",),
    "captures": ("record_id",),
    "ingest_fileset_platform": ("rowid",),
    "ingest_file_results": ("rowid",),
    "dataset_tags": ("dataset_id", "tag"),
    "batches": ("name",),
    "jobs": ("rowid",),
    "removed_jobs": ("job_id",),
    "removed_alone": ("job_id",),
    "queue_paused": ("rowid",),
    "watched": ("rowid",),
    "record_fixity": ("record_id",),
    "verifications": ("rowid",),
    "fixity_events": ("rowid",),
    "accompanying_fixity": ("filename", "offset"),
    "schedule_runs": ("rowid",),
    "formats": ("sha256", "extension"),
    "imports": ("ingest_id",),
}
# Of an ingest's captures its own entry tells.
_WHICH = {"captures": "ingest_id IS NULL"}
# They came after the table of changes.
_LATER = (
    *("removed_jobs", "removed_alone", "fixity_events", "accompanying_fixity"),
    *("formats", "imports"),
)
# What stands in the WARCs, or in the result of an attempt, is not written down twice.
LEFT_OUT = {("results", "result"), ("ingest_fileset_platform", "manifest")}


def tables() -> str:
    """Return the SQL that makes the table of changes, and has every other one note its own."""
    made = [
        "CREATE TABLE unjournaled (number INTEGER PRIMARY KEY AUTOINCREMENT, tab TEXT NOT NULL,"
        " key TEXT NOT NULL)",
        "CREATE TABLE journal_head (lines INTEGER NOT NULL, sha256 TEXT NOT NULL,"
        " file TEXT NOT NULL, end INTEGER NOT NULL)",
    ]
    for table in KEYS:
        if table not in _LATER:
            made += [*_triggers(table), noting_all_of(table)]
    return ";\n".join([*made, ""])


def noting(table: str) -> str:
    """Return the SQL that has a table that came later note its changes."""
    return ";\n".join([*_triggers(table), ""])


def _triggers(table: str) -> Iterator[str]:
    for verb, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
        values = ", ".join(f"{row}.{name}" for name in KEYS[table])
        when = f"WHEN {row}.{_WHICH[table]} " if table in _WHICH else ""
        yield (
            f"CREATE TRIGGER {table}_{verb.lower()}_unjournaled AFTER {verb} ON {table} "  # noqa: S608
            f"{when}BEGIN "
            "INSERT INTO unjournaled (tab, key) "
            f"VALUES ('{table}', json_array({values})); END"
        )


def noting_all_of(table: str) -> str:
    """Return the SQL that notes every row of a table as one that the journal lacks."""
    values = ", ".join(KEYS[table])
    return f"INSERT INTO unjournaled (tab, key) SELECT '{table}', json_array({values}) FROM {table}"  # noqa: S608
