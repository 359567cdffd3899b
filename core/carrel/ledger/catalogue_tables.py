# SPDX-License-Identifier: AGPL-3.0-or-later
"""The tables of the catalogue. All that stands in them follows from other tables."""

from carrel.ledger import full_text

DERIVED = ("holdings", "holdings_text", "catalogue")
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
