# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARC files, also those in a WACZ, are copied or linked, verified, and become part of the
collection as they are; index and ledger follow.

A WARC that Carrel wrote brings the results of its ingests along, as far as its records bear them
out. Of a file in which anything is damaged nothing is taken.
"""

import errno
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from carrel.archive import Archive
from carrel.capture.digests import sha256_of
from carrel.capture.stored import Damaged, member_pieces
from carrel.engine.importing.attempts import parts_of
from carrel.engine.importing.contradictions import contradictions, otherwise_than_own
from carrel.engine.importing.doubts import NO_RESULT, doubts_of
from carrel.engine.importing.excerpts import is_excerpt
from carrel.engine.importing.imported import Imported, Progress
from carrel.engine.importing.lacking import lacking_in
from carrel.engine.importing.wacz_results import import_results
from carrel.engine.rebuilding.warc_contents import (
    Described,
    Document,
    OnlyPart,
    PartOf,
    TakenFrom,
    contents_of,
    former_warcs,
)
from carrel.engine.replication.both_sides import mends
from carrel.engine.replication.known_warc import KnownWarc
from carrel.engine.replication.repaired import take_place
from carrel.engine.staging import attended, staged_copy, staged_link
from carrel.engine.verification.noting import note_all_of, note_damage_in, note_damage_of
from carrel.errors import NotLoaded
from carrel.mementos.warc.problems import Problem, ProblemKind
from carrel.mementos.warc.wacz import Wacz
from carrel.model import Capture, Fixity
from carrel.model.counts import more_faults
from carrel.model.endings import WARC_ENDINGS
from carrel.model.manifest import files_of
from carrel.model.memento_part import Parts
from carrel.model.packed import PACKED, WarcPart
from carrel.model.safe_names import safe_name
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

_ENDING = ".warc.gz"
_WACZ = ".wacz"
# In an export it has the records that others rest on, and so comes first.
_EARLIER = "/earlier"
# Has files of a bundle, which comes along in another one.
_MEMBERS = "/members"
_WITHOUT_CAPTURE = tr("There is no capture in it.")
_IMPORT_BYTES = tr("Import the WARC that has the bytes, then this one again.")
# What is wrong with a record by itself, and no damage of the file.
_HARMLESS = (ProblemKind.NO_PAYLOAD, ProblemKind.NO_ADDRESS, ProblemKind.NO_DATE)


@dataclass(slots=True)
class _Contents:
    """What is in a WARC. Of its `results` the `documents` are those that are believed. `part_of` is
    the ingest that all of it belongs to; in a packed one each part has its own: `owners` has it by
    record, `parts` are the WARCs that were packed. It `lacks_bytes` where revisits stand for some
    that are elsewhere."""

    captures: list[Capture] = field(default_factory=list)
    documents: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    results: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    part_of: str = ""
    owners: dict[str, str] = field(default_factory=dict)
    parts: list[WarcPart] = field(default_factory=list)
    described: list[str] = field(default_factory=list)
    taken_from: list[str] = field(default_factory=list)
    damage: list[Problem] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    lacks_bytes: bool = False


def link_warc(archive: Archive, path: Path, progress: Progress) -> Imported:
    """Import a WARC by a hard link to it. Raises OSError, ArchiveError."""
    try:
        return _Import(archive, str(path), _pieces(path), progress.attend, link_to=path).run()
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        words = tr("It is on another file system. Import it without --link: it is copied.")
        return Imported(str(path), trouble=words)


def import_warcs(archive: Archive, path: Path, progress: Progress) -> Iterator[Imported]:
    """Import a WARC, or those in a WACZ, one by one. Raises OSError, NotLoaded, ArchiveError."""
    for source, pieces in _warcs_at(path):
        yield _Import(archive, source, pieces, progress.attend).run()
    if path.suffix.lower() == _WACZ:
        yield from import_results(archive, path)


def _warcs_at(path: Path) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield the WARCs that a path stands for, each with its bytes. Raises OSError, NotLoaded."""
    if path.suffix.lower() != _WACZ:
        yield str(path), _pieces(path)
        return
    wacz = Wacz(path)
    if not wacz.warc_names:
        raise NotLoaded(str(path), tr("There is no WARC in {name}.", name=path.name))
    for name in sorted(wacz.warc_names, key=_in_turn):
        yield f"{path}!{name}", wacz.pieces(name, 0)


