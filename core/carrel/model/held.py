# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is held of a dataset that a preview found, and how what is published now stands to it."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from carrel.model.counts import counted
from carrel.model.status import Status
from carrel.model.verification import Fate
from carrel.translation import tr


class Standing(StrEnum):
    """How what is published now stands to what is held, as far as no file need be fetched for it.

    `same` also where files could only be compared by their sizes; `unverified` where nothing is
    seen to differ, and some could not be compared at all.
    """

    SAME = "same"
    UNVERIFIED = "unverified"
    CHANGED = "changed"
    OTHER_VERSION = "other-version"
    OTHER_RECORD = "other-record"


@dataclass(frozen=True, slots=True)
class PublishedNow:
    """What is published now beside what is held, in numbers of files.

    Of the `same` ones `same_by_size` have no digest to be compared by. `lacking` are listed on both
    sides and can be had, but were not kept. `is_asked_version` says that `platform_version` is the
    one that was requested, which need not be the newest. `gone` are no longer listed: no preview
    requests the addresses of files.
    """

    standing: Standing
    platform_version: str | None = None
    is_asked_version: bool = False
    same: int = 0
    same_by_size: int = 0
    changed: int = 0
    added: int = 0
    gone: int = 0
    unverified: int = 0
    lacking: int = 0
    renamed: int = 0

    def to_json(self) -> dict[str, Any]:
        return _known(asdict(self))


@dataclass(frozen=True, slots=True)
class Held:
    """What the attempt `ingest_id` keeps of a dataset that was requested by `base_url`.

    It ended with `status` at `finished` (UTC, ISO 8601). What it keeps is here since `archived`,
    the last of it since `added` if that came later. `fate` is the worst that fixity runs found
    of the records that it rests on, None if they were never read again; `failed` of these are
    damaged or missing. `now` is None where the preview did not get to see what is published.
    At `removed` someone removed the dataset from the holdings, None if it is among them. `closed`
    are the paths of files that are here as they are published now, which not everybody can have.
    """

    ingest_id: str
    base_url: str
    status: Status
    finished: str
    kept_count: int
    file_count: int
    platform_version: str | None = None
    fate: Fate | None = None
    failed: int = 0
    now: PublishedNow | None = None
    archived: str | None = None
    added: str | None = None
    removed: str | None = None
    closed: frozenset[str] = frozenset()

    @property
    def since(self) -> str:
        """Since when it is held: as far as is known, since the attempt ended."""
        return self.archived or self.finished

    @property
    def is_as_published(self) -> bool:
        """Whether everything that can be had today is held, undamaged, and as it is published."""
        now = self.now
        is_same = now is not None and now.standing is Standing.SAME and not now.lacking
        return is_same and not self.failed

    @property
    def is_whole(self) -> bool:
        """Whether every file that was listed when it was archived is held."""
        return self.kept_count == self.file_count

    @property
    def holding(self) -> str:
        """What is held: "version 1.1, 12 of 12 files"."""
        version = (
            tr("version {platform_version}, ", platform_version=self.platform_version)
            if self.platform_version
            else ""
        )
        kept = tr(
            "{kept_count:,} of {files}", kept_count=self.kept_count, files=_files(self.file_count)
        )
        return f"{version}{kept}{self._damage}"

    @property
    def today(self) -> str:
        """How what is published now stands to it, as a clause; empty where that is not known."""
        return _in_words(self.now) if self.now else ""

    @property
    def message(self) -> str:
        """What is held, and how what is published now stands to it, as the end of a sentence."""
        return "; ".join(part for part in (self.holding, self.today) if part) + "."

    def to_json(self) -> dict[str, Any]:
        """Return the fields under the names of a result; those that have no value are left out."""
        return _known(
            {
                **asdict(self),
                "failed": self.failed or None,
                "closed": None,
                "now": self.now and self.now.to_json(),
                "is_as_published": self.is_as_published,
                "message": self.message,
            }
        )

    @property
    def _damage(self) -> str:
        if not self.failed:
            return ""
        what = tr("damaged or missing") if self.fate is Fate.MISSING else "damaged"
        return f", {counted(self.failed, 'record')} {what}"


def _in_words(now: PublishedNow) -> str:
    differs = ", ".join(_differences(now))
    match now.standing:
        case Standing.OTHER_VERSION:
            version = tr("version {platform_version}", platform_version=now.platform_version)
            words = (
                tr("you requested {version}", version=version)
                if now.is_asked_version
                else tr("today it is {version}", version=version)
            )
            words += f": {differs}" if differs else _with_the_same(now)
        case Standing.OTHER_RECORD:
            words = tr("today the address leads to another record")
            words += f": {differs}" if differs else _with_the_same(now)
        case Standing.CHANGED:
            words = tr("today {differs}", differs=differs)
        case Standing.UNVERIFIED:
            words = tr("no differences found today")
        case Standing.SAME:
            words = tr(
                "{same} {are} published today{by_size}",
                same=_same(now),
                are=_is(now.same),
                by_size=_by_size(now),
            )
    return f"{words}{_beside(now)}"


def _with_the_same(now: PublishedNow) -> str:
    """Return that no file differs, empty where that is not known of each."""
    return (
        ""
        if now.unverified
        else tr(", with {same}{by_size}", same=_same(now), by_size=_by_size(now))
    )


def _differences(now: PublishedNow) -> Iterator[str]:
    if now.changed:
        yield f"{_files(now.changed)} {'differs' if now.changed == 1 else 'differ'}"
    if now.added:
        yield tr("{files} {are} new", files=_files(now.added), are=_is(now.added))
    if now.renamed:
        yield tr("{files} {are} renamed", files=_files(now.renamed), are=_is(now.renamed))
    if now.gone:
        yield tr("{files} {are} no longer listed", files=_files(now.gone), are=_is(now.gone))


def _same(now: PublishedNow) -> str:
    """Return what is the same, claiming no more than was compared."""
    is_one = now.same == 1
    if now.same_by_size == now.same:
        return (
            tr("a file of the same name and size")
            if is_one
            else tr("files of the same names and sizes")
        )
    return tr("the same file") if is_one else tr("the same files")


def _by_size(now: PublishedNow) -> str:
    if not now.same_by_size:
        return ""
    if now.same_by_size == now.same:
        return tr(", without a digest to compare by")
    return tr(", {same_by_size:,} of them compared by size alone", same_by_size=now.same_by_size)


def _beside(now: PublishedNow) -> str:
    """Return what else there is to say of single files."""
    unverified = (
        tr("; {files} cannot be compared", files=_files(now.unverified)) if now.unverified else ""
    )
    lacking = tr(
        "; {files} offered for download {are} not archived",
        files=_files(now.lacking),
        are=_is(now.lacking),
    )
    return f"{unverified}{lacking if now.lacking else ''}"


def _is(count: int) -> str:
    return tr("is") if count == 1 else tr("are")


def _files(count: int) -> str:
    return counted(count, "file")


def _known(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
