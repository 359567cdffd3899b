# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARC and ARC files wherever they lie: every record by itself, and beside the ledger."""

import os
import stat
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from pathlib import Path

from carrel.archive import WARCS, Archive
from carrel.engine.packages.package import NO_FILE
from carrel.engine.verification.attention import Attention
from carrel.engine.verification.known import KnownRecords, is_in_collection
from carrel.engine.verification.paths import (
    Found,
    covers,
    failure,
    find_files,
    why_unreadable,
)
from carrel.engine.verification.warc_check import Source, WarcCheck, missing
from carrel.model import Absence, Fate, RecordCheck
from carrel.model.not_imported import why_gone
from carrel.translation import tr


def path_checks(
    paths: Sequence[Path],
    archive: Archive | None,
    attention: Attention,
    *,
    is_complete: bool = False,
) -> Iterator[RecordCheck]:
    """Yield what became of every record at these paths. Reads them all: for a worker thread.

    `is_complete` says that every WARC of the archive is to be there: the records of those that are
    not are missing. Raises ArchiveError.
    """
    # Asked for first: what is written meanwhile is in the folder before the ledger knows of it.
    names = set(archive.ledger.captures.warc_names()) if archive else set()
    found = find_files(paths)
    attention.expect(found.size)
    yield from found.failures
    for path in found.warcs:
        yield from warc_checks(archive, path, attention.attend)
    yield from _other_checks(archive, found, attention)
    if archive is None:
        return
    yield from _not_in_collection(paths, found.warcs, archive, names)
    if absence := _absence(paths, found.warcs, archive, names, is_complete=is_complete):
        attention.lack(absence)
        if is_complete:
            yield from _not_in_paths(archive, absence)


def _other_checks(
    archive: Archive | None, found: Found, attention: Attention
) -> Iterator[RecordCheck]:
    """Yield what became of what is no WARC. What reads it is loaded for who has any."""
    if found.waczs:
        from carrel.engine.verification.wacz import wacz_checks

        for path in found.waczs:
            yield from wacz_checks(archive, path, attention)
    if found.packages:
        from carrel.engine.verification.packages import package_checks

        for path in found.packages:
            yield from package_checks(path, attention)


def warc_checks(
    archive: Archive | None, path: Path, attend: Callable[[int], None]
) -> Iterator[RecordCheck]:
    """Yield what became of every record of one file, and of those that should be in it.

    `attend` is called with how many bytes were read since. Raises ArchiveError.
    """
    source = Source.at(path)
    return WarcCheck(source, KnownRecords(archive, path, source.name), attend).checks()


def _not_in_collection(
    paths: Sequence[Path], warcs: Sequence[Path], archive: Archive, names: Set[str]
) -> Iterator[RecordCheck]:
    """Yield the records of WARCs that the paths mean and the collection has not."""
    if covers(paths, archive.warcs):
        gone = names - {path.name for path in warcs if is_in_collection(archive, path)}
    else:
        asked = {path.name for path in paths if is_in_collection(archive, path)}
        gone = {name for name in names & asked if not os.path.exists(archive.warcs / name)}
    for name in sorted(gone):
        yield from _absent(archive, name)
    if covers(paths, archive.warcs):
        for capture in archive.ledger.captures.not_imported():
            path = archive.warcs / capture.filename
            yield missing(capture, Source.at(path), why_gone(WARCS / path.name), is_own=True)


def _absent(archive: Archive, name: str) -> Iterator[RecordCheck]:
    path = archive.warcs / name
    if why := _why_unseen(path):
        yield failure(path, Fate.UNREADABLE, why)
        return
    for capture in archive.ledger.captures.in_warc(name):
        yield missing(capture, Source.at(path), why_gone(WARCS / name), is_own=True)


def _why_unseen(path: Path) -> str:
    """Return why a WARC was not met though it may be there, "" where it is not."""
    try:
        is_file = stat.S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        return why_unreadable(error)
    return "" if is_file else NO_FILE


def _absence(
    paths: Sequence[Path],
    warcs: Sequence[Path],
    archive: Archive,
    names: Set[str],
    *,
    is_complete: bool,
) -> Absence | None:
    """Return what the archive has and these files lack, None if nothing, or if none is a copy."""
    has_copy = any(path.name in names and not is_in_collection(archive, path) for path in warcs)
    absent = sorted(names - {path.name for path in warcs})
    if covers(paths, archive.warcs) or not absent or not (has_copy or is_complete):
        return None
    return Absence(tuple(absent), len(names), archive.ledger.captures.count_in(absent))


def _not_in_paths(archive: Archive, absence: Absence) -> Iterator[RecordCheck]:
    for name in absence.warcs:
        message = tr(
            "{path} has this record in a WARC that none of these paths contains.", path=archive.path
        )
        for capture in archive.ledger.captures.in_warc(name):
            yield replace(missing(capture, Source.at(Path(name)), message), path="")
