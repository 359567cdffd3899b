# SPDX-License-Identifier: AGPL-3.0-or-later
"""From a payload that arrived to records that are proven to hold it.

A payload that the archive holds already becomes a revisit record, after the record that holds it
was read again: a reference to damaged bytes would be worse than a second copy.
"""

import hashlib
import json
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from carrel.archive import Archive
from carrel.capture.annotations import (
    certificates_record,
    continuation_records,
    document_record,
    metadata_record,
)
from carrel.capture.arrival import Fetched
from carrel.capture.decoded import Decoded
from carrel.capture.disposition import file_name
from carrel.capture.exchange import Exchange
from carrel.capture.records import (
    Record,
    new_record_id,
    request_record,
    response_record,
    revisit_record,
)
from carrel.capture.stored import (
    Damaged,
    content_coding,
    http_header,
    payload_blocks,
    payload_fixity,
)
from carrel.capture.warc_series import Place, WarcSeries
from carrel.errors import IngestStop
from carrel.model import Capture, Fixity, ManifestFile, Status
from carrel.model.capture import UNKNOWN_TYPE
from carrel.model.surt import surt
from carrel.translation import tr


@dataclass(frozen=True, slots=True)
class Held:
    """A payload that an interrupted attempt had stored: it is there, and is what it was."""

    capture: Capture
    fixity: Fixity


