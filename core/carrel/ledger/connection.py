# SPDX-License-Identifier: AGPL-3.0-or-later
"""The one connection to the ledger's file, guarded by a lock, so that worker threads may share it.

SQLite runs in WAL mode: other processes read while this one writes.
"""

import os
import sqlite3
import threading
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from functools import cached_property
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from carrel.errors import ArchiveError, ArchiveFull, ArchiveLocked, LedgerDamaged, Overtaken
from carrel.ledger.readers import Readers
from carrel.model.formats import extension_of
from carrel.model.names import in_utf8
from carrel.model.version_key import version_key
from carrel.translation import tr

if TYPE_CHECKING:
    from sqlite_utils import Database

Row = dict[str, Any]
T = TypeVar("T")
STEPS = (37, "holding_days")
"""How many steps `schema.py` has, and the last. A ledger that took these needs none of them, and
none is loaded."""
STEPS_TABLE = "_sqlite_migrations"
# Beside max(), a bare column is that of the row which has it: https://sqlite.org/lang_select.html.
_STEPS_TAKEN = """
SELECT count(*), name, max(rowid) FROM _sqlite_migrations WHERE migration_set = 'carrel'
"""
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
# Worker threads share the connection, under a lock; so long it waits for another process.
_SHARED: dict[str, Any] = {"check_same_thread": False, "timeout": 30}


def always() -> bool:
    """Say that an answer is wanted, however long it takes."""
    return True


