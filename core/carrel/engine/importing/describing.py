# SPDX-License-Identifier: AGPL-3.0-or-later
"""The result that an imported package gets: what it says of itself, and what its files are."""

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from carrel import __version__
from carrel.engine.importing.not_kept import as_result_says, not_kept_in, only_address
from carrel.engine.importing.odd_names import extra_of
from carrel.engine.importing.own_result import OwnResult, dated_by
from carrel.engine.packages import Fault, Package
from carrel.engine.packages.descriptions import crate_in, datacite_in
from carrel.model import Fate, Fixity, IngestRequest, ManifestFile, Status
from carrel.model.imported import IMPORT, IMPORTED_FROM, import_note, said_of_import
from carrel.model.item import A_PACKAGE, PlatformItem
from carrel.model.names import in_utf8, in_utf8_apart
from carrel.model.result import IngestFilesetResult
from carrel.platforms.addresses import bare_doi
from carrel.platforms.descriptions.description import Description
from carrel.translation import plural, tr

_NAMESPACE = uuid.UUID("0d9f2c34-5a0b-5f0e-8f0a-3c1b7c0e5d21")
_NO_FILE = Description()


@dataclass(frozen=True, slots=True)
class Given:
    """What the person says of a package, "" for what they do not: it goes before what that says."""

    title: str = ""
    identifier: str = ""
    license: str = ""


@dataclass(frozen=True, slots=True)
class Described:
    """A dataset as its package has it. `paths` are where in the package the files of the manifest
    are, by their positions; of those that are not there the manifest says why. `said` is what a
    result in it says of when it was archived, "" if there is none."""

    ingest_id: str
    item: PlatformItem
    base_url: str
    manifest: Sequence[ManifestFile]
    paths: Mapping[int, str]
    source: str
    said: str = ""

    @property
    def lacking(self) -> Sequence[str]:
        """The files that the package tells of, and has not, with the reasons."""
        return [
            f"{file.path}: {file.message or ''}"
            for position, file in enumerate(self.manifest)
            if position not in self.paths
        ]

    def result(
        self, files: Sequence[ManifestFile], started: str, finished: str
    ) -> IngestFilesetResult:
        """Return the result, with the files as they were stored."""
        is_whole = len(self.paths) == len(files)
        lacks = plural(
            "{count:,} file was not imported; the list of files says why.",
            "{count:,} files were not imported; the list of files says why of each.",
            len(self.lacking),
            count=len(self.lacking),
        )
        came_from = {IMPORTED_FROM: self.source}
        said = [said_of_import(self.said)] if self.said else []
        return IngestFilesetResult(
            request=IngestRequest(self.base_url, ingest_request_source=IMPORT, extra=came_from),
            status=Status.SUCCESS if is_whole else Status.IMPORT_INCOMPLETE,
            hops=(self.base_url,),
            error_message=None if is_whole else lacks,
            item=replace(self.item, manifest=tuple(files)),
            manifest=tuple(files),
            findings=(import_note(self.source), *said),
            ingest_id=self.ingest_id,
            started=started,
            finished=finished,
            carrel_version=__version__,
        )


def described(
    package: Package, source: str, found: Mapping[str, Fixity], given: Given, own: OwnResult | None
) -> Described:
    """Return what a package is as a dataset. `source` is what the package is called; `own` is the
    result in it, if the files do not bear out all of that."""
    entries = [*_entries(package, found, own), *_absent(package, own)]
    entries.sort(key=lambda each: each[0].path)
    manifest = [entry for entry, _ in entries]
    paths = {position: path for position, (_, path) in enumerate(entries) if path}
    content = uuid.uuid5(_NAMESPACE, json.dumps([_marks(each) for each in manifest]))
    item = _item(package, given, own, str(content))
    base_url = f"https://doi.org/{item.doi}" if item.doi else _address(given, own, item)
    said = [str(content), base_url, item.title, item.license, item.platform_version]
    ingest_id = str(uuid.uuid5(_NAMESPACE, json.dumps(said)))
    dated = dated_by(own) if own else ""
    return Described(ingest_id, item, base_url, manifest, paths, source, dated)


def id_of_again(ingest_id: str) -> str:
    """Return the id of the attempt that stores what is lost, or lacks, of what another one stored.

    It is always the same, so that what a kill left of that attempt gives way to it.
    """
    return str(uuid.uuid5(_NAMESPACE, f"again {ingest_id}"))


def name_of(package: Package) -> str:
    """Return what a package is called, with nothing of where it is on this machine."""
    return in_utf8(package.tree.path.resolve().name) if str(package.tree.path) != "." else ""


def _entries(
    package: Package, found: Mapping[str, Fixity], own: OwnResult | None
) -> Iterator[tuple[ManifestFile, str]]:
    """Yield each file with its path in the package."""
    by_path = {path: position for position, path in own.paths.items()} if own else {}
    names = in_utf8_apart([package.name_of(path) for path in package.payload])
    for path in package.payload:
        known = by_path.get(path)
        if own is not None and known is not None:
            before = own.files[known]
            # What was published is a word of the result, too.
            declared = _declared(package, path) if own.doubts else before.declared
            entry = ManifestFile(
                in_utf8(before.path), before.platform_url, declared, before.mimetype
            )
        else:
            entry = _entry(package, path, names[package.name_of(path)])
        yield replace(entry, status=Status.SUCCESS, observed=found[path]), path


