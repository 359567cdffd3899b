# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exporting a holding in one of the forms: there whole, or not at all, and never over anything."""

import os
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from carrel.access.copies import Copies
from carrel.access.proof import Attend
from carrel.access.saving import Saving
from carrel.archive import Archive
from carrel.capture.stored import Damaged
from carrel.errors import UsageError
from carrel.exports import bag, crate, plain
from carrel.exports.bag import Issuer
from carrel.exports.folder import WholeFolder
from carrel.exports.holding import Holding
from carrel.exports.papers import RESULT, Papers
from carrel.exports.payload import DATA, Payload, copy_payload
from carrel.exports.wacz.package import Package
from carrel.exports.wacz.records import Records, records_of
from carrel.model.exports import Exported, ExportForm, ExportOptions
from carrel.translation import tr
from carrel.whole_file import move_beside

_MOST_NAMED = 20
_ENDINGS = {
    ExportForm.FILES: "_files",
    ExportForm.BAGIT: "_bag",
    ExportForm.ROCRATE: "_crate",
    ExportForm.WACZ: ".wacz",
}
_CHECKING = {
    ExportForm.FILES: plain.CHECKING,
    ExportForm.BAGIT: bag.CHECKING,
    ExportForm.ROCRATE: crate.CHECKING,
}


@dataclass(frozen=True, slots=True)
class Exporting:
    """Exports holdings of one archive into a folder. All of it blocks.

    `copies` is where bundles are laid out. `attend` is told of the bytes that were read; what it
    raises ends the work, which goes on from there the next time.
    """

    archive: Archive
    folder: Path
    options: ExportOptions
    issuer: Issuer
    copies: Copies
    attend: Attend

    def bytes_to_read(self, holding: Holding) -> int:
        """Return how much there is to read for a holding, about."""
        if self.options.form is ExportForm.WACZ:
            return _size(self.archive, records_of(self.archive, holding))
        return holding.size

    def export(self, holding: Holding) -> Exported:
        """Export a holding; return what became of it. Raises OSError."""
        target = self.folder / f"{holding.name}{_ENDINGS[self.options.form]}"
        if os.path.lexists(target):
            return self._as_it_is(holding, target)
        try:
            if self.options.form is ExportForm.WACZ:
                return self._pack(holding, target)
            return self._fill(holding, target)
        except FileExistsError:
            return self._as_it_is(holding, target)

    def _as_it_is(self, holding: Holding, target: Path) -> Exported:
        """Return that something is there already: the same export, or what is none of ours."""
        if _document_in(target) != holding.document:
            words = tr("There is already something at {path}; it was left as it is.", path=target)
            return _refused(holding, words)
        return Exported(
            holding.ingest_id, holding.dataset.name, target, lacking=holding.lacking, was_there=True
        )

    def _fill(self, holding: Holding, target: Path) -> Exported:
        folder = WholeFolder(target, {DATA / each.path for each in holding.files})
        payload = copy_payload(holding, folder.part, self._saving, self._algorithms, self.attend)
        if payload.damaged and not (self.options.leaves_out_damaged and payload.copied):
            folder.discard()
            return _refused(holding, _why_refused([each.reason for each in payload.damaged]))
        papers = Papers(holding, payload, _CHECKING[self.options.form])
        self._write_papers(folder, papers)
        folder.commit()
        return _exported(papers, target)

    def _write_papers(self, folder: WholeFolder, papers: Papers) -> None:
        match self.options.form:
            case ExportForm.BAGIT:
                bag.write_bag(folder, papers, self._algorithms, self.issuer)
            case ExportForm.ROCRATE:
                crate.write_crate(folder, papers, self.issuer.operator)
            case _:
                plain.write_plain(folder, papers)

    def _pack(self, holding: Holding, target: Path) -> Exported:
        folder = WholeFolder(target, ())
        path = folder.part / "package"
        records = records_of(self.archive, holding)
        package = Package(self.archive, holding, records, folder.part, self.attend)
        try:
            with path.open("x+b") as file:
                files = package.write(file, self._saving(()))
                file.flush()
                os.fsync(file.fileno())
            size = path.stat().st_size
            move_beside(path, target)
        except Damaged as error:
            return _refused(holding, _why_refused([str(error)]))
        finally:
            folder.discard()
        title, lacking = holding.dataset.name, holding.lacking
        return Exported(holding.ingest_id, title, target, files, size, lacking)

    @property
    def _algorithms(self) -> Sequence[str]:
        of_form = bag.ALGORITHMS if self.options.form is ExportForm.BAGIT else plain.ALGORITHMS
        return self.options.algorithms or of_form

    def _saving(self, algorithms: Sequence[str]) -> Saving:
        return Saving(self.archive, self.copies, self.attend, algorithms)


def check_options(options: ExportOptions) -> None:
    """Raise UsageError for what no export can be made with."""
    if options.algorithms and options.form is not ExportForm.BAGIT:
        raise UsageError(tr("Only bags have checksum lists by algorithms of your choice."))
    for algorithm in options.algorithms:
        if algorithm not in bag.POSSIBLE:
            raise UsageError(tr("Bags have no lists by {algorithm}.", algorithm=algorithm))
    if options.leaves_out_damaged and options.form is ExportForm.WACZ:
        raise UsageError(
            tr("A WACZ has whole WARC files: what is damaged in them cannot be left out.")
        )


def _size(archive: Archive, records: Records) -> int:
    size = sum(each.length for each in records.earlier)
    for name, _ in records.warcs:
        with suppress(OSError):
            size += (archive.warcs / name).stat().st_size
    return size


def _document_in(target: Path) -> bytes | None:
    """Return the result in an export, None where there is none."""
    try:
        if target.is_dir():
            return (target / RESULT).read_bytes()
        with zipfile.ZipFile(target) as package:
            return package.read(RESULT)
    except (OSError, KeyError, ValueError, NotImplementedError, zipfile.BadZipFile):
        return None


def _why_refused(reasons: Sequence[str]) -> str:
    return tr("Nothing of it was exported. {reasons}", reasons=" ".join(reasons[:_MOST_NAMED]))


def _refused(holding: Holding, why: str) -> Exported:
    return Exported(holding.ingest_id, holding.dataset.name, refusal=why)


def _exported(papers: Papers, target: Path) -> Exported:
    payload: Payload = papers.payload
    return Exported(
        papers.holding.ingest_id,
        papers.dataset.name,
        target,
        len(payload.copied),
        payload.size,
        papers.lacking,
        len(payload.renamed),
    )
