# SPDX-License-Identifier: AGPL-3.0-or-later
"""SQL that brings attempts of the `source`, with all that hangs on them, into `main`.

`chunk` names the attempts, `wanted` the captures that `main` lacks of them, `placed` what the WARC
of each is called in the target's collection. `proven` are the WARCs there that this merging read,
from whichever source they came, and when it had (UTC, ISO 8601).
"""

WORKING = """
CREATE TEMP TABLE IF NOT EXISTS chunk (ingest_id TEXT PRIMARY KEY, number INTEGER NOT NULL)
    WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS wanted (record_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS placed (name TEXT PRIMARY KEY, target TEXT NOT NULL UNIQUE)
    WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS proven (name TEXT PRIMARY KEY, read TEXT NOT NULL) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS found (record_id TEXT PRIMARY KEY, fate TEXT NOT NULL,
    message TEXT NOT NULL) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS paired (source_id INTEGER NOT NULL, target_id INTEGER NOT NULL,
    PRIMARY KEY (source_id, target_id)) WITHOUT ROWID;
"""
# The next attempts that `main` has not, with no more than so many bytes in their records (but for
# one that has more).
NEXT = """
INSERT INTO chunk SELECT ingest_id, number FROM (
    SELECT ingest_id, number, sum(bytes) OVER (ORDER BY number) - bytes AS before FROM (
        SELECT s.ingest_id, s.rowid AS number, (SELECT coalesce(sum(c.length), 0)
            FROM source.captures AS c WHERE c.ingest_id = s.ingest_id) AS bytes
        FROM source.results AS s
        WHERE s.finished IS NOT NULL AND s.rowid > :after AND NOT EXISTS (
            SELECT 1 FROM main.results AS t WHERE t.ingest_id = s.ingest_id)
        ORDER BY s.rowid LIMIT :most))
WHERE before < :bytes
"""
# A file may rest on a record of an attempt that came later, as with imports: that comes along.
ALONG = """
INSERT OR IGNORE INTO chunk
SELECT DISTINCT r.ingest_id, r.rowid FROM chunk AS k
JOIN source.files AS f ON f.ingest_id = k.ingest_id
JOIN source.captures AS c ON c.record_id = f.capture_id
JOIN source.results AS r ON r.ingest_id = c.ingest_id
WHERE r.finished IS NOT NULL AND r.ingest_id NOT IN (SELECT ingest_id FROM chunk)
    AND NOT EXISTS (SELECT 1 FROM main.results AS t WHERE t.ingest_id = r.ingest_id)
"""
WANTED = """
INSERT OR IGNORE INTO wanted
SELECT c.record_id FROM chunk AS k JOIN source.captures AS c ON c.ingest_id = k.ingest_id
WHERE NOT EXISTS (SELECT 1 FROM main.captures AS t WHERE t.record_id = c.record_id)
UNION
SELECT c.record_id FROM chunk AS k JOIN source.files AS f ON f.ingest_id = k.ingest_id
JOIN source.captures AS c ON c.record_id = f.capture_id
WHERE NOT EXISTS (SELECT 1 FROM main.captures AS t WHERE t.record_id = c.record_id)
"""
# Captures that come with no new attempt: of WARCs that came by themselves, and so belong to none,
# and of attempts that are here with other records, as where an export of one was imported.
UNOWNED = """
INSERT INTO wanted SELECT c.record_id FROM source.captures AS c
LEFT JOIN source.results AS r ON r.ingest_id = c.ingest_id
WHERE (r.finished IS NULL
        OR EXISTS (SELECT 1 FROM main.results AS t WHERE t.ingest_id = r.ingest_id))
    AND NOT EXISTS (SELECT 1 FROM main.captures AS t WHERE t.record_id = c.record_id)
ORDER BY c.filename, c.offset LIMIT :most
"""
WARCS = """
SELECT DISTINCT c.filename FROM wanted AS w JOIN source.captures AS c USING (record_id)
WHERE c.filename NOT IN (SELECT name FROM placed) ORDER BY c.filename
"""
REQUESTS = """
INSERT OR IGNORE INTO main.requests (ingest_type, base_url, created, request)
SELECT q.ingest_type, q.base_url, q.created, q.request FROM source.requests AS q
WHERE q.id IN (SELECT r.request_id FROM source.results AS r JOIN chunk USING (ingest_id))
ORDER BY q.id
"""
# Which datasets they are at is found out anew: here there may be other attempts at them.
RESULTS = """
INSERT INTO main.results ({columns}, request_id)
SELECT {s_columns}, (SELECT t.id FROM main.requests AS t WHERE t.ingest_type = q.ingest_type
    AND t.base_url = q.base_url AND t.request = q.request)
FROM chunk AS k JOIN source.results AS s ON s.ingest_id = k.ingest_id
JOIN source.requests AS q ON q.id = s.request_id ORDER BY k.number
"""
CAPTURES = """
INSERT INTO main.captures ({columns}, ingest_id, filename)
SELECT {s_columns}, (SELECT t.ingest_id FROM main.results AS t WHERE t.ingest_id = s.ingest_id),
    p.target
FROM wanted AS w JOIN source.captures AS s ON s.record_id = w.record_id
JOIN placed AS p ON p.name = s.filename
"""
# What is here without its attempt, as from a WARC that was imported, belongs to that from now on.
CLAIM = """
UPDATE main.captures SET ingest_id = (
    SELECT s.ingest_id FROM source.captures AS s WHERE s.record_id = main.captures.record_id)
WHERE ingest_id IS NULL AND record_id IN (
    SELECT s.record_id FROM chunk AS k JOIN source.captures AS s ON s.ingest_id = k.ingest_id)
"""
FILES = """
INSERT INTO main.files ({columns}, capture_id)
SELECT {s_columns}, (SELECT t.record_id FROM main.captures AS t WHERE t.record_id = s.capture_id)
FROM chunk AS k JOIN source.files AS s ON s.ingest_id = k.ingest_id
"""
BY_ATTEMPT = """
INSERT OR IGNORE INTO main.{table} ({columns})
SELECT {s_columns} FROM chunk AS k JOIN source.{table} AS s ON s.ingest_id = k.ingest_id
"""
# What the attempts of the chunk rest on.
_RESTS = """
SELECT k.ingest_id, s.record_id FROM chunk AS k
    JOIN source.captures AS s ON s.ingest_id = k.ingest_id
UNION
SELECT k.ingest_id, f.capture_id FROM chunk AS k
    JOIN source.files AS f ON f.ingest_id = k.ingest_id WHERE f.capture_id IS NOT NULL
"""
# WARCs that were here before, with records on which new attempts rest.
UNPROVEN = f"""
SELECT DISTINCT c.filename FROM ({_RESTS}) AS o
JOIN main.captures AS c ON c.record_id = o.record_id
WHERE c.filename NOT IN (SELECT name FROM proven) ORDER BY c.filename
"""  # noqa: S608
# How each record of a portion was that this merging read: those that came now, and those that were
# here and on which the new attempts rest, unless what is bad of them was noted as they were read.
READ = f"""
SELECT w.record_id, p.read, coalesce(f.fate, 'intact') AS fate, coalesce(f.message, '') AS message
FROM wanted AS w LEFT JOIN found AS f USING (record_id)
JOIN main.captures AS c ON c.record_id = w.record_id JOIN proven AS p ON p.name = c.filename
UNION
SELECT c.record_id, p.read, 'intact', '' FROM ({_RESTS}) AS o
JOIN main.captures AS c ON c.record_id = o.record_id JOIN proven AS p ON p.name = c.filename
WHERE c.record_id NOT IN (SELECT record_id FROM wanted)
    AND NOT EXISTS (SELECT 1 FROM main.record_fixity AS x WHERE x.record_id = c.record_id
        AND (x.fate <> 'intact' OR x.checked >= :started))
"""  # noqa: S608
# A run of this merging over an attempt: all that it rests on was read where it is now.
VERIFIED = f"""
INSERT INTO main.verifications (ingest_id, started, records, failed, finished, bytes, compared,
    software)
SELECT ingest_id, :started, count(*), sum(is_bad), :finished, sum(size), :compared, :software
FROM (SELECT o.ingest_id, c.size, p.name AS proven,
        EXISTS (SELECT 1 FROM main.record_fixity AS x
            WHERE x.record_id = c.record_id AND x.fate <> 'intact') AS is_bad
    FROM ({_RESTS}) AS o JOIN main.captures AS c ON c.record_id = o.record_id
    LEFT JOIN proven AS p ON p.name = c.filename)
GROUP BY ingest_id HAVING count(proven) = count(*)
"""  # noqa: S608
# An attempt that one of the archives made itself was not imported, though another one had it so.
_MADE_THERE = """
FROM main.imports AS i WHERE EXISTS (
    SELECT 1 FROM source.results AS s JOIN source.captures AS c ON c.ingest_id = s.ingest_id
    WHERE s.ingest_id = i.ingest_id AND s.finished IS NOT NULL
        AND c.url NOT GLOB 'urn:x-carrel:*')
    AND NOT EXISTS (SELECT 1 FROM source.imports AS t WHERE t.ingest_id = i.ingest_id)
"""
MADE_THERE = f"""
SELECT DISTINCT r.dataset_id FROM main.results AS r
WHERE r.dataset_id IS NOT NULL AND r.ingest_id IN (SELECT i.ingest_id {_MADE_THERE})
"""  # noqa: S608
NOT_IMPORTED = f"DELETE FROM main.imports WHERE ingest_id IN (SELECT i.ingest_id {_MADE_THERE})"  # noqa: S608
PAIRED = """
INSERT OR IGNORE INTO paired SELECT s.dataset_id, t.dataset_id
FROM chunk AS k JOIN source.results AS s ON s.ingest_id = k.ingest_id
JOIN main.results AS t ON t.ingest_id = k.ingest_id
WHERE s.dataset_id IS NOT NULL AND t.dataset_id IS NOT NULL
"""
ALL_PAIRED = """
INSERT OR IGNORE INTO paired SELECT s.dataset_id, t.dataset_id
FROM source.results AS s JOIN main.results AS t USING (ingest_id)
WHERE s.dataset_id IS NOT NULL AND t.dataset_id IS NOT NULL
    AND EXISTS (SELECT 1 FROM source.datasets AS d WHERE d.dataset_id = s.dataset_id
        AND (d.note <> '' OR EXISTS (SELECT 1 FROM source.dataset_tags AS g
            WHERE g.dataset_id = d.dataset_id)))
"""
# A tag that is here is written as it is.
TAGS = """
INSERT OR IGNORE INTO main.dataset_tags
WITH written AS MATERIALIZED (
    SELECT min(tag) AS tag, casefold(tag) AS folded FROM main.dataset_tags GROUP BY 2
)
SELECT p.target_id, coalesce(w.tag, g.tag)
FROM paired AS p JOIN source.dataset_tags AS g ON g.dataset_id = p.source_id
LEFT JOIN written AS w ON w.folded = casefold(g.tag)
"""
NOTES = """
SELECT p.target_id, d.note FROM paired AS p
JOIN source.datasets AS d ON d.dataset_id = p.source_id
JOIN main.datasets AS t ON t.dataset_id = p.target_id
WHERE d.note <> '' AND instr(t.note, d.note) = 0
"""
# Attempts at datasets that both know, in the order in which they should stand: newest last.
INTERLEAVED = """
SELECT t.dataset_id, t.ingest_id, t.rowid AS number FROM main.results AS t
WHERE t.finished IS NOT NULL AND t.dataset_id IN (
    SELECT p.target_id FROM paired AS p JOIN main.results AS o ON o.dataset_id = p.target_id
    WHERE NOT EXISTS (SELECT 1 FROM source.results AS s WHERE s.ingest_id = o.ingest_id))
ORDER BY t.dataset_id, t.finished, t.rowid
"""