class Connection:
    """Raises ArchiveError when the file is no ledger of ours, or not one to write to."""

    def __init__(
        self, path: Path, *, writing: bool, is_copy: bool = False, is_still: bool = False
    ) -> None:
        """`is_copy` says that the file is a copy already: none is kept before it is migrated;
        `is_still` that no one writes to it, and that nothing can be put beside it to read it."""
        self._lock, self.path, self._is_writable = threading.RLock(), path, writing
        self._is_still = is_still
        self._folder: TemporaryDirectory[str] | None = None
        self._readers, self._writer, self._stands_still = Readers(self._reader), 0, False
        # Called when a transaction has been written, by whoever wrote it.
        self.when_written: Callable[[], None] = lambda: None
        # Called, by whoever came upon it, with why a ledger that was sound when it was opened is
        # none any more.
        self.when_damaged: Callable[[str], None] = lambda _reason: None
        try:
            connection = sqlite3.connect(_address(path, is_still), uri=True, **_SHARED)
        except sqlite3.DatabaseError as error:
            raise _unreadable(path, error) from error
        try:
            self._sqlite = connection
            self._asking = Asking(connection, self._unread, self._lock)
            connection.execute("PRAGMA foreign_keys = ON")
            connection.create_function("extension_of", 1, extension_of, deterministic=True)
            _add_orders(connection)
            if writing:
                if not _is_of_today(connection):
                    self._bring_up_to_date(is_copy)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
                _check_writable(connection)
            connection.execute("SELECT count(*) FROM results")
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            connection.close()
            raise _unreadable(path, error) from error
        except BaseException:
            connection.close()
            raise

    @classmethod
    def open(cls, path: Path, *, writing: bool) -> "Connection":
        """Return a connection to a ledger of today.

        One that an older Carrel wrote, open for reading, is read as a copy that is brought up to
        date: the file itself stays as it is.
        """
        connection = cls._opened(path, writing=writing)
        try:
            if writing or not connection._lacks_steps():
                return connection
            copied = connection._copied()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            connection.close()
            raise _unreadable(path, error) from error
        except BaseException:
            connection.close()
            raise
        connection.close()
        return copied

    @classmethod
    def _opened(cls, path: Path, *, writing: bool) -> "Connection":
        """Return a connection; on a disk with no room to share reading, one that does not."""
        try:
            return cls(path, writing=writing)
        except ArchiveFull:
            if writing or _has_log(path):
                raise
            return cls(path, writing=False, is_still=True)

    @cached_property
    def db(self) -> "Database":
        """The connection for those who write."""
        from sqlite_utils import Database  # a tenth of a short command, which only reads

        # Plugins of sqlite-utils that are installed here are no part of a ledger.
        return Database(self._sqlite, execute_plugins=False)

    def _lacks_steps(self) -> bool:
        if _is_of_today(self._sqlite):
            return False
        from carrel.ledger.schema import migrations  # as it lacks one, or has more

        return bool(migrations.pending(self.db))

    def _bring_up_to_date(self, is_copy: bool) -> None:
        from carrel.ledger.migrating import bring_up_to_date  # once in the life of a version

        bring_up_to_date(self.path, self.db, is_copy=is_copy)

    @property
    def is_writable(self) -> bool:
        """Whether what it is open on can be written to, be it a private copy."""
        return self._is_writable

    def version(self) -> int:
        """Return a number that is another one once others have written to the ledger.

        https://www.sqlite.org/pragma.html#pragma_data_version
        """
        return int(self.rows("PRAGMA data_version")[0]["data_version"])

    @property
    def is_copied(self) -> bool:
        """Whether it is open on a copy that was brought up to date."""
        return self._folder is not None

    def close(self) -> None:
        self._readers.close()
        with self._lock:
            self._sqlite.close()
            if self._folder is not None:
                self._folder.cleanup()

    def copy_to(self, path: Path) -> None:
        """Write what the ledger says now into a new file. Raises ArchiveError."""
        try:
            with self._lock, closing(sqlite3.connect(path)) as copy:
                self._sqlite.backup(copy)
        except sqlite3.Error as error:
            raise _unreadable(self.path, error) from error

    def _copied(self) -> "Connection":
        folder = TemporaryDirectory(prefix="carrel-ledger-")
        path = Path(folder.name) / self.path.name
        try:
            self.copy_to(path)
            copied = Connection(path, writing=True, is_copy=True)
        except BaseException:
            folder.cleanup()
            raise
        copied._folder = folder
        return copied

    @contextmanager
    def writing(self) -> Iterator["Database"]:
        """Hold the ledger for one transaction. Raises ArchiveError when it cannot be written."""
        if not self._is_writable:
            raise ArchiveError(tr("{path} is open for reading only.", path=self.path))
        try:
            with self._lock, self._by_this_thread(), self.db.atomic():
                yield self.db
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            raise self._failure(error, tr("{path} cannot be written", path=self.path)) from error
        self.when_written()

    @contextmanager
    def _by_this_thread(self) -> Iterator[None]:
        """Have this thread see what it is writing, whichever way it asks."""
        before, self._writer = self._writer, threading.get_ident()
        try:
            yield
        finally:
            self._writer = before

    @contextmanager
    def attached(self, path: Path, name: str) -> Iterator[None]:
        """Have the tables of another ledger at hand under a name. Nothing of it is written to, and
        no one else may write to it meanwhile (https://www.sqlite.org/uri.html, immutable)."""
        address = f"{path.absolute().as_uri()}?immutable=1"
        try:
            with self._lock:
                self._sqlite.execute(f"ATTACH DATABASE ? AS {name}", [address])
        except sqlite3.DatabaseError as error:
            raise _unreadable(path, error) from error
        try:
            yield
        finally:
            with self._lock:
                self._sqlite.execute(f"DETACH DATABASE {name}")

    @contextmanager
    def still(self) -> Iterator[None]:
        """Hold what the ledger says now for several questions, whatever others write meanwhile."""
        self._sqlite.execute("BEGIN")
        self._stands_still = True
        try:
            self.rows("SELECT 1 FROM results LIMIT 1")  # from here on it stands still
            yield
        finally:
            self._stands_still = False
            self._sqlite.rollback()

    @contextmanager
    def apart(self, is_wanted: Callable[[], bool] = always) -> Iterator["Asking"]:
        """Answer several long questions as of one moment, while others read and write.

        They end with Overtaken soon after they are not wanted any more.
        """
        is_own = self._stands_still or self._writer == threading.get_ident()
        if is_own or not self.path.exists():  # its disk was taken away, and no other can be opened
            yield self._asking
            return
        try:
            with self._readers.one(is_wanted) as reader:
                yield Asking(reader, self._unread)
        except sqlite3.DatabaseError as error:
            raise self._unread(error) from error

    def _reader(self) -> sqlite3.Connection:
        address = _address(self.path, self._is_still)
        connection: sqlite3.Connection = sqlite3.connect(address, uri=True, **_SHARED)
        _add_orders(connection)
        return connection

    def each(self, sql: str, values: Sequence[Any] | Row = ()) -> Iterator[Row]:
        """Yield as `rows` one after the other, however many there are.

        For a connection that no other thread shares: it is not locked in between.
        """
        try:
            cursor = self._sqlite.execute(sql, values)
            names = [column[0] for column in cursor.description]
            for row in cursor:
                yield dict(zip(names, row, strict=True))
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise self._unread(error) from error

    @contextmanager
    def reading(self, table: str, column: str, number: int) -> Iterator[Callable[[int], bytes]]:
        """Give what reads a value of one row in pieces, as `each` reads rows; none if it is NULL.

        `number` is the row's own, its `rowid`.
        """
        try:
            with self._sqlite.blobopen(table, column, number, readonly=True) as value:
                yield value.read
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise self._unread(error) from error

    def rows(self, sql: str, values: Sequence[Any] | Row = ()) -> list[Row]:
        """Return the rows that answer a question. Raises ArchiveError when they cannot be read.

        What is requested may be any text: of bytes that are no UTF-8 nothing can be known.
        """
        return self._asking.rows(sql, values)

    def column(self, sql: str, values: Sequence[Any] | Row = ()) -> list[Any]:
        """Return the first column of the rows that answer a question, as `rows` does."""
        return self._asking.column(sql, values)

    def has_table(self, name: str) -> bool:
        """Say whether the ledger has a table: one of an older schema that is only read may not."""
        sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        return bool(self.column(sql, [name]))

    def _unread(self, error: Exception) -> ArchiveError:
        if _code(error) == sqlite3.SQLITE_INTERRUPT:
            return Overtaken(tr("Something else was requested meanwhile."))
        return self._failure(error, tr("{path} cannot be read", path=self.path))

    def _failure(self, error: Exception, what: str) -> ArchiveError:
        """Return what ends a reading or a writing; a file that is damaged is told of, too."""
        if _code(error) not in _DAMAGED:
            plain = ArchiveError(tr("{what}: {error}.", what=what, error=error))
            return _hindrance(error, what) or plain
        damaged = _unreadable(self.path, error)
        self.when_damaged(str(damaged))
        return damaged


