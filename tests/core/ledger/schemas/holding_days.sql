BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'carrel','first_tables','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'carrel','jobs','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'carrel','captures_by_digest','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'carrel','dark_archive','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'carrel','watched','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(6,'carrel','captures_by_place','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(7,'carrel','fixity','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(8,'carrel','jobs_sealed','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(9,'carrel','accessions','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(10,'carrel','datasets','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(11,'carrel','queue_paused','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(12,'carrel','jobs_by_outcome','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(13,'carrel','schedule_runs','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(14,'carrel','batches','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(15,'carrel','unjournaled','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(16,'carrel','index_files','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(17,'carrel','batches_archived_before','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(18,'carrel','fixity_history','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(19,'carrel','formats','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(20,'carrel','imports','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(21,'carrel','jobs_previewed','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(22,'carrel','holdings_by_identifier','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(23,'carrel','packed_warcs','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(24,'carrel','deliveries','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(25,'carrel','accompanying_fixity','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(26,'carrel','results_lost','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(27,'carrel','very_many','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(28,'carrel','journal_damage','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(29,'carrel','removed_jobs','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(30,'carrel','holding_totals','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(31,'carrel','job_lines','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(32,'carrel','holdings_twinned','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(33,'carrel','tags_by_name','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(34,'carrel','events_with_places','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(35,'carrel','removed_alone','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(36,'carrel','holdings_earlier','2026-01-02 03:04:05+00:00');
INSERT INTO "_sqlite_migrations" VALUES(37,'carrel','holding_days','2026-01-02 03:04:05+00:00');
CREATE TABLE accompanying_fixity (
    filename TEXT NOT NULL,
    offset INTEGER NOT NULL,
    ingest_id TEXT NOT NULL REFERENCES results (ingest_id),
    found TEXT NOT NULL,
    checked TEXT NOT NULL,
    fate TEXT NOT NULL CHECK (fate IN ('intact', 'damaged')),
    message TEXT NOT NULL,
    remedy TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (filename, offset)
) WITHOUT ROWID;
CREATE TABLE archive_missed (
    tist INTEGER NOT NULL REFERENCES run (tist),
    scope TEXT NOT NULL,
    archive TEXT NOT NULL,
    pending INTEGER NOT NULL,
    PRIMARY KEY (tist, scope, archive)
) STRICT, WITHOUT ROWID;
CREATE TABLE batches (
    name TEXT PRIMARY KEY CHECK (length(name) >= 1),
    source TEXT NOT NULL,
    kind TEXT NOT NULL,
    added TEXT NOT NULL,
    total INTEGER NOT NULL,
    problem_count INTEGER NOT NULL,
    duplicate_count INTEGER NOT NULL,
    problems TEXT NOT NULL CHECK (json_valid(problems)),
    options TEXT NOT NULL CHECK (json_valid(options))
, archived_before TEXT NOT NULL DEFAULT '[]') WITHOUT ROWID;
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
CREATE TABLE catalogue (made_by INTEGER NOT NULL);
INSERT INTO "catalogue" VALUES(0);
CREATE TABLE container (
    container_id INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    path TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('reading', 'read', 'unreadable', 'gone')),
    sha256 TEXT,
    src_tist INTEGER,
    encoding TEXT,
    templates INTEGER NOT NULL DEFAULT 0,
    problem TEXT,
    tist INTEGER NOT NULL,
    UNIQUE (scope, path)
) STRICT;
CREATE TABLE content (
    sha256 TEXT PRIMARY KEY,
    md5 TEXT NOT NULL,
    size INTEGER NOT NULL,
    path TEXT NOT NULL,
    media TEXT,
    identifier TEXT,
    stored INTEGER NOT NULL REFERENCES run (tist),
    purged INTEGER
) STRICT;
CREATE TABLE dataset_tags (
    dataset_id INTEGER NOT NULL REFERENCES datasets (dataset_id),
    tag TEXT NOT NULL CHECK (length(tag) >= 1),
    PRIMARY KEY (dataset_id, tag)
) WITHOUT ROWID;
CREATE TABLE datasets (
    dataset_id INTEGER PRIMARY KEY,
    note TEXT NOT NULL DEFAULT '',
    removed TEXT
);
CREATE TABLE deliveries (
    cluster TEXT NOT NULL,
    topic TEXT NOT NULL,
    partition INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    ingest_id TEXT NOT NULL UNIQUE,
    worker TEXT NOT NULL,
    request TEXT NOT NULL CHECK (json_valid(request)),
    tries INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (cluster, topic, partition, offset)
) WITHOUT ROWID;
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
CREATE TABLE fixity (
    sha256 TEXT NOT NULL,
    at INTEGER NOT NULL,
    copy TEXT NOT NULL DEFAULT 'primary',
    result TEXT NOT NULL CHECK (result IN ('ok', 'damaged', 'missing', 'unreadable')),
    PRIMARY KEY (sha256, copy, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE fixity_events (
    id INTEGER PRIMARY KEY,
    record_id TEXT NOT NULL REFERENCES captures (record_id),
    at TEXT NOT NULL,
    fate TEXT NOT NULL CHECK (fate IN ('intact', 'damaged', 'missing')),
    message TEXT NOT NULL,
    remedy TEXT NOT NULL DEFAULT '',
    software TEXT NOT NULL
, filename TEXT, offset INTEGER);
CREATE TABLE fixity_run (
    at INTEGER PRIMARY KEY,
    contents INTEGER NOT NULL,
    size INTEGER NOT NULL,
    faults INTEGER NOT NULL
) STRICT;
CREATE TABLE format_totals (
    puid TEXT NOT NULL,
    risk TEXT NOT NULL,
    datasets INTEGER NOT NULL,
    files INTEGER NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (puid, risk)
) WITHOUT ROWID
;
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
;
CREATE TABLE holding_days (
    dataset_id INTEGER NOT NULL,
    day TEXT NOT NULL,
    is_removed INTEGER NOT NULL,
    is_first INTEGER NOT NULL,
    opens_month INTEGER NOT NULL,
    opens_year INTEGER NOT NULL,
    files INTEGER NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (dataset_id, day)
) WITHOUT ROWID
;
CREATE TABLE holding_formats (
    dataset_id INTEGER NOT NULL,
    puid TEXT NOT NULL,
    risk TEXT NOT NULL,
    files INTEGER NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (dataset_id, puid, risk)
) WITHOUT ROWID
;
CREATE TABLE holding_totals (
    platform_name TEXT NOT NULL,
    month TEXT NOT NULL,
    datasets INTEGER NOT NULL,
    files INTEGER NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (platform_name, month)
) WITHOUT ROWID;
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
, twinned INTEGER NOT NULL DEFAULT 0, earlier INTEGER NOT NULL DEFAULT 0);
PRAGMA writable_schema=ON;
INSERT INTO sqlite_master(type,name,tbl_name,rootpage,sql)VALUES('table','holdings_text','holdings_text',0,'CREATE VIRTUAL TABLE holdings_text USING fts5 (
    title, creators, identifiers, files, remarks,
    tokenize = "unicode61 remove_diacritics 2", prefix = ''2 3 4''
)');
CREATE TABLE 'holdings_text_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO "holdings_text_config" VALUES('version',4);
CREATE TABLE 'holdings_text_content'(id INTEGER PRIMARY KEY, c0, c1, c2, c3, c4);
CREATE TABLE 'holdings_text_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO "holdings_text_data" VALUES(1,X'');
INSERT INTO "holdings_text_data" VALUES(10,X'00000000000000');
CREATE TABLE 'holdings_text_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
CREATE TABLE 'holdings_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE imports (
    ingest_id TEXT PRIMARY KEY REFERENCES results (ingest_id),
    at TEXT NOT NULL,
    source TEXT NOT NULL
);
CREATE TABLE incidence (
    seq INTEGER PRIMARY KEY,
    obi_id INTEGER NOT NULL REFERENCES obi (obi_id),
    tist INTEGER NOT NULL REFERENCES run (tist),
    kind TEXT NOT NULL CHECK (kind IN ('appearance', 'change', 'deletion', 'reappearance')),
    since INTEGER,
    cause TEXT,
    UNIQUE (obi_id, tist, kind)
) STRICT;
CREATE TABLE index_files (
    name TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    modified_ns INTEGER NOT NULL
) WITHOUT ROWID;
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
CREATE TABLE jobs (
    job_id TEXT PRIMARY KEY,
    base_url TEXT NOT NULL CHECK (length(base_url) >= 1),
    request TEXT NOT NULL CHECK (json_valid(request)),
    options TEXT NOT NULL CHECK (json_valid(options)),
    state TEXT NOT NULL CHECK (
        state IN ('queued', 'running', 'paused', 'asking', 'done', 'failed', 'cancelled')),
    position INTEGER NOT NULL,
    priority INTEGER NOT NULL DEFAULT 0,
    batch TEXT CHECK (length(batch) >= 1),
    added TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    ingest_id TEXT,
    started TEXT,
    finished TEXT,
    status TEXT,
    message TEXT,
    question TEXT CHECK (question IS NULL OR json_valid(question)),
    title TEXT,
    platform_name TEXT,
    file_count INTEGER,
    kept_count INTEGER,
    total_size INTEGER,
    kept_size INTEGER
, seal TEXT, tags TEXT CHECK (tags IS NULL OR json_valid(tags)), previewed_version TEXT, line INTEGER);
CREATE TABLE journal_damage (what TEXT NOT NULL);
CREATE TABLE journal_group (
    lines INTEGER PRIMARY KEY,
    file TEXT NOT NULL,
    offset INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    packed BLOB NOT NULL
) STRICT;
CREATE TABLE journal_head (lines INTEGER NOT NULL, sha256 TEXT NOT NULL, file TEXT NOT NULL, end INTEGER NOT NULL);
CREATE TABLE month_totals (
    month TEXT PRIMARY KEY,
    datasets INTEGER NOT NULL,
    in_year INTEGER NOT NULL,
    first INTEGER NOT NULL,
    files INTEGER NOT NULL,
    size INTEGER NOT NULL
) WITHOUT ROWID
;
CREATE TABLE obi (
    obi_id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('tobi', 'fobi')),
    ident TEXT NOT NULL,
    ident_n TEXT NOT NULL,
    scope TEXT,
    archive TEXT,
    series TEXT,
    ttype TEXT,
    restriction TEXT,
    state TEXT NOT NULL DEFAULT 'unseen' CHECK (state IN ('unseen', 'present', 'lost')),
    text_md5 TEXT,
    UNIQUE (kind, ident_n)
) STRICT;
CREATE TABLE object_store (
    probed TEXT NOT NULL CHECK (json_valid(probed))
) STRICT;
CREATE TABLE occurrence (
    container_id INTEGER NOT NULL REFERENCES container (container_id),
    reading INTEGER NOT NULL,
    position INTEGER NOT NULL,
    obi_id INTEGER NOT NULL REFERENCES obi (obi_id),
    text_md5 TEXT NOT NULL,
    PRIMARY KEY (container_id, reading, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE opening (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    deed TEXT NOT NULL,
    obi_id INTEGER NOT NULL REFERENCES obi (obi_id),
    tist INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    reason TEXT NOT NULL,
    occasion TEXT NOT NULL
) STRICT;
CREATE TABLE packed_warcs (
    name TEXT PRIMARY KEY CHECK (length(name) >= 1),
    filename TEXT NOT NULL,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    is_removed INTEGER NOT NULL DEFAULT 0 CHECK (is_removed IN (0, 1))
) WITHOUT ROWID;
CREATE TABLE pending (
    obi_id INTEGER PRIMARY KEY REFERENCES obi (obi_id),
    scope TEXT NOT NULL,
    since INTEGER NOT NULL REFERENCES run (tist),
    cause TEXT NOT NULL
) STRICT;
CREATE TABLE probe (
    obi_id INTEGER NOT NULL REFERENCES obi (obi_id),
    outcome TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    n INTEGER NOT NULL,
    detail TEXT,
    evidence TEXT REFERENCES content (sha256),
    PRIMARY KEY (obi_id, first)
) STRICT, WITHOUT ROWID;
CREATE TABLE purge (
    sha256 TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    reason TEXT NOT NULL
) STRICT;
CREATE TABLE queue_paused (since TEXT NOT NULL);
CREATE TABLE reading (
    container_id INTEGER NOT NULL REFERENCES container (container_id),
    run INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    src_tist INTEGER,
    PRIMARY KEY (container_id, run)
) STRICT, WITHOUT ROWID;
CREATE TABLE record_fixity (
    record_id TEXT PRIMARY KEY REFERENCES captures (record_id),
    checked TEXT NOT NULL,
    fate TEXT NOT NULL CHECK (fate IN ('intact', 'damaged', 'missing')),
    message TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE redirect (
    obi_id INTEGER NOT NULL REFERENCES obi (obi_id),
    tist INTEGER NOT NULL REFERENCES run (tist),
    hop INTEGER NOT NULL,
    status INTEGER NOT NULL,
    to_url TEXT NOT NULL,
    to_obi INTEGER REFERENCES obi (obi_id),
    PRIMARY KEY (obi_id, tist, hop)
) STRICT, WITHOUT ROWID;
CREATE TABLE refipo (
    tobi_id INTEGER NOT NULL REFERENCES obi (obi_id),
    seq INTEGER NOT NULL,
    fobi_id INTEGER REFERENCES obi (obi_id),
    raw_url TEXT NOT NULL,
    format TEXT,
    func TEXT,
    restriction TEXT,
    size TEXT,
    since INTEGER NOT NULL,
    until INTEGER,
    PRIMARY KEY (tobi_id, seq, since)
) STRICT, WITHOUT ROWID;
CREATE TABLE removed_alone (job_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE removed_jobs (
    job_id TEXT PRIMARY KEY,
    base_url TEXT NOT NULL,
    request TEXT NOT NULL CHECK (json_valid(request)),
    options TEXT NOT NULL CHECK (json_valid(options)),
    state TEXT NOT NULL CHECK (state IN ('done', 'failed', 'cancelled')),
    position INTEGER NOT NULL,
    priority INTEGER NOT NULL DEFAULT 0,
    batch TEXT NOT NULL CHECK (length(batch) >= 1),
    added TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    ingest_id TEXT,
    started TEXT,
    finished TEXT,
    status TEXT,
    message TEXT,
    question TEXT CHECK (question IS NULL OR json_valid(question)),
    title TEXT,
    platform_name TEXT,
    file_count INTEGER,
    kept_count INTEGER,
    total_size INTEGER,
    kept_size INTEGER,
    seal TEXT,
    tags TEXT CHECK (tags IS NULL OR json_valid(tags)),
    previewed_version TEXT
, line INTEGER);
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
, dataset_id INTEGER REFERENCES datasets (dataset_id));
INSERT INTO "results" VALUES('older',1,'https://doi.org/10.5072/older','2026-01-02T03:04:05Z','2026-01-02T03:04:06Z',1,'success',NULL,NULL,NULL,NULL,NULL,'{"ingest_id": "older", "status": "success", "hit": true, "file_count": 0, "kept_count": 0,
          "started": "2026-01-02T03:04:05Z", "finished": "2026-01-02T03:04:06Z",
          "request": {"ingest_type": "dataset", "base_url": "https://doi.org/10.5072/older"}}',NULL);
CREATE TABLE run (
    tist INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    scope TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('directory', 'tarball', 'backfill', 'list', 'watch')),
    source_ref TEXT NOT NULL,
    source_tist INTEGER,
    moment INTEGER NOT NULL,
    wall_clock TEXT NOT NULL,
    finished TEXT,
    scope_ok INTEGER NOT NULL DEFAULT 0 CHECK (scope_ok IN (0, 1)),
    counts TEXT CHECK (counts IS NULL OR json_valid(counts))
) STRICT;
CREATE TABLE schedule_runs (
    id INTEGER PRIMARY KEY,
    task TEXT NOT NULL,
    started TEXT NOT NULL,
    finished TEXT,
    ending TEXT,
    total INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    found INTEGER NOT NULL DEFAULT 0,
    message TEXT NOT NULL DEFAULT ''
);
CREATE TABLE unjournaled (number INTEGER PRIMARY KEY AUTOINCREMENT, tab TEXT NOT NULL, key TEXT NOT NULL);
INSERT INTO "unjournaled" VALUES(1,'requests','[1]');
INSERT INTO "unjournaled" VALUES(2,'results','[1]');
CREATE TABLE verifications (
    id INTEGER PRIMARY KEY,
    ingest_id TEXT REFERENCES results (ingest_id),
    started TEXT NOT NULL,
    records INTEGER NOT NULL,
    failed INTEGER NOT NULL
, finished TEXT, bytes INTEGER, compared TEXT, software TEXT);
CREATE TABLE version (
    obi_id INTEGER NOT NULL REFERENCES obi (obi_id),
    tist INTEGER NOT NULL REFERENCES run (tist),
    src_tist INTEGER,
    sha256 TEXT NOT NULL REFERENCES content (sha256),
    text_md5 TEXT NOT NULL,
    exchange TEXT CHECK (exchange IS NULL OR json_valid(exchange)),
    container_id INTEGER REFERENCES container (container_id),
    position INTEGER,
    PRIMARY KEY (obi_id, tist)
) STRICT, WITHOUT ROWID;
CREATE TABLE watched (
    base_url TEXT PRIMARY KEY,
    request TEXT NOT NULL CHECK (json_valid(request)),
    added TEXT NOT NULL,
    removed TEXT,
    captured TEXT,
    looked INTEGER,
    state TEXT CHECK (state IS NULL OR json_valid(state)),
    seen TEXT CHECK (seen IS NULL OR json_valid(seen)),
    first TEXT CHECK (first IS NULL OR json_valid(first))
);
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
CREATE INDEX jobs_turn ON jobs (state, priority DESC, position);
CREATE INDEX jobs_base_url ON jobs (base_url);
CREATE INDEX captures_url ON captures (url);
CREATE INDEX captures_sha1 ON captures (sha1);
CREATE INDEX obi_series ON obi (archive, series);
CREATE INDEX content_stored ON content (stored);
CREATE INDEX version_text ON version (text_md5);
CREATE INDEX version_sha256 ON version (sha256);
CREATE INDEX incidence_time ON incidence (tist, kind);
CREATE INDEX refipo_fobi ON refipo (fobi_id, until);
CREATE INDEX reading_sha256 ON reading (sha256);
CREATE INDEX occurrence_obi ON occurrence (obi_id);
CREATE VIEW mi AS
    SELECT o.ident_n AS id, json_group_object(v.tist, v.text_md5) AS history
    FROM version v JOIN obi o USING (obi_id) WHERE o.kind = 'tobi' GROUP BY v.obi_id;
CREATE VIEW vi AS
    SELECT v.text_md5 AS md5, min(c.path) AS location
    FROM version v JOIN obi o USING (obi_id) JOIN content c USING (sha256)
    WHERE o.kind = 'tobi' GROUP BY v.text_md5;
CREATE VIEW mo AS
    SELECT o.ident_n AS id, json_group_object(v.tist, v.text_md5) AS history
    FROM version v JOIN obi o USING (obi_id) WHERE o.kind = 'fobi' GROUP BY v.obi_id;
CREATE VIEW vo AS
    SELECT v.text_md5 AS md5, min(c.path) AS location
    FROM version v JOIN obi o USING (obi_id) JOIN content c USING (sha256)
    WHERE o.kind = 'fobi' GROUP BY v.text_md5;
CREATE VIEW obi_state AS
    SELECT o.obi_id, o.kind, o.ident, o.ident_n, o.scope, o.archive, o.series, o.ttype,
        i.kind AS last_incidence, i.tist AS last_tist,
        (SELECT min(coalesce(v.src_tist, v.tist)) FROM version v JOIN run r USING (tist)
            WHERE v.obi_id = o.obi_id AND (r.source = 'backfill' OR v.tist =
            (SELECT min(w.tist) FROM version w WHERE w.obi_id = o.obi_id))) AS tist_found,
        CASE i.kind WHEN 'deletion' THEN coalesce(i.since, i.tist) ELSE p.since END AS tist_lost,
        CASE WHEN i.kind = 'deletion' THEN 'lost' WHEN p.obi_id IS NOT NULL THEN 'suspect'
            WHEN i.kind IS NULL THEN 'unseen' ELSE 'present' END AS state,
        coalesce(i.cause, p.cause) AS cause,
        EXISTS (SELECT 1 FROM version v WHERE v.obi_id = o.obi_id) AS held
    FROM obi o
    LEFT JOIN incidence i ON i.seq = (SELECT y.seq FROM incidence y WHERE y.obi_id = o.obi_id
        ORDER BY y.tist DESC, y.seq DESC LIMIT 1)
    LEFT JOIN pending p ON p.obi_id = o.obi_id;
CREATE INDEX captures_place ON captures (filename, offset);
CREATE INDEX record_fixity_faults ON record_fixity (record_id) WHERE fate <> 'intact';
CREATE INDEX verifications_ingest ON verifications (ingest_id, started);
CREATE INDEX files_capture ON files (capture_id);
CREATE INDEX files_existing ON files (ingest_id) WHERE status = 'success-existing';
CREATE INDEX captures_revisits ON captures (ingest_id) WHERE is_revisit;
CREATE INDEX results_dataset ON results (dataset_id, finished);
CREATE INDEX holdings_archived ON holdings (is_removed, archived);
CREATE INDEX holdings_title ON holdings (is_removed, title_key);
CREATE INDEX holdings_creators ON holdings (is_removed, creators COLLATE NOCASE);
CREATE INDEX holdings_license ON holdings (is_removed, license);
CREATE INDEX holdings_files ON holdings (is_removed, kept_count);
CREATE INDEX holdings_size ON holdings (is_removed, kept_size);
CREATE INDEX holdings_verified ON holdings (is_removed, verified);
CREATE INDEX holdings_ingest ON holdings (ingest_id);
CREATE INDEX holdings_failed ON holdings (is_removed) WHERE failed > 0;
CREATE INDEX holdings_incomplete ON holdings (is_removed, failed) WHERE is_complete = 0;
CREATE INDEX holdings_unproven ON holdings (is_removed) WHERE proof <> 'digest';
CREATE INDEX jobs_outcome ON jobs (state, status);
CREATE INDEX schedule_runs_task ON schedule_runs (task, id);
CREATE TRIGGER requests_insert_unjournaled AFTER INSERT ON requests BEGIN INSERT INTO unjournaled (tab, key) VALUES ('requests', json_array(NEW.rowid)); END;
CREATE TRIGGER requests_update_unjournaled AFTER UPDATE ON requests BEGIN INSERT INTO unjournaled (tab, key) VALUES ('requests', json_array(NEW.rowid)); END;
CREATE TRIGGER requests_delete_unjournaled AFTER DELETE ON requests BEGIN INSERT INTO unjournaled (tab, key) VALUES ('requests', json_array(OLD.rowid)); END;
CREATE TRIGGER datasets_insert_unjournaled AFTER INSERT ON datasets BEGIN INSERT INTO unjournaled (tab, key) VALUES ('datasets', json_array(NEW.rowid)); END;
CREATE TRIGGER datasets_update_unjournaled AFTER UPDATE ON datasets BEGIN INSERT INTO unjournaled (tab, key) VALUES ('datasets', json_array(NEW.rowid)); END;
CREATE TRIGGER datasets_delete_unjournaled AFTER DELETE ON datasets BEGIN INSERT INTO unjournaled (tab, key) VALUES ('datasets', json_array(OLD.rowid)); END;
CREATE TRIGGER results_insert_unjournaled AFTER INSERT ON results BEGIN INSERT INTO unjournaled (tab, key) VALUES ('results', json_array(NEW.rowid)); END;
CREATE TRIGGER results_update_unjournaled AFTER UPDATE ON results BEGIN INSERT INTO unjournaled (tab, key) VALUES ('results', json_array(NEW.rowid)); END;
CREATE TRIGGER results_delete_unjournaled AFTER DELETE ON results BEGIN INSERT INTO unjournaled (tab, key) VALUES ('results', json_array(OLD.rowid)); END;
CREATE TRIGGER captures_insert_unjournaled AFTER INSERT ON captures WHEN NEW.ingest_id IS NULL BEGIN INSERT INTO unjournaled (tab, key) VALUES ('captures', json_array(NEW.record_id)); END;
CREATE TRIGGER captures_update_unjournaled AFTER UPDATE ON captures WHEN NEW.ingest_id IS NULL BEGIN INSERT INTO unjournaled (tab, key) VALUES ('captures', json_array(NEW.record_id)); END;
CREATE TRIGGER captures_delete_unjournaled AFTER DELETE ON captures WHEN OLD.ingest_id IS NULL BEGIN INSERT INTO unjournaled (tab, key) VALUES ('captures', json_array(OLD.record_id)); END;
CREATE TRIGGER ingest_fileset_platform_insert_unjournaled AFTER INSERT ON ingest_fileset_platform BEGIN INSERT INTO unjournaled (tab, key) VALUES ('ingest_fileset_platform', json_array(NEW.rowid)); END;
CREATE TRIGGER ingest_fileset_platform_update_unjournaled AFTER UPDATE ON ingest_fileset_platform BEGIN INSERT INTO unjournaled (tab, key) VALUES ('ingest_fileset_platform', json_array(NEW.rowid)); END;
CREATE TRIGGER ingest_fileset_platform_delete_unjournaled AFTER DELETE ON ingest_fileset_platform BEGIN INSERT INTO unjournaled (tab, key) VALUES ('ingest_fileset_platform', json_array(OLD.rowid)); END;
CREATE TRIGGER ingest_file_results_insert_unjournaled AFTER INSERT ON ingest_file_results BEGIN INSERT INTO unjournaled (tab, key) VALUES ('ingest_file_results', json_array(NEW.rowid)); END;
CREATE TRIGGER ingest_file_results_update_unjournaled AFTER UPDATE ON ingest_file_results BEGIN INSERT INTO unjournaled (tab, key) VALUES ('ingest_file_results', json_array(NEW.rowid)); END;
CREATE TRIGGER ingest_file_results_delete_unjournaled AFTER DELETE ON ingest_file_results BEGIN INSERT INTO unjournaled (tab, key) VALUES ('ingest_file_results', json_array(OLD.rowid)); END;
CREATE TRIGGER dataset_tags_insert_unjournaled AFTER INSERT ON dataset_tags BEGIN INSERT INTO unjournaled (tab, key) VALUES ('dataset_tags', json_array(NEW.dataset_id, NEW.tag)); END;
CREATE TRIGGER dataset_tags_update_unjournaled AFTER UPDATE ON dataset_tags BEGIN INSERT INTO unjournaled (tab, key) VALUES ('dataset_tags', json_array(NEW.dataset_id, NEW.tag)); END;
CREATE TRIGGER dataset_tags_delete_unjournaled AFTER DELETE ON dataset_tags BEGIN INSERT INTO unjournaled (tab, key) VALUES ('dataset_tags', json_array(OLD.dataset_id, OLD.tag)); END;
CREATE TRIGGER batches_insert_unjournaled AFTER INSERT ON batches BEGIN INSERT INTO unjournaled (tab, key) VALUES ('batches', json_array(NEW.name)); END;
CREATE TRIGGER batches_update_unjournaled AFTER UPDATE ON batches BEGIN INSERT INTO unjournaled (tab, key) VALUES ('batches', json_array(NEW.name)); END;
CREATE TRIGGER batches_delete_unjournaled AFTER DELETE ON batches BEGIN INSERT INTO unjournaled (tab, key) VALUES ('batches', json_array(OLD.name)); END;
CREATE TRIGGER jobs_insert_unjournaled AFTER INSERT ON jobs BEGIN INSERT INTO unjournaled (tab, key) VALUES ('jobs', json_array(NEW.rowid)); END;
CREATE TRIGGER jobs_update_unjournaled AFTER UPDATE ON jobs BEGIN INSERT INTO unjournaled (tab, key) VALUES ('jobs', json_array(NEW.rowid)); END;
CREATE TRIGGER jobs_delete_unjournaled AFTER DELETE ON jobs BEGIN INSERT INTO unjournaled (tab, key) VALUES ('jobs', json_array(OLD.rowid)); END;
CREATE TRIGGER queue_paused_insert_unjournaled AFTER INSERT ON queue_paused BEGIN INSERT INTO unjournaled (tab, key) VALUES ('queue_paused', json_array(NEW.rowid)); END;
CREATE TRIGGER queue_paused_update_unjournaled AFTER UPDATE ON queue_paused BEGIN INSERT INTO unjournaled (tab, key) VALUES ('queue_paused', json_array(NEW.rowid)); END;
CREATE TRIGGER queue_paused_delete_unjournaled AFTER DELETE ON queue_paused BEGIN INSERT INTO unjournaled (tab, key) VALUES ('queue_paused', json_array(OLD.rowid)); END;
CREATE TRIGGER watched_insert_unjournaled AFTER INSERT ON watched BEGIN INSERT INTO unjournaled (tab, key) VALUES ('watched', json_array(NEW.rowid)); END;
CREATE TRIGGER watched_update_unjournaled AFTER UPDATE ON watched BEGIN INSERT INTO unjournaled (tab, key) VALUES ('watched', json_array(NEW.rowid)); END;
CREATE TRIGGER watched_delete_unjournaled AFTER DELETE ON watched BEGIN INSERT INTO unjournaled (tab, key) VALUES ('watched', json_array(OLD.rowid)); END;
CREATE TRIGGER record_fixity_insert_unjournaled AFTER INSERT ON record_fixity BEGIN INSERT INTO unjournaled (tab, key) VALUES ('record_fixity', json_array(NEW.record_id)); END;
CREATE TRIGGER record_fixity_update_unjournaled AFTER UPDATE ON record_fixity BEGIN INSERT INTO unjournaled (tab, key) VALUES ('record_fixity', json_array(NEW.record_id)); END;
CREATE TRIGGER record_fixity_delete_unjournaled AFTER DELETE ON record_fixity BEGIN INSERT INTO unjournaled (tab, key) VALUES ('record_fixity', json_array(OLD.record_id)); END;
CREATE TRIGGER verifications_insert_unjournaled AFTER INSERT ON verifications BEGIN INSERT INTO unjournaled (tab, key) VALUES ('verifications', json_array(NEW.rowid)); END;
CREATE TRIGGER verifications_update_unjournaled AFTER UPDATE ON verifications BEGIN INSERT INTO unjournaled (tab, key) VALUES ('verifications', json_array(NEW.rowid)); END;
CREATE TRIGGER verifications_delete_unjournaled AFTER DELETE ON verifications BEGIN INSERT INTO unjournaled (tab, key) VALUES ('verifications', json_array(OLD.rowid)); END;
CREATE TRIGGER schedule_runs_insert_unjournaled AFTER INSERT ON schedule_runs BEGIN INSERT INTO unjournaled (tab, key) VALUES ('schedule_runs', json_array(NEW.rowid)); END;
CREATE TRIGGER schedule_runs_update_unjournaled AFTER UPDATE ON schedule_runs BEGIN INSERT INTO unjournaled (tab, key) VALUES ('schedule_runs', json_array(NEW.rowid)); END;
CREATE TRIGGER schedule_runs_delete_unjournaled AFTER DELETE ON schedule_runs BEGIN INSERT INTO unjournaled (tab, key) VALUES ('schedule_runs', json_array(OLD.rowid)); END;
CREATE INDEX verifications_started ON verifications (started);
CREATE INDEX fixity_events_record ON fixity_events (record_id, id);
CREATE INDEX fixity_events_at ON fixity_events (at);
CREATE TRIGGER fixity_events_insert_unjournaled AFTER INSERT ON fixity_events BEGIN INSERT INTO unjournaled (tab, key) VALUES ('fixity_events', json_array(NEW.rowid)); END;
CREATE TRIGGER fixity_events_update_unjournaled AFTER UPDATE ON fixity_events BEGIN INSERT INTO unjournaled (tab, key) VALUES ('fixity_events', json_array(NEW.rowid)); END;
CREATE TRIGGER fixity_events_delete_unjournaled AFTER DELETE ON fixity_events BEGIN INSERT INTO unjournaled (tab, key) VALUES ('fixity_events', json_array(OLD.rowid)); END;
CREATE INDEX formats_puid ON formats (puid);
CREATE TRIGGER formats_insert_unjournaled AFTER INSERT ON formats BEGIN INSERT INTO unjournaled (tab, key) VALUES ('formats', json_array(NEW.sha256, NEW.extension)); END;
CREATE TRIGGER formats_update_unjournaled AFTER UPDATE ON formats BEGIN INSERT INTO unjournaled (tab, key) VALUES ('formats', json_array(NEW.sha256, NEW.extension)); END;
CREATE TRIGGER formats_delete_unjournaled AFTER DELETE ON formats BEGIN INSERT INTO unjournaled (tab, key) VALUES ('formats', json_array(OLD.sha256, OLD.extension)); END;
CREATE INDEX holding_formats_puid ON holding_formats (puid, dataset_id);
CREATE INDEX holding_formats_risk ON holding_formats (risk, dataset_id);
CREATE TRIGGER holding_formats_INSERT AFTER INSERT ON holding_formats BEGIN
    INSERT INTO format_totals VALUES (NEW.puid, NEW.risk, 1, NEW.files,
        NEW.size)
    ON CONFLICT (puid, risk) DO UPDATE SET datasets = datasets + excluded.datasets,
        files = files + excluded.files, size = size + excluded.size; DELETE FROM format_totals
        WHERE puid = NEW.puid AND risk = NEW.risk AND datasets = 0; END;
CREATE TRIGGER holding_formats_DELETE AFTER DELETE ON holding_formats BEGIN
    INSERT INTO format_totals VALUES (OLD.puid, OLD.risk, -1, -OLD.files,
        -OLD.size)
    ON CONFLICT (puid, risk) DO UPDATE SET datasets = datasets + excluded.datasets,
        files = files + excluded.files, size = size + excluded.size; DELETE FROM format_totals
        WHERE puid = OLD.puid AND risk = OLD.risk AND datasets = 0; END;
CREATE TRIGGER holdings_formats_gone AFTER DELETE ON holdings BEGIN DELETE FROM holding_formats WHERE dataset_id = OLD.dataset_id; END;
CREATE TRIGGER imports_insert_unjournaled AFTER INSERT ON imports BEGIN INSERT INTO unjournaled (tab, key) VALUES ('imports', json_array(NEW.ingest_id)); END;
CREATE TRIGGER imports_update_unjournaled AFTER UPDATE ON imports BEGIN INSERT INTO unjournaled (tab, key) VALUES ('imports', json_array(NEW.ingest_id)); END;
CREATE TRIGGER imports_delete_unjournaled AFTER DELETE ON imports BEGIN INSERT INTO unjournaled (tab, key) VALUES ('imports', json_array(OLD.ingest_id)); END;
CREATE INDEX holdings_identifier ON holdings (identifier COLLATE NOCASE);
CREATE INDEX packed_warcs_place ON packed_warcs (filename, offset);
CREATE INDEX packed_warcs_left ON packed_warcs (name) WHERE NOT is_removed;
CREATE INDEX accompanying_fixity_faults ON accompanying_fixity (ingest_id) WHERE fate <> 'intact';
CREATE TRIGGER accompanying_fixity_insert_unjournaled AFTER INSERT ON accompanying_fixity BEGIN INSERT INTO unjournaled (tab, key) VALUES ('accompanying_fixity', json_array(NEW.filename, NEW.offset)); END;
CREATE TRIGGER accompanying_fixity_update_unjournaled AFTER UPDATE ON accompanying_fixity BEGIN INSERT INTO unjournaled (tab, key) VALUES ('accompanying_fixity', json_array(NEW.filename, NEW.offset)); END;
CREATE TRIGGER accompanying_fixity_delete_unjournaled AFTER DELETE ON accompanying_fixity BEGIN INSERT INTO unjournaled (tab, key) VALUES ('accompanying_fixity', json_array(OLD.filename, OLD.offset)); END;
CREATE INDEX results_lost ON results (ingest_id) WHERE finished IS NOT NULL AND result IS NULL;
CREATE INDEX results_unfinished ON results (ingest_id) WHERE finished IS NULL;
CREATE INDEX jobs_batch ON jobs (batch, state, status);
CREATE INDEX jobs_done ON jobs (coalesce(finished, '') DESC, position) WHERE state = 'done';
CREATE INDEX holdings_version ON holdings (is_removed, platform_version);
CREATE INDEX removed_jobs_batch ON removed_jobs (batch, state);
CREATE TRIGGER removed_jobs_insert_unjournaled AFTER INSERT ON removed_jobs BEGIN INSERT INTO unjournaled (tab, key) VALUES ('removed_jobs', json_array(NEW.job_id)); END;
CREATE TRIGGER removed_jobs_update_unjournaled AFTER UPDATE ON removed_jobs BEGIN INSERT INTO unjournaled (tab, key) VALUES ('removed_jobs', json_array(NEW.job_id)); END;
CREATE TRIGGER removed_jobs_delete_unjournaled AFTER DELETE ON removed_jobs BEGIN INSERT INTO unjournaled (tab, key) VALUES ('removed_jobs', json_array(OLD.job_id)); END;
CREATE TRIGGER holdings_totals_INSERT AFTER INSERT ON holdings WHEN NEW.is_removed = 0 BEGIN
    INSERT INTO holding_totals VALUES (NEW.platform_name, substr(NEW.archived, 1, 7), 1,
        NEW.kept_count, NEW.kept_size)
    ON CONFLICT (platform_name, month) DO UPDATE SET datasets = datasets + excluded.datasets,
        files = files + excluded.files, size = size + excluded.size; DELETE FROM holding_totals
        WHERE platform_name = NEW.platform_name AND month = substr(NEW.archived, 1, 7)
        AND datasets = 0; END;
CREATE TRIGGER holdings_totals_DELETE AFTER DELETE ON holdings WHEN OLD.is_removed = 0 BEGIN
    INSERT INTO holding_totals VALUES (OLD.platform_name, substr(OLD.archived, 1, 7), -1,
        -OLD.kept_count, -OLD.kept_size)
    ON CONFLICT (platform_name, month) DO UPDATE SET datasets = datasets + excluded.datasets,
        files = files + excluded.files, size = size + excluded.size; DELETE FROM holding_totals
        WHERE platform_name = OLD.platform_name AND month = substr(OLD.archived, 1, 7)
        AND datasets = 0; END;
CREATE INDEX dataset_tags_tag ON dataset_tags (tag);
CREATE TRIGGER removed_alone_insert_unjournaled AFTER INSERT ON removed_alone BEGIN INSERT INTO unjournaled (tab, key) VALUES ('removed_alone', json_array(NEW.job_id)); END;
CREATE TRIGGER removed_alone_update_unjournaled AFTER UPDATE ON removed_alone BEGIN INSERT INTO unjournaled (tab, key) VALUES ('removed_alone', json_array(NEW.job_id)); END;
CREATE TRIGGER removed_alone_delete_unjournaled AFTER DELETE ON removed_alone BEGIN INSERT INTO unjournaled (tab, key) VALUES ('removed_alone', json_array(OLD.job_id)); END;
CREATE INDEX holdings_state ON holdings
    (is_removed, platform_name, verified, failed, missing, twinned, earlier, is_complete, proof,
    kept_count, kept_size);
CREATE INDEX holding_days_day ON holding_days (day, is_removed, dataset_id, opens_month, opens_year, files, size);
CREATE TRIGGER holding_days_INSERT AFTER INSERT ON holding_days WHEN NEW.is_removed = 0 BEGIN
    INSERT INTO month_totals VALUES (substr(NEW.day, 1, 7), NEW.opens_month,
        NEW.opens_year, NEW.is_first, NEW.files, NEW.size)
    ON CONFLICT (month) DO UPDATE SET datasets = datasets + excluded.datasets,
        in_year = in_year + excluded.in_year, first = first + excluded.first,
        files = files + excluded.files, size = size + excluded.size; DELETE FROM month_totals
        WHERE month = substr(NEW.day, 1, 7) AND datasets = 0 AND files = 0 AND size = 0; END;
CREATE TRIGGER holding_days_DELETE AFTER DELETE ON holding_days WHEN OLD.is_removed = 0 BEGIN
    INSERT INTO month_totals VALUES (substr(OLD.day, 1, 7), -OLD.opens_month,
        -OLD.opens_year, -OLD.is_first, -OLD.files, -OLD.size)
    ON CONFLICT (month) DO UPDATE SET datasets = datasets + excluded.datasets,
        in_year = in_year + excluded.in_year, first = first + excluded.first,
        files = files + excluded.files, size = size + excluded.size; DELETE FROM month_totals
        WHERE month = substr(OLD.day, 1, 7) AND datasets = 0 AND files = 0 AND size = 0; END;
CREATE TRIGGER holdings_days_gone AFTER DELETE ON holdings BEGIN DELETE FROM holding_days WHERE dataset_id = OLD.dataset_id; END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('unjournaled',2);
PRAGMA writable_schema=OFF;
COMMIT;
