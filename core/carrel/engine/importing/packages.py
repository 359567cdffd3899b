# SPDX-License-Identifier: AGPL-3.0-or-later
"""A bag, a crate, a folder, or plain files become a holding: verified, stored, and read back.

A bag in which anything is wrong is not taken, nor is any package of which a list says that a file
should be another one. What Carrel exported comes back as the holding that it was, under the id of
its ingest, as far as the files bear out what its result says: where some are not there, as what
remains of it.

What was imported before is read again in the archive. What of the package is not there, or is not
intact any more, is stored by another attempt at the same dataset.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from carrel.archive import Archive
from carrel.capture.digests import ALWAYS
from carrel.capture.stored import Damaged, difference, payload_fixity
from carrel.engine.importing.contradictions import otherwise_than_own
from carrel.engine.importing.describing import (
    Described,
    Given,
    described,
    id_of_again,
    is_harmless,
    name_of,
)
from carrel.engine.importing.doubts import as_follows, as_now
from carrel.engine.importing.folders import empty_folders
from carrel.engine.importing.here import Here
from carrel.engine.importing.imported import Imported, Progress
from carrel.engine.importing.incomplete import (
    files_of_incomplete,
    id_of_incomplete,
    result_of_incomplete,
)
from carrel.engine.importing.not_kept import as_result_says
from carrel.engine.importing.odd_names import said_of_names
from carrel.engine.importing.own_result import OwnResult, dated_by, other_bytes, own_result
from carrel.engine.importing.package_warcs import PackageWarcs, address_of_paper
from carrel.engine.importing.some_names import some_names
from carrel.engine.packages import Fault, Package, check_files
from carrel.engine.packages.names import is_of_exports
from carrel.engine.packages.tree import FolderTree
from carrel.engine.rebuilding.warc_contents import contents_of
from carrel.engine.staging import folder_for
from carrel.errors import IngestStop, NotLoaded
from carrel.model import Capture, Fixity, ManifestFile
from carrel.model.counts import more_faults
from carrel.model.endings import RECORD_ENDINGS
from carrel.model.iso_time import iso_now
from carrel.model.manifest import files_of
from carrel.model.names import in_utf8, readable
from carrel.translation import forms, plural, tr

_MOST_NAMED = 1000
_MOST_TOLD = 5
_OF_WARCS = tr(
    "The WARC files in it are files of the dataset, and no captures were taken from them: import "
    "them by themselves for that."
)
_RELIED = forms(
    "The record of {count} file is damaged or missing. Another one has its bytes intact: the file "
    "rests on that now.",
    "The records of {count} files are damaged or missing. Others have their bytes intact: the "
    "files rest on those now.",
)
# Verified, stored, and read back.
_PASSES = 3


def import_package(
    archive: Archive, package: Package, given: Given, progress: Progress, source: str = ""
) -> Imported:
    """Make a package a holding. `source` is what it is called where it has no path.

    Raises OSError, NotLoaded, ArchiveError.
    """
    progress.expect(_PASSES * package.size)
    return _Import(archive, package, given, progress, source).run()


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be stored: under which id, the files of the manifest, where in the package they
    are by their positions, and its papers; and what makes the result of all, by the id and the
    files as they were stored. `own` is the result in the package if that is taken for true, and
    `lost` are files that the archive had, and has not any more."""

    ingest_id: str
    source: str
    files: Sequence[ManifestFile]
    paths: Mapping[int, str]
    papers: Sequence[str]
    lacking: Sequence[str]
    title: str
    result: Callable[[str, Sequence[ManifestFile]], Mapping[str, Any]]
    own: OwnResult | None = None
    lost: Sequence[str] = ()


