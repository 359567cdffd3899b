# SPDX-License-Identifier: AGPL-3.0-or-later
"""The files of a holding, each with the records that should have its bytes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from carrel.errors import HeldElsewhere, NoAccessCopy, UsageError
from carrel.ledger import Ledger
from carrel.model import Capture, Fate, ManifestFile
from carrel.model.formats import FormatKey, extension_of
from carrel.translation import tr


@dataclass(frozen=True, slots=True)
class HoldingFile:
    """One file of a dataset that was archived, by its place in the manifest.

    `captures` are the records that should have its bytes, best first; the bundle that it is a
    member of if `member`, its name there, is not None. `elsewhere` is the address at which another
    archive has it, "" if none is known to; `beside` is the ingest of the same version that archived
    it where this one did not, "" if none did.
    """

    ingest_id: str
    position: int
    file: ManifestFile
    captures: tuple[Capture, ...] = ()
    member: str | None = None
    elsewhere: str = ""
    beside: str = ""

    @property
    def format_key(self) -> FormatKey | None:
        """What its format is noted by; None where it is not here, or has no digest."""
        observed = self.file.observed
        sha256 = observed.digests.get("sha256") if observed else None
        if not (self.file.is_kept and self.captures and sha256):
            return None
        return FormatKey(sha256, extension_of(self.file.path))

    def check(self) -> None:
        """Raise NoAccessCopy if it was not archived with this dataset, though it may be here with
        another one; HeldElsewhere if another archive has it."""
        if self.captures:
            return
        path = self.file.path
        if self.file.is_kept and self.elsewhere:
            raise HeldElsewhere(
                path,
                self.elsewhere,
                tr(
                    "{path} is not in this archive; it is at {address}.",
                    path=path,
                    address=self.elsewhere,
                ),
            )
        if self.file.is_kept:
            raise NoAccessCopy(
                path, tr("The ledger does not say which record has {path}.", path=path)
            )
        if self.beside:
            words = tr(
                "{path} was not archived by this ingest, but by another one of this version: "
                "{ingest_id}.",
                path=path,
                ingest_id=self.beside,
            )
            raise NoAccessCopy(path, words)
        told = tr("{path} was not archived with this dataset.", path=path)
        raise NoAccessCopy(path, f"{told} {self.file.message or ''}".rstrip())


def holding_files(ledger: Ledger, ingest_id: str) -> Sequence[HoldingFile]:
    """Return the files of an attempt's manifest, in its order, kept or not. Blocks.

    Raises UsageError for the id of an ingest that there is not, ArchiveError where the ledger
    cannot be read.
    """
    result = ledger.result(ingest_id)
    if result is None:
        raise UsageError(no_result(ledger, ingest_id))
    found = _Finding(ledger, ingest_id, result)
    files = map(ManifestFile.from_json, result.get("manifest") or ())
    return [found.file(position, file) for position, file in enumerate(files)]


def no_result(ledger: Ledger, ingest_id: str) -> str:
    """Return why the ledger has no result of an attempt, and what to do."""
    if ingest_id not in ledger.lost_results.addresses():
        return tr("There is no ingest {ingest_id} in this archive.", ingest_id=ingest_id)
    return tr(
        "Its result is missing: it was in a WARC file that is missing or damaged. Repair the "
        "archive from a second copy (“carrel repair --from”), which brings it back; or archive the "
        "dataset again."
    )


class _Finding:
    """Finds the records of one attempt's files."""

    def __init__(self, ledger: Ledger, ingest_id: str, result: Mapping[str, Any]) -> None:
        self._captures, self._ingest_id = ledger.captures, ingest_id
        self._result = result
        self._own = self._captures.by_position(ingest_id)
        self._bundles = self._find_bundles()
        known = [ledger.fixity.of_record(each.record_id) for each in self._bundles]
        self._is_bundle_lost = all(each and each.fate is not Fate.INTACT for each in known)
        self._beside = {
            each["position"]: each["ingest_id"] for each in ledger.inventory.beside(ingest_id)
        }

    def file(self, position: int, file: ManifestFile) -> HoldingFile:
        captures: tuple[Capture, ...] = ()
        member = file.extra.get("bundle_member")
        if file.is_kept and position in self._own:
            member, captures = None, (self._own[position],)
        elif file.is_kept and isinstance(member, str) and self._bundles:
            captures = self._bundles
            if self._is_bundle_lost and (alone := self._with_its_digest(file)):
                member, captures = None, alone
        elif file.is_kept:
            member, captures = None, self._with_its_digest(file)
        elsewhere = elsewhere_of(file, self._result)
        beside = self._beside.get(position, "")
        return HoldingFile(self._ingest_id, position, file, captures, member, elsewhere, beside)

    def _find_bundles(self) -> tuple[Capture, ...]:
        bundle = self._result.get("fileset_bundle") or {}
        meta = bundle.get("file_meta") or {}
        if not meta.get("sha256hex"):
            return ()
        return tuple(self._captures.holding(meta["sha256hex"], meta["size_bytes"]))

    def _with_its_digest(self, file: ManifestFile) -> tuple[Capture, ...]:
        """Return records that hold a file's bytes though no one noted that it rests on them."""
        observed = file.observed
        if observed is None or observed.size is None or "sha256" not in observed.digests:
            return ()
        return tuple(self._captures.holding(observed.digests["sha256"], observed.size))


def elsewhere_of(file: ManifestFile, result: Mapping[str, Any]) -> str:
    """Return where another archive has a file, by the result that it stands in, "" if none has."""
    address = file.extra.get("wayback_url")
    if isinstance(address, str):
        return address
    strategy = str(result.get("ingest_strategy") or "")
    item = result.get("archiveorg_item_name")  # also of what was never brought there
    if not (strategy.startswith("archiveorg") and item):
        return ""
    if "bundle_member" in file.extra:
        return f"https://archive.org/details/{quote(item)}"
    return f"https://archive.org/download/{quote(item)}/{quote(file.path)}"
