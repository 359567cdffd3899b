# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether a record that a file is at has all that its server had, before its block is read."""

import re

from carrel.mementos.loading.part import part_said
from carrel.mementos.warc.reader import RawRecord
from carrel.model.memento_part import Part

_HEAD_BYTES = 64 * 1024
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_KINDS = ("response", "resource")
# There are millions of records: the heads of few have to be taken apart.
_LENGTHS = re.compile(rb"\ncontent-length[ \t]*:[ \t]*([0-9]{1,18})")
_OF_RANGES = re.compile(rb"HTTP/\S+ +206")


def part_of_raw(record: RawRecord) -> Part | None:
    """Return why a record is only a part, None if it does not say so; of one in segments, whose
    other bytes are in other records, too."""
    named = record.head.named
    if record.kind not in _KINDS or "warc-segment-number" in named:
        return None
    head, truncated = _http_head(record), named.get("warc-truncated", "")
    length = record.block.left - len(head)
    announced = max(map(int, _LENGTHS.findall(head.lower())), default=0)
    if not truncated and announced <= length and not _OF_RANGES.match(head):
        return None
    return part_said(truncated, head, length)


def _http_head(record: RawRecord) -> bytes:
    """Return the head of the answer in a record, b"" if there is none."""
    beginning = record.block.beginning(_HEAD_BYTES)
    end = _HEAD_END.search(beginning) if beginning.startswith(b"HTTP/") else None
    return beginning[: end.end()] if end else b""