def _entry(package: Package, path: str, name: str) -> ManifestFile:
    """Return a file of which the package says no more than its name, size and checksums."""
    declared = _declared(package, path)
    return ManifestFile(name, declared=declared, extra=extra_of(package.name_of(path)))


def _declared(package: Package, path: str) -> Fixity:
    return Fixity(package.sizes.get(path), package.declared.get(path, {}))


def _absent(package: Package, own: OwnResult | None) -> Iterator[tuple[ManifestFile, str]]:
    """Yield what the package tells of and has not."""
    for pointer in package.to_fetch:
        if own is not None and pointer.path in own.pointed:
            continue
        name, words = package.name_of(pointer.path), only_address(pointer)
        declared = Fixity(pointer.size, package.declared.get(pointer.path, {}))
        yield _without(name, Status.NOT_IMPORTED, words, declared, pointer.url), ""
    for fault in package.faults:  # those that are no reason to refuse all of it
        yield _without(package.name_of(fault.path), Status.NOT_IMPORTED, fault.message), ""
    for position, file in enumerate(own.files if own else ()):
        if own is not None and position not in own.paths and position not in own.changed:
            words = own.reasons.get(position) or as_result_says(file.message)
            # Why it was not archived is no more than a word of a result that cannot be so.
            is_unknown = file.is_kept or bool(own.doubts)
            status = Status.NOT_IMPORTED if is_unknown or file.status is None else file.status
            yield _without(file.path, status, words, file.declared, file.platform_url), ""
    for path, words in (not_kept_in(package) if own is None else {}).items():
        yield _without(path, Status.NOT_IMPORTED, words), ""


def _without(
    name: str, status: Status, message: str, declared: Fixity = Fixity(), url: str | None = None
) -> ManifestFile:
    return ManifestFile(in_utf8(name), url, declared, status=status, message=message)


def _item(package: Package, given: Given, own: OwnResult | None, content: str) -> PlatformItem:
    if own is not None and not (given.title or given.identifier):
        return _own_item(own, given)
    said = _said(package)
    doi = bare_doi(given.identifier) if given.identifier else _doi_in(package, said)
    title = given.title or said.title or package.value("Title")
    title = title or package.value("External-Description") or _plain_name(package)
    return PlatformItem(
        A_PACKAGE,
        package.value("Source-Organization"),
        doi or given.identifier or f"urn:x-carrel:import:{content}",
        platform_version=said.version,
        title=title,
        creators=said.creators,
        license=given.license or _license(said),
        published=said.published,
        publisher=said.publisher,
        doi=doi,
    )


def _own_item(own: OwnResult, given: Given) -> PlatformItem:
    result, dataset = own.result, own.dataset
    return PlatformItem(
        dataset.platform_name or A_PACKAGE,
        dataset.platform_domain or "",
        dataset.platform_id or own.ingest_id,
        platform_version=dataset.version,
        title=dataset.title,
        creators=tuple(map(str, dataset.creators)),
        license=given.license or dataset.license,
        published=dataset.published,
        publisher=dataset.publisher,
        doi=dataset.doi,
        web_base_url=result.get("platform_base_url"),
    )


def _said(package: Package) -> Description:
    """Return what the descriptions in a package say: DataCite's before a crate's."""
    first, second = datacite_in(package) or _NO_FILE, crate_in(package) or _NO_FILE
    names = (
        *("identifier", "title", "creators", "license", "published", "publisher"),
        *("version", "reference"),
    )
    values = {name: getattr(first, name) or getattr(second, name) for name in names}
    return replace(_NO_FILE, **values)


def _doi_in(package: Package, said: Description) -> str | None:
    texts = [*package.values("External-Identifier"), said.identifier or "", said.reference or ""]
    return next(filter(None, map(bare_doi, texts)), None)


def _license(said: Description) -> str | None:
    return None if (said.license or "#").startswith("#") else said.license


def _address(given: Given, own: OwnResult | None, item: PlatformItem) -> str:
    if own is not None and not given.identifier:
        return own.dataset.requested
    return item.platform_id


def _plain_name(package: Package) -> str:
    name = name_of(package)
    stem = name.removesuffix(".gz").removesuffix(".tar").removesuffix(".zip").removesuffix(".tgz")
    return stem or tr("Imported files")


def _marks(file: ManifestFile) -> list[object]:
    observed = file.observed.to_json() if file.observed else {}
    return [file.path, observed.get("sha256"), observed.get("size")]


def is_harmless(fault: Fault, package: Package) -> bool:
    """Say whether the rest of a package can be taken all the same: what no list names, and is no
    file, is left where it is, and told."""
    is_listed = fault.path in package.declared
    return not package.is_strict and fault.fate is Fate.REFUSED and not is_listed
