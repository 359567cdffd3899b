# SPDX-License-Identifier: AGPL-3.0-or-later
"""The bytes of mementos: a look at the beginning, a whole file, two side by side.

All of it blocks, and is for worker threads.
"""

import base64
import difflib
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from carrel.mementos.loading.decoding import decoded
from carrel.mementos.loading.record import Record, http_fields
from carrel.model import Memento
from carrel.model.memento_views import Comparison, Peek, Saved

# Texts are compared up to this size; more takes longer than anybody waits.
_MOST_COMPARED = 512 * 1024
_MOST_DIFF_LINES = 5000
_TEXTS = re.compile(r"text/|.*[/+](json|xml|csv|javascript|x-ndjson|yaml|sql)$")


def peeked(record: Record, memento: Memento, most: int) -> Peek:
    """Return the heads and the first bytes of a memento, decoded. Raises NotLoaded."""
    content, is_whole = _beginning(decoded(record), most)
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
        delivered_at="".join(filter(str.isdigit, record.field("WARC-Date")))[:14],
    )


def saved(
    record: Record,
    memento: Memento,
    path: Path,
    tell: Callable[[int, int], None],
    *,
    decodes: bool = True,
) -> Saved:
    """Write the payload of a memento to a file, whole or not at all.

    What the index says of its digest holds for the payload as it was transferred, so that this is
    what is proven. Raises NotLoaded, and OSError.
    """
    proof, sha256, size = hashlib.sha1(), hashlib.sha256(), 0  # the digest that indexes have
    record.payload = _watched(record.payload, proof.update, record.payload_length, tell)
    pieces = decoded(record) if decodes else record.payload
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            for piece in pieces:
                file.write(piece)
                sha256.update(piece)
                size += len(piece)
            for _ in record.payload:  # what stands behind a packed stream counts for the digest
                pass
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return Saved(path, size, sha256.hexdigest(), _is_proven(memento, proof.digest()))


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
    )


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
        self.name = f"{memento.timestamp} {memento.source}"

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
        return None, "They are not both texts."
    if not (one.is_short and other.is_short):
        return None, f"They are longer than {_MOST_COMPARED // 1024} KiB, too long to be compared."
    lines = difflib.unified_diff(one.lines(), other.lines(), one.name, other.name, lineterm="")
    diff = list(islice(lines, _MOST_DIFF_LINES + 1))
    if len(diff) > _MOST_DIFF_LINES:
        return diff[:_MOST_DIFF_LINES], f"These are the first {_MOST_DIFF_LINES} lines that differ."
    return diff, "" if diff else "They differ in line ends or in how letters are written."


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


def _is_proven(memento: Memento, sha1: bytes) -> bool | None:
    """Say whether a payload has the digest of its index; None where that has no SHA-1."""
    declared = memento.bare_digest
    if not re.fullmatch(r"[A-Z2-7]{32}", declared):
        return None
    return declared == base64.b32encode(sha1).decode()