class _Import:
    """The import of one package."""

    def __init__(
        self,
        archive: Archive,
        package: Package,
        given: Given,
        progress: Progress,
        source: str,
    ) -> None:
        self._archive, self._package, self._given = archive, package, given
        self._progress, self._started = progress, iso_now()
        self._source = source or str(package.tree.path)
        self._name = in_utf8(source) or name_of(package) or self._source
        self._remarks: list[str] = []

    def run(self) -> Imported:
        found, faults = self._verified()
        if faults:
            return self._refused(_summary(faults), faults)
        if not self._package.payload:
            return self._refused(tr("There is no file in it."), ())
        plan = self._plan(found)
        if faults := self._contradictions(plan):
            return self._refused(_changed([each.path for each in faults]), faults)
        if known := self._last_attempt(plan):
            plan = self._what_lacks(plan, known, found)
            if not (plan.lost or plan.papers):
                return self._imported(replace(plan, ingest_id=known), was_there=True)
        self._name_papers(plan)
        try:
            self._archive.room.claim(plan.ingest_id, self._needed)
            with folder_for(self._archive.staging, "import") as folder:
                return self._store(plan, found, folder)
        except IngestStop as error:
            return self._refused(str(error), ())
        finally:
            self._archive.room.release(plan.ingest_id)

    def _verified(self) -> tuple[dict[str, Fixity], Sequence[Fault]]:
        """Read every file; return what each is, and what is wrong."""
        faults = [it for it in self._package.faults if not is_harmless(it, self._package)]
        self._package.faults = [it for it in self._package.faults if it not in faults]
        found: dict[str, Fixity] = {}
        for path, each in check_files(self._package, self._progress.attend, ALWAYS):
            if isinstance(each, Fault):
                faults.append(each)
            else:
                found[path] = each
        return found, faults

    def _plan(self, found: Mapping[str, Fixity]) -> _Plan:
        own = own_result(self._package, found)
        if own is not None and own.is_true and self._given == Given():
            return self._own_plan(own) if own.is_borne_out else self._incomplete_plan(own)
        if own is not None:
            self._remarks += [*_not_borne_out(own), dated_by(own)]
        if any(path.lower().endswith(RECORD_ENDINGS) for path in self._package.payload):
            self._remarks.append(_OF_WARCS)
        dataset = described(self._package, self._name, found, self._given, own)
        self._remarks += said_of_names(dataset.manifest)
        return _Plan(
            dataset.ingest_id,
            dataset.source,
            dataset.manifest,
            dataset.paths,
            self._package.papers,
            dataset.lacking,
            dataset.item.title or "",
            lambda ingest_id, files: self._result(replace(dataset, ingest_id=ingest_id), files),
        )

    def _result(self, dataset: Described, files: Sequence[ManifestFile]) -> Mapping[str, Any]:
        return dataset.result(files, self._started, iso_now()).to_json()

    def _own_plan(self, own: OwnResult) -> _Plan:
        title, result = own.dataset.name, as_follows(own.result, own.files)
        self._remarks += map(_named, self._package.faults[:_MOST_TOLD])
        self._remarks += [
            f"{readable(file.path)}: {as_result_says(file.message)}"
            for file in own.files
            if not file.is_kept and own.is_borne_out
        ]
        return _Plan(
            own.ingest_id,
            self._name,
            own.files,
            own.paths,
            self._package.papers,
            (),
            title,
            lambda ingest_id, _files: {**result, "ingest_id": ingest_id},
            own=own,
        )

    def _incomplete_plan(self, own: OwnResult) -> _Plan:
        files = files_of_incomplete(own)
        result = result_of_incomplete(own, files)
        self._remarks.append(dated_by(own))
        return replace(
            self._own_plan(own),
            ingest_id=id_of_incomplete(own),
            files=files,
            lacking=[
                f"{file.path}: {own.reasons.get(position) or as_result_says(file.message)}"
                for position, file in enumerate(files)
                if not file.is_kept
            ],
            result=lambda ingest_id, _files: {**result, "ingest_id": ingest_id},
        )

    def _contradictions(self, plan: _Plan) -> Sequence[Fault]:
        """Return the files of a package that are not as the archive's own result of the same ingest
        has them: there was no more than one, so that the package was changed."""
        known = self._archive.ledger.result(plan.own.ingest_id) if plan.own else None
        return [*other_bytes(plan.own, files_of(known))] if plan.own and known else ()

    def _last_attempt(self, plan: _Plan) -> str:
        """Return the last attempt that stored this package, or stored it again, "" for none."""
        result = self._archive.ledger.result
        if (known := result(plan.ingest_id)) is None:
            return ""
        if plan.own and as_now(known) != plan.result(plan.ingest_id, plan.files):
            words = tr("The archive has another result of this ingest, and keeps that.")
            self._remarks.append(words)
        attempt = plan.ingest_id
        while result(again := id_of_again(attempt)) is not None:
            attempt = again
        return attempt

    def _what_lacks(self, plan: _Plan, known: str, found: Mapping[str, Fixity]) -> _Plan:
        """Return what is to be done for the archive to have all of a package that it has had."""
        here = Here(self._archive, known, self._progress.attend)
        # Each export of a holding has papers of its own, which say no more than the ledger does.
        papers = [path for path in plan.papers if not (plan.own and is_of_exports(path))]
        return replace(
            plan,
            ingest_id=id_of_again(known),
            lost=[path for path in plan.paths.values() if not here.has(found[path])],
            papers=[path for path in papers if not here.has_paper(path, found[path])],
        )

    def _name_papers(self, plan: _Plan) -> None:
        """Name what was added beside the files, to an export, or to what is here of a package."""
        named = [path for path in plan.papers if not (plan.own and is_of_exports(path))]
        if not named or (not plan.own and len(named) == len(self._package.papers)):
            return
        words = tr(
            "Stored as well, beside the files of the dataset: {names}.", names=some_names(named)
        )
        self._remarks.append(words)

    @property
    def _needed(self) -> int:
        """How much room it takes: a package that is one file is laid out before."""
        is_laid_out = not isinstance(self._package.tree, FolderTree)
        return self._package.size * (2 if is_laid_out else 1)

    def _store(self, plan: _Plan, found: Mapping[str, Fixity], folder: Path) -> Imported:
        warcs = PackageWarcs(self._archive, plan.ingest_id, plan.source, folder)
        try:
            with self._package.tree.unpacked(folder / "files", self._progress.attend) as tree:
                storing = _Storing(self._archive, warcs, tree, found, self._progress.attend)
                resting = storing.store(plan)
            files = _as_stored(plan, resting)
            result = plan.result(plan.ingest_id, files)
            paths = warcs.finish(json.dumps(result).encode())
            captures = [self._read_back(path, found, storing.expected) for path in paths]
        finally:
            warcs.discard()
        left_by_a_kill = any((self._archive.warcs / path.name).exists() for path in paths)
        for path, of_path in zip(paths, captures, strict=True):
            self._archive.take_in(path, path.name, of_path)
        every = [capture for of_path in captures for capture in of_path]
        ids = {str(position): capture_id for position, (capture_id, *_) in resting.items()}
        new, attempts = self._archive.ledger.ingests.adopt(
            every,
            {plan.ingest_id: result},
            came_in=self._name,
            owner=plan.ingest_id,
            resting=ids,
        )
        if left_by_a_kill:
            self._archive.index.mend()
        self._remarks += otherwise_than_own(self._archive, plan.ingest_id)
        done = self._imported(plan, storing.existing)
        return replace(done, name=paths[0].name, captures=len(every), new=new, attempts=attempts)

    def _read_back(
        self, path: Path, found: Mapping[str, Fixity], expected: Mapping[str, str]
    ) -> list[Capture]:
        """Return the captures of a WARC, each compared with what its file was. Raises NotLoaded."""
        faults: list[str] = []
        captures = []
        for each in contents_of(path, lambda problem: faults.append(problem.message)):
            if isinstance(each, Capture):
                self._progress.attend(each.size)
                captures.append(each)
                if fault := difference(each, found[expected[each.record_id]]):
                    faults.append(fault)
        if faults:
            words = tr("What was written cannot be read back: {why}", why=faults[0])
            raise NotLoaded(path.name, words)
        return captures

    def _imported(
        self, plan: _Plan, existing: Collection[str] = (), *, was_there: bool = False
    ) -> Imported:
        if self._archive.ledger.curation.list_again(plan.ingest_id):
            self._remarks.append(
                tr("The dataset had been removed from the holdings, and is listed there again.")
            )
        restored = {*plan.lost}.difference(existing)
        if relied := {*plan.lost}.intersection(existing):
            self._remarks.append(plural(*_RELIED, len(relied), count=len(relied)))
        bare = {*plan.paths.values()} - self._package.declared.keys()
        has_others = not bare <= self._package.lists  # else all is compared that can be
        return Imported(
            self._source,
            attempts=[plan.ingest_id] if was_there else [],
            was_there=was_there,
            remarks=[*self._package.remarks, *self._remarks, *empty_folders(self._package.tree)],
            title=plan.title,
            files=len(plan.paths),
            existing=len(existing),
            restored=len(restored),
            unlisted=len(bare) if has_others else 0,
            lacking=plan.lacking[:_MOST_NAMED],
        )

    def _refused(self, trouble: str, faults: Sequence[Fault]) -> Imported:
        named = [_named(each) for each in faults[:_MOST_NAMED]]
        return Imported(self._source, trouble=trouble, faults=named)


