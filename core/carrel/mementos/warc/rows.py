# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an index says about a record: the fields that cdxj-indexer writes, by the same rules."""

import re
from dataclasses import dataclass

from carrel.mementos.cdxj import cdxj_line
from carrel.mementos.warc.digests import sha1_label, verify
from carrel.mementos.warc.post import body_as_query, has_key, url_with_query
from carrel.mementos.warc.problems import InvalidRecord, ProblemKind
from carrel.mementos.warc.reader import RawRecord
from carrel.model.memento import REVISIT_TYPE
from carrel.model.surt import surt
from carrel.translation import tr

INDEXED = frozenset(("response", "revisit", "resource", "metadata"))
_WARC_FIELDS = "application/warc-fields"
_STATUS = re.compile(rb"HTTP/[\d.]+[ \t]+(\d{3})\b")
_TYPE = re.compile(rb"\ncontent-type:[ \t]*([^;\s]+)", re.IGNORECASE)
_WHOLE_TYPE = re.compile(rb"\ncontent-type:[ \t]*([^\r\n]*)", re.IGNORECASE)
_BODY_LENGTH = re.compile(rb"\ncontent-length:[ \t]*(\d{1,18})[ \t]*\r?\n", re.IGNORECASE)
# In a row they would do harm in the headers of whoever shows it.
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_METHOD = re.compile(rb"[A-Za-z]{1,20}(?= )")
# Of a longer body only the beginning is looked at.
_BODY_MAX_BYTES = 8 * 1024 * 1024
_URL_MAX_CHARACTERS = 64 * 1024


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was recorded and is no plain GET: its names, method, and body as a query."""

    url: str
    record_id: str
    concurrent_to: tuple[str, ...]
    method: str
    query: str


@dataclass(slots=True)
class Row:
    """One line to be. `asked` is the request that it answers, None for a plain GET."""

    url: str
    timestamp: str
    fields: dict[str, str]
    record_id: str
    concurrent_to: tuple[str, ...]
    asked: Asked | None = None

    def line(self) -> bytes:
        """Return it as a line of CDXJ. Raises InvalidRecord for a URL that has no key."""
        url, fields = self.url, self.fields
        if self.asked is not None:
            method, query = self.asked.method, self.asked.query
            url = url_with_query(url, method, query)
            fields = {**fields, "requestBody": query, "method": method}
        try:
            key = surt(url)
        except ValueError as error:
            message = tr("A record's address is not valid: {error}.", error=error)
            raise InvalidRecord(ProblemKind.NO_ADDRESS, message) from error
        return f"{cdxj_line(key, self.timestamp, fields)}\n".encode()


def is_indexed(record: RawRecord) -> bool:
    """Say whether a record is a capture; what is noted about captures is none."""
    if record.kind not in INDEXED:
        return False
    is_note = record.head.named.get("content-type", "").startswith(_WARC_FIELDS)
    return not is_note or record.kind in ("response", "revisit")


def row_of(record: RawRecord, filename: str, *, verifies: bool = False) -> tuple[Row, str]:
    """Return the row of a record, and what is wrong with its digests, "" for nothing.

    Raises InvalidRecord for a record that cannot be looked up, or not be read.
    """
    url, timestamp = _address(record), _moment(record)
    http_head = record.block.http_head()
    digest, fault = _digest(record, http_head, verifies)
    if not record.is_reachable:
        raise InvalidRecord(
            ProblemKind.SHARED_MEMBER, tr("A record shares its gzip member with others.")
        )
    fields = {
        "url": url,
        "mime": _CONTROL.sub("", _mimetype(record, http_head)),
        "status": _first(_STATUS.match(http_head)),
        "digest": _CONTROL.sub("", digest),
        "length": str(record.length),
        "offset": str(record.offset),
        "filename": filename,
    }
    known = {name: value for name, value in fields.items() if value}
    record_id = record.head.named.get("warc-record-id", "")
    return Row(url, timestamp, known, record_id, _concurrent_to(record)), fault


def asked_by(record: RawRecord) -> Asked | None:
    """Return what a request record asked for, None for a plain GET. Raises InvalidRecord."""
    # Nearly all are, so that nothing more of them is looked at.
    if record.block.beginning(4) == b"GET ":
        return None
    http_head = record.block.http_head()
    method = _first(_METHOD.match(http_head)).upper()
    if not method or not has_key(method):
        return None
    body = _body(record, http_head)
    content_type = _first(_WHOLE_TYPE.search(http_head)).strip()
    query = body_as_query(method, content_type, body)
    record_id = record.head.named.get("warc-record-id", "")
    return Asked(record.url, record_id, _concurrent_to(record), method, query)


def _address(record: RawRecord) -> str:
    url = record.url
    if not url or len(url) > _URL_MAX_CHARACTERS or _CONTROL.search(url):
        length = tr(" ({url:,} characters)", url=len(url)) if url else ""
        raise InvalidRecord(
            ProblemKind.NO_ADDRESS,
            tr("A record has no address{length} to be found by.", length=length),
        )
    return url


def _moment(record: RawRecord) -> str:
    if not (timestamp := record.timestamp):
        date = record.head.named.get("warc-date", "")
        raise InvalidRecord(
            ProblemKind.NO_DATE, tr("A record's date is not valid: “{date}”.", date=date[:40])
        )
    return timestamp


def _digest(record: RawRecord, http_head: bytes, verifies: bool) -> tuple[str, str]:
    """Return the digest as it is declared, else as it is, and what is wrong with it."""
    declared = record.head.named.get("warc-payload-digest", "")
    if not declared and record.kind != "revisit":
        return sha1_label(record.block.pieces()), ""
    if verifies:
        try:
            verify(record.head, http_head, record.block.pieces())
        except InvalidRecord as error:
            if error.kind is not ProblemKind.WRONG_DIGEST:
                raise
            return declared, str(error)
    return declared, ""


def _mimetype(record: RawRecord, http_head: bytes) -> str:
    if record.kind == "revisit":
        return REVISIT_TYPE
    if http_head:
        return _first(_TYPE.search(http_head))
    declared = record.head.named.get("content-type", "")
    return (
        ""
        if declared.startswith("application/http")
        else re.split(r"[;\s]", declared, maxsplit=1)[0]
    )


def _body(record: RawRecord, http_head: bytes) -> bytes:
    """Return the body of a request, as long as it says, but not endlessly long."""
    body = b""
    for piece in record.block.pieces():
        body += piece
        if len(body) >= _BODY_MAX_BYTES:
            break
    declared = _BODY_LENGTH.search(http_head)
    return body[: int(declared[1])] if declared else body


def _concurrent_to(record: RawRecord) -> tuple[str, ...]:
    if "warc-concurrent-to" not in record.head.named:
        return ()
    fields = record.fields
    return tuple(value for name, value in fields if name.lower() == "warc-concurrent-to")


def _first(match: re.Match[bytes] | None) -> str:
    if match is None:
        return ""
    return match[match.lastindex or 0].decode("utf-8", "replace")
