# SPDX-License-Identifier: AGPL-3.0-or-later
"""The catalogue of holdings: one row for each dataset of which anything is held.

All of it follows from results, files and fixity runs. It is made from them when an attempt ends, so
that a hundred thousand holdings are sorted, counted and searched without reading their results.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from carrel.ledger import full_text
from carrel.ledger.accessions import arrivals
from carrel.ledger.arrivals import note_days
from carrel.ledger.connection import Asking, Connection, always
from carrel.ledger.datasets import assign_all
from carrel.ledger.fixity import Fixity
from carrel.ledger.formats import sum_up, titles
from carrel.ledger.holdings import Holdings, extracted
from carrel.ledger.recognition import HAS_DOI
from carrel.model.figures import Amount
from carrel.model.formats import facet_value, puid_of
from carrel.model.holdings import (
    CHECKED_WITHIN_DAYS,
    Checked,
    Facet,
    HoldingRow,
    HoldingsQuery,
    Proven,
    State,
)
from carrel.model.holdings import Order as By
from carrel.model.item import MAY_HAVE_MORE
from carrel.model.licenses import UNKNOWN, short_license
from carrel.model.names import in_utf8
from carrel.model.proof import Grade
from carrel.model.status import Status

if TYPE_CHECKING:
    from sqlite_utils import Database

# A catalogue that was made by other rules is made anew.
_MADE_BY = 13
# What of it is damaged is noted behind that, for all at once.
_WRITE = """
INSERT INTO holdings (
    dataset_id, ingest_id, base_url, title, title_key, creators, identifier, platform_name,
    platform_version, license, status, file_count, kept_count, total_size, kept_size, unknown_sizes,
    proof, archived, added, last_status, last_started, verified, failed, missing, twinned,
    earlier, attempts, is_complete, is_removed)
VALUES (
    :dataset_id, :ingest_id, :base_url, :title, :title_key, :creators, :identifier, :platform_name,
    :platform_version, :license, :status, :file_count, :kept_count, :total_size, :kept_size,
    :unknown_sizes, :proof, :archived, :added, :last_status, :last_started, :verified, 0, 0, 0,
    0, :attempts, :is_complete,
    (SELECT removed IS NOT NULL FROM datasets WHERE dataset_id = :dataset_id))
"""
_OF_DATASETS = """
SELECT d.dataset_id, d.note,
    (SELECT count(*) FROM results AS r
        WHERE r.dataset_id = d.dataset_id AND r.finished IS NOT NULL) AS attempts,
    (SELECT json_group_array(DISTINCT r.base_url) FROM results AS r
        WHERE r.dataset_id = d.dataset_id) AS addresses,
    (SELECT json_group_array(tag) FROM dataset_tags AS t
        WHERE t.dataset_id = d.dataset_id) AS tags
FROM json_each(?) AS asked JOIN datasets AS d ON d.dataset_id = asked.value
"""
_ATTEMPTED = """
SELECT dataset_id FROM results WHERE base_url = ? AND dataset_id IS NOT NULL
ORDER BY rowid DESC LIMIT 1
"""
_NAMED = f"""
SELECT dataset_id FROM (SELECT ? AS value) AS asked CROSS JOIN holdings AS h WHERE {HAS_DOI}
"""  # noqa: S608
# Of every attempt: what an earlier version has is held, too. Of that which is held now also what it
# lacks: who searches for a file learns why it is not here.
_PATHS = """
SELECT group_concat(path, char(10)) AS paths FROM (
    SELECT DISTINCT f.path FROM results AS r JOIN files AS f ON f.ingest_id = r.ingest_id
    WHERE r.dataset_id = ? AND (f.status LIKE 'success%' OR r.ingest_id = ?))
"""
# Likewise what they are called, by whom, and their identifiers, each once.
_NAMES = f"""
SELECT DISTINCT {extracted("r", ("title", "creators", "doi"))} AS names
FROM results AS r
WHERE r.dataset_id = ? AND r.finished IS NOT NULL AND EXISTS (
    SELECT 1 FROM files AS f WHERE f.ingest_id = r.ingest_id AND f.status LIKE 'success%')
