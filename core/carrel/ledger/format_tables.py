# SPDX-License-Identifier: AGPL-3.0-or-later
"""The tables of formats: what was identified, and what follows from it for each holding.

`formats` is journaled: which tool said so with which signatures, and when, cannot be had again from
the bytes. How much of each format is held is summed up by triggers, so that no page counts files.
"""

from carrel.ledger.journaled_tables import noting

DERIVED = ("holding_formats", "format_totals")
_SUM = """
CREATE TRIGGER holding_formats_{verb} AFTER {verb} ON holding_formats BEGIN
    INSERT INTO format_totals VALUES ({row}.puid, {row}.risk, {sign}1, {sign}{row}.files,
        {sign}{row}.size)
    ON CONFLICT (puid, risk) DO UPDATE SET datasets = datasets + excluded.datasets,
        files = files + excluded.files, size = size + excluded.size; DELETE FROM format_totals
        WHERE puid = {row}.puid AND risk = {row}.risk AND datasets = 0; END
"""
_STATEMENTS = (
    """
CREATE TABLE formats (
    sha256 TEXT NOT NULL,
    extension TEXT NOT NULL,
    puid TEXT NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    mimetype TEXT NOT NULL,
    basis TEXT NOT NULL,
    warning TEXT NOT NULL,
    risk TEXT NOT NULL,
    tool TEXT NOT NULL,
    identified TEXT NOT NULL,
    is_cut INTEGER NOT NULL CHECK (is_cut IN (0, 1)),
    PRIMARY KEY (sha256, extension)
) WITHOUT ROWID
""",
    "CREATE INDEX formats_puid ON formats (puid)",
    noting("formats").removesuffix(";\n"),
    """
CREATE TABLE holding_formats (
    dataset_id INTEGER NOT NULL,
    puid TEXT NOT NULL,
    risk TEXT NOT NULL,
    files INTEGER NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (dataset_id, puid, risk)
) WITHOUT ROWID
""",
    "CREATE INDEX holding_formats_puid ON holding_formats (puid, dataset_id)",
    "CREATE INDEX holding_formats_risk ON holding_formats (risk, dataset_id)",
    """
CREATE TABLE format_totals (
    puid TEXT NOT NULL,
    risk TEXT NOT NULL,
    datasets INTEGER NOT NULL,
    files INTEGER NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (puid, risk)
) WITHOUT ROWID
""",
    _SUM.format(verb="INSERT", row="NEW", sign=""),
    _SUM.format(verb="DELETE", row="OLD", sign="-"),
    "CREATE TRIGGER holdings_formats_gone AFTER DELETE ON holdings BEGIN"
    " DELETE FROM holding_formats WHERE dataset_id = OLD.dataset_id; END",
    """
INSERT INTO holding_formats SELECT dataset_id, '', '', kept_count, kept_size FROM holdings
WHERE is_removed = 0 AND kept_count > 0
""",
)
# What `_run` of the schema takes apart again.
TABLES = ";\n".join([*_STATEMENTS, ""])
