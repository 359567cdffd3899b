# SPDX-License-Identifier: AGPL-3.0-or-later
"""From versions in the object store to records: read, verified on the way, and written."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from carrel.capture.annotations import metadata_record
from carrel.capture.exchange import Exchange
from carrel.capture.records import (
    Record,
    ResourceHead,
    ResponseHead,
    new_record_id,
    request_record,
)
from carrel.capture.warc_file import RollingWarcFiles, WarcFile
from carrel.dark_archive.export.exchanges import exchange_of, uri
from carrel.dark_archive.export.occasions import day, moment_of, occasion
from carrel.dark_archive.export.records import (
    UNKNOWN_TYPE,
    Original,
    redirect_record,
    revisit_record,
)
from carrel.dark_archive.store import ObjectStore
from carrel.errors import CarrelError
from carrel.ledger.dark.exports import ExportedVersion
from carrel.model import Fixity
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

TEMPLATE_TYPE = "text/plain; charset=utf-8"


class NotExported(CarrelError):
    """A version cannot be exported.

    `why` is not-lost, taken-down, missing, unreadable, or damaged.
    """

    def __init__(self, why: str, message: str) -> None:
        super().__init__(message)
        self.why = why


@dataclass(frozen=True, slots=True)
class TextCapture:
    """What a version of a full text is a capture of: where its bytes came from, and when."""

    url: str
    moment: datetime
    exchange: Exchange | None

    @classmethod
    def of(cls, version: ExportedVersion) -> "TextCapture":
        exchange = exchange_of(version.exchange)
        if exchange is not None:
            return cls(exchange.url, exchange.started, exchange)
        last = version.redirects[-1].to_url if version.redirects else version.ident_n
        return cls(uri(last), moment_of(version.tist), None)


class Captures:
    """What goes into `files`, of the bytes in `store`. Bytes that are in already are referred to.

    The methods raise NotExported, and leave nothing of a version then; OSError where a file cannot
    be written.
    """

    def __init__(self, store: ObjectStore, files: RollingWarcFiles) -> None:
        self._store, self._files = store, files
        self._originals: dict[str, Original] = {}

    def add_full_text(self, version: ExportedVersion) -> None:
        """Write a version with the hops that led to it, its request, and what is known of it."""
        _refuse_purged(version)
        capture = TextCapture.of(version)
        file = self._files.file_for(version.size)
        with file.whole_or_nothing():
            for hop in hops_of(version, capture.moment, new_record_id):
                file.add(hop)
            record_id = self._add_bytes(file, version, capture)
            if capture.exchange is not None:
                file.add(request_record(capture.exchange, record_id))
            file.add(_description(version, capture, record_id))

    def add_template(self, version: ExportedVersion) -> None:
        """Write a version of a template, under its handle as a name (urn:x-redif:…).

        In lower case: some indexers make their keys so, and others do not.
        """
        _refuse_purged(version)
        url = f"urn:x-redif:{quote(version.ident_n, safe=':/;,', errors='replace')}".lower()
        head = ResourceHead(new_record_id(), url, moment_of(version.tist), TEMPLATE_TYPE)
        file = self._files.file_for(version.size)
        with file.whole_or_nothing():
            self._add_stream(file, version, head)

    def _add_bytes(self, file: WarcFile, version: ExportedVersion, capture: TextCapture) -> str:
        """Write a version's bytes, or that they are there; return the record's name."""
        original = self._originals.get(version.sha256)
        if original is not None:
            revisit = revisit_record(capture.url, capture.moment, capture.exchange, original)
            file.add(revisit)
            return revisit.record_id
        head = head_of(version, capture, new_record_id())
        fixity = self._add_stream(file, version, head)
        if version.is_shared and version.size:
            self._originals[version.sha256] = Original(
                head.record_id, capture.url, capture.moment, fixity.digests["sha1"]
            )
        return head.record_id

    def _add_stream(
        self, file: WarcFile, version: ExportedVersion, head: ResourceHead | ResponseHead
    ) -> Fixity:
        fixity = file.stream(head, _blocks(self._store, version))
        _refuse_other(version, fixity.digests["sha256"])
        return fixity


def prove(store: ObjectStore, version: ExportedVersion) -> None:
    """Read a version as if it were written. Raises NotExported."""
    _refuse_purged(version)
    digest = hashlib.sha256()
    for block in _blocks(store, version):
        digest.update(block)
    _refuse_other(version, digest.hexdigest())


def _blocks(store: ObjectStore, version: ExportedVersion) -> Iterator[bytes]:
    """Yield the stored bytes, and never more of them than there should be."""
    left = version.size
    try:
        with store.open_object(version.path) as file:
            while block := file.read(MEBIBYTE):
                left -= len(block)
                if left < 0:
                    raise NotExported(
                        "damaged",
                        tr("{path} is longer than what was archived.", path=version.path),
                    )
                yield block
    except FileNotFoundError as error:
        raise NotExported(
            "missing", tr("{path} is not in the object store.", path=version.path)
        ) from error
    except OSError as error:
        message = tr(
            "{path} cannot be read: {strerror}.",
            path=version.path,
            strerror=error.strerror or error,
        )
        raise NotExported("unreadable", message) from error


def _refuse_other(version: ExportedVersion, sha256: str) -> None:
    if sha256 != version.sha256:
        raise NotExported(
            "damaged",
            tr(
                "{path} differs from what was stored: its SHA-256 does not match.",
                path=version.path,
            ),
        )


def _refuse_purged(version: ExportedVersion) -> None:
    if version.purged is not None:
        reason = f": {version.purge_reason}" if version.purge_reason else ""
        raise NotExported(
            "taken-down",
            tr("It was purged on {day}{reason}", day=day(version.purged), reason=reason),
        )


def head_of(
    version: ExportedVersion, capture: TextCapture, record_id: str
) -> ResourceHead | ResponseHead:
    """Return the head of the record of a version's bytes: a response, if what was answered is
    known."""
    if capture.exchange is not None:
        return ResponseHead(record_id, capture.exchange)
    return ResourceHead(record_id, capture.url, capture.moment, uri(version.media or UNKNOWN_TYPE))


def hops_of(
    version: ExportedVersion, moment: datetime, new_id: Callable[[], str]
) -> Iterator[Record]:
    """Yield the redirects from the address that templates name to where the bytes came from."""
    url = version.ident_n
    for redirect in version.redirects:
        yield redirect_record(url, redirect, moment, new_id())
        url = redirect.to_url


def _description(version: ExportedVersion, capture: TextCapture, record_id: str) -> Record:
    """Return the metadata record of a full text: who named it, how it stood, what it must be."""
    fields = {
        "namedAs": version.ident_n,
        "namedBy": _named(version.handles),
        "noted": moment_of(version.tist).isoformat(),
        "standing": occasion(version),
        "storedAs": version.path,
        "size": str(version.size),
        "sha256": version.sha256,
    }
    return metadata_record(capture.url, record_id, fields, capture.moment)


def _named(handles: Sequence[str]) -> str:
    return " ".join("".join(each.split()) for each in handles)
