# SPDX-License-Identifier: AGPL-3.0-or-later
"""Records that are known to be whole before anyone relies on them: else another row is better."""

from collections.abc import Callable

from carrel.mementos.loading.record import Record

_IN_MEMORY_BYTES = 8 * 1024**2
# Reading on takes longer than anyone waits for the beginning.
_MOST_BYTES = 256 * 1024**2


def proven(opening: Callable[[], Record]) -> Record:
    """Return a record whose payload is there to its end. Blocks. Raises NotLoaded.

    A short payload is kept in memory, a longer one is read twice. Of one that is very long the
    beginning is known to be there: reading the rest may still raise NotLoaded.
    """
    record = opening()
    try:
        if record.payload_length <= _IN_MEMORY_BYTES:
            record.payload = iter(list(record.payload))
            return record
        _read(record)
    except BaseException:
        record.close()
        raise
    record.close()
    return opening()


def _read(record: Record) -> None:
    seen = 0
    for piece in record.payload:
        seen += len(piece)
        if seen > _MOST_BYTES:
            return
