# SPDX-License-Identifier: AGPL-3.0-or-later
"""A holding as one WACZ file: records, index, list of pages, and what the dataset is."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from carrel import __version__
from carrel.access.proof import Attend
from carrel.access.saving import Plan, Saving
from carrel.archive import Archive
from carrel.capture.stored import Damaged, member_pieces
from carrel.exports.holding import Holding
from carrel.exports.moments import in_iso
from carrel.exports.papers import NOT_KEPT, RESULT
from carrel.exports.texts import one_line, table
from carrel.exports.wacz.members import (
    MEMBERS,
    MemberRecord,
    Written,
    member_records,
    write_members,
)
from carrel.exports.wacz.pages import Page, page_list, pages_of
from carrel.exports.wacz.records import EARLIER, RecordCopies, Records
from carrel.exports.wacz.zip_file import Entry, ZipFile

_VERSION = "1.1.1"
INDEX = "indexes/index.cdx"
PAGES = "pages/pages.jsonl"


class Package:
    """Packs one holding. What is between is put into `folder`, which is the export's own."""

    def __init__(
        self, archive: Archive, holding: Holding, records: Records, folder: Path, attend: Attend
    ) -> None:
        self._archive, self._holding, self._records = archive, holding, records
        self._folder, self._attend = folder, attend
        self._copies = RecordCopies(archive, attend)

    def write(self, target: BinaryIO, saving: Saving) -> int:
        """Write the package, and return how many files of the dataset are in it.

        Raises Damaged for what is not as it was archived, and OSError.
        """
        package = ZipFile(target)
        self._add_records(package)
        members = self._add_members(package, saving)
        pages = list(pages_of(self._holding, self._records.landing, self._places(members)))
        lines = sorted(f"{line}\n".encode() for line in self._copies.lines)
        package.add(INDEX, b"".join(lines))
        package.add(PAGES, page_list(iter(pages)))
        package.add(RESULT, self._holding.document)
        if lacking := self._holding.lacking:
            rows = ([each.file, each.reason, each.address] for each in lacking)
            package.add(NOT_KEPT, table(["file", "why", "other place"], rows))
        self._add_description(package, pages)
        package.finish()
        return len(pages) - (self._records.landing is not None)

    def _add_records(self, package: ZipFile) -> None:
        for name, captures in self._records.warcs:
            with package.entry(f"archive/{name}", self._copies.size(name)) as write:
                self._copies.copy_warc(name, captures, write)
        if earlier := self._records.earlier:
            most = sum(each.length for each in earlier)
            with package.entry(f"archive/{EARLIER}", most) as write:
                self._copies.copy_earlier(earlier, write)

    def _add_members(self, package: ZipFile, saving: Saving) -> Sequence[Written]:
        records = member_records(self._holding)
        if not records:
            return []
        path = self._folder / MEMBERS
        written = write_members(path, self._holding, self._taken_out(records, saving))
        with package.entry(f"archive/{MEMBERS}", path.stat().st_size) as write:
            for piece in member_pieces(path, 0, path.stat().st_size):
                write(piece)
        for each in written:
            digest = hashlib.sha256()
            for piece in member_pieces(path, each.offset, each.length):
                digest.update(piece)
            line = each.record.line(each.offset, each.length, each.fixity, digest.hexdigest())
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
                raise Damaged(saved.reason)
        for each in records:
            path = path_of[each.file.held.position]
            yield each, path
            path.unlink()

    def _places(self, members: Sequence[Written]) -> dict[int, tuple[str, str]]:
        """Return address and time of the record of each file, by its place in the manifest."""
        places = {
            each.record.file.held.position: (each.record.url, each.record.bundle.timestamp)
            for each in members
        }
        for file in self._holding.files:
            record = self._records.of_file(file.held.captures)
            if file.held.member is None and record is not None:
                places[file.held.position] = record.url, record.timestamp
        return places

    def _add_description(self, package: ZipFile, pages: Sequence[Page]) -> None:
        description = _description(self._holding, pages[0], package.entries)
        content = json.dumps(description, indent=1).encode() + b"\n"
        package.add("datapackage.json", content)
        digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
        named = json.dumps({"path": "datapackage.json", "hash": digest}, indent=1)
        package.add("datapackage-digest.json", named.encode() + b"\n")


def _description(holding: Holding, main: Page, entries: Sequence[Entry]) -> dict[str, Any]:
    title = one_line(holding.dataset.name)
    citation = one_line(holding.dataset.citation)
    return {
        "profile": "data-package",
        "wacz_version": _VERSION,
        "title": title,
        "description": citation,
        # Where ReplayWeb.page looks for them.
        "metadata": {"title": title, "desc": citation},
        "created": holding.finished,
        "modified": holding.finished,
        "software": f"Carrel {__version__}",
        "mainPageUrl": main.url,
        "mainPageDate": in_iso(main.timestamp),
        "resources": list(_resources(entries)),
    }


def _resources(entries: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    taken: set[str] = set()
    for number, each in enumerate(entries):
        name = re.sub(r"[^-a-z0-9._]", "-", each.name.rpartition("/")[2].lower())
        name = name if name not in taken else f"{number}-{name}"
        taken.add(name)
        digest = f"sha256:{each.sha256}"
        yield {"name": name, "path": each.name, "hash": digest, "bytes": each.size}
