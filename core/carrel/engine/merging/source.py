# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive that is merged into another one: read from, and not touched."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from carrel.archive import COPY_LIST_NAME, LEDGER_NAME, WARCS
from carrel.errors import ArchiveError, ArchiveLocked, LedgerLost, NotAnArchive, UsageError
from carrel.ledger.merging import readable_ledger
from carrel.model.endings import WARC_ENDINGS
from carrel.translation import tr

_LOCK = Path("staging", "writer.lock")


@dataclass(frozen=True, slots=True)
class SourceArchive:
    """The folder of an archive, and the file of its ledger that is read."""

    path: Path
    ledger: Path

    @property
    def name(self) -> str:
        """What its folder is called."""
        return self.path.resolve().name or str(self.path)

    @property
    def warcs(self) -> Path:
        return self.path / WARCS

    def warc_files(self) -> Iterator[Path]:
        """Yield the WARCs in its collection, in no order."""
        if not self.warcs.is_dir():
            return
        with os.scandir(self.warcs) as entries:
            for entry in entries:
                if entry.name.lower().endswith(WARC_ENDINGS) and entry.is_file():
                    yield self.warcs / entry.name


def refuse_unfit(paths: Sequence[Path], target: Path) -> None:
    """Raise UsageError or ArchiveError for what cannot be merged into the archive at `target`."""
    into, seen = target.resolve(), set[Path]()
    for path in paths:
        whole = path.resolve()
        if whole == into:
            raise UsageError(tr("{path} is the archive to merge into.", path=path))
        if whole in into.parents or into in whole.parents:
            words = tr("{path} and {target} are one inside the other.", path=path, target=target)
            raise UsageError(words)
        if whole in seen:
            raise UsageError(tr("{path} is named twice.", path=path))
        seen.add(whole)
        _refuse_no_archive(path)


@contextmanager
def opened(path: Path, folder: Path) -> Iterator[SourceArchive]:
    """Give an archive that no one writes to until this ends. `folder` is an empty one, for a copy
    of its ledger where that is needed.

    Raises ArchiveLocked while someone writes to it, ArchiveError, OSError.
    """
    with _held(path):
        ledger = path / LEDGER_NAME
        before = _state(ledger)
        yield SourceArchive(path, readable_ledger(ledger, folder))
        if _state(ledger) != before:
            raise ArchiveError(
                tr(
                    "{path} was written to while it was merged. Merge it again when no program "
                    "writes to it.",
                    path=path,
                )
            )


def _refuse_no_archive(path: Path) -> None:
    ledger = path / LEDGER_NAME
    if (path / COPY_LIST_NAME).exists():
        raise ArchiveError(
            tr(
                "{path} is a second copy of an archive. Merge that archive; or, if it is lost, "
                "remove {name} from the copy: it is an archive like any other then.",
                path=path,
                name=COPY_LIST_NAME,
            )
        )
    if ledger.is_file() and ledger.stat().st_size > 0:
        return
    if (path / "collections").is_dir():
        raise LedgerLost(
            tr(
                "{path} has lost its ledger. Nothing was merged. “carrel rebuild --archive {path}” "
                "makes it again.",
                path=path,
            )
        )
    raise NotAnArchive(
        tr("There is no archive at {path}: it has no {name}.", path=path, name=LEDGER_NAME)
    )


def _state(ledger: Path) -> tuple[tuple[int, int] | None, ...]:
    parts = (ledger, ledger.with_name(f"{ledger.name}-wal"))
    return tuple((it.st_size, it.st_mtime_ns) if it else None for it in map(_stat, parts))


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Keep writers away from an archive, by the lock that they take, without writing there.

    One that never had a writer has no lock to hold: it is compared afterwards.
    """
    try:
        handle = os.open(path / _LOCK, os.O_RDONLY)
    except FileNotFoundError:
        yield
        return
    try:
        _share(handle, path)
        yield
    finally:
        os.close(handle)


def _share(handle: int, path: Path) -> None:
    if sys.platform == "win32":
        return  # a lock there is on the file as it is opened: it is compared afterwards
    import fcntl  # Windows has none

    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        raise ArchiveLocked(
            tr(
                "{path} is being written to by another program. Nothing was merged. Close that "
                "program, then merge again.",
                path=path,
            )
        ) from error
