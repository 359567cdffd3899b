# SPDX-License-Identifier: AGPL-3.0-or-later
"""The records of an export beyond those that every capture has (ISO 28500:2017)."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus

from carrel.capture.exchange import Exchange
from carrel.capture.records import (
    REVISIT_PROFILE,
    Fields,
    Record,
    new_record_id,
    sha1_label,
    warc_date,
)
from carrel.dark_archive.export.exchanges import uri
from carrel.model.dark import Redirect

UNKNOWN_TYPE = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Original:
    """A record of this export that holds a payload, to which later ones refer."""

    record_id: str
    url: str
    moment: datetime
    sha1: str


def redirect_record(url: str, redirect: Redirect, moment: datetime, record_id: str) -> Record:
    """Return the record of a hop, which has no more headers than what was kept of it."""
    known = {each.value: each.phrase for each in HTTPStatus}
    status = f"{redirect.status} {known.get(redirect.status, '')}"
    target = uri(redirect.to_url)
    block = f"HTTP/1.1 {status}\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n".encode()
    head = [
        ("WARC-Type", "response"),
        *_fields(record_id, uri(url), moment),
        ("Content-Type", "application/http;msgtype=response"),
        ("WARC-Payload-Digest", _label(b"")),
        ("WARC-Block-Digest", _label(block)),
    ]
    return Record(record_id, head, block)


def revisit_record(
    url: str, moment: datetime, exchange: Exchange | None, original: Original
) -> Record:
    """Return the record of bytes that another record of this export holds."""
    record_id = new_record_id()
    block = b"" if exchange is None else exchange.response_head_bytes()
    is_http = (("Content-Type", "application/http;msgtype=response"),) if exchange else ()
    head = [
        ("WARC-Type", "revisit"),
        *_fields(record_id, url, moment),
        *is_http,
        ("WARC-Payload-Digest", sha1_label(original.sha1)),
        ("WARC-Profile", REVISIT_PROFILE),
        ("WARC-Refers-To", original.record_id),
        ("WARC-Refers-To-Target-URI", original.url),
        ("WARC-Refers-To-Date", warc_date(original.moment)),
    ]
    return Record(record_id, head, block)


def _fields(record_id: str, url: str, moment: datetime) -> Fields:
    return [
        ("WARC-Record-ID", record_id),
        ("WARC-Date", warc_date(moment)),
        ("WARC-Target-URI", url),
    ]


def _label(block: bytes) -> str:
    return sha1_label(hashlib.sha1(block).hexdigest())
