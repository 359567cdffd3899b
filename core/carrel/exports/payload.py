# SPDX-License-Identifier: AGPL-3.0-or-later
"""The files of a holding in a folder: each proven while it is copied, or because it is there."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from carrel.access.proof import Attend, algorithms_of, unlike
from carrel.access.saving import MakesCopies, Plan
from carrel.capture.digests import Digester
from carrel.errors import NoAccessCopy, NotRead
from carrel.exports.holding import ExportedFile, Holding
from carrel.model import Fixity
from carrel.model.access import SavedFile
from carrel.model.exports import NotExported
from carrel.model.sizes import MEBIBYTE

AddressOf = Callable[[ExportedFile], str]
DATA = PurePosixPath("data")
"""The folder of an export that has the files of the dataset, and nothing else."""


@dataclass(frozen=True, slots=True)
class CopiedFile:
    """A file that is in the export, with its size and digests; or, with an `address`, one that was
    proven and is to be fetched from there."""

    file: ExportedFile
    fixity: Fixity
    address: str = ""

    @property
    def path(self) -> str:
        """Its path in the export."""
        return f"{DATA}/{self.file.path}"


@dataclass(slots=True)
class Payload:
    """What was copied, in the order of the paths, what could not be proven, and of what nothing is
    known, as it cannot be read."""

    copied: list[CopiedFile] = field(default_factory=list)
    damaged: list[NotExported] = field(default_factory=list)
    unread: list[NotExported] = field(default_factory=list)

    @property
    def size(self) -> int:
        return sum(each.fixity.size or 0 for each in self.copied)

    @property
    def here(self) -> Sequence[CopiedFile]:
        """Those that are not to be fetched."""
        return [each for each in self.copied if not each.address]

    @property
    def renamed(self) -> Sequence[ExportedFile]:
        return [each.file for each in self.copied if each.file.is_renamed]


def copy_payload(
    holding: Holding,
    folder: Path,
    saving_with: Callable[[Sequence[str]], MakesCopies],
    algorithms: Sequence[str],
    attend: Attend,
    address_of: AddressOf = lambda file: "",
) -> Payload:
    """Copy the files of a holding below a folder; what is there already is read instead, and what
    has an address by `address_of` is proven only.

    `saving_with` gives what writes copies with digests by these algorithms. Raises OSError.
    """
    payload, plans = Payload(), []
    saving = saving_with(algorithms)
    (folder / DATA).mkdir(exist_ok=True)
    for file in holding.files:
        if address := address_of(file):
            _prove(file, address, saving, payload)
            continue
        path = folder / DATA / file.path
        found = _proven_there(file, path, algorithms, attend)
        if found is None:
            plans.append(Plan(file.held, path))
        else:
            payload.copied.append(CopiedFile(file, found))
    by_path = {folder / DATA / file.path: file for file in holding.files}
    _copy(plans, saving, by_path, payload)
    payload.copied.sort(key=lambda each: each.path)
    for lacking in (payload.damaged, payload.unread):
        lacking.sort(key=lambda each: each.file)
    return payload


def _prove(file: ExportedFile, address: str, saving: MakesCopies, payload: Payload) -> None:
    try:
        payload.copied.append(CopiedFile(file, saving.prove(file.held), address))
    except NotRead as error:
        payload.unread.append(NotExported(file.name, str(error)))
    except NoAccessCopy as error:
        payload.damaged.append(NotExported(file.name, str(error), is_damaged=True))


def _copy(
    plans: Sequence[Plan], saving: MakesCopies, by_path: dict[Path, ExportedFile], payload: Payload
) -> None:
    left = {plan.held.position: plan.held.file.path for plan in plans}
    refused: dict[str, list[SavedFile]] = {}
    for saved in saving.save_all(plans, may_replace=False):
        if saved.copy is None:
            refused.setdefault(saved.file, []).append(saved)
            continue
        file = by_path[saved.copy.path]
        del left[file.held.position]
        payload.copied.append(CopiedFile(file, saved.copy.fixity))
    for name in left.values():
        saved = refused[name].pop()
        if saved.is_damaged:
            payload.damaged.append(NotExported(name, saved.reason, is_damaged=True))
        else:
            payload.unread.append(NotExported(name, saved.reason))


def _proven_there(
    file: ExportedFile, path: Path, algorithms: Sequence[str], attend: Attend
) -> Fixity | None:
    """Return what a file is that an earlier attempt left, None if it is none or not as it was."""
    known = file.held.file.observed
    if known is None or not path.is_file():
        return None
    found = _read(path, algorithms_of(file.held.file, algorithms), attend)
    if known.size == found.size and not unlike(file.held.file, found):
        return found
    path.unlink()
    return None


def _read(path: Path, algorithms: Sequence[str], attend: Attend) -> Fixity:
    with closing(Digester(algorithms)) as digester:
        for block in _blocks(path):
            attend(len(block))
            digester.feed(block)
        return digester.fixity()


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(MEBIBYTE):
            yield block
