# SPDX-License-Identifier: AGPL-3.0-or-later
"""Checking the dark archive, and making again what can be made again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from carrel.archive import Archive
from carrel.dark_archive.entries import ENTRIES
from carrel.dark_archive.place import store_root
from carrel.dark_archive.repair import Mending, is_sound, rebuild_ledger, restore_journal
from carrel.dark_archive.store import ObjectStore
from carrel.dark_archive.store_session import StoreSession, away, head_of
from carrel.dark_archive.verification import Verification
from carrel.engine.dark.ledger_file import FoundLedger, is_writable
from carrel.errors import ArchiveError, JournalDamaged, UsageError
from carrel.journal import Head, Journal
from carrel.ledger.dark.ledger import DarkLedger
from carrel.model.dark import Entry, FixityChecked
from carrel.model.dark_views import DarkCheck, DarkFault, RunProgress, TellRun
from carrel.translation import tr

# A disk that is not there makes every object missing; no line of the journal may grow so long.
_FAULTS_A_LINE = 10_000


def _now() -> datetime:
    return datetime.now(UTC)


def check(
    archive: Path,
    found: FoundLedger,
    tell: TellRun,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> DarkCheck:
    """Read everything again and return what is not as it was kept. Blocks: for a worker thread.

    The outcome is journalled where no one else is writing, and journal and ledger are sound. Raises
    UsageError where there is no dark archive, and ArchiveError.
    """
    root = store_root(archive)
    if _is_away(root, found.dark):
        return DarkCheck(0, 0, 0, [DarkFault("store", str(root), "missing", away(root))])
    _must_exist(root)
    done, bad = _verified(root, found, tell, is_cancelled)
    if is_cancelled():
        return done
    if found.is_writing and found.dark is not None:
        _note(root, found.dark, done, bad)
        return done
    return done if found.problem else replace(done, notes=(*done.notes, _not_recorded(archive)))


def _not_recorded(archive: Path) -> str:
    """Return why a verification stands nowhere but where it is told now."""
    why = tr("is in use by another process") if is_writable(archive) else tr("is read-only")
    return tr(
        "Nothing was recorded of this verification: {archive} {why}.", archive=archive, why=why
    )


def rebuild(archive: Archive, tell: TellRun) -> DarkCheck:
    """Make the ledger again from journal and tree, put right what else can be, and check it all.

    Raises UsageError where there is no dark archive, and ArchiveError.
    """
    root, ledger = store_root(archive.path), archive.ledger.dark
    mended, is_whole = rebuild_tables(archive, tell)
    was_bad = _store_mended(root, ledger, tell, mended, is_whole=is_whole)
    done, bad = _verified(root, FoundLedger(ledger, is_writing=True), tell, lambda: False)
    _note(root, ledger, done, bad, [each for each in was_bad if each not in bad])
    return replace(done, mended=mended)


def rebuild_in_use(archive: Archive, tell: TellRun) -> DarkCheck:
    """As `rebuild`, of an archive that others work with meanwhile.

    Raises UsageError where the ledger's very file is damaged: another has to take its place, which
    cannot be while it is in use.
    """
    if archive.ledger.dark.faults_of_file():
        raise UsageError(
            tr(
                "The file of the ledger itself is damaged and cannot be replaced while in use. "
                "Close Carrel, then run: carrel dark rebuild --archive {archive}",
                archive=archive.path,
            )
        )
    return rebuild(archive, tell)


def rebuild_tables(archive: Archive, tell: TellRun) -> tuple[list[str], bool]:
    """Make the dark archive's part of the ledger again from its journal, which is repaired from the
    ledger's copy of it.

    Returns what was done, and whether the journal is whole. Raises UsageError where there is no
    dark archive, and ArchiveError.
    """
    root, ledger = store_root(archive.path), archive.ledger.dark
    if _is_away(root, ledger):
        raise ArchiveError(away(root))
    _must_exist(root)
    return _journal_and_ledger(root, ledger, tell)


def _is_away(root: Path, ledger: DarkLedger | None) -> bool:
    """Say whether the whole store is not where it was, with all that the ledger knows of."""
    return not (root / "journal").is_dir() and ledger is not None and not ledger.is_empty


def _must_exist(root: Path) -> None:
    if not (root / "journal").is_dir():
        raise UsageError(
            tr(
                "There is no dark archive at {root}. “carrel dark run -c FILE” begins one.",
                root=root,
            )
        )


def _verified(
    root: Path, found: FoundLedger, tell: TellRun, is_cancelled: Callable[[], bool]
) -> tuple[DarkCheck, Mapping[str, str]]:
    """Return what a verification found, and what is bad in the store, by SHA-256."""
    store = ObjectStore.open(root, writing=False)
    journal = Journal.open(
        root / "journal", ENTRIES, writing=False, now=_now, known=_known(found.dark)
    )
    dark = found.dark if found.is_writing else None
    verification = Verification(
        store,
        journal,
        found.dark,
        tell,
        problem=found.problem,
        settle=partial(_settle, root, dark) if dark else None,
        is_cancelled=is_cancelled,
    )
    faults = tuple(verification.faults())
    done = DarkCheck(
        verification.contents,
        verification.size,
        verification.entries,
        faults,
        notes=tuple(verification.notes),
        unread=verification.unread,
    )
    return done, verification.bad


def _settle(root: Path, ledger: DarkLedger) -> None:
    """Have what a kill cut short brought to its end."""
    StoreSession.open(root, ledger).close()


def _known(ledger: DarkLedger | None) -> Head | None:
    """Return the head that the ledger knows of, None where it does not know, or cannot be read."""
    try:
        copy = ledger and ledger.mirror.head()
    except ArchiveError:
        return None  # told with the ledger's own faults
    return head_of(copy) if copy else None


def _note(
    root: Path,
    ledger: DarkLedger,
    done: DarkCheck,
    bad: Mapping[str, str],
    mended: Sequence[str] = (),
) -> None:
    """Journal how the bytes were found; a damaged journal is not written to."""
    if any(fault.where in ("journal", "ledger") for fault in done.faults):
        return
    at = int(_now().timestamp())
    faults = list(bad.items())
    looked_for = done.contents + done.unread
    if looked_for:  # what was bad and is sound again was repaired, by whomever
        mended = sorted({*mended, *ledger.contents.faulty()} - set(bad))
    with StoreSession.open(root, ledger) as keeping:
        for start in range(0, max(1, len(faults)), _FAULTS_A_LINE):
            some = dict(faults[start : start + _FAULTS_A_LINE])
            put_right = mended if start == 0 else ()
            keeping.commit([FixityChecked(at, looked_for, done.size, some, put_right)])


def _journal_and_ledger(root: Path, ledger: DarkLedger, tell: TellRun) -> tuple[list[str], bool]:
    """Put the journal right from the ledger's copy of it, then the ledger from the journal.

    Returns what was done, and whether the journal is whole. Where it is not, a ledger that knows
    more is left alone.
    """
    journal = Journal.open(root / "journal", ENTRIES, writing=True, now=_now)
    mended: list[str] = []
    is_whole = False
    try:
        if not _is_whole(journal) or _is_cut(journal, ledger):
            restored = restore_journal(journal, root / "journal", ledger, tell)
            mended += [f"journal: {each}" for each in restored]
        is_whole = _is_whole(journal)
        if is_whole or not ledger.lookups.last_tist():
            entries = rebuild_ledger(journal, ledger, tell)
            mended.append(
                tr("ledger: rebuilt from {entries} entries of the journal", entries=entries)
            )
    except JournalDamaged as error:
        mended.append(
            tr("ledger: rebuilt up to where the journal is damaged. {error}", error=error)
        )
    finally:
        journal.close()
    return mended, is_whole


def _is_whole(journal: Journal[Entry]) -> bool:
    return next(journal.faults(), None) is None


def _is_cut(journal: Journal[Entry], ledger: DarkLedger) -> bool:
    """Say whether the ledger knows of more than the journal has."""
    last = max((each.lines for each in ledger.mirror.sound_groups()), default=0)
    return last > journal.head.lines


def _store_mended(
    root: Path, ledger: DarkLedger, tell: TellRun, mended: list[str], *, is_whole: bool
) -> Sequence[str]:
    """Put right what can be of the store; return the digests of what was bad.

    Where the journal is not whole no one knows what does not belong in the store.
    """
    store = ObjectStore.open(root, writing=True)
    mending = Mending(store, ledger.contents)
    bad = [each for each in ledger.contents.all() if not is_sound(store, each)]
    left = bad
    while left:  # a file that is mended may hold the templates that are not
        still = [each for each in left if not mending.mend(each)]
        for content in [each for each in left if each not in still]:
            mended.append(f"store: {content.path}")
            tell(
                RunProgress(
                    "store", "", "", len(mended), None, tr("Mended {path}", path=content.path)
                )
            )
        left = still if len(still) < len(left) else []
    if is_whole:
        mended += [f"store: {each}" for each in mending.tidy()]
    return [each.sha256 for each in bad]
