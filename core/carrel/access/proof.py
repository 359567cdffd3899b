# SPDX-License-Identifier: AGPL-3.0-or-later
"""The bytes of an archived file, read from its record and compared with all that is known of them.

Nothing is passed on before it is proven: who asks gets a file that was written to its end, and
deletes it when this raises.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO

from carrel.access.advice import advice_on
from carrel.access.holding_files import HoldingFile
from carrel.archive import Archive
from carrel.capture.digests import ALWAYS, Digester, algorithms_for
from carrel.capture.exchange import CannotDecode, ContentDecoder
from carrel.capture.stored import Damaged, content_coding, difference, payload_blocks
from carrel.errors import CarrelError, NotProven, NotRead
from carrel.model import Capture, Fixity, ManifestFile
from carrel.model.not_imported import NOT_IMPORTED
from carrel.translation import tr

Attend = Callable[[int], None]


def no_one(count: int) -> None:
    """Attend to nothing."""


def write_proven(
    archive: Archive,
    held: HoldingFile,
    target: BinaryIO,
    attend: Attend = no_one,
    algorithms: Sequence[str] = (),
    *,
    only: Sequence[str] = (),
) -> Fixity:
    """Write a file that has a record of its own, and return what it is. Blocks.

    Each record that should have the bytes is tried, and others with the same digest. `attend` is
    told how many bytes were read since it was told last; what it raises ends the work. Digests by
    further `algorithms` are computed on the way, or by those in `only`, SHA-256 among them, where
    no one is handed what is written. Raises NotProven, with advice, NotRead, and OSError where it
    cannot be written.
    """
    faults: list[CarrelError] = []
    for capture in candidates(archive, held.captures):
        target.seek(0)
        target.truncate()
        try:
            with closing(Digester(only or algorithms_of(held.file, algorithms))) as digester:
                return _written(archive, capture, held.file, target, attend, digester)
        except (Damaged, NotRead) as error:
            faults.append(error)
    raise no_copy(archive, held, faults)


def candidates(archive: Archive, captures: tuple[Capture, ...]) -> Iterator[Capture]:
    """Yield the records that hold the bytes of these captures, the one that is meant first."""
    seen: set[str] = set()
    for capture in captures:
        others = archive.ledger.captures.holding(capture.sha256, capture.size)
        for holder in (archive.holder_of(capture), *others):
            if holder is not None and holder.record_id not in seen:
                seen.add(holder.record_id)
                yield holder


def no_copy(
    archive: Archive, held: HoldingFile, faults: Sequence[CarrelError]
) -> NotProven | NotRead:
    """Return why a file cannot be handed over, by what is wrong with each record of its bytes."""
    if any(isinstance(fault, NotRead) for fault in faults):
        return _not_read(held, faults)
    why = str(faults[0]) if faults else tr("no record in the ledger has its bytes")
    return not_proven(archive, held, why)


def _not_read(held: HoldingFile, faults: Sequence[CarrelError]) -> NotRead:
    """Return that nothing is known of a file's bytes before a WARC can be read, and what to do."""
    why = " ".join(f"{str(fault).rstrip('.')}." for fault in faults)
    return NotRead(held.file.path, f"{_why_not(held, why)} {_elsewhere(held)}".rstrip())


def not_proven(archive: Archive, held: HoldingFile, why: str) -> NotProven:
    """Return what is wrong with a file that no record has as it should be, and what to do."""
    words, elsewhere = _why_not(held, why), _elsewhere(held)
    own = next(iter(candidates(archive, held.captures)), None)
    advice = advice_on(archive, own.record_id, no_one).words if own else ""
    told = " ".join(part for part in (words, advice, elsewhere) if part)
    return NotProven(held.file.path, told, f"{words} {elsewhere}".strip())


def _why_not(held: HoldingFile, why: str) -> str:
    return tr(
        "{path} cannot be handed over: {why}.",
        path=held.file.path,
        why=why.rstrip("."),
    )


def _elsewhere(held: HoldingFile) -> str:
    return tr("It is also at {address}.", address=held.elsewhere) if held.elsewhere else ""


