# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a WARC says for the ledger: its captures, and the results of ingests."""

import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from carrel.capture.annotations import INGEST_URN
from carrel.engine.verification.contents import read_contents
from carrel.mementos.loading.record import http_fields
from carrel.mementos.warc.parts import part_of_raw
from carrel.mementos.warc.problems import InvalidRecord, Note, Problem, ProblemKind
from carrel.mementos.warc.reader import RawRecord, records
from carrel.model import Capture, Fixity
from carrel.model.capture import UNKNOWN_TYPE
from carrel.model.memento_part import Part
from carrel.model.packed import PACKED, WarcPart
from carrel.model.surt import surt
from carrel.translation import tr

Resolve = Callable[[Capture], Fixity | None]

_DIGESTS = ("md5", "sha1", "sha256")
_WARC_FIELDS = "application/warc-fields"
_STATUS_OF_RESOURCES = 200
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)? +(\d{3})")
# A head of HTTP is looked at up to here, a document is read up to there.
_HEAD_BYTES = 64 * 1024
_DOCUMENT_BYTES = 512 * 1024**2


@dataclass(frozen=True, slots=True)
class Document:
    """The result of an ingest, as it stands in a WARC."""

    ingest_id: str
    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PartOf:
    """What a warcinfo record says of the records behind it: the ingest that they belong to, ""
    where it says none, and the name of the WARC that they were written in. `offset` is where it
    stands itself: in a packed WARC there are several.
    """

    ingest_id: str
    name: str = ""
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Described:
    """A record that a metadata record of a WARC describes, and the size and digests that it names.

    `filename` and `offset` say where the description stands; the record may be in another file.
    """

    record_id: str
    url: str
    fixity: Fixity
    filename: str
    offset: int


@dataclass(frozen=True, slots=True)
class TakenFrom:
    """The record of the bundle that a resource record, which came before, was taken out of."""

    record_id: str


@dataclass(frozen=True, slots=True)
class OnlyPart:
    """That the capture which came before is only a part of what its server had."""

    url: str
    timestamp: str
    part: Part


Content = Capture | Document | PartOf | Described | TakenFrom | OnlyPart


def contents_of(
    path: Path, note: Note, resolve: Resolve = lambda revisit: None
) -> Iterator[Content]:
    """Yield what a WARC has for the ledger, each record read to its end and compared with its
    digests. What cannot be taken is told to `note`, and left out. Raises OSError.

    `resolve` returns size and digests of what a revisit stands for, where no metadata record says
    them: it is given the revisit with its declared SHA-1.
    """

    def settled(revisit: Capture) -> Iterator[Capture]:
        if fixity := resolve(revisit):
            yield _with_fixity(revisit, fixity)
        else:
            note(_undescribed(revisit))

    waiting: Capture | None = None
    for record in records(path, note):
        try:
            part = part_of_raw(record)
            found, described = _read(record, path.name)
        except InvalidRecord as error:
            note(Problem(error.kind, path.name, record.offset, str(error)))
            continue
        if described:
            yield described
        if waiting and described and described.record_id == waiting.record_id:
            yield _with_fixity(waiting, described.fixity)
            waiting = None
        if isinstance(found, Capture) and found.is_revisit:
            if waiting:
                yield from settled(waiting)
            waiting = found
        elif found:
            yield found
            if part and isinstance(found, Capture):
                yield OnlyPart(found.url, found.timestamp, part)
            if record.kind == "resource" and (other := record.head.named.get("warc-refers-to")):
                yield TakenFrom(other)
    if waiting:
        yield from settled(waiting)


def first_of(path: Path) -> Content | None:
    """Return the first of what a WARC has for the ledger, None for nothing, or no WARC."""
    try:
        return next(contents_of(path, lambda problem: None), None)
    except OSError:  # whoever verifies is told of it
        return None


def by_part(
    part: WarcPart, found: Sequence[Content]
) -> Iterator[tuple[WarcPart, Sequence[Content]]]:
    """Yield what follows in a WARC by the part that it stands in; `part` is that of the first.

    A part goes from one warcinfo record to the next. Its length is not known yet.
    """
    begun = 0
    for number, each in enumerate(found):
        if isinstance(each, PartOf):
            if number > begun:
                yield part, found[begun:number]
            name = each.name if part.filename.startswith(PACKED) else ""
            part, begun = WarcPart(name or part.filename, part.filename, each.offset), number
    yield part, found[begun:]


def former_warcs(parts: Sequence[WarcPart], size: int) -> Sequence[WarcPart]:
    """Return those parts of a WARC of so many bytes that were WARCs, with their lengths.

    `parts` are all of it, in their order.
    """
    if not parts:
        return []  # there is nothing in it
    ends = [*(part.offset for part in parts[1:]), size]
    whole = (replace(part, length=end - part.offset) for part, end in zip(parts, ends, strict=True))
    return [part for part in whole if part.is_packed]


def _read(
    record: RawRecord, filename: str
) -> tuple[Capture | Document | PartOf | None, Described | None]:
    """Return what a record is for the ledger, and what it says of the one that it describes.

    Raises InvalidRecord.
    """
    if record.kind in ("response", "revisit"):
        return _capture(record, filename), None
    if record.kind == "resource":
        return _resource(record, filename), None
    if record.kind == "warcinfo":
        return _part_of(record), None
    if record.kind == "metadata":
        is_note = record.head.named.get("content-type", "").startswith(_WARC_FIELDS)
        if record.url.startswith(INGEST_URN) and not is_note:
            return _document(record), None
        return None, _described(record, filename)
    return None, None


