# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs that are cut off exactly between two records, where nothing is broken.

In a WARC whose warcinfo record names an ingest, the request stands behind each response: one at
the end lacks it. A large response that is alone in its WARC has its request in another; that WARC's
warcinfo names none (`capture/warc_series.py`), and nothing is said of it.
"""

from typing import BinaryIO

from carrel.capture.annotations import INGEST_URN
from carrel.mementos.warc.problems import InvalidRecord
from carrel.mementos.warc.reader import RawRecord, first_record
from carrel.model import Capture
from carrel.model.packed import WarcPart
from carrel.translation import tr

# What is looked at of a warcinfo record, in bytes.
_MOST_INFO = 64 * 1024
EXCHANGES = frozenset({"response", "revisit"})
"""The records that have a request behind them."""


def no_request() -> str:
    """Return what is told of the place where such a WARC ends."""
    return tr("The file ends here: the request record of the response before it is missing.")


def opens_ingest(record: RawRecord) -> bool:
    """Say whether a warcinfo record, of which nothing was read yet, opens what an ingest wrote."""
    try:
        info = record.block.beginning(_MOST_INFO)
    except InvalidRecord:  # told where the record is read
        return False
    return b"software: Carrel/" in info and f"isPartOf: {INGEST_URN}".encode() in info


def lacks_request(file: BinaryIO, part: WarcPart, last: Capture, end: int) -> bool:
    """Say whether an open WARC, or a part of a packed one, ends at `end` behind its `last` capture
    although an ingest wrote it. Raises OSError."""
    if last.offset + last.length < end:
        return False
    capture = first_record(file, last.offset, end)
    info = first_record(file, part.offset, end)
    is_exchange = capture is not None and capture.kind in EXCHANGES
    return is_exchange and info is not None and info.kind == "warcinfo" and opens_ingest(info)