"""  # noqa: S608
_MAY_HAVE_MORE = ", ".join(f"'{name}'" for name in sorted(MAY_HAVE_MORE))
_DAMAGED_NOW = "h.failed > h.twinned + h.earlier"
_STATE = f"""
CASE WHEN {_DAMAGED_NOW} AND h.missing > 0 THEN '{State.MISSING}'
    WHEN {_DAMAGED_NOW} THEN '{State.DAMAGED}' WHEN h.earlier > 0 THEN '{State.EARLIER_LOST}'
    WHEN h.failed > 0 THEN '{State.TWINNED}'
    WHEN NOT h.is_complete THEN '{State.INCOMPLETE}'
    WHEN h.platform_name IN ({_MAY_HAVE_MORE}) THEN '{State.COMPLETENESS_UNKNOWN}'
    ELSE '{State.COMPLETE}' END
"""
# One that lacks files is found as such, also where it has the worse state of one that is damaged.
_LACKS_FILES = "h.is_complete = 0"
_IN_STATE = f"""
({_STATE}) IN (SELECT value FROM json_each(:{Facet.STATE}))
OR ({_LACKS_FILES} AND '{State.INCOMPLETE}' IN (SELECT value FROM json_each(:{Facet.STATE})))
"""  # noqa: S608 - expressions of ours
_PROVEN = f"""
CASE WHEN {_DAMAGED_NOW} THEN '{Proven.DAMAGED}'
    WHEN h.proof = '{Grade.DIGEST}' AND NOT h.is_complete THEN '{Proven.INCOMPLETE}'
    ELSE h.proof END
"""
# So is one with files that no digest proves, as the figures count it.
_IS_UNPROVEN = f"h.proof <> '{Grade.DIGEST}'"
_IN_PROOF = f"""
({_PROVEN}) IN (SELECT value FROM json_each(:{Facet.PROOF}))
OR ({_IS_UNPROVEN} AND h.proof IN (SELECT value FROM json_each(:{Facet.PROOF})))
"""  # noqa: S608 - expressions of ours
# Days are counted from the moment that the question is asked at.
_CHECKED = " ".join(
    (
        f"CASE WHEN h.failed > 0 THEN '{Checked.DAMAGED}'",
        f"WHEN h.verified IS NULL THEN '{Checked.NEVER}'",
        *(
            f"WHEN h.verified >= strftime('%Y-%m-%dT%H:%M:%SZ', :now, '-{days} days')"
            f" THEN '{checked}'"
            for checked, days in CHECKED_WITHIN_DAYS.items()
        ),
        f"ELSE '{Checked.LONGER}' END",
    )
)
_VALUES = {
    Facet.STATE: _STATE,
    Facet.PROOF: _PROVEN,
    Facet.CHECKED: _CHECKED,
    Facet.PLATFORM: "h.platform_name",
    Facet.LICENSE: "h.license",
    Facet.YEAR: "substr(t.day, 1, 4)",
    Facet.MONTH: "substr(t.day, 1, 7)",
}
_TAGGED = """
EXISTS (SELECT 1 FROM dataset_tags AS t WHERE t.dataset_id = h.dataset_id
    AND casefold(t.tag) IN (SELECT casefold(value) FROM json_each(:tag)))
"""
_WITH_FORMAT = """
EXISTS (SELECT 1 FROM holding_formats AS t WHERE t.dataset_id = h.dataset_id
    AND t.{column} IN (SELECT value FROM json_each(:{facet})))
"""
# By the index of days, of which a year or month is what they begin with.
_ARCHIVED_IN = """
h.dataset_id IN (SELECT t.dataset_id FROM json_each(:{facet}) AS asked CROSS JOIN holding_days AS t
    ON t.day >= asked.value AND t.day < asked.value || '~')
