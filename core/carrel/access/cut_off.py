# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs that are cut off exactly between two records, where nothing is broken.

In a WARC whose warcinfo record names an ingest, the request stands behind each response: one at
the end lacks it. A large response that is alone in its WARC has its request in another; that WARC's
warcinfo names none (`capture/warc_series.py`), and nothing is said of it.

The last record of an ingest is its result, a metadata record: a WARC that ends with a request lacks
that, unless the result is in another one.
"""

import re
from typing import BinaryIO

from carrel.capture.annotations import INGEST_URN
from carrel.mementos.warc.problems import InvalidRecord
from carrel.mementos.warc.reader import RawRecord, first_record, records_between
from carrel.model import Capture
from carrel.model.packed import WarcPart
from carrel.translation import tr

# What is looked at of a warcinfo record, in bytes.
_MOST_INFO = 64 * 1024
_INGEST = re.compile(rb"isPartOf: %b([!-~]+)" % INGEST_URN.encode())
EXCHANGES = frozenset({"response", "revisit"})
"""The records that have a request behind them."""


def no_request(*, is_file_end: bool = True) -> str:
    """Return what is told of the place where such a WARC ends: the end of the file, or where
    another WARC was appended."""
    if not is_file_end:
        return tr(
            "Another WARC begins here: the request record of the response before it is missing."
        )
    return tr("The file ends here: the request record of the response before it is missing.")


def no_result(*, is_file_end: bool = True) -> str:
    """Return what is told of such a place where a WARC ends before the result of its ingest."""
    if not is_file_end:
        return tr(
            "Another WARC begins here: the metadata record with the result of the ingest, the last "
            "one that was written before, is missing."
        )
    return tr(
        "The file ends here: the metadata record with the result of the ingest, the last one that "
        "was written, is missing."
    )


def end_of_own(file: BinaryIO, last: Capture, end: int) -> int:
    """Return where an open WARC that was never packed ends behind its `last` capture: at `end`, or
    where another one was appended. Raises OSError."""
    begin = last.offset + last.length
    between = records_between(file, begin, end)
    return next((begin + each.offset for each in between if each.kind == "warcinfo"), end)


def words_of_ends() -> tuple[str, ...]:
    """Return all that is told of such places."""
    ends = True, False
    return (
        *(no_request(is_file_end=each) for each in ends),
        *(no_result(is_file_end=each) for each in ends),
    )


def ingest_opened(record: RawRecord) -> str:
    """Return the id of the ingest that wrote what a warcinfo record, of which nothing was read yet,
    opens; "" for none."""
    try:
        info = record.block.beginning(_MOST_INFO)
    except InvalidRecord:  # told where the record is read
        return ""
    named = _INGEST.search(info)
    return named[1].decode() if named and b"software: Carrel/" in info else ""


def ends_with_request(file: BinaryIO, last: Capture, end: int) -> bool:
    """Say whether an open WARC, or a part of a packed one, ends at `end` with a request behind its
    `last` capture. Raises OSError."""
    kind = ""
    for record in records_between(file, last.offset + last.length, end):
        kind = record.kind
    return kind == "request"


def lacks_request(file: BinaryIO, part: WarcPart, last: Capture, end: int) -> bool:
    """Say whether an open WARC, or a part of a packed one, ends at `end` behind its `last` capture
    although an ingest wrote it. Raises OSError."""
    if last.offset + last.length < end:
        return False
    capture = first_record(file, last.offset, end)
    is_exchange = capture is not None and capture.kind in EXCHANGES
    return is_exchange and bool(ingest_of(file, part, end))


def ingest_of(file: BinaryIO, part: WarcPart, end: int) -> str:
    """Return the id of the ingest that wrote such a WARC, "" for none. Raises OSError."""
    info = first_record(file, part.offset, end)
    return ingest_opened(info) if info is not None and info.kind == "warcinfo" else ""
