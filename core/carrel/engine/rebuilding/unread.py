# SPDX-License-Identifier: AGPL-3.0-or-later
"""Records that nothing but the WARCs told of, and that cannot be read there any more.

A file that was kept rests on a record. Where no one has that record the file is not here, though
the result of its ingest says so: what the result and the WARC still tell of the record is put into
the ledger, so that whoever reads the WARC again finds it missing or damaged.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from carrel.access.holding_files import holding_files
from carrel.capture.annotations import INGEST_URN
from carrel.engine.rebuilding.told import Told, told_of, told_of_bundle
from carrel.engine.rebuilding.warc_contents import Described
from carrel.ledger import Ledger
from carrel.ledger.rebuilding import Rebuilding
from carrel.mementos.warc.problems import Problem
from carrel.mementos.warc.reader import member_length
from carrel.model import Capture


class Unread:
    """Makes captures of records that could not be read. `warcs` is the folder of the WARCs."""

    def __init__(self, ledger: Ledger, rebuilding: Rebuilding, warcs: Path) -> None:
        self._ledger, self._rebuilding, self._warcs = ledger, rebuilding, warcs
        self._described: list[Described] = []
        self._broken: dict[str, list[int]] = {}

    def note(self, described: Iterable[Described]) -> None:
        """Take note of what a WARC describes; what the ledger knows is not held on to."""
        known = self._ledger.captures.get
        self._described += [each for each in described if known(each.record_id) is None]

    def settle(self, ingest_ids: Sequence[str], problems: Iterable[Problem]) -> set[str]:
        """Have each file that these attempts kept rest on a record. `problems` say which places of
        the WARCs could not be read. Returns the names of the WARCs to read once more, for what is
        missing there.

        Raises ArchiveError.
        """
        for problem in problems:
            self._broken.setdefault(problem.name, []).append(problem.offset)
        described, self._described = self._described, []
        self.note(described)  # a large payload has a WARC of its own, which may be read later
        named = set[str]()
        for ingest_id in ingest_ids:
            named |= self._settle(ingest_id)
        return named | self._rebuilding.warcs_of_lone_revisits()

    def _settle(self, ingest_id: str) -> set[str]:
        made = self._bundle_of(ingest_id)
        self._rebuilding.rest_on(ingest_id, made, {})
        own = self._ledger.captures.by_position(ingest_id)
        resting: dict[int, str] = {}
        for held in holding_files(self._ledger, ingest_id):
            if not held.file.is_kept or held.position in own or held.member is not None:
                continue
            told = told_of(held.file)
            if held.captures and not (told and self._is_lost(ingest_id, told, held.captures)):
                resting[held.position] = held.captures[0].record_id
            elif told and not held.elsewhere:
                capture = self._made(ingest_id, told)
                made.append(capture)
                resting[held.position] = capture.record_id
        self._rebuilding.rest_on(ingest_id, made, resting)
        return {capture.filename for capture in made}

    def _is_lost(self, ingest_id: str, told: Told, others: Sequence[Capture]) -> bool:
        """Return whether a record of this attempt had the bytes of a file and cannot be read: its
        WARC describes it, and what else has the bytes came later."""
        if any(each.timestamp <= told.timestamp for each in others if not each.is_revisit):
            return False  # then it only refers to that one
        names = self._rebuilding.warcs_of(ingest_id)
        return any(
            each.filename in names and self._broken_before(each)
            for each in self._described
            if _is_of(each, told)
        )

    def _bundle_of(self, ingest_id: str) -> list[Capture]:
        """Return the record of the bundle that an attempt kept, nothing if it is known or none."""
        result = self._ledger.result(ingest_id) or {}
        told = told_of_bundle(result.get("fileset_bundle") or {})
        if told is None:
            return []
        holding = self._ledger.captures.holding(
            told.fixity.digests["sha256"], told.fixity.size or 0
        )
        return [] if holding else [self._made(ingest_id, told)]

    def _made(self, ingest_id: str, told: Told) -> Capture:
        described = self._description_of(told)
        if described is None:
            name = f"{INGEST_URN}{ingest_id}:{told.url}:{told.timestamp}"
            record_id = f"<{uuid.uuid5(uuid.NAMESPACE_URL, name).urn}>"
            filename, offset = self._place(self._rebuilding.warcs_of(ingest_id))
        else:
            record_id = described.record_id
            filename, offset = self._place_before(described, self._rebuilding.warcs_of(ingest_id))
        return replace(told, fixity=described.fixity if described else told.fixity).capture(
            record_id, filename, offset=offset, length=member_length(self._warcs / filename, offset)
        )

    def _description_of(self, told: Told) -> Described | None:
        """Return what a WARC says of a record, None if none does; it is of no other record then."""
        for each in self._described:
            if _is_of(each, told):
                self._described.remove(each)
                return each
        return None

    def _place_before(self, described: Described, names: Sequence[str]) -> tuple[str, int]:
        """Return the place of a record by what describes it, which follows it in its WARC, or
        stands in another one of the ingest."""
        before = self._broken_before(described)
        if not before:
            return self._place([each for each in names if each != described.filename] or names)
        self._broken[described.filename].remove(before[-1])
        return described.filename, before[-1]

    def _broken_before(self, described: Described) -> Sequence[int]:
        """Return the places before what describes a record, in its WARC, that cannot be read."""
        broken = self._broken.get(described.filename, [])
        return [offset for offset in broken if offset < described.offset]

    def _place(self, names: Sequence[str]) -> tuple[str, int]:
        """Return a place in these WARCs that could not be read; the first one's begin for none."""
        for name in names:
            if broken := self._broken.get(name):
                return name, broken.pop(0)
        return names[0], 0


def _is_of(described: Described, told: Told) -> bool:
    wanted = told.url, told.fixity.digests["sha256"]
    return (described.url, described.fixity.digests["sha256"]) == wanted
