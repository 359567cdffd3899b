# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exporting a holding in one of the forms: there whole, or not at all, and never over anything."""

import os
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from carrel.access.copies import Copies
from carrel.access.proof import Attend
from carrel.access.saving import MakesCopies, Saving
from carrel.archive import Archive
from carrel.capture.stored import Damaged
from carrel.errors import NotProven, NotRead, UsageError
from carrel.exports import crate, plain
from carrel.exports.bags import tar
from carrel.exports.bags.bag import Bagging, Issuer
from carrel.exports.bags.fetching import public_address
from carrel.exports.bags.profile import ANY, Profile
from carrel.exports.checksums import MANIFEST
from carrel.exports.earlier import (
    ReadAgain,
    absent_from,
    document_in,
    not_this,
    results_in,
    why_spoilt,
)
from carrel.exports.evidence.attesting import FOLDER, Attesting
from carrel.exports.folder import WholeFolder, part_of
from carrel.exports.holding import ExportedFile, Holding
from carrel.exports.papers import Papers
from carrel.exports.payload import DATA, Payload, copy_payload
from carrel.exports.wacz.description import About
from carrel.exports.wacz.packing import Packing
from carrel.exports.wacz.shares import Packed, packed, size_of
from carrel.exports.wacz.signing import Sign
from carrel.model.exports import Exported, ExportForm, ExportOptions, NotExported
from carrel.model.safe_names import safe_name
from carrel.model.unwritten import is_full, no_room, why_unwritten
from carrel.translation import tr
from carrel.whole_file import move_beside, try_room

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

    What has no room, or cannot be written, is refused by itself: others may fit. Nothing of it is
    left; what was interrupted leaves what is taken up again the next time.

    `copies` is where bundles are laid out. `attend` is told of the bytes that were read; what it
    raises ends the work, which goes on from there the next time. `profile` is that of bags;
    `headers_for` gives the headers that open an address to this person alone, `sign` signs a WACZ,
    `attesting` the list of checksums of all other forms. `copies_with` gives what makes copies with
    digests by these algorithms, and `packs` makes a WACZ of a holding, if these are not of the
    archive's own files and records. `read_again` tells what of an export that was there already is
    not as it was written.
    """

    archive: Archive
    folder: Path
    options: ExportOptions
    issuer: Issuer
    copies: Copies
    attend: Attend
    profile: Profile = ANY
    headers_for: Callable[[str], Mapping[str, str]] = lambda url: {}
    sign: Sign | None = None
    attesting: Attesting | None = None
    copies_with: Callable[[Sequence[str]], MakesCopies] | None = None
    packs: Callable[[Holding, Path], Exported] | None = None
    read_again: ReadAgain = lambda target, files, listing: ()

    def bytes_to_read(self, holding: Holding) -> int:
        """Return how much there is to read for a holding, about."""
        if self.options.form is ExportForm.WACZ:
            return size_of(self.archive, packed(self.archive, [holding]))
        return holding.size * (2 if self._wrapping else 1)

    def bytes_together(self, holdings: Sequence[Holding]) -> int:
        """Return how much there is to read for holdings that go into one export, about."""
        size = size_of(self.archive, packed(self.archive, holdings))
        return size * (2 if self.options.split_size else 1)

    def is_there(self, holding: Holding) -> bool:
        """Say whether something is where a holding's export goes."""
        return os.path.lexists(self._target(holding))

    def _target(self, holding: Holding) -> Path:
        return self.folder / f"{holding.name}{_ENDINGS[self.options.form]}{self._wrapping}"

    def _unwrapped(self, holding: Holding) -> Path:
        """Return the folder of what is to be one file in the end."""
        target = self._target(holding)
        return target.with_suffix("") if self._wrapping else target

    def export(self, holding: Holding) -> Exported:
        """Export a holding; return what became of it."""
        target = self._target(holding)
        if os.path.lexists(target):
            return self._as_it_is(holding, target)
        try:
            if self.options.form is ExportForm.WACZ:
                return (self.packs or self._pack)(holding, target)
            return self._fill(holding, target)
        except FileExistsError:
            return self._as_it_is(holding, target)
        except Damaged as error:
            return _refused_for(holding, error)
        except (UsageError, NotRead) as error:
            return _refused(holding, _why_refused([str(error)]))
        except OSError as error:
            why = self._why_unwritten([holding], target, error)
            return _refused(holding, _why_refused([why]))

    def foreseen(
        self, holding: Holding, unfit: Mapping[int, NotProven | NotRead]
    ) -> Exported | None:
        """Return the refusal of a holding that is known before anything is copied, None for none.

        `unfit` says by position why files cannot be copied.
        """
        lacking = [
            _lacking(each, unfit[each.held.position])
            for each in holding.files
            if each.held.position in unfit
        ]
        is_left_out = self.options.leaves_out_damaged and len(lacking) < len(holding.files)
        if lacking and not (is_left_out and all(each.is_damaged for each in lacking)):
            return _refused(holding, _why_refused([each.reason for each in lacking]), lacking)
        here = [each for each in holding.files if each.held.position not in unfit]
        try:
            try_room(self.folder, self._sizes_to_write(holding, here))
        except OSError as error:
            why = self._why_unwritten([holding], self._target(holding), error)
            return _refused(holding, _why_refused([why]))
        return self._misfit(holding)

    def _sizes_to_write(self, holding: Holding, here: Sequence[ExportedFile]) -> Sequence[int]:
        """Return the sizes in bytes of what is to be written, none where they are not known: what
        they get to in a WACZ, or what is there of an interrupted export.
        """
        if self.options.form is ExportForm.WACZ or part_of(self._unwrapped(holding)).exists():
            return ()
        return [each.held.file.size or 0 for each in here]

    def _misfit(self, holding: Holding) -> Exported | None:
        """Return the refusal of a holding that does not fit the profile of bags."""
        if faults := self._faults(holding):
            words = tr("The profile {name} does not fit.", name=self._bagging.profile.name)
            return _refused(holding, " ".join([words, *faults]))
        return None

    def _why_unwritten(self, holdings: Sequence[Holding], target: Path, error: OSError) -> str:
        """Return why an export of holdings could not be written, and what helps."""
        place = Path(error.filename or self.folder)
        if not is_full(error) or not place.is_relative_to(self.folder):
            return why_unwritten(place, error)
        files = [file for each in holdings for file in each.files if not self._address_of(file)]
        size = sum(each.held.file.size or 0 for each in files)
        return no_room(target, size, shutil.disk_usage(self.folder).free, error)

    def _as_it_is(self, holding: Holding, target: Path) -> Exported:
        """Return that something is there already: the same export, or what is none of ours."""
        if document_in(target) != holding.document:
            words = not_this(target)
            return _refused(holding, words)
        if lacking := self._unattested(target):
            words = tr(
                "It is already at {path}, but without {file}, and was left as it is. To have it "
                "signed, export it into another folder.",
                path=target,
                file=lacking,
            )
            return _refused(holding, words)
        files = [each for each in holding.files if not self._address_of(each)]
        if spoilt := self.read_again(target, files, self._signed):
            return _refused(holding, why_spoilt(target, spoilt), spoilt)
        damaged = self.archive.ledger.fixity.file_fates(holding.ingest_id)
        return _there(holding, target, absent_from(target, files, damaged))

    def _unattested(self, target: Path) -> str:
        """Return what an export lacks that is there already, of what is to attest it."""
        names = self._attestations if target.is_dir() else ()
        return next((each for each in names if not (target / each).is_file()), "")

    def _fill(self, holding: Holding, target: Path) -> Exported:
        if misfit := self._misfit(holding):
            return misfit
        folder = WholeFolder(
            self._unwrapped(holding),
            {DATA / each.path for each in holding.files if not self._address_of(each)},
        )
        try:
            return self._filled(folder, holding, target)
        except (
            Damaged,
            UsageError,
            NotRead,
            OSError,
        ):  # it ends here; what is cancelled goes on later
            folder.discard()
            raise

    def _filled(self, folder: WholeFolder, holding: Holding, target: Path) -> Exported:
        saving_with, algorithms = self.copies_with or self._saving, self._algorithms
        payload = copy_payload(
            holding, folder.part, saving_with, algorithms, self.attend, self._address_of
        )
        is_left_out = self.options.leaves_out_damaged and payload.copied
        if payload.unread or (payload.damaged and not is_left_out):
            folder.discard()
            lacking = [*payload.unread, *payload.damaged]
            return _refused(holding, _why_refused([each.reason for each in lacking]), lacking)
        papers = Papers(holding, payload, self._checking)
        self._write_papers(folder, papers)
        if self._wrapping:
            self._wrap(folder, papers, target)
        else:
            folder.commit()
        return _exported(papers, target)

    def _faults(self, holding: Holding) -> Sequence[str]:
        """Return why an export would not be as it has to be, before anything is copied."""
        if self.options.form is not ExportForm.BAGIT:
            return ()
        papers = Papers(holding, Payload(), self._checking)
        return self._bagging.faults(papers, list(self._attestations))

    def _wrap(self, folder: WholeFolder, papers: Papers, target: Path) -> None:
        """Make one file of a folder that is whole. Raises Damaged and OSError."""
        proven = {each.path: each.fixity.digests["sha256"] for each in papers.payload.here}
        moment = papers.holding.finished
        path = folder.part / "package"
        tar.write_tar(
            path, folder.part, target.stem, moment=moment, proven=proven, attend=self.attend
        )
        move_beside(path, target)
        folder.discard()

    def _write_papers(self, folder: WholeFolder, papers: Papers) -> None:
        """Write what stands beside the files, then what attests it. Raises UsageError."""
        content = b""
        for name, content in self._papers_of(papers):
            folder.write(name, content)
        if self.attesting:
            for name, attestation in self.attesting.over(self._signed, content):
                folder.write(f"{FOLDER}/{name}", attestation)

    def _papers_of(self, papers: Papers) -> Iterator[tuple[str, bytes]]:
        match self.options.form:
            case ExportForm.BAGIT:
                return self._bagging.files(papers)
            case ExportForm.ROCRATE:
                return crate.crate_files(papers, self.issuer.operator)
            case _:
                return plain.plain_files(papers)

    @property
    def _signed(self) -> str:
        """The list of checksums that is signed; it is written last."""
        return self._bagging.signed if self.options.form is ExportForm.BAGIT else MANIFEST

    @property
    def _attestations(self) -> Iterator[str]:
        """The paths of what attests an export."""
        names = self.attesting.names(self._signed) if self.attesting else ()
        return (f"{FOLDER}/{name}" for name in names)

    def _pack(self, holding: Holding, target: Path) -> Exported:
        packing = Packing(self.archive, self._saving(()), self.attend, self.sign)
        every = packed(self.archive, [holding])
        size = packing.pack(every, About.holding(holding), target)
        title, lacking = holding.dataset.name, holding.lacking
        files, count = len(packing.places), holding.outlook.file_count
        return Exported(holding.ingest_id, title, target, files, size, lacking, file_count=count)

    def export_together(self, holdings: Sequence[Holding]) -> Sequence[Exported]:
        """Export holdings into one WACZ, or the folder of its parts; all of them, or none."""
        name, most = safe_name(self.options.one), self.options.split_size
        target = self.folder / f"{name}{'_wacz' if most else '.wacz'}"
        every = packed(self.archive, holdings)
        if os.path.lexists(target):
            return self._together_as_it_is(every, target)
        about = About.several(self.options.one, holdings)
        packing = Packing(self.archive, self._saving(()), self.attend, self.sign)
        try:
            if most:
                packing.pack_split(every, about, target, most)
            else:
                packing.pack(every, about, target)
        except Damaged as error:
            return [_refused_for(each, error) for each in holdings]
        except (UsageError, NotRead) as error:
            return [_refused(each, _why_refused([str(error)])) for each in holdings]
        except FileExistsError:
            return self._together_as_it_is(every, target)
        except OSError as error:
            why = _why_refused([self._why_unwritten(holdings, target, error)])
            return [_refused(each, why) for each in holdings]
        return [_packed(each, target, packing.places) for each in holdings]

    def _together_as_it_is(self, every: Sequence[Packed], target: Path) -> Sequence[Exported]:
        parts = sorted(target.glob("*.wacz")) if target.is_dir() else [target]
        there = {name: content for part in parts for name, content in results_in(part)}
        if there != {each.result: each.holding.document for each in every}:
            words = not_this(target)
            return [_refused(each.holding, words) for each in every]
        if spoilt := self.read_again(target, (), ""):
            why = why_spoilt(target, spoilt)
            return [_refused(each.holding, why, spoilt) for each in every]
        return [_there(each.holding, target) for each in every]

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


