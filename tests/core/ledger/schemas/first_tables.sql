BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'carrel','first_tables','2026-01-02 03:04:05+00:00');
CREATE TABLE captures (
    record_id TEXT PRIMARY KEY,
    ingest_id TEXT REFERENCES results (ingest_id),
    url TEXT NOT NULL,
    surt TEXT NOT NULL,
    timestamp TEXT NOT NULL CHECK (length(timestamp) = 14),
    mimetype TEXT NOT NULL,
    status_code INTEGER NOT NULL,
    size INTEGER NOT NULL,
    md5 TEXT NOT NULL,
    sha1 TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    filename TEXT NOT NULL,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    is_revisit INTEGER NOT NULL CHECK (is_revisit IN (0, 1)),
    refers_to_url TEXT,
    refers_to_timestamp TEXT
);
CREATE TABLE files (
    ingest_id TEXT NOT NULL REFERENCES results (ingest_id),
    position INTEGER NOT NULL,
    path TEXT NOT NULL,
    status TEXT,
    size INTEGER,
    md5 TEXT,
    sha1 TEXT,
    sha256 TEXT,
    mimetype TEXT,
    platform_url TEXT,
    terminal_url TEXT,
    terminal_dt TEXT,
    capture_id TEXT REFERENCES captures (record_id),
    PRIMARY KEY (ingest_id, position)
);
CREATE TABLE ingest_file_results (
    ingest_id TEXT PRIMARY KEY REFERENCES results (ingest_id),
    base_url TEXT NOT NULL,
    sha1 TEXT NOT NULL,
    result TEXT NOT NULL CHECK (json_valid(result))
);
CREATE TABLE ingest_fileset_platform (
    ingest_type TEXT NOT NULL CHECK (length(ingest_type) >= 1),
    base_url TEXT NOT NULL CHECK (length(base_url) >= 1),
    updated TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    hit INTEGER NOT NULL CHECK (hit IN (0, 1)),
    status TEXT CHECK (length(status) >= 1),
    platform_name TEXT NOT NULL CHECK (length(platform_name) >= 1),
    platform_domain TEXT NOT NULL CHECK (length(platform_domain) >= 1),
    platform_id TEXT NOT NULL CHECK (length(platform_id) >= 1),
    ingest_strategy TEXT CHECK (length(ingest_strategy) >= 1),
    total_size INTEGER,
    file_count INTEGER,
    archiveorg_item_name TEXT CHECK (length(archiveorg_item_name) >= 1),
    archiveorg_item_bundle_path TEXT CHECK (length(archiveorg_item_bundle_path) >= 1),
    web_bundle_url TEXT CHECK (length(web_bundle_url) >= 1),
    web_bundle_dt TEXT CHECK (length(web_bundle_dt) = 14),
    manifest TEXT CHECK (manifest IS NULL OR json_valid(manifest)),
    PRIMARY KEY (ingest_type, base_url)
);
CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    ingest_type TEXT NOT NULL CHECK (length(ingest_type) >= 1),
    base_url TEXT NOT NULL CHECK (length(base_url) >= 1),
    created TEXT NOT NULL,
    request TEXT NOT NULL CHECK (json_valid(request)),
    UNIQUE (ingest_type, base_url, request)
);
INSERT INTO "requests" VALUES(1,'dataset','https://doi.org/10.5072/older','2026-01-02T03:04:05Z','{}');
CREATE TABLE results (
    ingest_id TEXT PRIMARY KEY,
    request_id INTEGER NOT NULL REFERENCES requests (id),
    base_url TEXT NOT NULL,
    started TEXT NOT NULL,
    finished TEXT,
    hit INTEGER CHECK (hit IN (0, 1)),
    status TEXT,
    platform_name TEXT,
    platform_domain TEXT,
    platform_id TEXT,
    platform_version TEXT,
    terminal_url TEXT,
    result TEXT CHECK (result IS NULL OR json_valid(result))
);
INSERT INTO "results" VALUES('older',1,'https://doi.org/10.5072/older','2026-01-02T03:04:05Z','2026-01-02T03:04:06Z',1,'success',NULL,NULL,NULL,NULL,NULL,'{"ingest_id": "older", "status": "success", "hit": true, "file_count": 0, "kept_count": 0,
          "started": "2026-01-02T03:04:05Z", "finished": "2026-01-02T03:04:06Z",
          "request": {"ingest_type": "dataset", "base_url": "https://doi.org/10.5072/older"}}');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX ingest_fileset_platform_name_domain_id
    ON ingest_fileset_platform (platform_name, platform_domain, platform_id);
CREATE INDEX results_base_url ON results (base_url, started);
CREATE INDEX results_platform ON results (platform_name, platform_domain, platform_id);
CREATE INDEX files_sha256 ON files (sha256);
CREATE INDEX files_sha1 ON files (sha1);
CREATE INDEX files_md5 ON files (md5);
CREATE INDEX files_platform_url ON files (platform_url);
CREATE INDEX captures_surt ON captures (surt, timestamp);
CREATE INDEX captures_sha256 ON captures (sha256);
CREATE INDEX captures_ingest ON captures (ingest_id);
COMMIT;
