# SPDX-License-Identifier: AGPL-3.0-or-later
"""A copy goes on with a new journal: the old one stays in it, under a name with the date.

The person says that it is the same archive, or the old journal does that the archive put aside;
that both have a WARC file is asked for as well.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from carrel.capture.digests import sha256_of
from carrel.engine.replication.copy_list import write_list
from carrel.engine.replication.parts import is_of_journal, name_before
from carrel.engine.replication.register import Register
from carrel.engine.replication.store import Store
from carrel.errors import ArchiveError
from carrel.journal.lines import LONGEST_LINE
from carrel.ledger_journal import JOURNAL_NAME
from carrel.translation import tr


def gave_way(archive: Path, store: Store, register: Register) -> bool:
    """Say whether the journal in a copy is one that the archive put aside for a new one: they have
    the same first line, with the time of the first entry. Raises OSError."""
    first = min(_files(register), default="")
    if not first:
        return False
    begins = _first_line(store.read(first))
    aside = archive.glob(f"{JOURNAL_NAME}.before-*/{first.rpartition('/')[2]}")
    return any(begins == _first_line_of(each) for each in aside)


def keep_old_journal(store: Store, register: Register) -> None:
    """Have the journal in a copy give way to another one. Raises ArchiveError, OSError.

    Each file is there under its new name, and was read there, before the old name goes.
    """
    _refuse_stranger(register)
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


def _refuse_stranger(register: Register) -> None:
    """Raise ArchiveError for a copy that has no WARC file of this archive."""
    here = ((each.name, each.size) for each in register.parts() if each.is_warc)
    if not any(register.digest(name) and register.size(name) == size for name, size in here):
        raise ArchiveError(
            tr(
                "The copy has no WARC file of this archive: it is a copy of another one. Nothing "
                "was written."
            )
        )


def _first_line_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.readline(LONGEST_LINE)


def _first_line(pieces: Iterable[bytes]) -> bytes:
    read = b""
    for piece in pieces:
        read += piece
        if b"\n" in piece or len(read) > LONGEST_LINE:
            break
    return read[: read.find(b"\n") + 1]
