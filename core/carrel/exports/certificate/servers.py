# SPDX-License-Identifier: AGPL-3.0-or-later
"""Who answered, as the WARC files themselves say it: addresses, TLS, certificates, and the clock of
each server beside ours. And the files: their size and SHA-256, as they are now.

Heads are read where the ledger says that captures are; between these all records are, as they may
have certificates. The captures of other datasets in the same files are passed over. Payloads are
not unpacked for it.
"""

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from carrel.errors import UsageError
from carrel.exports.certificate.server_certificates import ServerCertificate, certificate_in
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

Attend = Callable[[int], None]
Place = tuple[int, int, bool]
"""Offset and length of a capture in a WARC, and whether the dataset rests on it."""
_HEAD_BYTES = 64 * 1024
_PACKED_BYTES = 32 * 1024
_GZIP = 31  # zlib's number for the largest window, in gzip's wrapping
_MOST_HOSTS, _MOST_VALUES = 200, 10
_CERTIFICATES = "urn:x-carrel:certificates:"


@dataclass(frozen=True, slots=True)
class WarcFile:
    """A WARC file as it is now; `fault` says why it could not be read."""

    name: str
    size: int | None = None
    sha256: str | None = None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Server:
    """One host as it answered, in `answers` records.

    `clock_least_s` and `clock_most_s` are by how much the `Date` of its answers was after the
    moment at which we asked, in seconds; None where it sent none.
    """

    host: str
    answers: int
    addresses: Sequence[str] = ()
    tls: Sequence[str] = ()
    ciphers: Sequence[str] = ()
    certificates: Sequence[ServerCertificate] = ()
    clock_least_s: int | None = None
    clock_most_s: int | None = None

    @property
    def deviation_s(self) -> int | None:
        """The largest deviation of its clock, with the time that it took to answer."""
        known = [each for each in (self.clock_least_s, self.clock_most_s) if each is not None]
        return max(known, key=abs) if known else None


@dataclass(frozen=True, slots=True)
class Captured:
    """What the WARC files of a holding say; `is_read` unless they were not read at all."""

    is_read: bool = False
    warcs: Sequence[WarcFile] = ()
    servers: Sequence[Server] = ()
    more_servers: int = 0


def captured(
    folder: Path,
    names: Sequence[str],
    places: Callable[[str], Iterable[Place]],
    tell: Callable[[int, int], None],
) -> Captured:
    """Return what WARC files in a folder say of a dataset. Reads them in whole.

    `places` gives the captures in one, by their offset; `tell` is told how many bytes were read,
    and of how many.
    """
    total = sum(_size(folder / name) for name in names)
    reading, done = _Servers(), 0

    def attend(count: int) -> None:
        nonlocal done
        done += count
        tell(done, max(done, total))

    warcs = [_read(folder / name, places(name), reading, attend) for name in names]
    servers = reading.servers()
    listed = servers[:_MOST_HOSTS]
    return Captured(True, warcs, listed, len(servers) - len(listed))


def _read(path: Path, places: Iterable[Place], reading: "_Servers", attend: Attend) -> WarcFile:
    try:
        with path.open("rb") as file:
            digest, size = hashlib.sha256(), 0
            while block := file.read(MEBIBYTE):
                digest.update(block)
                size += len(block)
                attend(len(block))
            for head in _heads(file, size, places):
                reading.add(head)
    except FileNotFoundError:
        return WarcFile(path.name, fault=tr("It is not there."))
    except OSError as error:
        raise not_certified(path, error) from error
    return WarcFile(path.name, size, digest.hexdigest())


