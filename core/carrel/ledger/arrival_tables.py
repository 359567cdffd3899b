# SPDX-License-Identifier: AGPL-3.0-or-later
"""The tables of arrivals: on which days the files came that are held. All follows from others."""

DERIVED = ("holding_days", "month_totals")
# What is listed, summed up by month, so that no page adds up a hundred thousand rows.
_SUM = """
CREATE TRIGGER holding_days_{verb} AFTER {verb} ON holding_days WHEN {row}.is_removed = 0 BEGIN
    INSERT INTO month_totals VALUES (substr({row}.day, 1, 7), {sign}{row}.opens_month,
        {sign}{row}.opens_year, {sign}{row}.is_first, {sign}{row}.files, {sign}{row}.size)
    ON CONFLICT (month) DO UPDATE SET datasets = datasets + excluded.datasets,
        in_year = in_year + excluded.in_year, first = first + excluded.first,
        files = files + excluded.files, size = size + excluded.size; DELETE FROM month_totals
        WHERE month = substr({row}.day, 1, 7) AND datasets = 0 AND files = 0 AND size = 0; END
"""
# A row says how much came on a day of what is held of a dataset; whether it is the first day of the
# dataset, and its first one in that month and that year, so that sums count each dataset once.
_STATEMENTS = (
    """
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
""",
    """
CREATE TABLE month_totals (
    month TEXT PRIMARY KEY,
    datasets INTEGER NOT NULL,
    in_year INTEGER NOT NULL,
    first INTEGER NOT NULL,
    files INTEGER NOT NULL,
    size INTEGER NOT NULL
) WITHOUT ROWID
""",
    "CREATE INDEX holding_days_day ON holding_days"
    " (day, is_removed, dataset_id, opens_month, opens_year, files, size)",
    _SUM.format(verb="INSERT", row="NEW", sign=""),
    _SUM.format(verb="DELETE", row="OLD", sign="-"),
    "CREATE TRIGGER holdings_days_gone AFTER DELETE ON holdings BEGIN"
    " DELETE FROM holding_days WHERE dataset_id = OLD.dataset_id; END",
    "INSERT INTO holding_days SELECT dataset_id, substr(archived, 1, 10), is_removed, 1, 1, 1,"
    " kept_count, kept_size FROM holdings",
    "DROP INDEX holdings_day",
)
# What `_run` of the schema takes apart again.
TABLES = ";\n".join([*_STATEMENTS, ""])
