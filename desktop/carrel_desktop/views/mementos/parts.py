# SPDX-License-Identifier: AGPL-3.0-or-later
"""The landing page and files of a dataset, and who has each."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from PySide6.QtCore import QObject, Qt

from carrel.model import SourceReport, SourceState, Status
from carrel.model.memento_views import DatasetPart
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.widgets.rows import TwoLines
from carrel_desktop.widgets.table.column import Column, Kind, as_given
from carrel_desktop.widgets.table.model import RowsModel

ARCHIVES = tr("{count} archives")


@dataclass(slots=True, eq=False)
class Part:
    """A part and what is known of it. `is_here` says that this archive has a capture of its
    address, `is_kept` that its bytes are here, be it without one. `holders` are the others that
    have it, None while no one was asked; `silent` counts those of which nothing is known. Of one
    that `is_private` no other is asked. `short` is its name without the folders that all files of
    that name are in."""

    part: DatasetPart
    is_here: bool
    is_kept: bool = False
    holders: tuple[str, ...] | None = None
    silent: int = 0
    is_asked: bool = False
    is_private: bool = False
    short: str = ""

    @property
    def was_queried(self) -> bool:
        """Whether other archives were asked for it."""
        return self.holders is not None and not self.is_private


@dataclass(frozen=True, slots=True)
class Dataset:
    """What a result says of its dataset: its title, and the paths of what is kept ("" for the
    landing page)."""

    title: str
    kept: frozenset[str]


def dataset_of(fields: Mapping[str, Any]) -> Dataset:
    """Return the dataset of a result object."""
    kept = {
        str(entry.get("path"))
        for entry in fields.get("manifest") or ()
        if entry.get("status") and Status(entry["status"]).is_success
    }
    if fields.get("cdx") or fields.get("revisit_cdx"):
        kept.add("")
    title = fields.get("title") or fields.get("platform_id") or fields["request"]["base_url"]
    return Dataset(str(title), frozenset(kept))


class PartsModel(RowsModel[Part]):
    """The landing page first, then the files."""

    def __init__(self, parent: QObject | None = None) -> None:
        column = Column("", name, as_given, tip=_tip, lines=_lines)
        super().__init__(Kind(column, ident=name, is_sortable=False, spoken=_spoken), parent)

    def show_parts(self, parts: Sequence[DatasetPart], kept: frozenset[str]) -> None:
        shorts = shortened([part.path for part in parts])
        self.show(self.kind, [_part(each, kept, shorts[each.path]) for each in parts])

    def set_asked(self, part: Part, is_asked: bool) -> None:
        part.is_asked = is_asked
        self.changed(part)

    def take(self, part: Part, reports: Iterable[SourceReport]) -> None:
        """Take who answered that they have a part."""
        told = list(reports)
        having = [report for report in told if report.state is SourceState.ANSWERED]
        part.is_asked = False
        part.holders = tuple(it.source for it in having if not it.source_type.is_local)
        part.is_here = part.is_here or any(it.source_type.is_local for it in having)
        part.silent = sum(report.is_trouble for report in told)
        outside = [report for report in told if not report.source_type.is_local]
        part.is_private = bool(outside) and all(report.is_kept_private for report in outside)
        self.changed(part)


def _part(part: DatasetPart, kept: frozenset[str], short: str) -> Part:
    # A page is kept as a capture of its address, or not at all.
    is_kept = part.path in kept and (bool(part.path) or part.is_captured)
    return Part(part, is_kept and part.is_captured, is_kept, short=short)


def shortened(paths: Sequence[str]) -> dict[str, str]:
    """Return names that tell paths apart in less room: without the folders that all files have in
    common which are called the same."""
    alike: defaultdict[str, list[list[str]]] = defaultdict(list)
    for path in paths:
        *folders, last = path.split("/")
        alike[last].append(folders)
    common = {last: _in_common(folders) for last, folders in alike.items()}
    made = {}
    for path in paths:
        *folders, last = path.split("/")
        kept = [*folders[common[last] :], last]
        made[path] = "/".join(["…", *kept] if len(kept) <= len(folders) else kept)
    return made


def _in_common(folders: Sequence[Sequence[str]]) -> int:
    """Return in how many folders, from the uppermost on, all are."""
    names = zip(*folders, strict=False)
    return len(list(takewhile(lambda each: len(set(each)) == 1, names)))


def name(part: Part) -> str:
    return part.part.path or tr("Landing page")


def where(part: Part) -> str:
    """Return who has a part, in words."""
    if part.is_asked:
        return tr("Querying archives…")
    told = _captures(part)
    if part.is_kept and not part.is_here:
        return tr("Held here without a capture · {captures}", captures=told)
    return told


def _captures(part: Part) -> str:
    """Return who is known to have captures of a part's address."""
    if not part.was_queried or part.holders is None:
        return tr("This archive · others not queried") if part.is_here else tr("Not queried")
    found = _found(part, quantities.counted(len(part.holders), "1 archive", ARCHIVES))
    if not part.silent:
        return found
    return tr("{found} · {count} not queried", found=found, count=quantities.number(part.silent))


def _found(part: Part, archives: str) -> str:
    """Return who is known to have a part; that no one else has it only where all answered."""
    if part.holders and part.is_here:
        return tr("This archive + {archives}", archives=archives)
    if part.holders:
        return archives
    if part.is_here:
        return tr("This archive") if part.silent else tr("Local only")
    return tr("Not found") if part.silent else tr("In no archive")


def _spoken(part: Part) -> str:
    return f"{name(part)}. {where(part)}"


def _tip(part: Part) -> str:
    return "\n".join((part.part.url, where(part), *(part.holders or ())))


def _lines(part: Part) -> TwoLines:
    return TwoLines(
        name(part),
        where(part),
        *look(part),
        elides=Qt.TextElideMode.ElideMiddle,
        short=part.short,
    )


def look(part: Part) -> tuple[str, str]:
    """Return icon and colour of where a part is."""
    if part.is_asked:
        return "running", "accent"
    if part.is_here:
        return "here", "accent"
    if part.holders:
        return "indicator-answered", "ok"
    if not part.was_queried or part.silent:
        return "indicator-none", "secondary"
    return "warning", "warning"