def _capture(record: RawRecord, filename: str) -> Capture | None:
    head = record.block.beginning(_HEAD_BYTES).partition(b"\r\n\r\n")[0]
    status = _STATUS.match(head)
    if status is None:
        return None
    declared = http_fields(head + b"\r\n\r\n").get("content-type", "")
    capture = _captured(record, filename, declared, int(status[1]))
    if record.kind != "revisit":
        return capture
    named = record.head.named
    return replace(
        capture,
        sha1=_sha1_in(named.get("warc-payload-digest", "")),
        is_revisit=True,
        refers_to_url=named.get("warc-refers-to-target-uri"),
        refers_to_timestamp=_digits(named.get("warc-refers-to-date")),
    )


def _resource(record: RawRecord, filename: str) -> Capture | None:
    """Return a file that was stored as it is: readers serve it as an answer that succeeded."""
    declared = record.head.named.get("content-type", "")
    if declared.startswith(_WARC_FIELDS) or not record.url:
        return None
    return _captured(record, filename, declared, _STATUS_OF_RESOURCES)


def _captured(record: RawRecord, filename: str, declared: str, status: int) -> Capture:
    """Read a record to its end, and return the capture that it is."""
    contents = read_contents(record.block, _DIGESTS)
    if contents.faults:
        raise InvalidRecord(ProblemKind.WRONG_DIGEST, " ".join(contents.faults))
    if not record.is_reachable:
        raise InvalidRecord(
            ProblemKind.SHARED_MEMBER, tr("A record shares its gzip member with others.")
        )
    named, payload = record.head.named, contents.payload
    if not record.timestamp:
        raise InvalidRecord(ProblemKind.NO_DATE, tr("A record has no valid time of capture."))
    if not named.get("warc-record-id"):
        raise InvalidRecord(ProblemKind.NO_RECORD, tr("A record has no WARC-Record-ID."))
    return Capture(
        url=record.url,
        surt=_key_of(record.url),
        timestamp=record.timestamp,
        mimetype=declared.partition(";")[0].strip().lower() or UNKNOWN_TYPE,
        status_code=status,
        size=payload.size or 0,
        md5=payload.digests["md5"],
        sha1=payload.digests["sha1"],
        sha256=payload.digests["sha256"],
        filename=filename,
        offset=record.offset,
        length=record.length,
        record_id=named["warc-record-id"],
    )


def _part_of(record: RawRecord) -> PartOf:
    name = record.head.named.get("warc-filename", "")
    if record.block.left > _HEAD_BYTES:
        return PartOf("", name, record.offset)
    fields = _fields_of(record)
    urn = fields.get("ispartof", "")
    is_ours = fields.get("software", "").startswith("Carrel") and urn.startswith(INGEST_URN)
    return PartOf(urn.removeprefix(INGEST_URN) if is_ours else "", name, record.offset)


def _key_of(url: str) -> str:
    try:
        return surt(url)
    except ValueError as error:
        message = tr("A record's address is not valid: {error}.", error=error)
        raise InvalidRecord(ProblemKind.NO_ADDRESS, message) from error


def _document(record: RawRecord) -> Document | None:
    content = _text_of(record)
    try:
        return Document(record.url.removeprefix(INGEST_URN), json.loads(content))
    except ValueError as error:
        what = tr("The result of an ingest is not JSON: {error}.", error=error)
        raise InvalidRecord(ProblemKind.NO_RECORD, what) from error


def _described(record: RawRecord, filename: str) -> Described | None:
    """Return which record a metadata record describes, and what it says of it."""
    if not record.head.named.get("content-type", "").startswith(_WARC_FIELDS):
        return None
    fields = _fields_of(record)
    if not fields.get("size", "").isdigit() or not all(name in fields for name in _DIGESTS):
        return None
    fixity = Fixity(int(fields["size"]), {name: fields[name] for name in _DIGESTS})
    record_id = record.head.named.get("warc-refers-to", "")
    return Described(record_id, record.url, fixity, filename, record.offset)


def _fields_of(record: RawRecord) -> Mapping[str, str]:
    """Return the fields of a block by their names in lower case."""
    lines = (
        line.partition(":") for line in _text_of(record).decode("utf-8", "replace").split("\n")
    )
    return {name.lower(): value.strip() for name, _, value in lines}


def _text_of(record: RawRecord) -> bytes:
    if record.block.left > _DOCUMENT_BYTES:
        raise InvalidRecord(ProblemKind.WRONG_LENGTH, tr("A record of Carrel's own is too long."))
    return b"".join(record.block.pieces())


def _with_fixity(revisit: Capture, fixity: Fixity) -> Capture:
    """Return a revisit with size and digests of the payload that it stands for."""
    md5, sha1, sha256 = (fixity.digests[name] for name in _DIGESTS)
    return replace(revisit, size=fixity.size or 0, md5=md5, sha1=sha1, sha256=sha256)


def _undescribed(revisit: Capture) -> Problem:
    unknown = tr(
        "A revisit of {url}: it has no SHA-1 by which its bytes could be found.",
        url=revisit.url,
    )
    absent = tr("A revisit of {url}: the bytes that it stands for are not here.", url=revisit.url)
    message = absent if revisit.sha1 else unknown
    return Problem(ProblemKind.NO_PAYLOAD, revisit.filename, revisit.offset, message)


def _sha1_in(label: str) -> str:
    """Return the SHA-1 of a WARC digest as hex, "" for any other."""
    algorithm, _, value = label.partition(":")
    try:
        return base64.b32decode(value).hex() if algorithm.lower() == "sha1" else ""
    except ValueError:
        return ""


def _digits(date: str | None) -> str | None:
    return re.sub(r"\D", "", date)[:14] if date else None