def not_certified(path: Path, error: OSError) -> UsageError:
    """Return what to raise for a WARC that is there and cannot be read."""
    return UsageError(
        tr(
            "{path} cannot be read: {reason}. No certificate is issued, as it is not known whether "
            "the records in this file are intact. Make it readable, then try again.",
            path=path,
            reason=error.strerror or error,
        )
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _heads(file: BinaryIO, size: int, places: Iterable[Place]) -> Iterator[bytes]:
    """Yield what each record of a file begins with, that of captures without reading them on, and
    those of other datasets not at all."""
    end = 0
    for offset, length, is_own in places:
        if offset > end:
            yield from _members(file, end, offset)
        if is_own:
            file.seek(offset)
            yield _beginning(file.read(min(length, _PACKED_BYTES)))
        end = max(end, offset + length)
    if size > end:
        yield from _members(file, end, size)


def _beginning(packed: bytes) -> bytes:
    """Return what a record begins with; nothing where it is damaged."""
    if not packed.startswith(b"\x1f\x8b"):
        return packed
    try:
        return zlib.decompressobj(_GZIP).decompress(packed, _HEAD_BYTES)
    except zlib.error:
        return b""


def _members(file: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    """Yield what each gzip member in a stretch of a file begins with; up to the first damaged one.

    Members are unpacked to their ends, a piece at a time, as only that says where they are.
    """
    file.seek(start)
    left, packed = end - start, b""
    inflate, head, is_begun = zlib.decompressobj(_GZIP), b"", False
    while packed or left > 0:
        if not packed:
            packed = file.read(min(left, MEBIBYTE))
            left -= len(packed)
            if not packed:
                return
        is_begun = True
        try:
            piece = inflate.decompress(packed, MEBIBYTE)
        except zlib.error:
            return
        head += piece[: _HEAD_BYTES - len(head)]
        packed = inflate.unconsumed_tail
        if inflate.eof:
            yield head
            packed = inflate.unused_data
            inflate, head, is_begun = zlib.decompressobj(_GZIP), b"", False
    if is_begun and head:
        yield head


@dataclass(slots=True)
class _Seen:
    answers: int = 0
    addresses: dict[str, None] = field(default_factory=dict)
    tls: dict[str, None] = field(default_factory=dict)
    ciphers: dict[str, None] = field(default_factory=dict)
    certificates: dict[str, ServerCertificate] = field(default_factory=dict)
    least: int | None = None
    most: int | None = None


class _Servers:
    """Sums up the records of each host."""

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}

    def add(self, record: bytes) -> None:
        """Take what a record begins with; most say nothing of a server."""
        warc_head, _, block = record.partition(b"\r\n\r\n")
        if not warc_head.startswith(b"WARC/"):
            return
        fields = _fields(warc_head)
        url, kind = fields.get("warc-target-uri", "").strip("<>"), fields.get("warc-type")
        if kind == "metadata" and url.startswith(_CERTIFICATES):
            self._add_certificate(url.removeprefix(_CERTIFICATES), block)
        elif kind in ("response", "revisit") and url.startswith(("http://", "https://")):
            self._add_answer(_host(url), fields, block)

    def servers(self) -> Sequence[Server]:
        """Return the hosts, by name; those of which only a certificate is there did not answer."""
        return [
            Server(
                host,
                each.answers,
                list(each.addresses),
                list(each.tls),
                list(each.ciphers),
                list(each.certificates.values()),
                each.least,
                each.most,
            )
            for host, each in sorted(self._seen.items())
            if each.answers
        ]

    def _add_answer(self, host: str, fields: Mapping[str, str], block: bytes) -> None:
        seen = self._seen.setdefault(host, _Seen())
        seen.answers += 1
        for values, name in (
            (seen.addresses, "warc-ip-address"),
            (seen.tls, "warc-protocol"),
            (seen.ciphers, "warc-cipher-suite"),
        ):
            if (value := fields.get(name)) and len(values) < _MOST_VALUES:
                values[value] = None
        deviation = _deviation(fields, block)
        if deviation is not None:
            seen.least = deviation if seen.least is None else min(seen.least, deviation)
            seen.most = deviation if seen.most is None else max(seen.most, deviation)

    def _add_certificate(self, host: str, block: bytes) -> None:
        seen = self._seen.setdefault(host, _Seen())
        found = certificate_in(block)
        if found and len(seen.certificates) < _MOST_VALUES:
            seen.certificates[found.sha256] = found


def _fields(head: bytes) -> dict[str, str]:
    """Return the fields of a head, by their names in lower case."""
    lines = head.split(b"\r\n")[1:]
    pairs = (line.decode("utf-8", "replace").partition(":") for line in lines)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _host(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2].lower()


def _deviation(fields: Mapping[str, str], block: bytes) -> int | None:
    """Return by how many seconds the server's clock was after ours, None where it is not told."""
    http_head = block.partition(b"\r\n\r\n")[0]
    said = _fields(http_head).get("date", "")
    try:
        theirs = parsedate_to_datetime(said)
        ours = datetime.fromisoformat(fields.get("warc-date", ""))
    except (ValueError, TypeError, OverflowError):
        return None
    return round((_aware(theirs) - _aware(ours)).total_seconds())


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
