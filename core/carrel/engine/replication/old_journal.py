# SPDX-License-Identifier: AGPL-3.0-or-later
"""A copy goes on with a new journal: the old one stays in it, under a name with the date.

The person says that it is the same archive, or the old journal does that the archive put aside.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from carrel.capture.digests import sha256_of
from carrel.engine.replication.copy_list import write_list
from carrel.engine.replication.parts import is_of_journal, name_before
from carrel.engine.replication.register import Register
from carrel.engine.replication.store import Store
from carrel.engine.replication.whose import begins_as, files_put_aside
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
        kept, digest = name_before(name, now), sha256_of(store.read(name))
        size = register.size(name) or 0
        store.write(kept, lambda name=name: store.read(name))  # type: ignore[misc]  # bound now
        if sha256_of(store.read(kept)) != digest:
            raise OSError(5, tr("what was written reads back differently"))
        register.enter(kept, digest, size)
        register.strike(name)
    write_list(store, register.listed)
    for name in names:
        store.remove(name)
        register.lose(name)


def _files(register: Register) -> Iterator[str]:
    """Yield the files of the archive's own journal; the dark archive's is never begun anew."""
    names = (name for name in register.objects() if name.startswith(f"{JOURNAL_NAME}/"))
    return filter(is_of_journal, names)