def _in_turn(name: str) -> tuple[bool, bool, str]:
    """Return what puts those first that others rest on, and those last that rest on others."""
    return _EARLIER not in name, _MEMBERS in name, name


class _Import:
    """The import of one WARC."""

    def __init__(
        self,
        archive: Archive,
        source: str,
        pieces: Iterable[bytes],
        attend: Callable[[int], None],
        link_to: Path | None = None,
    ) -> None:
        self._archive, self._source, self._pieces = archive, source, pieces
        self._attend, self._link_to = attend, link_to
        self._wanted = safe_name(source.rpartition("/")[2])

    def run(self) -> Imported:
        """Raises OSError, NotLoaded, ArchiveError."""
        if not self._wanted.lower().endswith(WARC_ENDINGS):
            words = tr(
                "It is no WARC, WACZ, tar or zip, by its name. Other files become a dataset if "
                "they are in a folder, or are given a title; a list of addresses is opened on the "
                "page Add datasets, or by “carrel batch add”."
            )
            return self._refused(words)
        if not self._wanted.endswith(_ENDING):
            if not any(self._pieces):
                return self._refused(_WITHOUT_CAPTURE)
            return self._refused(
                tr("It is not a .warc.gz file; “warcio recompress IN OUT.warc.gz” makes one of it.")
            )
        with self._staged() as (staged, sha256):
            known = self._known(staged)
            if packed := self._packed_as(known, sha256):
                words = tr("It is here, packed into {name}.", name=packed.filename)
                return Imported(self._source, was_there=True, remarks=[words])
            faults = self._mended_by(known, staged)
            name = self._known_as(known, staged, sha256) or self._name_for(sha256)
            name = self._wanted if faults else name
            was_there = (self._archive.warcs / name).exists()
            was_lost = not was_there and bool(self._archive.ledger.captures.count_in([name]))
            contents = self._read(staged, name)
            if contents.damage:
                return self._refused(_damage(contents.damage))
            if not contents.captures and not contents.documents:
                return self._refused(_nothing_in(contents))
            brought = contents.captures, contents.results
            if not was_there and (why := next(contradictions(self._archive, *brought), "")):
                return self._refused(why)
            if self._has_bundles_of(contents):
                words = tr("Its files are in a bundle that is here, and were not stored again.")
                return Imported(self._source, was_there=True, remarks=[words])
            if not was_there and self._has_all_of(contents, sha256):
                words = tr("Its records are here, in other WARCs, and were not stored again.")
                return Imported(self._source, was_there=True, remarks=[words])
            if name.startswith(PACKED):
                former = former_warcs(contents.parts, staged.stat().st_size)
                self._archive.ledger.packed.add(former, is_removed=True)
            lacking = lacking_in(self._archive, contents.documents, contents.captures)
            if faults:
                contents.remarks.append(self._take_place(staged, name))
            else:
                self._archive.take_in(None if was_there else staged, name, contents.captures)
        new, attempts = self._archive.ledger.ingests.adopt(
            contents.captures,
            contents.documents,
            came_in=self._source.rpartition("/")[2],
            owner=contents.part_of,
            owners=contents.owners if name.startswith(PACKED) else {},
            described=contents.described,
            parts=parts_of(self._archive, {*contents.documents}),
            lacking=lacking,
        )
        for each in attempts:
            contents.remarks += otherwise_than_own(self._archive, each)
        count = len(contents.captures)
        restored = count - new if was_lost else min(faults, count)
        if was_lost or faults:
            note_all_of(self._archive, self._archive.warcs / name, self._attend, _remedy(name))
        elif new < count:
            restored = self._bring_back(name, contents.captures)
        return Imported(
            self._source, name, count, new, attempts, was_there and not faults,
            remarks=contents.remarks,
            restored=restored,
        )  # fmt: skip

    def _mended_by(self, known: Capture | None, staged: Path) -> int:
        """Return how much is not intact in the WARC of the same name and records that is here, if
        this one has all that the ledger has of it; else 0."""
        path = self._archive.warcs / self._wanted
        if known is None or known.filename != self._wanted or not path.exists():
            return 0
        faults = note_damage_in(self._archive, path, self._attend)
        if not faults or note_damage_in(self._archive, staged, self._attend):
            return 0
        warc = KnownWarc(self._archive, self._wanted)
        return 0 if mends(path, staged, warc) else len(faults)

    def _take_place(self, staged: Path, name: str) -> str:
        """Have this WARC take the place of a damaged one; return what that is called now."""
        self._archive.check_place()
        kept = take_place(staged, self._archive.warcs / name)
        return tr("The damaged one is now {name}.", name=kept)

    def _bring_back(self, name: str, captures: Sequence[Capture]) -> int:
        """Have records that the archive has elsewhere, and has not intact any more, be in the WARC
        of this name from now on, as a rebuild would; return how many."""
        ledger = self._archive.ledger
        known = filter(None, (ledger.captures.get(each.record_id) for each in captures))
        elsewhere = [each for each in known if each.filename != name]
        bad = {each.own_id for each in note_damage_of(self._archive, elsewhere, self._attend)}
        fixities = {each.record_id: each.fixity for each in elsewhere if each.record_id in bad}
        back = [each for each in captures if fixities.get(each.record_id) == each.fixity]
        if back:
            with self._archive.index.left_behind():
                ledger.ingests.move(back)
            self._archive.index.write()
            note_all_of(self._archive, self._archive.warcs / name, self._attend, _remedy(name))
        return len(back)

    @contextmanager
    def _staged(self) -> Iterator[tuple[Path, str]]:
        """Give the WARC as a file in staging, with its SHA-256. Raises OSError."""
        pieces, staging = attended(self._pieces, self._attend), self._archive.staging
        if self._link_to is None:
            with staged_copy(staging, "import", self._wanted, pieces) as staged:
                yield staged
        else:
            with staged_link(staging, "import", self._link_to, self._wanted) as path:
                yield path, sha256_of(pieces)

    def _has_bundles_of(self, contents: _Contents) -> bool:
        """Say whether all that is here was taken out of bundles that the archive has, intact."""
        bundles = contents.taken_from
        if contents.documents or len(bundles) != len(contents.captures):
            return False
        known = [*map(self._archive.ledger.captures.get, dict.fromkeys(bundles))]
        there = [each for each in known if each is not None]
        return there == known and not note_damage_of(self._archive, there, self._attend)

    def _has_all_of(self, contents: _Contents, sha256: str) -> bool:
        """Say whether it is an excerpt of WARCs that are here, and brings no result."""
        return not contents.documents and is_excerpt(
            self._archive, sha256, contents.captures, self._attend
        )

    def _refused(self, trouble: str) -> Imported:
        return Imported(self._source, trouble=trouble)

    def _known(self, staged: Path) -> Capture | None:
        """Return the first capture of a WARC as the ledger knows it, None if it does not."""
        contents = contents_of(staged, lambda problem: None)
        first = next((each for each in contents if isinstance(each, Capture)), None)
        return self._archive.ledger.captures.get(first.record_id) if first else None

    def _known_as(self, known: Capture | None, staged: Path, sha256: str) -> str:
        """Return the name that this very WARC has in the collection, by the first of its captures,
        "" if it is not there."""
        there = self._archive.warcs / known.filename if known else None
        if known is None or there is None or not there.is_file():
            return ""
        is_same = there.stat().st_size == staged.stat().st_size
        return known.filename if is_same and sha256_of(_pieces(there)) == sha256 else ""

    def _name_for(self, sha256: str) -> str:
        """Return the name of the file in the collection: its own, unless another one has it."""
        stem = self._wanted.removesuffix(_ENDING)
        for number in count(1):
            name = f"{stem}-{number}{_ENDING}" if number > 1 else self._wanted
            there = self._archive.warcs / name
            if not there.exists() or sha256_of(_pieces(there)) == sha256:
                return name
        raise AssertionError("numbers do not end")

    def _packed_as(self, known: Capture | None, sha256: str) -> WarcPart | None:
        """Return the part of a packed WARC that is this very WARC, by the first of its captures or
        by its name; None if none is."""
        packed = self._archive.ledger.packed
        part = packed.part_of(known) if known else packed.get(self._wanted)
        if part is None or not part.length:
            return None
        try:
            pieces = member_pieces(self._archive.warcs / part.filename, part.offset, part.length)
            return part if sha256_of(pieces) == sha256 else None
        except (OSError, Damaged):  # it comes in beside what is not whole
            return None

    def _read(self, staged: Path, name: str) -> _Contents:
        found, only_parts = _Contents(), Parts()
        by_sha1: dict[str, Fixity] = {}
        owner = ""

        def note(problem: Problem) -> None:
            if problem.kind in _HARMLESS:
                found.remarks.append(problem.message)
            else:
                found.damage.append(problem)

        def resolve(revisit: Capture) -> Fixity | None:
            if revisit.sha1 in by_sha1 or not revisit.sha1:
                return by_sha1.get(revisit.sha1)
            known = self._archive.ledger.capture_index.with_digest("sha1", revisit.sha1)
            found.lacks_bytes |= not known
            return known[0].fixity if known else None

        for each in contents_of(staged, note, resolve):
            match each:
                case Document():
                    found.documents[each.ingest_id] = each.result
                case PartOf():
                    found.part_of = found.part_of or each.ingest_id
                    part = WarcPart(each.name or name, name, each.offset)
                    found.parts.append(part)
                    owner = each.ingest_id
                case Described():
                    found.described.append(each.record_id)
                    found.owners[each.record_id] = owner
                case OnlyPart():
                    only_parts.add(each.url, each.timestamp, each.part)
                case TakenFrom():
                    found.taken_from.append(each.record_id)
                case Capture():
                    self._attend(each.length)
                    found.owners[each.record_id] = owner
                    by_sha1.setdefault(each.sha1, each.fixity)
                    found.captures.append(_called(each, name))
        found.remarks += only_parts.sentences
        found.results.update(found.documents)
        for ingest_id in [*found.documents]:
            if why := self._why_not(found.documents[ingest_id], found.captures):
                del found.documents[ingest_id]
                found.remarks.append(f"{ingest_id}: {why}")
        return found

    def _why_not(self, result: Mapping[str, Any], captures: Sequence[Capture]) -> str:
        """Return why a result is not believed, "" if the records bear it out."""
        at = {(each.url, each.timestamp): each for each in captures}
        try:
            of_bundle = ((result.get("fileset_bundle") or {}).get("file_meta") or {}).get(
                "sha256hex"
            )
            for entry in result.get("manifest") or []:
                if not str(entry.get("status")).startswith("success"):
                    continue
                capture = at.get((entry.get("terminal_url"), entry.get("terminal_dt")))
                extra = entry.get("extra") or {}
                if capture is None or "stored_payload" in extra:
                    continue
                # A file of a bundle has the place of the bundle, whose record is another one's.
                sha256 = of_bundle if "bundle_member" in extra else entry.get("sha256")
                if sha256 not in (None, capture.sha256):
                    return tr("{path} is said to have another SHA-256.", path=entry.get("path"))
            if not {"request", "started", "finished", "hit", "status"} <= result.keys():
                return tr("it is not the result of an ingest.")
            return next(doubts_of(result, files_of(result)), "")
        except NO_RESULT as error:
            return tr("it is not the result of an ingest: {error}.", error=error)


def _nothing_in(contents: _Contents) -> str:
    """Return why nothing is taken from a WARC without captures: what it has instead."""
    if not contents.remarks:
        return _WITHOUT_CAPTURE
    more = len(contents.remarks) - 1
    first = f"{contents.remarks[0]}{f' {more_faults(more)}' if more else ''}"
    words = tr("Nothing in it can be taken: {first}", first=first)
    return f"{words} {_IMPORT_BYTES}" if contents.lacks_bytes else words


def _remedy(name: str) -> str:
    return tr("Imported again, in {name}.", name=name)


def _called(capture: Capture, name: str) -> Capture:
    return capture if capture.filename == name else replace(capture, filename=name)


def _damage(problems: Sequence[Problem]) -> str:
    more = len(problems) - 1
    first = f"{problems[0].message} ({tr('byte {offset}', offset=problems[0].offset)})"
    rest = f" {more_faults(more)}" if more else ""
    return tr("It is damaged: {first}{rest}", first=first, rest=rest)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from iter(lambda: file.read(MEBIBYTE), b"")