"""
# Facets of which a holding has several values: where these are.
_DAYS = "holdings AS h CROSS JOIN holding_days AS t USING (dataset_id)"
_SEVERAL = {
    Facet.YEAR: _DAYS,
    Facet.MONTH: _DAYS,
    Facet.TAG: "dataset_tags AS t CROSS JOIN holdings AS h USING (dataset_id)",
    Facet.FORMAT: "holdings AS h CROSS JOIN holding_formats AS t USING (dataset_id)",
    Facet.FORMAT_RISK: "holdings AS h CROSS JOIN holding_formats AS t USING (dataset_id)",
}
# What is not listed has no formats, so that all of them are counted by an index alone.
_EACH_ONCE = "count(DISTINCT t.dataset_id)"
_EVERY = "holding_formats AS t"
# Of the days of a dataset one is its first in each month, and in each year.
_ONCE_IN = {Facet.YEAR: "sum(t.opens_year)", Facet.MONTH: "sum(t.opens_month)"}
_EVERY_DAY, _LISTED = "holding_days AS t", "t.is_removed = 0"
_FORMAT_COLUMNS = {Facet.FORMAT: "t.puid", Facet.FORMAT_RISK: "t.risk"}
_HAVING = {
    Facet.STATE: _IN_STATE,
    Facet.PROOF: _IN_PROOF,
    Facet.TAG: _TAGGED,
    Facet.YEAR: _ARCHIVED_IN.format(facet=Facet.YEAR),
    Facet.MONTH: _ARCHIVED_IN.format(facet=Facet.MONTH),
    Facet.FORMAT: _WITH_FORMAT.format(column="puid", facet=Facet.FORMAT),
    Facet.FORMAT_RISK: _WITH_FORMAT.format(column="risk", facet=Facet.FORMAT_RISK),
}
# Values that another one may hide, and where they are so.
_HIDDEN = {
    Facet.STATE: (f"'{State.INCOMPLETE}'", _LACKS_FILES),
    Facet.PROOF: ("h.proof", _IS_UNPROVEN),
}
_STATE_RANK = f"""
CASE ({_STATE}) {" ".join(f"WHEN '{each}' THEN {at}" for at, each in enumerate(State))} END
"""
_PROOF_RANK = f"""
CASE ({_PROVEN}) {" ".join(f"WHEN '{each}' THEN {-at}" for at, each in enumerate(Proven))} END
"""
_ORDERS = {
    By.TITLE: "h.title_key",
    By.CREATORS: "h.creators COLLATE NOCASE",
    By.PLATFORM: "coalesce((SELECT value FROM json_each(:titles) WHERE key = h.platform_name), '')",
    By.VERSION: "version_key(h.platform_version)",
    By.LICENSE: "h.license",
    By.FILES: "h.kept_count",
    By.SIZE: "h.kept_size",
    By.ARCHIVED: "h.archived",
    By.CHECKED: "h.verified",
    By.STATE: _STATE_RANK,
    By.PROOF: _PROOF_RANK,
}
# Of every version that is archived, as names of files are found.
_HAVE_DIGEST = """
SELECT k.dataset_id FROM files AS f CROSS JOIN results AS k ON k.ingest_id = f.ingest_id
WHERE f.{name} >= :digest AND f.{name} < :digest || 'g' AND f.status LIKE 'success%'
"""
# As it is stored, where that is in a content coding. By MD5 captures have no index.
_HAVE_STORED_DIGEST = """
SELECT k.dataset_id FROM captures AS c
CROSS JOIN files AS f ON f.capture_id = c.record_id AND f.status LIKE 'success%'
CROSS JOIN results AS k ON k.ingest_id = f.ingest_id
WHERE c.{name} >= :digest AND c.{name} < :digest || 'g'
"""
# Whole: ids begin with the time, and "2" would find every one of them.
_HAVE_ATTEMPT = "SELECT dataset_id FROM results WHERE ingest_id = :attempt"
_ROWS = """
SELECT h.*, d.note, d.removed, (SELECT json_group_array(tag) FROM (
    SELECT min(tag) AS tag FROM dataset_tags AS t WHERE t.dataset_id = h.dataset_id
    GROUP BY casefold(tag) ORDER BY 1)) AS tags
FROM json_each(?) AS asked JOIN holdings AS h ON h.dataset_id = asked.value
JOIN datasets AS d ON d.dataset_id = h.dataset_id ORDER BY asked.key
"""
_AMOUNT = """
SELECT count(*) AS datasets, coalesce(sum(h.kept_count), 0) AS files,
    coalesce(sum(h.kept_size), 0) AS size
