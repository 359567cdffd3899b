# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was verified in a period: sums and lists, each row read once, however many there are.

A period is from one moment to before another (UTC, ISO 8601). Asked of a ledger that stands still.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from carrel.ledger.absent_tables import answerable
from carrel.ledger.connection import Connection, Row
from carrel.ledger.last_verified import verified_sql
from carrel.ledger.resting import FAULTS_THEN, FOUND, HAS_FILES_ELSEWHERE, IS_ELSEWHERE, TWINS
from carrel.model import Fate
from carrel.model.holdings import Damage

# Each holding with when all of it that was there at the end of the period was last verified, and
# `before` its last files came; and whether any of it was known then not to be intact.
_LAST_CAME = "CASE WHEN held.added < :until THEN held.added ELSE held.archived END"
_COVERED = f"""
WITH {FAULTS_THEN}, covered AS (
    SELECT held.*, t.ingest_id IS NOT NULL AS is_faulty, coalesce(t.missing, 0) > 0 AS is_lacking,
        coalesce(h.platform_domain, '') AS domain,
        {verified_sql(_LAST_CAME, ":until")} AS checked,
        CASE WHEN held.added < :until THEN {verified_sql("held.archived", ":until")} ELSE '' END
            AS before
    FROM holdings AS held JOIN results AS h ON h.ingest_id = held.ingest_id
    LEFT JOIN faults_then AS t ON t.ingest_id = held.ingest_id
    WHERE NOT held.is_removed AND held.archived < :until
)
"""  # noqa: S608
_SUMS = """
    count(*) AS holdings, coalesce(sum(kept_count), 0) AS files,
    coalesce(sum(kept_size), 0) AS size,
    coalesce(sum(checked >= :since AND NOT is_faulty), 0) AS verified,
    coalesce(sum(CASE WHEN checked >= :since AND NOT is_faulty THEN kept_size END), 0)
        AS verified_size,
    coalesce(sum(checked >= :since AND is_faulty), 0) AS faulty,
    coalesce(sum(CASE WHEN checked >= :since AND is_faulty THEN kept_size END), 0) AS faulty_size,
    coalesce(sum(checked >= :since AND is_lacking), 0) AS lacking,
    coalesce(sum(checked < :since AND before >= :since), 0) AS added_to,
    coalesce(sum(checked < :since AND before < :since AND archived >= :since), 0) AS new,
    coalesce(sum(checked = '' AND before = ''), 0) AS never,
    coalesce(sum(checked = '' AND before = '' AND archived < :since), 0) AS neglected,
    coalesce(sum(failed > 0), 0) AS damaged, min(nullif(checked, '')) AS oldest
"""
_RUN_SUMS = """
SELECT count(*) AS runs, coalesce(sum(ingest_id IS NULL), 0) AS whole_runs,
    coalesce(sum(records), 0) AS records, coalesce(sum(bytes), 0) AS bytes,
    coalesce(sum(bytes IS NULL), 0) AS without_bytes, coalesce(sum(failed), 0) AS failed,
    coalesce(sum(failed > 0), 0) AS failed_runs
FROM verifications WHERE started >= :since AND started < :until
"""
_BY_SOFTWARE = """
SELECT coalesce(software, '') AS software, coalesce(compared, '') AS compared, count(*) AS runs
FROM verifications WHERE started >= :since AND started < :until GROUP BY 1, 2 ORDER BY 1, 2
"""
_RECORDS = f"""
SELECT count(*) AS records, coalesce(sum(c.length), 0) AS stored, count(x.checked) AS read_again,
    coalesce(sum(x.checked >= :since AND x.checked < :until AND x.fate <> 'missing'), 0)
        AS read_in_period,
    coalesce(sum(x.fate = 'damaged'), 0) + a.damaged AS damaged,
    coalesce(sum(x.fate = 'missing'), 0) AS missing, min(x.checked) AS oldest,
    coalesce(sum(CASE WHEN x.fate <> 'intact' THEN NOT {IS_ELSEWHERE} END), 0) + a.damaged AS lost,
    coalesce(sum(CASE WHEN x.fate <> 'intact' AND {FOUND} >= :until THEN NOT {IS_ELSEWHERE} END), 0)
        + a.later AS lost_later
FROM captures AS c LEFT JOIN record_fixity AS x ON x.record_id = c.record_id,
    (SELECT count(*) AS damaged, coalesce(sum(found >= :until), 0) AS later
        FROM accompanying_fixity WHERE fate <> 'intact') AS a
"""  # noqa: S608
_RUNS = """
SELECT v.id, v.started, v.finished, v.ingest_id, r.base_url, v.records, v.bytes, v.failed,
    v.compared, v.software
FROM verifications AS v LEFT JOIN results AS r ON r.ingest_id = v.ingest_id
WHERE v.started >= :since AND v.started < :until ORDER BY v.started, v.id
"""
# What ended a damage: the next event of its record that is intact; or the same bytes, in another.
_ENDED = """
    (SELECT n.at FROM fixity_events AS n WHERE n.record_id = e.record_id AND n.id > e.id
        AND n.fate = 'intact' ORDER BY n.id LIMIT 1) AS mended,
    (SELECT n.remedy FROM fixity_events AS n WHERE n.record_id = e.record_id AND n.id > e.id
        AND n.fate = 'intact' ORDER BY n.id LIMIT 1) AS mended_by
"""
_AGAIN = f"""
    (SELECT t.record_id {TWINS} ORDER BY t.timestamp DESC LIMIT 1) AS again,
    {HAS_FILES_ELSEWHERE} AS has_files_elsewhere
"""
# Where a record stood then. Of an event that an older Carrel noted that is where it is now, unless
# it was mended since: it may have been brought back in another WARC.
_WAS_IN = "e.filename AS was_in, e.offset AS was_at, c.filename AS is_in, c.offset AS is_at"
_IS_THERE_STILL = "d.fate <> 'intact' AND d.mended IS NULL"
_PLACE = f"""
    coalesce(d.was_in, iif({_IS_THERE_STILL}, d.is_in, '')) AS filename,
    coalesce(d.was_at, iif({_IS_THERE_STILL}, d.is_at, NULL)) AS offset
"""
# The damage of a record that is no capture, which has no bytes of a file, and its end.
_ACCOMPANYING = """
    filename, offset, filename, offset, ingest_id,
    CASE fate WHEN 'intact' THEN checked END AS mended,
    nullif(remedy, '') AS mended_by, NULL AS again, 0 FROM accompanying_fixity
"""
_DAMAGES = f"""
SELECT d.*, {_PLACE}, o.filename AS again_in, o.timestamp AS again_at FROM (
    SELECT e.id, e.at, e.fate, e.message, e.remedy, e.software, c.record_id, c.url, {_WAS_IN},
        c.ingest_id, {_ENDED}, {_AGAIN}
    FROM fixity_events AS e JOIN captures AS c ON c.record_id = e.record_id
    WHERE e.at >= :since AND e.at < :until
    UNION ALL SELECT NULL, found, 'damaged', message, '', '', '', '', {_ACCOMPANYING}
    WHERE found >= :since AND found < :until
    UNION ALL SELECT NULL, checked, fate, '', remedy, '', '', '', {_ACCOMPANYING}
    WHERE fate = 'intact' AND checked >= :since AND checked < :until
) AS d LEFT JOIN captures AS o ON o.record_id = d.again ORDER BY d.at, d.id
"""  # noqa: S608
_OPEN = f"""
SELECT d.*, d.again IS NULL AND NOT d.has_files_elsewhere AS is_lost,
    o.filename AS again_in, o.timestamp AS again_at FROM (
    SELECT {FOUND} AS at, x.fate, x.message, c.record_id, c.url, c.filename, c.offset,
        c.ingest_id, {_AGAIN}
    FROM record_fixity AS x JOIN captures AS c ON c.record_id = x.record_id
    WHERE x.fate <> 'intact'
    UNION ALL SELECT found, fate, message, '', '', filename, offset, ingest_id, NULL, 0
    FROM accompanying_fixity WHERE fate <> 'intact'
) AS d LEFT JOIN captures AS o ON o.record_id = d.again ORDER BY d.filename, d.offset
"""  # noqa: S608
# The records that a dataset rests on by any attempt: those that it fetched, and those of its files.
# A revisit rests on the record that it names, or on any with its bytes where it names none. A file
# is named by the last attempt that has these bytes of it.
_DAMAGES_OF = f"""
WITH dataset AS (
    SELECT ingest_id, platform_version FROM results WHERE finished IS NOT NULL
        AND dataset_id = (SELECT dataset_id FROM results WHERE ingest_id = ?)
), own AS MATERIALIZED (
    SELECT record_id, sha256, size, is_revisit, refers_to_url, refers_to_timestamp FROM captures
    WHERE ingest_id IN (SELECT ingest_id FROM dataset) OR record_id IN (
        SELECT f.capture_id FROM files AS f JOIN dataset USING (ingest_id))
), bad AS MATERIALIZED (
    SELECT e.id, e.at, e.fate, e.message, {_WAS_IN}, c.*
    FROM (SELECT DISTINCT sha256, size FROM own) AS b
    CROSS JOIN captures AS c ON c.sha256 = b.sha256 AND c.size = b.size
    CROSS JOIN fixity_events AS e ON e.record_id = c.record_id AND e.fate <> 'intact'
)
SELECT d.at AS found, d.fate, d.message, d.record_id, d.url, coalesce(f.path, '') AS path,
    coalesce(dataset.platform_version, '') AS version, {_PLACE}, d.mended, d.mended_by,
    o.filename AS again_in, o.timestamp AS again_at, d.has_files_elsewhere
FROM (
    SELECT e.*, {_ENDED}, {_AGAIN}, (
        SELECT max(f.rowid) FROM files AS f JOIN dataset USING (ingest_id)
        WHERE f.capture_id IN (SELECT own.record_id FROM own
            WHERE own.sha256 = e.sha256 AND own.size = e.size)) AS file
    FROM bad AS e JOIN captures AS c USING (record_id) WHERE EXISTS (
        SELECT 1 FROM own WHERE own.record_id = e.record_id
            OR own.is_revisit AND own.sha256 = e.sha256 AND own.size = e.size
            AND coalesce(own.refers_to_url, e.url) = e.url
            AND coalesce(own.refers_to_timestamp, e.timestamp) = e.timestamp)
) AS d LEFT JOIN captures AS o ON o.record_id = d.again
LEFT JOIN files AS f ON f.rowid = d.file LEFT JOIN dataset USING (ingest_id)
UNION ALL SELECT found, 'damaged', message, '', '', '', coalesce(platform_version, ''), filename,
    offset, CASE fate WHEN 'intact' THEN checked END, nullif(remedy, ''), NULL, NULL, 0
FROM accompanying_fixity JOIN dataset USING (ingest_id)
ORDER BY found, filename, offset
"""  # noqa: S608
# Whether or not they were mended since.
_ONCE_DAMAGED = """
SELECT DISTINCT coalesce(e.filename, c.filename) AS filename
FROM fixity_events AS e JOIN captures AS c ON c.record_id = e.record_id WHERE e.fate <> 'intact'
UNION SELECT filename FROM accompanying_fixity
"""
_HOLDING = "ingest_id, title, identifier, base_url, platform_name, domain, archived, kept_count, "
_HOLDINGS = f"""
{_COVERED} SELECT {_HOLDING} kept_size, failed, missing, checked, before, is_faulty
FROM covered ORDER BY max(checked, before), archived, dataset_id
"""  # noqa: S608
_NOT_VERIFIED = f"""
{_COVERED} SELECT {_HOLDING} kept_size, failed, missing, checked, before FROM covered
WHERE checked < :since ORDER BY max(checked, before), archived, dataset_id
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Period:
    """From one moment to before another, both UTC, ISO 8601."""

    since: str
    until: str


@dataclass(frozen=True, slots=True)
class Covered:
    """How many holdings were verified in a period, of those that were there at its end.

    A verification covered all of the `verified` ones, and nothing of them was known at its end not
    to be intact; of as many `faulty` ones, `lacking` among them have records missing. `new` ones
    were archived in it and not verified again, `never` were not verified again at all, of which the
    `neglected` ones were archived before it; to `added_to` ones files came, or came again, after
    they were verified in it; `oldest` is when the one was verified that was not for the longest
    time. `damaged` have records that were not intact when last read, as of now.
    """

    holdings: int
    files: int
    size: int
    verified: int
    verified_size: int
    faulty: int
    faulty_size: int
    lacking: int
    added_to: int
    new: int
    never: int
    neglected: int
    damaged: int
    oldest: str | None
    name: str = ""

    @property
    def not_verified(self) -> int:
        return self.holdings - self.verified - self.faulty


@dataclass(frozen=True, slots=True)
class Runs:
    """What the verifications of a period come to; of `without_bytes` runs the bytes were not noted,
    as an older Carrel did not."""

    runs: int
    whole_runs: int
    records: int
    bytes: int
    without_bytes: int
    failed: int
    failed_runs: int


@dataclass(frozen=True, slots=True)
class Records:
    """How all records stand as of now: when each was last read, and how it was. Of those that are
    damaged or missing `lost` ones have bytes that no other record has, nor those of all files
    in it; `lost_later` of them were found so after the period."""

    records: int
    stored: int
    read_again: int
    read_in_period: int
    damaged: int
    missing: int
    oldest: str | None
    lost: int
    lost_later: int


def damages_of(connection: Connection, ingest_id: str) -> list[Damage]:
    """Return what was found of the records that a dataset rested on by any of its attempts, one of
    which is given; oldest first. Raises ArchiveError."""
    rows = connection.rows(answerable(connection, _DAMAGES_OF), [ingest_id])
    return [Damage(**{**row, **_typed(row)}) for row in rows]


def _typed(row: Row) -> Row:
    return {"fate": Fate(row["fate"]), "has_files_elsewhere": bool(row["has_files_elsewhere"])}


class FixityHistory:
    """Answers by one period. Raises ArchiveError."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def all(self, period: Period) -> Covered:
        """Return what was verified of all holdings."""
        (row,) = self._rows(f"{_COVERED} SELECT {_SUMS} FROM covered", period)  # noqa: S608
        return Covered(**row)

    def archived_later(self, period: Period) -> int:
        """Return how many holdings were archived after a period, by their dates: a clock that was
        ahead dates one so that is here already."""
        sql = "SELECT count(*) AS n FROM holdings WHERE NOT is_removed AND archived >= :until"
        return int(self._rows(sql, period)[0]["n"])

    def by_platform(self, period: Period) -> Iterator[Covered]:
        """Yield what was verified of each platform and its host, the largest first."""
        sql = f"""
            {_COVERED} SELECT trim(platform_name || ' ' || domain) AS name, {_SUMS} FROM covered
            GROUP BY platform_name, domain ORDER BY size DESC, name
        """  # noqa: S608
        return (Covered(**row) for row in self._rows(sql, period))

    def by_tag(self, period: Period) -> Iterator[Covered]:
        """Yield what was verified of the holdings with each tag."""
        sql = f"""
            {_COVERED} SELECT min(t.tag) AS name, {_SUMS} FROM covered JOIN (
                SELECT dataset_id, min(tag) AS tag FROM dataset_tags
                GROUP BY dataset_id, casefold(tag)
            ) AS t ON t.dataset_id = covered.dataset_id GROUP BY casefold(t.tag) ORDER BY 1
        """  # noqa: S608
        return (Covered(**row) for row in self._rows(sql, period))

    def run_sums(self, period: Period) -> Runs:
        """Return what the verifications of a period come to."""
        (row,) = self._rows(_RUN_SUMS, period)
        return Runs(**row)

    def by_software(self, period: Period) -> list[Row]:
        """Return how many runs there were by which software, comparing with what."""
        return self._rows(_BY_SOFTWARE, period)

    def records(self, period: Period) -> Records:
        """Return how all records stand."""
        (row,) = self._rows(_RECORDS, period)
        return Records(**row)

    def runs(self, period: Period) -> Iterator[Row]:
        """Yield each verification of a period."""
        return self._connection.each(_RUNS, self._asked(period))

    def events(self, period: Period) -> Iterator[Row]:
        """Yield each damage that was found in a period, and each that was found to be mended."""
        return self._connection.each(self._asking(_DAMAGES), self._asked(period))

    def damages_of(self, ingest_id: str) -> list[Damage]:
        """Return what was found of the records of a dataset, as `damages_of` does."""
        return damages_of(self._connection, ingest_id)

    def open_damages(self) -> Iterator[Row]:
        """Yield each record that was not intact when it was last read."""
        return self._connection.each(self._asking(_OPEN))

    def once_damaged_warcs(self) -> frozenset[str]:
        """Return the names of the WARCs of which a record was ever found damaged or missing."""
        return frozenset(self._connection.column(self._asking(_ONCE_DAMAGED)))

    def holdings(self, period: Period) -> Iterator[Row]:
        """Yield each holding, those that were not verified for the longest time first."""
        return self._connection.each(self._asking(_HOLDINGS), self._asked(period))

    def not_verified(self, period: Period) -> Iterator[Row]:
        """Yield, as `holdings`, those that were not verified in a period."""
        return self._connection.each(self._asking(_NOT_VERIFIED), self._asked(period))

    def _asking(self, sql: str) -> str:
        return answerable(self._connection, sql)

    def _rows(self, sql: str, period: Period) -> list[Row]:
        return self._connection.rows(self._asking(sql), self._asked(period))

    def _asked(self, period: Period) -> Row:
        return {"since": period.since, "until": period.until}