class CaptureStore:
    """Where the captures of one ingest go. Threads may share it."""

    def __init__(self, archive: Archive, series: WarcSeries) -> None:
        self._archive, self._series = archive, series
        self._lock = threading.Lock()
        self._own: dict[str, Capture] = {}
        self._held: dict[str, Held] = {}
        self._files: set[tuple[str, str]] = set()  # address and SHA-256 of what was fetched as one
        self._servers: set[tuple[str, tuple[bytes, ...]]] = set()
        self.captures: list[Capture] = []

    def take_up(self) -> None:
        """Read again what an interrupted attempt had stored; what is damaged is dropped.

        Reads it all: for a worker thread.
        """
        noted = [_Noted.from_json(note) for note in self._series.notes]
        damaged = {each.capture.filename for each in noted if not self._is_intact(each)}
        for filename in damaged:
            self._series.forget(filename)
        intact = [each for each in noted if each.capture.filename not in damaged]
        for each in intact:
            self.captures.append(each.capture)
            if not each.capture.is_revisit:
                self._own.setdefault(each.capture.sha256, each.capture)
        for each in intact:
            if each.platform_url is not None:
                self._files.add((each.capture.url, each.capture.sha256))
            if each.platform_url is not None and self._has_bytes(each.capture):
                self._held[each.platform_url] = Held(each.capture, each.fixity)

    @property
    def held_urls(self) -> Collection[str]:
        """The addresses of what an interrupted attempt had fetched."""
        return self._held.keys()

    def held(self, platform_url: str) -> Held | None:
        """Return what an interrupted attempt had fetched from this address, None if nothing."""
        return self._held.get(platform_url)

    def store(self, entry: ManifestFile, via: str, fetched: Fetched) -> Capture:
        """Store a payload with its request, its redirects and what is known of it.

        `via` is the page that led to it. Raises OSError, and IngestStop (store-damaged) when what
        was written cannot be read back as it should.
        """
        try:
            return self._store(entry, via, fetched)
        except Damaged as error:
            message = tr("{url} cannot be stored: {error}.", url=fetched.exchange.url, error=error)
            raise IngestStop(Status.STORE_DAMAGED, message) from error

    def _store(self, entry: ManifestFile, via: str, fetched: Fetched) -> Capture:
        for hop in fetched.hops:
            self.store_exchange(hop)
        self._note_server(fetched.exchange)
        original = self._original(fetched.fixity)
        record_id = fetched.part.record_id if fetched.part else new_record_id()
        companions = (
            request_record(fetched.exchange, record_id),
            *(
                record
                for continuation in fetched.continuations
                for record in continuation_records(continuation, record_id)
            ),
            _description(entry, via, fetched, record_id),
        )
        draft = _Draft(fetched.exchange, fetched.fixity, record_id, original, entry.platform_url)
        if original is not None:
            if fetched.part is not None:
                fetched.part.discard()
            record = revisit_record(fetched.exchange, original, record_id)
            self._series.append(record, *companions, note=draft.note)
        elif fetched.part is not None:
            self._series.adopt(fetched.part, *companions, note=draft.note)
        else:
            record = response_record(fetched.exchange, fetched.exchange.body, record_id)
            self._series.append(record, *companions, note=draft.note)
        return self._keep(draft)

    def payload(self, capture: Capture) -> Iterator[bytes]:
        """Yield the bytes that a capture stands for, of this ingest or of an earlier one.

        Raises Damaged and FileNotFoundError.
        """
        with self._lock:
            own = self._own.get(capture.sha256)
        holder = own or self._archive.holder_of(capture)
        if holder is None:
            raise Damaged(tr("no record contains the bytes of {url}", url=capture.url))
        return payload_blocks(self._path_of(holder.filename), holder.offset, holder.length)

    def decoded(self, capture: Capture, algorithms: Iterable[str]) -> Fixity | None:
        """Return what a payload is with its content coding undone, None if it has none.

        Some publish the digests of that, and send it coded anyway.
        """
        try:
            record = self._path_of(capture.filename), capture.offset, capture.length
            coding = content_coding(*record)
            with closing(Decoded.of(coding, algorithms)) as decoded:
                for block in self.payload(capture) if coding else ():
                    decoded.feed(block)
                return decoded.fixity()
        except (Damaged, OSError):
            return None

    def file_name(self, capture: Capture) -> str | None:
        """Return the name that a payload was sent with, None if it had none."""
        record = self._path_of(capture.filename), capture.offset, capture.length
        try:
            return file_name(http_header(*record, "content-disposition"))
        except (Damaged, OSError):
            return None

    def store_exchange(self, exchange: Exchange) -> Capture:
        """Store an exchange whose body is in memory: a page, an answer of an interface, a hop.

        Where that is a file of this ingest, as behind a direct link to one, it is a revisit of it.
        """
        self._note_server(exchange)
        record_id, fixity = new_record_id(), _fixity_of(exchange.body)
        original = self._original(fixity) if self._is_file(exchange, fixity) else None
        draft = _Draft(exchange, fixity, record_id, original)
        companions = [request_record(exchange, record_id)]
        if original is not None:
            response = revisit_record(exchange, original, record_id)
            companions.append(_fixity_record(exchange, fixity, record_id))
        else:
            response = response_record(exchange, exchange.body, record_id)
        self._series.append(response, *companions, note=draft.note)
        return self._keep(draft)

    def _is_file(self, exchange: Exchange, fixity: Fixity) -> bool:
        """Say whether the whole body is what was stored of this address already."""
        known = exchange.url, fixity.digests["sha256"]
        with self._lock:
            return not exchange.truncated and known in self._files

    def store_document(self, url: str, document: dict[str, Any], at: datetime) -> None:
        """Store a JSON document of our own."""
        content = json.dumps(document, ensure_ascii=False).encode()
        self._series.append(document_record(url, content, "application/json", at))

    def _note_server(self, exchange: Exchange) -> None:
        """Store the certificates that a server sent, once in this ingest."""
        if not exchange.server.certificates:
            return
        server = urlsplit(exchange.url).netloc, exchange.server.certificates
        with self._lock:
            is_new = server not in self._servers
            self._servers.add(server)
        if is_new:
            self._series.append(certificates_record(exchange))

    def _original(self, fixity: Fixity) -> Capture | None:
        """Return the intact record that holds these bytes already, None if there is none."""
        if not fixity.size:
            return None
        sha256 = fixity.digests["sha256"]
        with self._lock:
            own = self._own.get(sha256)
        if own is not None:
            return own
        known = self._archive.ledger.captures.holding(sha256, fixity.size)
        return next((each for each in known if stored_fixity(self._archive, each, ())), None)

    def _keep(self, draft: "_Draft") -> Capture:
        capture = draft.capture
        with self._lock:
            self.captures.append(capture)
            if draft.platform_url is not None:
                self._files.add((capture.url, capture.sha256))
                if not capture.is_revisit:
                    self._own.setdefault(capture.sha256, capture)
        return capture

    def _has_bytes(self, capture: Capture) -> bool:
        """Say whether what a capture stands for is there: a revisit may outlive its original."""
        if capture.sha256 in self._own:
            return True
        return stored_fixity(self._archive, capture, ()) is not None

    def _is_intact(self, noted: "_Noted") -> bool:
        try:
            return self._reads_back(noted.capture)
        except (Damaged, OSError):
            return False

    def _reads_back(self, capture: Capture) -> bool:
        """Read a record that was taken up. Raises Damaged and OSError."""
        path = self._path_of(capture.filename)
        found = payload_fixity(path, capture.offset, capture.length, ["sha256"])
        return capture.is_revisit or found == Fixity(capture.size, {"sha256": capture.sha256})

    def _path_of(self, filename: str) -> Path:
        """Return where a WARC is now: sealed, or still in staging."""
        staged = self._series.staging / filename
        return staged if staged.exists() else self._archive.warcs / filename