_Place = tuple[str, str, str]
"""The id of a record, its address, and its time."""


class _Storing:
    """Stores the files of one package, or finds that their bytes are here.

    `expected` says which file of the package each record is to be, `existing` are the paths of
    those whose bytes were here.
    """

    def __init__(
        self,
        archive: Archive,
        warcs: PackageWarcs,
        tree: FolderTree,
        found: Mapping[str, Fixity],
        attend: Callable[[int], None],
    ) -> None:
        self._archive, self._warcs, self._tree = archive, warcs, tree
        self._found, self._attend = found, attend
        self._stored: dict[str, _Place] = {}
        self._were_here: set[str] = set()
        self._moment = warcs.moment.strftime("%Y%m%d%H%M%S")
        self.expected: dict[str, str] = {}
        self.existing: set[str] = set()

    def store(self, plan: _Plan) -> Mapping[int, _Place]:
        """Return the record that each file rests on, by its position."""
        places = {}
        for position, path in plan.paths.items():
            places[position] = self._place(position, path, plan.files[position])
        for path in plan.papers:
            self._add(address_of_paper(plan.ingest_id, path), path, "")
        return places

    def _place(self, position: int, path: str, file: ManifestFile) -> _Place:
        fixity = self._found[path]
        key = f"{fixity.size} {fixity.digests['sha256']}"
        if fixity.size and key not in self._stored and (held := self._held(fixity)):
            self._stored[key] = held
            self._were_here.add(key)
        if key in self._were_here:
            self.existing.add(path)
        if fixity.size and (known := self._stored.get(key)):
            return known
        url = self._warcs.address_of(position)
        record_id = self._add(url, path, file.mimetype or "", file.path)
        self._stored[key] = record_id, url, self._moment
        return self._stored[key]

    def _add(self, url: str, path: str, mimetype: str, name: str = "") -> str:
        about = {"path": readable(name or path)}
        blocks = self._tree.blocks(path, self._attend)
        record_id = self._warcs.add(url, self._found[path], blocks, about, mimetype)
        self.expected[record_id] = path
        return record_id

    def _held(self, fixity: Fixity) -> _Place | None:
        """Return a record that has these bytes, read again: others would be worse than none."""
        captures = self._archive.ledger.captures
        for each in captures.holding(fixity.digests["sha256"], fixity.size or 0):
            path = self._archive.warcs / each.filename
            try:
                again = payload_fixity(path, each.offset, each.length, ("sha256",))
            except (Damaged, OSError):
                continue
            if not difference(each, again):
                self._attend(2 * each.size)
                return each.record_id, each.url, each.timestamp
        return None


