# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARC 1.1 records (ISO 28500:2017): their heads and blocks, without the file they go to."""

import base64
import hashlib
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from carrel import __version__
from carrel.capture.exchange import Exchange
from carrel.capture.gzip_member import compress_member
from carrel.capture.resume import Continuation
from carrel.model import Capture, Fixity
from carrel.model.iso_time import iso_time

Fields = Sequence[tuple[str, str]]

REVISIT_PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
CONFORMS_TO = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
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
        if _CONTROL.search(value):
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


def warcinfo(filename: str, operator: str, user_agent: str) -> Record:
    """Return the record that opens a WARC file and says who wrote it, and how."""
    fields = {
        "http-header-user-agent": user_agent,
        "robots": "not consulted: only addresses that an archivist gave, and what they list",
        "description": "Transfer codings are decoded; see X-Archive-Orig-Transfer-Encoding",
    }
    if operator:
        fields["operator"] = operator
    return file_info(filename, fields, datetime.now(UTC))


def file_info(filename: str, fields: Mapping[str, str], moment: datetime) -> Record:
    """Return the record that opens a WARC file and says in `fields` what the file is.

    `moment` is when it was begun.
    """
    said = {
        "software": f"Carrel/{__version__}",
        "format": "WARC File Format 1.1",
        "conformsTo": CONFORMS_TO,
        **fields,
    }
    return _record(
        "warcinfo",
        warc_fields(said),
        "application/warc-fields",
        moment=moment,
        extra=[("WARC-Filename", filename)],
    )


def request_record(exchange: Exchange, response_id: str) -> Record:
    """Return the record of the request that brought this response."""
    return _record(
        "request",
        exchange.request_bytes(),
        "application/http;msgtype=request",
        moment=exchange.started,
        target=exchange.url,
        extra=[("WARC-Concurrent-To", response_id)],
    )


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


def metadata_record(url: str, response_id: str, fields: Mapping[str, str], at: datetime) -> Record:
    """Return the record that says about a response what HTTP does not."""
    return _record(
        "metadata",
        warc_fields(fields),
        "application/warc-fields",
        moment=at,
        target=url,
        extra=[("WARC-Refers-To", response_id)],
    )


def continuation_records(continuation: Continuation, response_id: str) -> tuple[Record, Record]:
    """Return what is recorded of an exchange that brought a later part of a response's payload.

    The response record holds the head of the first answer and the whole payload; how its later
    bytes came is said beside it: the request as it was, and status, headers and place of the part
    as fields (ISO 28500:2017, 6.6). A response record of its own would make readers take a part
    for a capture of the address.
    """
    exchange = continuation.exchange
    fields = {
        "payloadRange": f"bytes {continuation.start}-{continuation.end - 1}",
        "httpStatus": f"{exchange.status_code} {exchange.reason.decode('latin-1')}",
        **{f"http-{name}": value for name, value in exchange.headers.items()},
    }
    return (
        request_record(exchange, response_id),
        metadata_record(exchange.url, response_id, fields, exchange.started),
    )


def document_record(url: str, content: bytes, content_type: str, at: datetime) -> Record:
    """Return a metadata record that holds a document of our own, such as an ingest's result."""
    return _record("metadata", content, content_type, moment=at, target=url)


def warc_fields(fields: Mapping[str, str]) -> bytes:
    """Return a block of `application/warc-fields`; control characters in values become blanks."""
    lines = [f"{name}: {_CONTROL.sub(' ', value)}" for name, value in fields.items()]
    return "".join(f"{line}\r\n" for line in lines).encode("utf-8", "replace")


def _response_fields(record_id: str, exchange: Exchange, payload_digest: str) -> Fields:
    return [
        ("WARC-Type", "response"),
        ("WARC-Record-ID", record_id),
        ("WARC-Date", warc_date(exchange.started)),
        ("WARC-Target-URI", exchange.url),
        ("Content-Type", "application/http;msgtype=response"),
        ("WARC-Payload-Digest", payload_digest),
    ]


def _record(
    kind: str,
    block: bytes,
    content_type: str,
    *,
    moment: datetime,
    target: str | None = None,
    extra: Fields = (),
) -> Record:
    record_id = new_record_id()
    fields = [
        ("WARC-Type", kind),
        ("WARC-Record-ID", record_id),
        ("WARC-Date", warc_date(moment)),
        *((("WARC-Target-URI", target),) if target else ()),
        ("Content-Type", content_type),
        ("WARC-Block-Digest", sha1_label(hashlib.sha1(block).hexdigest())),
        *extra,
    ]
    return Record(record_id, fields, block)
