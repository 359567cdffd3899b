# SPDX-License-Identifier: AGPL-3.0-or-later
"""The ledger's tables, one migration after another. A step that was released never changes.

`ingest_fileset_platform` has the columns, key and checks of the ingest proposal, translated to
SQLite: one row per dataset, the latest attempt. Beside it stands what the proposal lacks: every
attempt (`results`), every file of every attempt (`files`), every record in the WARCs (`captures`).
"""

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from carrel.ledger.arrival_tables import TABLES as ARRIVAL_TABLES
from carrel.ledger.catalogue_tables import TABLES as CATALOGUE_TABLES
from carrel.ledger.catalogue_tables import TOTALS
from carrel.ledger.dark.schema import TABLES as DARK_TABLES
from carrel.ledger.datasets import TABLES as DATASET_TABLES
from carrel.ledger.format_tables import TABLES as FORMAT_TABLES
from carrel.ledger.journaled_tables import noting
from carrel.ledger.journaled_tables import tables as journaled_tables

migrations = Migrations("carrel")

_FIRST = """
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
CREATE INDEX ingest_fileset_platform_name_domain_id
    ON ingest_fileset_platform (platform_name, platform_domain, platform_id);

CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    ingest_type TEXT NOT NULL CHECK (length(ingest_type) >= 1),
    base_url TEXT NOT NULL CHECK (length(base_url) >= 1),
    created TEXT NOT NULL,
    request TEXT NOT NULL CHECK (json_valid(request)),
    UNIQUE (ingest_type, base_url, request)
);

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
CREATE INDEX results_base_url ON results (base_url, started);
CREATE INDEX results_platform ON results (platform_name, platform_domain, platform_id);

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
CREATE INDEX files_sha256 ON files (sha256);
CREATE INDEX files_sha1 ON files (sha1);
CREATE INDEX files_md5 ON files (md5);
CREATE INDEX files_platform_url ON files (platform_url);

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
CREATE INDEX captures_surt ON captures (surt, timestamp);
CREATE INDEX captures_sha256 ON captures (sha256);
CREATE INDEX captures_ingest ON captures (ingest_id);

CREATE TABLE ingest_file_results (
    ingest_id TEXT PRIMARY KEY REFERENCES results (ingest_id),
    base_url TEXT NOT NULL,
    sha1 TEXT NOT NULL,
    result TEXT NOT NULL CHECK (json_valid(result))
);
"""


@migrations()
def first_tables(db: Database) -> None:
    """The tables of the spine."""
    _run(db, _FIRST)


_JOBS = """
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
);
CREATE INDEX jobs_turn ON jobs (state, priority DESC, position);
CREATE INDEX jobs_batch ON jobs (batch);
CREATE INDEX jobs_base_url ON jobs (base_url);
CREATE INDEX captures_url ON captures (url);
"""


@migrations()
def jobs(db: Database) -> None:
    """The queue, so that it outlives the process."""
    _run(db, _JOBS)


@migrations()
def captures_by_digest(db: Database) -> None:
    """Revisits are resolved by the digest that WARCs and CDX files write, across URLs."""
    _run(db, "CREATE INDEX captures_sha1 ON captures (sha1);\n")


@migrations()
def dark_archive(db: Database) -> None:
    """The dark archive: objects of interest, their versions, and what happened to them."""
    _run(db, DARK_TABLES)


_WATCHED = """
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
"""


@migrations()
def watched(db: Database) -> None:
    """The datasets that are watched for change and loss, and what was seen of them."""
    _run(db, _WATCHED)


@migrations()
def captures_by_place(db: Database) -> None:
    """What stands in one WARC is requested each time that the WARC is verified."""
    _run(db, "CREATE INDEX captures_place ON captures (filename, offset);\n")


_FIXITY = """
CREATE TABLE record_fixity (
    record_id TEXT PRIMARY KEY REFERENCES captures (record_id),
    checked TEXT NOT NULL,
    fate TEXT NOT NULL CHECK (fate IN ('intact', 'damaged', 'missing')),
    message TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX record_fixity_faults ON record_fixity (record_id) WHERE fate <> 'intact';
CREATE TABLE verifications (
    id INTEGER PRIMARY KEY,
    ingest_id TEXT REFERENCES results (ingest_id),
    started TEXT NOT NULL,
    records INTEGER NOT NULL,
    failed INTEGER NOT NULL
);
CREATE INDEX verifications_ingest ON verifications (ingest_id, started);
CREATE INDEX files_capture ON files (capture_id);
"""


@migrations()
def fixity(db: Database) -> None:
    """How each record was when it was last read, and what was read in whole."""
    _run(db, _FIXITY)


@migrations()
def jobs_sealed(db: Database) -> None:
    """Whether a job was queued by the person who runs it, or came with the archive."""
    _run(db, "ALTER TABLE jobs ADD COLUMN seal TEXT;\n")


_ACCESSIONS = """
CREATE INDEX files_existing ON files (ingest_id) WHERE status = 'success-existing';
CREATE INDEX captures_revisits ON captures (ingest_id) WHERE is_revisit;
"""


