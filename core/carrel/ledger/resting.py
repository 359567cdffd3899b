# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which attempts and files rest on which records, asked of those few that are not intact: in SQL.

A revisit rests on the record that holds its bytes, a file on the record that it was captured in, an
attempt on those of its files, on what it fetched, and on what earlier attempts at the dataset kept;
the one that is held also on what later ones brought, which kept less of the dataset.
"""

# Which record `h` of those with its bytes a revisit `r` rests on: the one that it names, else the
# newest. Of several that were captured in one second it is the one written last: it was stored only
# because those before it could not be read any more.
HOLDER_FIRST = """
    (h.url IS r.refers_to_url AND h.timestamp IS r.refers_to_timestamp) DESC,
    h.timestamp DESC, h.filename DESC, h.offset DESC
"""
# From `revisits` to the records that they rest on. What is put together here are constants alone.
_HOLDERS = f"""
holders AS MATERIALIZED (
    SELECT h.record_id, h.sha256, h.size, h.url, h.timestamp, h.filename, h.offset
    FROM (SELECT DISTINCT sha256, size FROM revisits) AS b JOIN captures AS h
        ON h.sha256 = b.sha256 AND h.size = b.size AND NOT h.is_revisit
), held AS MATERIALIZED (
    SELECT r.record_id, r.ingest_id, h.record_id AS holder_id,
        row_number() OVER (PARTITION BY r.record_id ORDER BY {HOLDER_FIRST}) AS place
    FROM revisits AS r JOIN holders AS h ON h.sha256 = r.sha256 AND h.size = r.size
)
"""  # noqa: S608
# The SHA-256 of the bundle that files of an attempt stand in, which have no record of their own.
BUNDLE = """
    (SELECT json_extract(o.result, '$.fileset_bundle.file_meta.sha256hex') FROM results AS o
        WHERE o.ingest_id = {ingest_id})
"""
_OWN_BUNDLE = BUNDLE.format(ingest_id=":ingest_id")
_HELD_BUNDLE = BUNDLE.format(ingest_id="h.ingest_id")
# Files of an attempt `:ingest_id` in the bundle whose bytes a record `c` has.
_MEMBERS = """
    bundle ON bundle.sha256 = c.sha256 CROSS JOIN files AS f
    ON f.ingest_id = :ingest_id AND f.capture_id IS NULL AND f.status LIKE 'success%'
"""
# From a record with bytes to the other ones `t` that have them, and are not known to be damaged.
_INTACT = """
    FROM captures AS t LEFT JOIN record_fixity AS y USING (record_id)
    WHERE t.sha256 = {bytes}.sha256 AND t.size = {bytes}.size AND NOT t.is_revisit
    AND {other} AND coalesce(y.fate, 'intact') = 'intact'
"""
_IS_INTACT = f"EXISTS (SELECT 1 {_INTACT})"
_BESIDE = "t.record_id <> c.record_id"
# What a record without bytes says, as a redirect does, is in its headers: only one of the same
# address says as much.
_AS_MUCH = "(t.size > 0 OR t.url = c.url)"
# The other records that have what `c` has.
TWINS = _INTACT.format(bytes="c", other=f"{_BESIDE} AND {_AS_MUCH}")
HAS_TWIN = f"EXISTS (SELECT 1 {TWINS})"
# Whether there are files in a record `c`, and of each another record has the bytes intact, by
# itself or in a bundle, though none has those of `c` itself: of what was sent in a content coding,
# or of a bundle. What is in a bundle is sought among all files of its attempt, and so only where no
# file rests on the record.
_KEPT = "f.status LIKE 'success%'"
_ELSEWHERE = f"""
    ({_IS_INTACT.format(bytes="f", other=_BESIDE)}
    OR EXISTS (SELECT 1 FROM files AS m CROSS JOIN captures AS t
        ON t.url = m.terminal_url AND t.timestamp = m.terminal_dt AND NOT t.is_revisit
        LEFT JOIN record_fixity AS y USING (record_id)
        WHERE m.sha256 = f.sha256 AND m.size = f.size AND m.capture_id IS NULL
        AND {_BESIDE} AND m.status LIKE 'success%'
        AND coalesce(y.fate, 'intact') = 'intact'))
"""  # noqa: S608
_OF_RECORD = f"SELECT 1 FROM files AS f WHERE f.capture_id = c.record_id AND {_KEPT}"  # noqa: S608
_OF_BUNDLE = f"""
    SELECT 1 FROM files AS f WHERE f.ingest_id = c.ingest_id AND +f.capture_id IS NULL
    AND f.terminal_url = c.url AND f.terminal_dt = c.timestamp AND {_KEPT}
