# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a packed WARC itself says of the WARCs that it was made of.

The journal does not tell of packing. So a ledger that was made again while a packed WARC was
missing or cut off, and one from before the packing, have its records in WARCs that are not here.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from carrel.archive import Archive
from carrel.engine.rebuilding.warc_contents import PartOf, contents_of, former_warcs
from carrel.engine.replication.known_warc import has_any
from carrel.ledger import Ledger
from carrel.model import Capture
from carrel.model.packed import WarcPart


def parts_in(ledger: Ledger, warc: Path) -> list[WarcPart]:
    """Return the WARCs that one was packed of, each with its place in it. Raises OSError.

    The first record of each has its name. Where that one is damaged, the ledger knows a capture
    behind it, and how far from the begin of its WARC it was.
    """
    named, told, broken = dict[int, str](), dict[int, str](), set[int]()
    for each in contents_of(warc, lambda problem: broken.add(problem.offset)):
        if isinstance(each, PartOf):
            named[each.offset] = each.name or warc.name
        elif isinstance(each, Capture):
            told.update(_begins(ledger, each))
    begun = {offset: name for offset, name in told.items() if offset in broken} | named
    parts = [WarcPart(name, warc.name, offset) for offset, name in sorted(begun.items())]
    return list(former_warcs(parts, warc.stat().st_size))


def _begins(ledger: Ledger, found: Capture) -> Iterator[tuple[int, str]]:
    """Yield where the WARC begins that a record is of, and its name, if the ledger knows it."""
    known = ledger.captures.get(found.record_id)
    if known and known.sha256 == found.sha256:
        name, offset = ledger.packed.part_of(known).former_place(known)
        yield found.offset - offset, name


def note_parts(archive: Archive, warc: Path) -> bool:
    """Have ledger and index know what is in a packed WARC that the ledger has elsewhere, where
    nothing is; return whether there was any. Raises ArchiveError and OSError."""
    parts = [each for each in parts_in(archive.ledger, warc) if _is_unknown(archive, warc, each)]
    if parts:
        with archive.index.left_behind():
            archive.ledger.packed.move(parts)
        archive.index.write()
    return bool(parts)


def _is_unknown(archive: Archive, warc: Path, part: WarcPart) -> bool:
    """Say whether the ledger does not have a WARC be this part, or not all of it, though it has
    records of it: or knows none, and it is in no other file."""
    noted = archive.ledger.packed.get(part.name)
    if noted == part or (noted and noted.filename != part.filename):
        return False
    if noted is None and (archive.warcs / part.name).exists():
        return False
    known = [as_packed(each, part) for each in archive.ledger.captures.in_warc(part.name)]
    return not known or has_any(warc, known)


def as_packed(capture: Capture, part: WarcPart) -> Capture:
    """Return a capture of a WARC with the place that it has in a part of a packed one."""
    return replace(capture, filename=part.filename, offset=part.offset + capture.offset)
