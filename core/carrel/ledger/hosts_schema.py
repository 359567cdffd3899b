# SPDX-License-Identifier: AGPL-3.0-or-later
"""The tables of what is known of hosts, and the steps by which they came to be as they are."""

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

migrations = Migrations("carrel-remote-archives")

_TABLES = (
    """CREATE TABLE budgets (
        host TEXT NOT NULL,
        purpose TEXT NOT NULL,
        used_until REAL NOT NULL,
        PRIMARY KEY (host, purpose)
    ) WITHOUT ROWID""",
    """CREATE TABLE endpoints (
        address TEXT PRIMARY KEY,
        failures INTEGER NOT NULL,
        rests_until REAL NOT NULL,
        reason TEXT NOT NULL,
        patience_s REAL
    ) WITHOUT ROWID""",
    """CREATE TABLE answers (
        url TEXT PRIMARY KEY,
        answered_at REAL NOT NULL,
        size INTEGER NOT NULL,
        headers TEXT NOT NULL,
        body BLOB NOT NULL
    )""",
    "CREATE INDEX answers_age ON answers (answered_at)",
)


@migrations()
def first_tables(db: Database) -> None:
    for statement in _TABLES:
        db.execute(statement)


@migrations()
def states_of_hosts(db: Database) -> None:
    """Keep the older table too: an older program that shares the file uses it."""
    db.execute(
        """CREATE TABLE host_states (
            address TEXT PRIMARY KEY,
            failures INTEGER NOT NULL,
            rests_until REAL NOT NULL,
            reason TEXT NOT NULL,
            patience_s REAL,
            refused_as TEXT
        ) WITHOUT ROWID"""
    )
    db.execute("INSERT INTO host_states SELECT *, NULL FROM endpoints")
