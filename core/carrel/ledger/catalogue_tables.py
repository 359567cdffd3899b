# SPDX-License-Identifier: AGPL-3.0-or-later
"""The tables of the catalogue. All that stands in them follows from other tables."""

from carrel.ledger import full_text

DERIVED = ("holdings", "holdings_text", "holding_totals", "catalogue")
TABLES = f"""
CREATE TABLE holdings (
    dataset_id INTEGER PRIMARY KEY REFERENCES datasets (dataset_id),
    ingest_id TEXT NOT NULL REFERENCES results (ingest_id),
    base_url TEXT NOT NULL,
    title TEXT NOT NULL,
    title_key TEXT NOT NULL,
    creators TEXT NOT NULL,
    identifier TEXT NOT NULL,
    platform_name TEXT NOT NULL,
    platform_version TEXT NOT NULL,
    license TEXT NOT NULL,
    status TEXT NOT NULL,
    file_count INTEGER NOT NULL,
    kept_count INTEGER NOT NULL,
    total_size INTEGER NOT NULL,
    kept_size INTEGER NOT NULL,
    unknown_sizes INTEGER NOT NULL,
    proof TEXT NOT NULL,
    archived TEXT NOT NULL,
    added TEXT,
    last_status TEXT,
    last_started TEXT,
    verified TEXT,
    failed INTEGER NOT NULL DEFAULT 0,
    missing INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL,
    is_complete INTEGER NOT NULL,
    is_removed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX holdings_archived ON holdings (is_removed, archived);
CREATE INDEX holdings_day ON holdings
    (is_removed, substr(archived, 1, 10), kept_count, kept_size);
CREATE INDEX holdings_title ON holdings (is_removed, title_key);
CREATE INDEX holdings_creators ON holdings (is_removed, creators COLLATE NOCASE);
CREATE INDEX holdings_license ON holdings (is_removed, license);
CREATE INDEX holdings_files ON holdings (is_removed, kept_count);
CREATE INDEX holdings_size ON holdings (is_removed, kept_size);
CREATE INDEX holdings_verified ON holdings (is_removed, verified);
CREATE INDEX holdings_state ON holdings
    (is_removed, platform_name, verified, failed, missing, is_complete, proof, kept_count,
    kept_size);
CREATE INDEX holdings_ingest ON holdings (ingest_id);
CREATE INDEX holdings_failed ON holdings (is_removed) WHERE failed > 0;
CREATE INDEX holdings_incomplete ON holdings (is_removed, failed) WHERE is_complete = 0;
CREATE INDEX holdings_unproven ON holdings (is_removed) WHERE proof <> 'digest';
CREATE TABLE catalogue (made_by INTEGER NOT NULL);
INSERT INTO catalogue VALUES (0);
{full_text.TABLES}
"""  # noqa: S608
# What is listed, summed up by platform and month, so that no page adds up a hundred thousand rows.
_SUM = """
CREATE TRIGGER holdings_totals_{verb} AFTER {verb} ON holdings WHEN {row}.is_removed = 0 BEGIN
    INSERT INTO holding_totals VALUES ({row}.platform_name, substr({row}.archived, 1, 7), {sign}1,
        {sign}{row}.kept_count, {sign}{row}.kept_size)
    ON CONFLICT (platform_name, month) DO UPDATE SET datasets = datasets + excluded.datasets,
        files = files + excluded.files, size = size + excluded.size; DELETE FROM holding_totals
        WHERE platform_name = {row}.platform_name AND month = substr({row}.archived, 1, 7)
        AND datasets = 0; END;
"""
TOTALS = f"""
CREATE TABLE holding_totals (
    platform_name TEXT NOT NULL,
    month TEXT NOT NULL,
    datasets INTEGER NOT NULL,
    files INTEGER NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (platform_name, month)
) WITHOUT ROWID;
{_SUM.format(verb="INSERT", row="NEW", sign="")}
{_SUM.format(verb="DELETE", row="OLD", sign="-")}
INSERT INTO holding_totals
SELECT platform_name, substr(archived, 1, 7), count(*), sum(kept_count), sum(kept_size)
FROM holdings WHERE is_removed = 0 GROUP BY 1, 2;
"""  # noqa: S608
