# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whose a copy is: that of this archive has its journal, or WARC files of it.

Either may be lost or damaged here, or begun anew, so one of them is enough. That of an archive
which was still empty has neither, but a ledger that was begun when this one's was.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from carrel.archive import LEDGER_NAME
from carrel.capture.digests import ALWAYS
from carrel.capture.stored import Damaged, difference, payload_fixity
from carrel.engine.replication.parts import is_from_before, is_of_journal, is_of_warcs
from carrel.engine.replication.register import Register
from carrel.engine.replication.store import Store
from carrel.engine.staging import stage
from carrel.engine.verification.beginnings import LONGEST_FIELDS, record_id_at
from carrel.errors import ArchiveError
from carrel.journal.lines import LONGEST_LINE
from carrel.ledger import Ledger
from carrel.ledger_journal import JOURNAL_NAME
from carrel.model import Capture
from carrel.translation import tr


def refuse_stranger(archive: Path, ledger: Ledger, store: Store, register: Register) -> None:
    """Raise ArchiveError for the copy of another archive. Raises OSError.

    One that was only begun, and has no ledger either, may be any archive's.
    """
    journals, warcs = list(first_files(register)), list(filter(is_of_warcs, register.objects()))
    if not (journals or warcs):
        _refuse_empty_stranger(ledger, store, register)
        return
    is_own = (
        any(begins_as(store, name, _journals_of(archive, name)) for name in journals)
        or any(_is_here(archive / name, store.read(name)) for name in warcs)
        or any(_is_known(ledger, name, store, register.size(name)) for name in warcs)
    )
    if not is_own:
        raise ArchiveError(
            tr(
                "This is the second copy of another archive: it has neither the journal of this "
                "one nor any of its WARC files. Neither the archive nor the copy was changed. "
                "Choose this archive's own copy, or an empty folder for a new one."
            )
        )


def _refuse_empty_stranger(ledger: Ledger, store: Store, register: Register) -> None:
    """Raise ArchiveError for the copy of another archive that was still empty. Raises OSError."""
    if register.size(LEDGER_NAME) is None:
        return
    begun = ledger_begun(store)
    if begun not in (None, ledger.begun):
        raise ArchiveError(
            tr(
                "This is the second copy of another archive that was still empty, or of this "
                "archive from before its ledger was rebuilt: it has no journal, no WARC files and "
                "a different ledger. Neither the archive nor the copy was changed. Choose this "
                "archive's own copy, or an empty folder for a new one."
            )
        )


def ledger_begun(store: Store) -> str | None:
    """Return when the ledger in a copy was begun, None for a file that is none, or is damaged.
    Raises OSError."""
    with TemporaryDirectory(prefix="carrel-copy-") as folder:
        staged = Path(folder, LEDGER_NAME)
        stage(staged, store.read(LEDGER_NAME))
        try:
            with closing(Ledger(staged, writing=False)) as opened:
                return opened.begun
        except ArchiveError:
            return None


def first_files(register: Register) -> Iterator[str]:
    """Yield the first file of each journal in a copy: the archive's, and the dark archive's."""
    found = dict[str, str]()
    for name in register.objects():  # sorted
        if is_of_journal(name) and not is_from_before(name):
            found.setdefault(name.rpartition("/")[0], name)
    yield from found.values()


def begins_as(store: Store, name: str, journals: Iterable[Path]) -> bool:
    """Say whether a file of a journal in a copy has the same first line as one of these, with the
    time of the first entry. Raises OSError."""
    begins = _first_line(store.read(name))
    return bool(begins) and any(begins == _first_line_of(each) for each in journals)


def _journals_of(archive: Path, name: str) -> Iterator[Path]:
    """Yield where a file of a journal may be in an archive: in its place, or put aside."""
    if (archive / name).is_file():
        yield archive / name
    if name.startswith(f"{JOURNAL_NAME}/"):
        yield from files_put_aside(archive, name)


def files_put_aside(archive: Path, name: str) -> Iterator[Path]:
    """Yield a file of the archive's journal in those that it put aside for a new one."""
    return archive.glob(f"{JOURNAL_NAME}.before-*/{name.rpartition('/')[2]}")


def _is_here(path: Path, copied: Iterator[bytes]) -> bool:
    """Say whether the archive has a WARC of the copy: one of its name that begins as it does.

    Name and size are not enough: archives of one computer may have them alike in one second. The
    id of the first record is of this file alone.
    """
    here = _first_record_here(path)
    there = BytesIO(b"".join(_beginning(copied, LONGEST_FIELDS))) if here else BytesIO()
    return bool(here) and here == record_id_at(there, 0)


def _first_record_here(path: Path) -> str:
    """Return the id of the first record of a WARC, "" where it cannot be read, or is not here."""
    try:
        with path.open("rb") as file:
            return record_id_at(file, 0)
    except OSError:
        return ""


def _is_known(ledger: Ledger, name: str, store: Store, size: int | None) -> bool:
    """Say whether the ledger knows of a WARC in a copy, be it lost here or packed.

    A name has the second and the computer, and not the archive: its first record must be there.
    """
    file = name.rpartition("/")[2]
    if part := ledger.packed.get(file):
        return part.length == size
    captures = (each for each in ledger.captures.in_warc(file) if not each.is_revisit)
    first = next(captures, None)
    return first is not None and _has_record(store.read(name), first)


def _has_record(pieces: Iterator[bytes], known: Capture) -> bool:
    """Say whether a WARC of these bytes has a record, where it is, as the ledger knows it."""
    with TemporaryDirectory(prefix="carrel-copy-") as folder:
        staged = Path(folder, "beginning.warc.gz")
        stage(staged, _beginning(pieces, known.offset + known.length))
        try:
            found = payload_fixity(staged, known.offset, known.length, ALWAYS)
        except Damaged:
            return False
    return not difference(known, found)


def _beginning(pieces: Iterator[bytes], size: int) -> Iterator[bytes]:
    for piece in pieces:
        yield piece[:size]
        size -= len(piece)
        if size <= 0:
            return


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
