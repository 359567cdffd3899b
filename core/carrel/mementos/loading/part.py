# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether a record has all that its server had. Its digest says nothing of that: it is the one of
what was stored."""

import re

from carrel.mementos.loading.record import Record, http_fields, http_status
from carrel.model.memento_part import Part

# Begin, end and size of what a part is of (RFC 9110, 14.4).
_RANGE = re.compile(r"bytes +(\d+)-(\d+)/(\d+)", re.IGNORECASE)
# Answers that have no body, whatever length they announce.
_BODILESS = ("204", "304")


def part_of(record: Record) -> Part | None:
    """Return why a record is only a part, None if it does not say so."""
    return part_said(record.field("WARC-Truncated"), record.http_head, record.payload_length)


def part_said(truncated: str, http_head: bytes, payload_length: int) -> Part | None:
    """Return why a record is only a part, by what its WARC-Truncated says, its HTTP head, and how
    many bytes there are behind that."""
    if truncated:
        return Part.TRUNCATED
    if _is_short(http_head, payload_length):
        return Part.SHORT
    return Part.RANGE if _is_range(http_head) else None


def _is_short(http_head: bytes, payload_length: int) -> bool:
    """Say whether bytes are missing. Where a coding was named the length may be that of the packed
    content, and what is cut off there is found when it is unpacked."""
    fields = http_fields(http_head)
    declared = fields.get("content-length", "")
    if "transfer-encoding" in fields or "content-encoding" in fields:
        return False
    if http_status(http_head) in _BODILESS or not re.fullmatch(r"[0-9]{1,18}", declared):
        return False
    return payload_length < int(declared)


def _is_range(http_head: bytes) -> bool:
    if http_status(http_head) != "206":
        return False
    found = _RANGE.fullmatch(http_fields(http_head).get("content-range", ""))
    if found is None:
        return True  # several ranges, or of an unknown size
    begin, end, size = map(int, found.groups())
    return (begin, end + 1) != (0, size)