class Asking:
    """Answers questions on one connection, under its lock where threads share it."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        unread: Callable[[Exception], ArchiveError],
        lock: AbstractContextManager[Any] | None = None,
    ) -> None:
        self._connection, self._unread = connection, unread
        self._lock = nullcontext() if lock is None else lock

    def rows(self, sql: str, values: Sequence[Any] | Row = ()) -> list[Row]:
        """Return the rows that answer a question, by the names of their columns."""

        def named(cursor: sqlite3.Cursor) -> list[Row]:
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]

        return self._asked(sql, values, named)

    def column(self, sql: str, values: Sequence[Any] | Row = ()) -> list[Any]:
        """Return the first column of the rows that answer a question."""
        return self._asked(sql, values, lambda cursor: [row[0] for row in cursor])

    def numbers(self, sql: str, values: Sequence[Any] | Row = ()) -> "array[int]":
        """Return a column of whole numbers, of which a million are eight megabytes."""
        return self._asked(sql, values, lambda cursor: array("q", (row[0] for row in cursor)))

    def _asked(
        self, sql: str, values: Sequence[Any] | Row, taken: Callable[[sqlite3.Cursor], T]
    ) -> T:
        # What the library does round each question costs more than the answer.
        try:
            with self._lock:
                return taken(self._connection.execute(sql, values))
        except UnicodeEncodeError:
            return self._asked(sql, _in_utf8(values), taken)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise self._unread(error) from error


def _in_utf8(values: Sequence[Any] | Row) -> Sequence[Any] | Row:
    """Return what is requested with no text in it that a database cannot be queried with."""
    if isinstance(values, Mapping):
        return {name: _escaped(each) for name, each in values.items()}
    return [_escaped(each) for each in values]


def _escaped(value: Any) -> Any:
    return in_utf8(value) if isinstance(value, str) else value


def _add_orders(connection: sqlite3.Connection) -> None:
    connection.create_function("casefold", 1, _casefolded, deterministic=True)
    connection.create_function("version_key", 1, _version_key, deterministic=True)


def _version_key(text: object) -> str | None:
    return version_key(text) if isinstance(text, str) else None


def _casefolded(text: object) -> str | None:
    return text.casefold() if isinstance(text, str) else None


def if_json(column: str) -> str:
    """Return SQL for what a column holds if that is JSON, else NULL: one damaged row would make the
    question fail for all the others."""
    return f"CASE WHEN json_valid({column}) THEN {column} END"


def insert_many(
    db: "Database", table: str, rows: Iterable[Mapping[str, Any]], *, ignore: bool = False
) -> None:
    """Insert rows that all have the same columns; with `ignore` not those that cannot be.

    The library builds a new statement, under a savepoint, for each hundred; of a dataset there are
    thousands.
    """
    rest = iter(rows)
    for first in rest:
        names, marks = ", ".join(first), ", ".join(f":{name}" for name in first)
        verb = "INSERT OR IGNORE" if ignore else "INSERT"
        sql = f"{verb} INTO {table} ({names}) VALUES ({marks})"
        db.conn.executemany(sql, chain([first], rest))


def is_blank(path: Path) -> bool:
    """Say whether a file is a database without any table, as an empty one is too."""
    try:
        with closing(sqlite3.connect(_address(path), uri=True, **_SHARED)) as connection:
            return not tables_of(connection)
    except sqlite3.DatabaseError:
        return False  # who opens it learns what it is


def why_no_ledger(path: Path) -> str:
    """Return in words that a file is no ledger of any Carrel, "" if it is one or that is not known.
    It is not written to."""
    try:
        with closing(sqlite3.connect(_address(path), uri=True, **_SHARED)) as connection:
            is_ledger = bool(connection.execute(_STEPS_TAKEN).fetchone()[0])
    except sqlite3.OperationalError as error:  # it has no such table, or is in use
        is_ledger = _code(error) != sqlite3.SQLITE_ERROR
    except sqlite3.DatabaseError as error:
        if _code(error) != sqlite3.SQLITE_NOTADB:
            return ""  # who opens it learns what is wrong
        return tr("{path} is not a database, and so not a Carrel ledger.", path=path)
    if is_ledger:
        return ""
    return tr("{path} is a database of another program, and not a Carrel ledger.", path=path)


def tables_of(connection: sqlite3.Connection) -> set[str]:
    """Return the names of the tables that hold anything of a program's."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name for (name,) in found} - {STEPS_TABLE}