"""  # noqa: S608
HAS_FILES_ELSEWHERE = f"""
    CASE WHEN EXISTS ({_OF_RECORD}) THEN NOT EXISTS ({_OF_RECORD} AND NOT {_ELSEWHERE})
        ELSE EXISTS ({_OF_BUNDLE}) AND NOT EXISTS ({_OF_BUNDLE} AND NOT {_ELSEWHERE}) END
"""
# Whether nothing is lost with a record `c`.
IS_ELSEWHERE = f"({HAS_TWIN} OR {HAS_FILES_ELSEWHERE})"
# From the few records that are not intact to the attempts that rest on them: those whose files do,
# or that fetched them, by themselves or by a revisit that has its bytes there. A later attempt at
# the same dataset, and the one that is held, lack what another one has lost for good: no record has
# the bytes, nor those of all files in it.
_IS_BEHIND = """
    later.dataset_id = own.dataset_id AND (later.rowid > own.rowid
        OR EXISTS (SELECT 1 FROM holdings AS d
            WHERE d.dataset_id = later.dataset_id AND d.ingest_id = later.ingest_id))
"""
# When a record that is not intact was found so: it may have been read again since.
FOUND = """
    coalesce((SELECT max(e.at) FROM fixity_events AS e
        WHERE e.record_id = x.record_id AND e.fate = x.fate), x.checked)
"""
_FAULTS = f"""
WITH bad AS MATERIALIZED (
    SELECT x.record_id, {FOUND} AS found, x.fate, x.message, c.ingest_id, c.sha256, c.size,
        c.is_revisit,
        {HAS_TWIN} AS has_twin, {HAS_FILES_ELSEWHERE} AS has_files_elsewhere
    FROM record_fixity AS x JOIN captures AS c USING (record_id) WHERE x.fate <> 'intact'
), revisits AS MATERIALIZED (
    SELECT r.record_id, r.ingest_id, r.sha256, r.size, r.refers_to_url, r.refers_to_timestamp
    FROM (SELECT DISTINCT sha256, size FROM bad WHERE NOT is_revisit) AS b JOIN captures AS r
        ON r.sha256 = b.sha256 AND r.size = b.size AND r.is_revisit
), {_HOLDERS}, behind AS MATERIALIZED (
    SELECT record_id, record_id AS bad_id, ingest_id FROM bad
    UNION
    SELECT record_id, holder_id, ingest_id FROM held
    WHERE place = 1 AND holder_id IN (SELECT record_id FROM bad)
), resting AS (
    SELECT ingest_id, bad_id FROM behind
    UNION
    SELECT f.ingest_id, b.bad_id FROM behind AS b JOIN files AS f ON f.capture_id = b.record_id
), spread AS (
    SELECT ingest_id, bad_id, 0 AS is_earlier FROM resting
    UNION
    SELECT later.ingest_id, resting.bad_id, 1 FROM resting
    JOIN bad ON bad.record_id = resting.bad_id
    JOIN results AS own ON own.ingest_id = resting.ingest_id
    JOIN results AS later ON {_IS_BEHIND} WHERE NOT (bad.has_twin OR bad.has_files_elsewhere)
), accompanying AS MATERIALIZED (SELECT * FROM accompanying_fixity WHERE fate <> 'intact')
SELECT ingest_id, count(*) AS failed, sum(fate = 'missing') AS missing,
    sum(has_twin OR has_files_elsewhere) AS twinned, sum(is_earlier) AS earlier,
    max(found) AS found, min(message) AS message
