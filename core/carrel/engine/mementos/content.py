# SPDX-License-Identifier: AGPL-3.0-or-later
"""The bytes of mementos: a look at the beginning, a whole file, two side by side.

All of it blocks, and is for worker threads.
"""

import base64
import difflib
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from carrel.mementos.loading.content_coding import decoded, unchunked, unpacked
from carrel.mementos.loading.part import part_of
from carrel.mementos.loading.record import Record, http_fields, http_status
from carrel.model import Memento
from carrel.model.memento_views import Comparison, Peek, Saved, is_another
from carrel.translation import tr
from carrel.whole_file import whole_file

# Texts are compared up to this size; more takes longer than anyone waits.
_MOST_COMPARED = 128 * 1024
_MOST_DIFF_LINES = 5000
_TEXTS = re.compile(r"text/|.*[/+](json|xml|csv|javascript|x-ndjson|yaml|sql)$")


def peeked(record: Record, memento: Memento, most: int) -> Peek:
    """Return the heads and the first bytes of a memento, decoded. Raises NotLoaded.

    One that is read whole is compared with the digest of its index.
    """
    proof = _Proof(record, _nobody)
    content, is_whole = _beginning(_pieces(proof, Form.DECODED), most)
    mimetype, charset = _kind(record, memento)
    return Peek(
        memento=memento,
        warc_head="".join(f"{name}: {value}\n" for name, value in record.fields),
        http_head=record.http_head.decode("latin-1").replace("\r\n", "\n").rstrip("\n"),
        mimetype=mimetype,
        charset=charset,
        content=content,
        is_whole=is_whole,
        length=record.payload_length,
        delivered_at=record.captured_at,
        is_proven=proof.of(memento) if is_whole else None,
        part=part_of(record),
        status=http_status(record.http_head),
    )


class Form(Enum):
    """What is written of a memento: its content, its payload as it was sent, its whole record."""

    DECODED = "decoded"
    AS_SENT = "as-sent"
    RECORD = "record"


def saved(
    record: Record,
    memento: Memento,
    path: Path,
    tell: Callable[[int, int], None],
    form: Form = Form.DECODED,
) -> Saved:
    """Write a memento to a file, whole or not at all; what is no regular file is written into.

    Raises NotLoaded and NotUnpacked, and OSError with the path.
    """
    with whole_file(path) as file:
        return copied(record, memento, file, tell, form, path)


def copied(
    record: Record,
    memento: Memento,
    file: BinaryIO,
    tell: Callable[[int, int], None],
    form: Form,
    path: Path,
) -> Saved:
    """Write a memento into an open file and return what it is; `path` is what the file is called.

    Raises NotLoaded, NotUnpacked and OSError.
    """
    proof, sha256, size = _Proof(record, tell), hashlib.sha256(), 0
    for piece in _pieces(proof, form):
        file.write(piece)
        sha256.update(piece)
        size += len(piece)
    return Saved(
        path,
        size,
        sha256.hexdigest(),
        proof.of(memento),
        record.captured_at,
        part_of(record),
        http_status(record.http_head),
    )


class _Proof:
    """The digests of a record's payload, taken while it is read.

    What an index says of a digest holds for the payload as it was sent, with or without the chunks
    of HTTP: this is what is proven. `whole` is the record with its payload as it is stored,
    `entity` yields the payload without chunks.
    """

    def __init__(self, record: Record, tell: Callable[[int, int], None]) -> None:
        length = record.payload_length
        self._as_sent, self._without_chunks = hashlib.sha1(), hashlib.sha1()  # as indexes have them
        self.whole = replace(
            record, payload=_watched(record.payload, self._as_sent.update, length, tell)
        )
        self.entity = _watched(unchunked(self.whole), self._without_chunks.update, length, _nobody)

    def of(self, memento: Memento) -> bool | None:
        """Say whether a payload is what its index says; None where that has no SHA-1."""
        for _ in self.entity:  # what stands behind a packed stream counts for the digests
            pass
        for _ in self.whole.payload:
            pass
        return _is_proven(memento, (self._as_sent.digest(), self._without_chunks.digest()))


def _pieces(proof: _Proof, form: Form) -> Iterator[bytes]:
    """Yield what is written of a record."""
    if form is Form.RECORD:
        return proof.whole.to_warc()
    if form is Form.AS_SENT:
        return proof.entity
    coding = http_fields(proof.whole.http_head).get("content-encoding", "")
    return unpacked(proof.entity, coding)


def _nobody(done: int, total: int) -> None: ...


