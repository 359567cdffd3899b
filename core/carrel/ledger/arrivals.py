# SPDX-License-Identifier: AGPL-3.0-or-later
"""On which days the files came that are held of a dataset, as the catalogue notes them.

A dataset that was archived again has the day of each of its files: a new file, or a new version of
one, was archived when it came, and not when the dataset was first.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from carrel.ledger.accessions import Arrived

if TYPE_CHECKING:
    from sqlite_utils import Database

_DAY, _MONTH, _YEAR = 10, 7, 4  # characters of an ISO date
_WRITE = """
INSERT INTO holding_days
VALUES (:dataset_id, :day, (SELECT is_removed FROM holdings WHERE dataset_id = :dataset_id),
    :is_first, :opens_month, :opens_year, :files, :size)
"""


def note_days(db: "Database", row: Mapping[str, Any], arrived: Mapping[str, Arrived]) -> None:
    """Note the days of a holding, which is a `row` of the catalogue already.

    `arrived` has what came on each day, empty where all came when it was archived.
    """
    day = row["archived"][:_DAY]
    whole = Arrived(row["kept_count"], row["kept_size"])
    # What was archived then may have been lost, and archived again since.
    days = {day: Arrived(), **arrived} if arrived else {day: whole}
    known: set[str] = set()
    for each in sorted(days):
        flags = {
            "is_first": not known,
            "opens_month": each[:_MONTH] not in known,
            "opens_year": each[:_YEAR] not in known,
        }
        known |= {each[:_MONTH], each[:_YEAR]}
        came = {"dataset_id": row["dataset_id"], "day": each, "files": days[each].files}
        db.execute(_WRITE, {**came, "size": days[each].size_bytes, **flags})
