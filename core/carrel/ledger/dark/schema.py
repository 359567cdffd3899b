# SPDX-License-Identifier: AGPL-3.0-or-later
"""The tables of the dark archive. All of them follow from its journal, and can be made again.

`mi vi mo vo` are the four collections of the Fort Lee paper: what a template (i) or a full text (o)
was at each tist (m), and where the bytes of a text are (v).
"""

TABLES = """
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
CREATE INDEX obi_series ON obi (archive, series);
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
CREATE INDEX content_stored ON content (stored);
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
CREATE INDEX version_text ON version (text_md5);
CREATE INDEX version_sha256 ON version (sha256);
CREATE TABLE incidence (
    seq INTEGER PRIMARY KEY,
    obi_id INTEGER NOT NULL REFERENCES obi (obi_id),
    tist INTEGER NOT NULL REFERENCES run (tist),
    kind TEXT NOT NULL CHECK (kind IN ('appearance', 'change', 'deletion', 'reappearance')),
    since INTEGER,
    cause TEXT,
    UNIQUE (obi_id, tist, kind)
) STRICT;
CREATE INDEX incidence_time ON incidence (tist, kind);
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
CREATE INDEX refipo_fobi ON refipo (fobi_id, until);
CREATE TABLE redirect (
    obi_id INTEGER NOT NULL REFERENCES obi (obi_id),
    tist INTEGER NOT NULL REFERENCES run (tist),
    hop INTEGER NOT NULL,
    status INTEGER NOT NULL,
    to_url TEXT NOT NULL,
    to_obi INTEGER REFERENCES obi (obi_id),
    PRIMARY KEY (obi_id, tist, hop)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE pending (
    obi_id INTEGER PRIMARY KEY REFERENCES obi (obi_id),
    scope TEXT NOT NULL,
    since INTEGER NOT NULL REFERENCES run (tist),
    cause TEXT NOT NULL
) STRICT;
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
CREATE TABLE reading (
    container_id INTEGER NOT NULL REFERENCES container (container_id),
    run INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    src_tist INTEGER,
    PRIMARY KEY (container_id, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX reading_sha256 ON reading (sha256);
CREATE TABLE occurrence (
    container_id INTEGER NOT NULL REFERENCES container (container_id),
    reading INTEGER NOT NULL,
    position INTEGER NOT NULL,
    obi_id INTEGER NOT NULL REFERENCES obi (obi_id),
    text_md5 TEXT NOT NULL,
    PRIMARY KEY (container_id, reading, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX occurrence_obi ON occurrence (obi_id);
CREATE TABLE archive_missed (
    tist INTEGER NOT NULL REFERENCES run (tist),
    scope TEXT NOT NULL,
    archive TEXT NOT NULL,
    pending INTEGER NOT NULL,
    PRIMARY KEY (tist, scope, archive)
) STRICT, WITHOUT ROWID;
CREATE TABLE fixity (
    sha256 TEXT NOT NULL,
    at INTEGER NOT NULL,
    copy TEXT NOT NULL DEFAULT 'primary',
    result TEXT NOT NULL CHECK (result IN ('ok', 'damaged', 'missing', 'unreadable')),
    PRIMARY KEY (sha256, copy, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE fixity_run (
    at INTEGER PRIMARY KEY,
    contents INTEGER NOT NULL,
    size INTEGER NOT NULL,
    faults INTEGER NOT NULL
) STRICT;
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
CREATE TABLE purge (
    sha256 TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    reason TEXT NOT NULL
) STRICT;
CREATE TABLE object_store (
    probed TEXT NOT NULL CHECK (json_valid(probed))
) STRICT;
CREATE TABLE journal_group (
    lines INTEGER PRIMARY KEY,
    file TEXT NOT NULL,
    offset INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    packed BLOB NOT NULL
) STRICT;
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
"""

# In the order in which they can be emptied; journal_group, the copy of the journal, comes last.
DERIVED = (
    "opening",
    "purge",
    "fixity",
    "fixity_run",
    "archive_missed",
    "occurrence",
    "reading",
    "pending",
    "probe",
    "redirect",
    "refipo",
    "incidence",
    "version",
    "container",
    "content",
    "obi",
    "run",
    "object_store",
)
