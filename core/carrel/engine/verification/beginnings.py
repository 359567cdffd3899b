# SPDX-License-Identifier: AGPL-3.0-or-later
"""The beginning of a record that is damaged further on, which still says which one it was."""

import re
import zlib
from typing import BinaryIO

_GZIP = 16 + zlib.MAX_WBITS
# So little is read at once that what stands before the damage is had, and no more than the fields
# of a record need.
_STEP, LONGEST_FIELDS = 64, 16 * 1024
_RECORD_ID = re.compile(rb"\r\nWARC-Record-ID:[ \t]*([!-~]+)\r\n", re.IGNORECASE)


def record_id_at(file: BinaryIO, offset: int) -> str:
    """Return the id of the record whose gzip member begins at this byte, "" if its fields cannot be
    read. Raises OSError."""
    file.seek(offset)
    unpacker, head = zlib.decompressobj(_GZIP), b""
    try:
        while (
            len(head) < LONGEST_FIELDS and b"\r\n\r\n" not in head and (piece := file.read(_STEP))
        ):
            head += unpacker.decompress(piece)
    except zlib.error:
        pass
    fields = head.partition(b"\r\n\r\n")[0] + b"\r\n"
    found = _RECORD_ID.search(fields) if fields.startswith(b"WARC/") else None
    return found[1].decode() if found else ""