def payload(archive: Archive, capture: Capture, attend: Attend) -> Iterator[bytes]:
    """Yield a record's payload; it is proven when the last piece was taken.

    Raises Damaged, also where there is no such file, and NotRead.
    """
    with closing(Digester(ALWAYS)) as digester:
        for block in _stored(archive, capture, attend):
            digester.feed(block)
            yield block
        if fault := difference(capture, digester.fixity()):
            raise Damaged(fault)


def unlike(file: ManifestFile, found: Fixity) -> str:
    """Return how bytes differ from what is known of a file, "" if they do not."""
    for known in filter(None, (file.observed, file.declared)):
        if known.size is not None and known.size != found.size:
            return tr(
                "it has {found} bytes instead of {expected}",
                found=found.size,
                expected=known.size,
            )
        for algorithm, digest in known.digests.items():
            computed = found.digests.get(algorithm)
            if computed is not None and computed != digest.lower():
                return tr(
                    "its {algorithm} is {computed} instead of {digest}",
                    algorithm=algorithm,
                    computed=computed,
                    digest=digest,
                )
    return ""


def algorithms_of(file: ManifestFile, others: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the algorithms of all digests that are known of a file, ours, and others."""
    observed = file.observed.digests if file.observed else {}
    return algorithms_for(dict.fromkeys([*file.declared.digests, *observed, *others]))


def _written(
    archive: Archive,
    capture: Capture,
    file: ManifestFile,
    target: BinaryIO,
    attend: Attend,
    digester: Digester,
) -> Fixity:
    """Write the published form of what a record holds. Raises Damaged, NotRead and OSError."""
    is_as_sent = _is_as_sent(capture, file)
    if is_as_sent:  # its digests are those of the payload, and need not be computed twice
        pieces = _stored(archive, capture, attend)
    else:
        pieces = _decoded(archive, capture, payload(archive, capture, attend))
    for piece in pieces:
        digester.feed(piece)
        target.write(piece)
    found = digester.fixity()
    fault = difference(capture, found) if is_as_sent else ""
    if fault := fault or unlike(file, found):
        raise Damaged(fault)
    return found


def _stored(archive: Archive, capture: Capture, attend: Attend) -> Iterator[bytes]:
    """Yield a record's payload, whole but not yet proven. Raises Damaged and NotRead."""
    path = archive.warcs / capture.filename
    with reading(path):
        for block in payload_blocks(path, capture.offset, capture.length):
            attend(len(block))
            yield block


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Raise Damaged where a WARC that is read is not there, NotRead where it cannot be read."""
    try:
        yield
    except FileNotFoundError as error:
        if path.name.startswith(NOT_IMPORTED):
            raise Damaged(tr("its record is in another WARC, which was not imported")) from error
        raise Damaged(tr("there is no {path}", path=path)) from error
    except OSError as error:
        raise not_read(path, error) from error


def not_read(path: Path, error: OSError) -> NotRead:
    """Return that a file with bytes of the archive cannot be read, why, and what to do."""
    words = tr(
        "{path} cannot be read: {reason}. Make it readable, then try again.",
        path=path,
        reason=error.strerror or error,
    )
    return NotRead(str(path), words)


def _is_as_sent(capture: Capture, file: ManifestFile) -> bool:
    """Say whether a file is what was sent, and not what that is with its coding undone."""
    observed = file.observed.digests.get("sha256") if file.observed else None
    if observed is None:
        return "stored_payload" not in file.extra
    return observed == capture.sha256


def _decoded(archive: Archive, capture: Capture, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield a payload with its content coding undone. Raises Damaged and NotRead."""
    path = archive.warcs / capture.filename
    try:
        with reading(path):
            coding = content_coding(path, capture.offset, capture.length)
        decoder = ContentDecoder(coding)
        for piece in pieces:
            yield from decoder.feed(piece)
    except CannotDecode as error:
        raise Damaged(str(error)) from error
    if not decoder.is_complete:
        raise Damaged(tr("its content coding ends too early"))