def _lacking(file: ExportedFile, error: NotProven | NotRead) -> NotExported:
    return NotExported(file.name, str(error), is_damaged=isinstance(error, NotProven))


def _why_refused(reasons: Sequence[str]) -> str:
    return tr("Nothing of it was exported. {reasons}", reasons=" ".join(reasons[:_MOST_NAMED]))


def _there(holding: Holding, target: Path, absent: Sequence[NotExported] = ()) -> Exported:
    title, lacking = holding.dataset.name, [*holding.lacking, *absent]
    count = holding.outlook.file_count
    return Exported(
        holding.ingest_id, title, target, lacking=lacking, was_there=True, file_count=count
    )


def _packed(holding: Holding, target: Path, places: Collection[tuple[str, int]]) -> Exported:
    here = [each for each in holding.files if (holding.ingest_id, each.held.position) in places]
    size = sum(each.held.file.size or 0 for each in here)
    title, lacking = holding.dataset.name, holding.lacking
    count = holding.outlook.file_count
    return Exported(holding.ingest_id, title, target, len(here), size, lacking, file_count=count)


def _refused_for(holding: Holding, error: Damaged) -> Exported:
    """Return that there is no export for a record of which no file is named."""
    refused = _refused(holding, _why_refused([str(error)]))
    return replace(refused, is_damaged=True, damaged_record=str(error))


def _refused(holding: Holding, why: str, named: Sequence[NotExported] = ()) -> Exported:
    """Return that there is no export: for these files, if there are any, and without what was never
    archived."""
    return Exported(
        holding.ingest_id,
        holding.dataset.name,
        lacking=[*named, *holding.lacking],
        refusal=why,
        file_count=holding.outlook.file_count,
    )


def _exported(papers: Papers, target: Path) -> Exported:
    payload: Payload = papers.payload
    return Exported(
        papers.holding.ingest_id,
        papers.dataset.name,
        target,
        len(payload.here),
        sum(each.fixity.size or 0 for each in payload.here),
        [*payload.damaged, *papers.holding.lacking],
        len(payload.renamed),
        file_count=papers.holding.outlook.file_count,
    )
