# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARC 1.1 records that say something about captures, or about their file: warcio builds them.

Records of exchanges, whose bytes stay those that were sent, are built in `records.py`.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from carrel import __version__
from carrel.capture.exchange import Exchange
from carrel.capture.records import CONTROL, Record, new_record_id, request_record, warc_date
from carrel.capture.resume import Continuation

if TYPE_CHECKING:
    from warcio.recordbuilder import RecordBuilder

CONFORMS_TO = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
INGEST_URN = "urn:x-carrel:ingest:"
"""What stands before the id of an ingest where a WARC names it."""
_FIELDS = "application/warc-fields"
# What ends a line to some reader, or is no text.
_BREAKING = re.compile(f"{CONTROL.pattern}|[\x85\u2028\u2029]")


def warcinfo(filename: str, operator: str, user_agent: str, ingest_id: str = "") -> Record:
    """Return the record that opens a WARC file and says who wrote it, how, and for which ingest.

    isPartOf is a term of Dublin Core, as ISO 28500 (6.2) has it for warcinfo.
    """
    fields = {
        "http-header-user-agent": user_agent,
        "robots": "not consulted: only addresses that an archivist gave, and what they list",
        "description": "Transfer codings are decoded; see X-Archive-Orig-Transfer-Encoding",
    }
    if operator:
        fields["operator"] = operator
    if ingest_id:
        fields["isPartOf"] = f"{INGEST_URN}{ingest_id}"
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
    return _built("warcinfo", warc_fields(said), _FIELDS, moment, {"WARC-Filename": filename})


def metadata_record(url: str, response_id: str, fields: Mapping[str, str], at: datetime) -> Record:
    """Return the record that says about a response what HTTP does not."""
    about = {"WARC-Target-URI": url, "WARC-Refers-To": response_id}
    return _built("metadata", warc_fields(fields), _FIELDS, at, about)


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
    return _built("metadata", content, content_type, at, {"WARC-Target-URI": url})


def certificates_record(exchange: Exchange) -> Record:
    """Return the record of the certificates that a server sent, its own first (RFC 8555, 9.1).

    It is about the server, not about an address there: no one is to take it for a page.
    """
    host = urlsplit(exchange.url).netloc.rpartition("@")[2]
    about = {"WARC-Target-URI": f"urn:x-carrel:certificates:{host}"}
    block = exchange.server.pem
    return _built("metadata", block, "application/pem-certificate-chain", exchange.started, about)


def warc_fields(fields: Mapping[str, str]) -> bytes:
    """Return a block of `application/warc-fields`; control characters in values become blanks, and
    so does what only some readers take for the end of a line."""
    if not "".join(fields.values()).isprintable():  # quickly told of nearly all
        fields = {name: _BREAKING.sub(" ", value) for name, value in fields.items()}
    return "".join([f"{name}: {value}\r\n" for name, value in fields.items()]).encode(
        "utf-8", "replace"
    )


def _built(
    kind: str, block: bytes, content_type: str, moment: datetime, about: Mapping[str, str]
) -> Record:
    """Return a record with its digests, its fields in the order in which they are always written.

    `about` are the fields that say what it is about.
    """
    from warcio.recordloader import ArcWarcRecord  # who only reads an archive does not wait for it
    from warcio.statusandheaders import StatusAndHeaders

    record_id = new_record_id()
    fields = [
        ("WARC-Type", kind),
        ("WARC-Record-ID", record_id),
        ("WARC-Date", warc_date(moment)),
        *about.items(),
        ("Content-Type", content_type),
    ]
    head = StatusAndHeaders("", fields, "WARC/1.1")
    built = ArcWarcRecord("warc", kind, head, BytesIO(block), None, content_type, len(block))
    _builder().ensure_digest(built)
    return Record(record_id, head.headers, block)


@cache
def _builder() -> "RecordBuilder":
    from warcio.recordbuilder import RecordBuilder  # who only reads an archive does not wait for it

    return RecordBuilder("1.1")
