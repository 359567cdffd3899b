# SPDX-License-Identifier: AGPL-3.0-or-later
"""Writing a group to the end of the journal: all of it, or nothing."""

import errno
import os
from collections.abc import Mapping, Sequence
from io import FileIO
from pathlib import Path
from typing import Any

from carrel.capture.folder_sync import sync_folder
from carrel.errors import ArchiveError
from carrel.journal import lines
from carrel.journal.groups import LARGEST_GROUP, Head
from carrel.translation import tr


def written(entries: Sequence[Mapping[str, Any]], head: Head) -> tuple[bytes, bytes]:
    """Return the lines of coded entries, and the line that commits them. Raises ValueError."""
    if not entries:
        raise ValueError("a group needs an entry")
    prev, written = head.sha256, list[bytes]()
    for entry in entries:
        written.append(lines.entry_line(entry, prev))
        prev = lines.digest(written[-1])
    if max(map(len, written)) >= lines.LONGEST_LINE:
        raise ValueError(f"an entry has more than {lines.LONGEST_LINE:,} bytes")
    body = b"\n".join(written) + b"\n"
    if len(body) > LARGEST_GROUP - lines.LONGEST_LINE:
        raise ValueError(f"{len(entries):,} entries are too many for one group")
    return body, lines.commit_line(len(entries), head.lines + len(entries) + 1, prev) + b"\n"


def write(path: Path, offset: int, *parts: bytes) -> None:
    """Append to a file that is so long, each part when the one before has reached the disk.

    Raises OSError, ArchiveError if the file is longer or shorter; it is then as it was.
    """
    try:
        with path.open("ab", buffering=0) as file:
            if (size := file.seek(0, os.SEEK_END)) != offset:
                raise ArchiveError(
                    tr(
                        "{path} has {size:,} bytes and not the {offset:,} that were written to it: "
                        "another program is using it. Open the archive again when that is done.",
                        path=path,
                        size=size,
                        offset=offset,
                    )
                )
            _append(file, offset, parts)
        if not offset:
            sync_folder(path.parent)
    except BaseException:
        if not offset and path.exists() and path.stat().st_size == 0:
            path.unlink()
        raise


def _append(file: FileIO, offset: int, parts: Sequence[bytes]) -> None:
    try:
        for part in parts:
            _write_all(file, part)
            os.fsync(file.fileno())
    except BaseException as error:
        try:
            file.truncate(offset)
            os.fsync(file.fileno())
        except OSError as worse:
            error.add_note(tr("The partial write could not be undone: {worse}", worse=worse))
        raise


def _write_all(file: FileIO, data: bytes) -> None:
    """Write everything. A short write is tried again, so that the system says why it was one."""
    left = memoryview(data)
    while left:
        count = file.write(left)
        if not count:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left = left[count:]
