# SPDX-License-Identifier: AGPL-3.0-or-later
"""The files of a watched dataset, then and now; those that differ first."""

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt

from carrel.model.dark_views import FileDifference
from carrel_desktop import quantities
from carrel_desktop.views.watch import states
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.model_changes import replacement
from carrel_desktop.widgets.rows import ALIGN_RIGHT

Role = Qt.ItemDataRole


class FileColumn(IntEnum):
    FILE = 0
    WHAT = 1
    SIZE = 2


class FilesModel(QAbstractTableModel):
    """`Role.UserRole` gives the FileDifference. Files that are as they were can be left out."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: Sequence[FileDifference] = ()
        self._listed: list[FileDifference] = []
        self._with_same = False

    def show_files(self, files: Sequence[FileDifference]) -> None:
        """Replace everything."""
        self._all = files
        self._list()

    def list_same(self, with_same: bool) -> None:
        """List the files that are as they were, or leave them out."""
        self._with_same = with_same
        self._list()

    @property
    def counts(self) -> Counter[str]:
        """How many files there are of each kind, listed or not."""
        return Counter(each.what for each in self._all)

    def at(self, index: Index) -> FileDifference | None:
        return self._listed[index.row()] if index.isValid() else None

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._listed)

    def columnCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(FileColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Role.TextAlignmentRole:
            return ALIGN_RIGHT if section == FileColumn.SIZE else None
        if role != Role.DisplayRole:
            return None
        return {
            FileColumn.FILE: self.tr("File"),
            FileColumn.WHAT: self.tr("What became of it"),
            FileColumn.SIZE: self.tr("Size"),
        }[FileColumn(section)]

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        each, column = self._listed[index.row()], FileColumn(index.column())
        match role:
            case Role.DisplayRole:
                return _text(each, column)
            case Role.AccessibleTextRole if column is FileColumn.FILE:
                return f"{each.path}. {states.file_state(each.what).word}. {each.reason}"
            case Role.ToolTipRole:
                return _tip(each)
            case Role.TextAlignmentRole if column is FileColumn.SIZE:
                return ALIGN_RIGHT
            case Role.UserRole:
                return each
        return None

    def _list(self) -> None:
        listed = sorted(
            (each for each in self._all if self._with_same or each.what != "same"),
            key=lambda each: (states.file_state(each.what).rank, each.path),
        )
        with replacement(self):
            self._listed = listed


def sizes(each: FileDifference) -> str:
    """Return "1.2 kB → 1.4 kB" for a size that changed, the size else."""
    then, now = quantities.size(each.size_then), quantities.size(each.size_now)
    if each.size_then is None or each.size_now is None or each.size_then == each.size_now:
        return now if each.size_now is not None else then
    if then == now:  # to the byte, else nobody would see the difference
        then, now = quantities.number(each.size_then), quantities.number(each.size_now)
    return f"{then} → {now}"


def _text(each: FileDifference, column: FileColumn) -> str:
    match column:
        case FileColumn.FILE:
            return each.path
        case FileColumn.WHAT:
            return states.file_state(each.what).word
    return sizes(each)


def _tip(each: FileDifference) -> str:
    digests = [digest for digest in (each.digest_then, each.digest_now) if digest]
    return "\n".join([each.path, each.reason, *dict.fromkeys(digests)])
