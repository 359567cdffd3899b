# SPDX-License-Identifier: AGPL-3.0-or-later
"""Captures that the ledger knows, each by its place."""

from collections.abc import Callable, Iterable, Iterator

from carrel.archive import Archive
from carrel.capture.digests import ALWAYS
from carrel.capture.stored import Damaged, difference, payload_fixity
from carrel.model import Capture, Evidence, Fate, RecordCheck
from carrel.translation import tr


def capture_checks(
    archive: Archive, captures: Iterable[Capture], attend: Callable[[int], None]
) -> Iterator[RecordCheck]:
    """Yield what became of each capture's bytes. Reads them all: for a worker thread.

    A revisit is as intact as the record that holds its bytes. `attend` is told how many bytes were
    read since it was told last.
    """
    for capture in captures:
        yield _check(archive, capture, attend)


def _check(archive: Archive, capture: Capture, attend: Callable[[int], None]) -> RecordCheck:
    holder = archive.holder_of(capture)
    if holder is None:
        message = tr("The record that holds these bytes is not in the ledger.")
        return _outcome(archive, capture, capture, Fate.MISSING, message)
    path = archive.warcs / holder.filename
    try:
        found = payload_fixity(path, holder.offset, holder.length, ALWAYS, attend)
    except FileNotFoundError:
        return _outcome(
            archive, capture, holder, Fate.MISSING, tr("There is no {path}.", path=path)
        )
    except Damaged as error:
        return _outcome(archive, capture, holder, Fate.DAMAGED, _sentence(str(error)))
    except OSError as error:
        message = tr("The file cannot be read here: {strerror}.", strerror=error.strerror or error)
        return _outcome(archive, capture, holder, Fate.DAMAGED, message)
    fault = difference(holder, found)
    return _outcome(archive, capture, holder, Fate.DAMAGED if fault else Fate.INTACT, fault)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _outcome(
    archive: Archive, capture: Capture, read: Capture, fate: Fate, message: str
) -> RecordCheck:
    return RecordCheck(
        capture.url,
        capture.filename,
        capture.offset,
        capture.size,
        fate,
        message,
        path=str(archive.warcs / capture.filename),
        record_id=capture.record_id,
        compared_with=() if fate is Fate.MISSING else (Evidence.LEDGER,),
        own_id=read.record_id,
    )