def _changed(paths: Sequence[str]) -> str:
    """Return why a package is not taken in which these files are other ones than its ingest
    archived, as the archive has that by itself."""
    return plural(
        "It is an export of an ingest that this archive has, and was changed since: {names} is not "
        "what was archived then. To keep that too, import it in a folder of its own, without the "
        "rest of the package.",
        "It is an export of an ingest that this archive has, and was changed since: {names} are "
        "not what was archived then. To keep these too, import them in a folder of their own, "
        "without the rest of the package.",
        len(paths),
        names=some_names(paths),
    )


def _as_stored(plan: _Plan, resting: Mapping[int, _Place]) -> list[ManifestFile]:
    """Return the files of the manifest, each with the record that it rests on."""
    files = list(plan.files)
    for position, (_, url, moment) in resting.items():
        files[position] = replace(files[position], terminal_url=url, terminal_dt=moment)
    return files


def _not_borne_out(own: OwnResult) -> Iterator[str]:
    for position in own.lacking[:_MOST_TOLD]:
        path = readable(own.files[position].path)
        yield tr("{path} is not in the package, though its result says so.", path=path)
    for path in own.strange[:_MOST_TOLD]:
        words = tr("{path} is not what the result in the package tells of.", path=readable(path))
        yield words


def _summary(faults: Sequence[Fault]) -> str:
    named = " ".join(map(_named, faults[:_MOST_TOLD]))
    more = len(faults) - _MOST_TOLD
    rest = f" {more_faults(more)}" if more > 0 else ""
    return tr("It is not as it should be: {named}{rest}", named=named, rest=rest)


def _named(fault: Fault) -> str:
    where = readable(fault.path)
    return f"{where}: {fault.fate}: {fault.message}" if where else fault.message


def has_only_records(path: Path) -> bool:
    """Say whether a folder has WARC and WACZ files, and nothing else."""
    names = [each.name.lower() for each in path.iterdir()]
    return bool(names) and all(name.endswith(RECORD_ENDINGS) for name in names)
