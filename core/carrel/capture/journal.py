# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an unfinished ingest has written so far, so that a later process can take it up.

A line of JSON follows each group of records that is whole and was read back: up to where its files
reach now, and a note about what stands there. Records come first and their line second: whatever
moment a process is killed at, what the journal names is there, and what lies beyond it is not.
After a loss of power even that may be missing, so the one who takes it up looks again.
"""

import errno
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """`ends` gives, by name, how far each file reached in bytes; `note` is the writer's own."""

    ends: Mapping[str, int]
    note: Mapping[str, Any]


class Journal:
    """The journal of one ingest. One writer at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: FileIO | None = None

    def entries(self) -> list[JournalEntry]:
        """Return every entry that was written whole."""
        if not self._path.exists():
            return []
        entries = []
        for line in self._path.read_bytes().splitlines(keepends=True):
            try:
                entries.append(JournalEntry(**json.loads(line)))
            except (ValueError, TypeError):
                break  # cut off while it was written: so is everything behind it
        return entries

    def add(self, entry: JournalEntry) -> None:
        """Append an entry, all at once. Raises OSError."""
        if self._file is None:
            self._file = self._path.open("ab", buffering=0)
        line, end = _line(entry), self._file.tell()
        if self._file.write(line) != len(line):
            self._file.truncate(end)  # behind half a line no other would be read
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))

    def rewrite(self, entries: Sequence[JournalEntry]) -> None:
        """Replace all entries, or none. Raises OSError."""
        self.close()
        fresh = self._path.with_suffix(".tmp")
        with fresh.open("wb") as file:
            file.writelines(_line(entry) for entry in entries)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._path)

    def close(self) -> None:
        """Let go of the file until the next entry."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _line(entry: JournalEntry) -> bytes:
    return json.dumps({"ends": entry.ends, "note": entry.note}).encode() + b"\n"