def _is_of_today(connection: sqlite3.Connection) -> bool:
    """Say whether a ledger took all steps there are, and no other."""
    try:
        count, last, _ = connection.execute(_STEPS_TAKEN).fetchone()
    except sqlite3.OperationalError:  # it has no such table
        return False
    return (count, last) == STEPS


def _check_writable(connection: sqlite3.Connection) -> None:
    """Raise DatabaseError if the file cannot be written to, as one with a damaged head cannot."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("PRAGMA user_version = 0")  # what it is, written again
    connection.rollback()


def _address(path: Path, is_still: bool = False) -> str:
    """Return how to open the file; where nothing can be written beside it, as one that stands still
    (https://www.sqlite.org/uri.html, immutable)."""
    address = path.absolute().as_uri()
    is_still = is_still or (path.exists() and not os.access(path.parent, os.W_OK))
    return f"{address}?immutable=1" if is_still and not _has_log(path) else address


def _has_log(path: Path) -> bool:
    """Say whether beside a ledger's file there is what is not in it yet."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _code(error: Exception) -> int:
    """Return SQLite's code of an error, 0 for another one: extended ones begin with the plain.

    A full disk is one whatever it has no room for, be it the memory that readers share.
    """
    code = int(getattr(error, "sqlite_errorcode", 0))
    return sqlite3.SQLITE_FULL if code == sqlite3.SQLITE_IOERR_SHMSIZE else code & 0xFF


def _unreadable(path: Path, error: Exception) -> ArchiveError:
    return _hindrance(error, tr("{path} cannot be opened", path=path)) or LedgerDamaged(
        tr("{path} is not a readable ledger: {error}.", path=path, error=error)
    )


def _hindrance(error: Exception, what: str) -> ArchiveError | None:
    """Return a failure that passes when the person does something about it, None for another.

    `what` begins the sentence. Codes: https://www.sqlite.org/rescode.html.
    """
    match _code(error):
        case sqlite3.SQLITE_FULL:
            return ArchiveFull(
                tr("{what}: the disk is full. Make room, then try again.", what=what)
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return ArchiveLocked(
                tr(
                    "{what}: another program has locked it. Close that program (a database "
                    "browser, a backup), then try again.",
                    what=what,
                )
            )
        case sqlite3.SQLITE_READONLY:
            return ArchiveError(
                tr(
                    "{what}: it is read-only. Give yourself write permission, then try again.",
                    what=what,
                )
            )
    return None
