# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exports that were there already: all their files, read again and compared with every digest."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from carrel.access.proof import Attend, unlike
from carrel.capture.digests import sha256_of
from carrel.engine.packages import Fault, Package, check_files, open_package
from carrel.engine.verification.wacz import wacz_checks
from carrel.errors import NotLoaded
from carrel.exports.earlier import ReadAgain
from carrel.exports.holding import ExportedFile
from carrel.exports.papers import README
from carrel.exports.payload import DATA
from carrel.exports.wacz.packing import COLLECTION
from carrel.model import Absence, Fate, ManifestFile
from carrel.model.exports import NotExported
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

_BAG_INFO = "bag-info.txt"
Found = Iterator[tuple[str, str]]


def reading_again(attend: Attend) -> ReadAgain:
    """Return what reads an export again; `attend` is told of the bytes, and may end it."""

    def read_again(
        target: Path, files: Sequence[ExportedFile], listing: str
    ) -> Sequence[NotExported]:
        found: dict[str, str] = {}
        for name, why in _faults(target, files, listing, attend):
            found.setdefault(name or target.name, why)
        return [NotExported(name, why) for name, why in found.items()]

    return read_again


def _faults(target: Path, files: Sequence[ExportedFile], listing: str, attend: Attend) -> Found:
    """Yield the files that are not as they were written, by their paths there, and why."""
    try:
        if target.suffix == ".wacz":
            yield from _in_wacz(target, attend)
        elif (target / COLLECTION).is_file():
            yield from _in_collection(target, attend)
        else:
            known = {f"{DATA}/{each.path}": each.held.file for each in files}
            yield from _in_package(open_package(target), known, listing, attend)
    except NotLoaded as error:
        yield "", str(error)
    except OSError as error:
        yield "", tr("It cannot be read: {reason}.", reason=error.strerror or error)


def _in_package(
    package: Package, known: Mapping[str, ManifestFile], listing: str, attend: Attend
) -> Found:
    if listing and README not in package.declared:
        yield listing, tr("It is missing, or does not list the files of the export.")
    for path, found in check_files(package, attend, ["sha256"]):
        if isinstance(found, Fault):
            yield path, found.message
        elif path in known and (why := unlike(known[path], found)):
            yield path, f"{why[:1].upper()}{why[1:]}."
    for fault in package.faults:
        # The sums there differ with any file; its own bytes were compared with the list.
        if fault.path != _BAG_INFO or _BAG_INFO not in package.declared:
            yield fault.path, fault.message


def _in_wacz(target: Path, attend: Attend) -> Found:
    for check in wacz_checks(None, target, _Attention(attend)):
        if check.fate is not Fate.INTACT:
            yield check.filename, check.message


def _in_collection(target: Path, attend: Attend) -> Found:
    """Yield the parts that are not as the list of them says."""
    try:
        listed = json.loads((target / COLLECTION).read_bytes())["resources"]
        digests = {str(each["path"]): str(each["hash"]) for each in listed}
    except (ValueError, TypeError, KeyError, RecursionError):
        yield COLLECTION, tr("It does not list the files of the WACZ.")
        return
    for name, digest in digests.items():
        part = target / Path(name).name
        if not part.is_file():
            yield name, tr("{list} lists it, and it is not there.", list=COLLECTION)
        elif (found := f"sha256:{sha256_of(_blocks(part, attend))}") != digest:
            yield (
                name,
                tr(
                    "Its {algorithm} is {found} instead of {digest}.",
                    algorithm="sha256",
                    found=found.removeprefix("sha256:"),
                    digest=digest.removeprefix("sha256:"),
                ),
            )


def _blocks(path: Path, attend: Attend) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(MEBIBYTE):
            attend(len(block))
            yield block


class _Attention:
    """Wants to know of the bytes that were read, and of nothing else."""

    def __init__(self, attend: Callable[[int], None]) -> None:
        self.attend = attend

    def expect(self, total: int) -> None:
        """It is not told how much there is."""

    def remark(self, words: str, only_read: int = 0) -> None:
        """Who signed is no fault."""

    def lack(self, absence: Absence) -> None:
        """No copy is read."""