FROM (
    SELECT spread.ingest_id, bad.fate, bad.found, bad.message, bad.has_twin,
        bad.has_files_elsewhere, min(spread.is_earlier) AS is_earlier
    FROM spread JOIN bad ON bad.record_id = spread.bad_id GROUP BY spread.ingest_id, bad.record_id
    UNION ALL SELECT ingest_id, fate, found, message, 0, 0, 0 FROM accompanying
    UNION ALL SELECT later.ingest_id, a.fate, a.found, a.message, 0, 0, 1 FROM accompanying AS a
    JOIN results AS own ON own.ingest_id = a.ingest_id
    JOIN results AS later ON {_IS_BEHIND} AND later.rowid <> own.rowid
)
"""  # noqa: S608
FAULTS = f"""
{_FAULTS} WHERE ? IS NULL OR ingest_id IN (SELECT value FROM json_each(?)) GROUP BY ingest_id
"""  # noqa: S608
# As of the end of a period, `:until`. What is not intact is asked under the names of the tables
# that say so as of now. A record without an event was found so before there were events.
_FIXITY_THEN = """
fixity_then AS MATERIALIZED (
    SELECT e.record_id, e.at AS checked, e.fate, e.message FROM fixity_events AS e
    WHERE e.fate <> 'intact' AND e.at < :until AND NOT EXISTS (SELECT 1 FROM fixity_events AS n
        WHERE n.record_id = e.record_id AND n.id > e.id AND n.at < :until)
        AND NOT EXISTS (SELECT 1 FROM record_fixity AS x WHERE x.record_id = e.record_id
            AND x.fate = 'intact' AND x.checked >= e.at AND x.checked < :until)
    UNION ALL SELECT x.record_id, x.checked, x.fate, x.message FROM record_fixity AS x
    WHERE x.fate <> 'intact' AND x.checked < :until
        AND NOT EXISTS (SELECT 1 FROM fixity_events AS n WHERE n.record_id = x.record_id)
), accompanying_then AS MATERIALIZED (
    SELECT filename, offset, ingest_id, found, checked, 'damaged' AS fate, message, remedy
    FROM accompanying_fixity WHERE found < :until AND (fate <> 'intact' OR checked >= :until)
)
"""
FAULTS_THEN = f"""
{_FIXITY_THEN}, faults_then AS MATERIALIZED (
    WITH record_fixity AS (SELECT * FROM fixity_then),
        accompanying_fixity AS (SELECT * FROM accompanying_then)
    SELECT * FROM ({_FAULTS} GROUP BY ingest_id)
)
"""  # noqa: S608
# An attempt, and those at the same dataset on whose records it rests: those before it, or all.
ATTEMPTS_BEHIND = """
    SELECT e.ingest_id FROM results AS h JOIN results AS e ON e.ingest_id = h.ingest_id
        OR e.dataset_id = h.dataset_id AND (e.rowid < h.rowid
            OR EXISTS (SELECT 1 FROM holdings AS d
                WHERE d.dataset_id = h.dataset_id AND d.ingest_id = h.ingest_id))
    WHERE h.ingest_id = :ingest_id
"""
# From one attempt to the records behind what it, or one behind it, fetched and what their files
# rest on, of which few are not intact. The plus keeps files from being sought by the attempt, once
# for each record.
_BEHIND_ATTEMPT = f"""
WITH attempts AS MATERIALIZED ({ATTEMPTS_BEHIND}),
bundle AS MATERIALIZED (SELECT {_OWN_BUNDLE} AS sha256), own AS MATERIALIZED (
    SELECT record_id, ingest_id, sha256, size, is_revisit, refers_to_url, refers_to_timestamp,
        ingest_id <> :ingest_id AND record_id NOT IN (
            SELECT capture_id FROM files WHERE ingest_id = :ingest_id AND capture_id IS NOT NULL)
        AND sha256 IS NOT (SELECT sha256 FROM bundle) AS is_earlier
    FROM captures WHERE ingest_id IN (SELECT ingest_id FROM attempts) OR record_id IN (
        SELECT f.capture_id FROM files AS f JOIN attempts USING (ingest_id))
), revisits AS MATERIALIZED (SELECT * FROM own WHERE is_revisit), {_HOLDERS}, bad AS MATERIALIZED (
    SELECT b.record_id AS via, x.record_id, x.fate, x.message, b.is_earlier FROM (
        SELECT record_id, record_id AS behind_id, is_earlier FROM own
        UNION ALL
        SELECT held.record_id, holder_id, is_earlier FROM held JOIN own USING (record_id)
        WHERE place = 1
    ) AS b JOIN record_fixity AS x ON x.record_id = b.behind_id AND x.fate <> 'intact'
    JOIN captures AS c ON c.record_id = x.record_id
    WHERE NOT (b.is_earlier AND {IS_ELSEWHERE})
)
"""  # noqa: S608
# Whether what is held of the dataset now is another attempt, which does not rest on these bytes.
_IS_EARLIER = f"""
    EXISTS (SELECT 1 FROM results AS r JOIN holdings AS h ON h.dataset_id = r.dataset_id
        WHERE r.ingest_id = :ingest_id AND NOT EXISTS (SELECT 1 FROM captures AS k
            WHERE k.sha256 = c.sha256 AND k.size = c.size AND (k.ingest_id = h.ingest_id
                OR EXISTS (SELECT 1 FROM files AS f
                    WHERE f.capture_id = k.record_id AND f.ingest_id = h.ingest_id)))
            AND c.sha256 IS NOT {_HELD_BUNDLE})