FROM json_each(?) AS asked CROSS JOIN holdings AS h ON h.dataset_id = asked.value
"""
_NOT_OF_ROWS = ("title_key", "is_complete", "is_removed")
_SLICE = 500


class Catalogue:
    """Finds, counts and shows holdings. Each question raises ArchiveError if it has no answer."""

    def __init__(self, connection: Connection, holdings: Holdings, fixity: Fixity) -> None:
        self._connection, self._holdings, self._fixity = connection, holdings, fixity

    @property
    def is_current(self) -> bool:
        """Whether it was made by the rules of today."""
        return bool(self._connection.rows("SELECT 1 FROM catalogue WHERE made_by = ?", [_MADE_BY]))

    def make(self) -> None:
        """Make the catalogue anew, of everything that the ledger knows."""
        with self._connection.writing() as db:
            assign_all(db)
            for table in ("holdings", "holdings_text", "holding_days", "month_totals"):
                db.execute(f"DELETE FROM {table}")  # noqa: S608
            ids = [row["dataset_id"] for row in db.query("SELECT dataset_id FROM datasets")]
            for start in range(0, len(ids), _SLICE):
                self._write(db, ids[start : start + _SLICE])
            self._fixity.note_faults(db)
            db.execute("UPDATE catalogue SET made_by = ?", [_MADE_BY])

    def update(self, db: "Database", dataset_ids: Collection[int]) -> None:
        """Make the rows of some datasets anew, within a transaction of the caller. What came in may
        have the bytes of what others lost."""
        self._write(db, dataset_ids)
        self._fixity.note_faults(db)

    def _write(self, db: "Database", dataset_ids: Collection[int]) -> None:
        known = {
            row["dataset_id"]: row
            for row in self._connection.rows(_OF_DATASETS, [json.dumps(list(dataset_ids))])
        }
        for dataset_id in dataset_ids:
            db.execute("DELETE FROM holdings WHERE dataset_id = ?", [dataset_id])
            db.execute("DELETE FROM holdings_text WHERE rowid = ?", [dataset_id])
        holdings = list(self._holdings.of_datasets(dataset_ids))
        arrived = arrivals(self._connection, [held["ingest_id"] for held in holdings])
        for held in holdings:
            row = _storable(_row_of(held)) | {"attempts": known[held["dataset_id"]]["attempts"]}
            db.execute(_WRITE, row)
            note_days(db, row, arrived.get(held["ingest_id"], {}))
            sum_up(db, held["dataset_id"])
            self._index(db, row, known[held["dataset_id"]])

    def find(
        self,
        query: HoldingsQuery,
        now: str,
        *,
        most: int = -1,
        is_wanted: Callable[[], bool] = always,
        title_of: Callable[[str], str | None] = str,
    ) -> Sequence[int]:
        """Return the datasets that a question asks for, in its order. `now` is ISO 8601, UTC.
        `title_of` is how a platform is called where its name is shown, by which it is sorted.

        The first `most` of them are found without looking at the others. Raises Overtaken once it
        is not wanted any more.
        """
        where, values = _condition(query, now)
        way = "DESC" if query.is_descending else "ASC"
        order = f"{_ORDERS[query.order]} {way}, h.dataset_id {way}"
        sql = f"SELECT h.dataset_id FROM holdings AS h WHERE {where} ORDER BY {order} LIMIT :most"  # noqa: S608
        with self._connection.apart(is_wanted) as ask:
            if query.order is By.PLATFORM:
                names = ask.column("SELECT DISTINCT platform_name FROM holdings", ())
                titles = {name: (title_of(name) or name).casefold() for name in names}
                values["titles"] = json.dumps(titles)
            return ask.numbers(sql, {**values, "most": most})

    def rows(self, dataset_ids: Sequence[int]) -> Sequence[HoldingRow]:
        """Return the rows of datasets in this order, without those of which nothing is held."""
        return [
            _holding(row) for row in self._connection.rows(_ROWS, [json.dumps(list(dataset_ids))])
        ]

    def amount(self, dataset_ids: Sequence[int]) -> Amount:
        """Return how much is held of datasets."""
        with self._connection.apart() as ask:
            (row,) = ask.rows(_AMOUNT, [json.dumps(list(dataset_ids))])
        return Amount(row["datasets"], row["files"], row["size"])

    def dataset_of(self, base_url: str) -> int | None:
        """Return the dataset that an address was last an attempt at, or whose DOI it is; None if
        there is none."""
        for sql in (_ATTEMPTED, _NAMED):
            for row in self._connection.rows(sql, [base_url]):
                return int(row["dataset_id"])
        return None

    def held_at(self, base_urls: Sequence[str]) -> Mapping[str, HoldingRow]:
        """Return, by address, what is held of the dataset that each was an attempt at; those of
        which nothing is are left out."""
        found = {url: self.dataset_of(url) for url in base_urls}
        rows = self.rows([number for number in found.values() if number is not None])
        by_dataset = {row.dataset_id: row for row in rows}
        held = {url: by_dataset.get(number or 0) for url, number in found.items()}
        return {url: row for url, row in held.items() if row is not None}

    def counts(
        self, query: HoldingsQuery, now: str, *, is_wanted: Callable[[], bool] = always
    ) -> Mapping[Facet, Mapping[str, int]]:
        """Return how many holdings each value of each facet has, most first.

        Each facet counts what the others leave, so that another of its values can be chosen. Raises
        Overtaken once it is not wanted any more.
        """
        with self._connection.apart(is_wanted) as ask:
            return {facet: self._counted(ask, facet, query, now) for facet in Facet}

    def total(self, *, is_removed: bool = False) -> int:
        """Return how many datasets are held and listed, or were removed from the holdings."""
        with self._connection.apart() as ask:
            sql = "SELECT count(*) FROM holdings WHERE is_removed = ?"
            (count,) = ask.column(sql, [int(is_removed)])
        return int(count)

    def _counted(self, ask: Asking, facet: Facet, query: HoldingsQuery, now: str) -> dict[str, int]:
        where, values = _condition(query, now, but=facet)
        value, group = _VALUES.get(facet, "min(t.tag)"), "1"
        held, count = _SEVERAL.get(facet, "holdings AS h"), "count(*)"
        if facet is Facet.TAG:
            count, group = _EACH_ONCE, "casefold(t.tag)"
        if facet in _ONCE_IN:
            count = _ONCE_IN[facet]
            if not _is_narrowed(query, but=facet):
                held, where = _EVERY_DAY, _LISTED
        if facet in (Facet.FORMAT, Facet.FORMAT_RISK):
            value, count = _FORMAT_COLUMNS[facet], _EACH_ONCE
            if not _is_narrowed(query, but=facet):
                held, where = _EVERY, "1"
            where = f"{where} AND {value} > ''" if facet is Facet.FORMAT_RISK else where
        sql = (
            f"SELECT {value} AS value, {count} AS n FROM {held} WHERE {where}"  # noqa: S608
            f" GROUP BY {group} ORDER BY n DESC, value"
        )
        rows = ask.rows(sql, values | {"now": now})
        counts = {row["value"]: row["n"] for row in rows}
        if facet in _HIDDEN:
            value, is_so = _HIDDEN[facet]
            of_them = f"SELECT {value} AS value, {count} AS n FROM {held}"  # noqa: S608
            sql = f"{of_them} WHERE {where} AND {is_so} GROUP BY 1"
            rows = ask.rows(sql, values | {"now": now})
            counts |= {row["value"]: row["n"] for row in rows}
        return self._with_titles(counts) if facet is Facet.FORMAT else counts

    def _with_titles(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Return counts of formats with what each is called; none where none is identified."""
        if set(counts) <= {""}:
            return {}
        known = titles(self._connection)
        return {facet_value(puid, known.get(puid, "")): n for puid, n in counts.items()}

    def _index(self, db: "Database", row: Mapping[str, Any], known: Mapping[str, Any]) -> None:
        """Index what a holding is searched by."""
        (files,) = self._connection.rows(_PATHS, [row["dataset_id"], row["ingest_id"]])
        titles, creators, dois = self._names(row["dataset_id"])
        texts: list[Iterable[str]] = [
            dict.fromkeys([row["title"], *titles]),
            [row["creators"], *creators],
            [row["identifier"], *dois, *json.loads(known["addresses"])],
            [files["paths"] or ""],
            [known["note"], *json.loads(known["tags"])],
        ]
        db.execute(full_text.ADD, [row["dataset_id"], *map(full_text.indexed, texts)])

    def _names(self, dataset_id: int) -> tuple[list[str], list[str], list[str]]:
        """Return the titles, creators and DOIs of all versions of a dataset that are held."""
        found = self._connection.column(_NAMES, [dataset_id])
        names = [json.loads(each) for each in found if each is not None]
        titles = [in_utf8(title) for title, _, _ in names if title]
        creators = [in_utf8("; ".join(each)) for _, each, _ in names if each]
        return titles, creators, [in_utf8(doi) for _, _, doi in names if doi]


