-- SPDX-License-Identifier: AGPL-3.0-or-later
-- The tables of the ingest proposal and of sandcrawler. Where they are already there, a sandcrawler
-- database is adopted: its columns are compared with these first (adoption.py).

-- What was requested. A request that names no source has the source "carrel".
CREATE TABLE IF NOT EXISTS ingest_request (
    link_source             TEXT NOT NULL CHECK (octet_length(link_source) >= 1),
    link_source_id          TEXT NOT NULL CHECK (octet_length(link_source_id) >= 1),
    ingest_type             TEXT NOT NULL CHECK (octet_length(ingest_type) >= 1),
    base_url                TEXT NOT NULL CHECK (octet_length(base_url) >= 1),
    ingest_request_source   TEXT CHECK (octet_length(ingest_request_source) >= 1),
    created                 TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    release_stage           TEXT CHECK (octet_length(release_stage) >= 1),
    request                 JSONB,
    PRIMARY KEY (link_source, link_source_id, ingest_type, base_url)
);
CREATE INDEX IF NOT EXISTS ingest_request_base_url_idx ON ingest_request (base_url, ingest_type);
CREATE INDEX IF NOT EXISTS ingest_request_source_created_idx
    ON ingest_request (ingest_request_source, created);

-- The newest result of each address: of datasets, and of their single files (dataset-file).
CREATE TABLE IF NOT EXISTS ingest_file_result (
    ingest_type             TEXT NOT NULL CHECK (octet_length(ingest_type) >= 1),
    base_url                TEXT NOT NULL CHECK (octet_length(base_url) >= 1),
    updated                 TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    hit                     BOOLEAN NOT NULL,
    -- sandcrawler's text looks at terminal_url here, so that it accepts an empty status.
    status                  TEXT CHECK (octet_length(status) >= 1),
    terminal_url            TEXT CHECK (octet_length(terminal_url) >= 1),
    terminal_dt             TEXT CHECK (octet_length(terminal_dt) = 14),
    terminal_status_code    INT,
    terminal_sha1hex        TEXT CHECK (octet_length(terminal_sha1hex) = 40),
    PRIMARY KEY (ingest_type, base_url)
);
CREATE INDEX IF NOT EXISTS ingest_file_result_terminal_url_idx
    ON ingest_file_result (terminal_url);
CREATE INDEX IF NOT EXISTS ingest_file_result_terminal_sha1hex_idx
    ON ingest_file_result (terminal_sha1hex);

-- What the platform says of each dataset. The proposal's text does not run: five of its CHECKs name
-- columns that the table does not have. Each was meant for the column that it stands beside, as the
-- names and lengths show; sandcrawler mended the same ones on 2021-11-01.
CREATE TABLE IF NOT EXISTS ingest_fileset_platform (
    ingest_type                 TEXT NOT NULL CHECK (octet_length(ingest_type) >= 1),
    base_url                    TEXT NOT NULL CHECK (octet_length(base_url) >= 1),
    updated                     TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    hit                         BOOLEAN NOT NULL,
    status                      TEXT CHECK (octet_length(status) >= 1),

    -- 1. Was octet_length(platform): the column is called platform_name.
    platform_name               TEXT NOT NULL CHECK (octet_length(platform_name) >= 1),
    platform_domain             TEXT NOT NULL CHECK (octet_length(platform_domain) >= 1),
    platform_id                 TEXT NOT NULL CHECK (octet_length(platform_id) >= 1),
    ingest_strategy             TEXT CHECK (octet_length(ingest_strategy) >= 1),
    total_size                  BIGINT,
    -- Was INT; sandcrawler's table has BIGINT, which a list of files from outside may need.
    file_count                  BIGINT,
    -- 2. Was octet_length(item_name): an earlier name of the same column.
    archiveorg_item_name        TEXT CHECK (octet_length(archiveorg_item_name) >= 1),
    -- 3. Was octet_length(item_path_bundle): an earlier name of the same column.
    archiveorg_item_bundle_path TEXT CHECK (octet_length(archiveorg_item_bundle_path) >= 1),
    -- 4. Was octet_length(terminal_url), from ingest_file_result: here the terminal is the bundle's.
    web_bundle_url              TEXT CHECK (octet_length(web_bundle_url) >= 1),
    -- 5. Was octet_length(terminal_dt), from ingest_file_result: 14 digits of the bundle's capture.
    web_bundle_dt               TEXT CHECK (octet_length(web_bundle_dt) = 14),

    manifest                    JSONB,
    PRIMARY KEY (ingest_type, base_url)
);
-- IF NOT EXISTS, so that it can be run twice.
CREATE INDEX IF NOT EXISTS ingest_fileset_platform_name_domain_id_idx
    ON ingest_fileset_platform (platform_name, platform_domain, platform_id);
