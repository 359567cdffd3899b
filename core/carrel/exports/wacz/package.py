# SPDX-License-Identifier: AGPL-3.0-or-later
"""Holdings as one WACZ file: records, index, list of pages, and what the datasets are."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from carrel.access.proof import Attend
from carrel.access.saving import Plan, Saving
from carrel.archive import Archive
from carrel.capture.stored import Damaged, member_pieces
from carrel.errors import NotRead
from carrel.exports.holding import Holding
from carrel.exports.texts import table
from carrel.exports.wacz.description import About, describe
from carrel.exports.wacz.members import (
    MemberRecord,
    Written,
    member_records,
    write_members,
)
from carrel.exports.wacz.pages import Page, page_list, pages_of
from carrel.exports.wacz.records import EARLIER, RecordCopies
from carrel.exports.wacz.shares import Packed, Share
from carrel.exports.wacz.signing import Sign
from carrel.exports.wacz.zip_file import ZipFile

INDEX = "indexes/index.cdx"
PAGES = "pages/pages.jsonl"


class Package:
    """Packs a share of holdings. What is between is put into `folder`, which is the export's own.

    `places` are the holdings and positions in the manifest of those files that are in it by now.
    """

    def __init__(
        self,
        archive: Archive,
        every: Sequence[Packed],
        share: Share,
        folder: Path,
        attend: Attend,
        sign: Sign | None = None,
    ) -> None:
        self._every, self._share, self._folder, self._sign = every, share, folder, sign
        self._copies = RecordCopies(archive, attend)
        self.places: set[tuple[str, int]] = set()

    def write(self, target: BinaryIO, saving: Saving, about: About) -> None:
        """Write the package.

        Raises Damaged for what is not as it was archived, NotRead for what cannot be read,
        UsageError where it is not signed, and OSError.
        """
        package = ZipFile(target)
        self._add_records(package)
        members = [
            each for packed in self._share.bundled for each in self._add(package, packed, saving)
        ]
        of_each = [(each, list(self._pages(each, members))) for each in self._every]
        pages = [page for _, of_one in of_each for page in of_one]
        lines = sorted(f"{line}\n".encode() for line in self._copies.lines)
        package.add(INDEX, b"".join(lines))
        package.add(PAGES, page_list(pages))
        for each in (packed for packed, of_one in of_each if of_one):
            package.add(each.result, each.holding.document)
            if lacking := each.holding.lacking:
                rows = ([it.file, it.reason, it.address] for it in lacking)
                package.add(each.not_kept, table(["file", "why", "other place"], rows))
        describe(package, about, pages, self._sign)
        package.finish()

    def _add_records(self, package: ZipFile) -> None:
        for warc, captures in self._share.warcs:
            with package.entry(f"archive/{warc.name}", self._copies.size(warc)) as write:
                self._copies.copy_warc(warc, captures, write)
        if earlier := self._share.earlier:
            earlier.sort(key=lambda each: (each.filename, each.offset))
            most = self._copies.most_of_earlier(earlier)
            with package.entry(f"archive/{EARLIER}", most) as write:
                self._copies.copy_earlier(earlier, write)

    def _add(self, package: ZipFile, packed: Packed, saving: Saving) -> Sequence[Written]:
        """Add the members of a holding's bundle."""
        records = member_records(packed.holding)
        path = self._folder / packed.members
        written = write_members(path, packed.holding, self._taken_out(records, saving))
        with package.entry(f"archive/{path.name}", path.stat().st_size) as write:
            for piece in member_pieces(path, 0, path.stat().st_size):
                write(piece)
        for each in written:
            digest = hashlib.sha256()
            for piece in member_pieces(path, each.offset, each.length):
                digest.update(piece)
            line = each.record.line(
                path.name, each.offset, each.length, each.fixity, digest.hexdigest()
            )
            self._copies.lines.append(line)
        path.unlink()
        return written

    def _taken_out(
        self, records: Sequence[MemberRecord], saving: Saving
    ) -> Iterator[tuple[MemberRecord, Path]]:
        """Yield the files of a bundle, each proven, in the order of the manifest."""
        path_of = {
            each.file.held.position: self._folder / str(each.file.held.position) for each in records
        }
        plans = [Plan(each.file.held, path_of[each.file.held.position]) for each in records]
        for saved in saving.save_all(plans, may_replace=False):
            if saved.copy is None:
                why = saved.reason
                raise Damaged(why) if saved.is_damaged else NotRead(saved.file, why)
        for each in records:
            path = path_of[each.file.held.position]
            yield each, path
            path.unlink()

    def _pages(self, packed: Packed, members: Sequence[Written]) -> Iterator[Page]:
        """Return the pages of a holding that are in this package."""
        landing = packed.records.landing
        is_here = landing is not None and self._share.has(landing)
        places = self._places(packed.holding, members)
        self.places.update((packed.holding.ingest_id, position) for position in places)
        return pages_of(packed.holding, landing if is_here else None, places)

    def _places(self, holding: Holding, members: Sequence[Written]) -> dict[int, tuple[str, str]]:
        """Return address and time of the record of each file that is here, by its place in the
        manifest."""
        places = {
            each.record.file.held.position: (each.record.url, each.record.bundle.timestamp)
            for each in members
            if each.record.file.held.ingest_id == holding.ingest_id
        }
        for file in holding.files:
            if file.held.member is None:
                here = (each for each in file.held.captures if self._share.has(each))
                if record := next(here, None):
                    places[file.held.position] = record.url, record.timestamp
        return places