@dataclass(slots=True)
class _Draft:
    """A capture that lacks only the place of its record, until its note is taken."""

    exchange: Exchange
    fixity: Fixity
    record_id: str
    original: Capture | None = None
    platform_url: str | None = None
    capture: Capture = field(init=False)

    def note(self, place: Place) -> Mapping[str, Any]:
        """Return what the journal is to say of it, now that it has its place."""
        self.capture = self._at(place)
        return _Noted(self.capture, self.fixity, self.platform_url).to_json()

    def _at(self, place: Place) -> Capture:
        exchange, original, digests = self.exchange, self.original, self.fixity.digests
        return Capture(
            url=exchange.url,
            surt=surt(exchange.url),
            timestamp=exchange.timestamp,
            mimetype=exchange.mimetype or UNKNOWN_TYPE,
            status_code=exchange.status_code,
            size=self.fixity.size or 0,
            md5=digests["md5"],
            sha1=digests["sha1"],
            sha256=digests["sha256"],
            filename=place.filename,
            offset=place.offset,
            length=place.length,
            record_id=self.record_id,
            is_revisit=original is not None,
            refers_to_url=original.url if original else None,
            refers_to_timestamp=original.timestamp if original else None,
        )


@dataclass(frozen=True, slots=True)
class _Noted:
    """A capture as the journal has it, with the address of the file that it was fetched for."""

    capture: Capture
    fixity: Fixity
    platform_url: str | None

    def to_json(self) -> dict[str, Any]:
        return {
            "capture": self.capture.to_fields(),
            "observed": self.fixity.to_json(),
            "platform_url": self.platform_url,
        }

    @classmethod
    def from_json(cls, note: Mapping[str, Any]) -> "_Noted":
        observed = Fixity.from_json(note["observed"])
        return cls(Capture(**note["capture"]), observed, note["platform_url"])


def stored_fixity(archive: Archive, capture: Capture, algorithms: Iterable[str]) -> Fixity | None:
    """Return what a capture's stored bytes (or those that it refers to) are today.

    None when they are not what they were, or cannot be read.
    """
    holder = archive.holder_of(capture)
    if holder is None:
        return None
    path = archive.warcs / holder.filename
    try:
        found = payload_fixity(path, holder.offset, holder.length, {"sha256", *algorithms})
    except (Damaged, OSError):
        return None
    is_same = found.digests["sha256"] == capture.sha256 and found.size == capture.size
    return found if is_same else None


def _description(entry: ManifestFile, via: str, fetched: Fetched, response_id: str) -> Record:
    """Return the metadata record of a file: its place in the dataset, and what it must be."""
    fields = {
        "via": via,
        "platformUrl": entry.platform_url or "",
        "path": entry.path,
        "size": str(fetched.fixity.size),
        **fetched.fixity.digests,
        **{f"declared-{name}": value for name, value in entry.declared.to_json().items()},
        "fetchTimeMs": str(round(fetched.exchange.elapsed_s * 1000)),
        **{f"http-{name}": text for name, text in fetched.exchange.rewritten_headers.items()},
    }
    texts = {name: str(value) for name, value in fields.items()}
    return metadata_record(fetched.exchange.url, response_id, texts, fetched.exchange.started)


def _fixity_record(exchange: Exchange, fixity: Fixity, response_id: str) -> Record:
    """Return the metadata record of a revisit, which itself does not say what it stands for."""
    texts = {"size": str(fixity.size), **fixity.digests}
    return metadata_record(exchange.url, response_id, texts, exchange.started)


def _fixity_of(body: bytes) -> Fixity:
    digests = {name: hashlib.new(name, body).hexdigest() for name in ("md5", "sha1", "sha256")}
    return Fixity(len(body), digests)
