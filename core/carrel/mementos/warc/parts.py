# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether a record that a file is at has all that its server had, before its block is read."""

import re

from carrel.mementos.loading.part import part_said
from carrel.mementos.warc.reader import RawRecord
from carrel.model.memento_part import Part

_HEAD_BYTES = 64 * 1024
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_KINDS = ("response", "resource")


def part_of_raw(record: RawRecord) -> Part | None:
    """Return why a record is only a part, None if it does not say so; of one in segments, whose
    other bytes are in other records, too."""
    named = record.head.named
    if record.kind not in _KINDS or "warc-segment-number" in named:
        return None
    head = _http_head(record)
    return part_said(named.get("warc-truncated", ""), head, record.block.left - len(head))


def _http_head(record: RawRecord) -> bytes:
    """Return the head of the answer in a record, b"" if there is none."""
    beginning = record.block.beginning(_HEAD_BYTES)
    end = _HEAD_END.search(beginning) if beginning.startswith(b"HTTP/") else None
    return beginning[: end.end()] if end else b""
