# SPDX-License-Identifier: AGPL-3.0-or-later
"""A fixity report as CSV: one table of what happened, one of how each holding stands.

A row of the first is a verification, or a record that was found damaged or mended. Names and words
are the same in every language: programs read them.
"""

from collections.abc import Iterable, Iterator

from carrel.exports.texts import csv_row
from carrel.ledger.connection import Row
from carrel.ledger.fixity_history import FixityHistory, Period

_EVENTS = (
    *("event_type", "event_id", "started", "finished", "outcome", "scope", "ingest_id", "dataset"),
    *("records", "bytes", "records_not_intact", "compared_with", "software", "record_id"),
    *("record_url", "warc", "offset", "message", "action_taken", "resolved"),
)
_HOLDINGS = (
    *("ingest_id", "title", "identifier", "dataset", "platform", "host", "archived", "files"),
    *("bytes", "last_verified", "verified_in_period", "records_damaged_or_missing"),
)
_MARK = "\ufeff"  # for spreadsheets, which else take it for another encoding


def events(history: FixityHistory, period: Period) -> Iterator[str]:
    """Yield the table of what happened in a period."""
    yield _MARK + csv_row(_EVENTS)
    for row in history.runs(period):
        yield _row(_EVENTS, _run(row))
    for row in history.events(period):
        yield _row(_EVENTS, _event(row))


def holdings(history: FixityHistory, period: Period) -> Iterator[str]:
    """Yield the table of all holdings, with when each was last verified."""
    yield _MARK + csv_row(_HOLDINGS)
    for row in history.holdings(period):
        named = {
            **row,
            "dataset": row["base_url"],
            "platform": row["platform_name"],
            "host": row["domain"],
            "files": row["kept_count"],
            "bytes": row["kept_size"],
            "last_verified": max(row["checked"], row["before"]),
            "verified_in_period": _is_verified(row, period),
            "records_damaged_or_missing": row["failed"],
        }
        yield _row(_HOLDINGS, named)


def _is_verified(row: Row, period: Period) -> str:
    if row["checked"] >= period.since:
        return "not intact" if row["is_faulty"] else "yes"
    return "in part" if row["before"] >= period.since else "no"


def _run(row: Row) -> Row:
    return {
        **row,
        "event_type": "fixity check",
        "event_id": f"verification-{row['id']}",
        "outcome": "not intact" if row["failed"] else "intact",
        "scope": "holding" if row["ingest_id"] else "archive",
        "dataset": row["base_url"],
        "records_not_intact": row["failed"],
        "compared_with": row["compared"],
    }


def _event(row: Row) -> Row:
    is_mended = row["fate"] == "intact"
    return {
        **row,
        "event_type": "repair" if is_mended else "damage found",
        "event_id": _event_id(row),
        "started": row["at"],
        "outcome": row["fate"],
        "scope": "record",
        "record_url": row["url"],
        "warc": row["filename"],
        "action_taken": row["remedy"] if is_mended else action_taken(row),
        "resolved": "" if is_mended else row["mended"] or _captured_since(row),
    }


def _event_id(row: Row) -> str:
    """Return what tells an event from others: a record that is no capture is known by its place."""
    if row["id"] is not None:
        return f"record-{row['id']}"
    return f"accompanying-{row['filename']}-{row['offset']}-{row['at']}"


def _captured_since(row: Row) -> str:
    """Return when the same bytes were captured again, if damage was found before: a record that
    had them then already brought nothing back."""
    digits = row["again_at"] or ""
    if len(digits) != 14:
        return ""
    day, time = digits[:8], digits[8:]
    at = f"{day[:4]}-{day[4:6]}-{day[6:]}T{time[:2]}:{time[2:4]}:{time[4:]}Z"
    return at if at >= row["at"] else ""


def action_taken(row: Row) -> str:
    """Return what was done about a damage, in words for programs and people; "" for nothing."""
    if row.get("mended"):
        return row["mended_by"] or "read intact again; by what is not recorded"
    if row["again_in"]:
        return f"the same bytes are intact in {row['again_in']}"
    return "all files in it are intact in other records" if row["has_files_elsewhere"] else ""


def _row(names: Iterable[str], values: Row) -> str:
    cells = (values.get(name) for name in names)
    return csv_row("" if cell is None else str(cell) for cell in cells)
