# SPDX-License-Identifier: AGPL-3.0-or-later
"""A fixity run: every record of a payload again, against every digest that is known."""

from collections.abc import Iterable, Iterator

from carrel.archive import Archive
from carrel.capture.stored import Damaged, check_payload
from carrel.model import Capture, Fate, RecordCheck


def checks(archive: Archive, captures: Iterable[Capture]) -> Iterator[RecordCheck]:
    """Yield what became of each capture. Reads all of it: for a worker thread.

    A revisit is as intact as a record that holds its bytes.
    """
    for capture in captures:
        yield _check(archive, capture)


def _check(archive: Archive, capture: Capture) -> RecordCheck:
    holder = archive.holder_of(capture)
    if holder is None:
        message = "the record that holds these bytes is not in the ledger"
        return _outcome(capture, Fate.MISSING, message)
    path = archive.warcs / holder.filename
    try:
        check_payload(path, holder.offset, holder.length, size=holder.size, sha256=holder.sha256)
    except FileNotFoundError:
        return _outcome(capture, Fate.MISSING, f"there is no {path}")
    except (Damaged, OSError) as error:
        return _outcome(capture, Fate.DAMAGED, str(error))
    return _outcome(capture, Fate.INTACT, "")


def _outcome(capture: Capture, fate: Fate, message: str) -> RecordCheck:
    return RecordCheck(capture.url, capture.filename, capture.offset, capture.size, fate, message)
