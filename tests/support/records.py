# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exchanges for tests, and WARCs as other people's reader sees them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from carrel.capture.exchange import Exchange
from carrel.capture.http1.headers import RawHeaders
from carrel.model import Capture

STARTED = datetime(2026, 3, 2, 9, 30, 15, tzinfo=UTC)
CAPTURE = Capture(
    url="http://example.org/a",
    surt="org,example)/a",
    timestamp="20260302093015",
    mimetype="text/csv",
    status_code=200,
    size=5,
    md5="00" * 16,
    sha1="00" * 20,
    sha256="00" * 32,
    filename="main-1.warc.gz",
    offset=100,
    length=20,
    record_id="<urn:uuid:1>",
)


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A record as warcio reads it; `payload` is the block behind the HTTP head."""

    kind: str
    uri: str | None
    headers: dict[str, str]
    http_status: str | None
    http_headers: list[tuple[str, str]]
    payload: bytes
    digest_checked: bool | None


def exchange(
    url: str = "http://example.org/a",
    body: bytes = b"",
    *,
    status: int = 200,
    reason: bytes = b"OK",
    headers: RawHeaders = ((b"Content-Type", b"text/plain"),),
    request_headers: RawHeaders = ((b"Host", b"example.org"),),
) -> Exchange:
    return Exchange(
        url=url,
        target=b"/" + url.partition("//")[2].partition("/")[2].encode(),
        request_headers=request_headers,
        status_code=status,
        reason=reason,
        response_headers=headers,
        started=STARTED,
        body=body,
    )


def read_warc(path: Path) -> Sequence[ReadRecord]:
    """Return every record of a WARC, digests checked."""
    with path.open("rb") as file:
        return [
            _read(record)
            for record in ArchiveIterator(file, no_record_parse=False, check_digests="raise")
        ]


def read_warcs(folder: Path) -> Sequence[ReadRecord]:
    return [record for path in sorted(folder.glob("*.warc.gz")) for record in read_warc(path)]


def files_in(folder: Path) -> Sequence[str]:
    """Return the names of all files below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def _read(record: object) -> ReadRecord:
    http = record.http_headers  # type: ignore[attr-defined]  # the library has no types
    headers = record.rec_headers  # type: ignore[attr-defined]
    return ReadRecord(
        kind=record.rec_type,  # type: ignore[attr-defined]
        uri=headers.get_header("WARC-Target-URI"),
        headers=dict(headers.headers),
        http_status=http.statusline if http else None,
        http_headers=list(http.headers) if http else [],
        payload=record.raw_stream.read(),  # type: ignore[attr-defined]
        digest_checked=record.digest_checker.passed,  # type: ignore[attr-defined]
    )
