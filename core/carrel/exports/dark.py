# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the dark archive releases of one handle, as a holding: its full texts, each a file.

That something was publicly available when it was harvested is no licence: what is not lost is left
out and named, unless the reason says whose rights allow it (as in `carrel dark release`).
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType
from urllib.parse import unquote, urlsplit

from carrel import __version__
from carrel.access.holding_files import HoldingFile
from carrel.access.proof import Attend, algorithms_of, not_read, unlike
from carrel.access.saving import Nowhere, Plan
from carrel.capture.digests import Digester
from carrel.dark_archive.export.occasions import day, moment_of, occasion, still_there
from carrel.dark_archive.redif.template import template_of
from carrel.dark_archive.store.object_store import ObjectStore
from carrel.errors import NotProven, NotRead
from carrel.exports.dataset import Dataset
from carrel.exports.holding import ExportedFile, Holding
from carrel.ledger.dark.exports import ExportedHandle, ExportedVersion
from carrel.model import Fixity, ManifestFile, Status
from carrel.model.access import AccessCopy, SavedFile
from carrel.model.dark import ObiKind
from carrel.model.dark_views import ObiState
from carrel.model.exports import NotExported
from carrel.model.iso_time import iso_time
from carrel.model.safe_names import safe_paths
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr
from carrel.whole_file import WholeFile

_TEMPLATE = "template.rdf"
_MOST_OF_A_TEMPLATE = MEBIBYTE
_NOTES = (
    "These files are from a dark archive. That something was publicly available when it was",
    "harvested is no licence to distribute it. metadata/result.json says of each file where it",
    "was published, when it was recorded, and since when it is lost.",
)


@dataclass(frozen=True, slots=True)
class Released:
    """What there is of one handle: a holding, and the version behind each of its files."""

    holding: Holding
    versions: Mapping[int, ExportedVersion]

    @property
    def has_texts(self) -> bool:
        """Whether there is more than a template, which is public."""
        return any(each.kind is ObiKind.FOBI for each in self.versions.values())


def released_of(
    store: ObjectStore,
    handle: ExportedHandle,
    texts: Sequence[ExportedVersion],
    templates: Sequence[ExportedVersion],
    *,
    has_rights: bool,
    with_templates: bool,
) -> Released:
    """Return what may be given out of a handle; what may not be is in what lacks.

    `texts` and `templates` are the versions of its full texts and of its template, which says what
    the texts are, and comes along only `with_templates`.
    """
    versions = [*texts, *templates] if with_templates else texts
    paths = _paths(versions)
    reasons = [_why_not(each, has_rights=has_rights) for each in versions]
    held = {
        at: HoldingFile(handle.ident, at, _manifest_file(paths[at], each))
        for at, (each, why) in enumerate(zip(versions, reasons, strict=True))
        if not why
    }
    names = safe_paths(each.file.path for each in held.values())
    tists = [each.tist for each in versions]
    holding = Holding(
        ingest_id=handle.ident,
        dataset=_dataset(store, handle, templates),
        started=iso_time(moment_of(min(tists))),
        finished=iso_time(moment_of(max(tists))),
        carrel_version=__version__,
        landing_timestamp="",
        document=_document(handle, paths, versions),
        files=[ExportedFile(each, path) for each, path in zip(held.values(), names, strict=True)],
        lacking=[NotExported(paths[at], why) for at, why in enumerate(reasons) if why],
        notes=_NOTES,
    )
    return Released(holding, {at: versions[at] for at in held})


class StoredCopies:
    """Makes proven copies of what the object store has; `versions` by the files' positions.

    `unfit` are those, by position, that could not be read before the journal was written: it does
    not name them, and they are not tried again.

    All of it blocks, and tells `attend` of the bytes that were read; what that raises ends the
    work.
    """

    def __init__(
        self,
        store: ObjectStore,
        versions: Mapping[int, ExportedVersion],
        attend: Attend,
        algorithms: Sequence[str] = (),
        unfit: Mapping[int, NotProven | NotRead] = MappingProxyType({}),
    ) -> None:
        self._store, self._versions, self._unfit = store, versions, unfit
        self._attend, self._algorithms = attend, algorithms

    def prove(self, held: HoldingFile) -> Fixity:
        """Read a file as if it were written; return what it is. Raises NotProven and NotRead."""
        with Nowhere() as target:
            return self._proven(held, target.write)

    def save_all(self, plans: Sequence[Plan], *, may_replace: bool) -> Iterator[SavedFile]:
        """Write files, yielding each as soon as it is there, or could not be. Raises OSError."""
        for plan in plans:
            plan.path.parent.mkdir(parents=True, exist_ok=True)
            with WholeFile(plan.path, may_replace=may_replace) as target:
                try:
                    fixity = self._proven(plan.held, target.file.write)
                except NotProven as error:
                    yield SavedFile(plan.held.file.path, reason=str(error), why=error.why)
                    continue
                except NotRead as error:
                    yield SavedFile(plan.held.file.path, reason=str(error))
                    continue
                target.commit()
            copy = AccessCopy(plan.held.file.path, plan.path, fixity)
            yield SavedFile(plan.held.file.path, copy)

    def proven(self, held: HoldingFile) -> Iterator[bytes]:
        """Yield the bytes of a file. Raises NotProven where they are others, at their end at last,
        and NotRead."""
        yield from self._read(held, [])

    def _proven(self, held: HoldingFile, write: Callable[[bytes], object]) -> Fixity:
        found: list[Fixity] = []
        for block in self._read(held, found):
            write(block)
        return found[0]

    def _read(self, held: HoldingFile, found: list[Fixity]) -> Iterator[bytes]:
        """Yield the bytes of a file, and add what they are. Raises NotProven and NotRead."""
        if error := self._unfit.get(held.position):
            raise error
        version = self._versions[held.position]
        with closing(Digester(algorithms_of(held.file, self._algorithms))) as digester:
            for block in self._blocks(version):
                digester.feed(block)
                yield block
            found.append(digester.fixity())
        if fault := unlike(held.file, found[0]):
            raise _not_proven(version, fault)

    def _blocks(self, version: ExportedVersion) -> Iterator[bytes]:
        try:
            with self._store.open_object(version.path) as file:
                while block := file.read(MEBIBYTE):
                    self._attend(len(block))
                    yield block
        except FileNotFoundError as error:
            raise _not_proven(version, str(error.strerror)) from error
        except OSError as error:
            raise not_read(self._store.root / version.path, error) from error