def _row_of(held: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of what is held, as an overview tells it."""
    last, fixity = held.get("last_attempt") or {}, held["fixity"]
    file_count, kept_count = held.get("file_count") or 0, held.get("kept_count") or 0
    identifier = held.get("doi") or held.get("platform_id") or held["request"]["base_url"]
    title = held.get("title") or identifier
    proof = held.get("proof") or {}
    status = Status(held["status"])
    return {
        "dataset_id": held["dataset_id"],
        "ingest_id": held["ingest_id"],
        "base_url": held["request"]["base_url"],
        "title": title,
        "title_key": title.casefold(),
        "creators": "; ".join(held.get("creators") or ()),
        "identifier": identifier,
        "platform_name": held.get("platform_name") or "",
        "platform_version": held.get("platform_version") or "",
        "license": _license_of(held),
        "status": Status.SUCCESS if status is Status.SUCCESS_EXISTING else status,
        "file_count": file_count,
        "kept_count": kept_count,
        "total_size": held.get("total_size") or 0,
        "kept_size": held.get("kept_size") or 0,
        "unknown_sizes": held.get("unknown_sizes") or 0,
        "proof": next((each for each in reversed(Grade) if proof.get(each)), Grade.NOTHING),
        "archived": held.get("archived") or held["finished"],
        "added": held.get("added"),
        "last_status": last.get("status"),
        "last_started": last.get("started"),
        "verified": None if fixity.get("is_added_to") else fixity.get("verified"),
        "is_complete": int(status.is_success and kept_count >= file_count),
    }


def _license_of(held: Mapping[str, Any]) -> str:
    return UNKNOWN if held.get("unreadable") else short_license(held.get("license") or "")


def _storable(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row without what is no text in UTF-8: titles may have anything in them."""
    return {
        name: in_utf8(value) if isinstance(value, str) else value for name, value in row.items()
    }


def _holding(row: Mapping[str, Any]) -> HoldingRow:
    fields = {name: value for name, value in row.items() if name not in _NOT_OF_ROWS}
    fields |= {
        "status": Status(row["status"]),
        "last_status": row["last_status"] and Status(row["last_status"]),
        "proof": Grade(row["proof"]),
        "tags": tuple(json.loads(row["tags"])),
    }
    return HoldingRow(**fields)


def _condition(
    query: HoldingsQuery, now: str, *, but: Facet | None = None
) -> tuple[str, dict[str, Any]]:
    """Return what holds of the holdings that a question asks for, with its values.

    `but` is a facet that does not narrow them.
    """
    values: dict[str, Any] = {"now": now}
    parts = [f"h.is_removed = {int(query.is_removed)}"]
    chosen = {facet: among for facet, among in query.chosen.items() if among and facet is not but}
    for facet, among in chosen.items():
        among = frozenset(map(puid_of, among)) if facet is Facet.FORMAT else among
        values[facet] = json.dumps(sorted(among))
        among_them = f"{_VALUES.get(facet)} IN (SELECT value FROM json_each(:{facet}))"  # noqa: S608
        parts.append(_HAVING.get(facet, among_them))
    if query.text.strip():
        parts.append(_sought(query.text, values))
    return " AND ".join(f"({part})" for part in parts), values


def _is_narrowed(query: HoldingsQuery, *, but: Facet) -> bool:
    """Say whether not all holdings are asked for, whatever one facet says."""
    others = (among for facet, among in query.chosen.items() if facet is not but)
    return bool(query.text.strip()) or query.is_removed or any(others)


def _sought(text: str, values: dict[str, Any]) -> str:
    """Return what holds of the holdings that have a text, and add its values."""
    values["attempt"] = text.strip()
    parts = [_HAVE_ATTEMPT]
    if words := full_text.match(text):
        values["match"] = words
        parts.append(full_text.HAVE_WORDS)
    if digest := full_text.digest_prefix(text):
        values["digest"] = digest
        parts += [_HAVE_DIGEST.format(name=name) for name in ("md5", "sha1", "sha256")]
        parts += [_HAVE_STORED_DIGEST.format(name=name) for name in ("sha1", "sha256")]
    return f"h.dataset_id IN ({' UNION ALL '.join(parts)})"