@migrations()
def accessions(db: Database) -> None:
    """Few attempts keep what was here before them: they are found without reading all files."""
    _run(db, _ACCESSIONS)


@migrations()
def datasets(db: Database) -> None:
    """Attempts at one dataset belong together, and what is held of each has a row of its own."""
    _run(db, DATASET_TABLES + CATALOGUE_TABLES)


@migrations()
def queue_paused(db: Database) -> None:
    """Since when the archivist has the queue paused; no row while it may run."""
    _run(db, "CREATE TABLE queue_paused (since TEXT NOT NULL);\n")


@migrations()
def jobs_by_outcome(db: Database) -> None:
    """How many jobs ended how is counted each time that the first page is shown."""
    _run(db, "CREATE INDEX jobs_outcome ON jobs (state, status);\n")


_SCHEDULE = """
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
CREATE INDEX schedule_runs_task ON schedule_runs (task, id);
"""


@migrations()
def schedule_runs(db: Database) -> None:
    """What was done by itself, when, and how it ended."""
    _run(db, _SCHEDULE)


_BATCHES = """
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
) WITHOUT ROWID;
ALTER TABLE jobs ADD COLUMN tags TEXT CHECK (tags IS NULL OR json_valid(tags));
"""


@migrations()
def batches(db: Database) -> None:
    """What came in together: the list it was read from, and what in it gave nothing."""
    _run(db, _BATCHES)


@migrations()
def unjournaled(db: Database) -> None:
    """What the archive's journal does not say yet: of a ledger without a journal, all of it."""
    _run(db, journaled_tables())


_INDEX_FILES = """
CREATE TABLE index_files (
    name TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    modified_ns INTEGER NOT NULL
) WITHOUT ROWID;
"""


@migrations()
def index_files(db: Database) -> None:
    """How the files of the index were when they were last compared with the ledger."""
    _run(db, _INDEX_FILES)


@migrations()
def batches_archived_before(db: Database) -> None:
    """Which datasets of a list were left out since they were archived before."""
    _run(db, "ALTER TABLE batches ADD COLUMN archived_before TEXT NOT NULL DEFAULT '[]';\n")


_FIXITY_HISTORY = f"""
ALTER TABLE verifications ADD COLUMN finished TEXT;
ALTER TABLE verifications ADD COLUMN bytes INTEGER;
ALTER TABLE verifications ADD COLUMN compared TEXT;
ALTER TABLE verifications ADD COLUMN software TEXT;
CREATE INDEX verifications_started ON verifications (started);
CREATE TABLE fixity_events (
    id INTEGER PRIMARY KEY,
    record_id TEXT NOT NULL REFERENCES captures (record_id),
    at TEXT NOT NULL,
    fate TEXT NOT NULL CHECK (fate IN ('intact', 'damaged', 'missing')),
    message TEXT NOT NULL,
    remedy TEXT NOT NULL DEFAULT '',
    software TEXT NOT NULL
);
CREATE INDEX fixity_events_record ON fixity_events (record_id, id);
CREATE INDEX fixity_events_at ON fixity_events (at);
{noting("fixity_events")}
"""


@migrations()
def fixity_history(db: Database) -> None:
    """What a verification read, and by what; each damage that was found, and its end."""
    _run(db, _FIXITY_HISTORY)


@migrations()
def formats(db: Database) -> None:
    """Which format each distinct content has, and how much of each is held."""
    _run(db, FORMAT_TABLES)


_IMPORTS = f"""
CREATE TABLE imports (
    ingest_id TEXT PRIMARY KEY REFERENCES results (ingest_id),
    at TEXT NOT NULL,
    source TEXT NOT NULL
);
{noting("imports")}
"""


@migrations()
def imports(db: Database) -> None:
    """Which attempts were not made here but came in a file, when, and in which."""
    _run(db, _IMPORTS)


@migrations()
def jobs_previewed(db: Database) -> None:
    """Which version of a dataset the preview saw that a job was added after."""
    _run(db, "ALTER TABLE jobs ADD COLUMN previewed_version TEXT;\n")


@migrations()
def holdings_by_identifier(db: Database) -> None:
    """A dataset that is asked for by its DOI is looked for among the holdings."""
    _run(db, "CREATE INDEX holdings_identifier ON holdings (identifier COLLATE NOCASE);\n")


_PACKED_WARCS = """
CREATE TABLE packed_warcs (
    name TEXT PRIMARY KEY CHECK (length(name) >= 1),
    filename TEXT NOT NULL,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    is_removed INTEGER NOT NULL DEFAULT 0 CHECK (is_removed IN (0, 1))
) WITHOUT ROWID;
CREATE INDEX packed_warcs_place ON packed_warcs (filename, offset);
CREATE INDEX packed_warcs_left ON packed_warcs (name) WHERE NOT is_removed;
"""


@migrations()
def packed_warcs(db: Database) -> None:
    """Which small WARCs became parts of large ones."""
    _run(db, _PACKED_WARCS)


_DELIVERIES = """
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
"""


