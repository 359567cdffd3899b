# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether tables that are there already are those that results go into.

What the columns should be is said once, by the SQL file: its tables are made among the temporary
ones of the session, compared, and rolled back. A table may have columns of its own beside them, if
a row may lack those.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from carrel.errors import OtherDatabase
from carrel.translation import tr

if TYPE_CHECKING:
    import psycopg

ADOPTED = ("ingest_request", "ingest_file_result", "ingest_fileset_platform")
_COLUMNS = """
SELECT t.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.atthasdef,
       coalesce(a.attnum = ANY (i.indkey), false)
FROM pg_class t
JOIN pg_namespace n ON n.oid = t.relnamespace
JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary
WHERE t.relname = ANY (%s) AND {schema}
ORDER BY t.relname, a.attnum
"""
_THERE = _COLUMNS.format(schema="n.nspname = current_schema()")
_TEMPORARY = _COLUMNS.format(schema="n.oid = pg_my_temp_schema()")


@dataclass(frozen=True, slots=True)
class Column:
    """A column as the catalogue of Postgres describes it."""

    kind: str
    is_required: bool
    has_default: bool
    is_in_key: bool


Tables = Mapping[str, Mapping[str, Column]]


def refuse_others(connection: "psycopg.Connection", statements: str) -> None:
    """Raise OtherDatabase with the differences if tables are there and have other columns.

    It runs within a transaction.
    """
    there = _tables(connection, _THERE)
    if not there:
        return
    differences = list(_differences(there, _wanted(connection, statements)))
    if differences:
        words = tr(
            "The database has other tables of the same names, and nothing was changed in it: "
            "{differences}.",
            differences="; ".join(differences),
        )
        raise OtherDatabase(words)


def _wanted(connection: "psycopg.Connection", statements: str) -> Tables:
    """Return the tables that the statements make."""
    from psycopg import Rollback

    with connection.transaction() as trial:
        connection.execute("SET LOCAL search_path TO pg_temp")
        connection.execute(statements.encode())
        wanted = _tables(connection, _TEMPORARY)
        raise Rollback(trial)
    return wanted


def _tables(connection: "psycopg.Connection", query: str) -> Tables:
    tables: dict[str, dict[str, Column]] = {}
    for table, name, *column in connection.execute(query.encode(), [list(ADOPTED)]):
        tables.setdefault(table, {})[name] = Column(*column)
    return tables


def _differences(there: Tables, wanted: Tables) -> Iterator[str]:
    for table in wanted.keys() & there.keys():
        yield from (f"{table}: {each}" for each in _of_table(there[table], wanted[table]))


def _of_table(there: Mapping[str, Column], wanted: Mapping[str, Column]) -> Iterator[str]:
    for name, column in wanted.items():
        if name not in there:
            yield tr("{name} is missing", name=name)
            continue
        found = there[name]
        if found.kind != column.kind:
            yield tr("{name} is {found}, not {kind}", name=name, found=found.kind, kind=column.kind)
        if found.is_required and not column.is_required:
            yield tr("{name} may not be NULL", name=name)
    yield from (
        tr("{name} must have a value, and is unknown", name=name)
        for name in there.keys() - wanted.keys()
        if there[name].is_required and not there[name].has_default
    )
    if _key(there) != _key(wanted):
        yield tr("the key is ({names})", names=", ".join(_key(there)))


def _key(columns: Mapping[str, Column]) -> Sequence[str]:
    return sorted(name for name, column in columns.items() if column.is_in_key)