"""  # noqa: S608
# A record that is no capture goes with the one before it in its WARC, the first one with the one
# behind it: whether that holds no bytes of what is held of the dataset by this attempt.
_GOES_WITH_EARLIER = """
    a.ingest_id <> :ingest_id AND NOT EXISTS (
        SELECT 1 FROM captures AS c JOIN captures AS k ON k.sha256 = c.sha256 AND k.size = c.size
        WHERE c.record_id = coalesce(
            (SELECT record_id FROM captures
                WHERE filename = a.filename AND offset < a.offset AND ingest_id = a.ingest_id
                ORDER BY offset DESC LIMIT 1),
            (SELECT record_id FROM captures
                WHERE filename = a.filename AND offset > a.offset AND ingest_id = a.ingest_id
                ORDER BY offset LIMIT 1))
        AND (k.ingest_id = :ingest_id OR EXISTS (SELECT 1 FROM files AS f
            WHERE f.capture_id = k.record_id AND +f.ingest_id = :ingest_id)))
"""
FAILED_RECORDS = f"""
{_BEHIND_ATTEMPT}, failed AS (
    SELECT c.url, c.filename, c.offset, bad.fate, bad.message, bad.record_id,
        {IS_ELSEWHERE} AS has_twin, {_IS_EARLIER} AS is_earlier, c.ingest_id,
        min(f.position) IS NULL AS is_behind_no_file
    FROM bad JOIN captures AS c ON c.record_id = bad.record_id
    LEFT JOIN files AS f ON f.capture_id = bad.via AND +f.ingest_id = :ingest_id
    GROUP BY bad.record_id
    UNION ALL
    SELECT '', a.filename, a.offset, a.fate, a.message, '', 0, {_GOES_WITH_EARLIER}, a.ingest_id, 2
    FROM accompanying_fixity AS a JOIN attempts USING (ingest_id) WHERE a.fate <> 'intact'
)
SELECT url, filename, offset, fate, message, record_id, has_twin, is_earlier,
    (SELECT platform_version FROM results AS r WHERE r.ingest_id = failed.ingest_id
        AND NOT EXISTS (SELECT 1 FROM holdings AS h WHERE h.dataset_id = r.dataset_id
            AND h.platform_version = r.platform_version)) AS version
FROM failed ORDER BY is_behind_no_file, filename, offset LIMIT :most
"""  # noqa: S608
# Whether a record that is not among the `bad` has the bytes of `c`, or of a file `f`.
_NOT_BAD = "t.record_id NOT IN (SELECT record_id FROM bad)"
_KEPT_BESIDE = _IS_INTACT.format(bytes="c", other=f"{_NOT_BAD} AND {_AS_MUCH}")
_FILE_BESIDE = _IS_INTACT.format(bytes="f", other=_NOT_BAD)
# Files of an attempt behind some records, which another record has not got as well.
FILES_ON = f"""
WITH bad AS (SELECT value AS record_id FROM json_each(:records)),
bundle AS MATERIALIZED (SELECT {_OWN_BUNDLE} AS sha256)
SELECT f.path, c.record_id, f.position FROM bad CROSS JOIN captures AS c USING (record_id)
CROSS JOIN captures AS k ON k.sha256 = c.sha256 AND k.size = c.size
    AND (k.record_id = c.record_id OR k.is_revisit)
CROSS JOIN files AS f ON f.capture_id = k.record_id AND +f.ingest_id = :ingest_id
WHERE NOT {_KEPT_BESIDE}
UNION ALL
SELECT f.path, c.record_id, f.position FROM bad CROSS JOIN captures AS c USING (record_id)
CROSS JOIN {_MEMBERS}
WHERE NOT {_KEPT_BESIDE} AND NOT {_FILE_BESIDE}
ORDER BY 3
"""  # noqa: S608
FAILED_FILES = f"""
{_BEHIND_ATTEMPT}
SELECT f.path, bad.fate, bad.record_id,
    {HAS_TWIN} OR {_FILE_BESIDE} AS has_twin, f.position
FROM bad JOIN files AS f ON f.capture_id = bad.via AND +f.ingest_id = :ingest_id
JOIN captures AS c ON c.record_id = bad.record_id
UNION ALL
SELECT f.path, bad.fate, bad.record_id,
    {HAS_TWIN} OR {_FILE_BESIDE} AS has_twin, f.position
FROM bad JOIN captures AS c ON c.record_id = bad.record_id CROSS JOIN {_MEMBERS}
ORDER BY 5
"""  # noqa: S608