@migrations()
def deliveries(db: Database) -> None:
    """Which attempt answers which message of Kafka: one that comes twice is ingested once."""
    _run(db, _DELIVERIES)


_ACCOMPANYING = f"""
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
CREATE INDEX accompanying_fixity_faults ON accompanying_fixity (ingest_id) WHERE fate <> 'intact';
{noting("accompanying_fixity")}
"""


@migrations()
def accompanying_fixity(db: Database) -> None:
    """Which records that are no captures were found damaged, and whether they still are."""
    _run(db, _ACCOMPANYING)


_RESULTS_LOST = """
CREATE INDEX results_lost ON results (ingest_id) WHERE finished IS NOT NULL AND result IS NULL;
"""


@migrations()
def results_lost(db: Database) -> None:
    """Attempts whose result was lost with its WARC are looked for each time one opens to write."""
    _run(db, _RESULTS_LOST)


# How many jobs of a batch ended how is counted in the index alone. What is done is read by pages,
# the last that finished first.
_VERY_MANY = """
CREATE INDEX results_unfinished ON results (ingest_id) WHERE finished IS NULL;
DROP INDEX jobs_batch;
CREATE INDEX jobs_batch ON jobs (batch, state, status);
CREATE INDEX jobs_done ON jobs (coalesce(finished, '') DESC, position) WHERE state = 'done';
CREATE INDEX holdings_version ON holdings (is_removed, platform_version);
"""


@migrations()
def very_many(db: Database) -> None:
    """A million results are opened, listed, sorted and counted without reading them all."""
    _run(db, _VERY_MANY)


@migrations()
def journal_damage(db: Database) -> None:
    """What was found wrong with the archive's journal when all of it was last read."""
    _run(db, "CREATE TABLE journal_damage (what TEXT NOT NULL);\n")


_REMOVED_JOBS = f"""
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
);
CREATE INDEX removed_jobs_batch ON removed_jobs (batch, state);
{noting("removed_jobs")}
"""


@migrations()
def removed_jobs(db: Database) -> None:
    """How the jobs of batches ended that were removed from the queue's list."""
    _run(db, _REMOVED_JOBS)


@migrations()
def holding_totals(db: Database) -> None:
    """How much is held by platform and month is summed up as it changes."""
    _run(db, TOTALS)


_JOB_LINES = """
ALTER TABLE jobs ADD COLUMN line INTEGER;
ALTER TABLE removed_jobs ADD COLUMN line INTEGER;
"""


@migrations()
def job_lines(db: Database) -> None:
    """On which line of its list the dataset of a job stands."""
    _run(db, _JOB_LINES)


# Of a damaged record another one may have the bytes. The index has all that facets count.
_HOLDINGS_TWINNED = """
ALTER TABLE holdings ADD COLUMN twinned INTEGER NOT NULL DEFAULT 0;
DROP INDEX holdings_state;
CREATE INDEX holdings_state ON holdings
    (is_removed, platform_name, verified, failed, missing, twinned, is_complete, proof, kept_count,
    kept_size);
"""


@migrations()
def holdings_twinned(db: Database) -> None:
    """Of how many damaged records of a holding another record has the bytes intact."""
    _run(db, _HOLDINGS_TWINNED)


@migrations()
def tags_by_name(db: Database) -> None:
    """How a tag is written already is found without reading those of all datasets."""
    _run(db, "CREATE INDEX dataset_tags_tag ON dataset_tags (tag);\n")


@migrations()
def events_with_places(db: Database) -> None:
    """Where a record stood when it was found damaged, or mended: it may be in another WARC since,
    and of earlier events no one knows."""
    columns = ("filename TEXT", "offset INTEGER")
    _run(db, "".join(f"ALTER TABLE fixity_events ADD COLUMN {each};\n" for each in columns))


_REMOVED_ALONE = f"""
CREATE TABLE removed_alone (job_id TEXT PRIMARY KEY) WITHOUT ROWID;
{noting("removed_alone")}
"""


@migrations()
def removed_alone(db: Database) -> None:
    """Which jobs were removed from the queue's list that no batch tells of: an archive that still
    has them does not bring them back when it is merged."""
    _run(db, _REMOVED_ALONE)


_HOLDINGS_EARLIER = """
ALTER TABLE holdings ADD COLUMN earlier INTEGER NOT NULL DEFAULT 0;
DROP INDEX holdings_state;
CREATE INDEX holdings_state ON holdings
    (is_removed, platform_name, verified, failed, missing, twinned, earlier, is_complete, proof,
    kept_count, kept_size);
"""


@migrations()
def holdings_earlier(db: Database) -> None:
    """How many records of a holding are lost that only other attempts at the dataset rest on."""
    _run(db, _HOLDINGS_EARLIER)


@migrations()
def holding_days(db: Database) -> None:
    """On which days the files came that are held, summed up by month."""
    _run(db, ARRIVAL_TABLES)


def _run(db: Database, statements: str) -> None:
    for statement in statements.split(";\n"):
        if statement.strip():
            db.execute(statement)