def _not_proven(version: ExportedVersion, why: str) -> NotProven:
    words = tr(
        "{ident} cannot be handed over: {why}. “carrel dark verify” reports what else is damaged.",
        ident=version.ident_n,
        why=why,
    )
    return NotProven(version.ident_n, words)


def _why_not(version: ExportedVersion, *, has_rights: bool) -> str:
    """Return why a version may not be given out, "" if it may."""
    if version.purged is not None:
        return tr(
            "It was taken down on {day}: {reason}",
            day=day(version.purged),
            reason=version.purge_reason or "",
        )
    if version.kind is ObiKind.TOBI or version.state is ObiState.LOST or has_rights:
        return ""
    return still_there(version)


def _paths(versions: Sequence[ExportedVersion]) -> Sequence[str]:
    """Return what each version is called: as its address ends, by day where there are several."""
    counts = Counter((each.kind, each.ident_n) for each in versions)
    return [
        _name(each) if counts[each.kind, each.ident_n] == 1 else f"{day(each.tist)}/{_name(each)}"
        for each in versions
    ]


def _name(version: ExportedVersion) -> str:
    if version.kind is ObiKind.TOBI:
        return _TEMPLATE
    address = urlsplit(version.ident_n)
    last = PurePosixPath(unquote(address.path)).name
    return last or address.netloc or hashlib.sha256(version.ident_n.encode()).hexdigest()[:16]


def _manifest_file(path: str, version: ExportedVersion) -> ManifestFile:
    is_text = version.kind is ObiKind.FOBI
    return ManifestFile(
        path,
        platform_url=version.ident_n if is_text else None,
        mimetype=version.media,
        status=Status.SUCCESS,
        observed=Fixity(version.size, {"sha256": version.sha256}),
        terminal_dt=moment_of(version.tist).strftime("%Y%m%d%H%M%S"),
    )


def _dataset(
    store: ObjectStore, handle: ExportedHandle, templates: Sequence[ExportedVersion]
) -> Dataset:
    fields = _template(store, templates)
    return Dataset(
        requested=handle.ident,
        title=next(iter(fields.get("title", ())), None),
        creators=tuple(fields.get("author-name", ())),
        published=next(iter([*fields.get("creation-date", ()), *fields.get("year", ())]), None),
        platform_name="repec",
        platform_id=handle.ident,
    )


def _template(
    store: ObjectStore, templates: Sequence[ExportedVersion]
) -> Mapping[str, Sequence[str]]:
    """Return the fields of the last of these templates, nothing of one that cannot be read."""
    if not templates:
        return {}
    last = max(templates, key=lambda each: each.tist)
    try:
        with store.open_object(last.path) as file:
            content = file.read(_MOST_OF_A_TEMPLATE)
    except OSError:
        return {}  # it is named when it is to be copied
    found: dict[str, list[str]] = {}
    for name, value in template_of(content.decode("utf-8", "replace"), 0).fields():
        found.setdefault(name.lower(), []).append(value)
    return found


def _document(
    handle: ExportedHandle, paths: Sequence[str], versions: Sequence[ExportedVersion]
) -> bytes:
    """Return what is known of all of it, as JSON."""
    manifest = [
        {
            "path": path,
            "platform_url": each.ident_n if each.kind is ObiKind.FOBI else None,
            "recorded": iso_time(moment_of(each.tist)),
            "size": each.size,
            "sha256": each.sha256,
            "mimetype": each.media,
            "standing": occasion(each) if each.kind is ObiKind.FOBI else None,
            "redirects": [[hop.status, hop.to_url] for hop in each.redirects] or None,
            "taken_down": each.purge_reason if each.purged is not None else None,
        }
        for path, each in zip(paths, versions, strict=True)
    ]
    fields = {
        "handle": handle.ident,
        "archive": handle.archive,
        "series": handle.series,
        "manifest": [{k: v for k, v in each.items() if v is not None} for each in manifest],
    }
    return json.dumps(fields, indent=1, sort_keys=True).encode() + b"\n"
