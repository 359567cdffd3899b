-- SPDX-License-Identifier: AGPL-3.0-or-later
-- Every attempt at a dataset, beside the newest result that the tables of sandcrawler have. Rows are
-- only added: a result that is delivered twice, or read again from the topic, is known by its id.
CREATE TABLE carrel_attempt (
    -- Of a result without one: where its request stands in Kafka (topic/partition/offset).
    ingest_id           TEXT PRIMARY KEY,
    ingest_type         TEXT NOT NULL,
    base_url            TEXT NOT NULL,
    worker              TEXT,
    started             TIMESTAMP WITH TIME ZONE,
    finished            TIMESTAMP WITH TIME ZONE NOT NULL,
    status              TEXT NOT NULL CHECK (octet_length(status) >= 1),
    request_topic       TEXT,
    request_partition   INT,
    request_offset      BIGINT,
    -- Without its manifest, which is large: ingest_fileset_platform has the newest one, and the WARC
    -- of the worker has each.
    result              JSONB NOT NULL
);
CREATE INDEX carrel_attempt_base_url_idx ON carrel_attempt (base_url, ingest_type);
