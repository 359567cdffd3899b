# SPDX-License-Identifier: AGPL-3.0-or-later
"""The formats of archived files: of each its two ends are read, proven, and looked at.

A file goes to the process under a name of ours with its own extension, in the session's folder, and
is gone when it was looked at: the disk never holds more than one, and the bundle that it is in.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from carrel.access.bundles import lay_out, written_members
from carrel.access.copies import Copies
from carrel.access.formats.apart import Identifier
from carrel.access.holding_files import HoldingFile
from carrel.access.proof import Attend, no_copy, write_proven
from carrel.archive import Archive
from carrel.capture.ends import Ends
from carrel.errors import NoAccessCopy
from carrel.model.formats import Format, extension_of
from carrel.whole_file import PRIVATE

# A format is noted by it; others would take most of the time, and prove no more.
_BY = ("sha256",)


@dataclass(frozen=True, slots=True)
class Identifying:
    """Identifies files of one archive. `copies` is where they are laid out. All of it blocks, and
    tells `attend` of the bytes that were read; what that raises ends the work.
    """

    archive: Archive
    copies: Copies
    identifier: Identifier
    attend: Attend
    _open: list["_LaidOut"] = field(default_factory=list)

    def identified(
        self, files: Sequence[HoldingFile]
    ) -> Iterator[tuple[HoldingFile, Format | NoAccessCopy]]:
        """Yield each file with its format, or why it cannot be read. Raises FormatsUnavailable, and
        OSError where nothing can be written."""
        bundled: dict[str, list[HoldingFile]] = {}
        for held in files:
            if held.member is None:
                yield held, self._of_record(held)
            else:
                bundled.setdefault(held.captures[0].sha256, []).append(held)
        for members in bundled.values():
            yield from self._of_bundle(members)

    def _of_record(self, held: HoldingFile) -> Format | NoAccessCopy:
        with _LaidOut(self.copies, held) as laid_out:
            try:
                write_proven(self.archive, held, laid_out.ends, self.attend, only=_BY)
            except NoAccessCopy as error:
                return error
            return laid_out.looked_at(self.identifier)

    def _of_bundle(
        self, files: Sequence[HoldingFile]
    ) -> Iterator[tuple[HoldingFile, Format | NoAccessCopy]]:
        bundle = self.copies.place("bundle", f"formats-{files[0].captures[0].sha256}")
        try:
            faults = lay_out(self.archive, files[0], bundle, self.attend)
            if faults:
                yield from ((held, no_copy(self.archive, held, faults)) for held in files)
                return
            left = list(files)
            while left:  # a member that is two files is read twice
                wanted = {held.member or "": held for held in reversed(left)}
                yield from self._of_members(bundle, wanted)
                left = [held for held in left if wanted[held.member or ""] is not held]
        except NoAccessCopy as error:
            yield from ((held, error) for held in files)
        finally:
            bundle.unlink(missing_ok=True)

    def _of_members(
        self, bundle: Path, wanted: dict[str, HoldingFile]
    ) -> Iterator[tuple[HoldingFile, Format | NoAccessCopy]]:
        members = written_members(self.archive, bundle, wanted, self._target, self.attend)
        try:
            for held, outcome in members:
                yield held, self._settled(held, outcome)
        finally:
            self._forget()

    def _target(self, held: HoldingFile) -> BinaryIO:
        laid_out = _LaidOut(self.copies, held)
        self._open.append(laid_out)
        return laid_out.ends

    def _settled(self, held: HoldingFile, outcome: object) -> Format | NoAccessCopy:
        """Return the format of a member that was written to its end."""
        if isinstance(outcome, NoAccessCopy):
            self._forget()
            return outcome
        if not any(each.held is held for each in self._open):  # an empty file has no piece
            self._target(held)
        (laid_out,) = (each for each in self._open if each.held is held)
        self._open.remove(laid_out)
        with laid_out:
            return laid_out.looked_at(self.identifier)

    def _forget(self) -> None:
        while self._open:
            self._open.pop().close()


class _LaidOut:
    """The ends of one file, in a file of this session that goes when it was looked at."""

    def __init__(self, copies: Copies, held: HoldingFile) -> None:
        self.held = held
        extension = extension_of(held.file.path)
        name = token_hex(8)
        self._path = copies.place(f"{name}.{extension}" if extension else name, "formats")
        self._file = self._path.open("xb+")
        self._path.chmod(PRIVATE)
        self.ends = Ends(self._file)

    def __enter__(self) -> "_LaidOut":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def looked_at(self, identifier: Identifier) -> Format:
        self.ends.finish()
        self._file.close()
        return identifier.identify(self._path, is_cut=self.ends.is_cut)

    def close(self) -> None:
        self._file.close()
        self._path.unlink(missing_ok=True)
