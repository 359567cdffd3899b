# SPDX-License-Identifier: AGPL-3.0-or-later
"""From a payload that arrived to records that are proven to hold it.

A payload that the archive holds already becomes a revisit record, after the record that holds it
was read again: a reference to damaged bytes would be worse than a second copy.
"""

import hashlib
import json
import threading
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from carrel.archive import Archive
from carrel.capture.exchange import Exchange
from carrel.capture.records import (
    Record,
    document_record,
    metadata_record,
    new_record_id,
    request_record,
    response_record,
    revisit_record,
)
from carrel.capture.stored import Damaged, payload_fixity
from carrel.capture.transfer import Fetched
from carrel.capture.warc_series import Place, WarcSeries
from carrel.errors import IngestStop
from carrel.mementos.surt import surt
from carrel.model import Capture, Fixity, ManifestFile, Status
from carrel.model.capture import UNKNOWN_TYPE


class Shelf:
    """Where the captures of one ingest go. Threads may share it."""

    def __init__(self, archive: Archive, series: WarcSeries) -> None:
        self._archive, self._series = archive, series
        self._lock = threading.Lock()
        self._own: dict[str, Capture] = {}
        self.captures: list[Capture] = []

    def store(self, entry: ManifestFile, via: str, fetched: Fetched) -> Capture:
        """Store a payload with its request, its redirects and what is known of it.

        `via` is the page that led to it. Raises OSError, and IngestStop (store-damaged) when what
        was written can not be read back as it should.
        """
        try:
            return self._store(entry, via, fetched)
        except Damaged as error:
            message = f"{fetched.exchange.url} can not be stored: {error}."
            raise IngestStop(Status.STORE_DAMAGED, message) from error

    def _store(self, entry: ManifestFile, via: str, fetched: Fetched) -> Capture:
        for hop in fetched.hops:
            self.store_exchange(hop)
        original = self._original(fetched.fixity)
        record_id = fetched.part.record_id if fetched.part else new_record_id()
        companions = (
            request_record(fetched.exchange, record_id),
            _description(entry, via, fetched, record_id),
        )
        if original is not None:
            return self._store_revisit(fetched, original, record_id, companions)
        return self._store_response(fetched, record_id, companions)

    def store_exchange(self, exchange: Exchange) -> Capture:
        """Store an exchange whose body is in memory: a page, an answer of an interface, a hop."""
        record_id = new_record_id()
        response = response_record(exchange, exchange.body, record_id)
        place = self._series.append(response, request_record(exchange, record_id))
        return self._note(_capture(exchange, _fixity_of(exchange.body), place, record_id))

    def store_document(self, url: str, document: dict[str, Any], at: datetime) -> None:
        """Store a JSON document of our own."""
        content = json.dumps(document, ensure_ascii=False).encode()
        self._series.append(document_record(url, content, "application/json", at))

    def _original(self, fixity: Fixity) -> Capture | None:
        """Return the intact record that holds these bytes already, None if there is none."""
        if not fixity.size:
            return None
        sha256 = fixity.digests["sha256"]
        with self._lock:
            own = self._own.get(sha256)
        if own is not None:
            return own
        known = self._archive.ledger.capture_with(sha256, fixity.size)
        return known if known and stored_fixity(self._archive, known, ()) else None

    def _store_response(
        self, fetched: Fetched, record_id: str, companions: tuple[Record, ...]
    ) -> Capture:
        part = fetched.part
        if part is not None:
            place = self._series.adopt(part)
            self._series.append(*companions)
        else:
            record = response_record(fetched.exchange, fetched.exchange.body, record_id)
            place = self._series.append(record, *companions)
        capture = _capture(fetched.exchange, fetched.fixity, place, record_id)
        with self._lock:
            self._own.setdefault(capture.sha256, capture)
        return self._note(capture)

    def _store_revisit(
        self,
        fetched: Fetched,
        original: Capture,
        record_id: str,
        companions: tuple[Record, ...],
    ) -> Capture:
        if fetched.part is not None:
            fetched.part.discard()
        record = revisit_record(fetched.exchange, original, record_id)
        place = self._series.append(record, *companions)
        return self._note(_capture(fetched.exchange, fetched.fixity, place, record_id, original))

    def _note(self, capture: Capture) -> Capture:
        with self._lock:
            self.captures.append(capture)
        return capture


def stored_fixity(archive: Archive, capture: Capture, algorithms: Iterable[str]) -> Fixity | None:
    """Return what a capture's stored bytes (or those that it refers to) are today.

    None when they are not what they were, or can not be read.
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


def _capture(
    exchange: Exchange,
    fixity: Fixity,
    place: Place,
    record_id: str,
    original: Capture | None = None,
) -> Capture:
    return Capture(
        url=exchange.url,
        surt=surt(exchange.url),
        timestamp=exchange.timestamp,
        mimetype=exchange.mimetype or UNKNOWN_TYPE,
        status_code=exchange.status_code,
        size=fixity.size or 0,
        md5=fixity.digests["md5"],
        sha1=fixity.digests["sha1"],
        sha256=fixity.digests["sha256"],
        filename=place.filename,
        offset=place.offset,
        length=place.length,
        record_id=record_id,
        is_revisit=original is not None,
        refers_to_url=original.url if original else None,
        refers_to_timestamp=original.timestamp if original else None,
    )


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
    }
    texts = {name: str(value) for name, value in fields.items()}
    return metadata_record(fetched.exchange.url, response_id, texts, fetched.exchange.started)


def _fixity_of(body: bytes) -> Fixity:
    digests = {name: hashlib.new(name, body).hexdigest() for name in ("md5", "sha1", "sha256")}
    return Fixity(len(body), digests)
