# SPDX-License-Identifier: AGPL-3.0-or-later
"""SQL that brings what was noted of records, datasets and jobs of the `source` into `main`.

What is not told of a new attempt or record does the same when it is done twice. `{from}` is
all of a table, or what belongs to a chunk of attempts.
"""

# Of two rows of a dataset the newer, of two of one second that of the attempt which is added last,
# as where the ledger is made again; but that it was here already never hides that it was archived.
PLATFORMS = """
INSERT INTO main.ingest_fileset_platform ({columns})
SELECT {s_columns} FROM {from} WHERE true
ON CONFLICT (ingest_type, base_url) DO UPDATE SET {updates}
WHERE CASE
    WHEN excluded.status IS 'success-existing' AND main.ingest_fileset_platform.status LIKE
        'success%' AND main.ingest_fileset_platform.status <> 'success-existing' THEN 0
    WHEN main.ingest_fileset_platform.status IS 'success-existing' AND excluded.status LIKE
        'success%' AND excluded.status <> 'success-existing' THEN 1
    ELSE excluded.updated >= main.ingest_fileset_platform.updated END
"""
ALL_PLATFORMS = "source.ingest_fileset_platform AS s"
PLATFORMS_OF_CHUNK = """
chunk AS k CROSS JOIN source.results AS r ON r.ingest_id = k.ingest_id
CROSS JOIN source.requests AS q ON q.id = r.request_id
CROSS JOIN source.ingest_fileset_platform AS s
    ON s.ingest_type = q.ingest_type AND s.base_url = q.base_url
"""
# What was found bad in a record is told of the file that it came in. Of one that is here already,
# in another file, the source knows nothing; and how each of them is here, this merging has read.
RECORD_FIXITY = """
INSERT INTO main.record_fixity (record_id, checked, fate, message)
SELECT s.record_id, s.checked, s.fate, s.message FROM source.record_fixity AS s
WHERE s.fate <> 'intact' AND s.record_id IN (SELECT record_id FROM wanted)
"""
# What was done to a record names places of the source: `:remedies` has the words for here.
EVENTS = """
INSERT INTO main.fixity_events
    (record_id, at, fate, message, remedy, software, filename, offset)
SELECT s.record_id, s.at, s.fate, s.message,
    coalesce((SELECT r.value FROM json_each(:remedies) AS r WHERE r.key = s.remedy), s.remedy),
    s.software, s.filename, s.offset
FROM source.fixity_events AS s WHERE s.record_id IN (SELECT record_id FROM wanted) ORDER BY s.id
"""
REMEDIES = "SELECT DISTINCT remedy FROM source.fixity_events WHERE remedy <> ''"
# A run over a whole archive read nothing of the other's: it cannot be told here.
VERIFICATIONS = """
INSERT INTO main.verifications ({columns})
SELECT {s_columns} FROM source.verifications AS s
WHERE s.ingest_id IN (SELECT ingest_id FROM chunk) ORDER BY s.id
"""
FORMATS = """
INSERT INTO main.formats ({columns}) SELECT {s_columns} FROM source.formats AS s WHERE true
ON CONFLICT (sha256, extension) DO UPDATE SET {updates}
WHERE excluded.identified > main.formats.identified
"""
NEWER_FORMATS = """
SELECT DISTINCT h.dataset_id FROM source.formats AS s
LEFT JOIN main.formats AS t ON t.sha256 = s.sha256 AND t.extension = s.extension
CROSS JOIN main.files AS f ON f.sha256 = s.sha256
CROSS JOIN main.holdings AS h ON h.ingest_id = f.ingest_id
WHERE t.identified IS NULL OR s.identified > t.identified
"""
# Open jobs wait until the archivist has them go on here, with an attempt of their own. What an
# attempt had fetched that did not end is in the staging of the source, and nothing of it here.
# What was removed here was removed by the archivist of this archive, and stays so.
JOBS = """
INSERT OR IGNORE INTO main.jobs ({columns}, state, position, batch, ingest_id, question, finished,
    status, message, kept_count, kept_size)
SELECT {s_columns}, iif(is_open, 'paused', state), position + :last,
    coalesce((SELECT b.target FROM batch_names AS b WHERE b.name = s.batch), batch),
    iif(is_open, NULL, ended), NULL, iif(is_open, NULL, finished), iif(is_open, NULL, status),
    CASE WHEN is_open AND is_begun THEN :paused || ' ' || :begun WHEN is_open THEN :paused
        WHEN is_begun THEN :begun ELSE message END,
    iif(is_begun, 0, kept_count), iif(is_begun, 0, kept_size)
FROM (SELECT j.*, j.state IN ({open}) AS is_open,
        (SELECT t.ingest_id FROM main.results AS t WHERE t.ingest_id = j.ingest_id) AS ended,
        EXISTS (SELECT 1 FROM source.results AS r
            WHERE r.ingest_id = j.ingest_id AND r.finished IS NULL) AS is_begun
    FROM source.jobs AS j) AS s
WHERE {new} ORDER BY position
"""
OPEN = "'queued', 'running', 'paused', 'asking'"
_IS_KNOWN_THERE = "EXISTS (SELECT 1 FROM source.results AS k WHERE k.ingest_id = j.ingest_id)"
# What is in the list here was not removed here. But what came with another archive, and waits for
# someone to have it go on, is the job that was removed in this one: as if that had come first.
REMOVED_JOBS = """
INSERT OR IGNORE INTO main.removed_jobs ({columns}, position, batch, ingest_id)
SELECT {s_columns}, s.position + :last,
    coalesce((SELECT b.target FROM batch_names AS b WHERE b.name = s.batch), s.batch),
    (SELECT t.ingest_id FROM main.results AS t WHERE t.ingest_id = s.ingest_id)
FROM source.removed_jobs AS s ORDER BY s.position
"""
REMOVED_ALONE = "INSERT OR IGNORE INTO main.removed_alone SELECT job_id FROM source.removed_alone"
# What ended, and ran here no more since that archive knew of it, is the job that was removed there.
_REMOVED_SINCE = f"""
FROM main.jobs AS j WHERE (
    state = 'paused' AND status IS NULL AND message IS NOT NULL
    AND job_id IN (SELECT job_id FROM source.removed_jobs
        UNION ALL SELECT job_id FROM source.removed_alone)
) OR (
    state NOT IN ({OPEN}) AND (
        job_id IN (SELECT job_id FROM source.removed_alone)
        AND (attempts = 0 OR {_IS_KNOWN_THERE})
        OR (ingest_id IS NULL OR {_IS_KNOWN_THERE}) AND EXISTS (
            SELECT 1 FROM source.removed_jobs AS r
            WHERE r.job_id = j.job_id AND r.attempts >= j.attempts)))
"""  # noqa: S608
REMOVE = f"DELETE {_REMOVED_SINCE}"
REMOVED_SINCE = f"SELECT count(*) {_REMOVED_SINCE}"
NOT_REMOVED = (
    "DELETE FROM main.removed_jobs WHERE job_id IN (SELECT job_id FROM main.jobs)",
    "DELETE FROM main.removed_alone WHERE job_id IN (SELECT job_id FROM main.jobs)",
)
NEW = """
NOT EXISTS (SELECT 1 FROM main.jobs AS t WHERE t.job_id = s.job_id)
    AND NOT EXISTS (SELECT 1 FROM main.removed_jobs AS t WHERE t.job_id = s.job_id)
    AND NOT EXISTS (SELECT 1 FROM main.removed_alone AS t WHERE t.job_id = s.job_id)
"""
OPEN_JOBS = f"""
SELECT count(*) FROM source.jobs AS s WHERE state IN ({OPEN}) AND {NEW}
"""  # noqa: S608
BATCH_NAMES = """
CREATE TEMP TABLE IF NOT EXISTS batch_names (name TEXT PRIMARY KEY, target TEXT NOT NULL)
"""
# What is watched in one of them is watched; how it stood is told by the one that looked last.
WATCHED = """
INSERT INTO main.watched ({columns}) SELECT {s_columns} FROM source.watched AS s WHERE true
ORDER BY s.added, s.rowid
ON CONFLICT (base_url) DO UPDATE SET
    looked = excluded.looked, state = excluded.state, seen = excluded.seen,
    captured = excluded.captured, first = coalesce(main.watched.first, excluded.first)
WHERE excluded.looked > coalesce(main.watched.looked, 0)
"""
STILL_WATCHED = """
UPDATE main.watched SET removed = NULL WHERE removed IS NOT NULL AND EXISTS (
    SELECT 1 FROM source.watched AS s WHERE s.base_url = main.watched.base_url
    AND s.removed IS NULL AND s.added > main.watched.removed)
"""