def compared(one: tuple[Memento, Record], other: tuple[Memento, Record]) -> Comparison:
    """Say whether two mementos have the same content, and where not, how they differ.

    Raises NotLoaded.
    """
    sides = [_Side(*one), _Side(*other)]
    first, second = sides
    is_same = first.sha256 == second.sha256
    diff, reason = (None, "") if is_same else _difference(first, second)
    return Comparison(
        is_same=is_same,
        sizes=(first.size, second.size),
        mimetypes=(first.mimetype, second.mimetype),
        sha256=(first.sha256, second.sha256),
        diff=diff,
        reason=reason,
        delivered_at=(first.delivered_at, second.delivered_at),
        are_one_capture=_are_one_capture(first, second),
        parts=(first.part, second.part),
    )


def _are_one_capture(one: "_Side", other: "_Side") -> bool:
    """Say whether an archive delivered one of its captures for two that it lists: of one time, and
    the same bytes."""
    are_listed_apart = one.memento.timestamp[:14] != other.memento.timestamp[:14]
    return are_listed_apart and one.capture == other.capture and one.sha256 == other.sha256


class _Side:
    """One of two mementos: all of it hashed, its beginning kept."""

    def __init__(self, memento: Memento, record: Record) -> None:
        digest, self.size = hashlib.sha256(), 0
        kept = bytearray()
        for piece in decoded(record):
            digest.update(piece)
            self.size += len(piece)
            kept += piece[: _MOST_COMPARED + 1 - len(kept)]
        self.sha256 = digest.hexdigest()
        self.mimetype, self._charset = _kind(record, memento)
        self.is_short = len(kept) <= _MOST_COMPARED
        self._beginning = bytes(kept)
        self.memento = memento
        self.delivered_at = record.captured_at
        self.part = part_of(record)
        self.name = " ".join(self.capture)

    @property
    def capture(self) -> tuple[str, str]:
        """What was delivered, by its time and the source that has it."""
        is_another_one = is_another(self.memento, self.delivered_at)
        moment = self.delivered_at if is_another_one else self.memento.timestamp[:14]
        return moment, self.memento.source

    @property
    def is_text(self) -> bool:
        return bool(_TEXTS.match(self.mimetype)) and b"\0" not in self._beginning

    def lines(self) -> list[str]:
        try:
            text = self._beginning.decode(self._charset or "utf-8", "replace")
        except LookupError:
            text = self._beginning.decode("utf-8", "replace")
        return text.splitlines()


def _difference(one: _Side, other: _Side) -> tuple[list[str] | None, str]:
    if not (one.is_text and other.is_text):
        return None, tr("They are not both text.")
    if not (one.is_short and other.is_short):
        return None, tr(
            "They are longer than {most_compared} KiB, too long to compare.",
            most_compared=_MOST_COMPARED // 1024,
        )
    lines = difflib.unified_diff(one.lines(), other.lines(), one.name, other.name, lineterm="")
    diff = list(islice(lines, _MOST_DIFF_LINES + 1))
    if len(diff) > _MOST_DIFF_LINES:
        return diff[:_MOST_DIFF_LINES], tr(
            "These are the first {most_diff_lines:,} lines that differ.",
            most_diff_lines=_MOST_DIFF_LINES,
        )
    return diff, "" if diff else tr("They differ in line endings or in character encoding.")


def _kind(record: Record, memento: Memento) -> tuple[str, str]:
    """Return the type of a memento without parameters, and its charset, "" if none is declared."""
    declared = http_fields(record.http_head).get("content-type", "")
    mimetype = declared.partition(";")[0].strip().lower() or memento.mimetype
    charset = re.search(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", declared, re.IGNORECASE)
    return mimetype, charset[1].lower() if charset else ""


def _beginning(pieces: Iterator[bytes], most: int) -> tuple[bytes, bool]:
    content = bytearray()
    for piece in pieces:
        content += piece
        if len(content) > most:
            return bytes(content[:most]), False
    return bytes(content), True


def _watched(
    pieces: Iterator[bytes],
    feed: Callable[[bytes], None],
    total: int,
    tell: Callable[[int, int], None],
) -> Iterator[bytes]:
    done = 0
    for piece in pieces:
        feed(piece)
        done += len(piece)
        tell(done, total)
        yield piece


def _is_proven(memento: Memento, sha1s: Iterable[bytes]) -> bool | None:
    """Say whether one of these is the digest of the index; None where that has no SHA-1."""
    declared = memento.bare_digest
    if not re.fullmatch(r"[A-Z2-7]{32}", declared):
        return None
    return declared in [base64.b32encode(each).decode() for each in sha1s]
