# SPDX-License-Identifier: AGPL-3.0-or-later
"""A copy goes on with a new journal, or a ledger that was made again of less: the old one stays in
it, under a name with the date.

The person says that it is the same archive, or the old journal does that the archive put aside.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from carrel.archive import LEDGER_NAME
from carrel.capture.digests import sha256_of
from carrel.engine.replication.copy_list import write_list
from carrel.engine.replication.parts import is_of_journal, ledger_name_before, name_before
from carrel.engine.replication.register import Register
from carrel.engine.replication.store import Store
from carrel.engine.replication.whose import begins_as, files_put_aside, ledger_begun
from carrel.ledger import Ledger
from carrel.ledger_journal import JOURNAL_NAME
from carrel.translation import tr


def gave_way(archive: Path, store: Store, register: Register) -> bool:
    """Say whether the journal in a copy is one that the archive put aside for a new one. Raises
    OSError."""
    first = min(_files(register), default="")
    return bool(first) and begins_as(store, first, files_put_aside(archive, first))


def keep_old_journal(store: Store, register: Register) -> None:
    """Have the journal in a copy of this archive give way to another one. Raises OSError.

    Each file is there under its new name, and was read there, before the old name goes.
    """
    names, now = list(_files(register)), datetime.now(UTC)
    for name in names:
        _keep_as(name_before(name, now), store, register, name)
        register.strike(name)
    write_list(store, register.listed)
    for name in names:
        store.remove(name)
        register.lose(name)


def keep_old_ledger(store: Store, register: Register, ledger: Ledger) -> str:
    """Have the ledger in a copy stay there under another name as well, if it was not this one at
    an earlier time; return that name, "" if it is not needed. Raises OSError."""
    if not register.has(LEDGER_NAME) or ledger_begun(store) in (None, ledger.begun):
        return ""
    kept = ledger_name_before(datetime.now(UTC))
    _keep_as(kept, store, register, LEDGER_NAME)
    return kept


def _keep_as(kept: str, store: Store, register: Register, name: str) -> None:
    """Have an object of a copy be there, and on the list, under another name as well."""
    digest, size = sha256_of(store.read(name)), register.size(name) or 0
    store.write(kept, lambda: store.read(name))
    if sha256_of(store.read(kept)) != digest:
        raise OSError(5, tr("what was written reads back differently"))
    register.enter(kept, digest, size)


def _files(register: Register) -> Iterator[str]:
    """Yield the files of the archive's own journal; the dark archive's is never begun anew."""
    names = (name for name in register.objects() if name.startswith(f"{JOURNAL_NAME}/"))
    return filter(is_of_journal, names)
