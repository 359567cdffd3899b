# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARC 1.1 records of exchanges (ISO 28500:2017): heads and blocks, without the file they go to.

They are built here, not by warcio: it parses the heads of HTTP and writes them anew, so that what a
server sent in other letters than ASCII would not stay as it was.
"""

import base64
import hashlib
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from carrel.capture.exchange import Exchange
from carrel.capture.gzip_member import compress_member
from carrel.model import Capture, Fixity
from carrel.model.iso_time import iso_time

Fields = Sequence[tuple[str, str]]

REVISIT_PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"

# What would break out of a line.
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# What ends every record (WARC 1.1, 4).
RECORD_END = b"\r\n\r\n"
# Room for a length of twenty digits; blanks before a field's value are legal (RFC 9110, 5.5).
_LENGTH_DIGITS = 20
_UNKNOWN_SHA1 = "sha1:" + "A" * 32


@dataclass(frozen=True, slots=True)
class Record:
    """A whole record that fits into memory. `fields` are without Content-Length."""

    record_id: str
    fields: Fields
    block: bytes

    def content(self) -> bytes:
        """Return the record as it stands in a file that is not compressed."""
        head = warc_head([*self.fields, ("Content-Length", str(len(self.block)))])
        return b"".join((head, self.block, RECORD_END))

    def member(self) -> bytes:
        """Return the record as one gzip member."""
        return compress_member(self.content())


@dataclass(frozen=True, slots=True)
class ResponseHead:
    """The head of a response record that is written before its payload is known.

    `bytes_for` gives heads of one and the same length, whatever is filled in.
    """

    record_id: str
    exchange: Exchange

    def bytes_for(self, fixity: Fixity | None) -> bytes:
        """Return WARC head and HTTP head, with placeholders while `fixity` is None."""
        http_head = self.exchange.response_head_bytes()
        size = 0 if fixity is None else len(http_head) + (fixity.size or 0)
        fields = [
            *_response_fields(self.record_id, self.exchange, foreseen_digest(fixity)),
            foreseen_length(size),
        ]
        return warc_head(fields) + http_head


@dataclass(frozen=True, slots=True)
class ResourceHead:
    """The head of a resource record, which has its payload with nothing of HTTP before it.

    `more` are further fields. `bytes_for` gives heads of one and the same length.
    """

    record_id: str
    url: str
    moment: datetime
    mimetype: str
    more: Fields = ()

    def bytes_for(self, fixity: Fixity | None) -> bytes:
        """Return the head, with placeholders while `fixity` is None."""
        digest = foreseen_digest(fixity)
        fields: Fields = [
            ("WARC-Type", "resource"),
            ("WARC-Record-ID", self.record_id),
            ("WARC-Date", warc_date(self.moment)),
            ("WARC-Target-URI", self.url),
            ("Content-Type", self.mimetype),
            ("WARC-Payload-Digest", digest),
            ("WARC-Block-Digest", digest),
            *self.more,
            foreseen_length(0 if fixity is None else fixity.size or 0),
        ]
        return warc_head(fields)


def foreseen_digest(fixity: Fixity | None) -> str:
    """Return a payload's digest, or what takes as much room while it is not known."""
    return _UNKNOWN_SHA1 if fixity is None else sha1_label(fixity.digests["sha1"])


def foreseen_length(size: int) -> tuple[str, str]:
    """Return the field of a record's length in bytes, which takes as much room for any."""
    return "Content-Length", str(size).rjust(_LENGTH_DIGITS)


def warc_head(fields: Fields) -> bytes:
    """Return the version line and the named fields of a record, with the empty line.

    Raises ValueError for a field that would break out of its line.
    """
    lines = [f"{name}: {value}" for name, value in fields]
    if not "".join(lines).isprintable():  # quickly told of nearly all
        _refuse_controls(fields)
    return "\r\n".join(["WARC/1.1", *lines, "", ""]).encode()


def _refuse_controls(fields: Fields) -> None:
    for name, value in fields:
        if CONTROL.search(value):
            raise ValueError(f"the WARC field {name} cannot hold {value!r}")


def new_record_id() -> str:
    return f"<urn:uuid:{uuid.uuid4()}>"


@lru_cache(maxsize=64)  # what is recorded of one exchange has one date
def warc_date(moment: datetime) -> str:
    """Return a moment in the form of WARC-Date, to the second, UTC."""
    return iso_time(moment)


def sha1_label(sha1_hex: str) -> str:
    """Return a SHA-1 as WARC digests are written: `sha1:` and base 32."""
    return "sha1:" + base64.b32encode(bytes.fromhex(sha1_hex)).decode()


def request_record(exchange: Exchange, response_id: str) -> Record:
    """Return the record of the request that brought this response."""
    record_id, block = new_record_id(), exchange.request_bytes()
    fields = [
        ("WARC-Type", "request"),
        ("WARC-Record-ID", record_id),
        ("WARC-Date", warc_date(exchange.started)),
        ("WARC-Target-URI", exchange.url),
        *exchange.server.warc_fields,
        ("Content-Type", "application/http;msgtype=request"),
        ("WARC-Block-Digest", sha1_label(hashlib.sha1(block).hexdigest())),
        ("WARC-Concurrent-To", response_id),
    ]
    return Record(record_id, fields, block)


def response_record(exchange: Exchange, body: bytes, record_id: str) -> Record:
    """Return the record of a response whose body is in memory."""
    block = exchange.response_head_bytes() + body
    digest = sha1_label(hashlib.sha1(body).hexdigest())
    fields = [
        *_response_fields(record_id, exchange, digest),
        ("WARC-Block-Digest", sha1_label(hashlib.sha1(block).hexdigest())),
        *((("WARC-Truncated", exchange.truncated),) if exchange.truncated else ()),
    ]
    return Record(record_id, fields, block)


def revisit_record(exchange: Exchange, original: Capture, record_id: str) -> Record:
    """Return the record of a response whose payload is stored already, in `original`."""
    moment = datetime.strptime(original.timestamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    fields = [
        ("WARC-Type", "revisit"),
        *_response_fields(record_id, exchange, sha1_label(original.sha1))[1:],
        ("WARC-Profile", REVISIT_PROFILE),
        ("WARC-Refers-To", original.record_id),
        ("WARC-Refers-To-Target-URI", original.url),
        ("WARC-Refers-To-Date", warc_date(moment)),
    ]
    return Record(record_id, fields, exchange.response_head_bytes())


def _response_fields(record_id: str, exchange: Exchange, payload_digest: str) -> Fields:
    return [
        ("WARC-Type", "response"),
        ("WARC-Record-ID", record_id),
        ("WARC-Date", warc_date(exchange.started)),
        ("WARC-Target-URI", exchange.url),
        *exchange.server.warc_fields,
        ("Content-Type", "application/http;msgtype=response"),
        ("WARC-Payload-Digest", payload_digest),
    ]
