# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exporting a holding in one of the forms: there whole, or not at all, and never over anything."""

import os
import tarfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from carrel.access.copies import Copies
from carrel.access.proof import Attend
from carrel.access.saving import Saving
from carrel.archive import Archive
from carrel.capture.stored import Damaged
from carrel.errors import UsageError
from carrel.exports import crate, plain
from carrel.exports.bags import tar
from carrel.exports.bags.bag import Bagging, Issuer, check_given
from carrel.exports.bags.fetching import public_address
from carrel.exports.bags.profile import ANY, POSSIBLE, Profile
from carrel.exports.bags.profile_file import profile_named
from carrel.exports.folder import WholeFolder
from carrel.exports.holding import ExportedFile, Holding
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


@dataclass(frozen=True, slots=True)
class Exporting:
    """Exports holdings of one archive into a folder. All of it blocks.

    `copies` is where bundles are laid out. `attend` is told of the bytes that were read; what it
    raises ends the work, which goes on from there the next time. `profile` is that of bags;
    `headers_for` gives the headers that open an address to this person alone.
    """

    archive: Archive
    folder: Path
    options: ExportOptions
    issuer: Issuer
    copies: Copies
    attend: Attend
    profile: Profile = ANY
    headers_for: Callable[[str], Mapping[str, str]] = lambda url: {}

    def bytes_to_read(self, holding: Holding) -> int:
        """Return how much there is to read for a holding, about."""
        if self.options.form is ExportForm.WACZ:
            return _size(self.archive, records_of(self.archive, holding))
        return holding.size * (2 if self._wrapping else 1)

    def export(self, holding: Holding) -> Exported:
        """Export a holding; return what became of it. Raises OSError."""
        target = self.folder / f"{holding.name}{_ENDINGS[self.options.form]}{self._wrapping}"
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
        if faults := self._faults(holding):
            words = tr("The profile {name} does not fit.", name=self._bagging.profile.name)
            return _refused(holding, " ".join([words, *faults]))
        is_tar = bool(self._wrapping)
        folder = WholeFolder(
            target.with_suffix("") if is_tar else target,
            {DATA / each.path for each in holding.files if not self._address_of(each)},
        )
        saving_with, algorithms = self._saving, self._algorithms
        payload = copy_payload(
            holding, folder.part, saving_with, algorithms, self.attend, self._address_of
        )
        if payload.damaged and not (self.options.leaves_out_damaged and payload.copied):
            folder.discard()
            return _refused(holding, _why_refused([each.reason for each in payload.damaged]))
        papers = Papers(holding, payload, self._checking)
        self._write_papers(folder, papers)
        if not is_tar:
            folder.commit()
            return _exported(papers, target)
        try:
            self._wrap(folder, papers, target)
        except Damaged as error:
            return _refused(holding, _why_refused([str(error)]))
        return _exported(papers, target)

    def _faults(self, holding: Holding) -> Sequence[str]:
        """Return why an export would not be as it has to be, before anything is copied."""
        if self.options.form is not ExportForm.BAGIT:
            return ()
        return self._bagging.faults(Papers(holding, Payload(), self._checking))

    def _wrap(self, folder: WholeFolder, papers: Papers, target: Path) -> None:
        """Make one file of a folder that is whole. Raises Damaged and OSError."""
        proven = {each.path: each.fixity.digests["sha256"] for each in papers.payload.here}
        moment = papers.holding.finished
        path = folder.part / "package"
        try:
            tar.write_tar(
                path, folder.part, target.stem, moment=moment, proven=proven, attend=self.attend
            )
            move_beside(path, target)
        except (Damaged, FileExistsError):
            folder.discard()
            raise
        folder.discard()

    def _write_papers(self, folder: WholeFolder, papers: Papers) -> None:
        match self.options.form:
            case ExportForm.BAGIT:
                self._bagging.write(folder, papers)
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
    def _bagging(self) -> Bagging:
        return Bagging(self.issuer, self._algorithms, self.profile, self.options.bag_info)

    @property
    def _wrapping(self) -> str:
        """What an export's name ends with, where it is one file of what would be a folder."""
        return ".tar" if self.options.form is ExportForm.BAGIT and self.profile.is_tar else ""

    @property
    def _algorithms(self) -> Sequence[str]:
        if self.options.form is ExportForm.BAGIT:
            return self.profile.algorithms(self.options.algorithms)
        return plain.ALGORITHMS

    @property
    def _checking(self) -> str:
        match self.options.form:
            case ExportForm.BAGIT:
                return self._bagging.checking
            case ExportForm.ROCRATE:
                return crate.CHECKING
            case _:
                return plain.CHECKING

    def _address_of(self, file: ExportedFile) -> str:
        """Return where a file is to be fetched from, "" for one that is to be in the export."""
        return public_address(file, self.headers_for) if self.options.is_holey else ""

    def _saving(self, algorithms: Sequence[str]) -> Saving:
        return Saving(self.archive, self.copies, self.attend, algorithms)


def checked(options: ExportOptions) -> Profile:
    """Return the profile of the bags. Raises UsageError for what no export can be made with."""
    if options.form is not ExportForm.BAGIT:
        _refuse_what_bags_have(options)
    profile = profile_named(options.profile)
    profile.check(is_holey=options.is_holey)
    profile.algorithms(options.algorithms)
    check_given(options.bag_info)
    for algorithm in options.algorithms:
        if algorithm not in POSSIBLE:
            raise UsageError(tr("Bags have no lists by {algorithm}.", algorithm=algorithm))
    if options.leaves_out_damaged and options.form is ExportForm.WACZ:
        raise UsageError(
            tr("A WACZ has whole WARC files: what is damaged in them cannot be left out.")
        )
    return profile


def _refuse_what_bags_have(options: ExportOptions) -> None:
    """Raise UsageError for what only bags can have."""
    if options.algorithms:
        raise UsageError(tr("Only bags have checksum lists by algorithms of your choice."))
    if options.profile or options.bag_info:
        raise UsageError(tr("Only bags have a profile, and tags of your choice."))
    if options.is_holey:
        raise UsageError(tr("Only bags can name files in place of having them."))


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
        if target.suffix == ".tar":
            return tar.document_in(target, RESULT)
        with zipfile.ZipFile(target) as package:
            return package.read(RESULT)
    except (
        OSError,
        KeyError,
        ValueError,
        NotImplementedError,
        zipfile.BadZipFile,
        tarfile.TarError,
    ):
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
        len(payload.here),
        sum(each.fixity.size or 0 for each in payload.here),
        papers.lacking,
        len(payload.renamed),
    )
