# SPDX-License-Identifier: AGPL-3.0-or-later
"""The full texts of one handle of the dark archive as a WACZ: there whole, or not at all.

Each text is a record, with the redirects that led to it before it: a response if what was answered
is known, else a resource. It is proven while it is copied, and read again for the index.
"""

import hashlib
import os
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from carrel.capture.stored import Damaged, member_pieces
from carrel.capture.warc_file import WarcFile
from carrel.dark_archive.export.captures import TextCapture, head_of, hops_of
from carrel.errors import NotProven
from carrel.exports.dark import Released, StoredCopies
from carrel.exports.folder import WholeFolder
from carrel.exports.holding import ExportedFile, Holding
from carrel.exports.papers import NOT_KEPT, RESULT, as_received
from carrel.exports.texts import exact, table
from carrel.exports.wacz.description import About, describe
from carrel.exports.wacz.package import INDEX, PAGES
from carrel.exports.wacz.pages import Page, page_list
from carrel.exports.wacz.warcinfo import warcinfo
from carrel.exports.wacz.zip_file import ZipFile
from carrel.ledger.dark.exports import ExportedVersion
from carrel.mementos.warc.indexer import index_file
from carrel.mementos.warc.problems import Problem
from carrel.mementos.warc.stretches import Options
from carrel.model.dark import ObiKind
from carrel.model.exports import Exported, NotExported
from carrel.whole_file import move_beside

_NAMESPACE = uuid.UUID("0d0c9c36-4b53-5a2e-8a55-9a0cbf6b6a53")


@dataclass(slots=True)
class _Written:
    """The pages of what is in the WARC, and what is not."""

    pages: list[Page] = field(default_factory=list)
    size: int = 0
    lacking: list[NotExported] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TextPacking:
    """Packs what is `released` of one handle; `copies` read it. All of it blocks."""

    released: Released
    copies: StoredCopies
    leaves_out_damaged: bool = False

    def pack(self, holding: Holding, target: Path) -> Exported:
        """Write the package of what was released, its templates aside.

        Raises Damaged for what is not as it was archived, NotRead, FileExistsError, and OSError.
        """
        folder = WholeFolder(target, ())
        try:
            warc = folder.part / f"{holding.name}.warc.gz"
            written = self._write_warc(warc, holding)
            path = folder.part / "package"
            with path.open("x+b") as file:
                self._write(ZipFile(file), warc, holding, written)
                file.flush()
                os.fsync(file.fileno())
            move_beside(path, target)
        finally:
            folder.discard()
        title, lacking = holding.dataset.name, [*holding.lacking, *written.lacking]
        files = len(written.pages)
        return Exported(
            *(holding.ingest_id, title, target, files, written.size, lacking),
            file_count=files + len(lacking),
        )

    def _write_warc(self, path: Path, holding: Holding) -> _Written:
        of_holding = uuid.uuid5(_NAMESPACE, hashlib.sha256(holding.document).hexdigest())
        info = warcinfo(of_holding, holding, path.name, " ".join(holding.notes))
        written, warc = _Written(), WarcFile(path, info)
        try:
            for file in holding.files:
                version = self.released.versions[file.held.position]
                if version.kind is ObiKind.FOBI:
                    self._add(warc, file, version, written)
            if not written.pages:
                raise Damaged(" ".join(each.reason for each in written.lacking))
            warc.finish()
        finally:
            warc.discard()
        return written

    def _add(
        self, warc: WarcFile, file: ExportedFile, version: ExportedVersion, written: _Written
    ) -> None:
        capture, new_id = TextCapture.of(version), _ids(version)
        try:
            with warc.whole_or_nothing():
                for hop in hops_of(version, capture.moment, new_id):
                    warc.add(hop)
                warc.stream(head_of(version, capture, new_id()), self.copies.proven(file.held))
        except NotProven as error:
            if not self.leaves_out_damaged:
                raise Damaged(str(error)) from error
            written.lacking.append(NotExported(file.name, str(error), is_damaged=True))
            return
        written.size += version.size
        timestamp = f"{capture.moment:%Y%m%d%H%M%S}"
        written.pages.append(Page(capture.url, timestamp, exact(file.name), version.size))

    def _write(self, package: ZipFile, warc: Path, holding: Holding, written: _Written) -> None:
        with package.entry(f"archive/{warc.name}", warc.stat().st_size) as write:
            for piece in member_pieces(warc, 0, warc.stat().st_size):
                write(piece)
        package.add(INDEX, b"".join(sorted(_lines(warc))))
        package.add(PAGES, page_list(written.pages))
        package.add(RESULT, holding.document)
        lacking = [*holding.lacking, *map(as_received, written.lacking)]
        if lacking:
            rows = ([each.file, each.reason, each.address] for each in lacking)
            package.add(NOT_KEPT, table(["file", "why", "other place"], rows))
        describe(package, About.holding(holding), written.pages)
        package.finish()


def _lines(warc: Path) -> Iterator[bytes]:
    """Yield the lines of a WARC's index. Raises Damaged where it is not as it was written."""
    problems: list[Problem] = []
    yield from index_file(warc, problems.append, Options(verify=True))
    if problems:
        raise Damaged(str(problems[0]))


def _ids(version: ExportedVersion) -> Callable[[], str]:
    """Return what gives the records of a version their ids, the same on every run."""
    counted, of_version = count(), f"{version.ident_n} {version.tist} {version.sha256}"
    return lambda: f"<urn:uuid:{uuid.uuid5(_NAMESPACE, f'{of_version} {next(counted)}')}>"
