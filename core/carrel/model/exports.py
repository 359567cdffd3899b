# SPDX-License-Identifier: AGPL-3.0-or-later
"""What holdings are exported as, and what became of each that was."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from carrel.model.evidence import Signing


class ExportForm(StrEnum):
    """The forms of an export."""

    FILES = "files"
    BAGIT = "bagit"
    ROCRATE = "rocrate"
    WACZ = "wacz"


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What a person decides about an export.

    `algorithms` are those of the checksum lists of a bag, none for the usual ones. A holding of
    which something is damaged is refused unless it `leaves_out_damaged` files.

    Of bags: `profile` is what its recipient requires, by name or file, and `bag_info` are tags in
    place of what Carrel knows. One that `is_holey` has addresses in place of files that are public.

    Of WACZ: all datasets go into `one` of this name, if there is one; into several of `split_size`
    bytes and a list of them, if that is not 0. The server at `signing_url` signs it, if there is
    one.

    `signing` says by which key an export is signed, and by which authority it is time-stamped.
    """

    form: ExportForm
    algorithms: tuple[str, ...] = ()
    leaves_out_damaged: bool = False
    profile: str = ""
    bag_info: tuple[tuple[str, str], ...] = ()
    is_holey: bool = False
    one: str = ""
    split_size: int = 0
    signing_url: str = ""
    signing: Signing = Signing()


@dataclass(frozen=True, slots=True)
class NotExported:
    """A file of a dataset that is not in its export, and why.

    `address` is where another archive has it, "" if none is known to. `is_damaged` says that it was
    archived, and cannot be proven any more; `is_absent` that the archive has it, and an export that
    was there already has not.
    """

    file: str
    reason: str
    address: str = ""
    is_damaged: bool = False
    is_absent: bool = False

    def to_json(self) -> dict[str, Any]:
        fields = {"file": self.file, "reason": self.reason, "address": self.address or None}
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Outlook:
    """What there is to export of a holding: `files` of its `file_count`, and what lacks."""

    ingest_id: str
    title: str
    files: int
    file_count: int
    size: int
    lacking: Sequence[NotExported] = ()


@dataclass(frozen=True, slots=True)
class Exported:
    """What became of one holding: it is at `path`, None where it could not be exported.

    `files` of the dataset's `file_count` are in it; `size` is theirs, or that of a WACZ.
    `refusal` says why then, and `is_damaged` that this is what the archive has of it: in a WACZ, of
    the `damaged_record` that was come upon, with its place and what is wrong. `lacking` are
    the files that are not there. `was_there` says that it had been exported before, and was left as
    it is. `renamed` files could not have their own names.
    """

    ingest_id: str
    title: str
    path: Path | None = None
    files: int = 0
    size: int = 0
    lacking: Sequence[NotExported] = ()
    renamed: int = 0
    refusal: str = ""
    was_there: bool = False
    file_count: int = 0
    is_damaged: bool = False
    damaged_record: str = ""

    @property
    def has_damage(self) -> bool:
        """Whether something of it was archived, and cannot be proven any more."""
        return self.is_damaged or any(each.is_damaged for each in self.lacking)

    @property
    def damaged(self) -> Sequence[NotExported]:
        """The files of it that were archived, and cannot be proven any more."""
        return [each for each in self.lacking if each.is_damaged]

    @property
    def never_archived(self) -> Sequence[NotExported]:
        """The files that lack in what is there, as this archive never had them."""
        if self.path is None:
            return []
        return [each for each in self.lacking if not (each.is_damaged or each.is_absent)]

    @property
    def kept_back(self) -> int:
        """How many files were not exported for others of the same dataset that are damaged."""
        is_kept_back = self.path is None and bool(self.damaged)
        return self.file_count - len(self.lacking) if is_kept_back else 0

    @property
    def is_whole(self) -> bool:
        """Whether it is there with all that the archive had of it."""
        is_left_out = any(each.is_damaged or each.is_absent for each in self.lacking)
        return self.path is not None and not is_left_out

    @property
    def lacks_archived(self) -> bool:
        """Whether it was there already, without something that the archive has by now."""
        return any(each.is_absent for each in self.lacking)

    def to_json(self) -> dict[str, Any]:
        fields = {
            "ingest_id": self.ingest_id,
            "title": self.title,
            "path": str(self.path) if self.path else None,
            "files": self.files,
            "size": self.size,
            "not_exported": [each.to_json() for each in self.lacking] or None,
            "renamed": self.renamed or None,
            "error_message": self.refusal or None,
            "was_there": self.was_there or None,
        }
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What became of all holdings that were to be exported into a folder.

    `signer` is the fingerprint of the key that signed them, "" if none did; it `has_lasting_key`
    unless that was made for them alone, where there is no keyring.
    """

    folder: Path
    holdings: Sequence[Exported]
    form: ExportForm = ExportForm.FILES
    signer: str = ""
    has_lasting_key: bool = True

    @property
    def refused(self) -> Sequence[Exported]:
        return [each for each in self.holdings if each.path is None]

    @property
    def there(self) -> Sequence[Exported]:
        """Those that are there, complete or not, from now or before."""
        return [each for each in self.holdings if each.path is not None]

    @property
    def written(self) -> Sequence[Exported]:
        """Those that were exported now."""
        return [each for each in self.there if not each.was_there]

    @property
    def earlier(self) -> Sequence[Exported]:
        """Those that had been exported before, and were left as they are."""
        return [each for each in self.there if each.was_there]

    @property
    def incomplete(self) -> Sequence[Exported]:
        """Those that are there without all files of their datasets."""
        return [each for each in self.there if each.lacking]

    @property
    def files(self) -> int:
        return sum(each.files for each in self.holdings)

    @property
    def file_count(self) -> int:
        """How many files the datasets have that were to be exported now."""
        return sum(each.file_count for each in self.holdings if not each.was_there)

    @property
    def size(self) -> int:
        return sum(each.size for each in self.holdings)

    @property
    def is_whole(self) -> bool:
        """Whether all that the archive had of them is there."""
        return all(each.is_whole for each in self.holdings)
