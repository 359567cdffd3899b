# SPDX-License-Identifier: AGPL-3.0-or-later
"""The records of a WARC that was copied, each read and compared with what the ledger knows of it.

As a fixity run does, with one digest in place of three: SHA-256 says what the others say.
"""

import hashlib
import io
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from carrel.capture.stored import Damaged, check_members, member_pieces, payload_fixity, payload_in
from carrel.ledger.merging import Row
from carrel.model import Fate
from carrel.model.not_imported import NOT_IMPORTED, WAS_NOT_IMPORTED
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr


@dataclass(frozen=True, slots=True)
class Fault:
    """A record that is not as it was written. `record_id` is "" for one that the ledger does not
    list, as the request beside a response."""

    name: str
    offset: int
    fate: Fate
    message: str
    record_id: str = ""
    url: str = ""


def faults_in(
    path: Path, name: str, captures: Iterable[Row], attend: Callable[[int], None]
) -> Iterator[Fault]:
    """Yield what is not intact in a WARC that is called `name` in its archive; `captures` are those
    that are in it, by offset. What lies between them is read, too.

    `attend` is told how many bytes of the file were read since it was told last. Raises OSError.
    """
    with io.FileIO(path) as file:
        stretches = _Stretches(path, file)
        end = 0
        for capture in captures:
            if capture["is_revisit"]:
                continue  # has no bytes of its own: what lies between
            if capture["offset"] > end:
                yield from _between(stretches, name, end, capture["offset"])
            yield from _of_capture(stretches, name, capture)
            attend(max(0, capture["offset"] + capture["length"] - end))
            end = max(end, capture["offset"] + capture["length"])
        size = os.fstat(file.fileno()).st_size
        if size > end:
            yield from _between(stretches, name, end, size)
            attend(size - end)


class _Stretches:
    """Stretches of one file. Small ones are read at once: there are thousands."""

    def __init__(self, path: Path, file: io.FileIO) -> None:
        self._path, self._file = path, file

    def pieces(self, offset: int, length: int) -> Iterable[bytes]:
        """Return the bytes of a stretch. Raises Damaged where the file ends before it."""
        if 0 < length <= MEBIBYTE:
            self._file.seek(offset)
            piece = self._file.read(length)
            if len(piece) == length:
                return (piece,)
        return member_pieces(self._path, offset, length)

    def fixity(self, offset: int, length: int) -> tuple[int, str]:
        """Return size and SHA-256 of the payload of the record in a stretch. Raises Damaged."""
        if length > MEBIBYTE:
            found = payload_fixity(self._path, offset, length, ("sha256",))
            return found.size or 0, found.digests["sha256"]
        size, digest = 0, hashlib.sha256()
        for block in payload_in(self.pieces(offset, length)):
            size += len(block)
            digest.update(block)
        return size, digest.hexdigest()


def missing(name: str, captures: Iterable[Row]) -> Iterator[Fault]:
    """Yield that records are gone, with the file that they were in."""
    words = tr("The archive that it came from had no {name} any more.", name=name)
    if name.startswith(NOT_IMPORTED):
        words = WAS_NOT_IMPORTED
    for each in captures:
        yield Fault(name, each["offset"], Fate.MISSING, words, each["record_id"], each["url"])


def _of_capture(stretches: _Stretches, name: str, capture: Row) -> Iterator[Fault]:
    try:
        size, sha256 = stretches.fixity(capture["offset"], capture["length"])
    except Damaged as error:
        words = str(error)
        fault = f"{words[:1].upper()}{words[1:]}."
    else:
        fault = _difference(capture, size, sha256)
    if fault:
        yield Fault(
            name, capture["offset"], Fate.DAMAGED, fault, capture["record_id"], capture["url"]
        )


def _difference(capture: Row, size: int, sha256: str) -> str:
    if size != capture["size"]:
        return tr(
            "The payload has {found} bytes instead of {expected}.",
            found=size,
            expected=capture["size"],
        )
    if sha256 != capture["sha256"]:
        return tr(
            "The payload's {algorithm} is {digests} instead of {digest}.",
            algorithm="sha256",
            digests=sha256,
            digest=capture["sha256"],
        )
    return ""


def _between(stretches: _Stretches, name: str, start: int, end: int) -> Iterator[Fault]:
    try:
        check_members(stretches.pieces(start, end - start))
    except Damaged as error:
        words = tr("Between byte {start} and {end}: {error}.", start=start, end=end, error=error)
        yield Fault(name, start, Fate.DAMAGED, words)
