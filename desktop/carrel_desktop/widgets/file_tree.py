# SPDX-License-Identifier: AGPL-3.0-or-later
"""The files of a dataset as a tree of folders: the model."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from carrel.model import Fate, Fixity, ManifestFile
from carrel.model.digest import algorithm_name
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.foreign import in_cell, in_place, shown
from carrel_desktop.icons import icon
from carrel_desktop.theme import Theme, fixed_font
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.model_changes import rearrangement, replacement
from carrel_desktop.widgets.paged_tree import PAGE, ROOT, TreeModel
from carrel_desktop.widgets.rows import ALIGN_RIGHT

Role = Qt.ItemDataRole
FAILED = ("failed", "failed")  # icon and colour of what is damaged or missing
STRONGEST_FIRST = ("sha512", "sha256", "sha1", "md5")


class Column(IntEnum):
    NAME = 0
    SIZE = 1
    TYPE = 2
    CHECKSUM = 3
    STATE = 4
    ARCHIVED = 5


@dataclass(slots=True)
class Node:
    """A folder (`file` is None) or a file. `shown` children have been handed to the view.

    Of a folder, `count` files are in it, `unknown` of them of unknown size; `unfit` ones are known
    to be damaged or missing, `lacking` ones were not archived.
    """

    name: str
    parent: int
    row: int
    file: ManifestFile | None = None
    children: list[int] = field(default_factory=list)
    shown: int = 0
    size: int = 0
    count: int = 0
    unknown: int = 0
    unfit: int = 0
    lacking: int = 0

    @property
    def told_size(self) -> int | None:
        """The sum of the sizes that are known, None where none is."""
        return self.size if self.unknown < self.count else None


class FileTreeModel(TreeModel[Node]):
    """Files in their folders. `with_digests` shows digests in place of the kinds of checksum."""

    columns = len(Column)

    def __init__(
        self, theme: Theme, *, with_digests: bool = False, parent: QObject | None = None
    ) -> None:
        super().__init__(Node("", -1, 0), parent)
        self._theme = theme
        self._with_digests = with_digests
        self.can_be_dragged = False
        self._fates: Mapping[str, Fate] = {}
        self._archived: Mapping[str, str] = {}

    def show_files(
        self,
        files: Sequence[ManifestFile],
        fates: Mapping[str, Fate] | None = None,
        archived: Mapping[str, str] | None = None,
    ) -> None:
        """Replace the tree. `fates` are as in `show_fates`; `archived` says, by path, when files
        came into the archive.
        """
        nodes = tree_of(files)
        nodes[ROOT].shown = min(PAGE, len(nodes[ROOT].children))
        with replacement(self):
            self._nodes, self._fates, self._archived = nodes, fates or {}, archived or {}
            self._count_troubles()

    def renew(self, files: Sequence[ManifestFile]) -> None:
        """Hold the same files as they were read anew: who asks which one it is goes by these."""
        nodes = [node for node in self._nodes if node.file is not None]
        for node, file in zip(nodes, files, strict=True):
            node.file = file

    def show_fates(self, fates: Mapping[str, Fate]) -> None:
        """Show what became of kept files, by path: damaged or missing. Others are as they were."""
        if fates == self._fates:
            return
        self._fates = fates
        self._count_troubles()
        for number, node in enumerate(self._nodes):
            if node.shown:
                first, last = (self._child(number, at) for at in (0, node.shown - 1))
                self.dataChanged.emit(first, last)

    def _count_troubles(self) -> None:
        """Count in each folder what is not intact, and what lacks."""
        for node in self._nodes:
            node.unfit = node.lacking = 0
        for node in self._nodes:
            if (file := node.file) is None:
                continue
            is_unfit = file.path in self._fates
            lacks = not is_unfit and file.status is not None and not file.status.is_success
            above = node.parent if is_unfit or lacks else -1
            while above >= ROOT:
                self._nodes[above].unfit += is_unfit
                self._nodes[above].lacking += lacks
                above = self._nodes[above].parent

    def file_at(self, index: Index) -> ManifestFile | None:
        """Return the file of a row, None for a folder."""
        node = self.at(index)
        return node.file if node else None

    def place_of(self, path: str) -> QModelIndex:
        """Return where a file is, once its folders were handed out so far; invalid for none."""
        found = (at for at, node in enumerate(self._nodes) if node.file and node.file.path == path)
        number = next(found, ROOT)
        for child in reversed([*self._upwards(number)]):
            above = self._nodes[self._nodes[child].parent]
            while self._nodes[child].row >= above.shown:
                self.fetchMore(self.index_of(self._nodes[child].parent))
        return self.index_of(number)

    def _upwards(self, number: int) -> Iterator[int]:
        """Yield a node and the folders that it is in, but for the root."""
        while number > ROOT:
            yield number
            number = self._nodes[number].parent

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.can_be_dragged and self.file_at(index):
            return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled
        return super().flags(index)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is not Qt.Orientation.Horizontal or section >= len(Column):
            return None
        if role == Role.DisplayRole:
            return self._heading(Column(section))
        if role == Role.TextAlignmentRole and section == Column.SIZE:
            return ALIGN_RIGHT
        return None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        node, column = self._nodes[index.internalId()], Column(index.column())
        match role:
            case Role.DisplayRole:
                return in_cell(self._text(node, column))
            case Role.AccessibleDescriptionRole if column is Column.NAME and node.file:
                return self._spoken(node.file)
            case Role.ToolTipRole | Role.AccessibleDescriptionRole:
                return in_place(self._tip(node, column))
            case Role.DecorationRole:
                name, tone = self._look(node, column)
                tone = "secondary" if column is Column.NAME else tone
                return icon(self._theme, name, tone) if name else None
            case Role.ForegroundRole:
                return self._theme.color(self._look(node, column)[1])
            case Role.FontRole if column is Column.CHECKSUM:
                return fixed_font(0.9)
            case Role.TextAlignmentRole if column is Column.SIZE:
                return ALIGN_RIGHT
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; by none (-1), as the dataset has its files."""
        is_descending = order is Qt.SortOrder.DescendingOrder
        ordered = [self._ordered(node.children, column, is_descending) for node in self._nodes]
        with rearrangement(self):
            before = self.persistentIndexList()
            for node, children in zip(self._nodes, ordered, strict=True):
                node.children = children
                for row, child in enumerate(children):
                    self._nodes[child].row = row
            self.changePersistentIndexList(before, [self._moved(index) for index in before])

    def _ordered(self, children: Sequence[int], column: int, is_descending: bool) -> list[int]:
        if column < 0:
            return sorted(children)  # they are numbered as they came
        by = Column(column)
        return sorted(
            children,
            key=lambda child: self._sort_key(self._nodes[child], by),
            reverse=is_descending,
        )

    def _moved(self, index: QModelIndex) -> QModelIndex:
        node = self._nodes[index.internalId()]
        if node.row >= self._nodes[node.parent].shown:
            return QModelIndex()
        return self.createIndex(node.row, index.column(), index.internalId())

    def _child(self, number: int, row: int) -> QModelIndex:
        return self.createIndex(row, len(Column) - 1, self._nodes[number].children[row])

    def _heading(self, column: Column) -> str:
        return {
            Column.NAME: tr("Name"),
            Column.SIZE: tr("Size"),
            Column.TYPE: tr("Type"),
            Column.CHECKSUM: tr("Digest") if self._with_digests else tr("Checksum"),
            Column.STATE: tr("State"),
            Column.ARCHIVED: tr("Archived"),
        }[column]

    def _text(self, node: Node, column: Column) -> str:
        file = node.file
        if column is Column.NAME:
            return self._name(node)
        if file is None and column is Column.STATE:
            return _troubles(node)
        if file is None:
            return quantities.size(node.told_size) if column is Column.SIZE else ""
        match column:
            case Column.SIZE:
                return quantities.size(file.size)
            case Column.TYPE:
                return file.mimetype or ""
            case Column.CHECKSUM:
                return _digest(file, short=True) if self._with_digests else self._kinds(file)
            case Column.ARCHIVED:
                return self._archived.get(file.path, "")
        return self.state_of(file)

    def _name(self, node: Node) -> str:
        """Return a name; of a folder that has none, as in "a//b.txt", that it has none."""
        return node.name or tr("(no name)")

    def state_of(self, file: ManifestFile) -> str:
        """Return how a file stands: what became of it, else how it was kept, if it was."""
        if fate := self._fates.get(file.path):
            return words.fate(fate)
        if _is_refused(file):
            return tr("Not available")
        return words.file_outcome(file) or tr("Available")

    def _kinds(self, file: ManifestFile) -> str:
        return ", ".join(map(algorithm_name, file.declared.digests)) or tr("none")

    def _tip(self, node: Node, column: Column) -> str:
        file = node.file
        if file is None:
            told = tr(
                "{name}: {files}, {size}",
                name=self._name(node),
                files=quantities.files(node.count),
                size=quantities.size(node.told_size),
            )
            return ", ".join(filter(None, (told, _troubles(node))))
        if column is Column.CHECKSUM:
            return _digest(file, short=False)
        if column is Column.STATE and file.path in self._fates:
            return self._what_became(file)
        if column is Column.STATE and file.status:
            advice = "" if file.status.is_success else words.advice(file.status)
            return file.message or advice or self.state_of(file)
        return f"{file.path}: {file.message}" if _is_refused(file) else file.path

    def _spoken(self, file: ManifestFile) -> str:
        """Return all that a row says, and the digests in full, for who hears it."""
        told = self._what_became(file) or file.message or ""
        parts = [shown(file.path), quantities.size(file.size), self.state_of(file), told]
        if moment := self._archived.get(file.path):
            parts.append(tr("Archived {moment}", moment=moment))
        declared = tr("Published: {digests}") if file.declared.digests else ""
        parts.append(declared.format(digests=_listed(file.declared)) or tr("No checksum published"))
        if file.observed and file.observed.digests:
            parts.append(tr("Observed: {digests}", digests=_listed(file.observed)))
        return ". ".join(part.rstrip(".") for part in parts if part)

    def _what_became(self, file: ManifestFile) -> str:
        """Return a sentence on a file that is damaged or missing, "" of others."""
        match self._fates.get(file.path):
            case Fate.DAMAGED:
                return tr("Its bytes in the archive are damaged.")
            case Fate.MISSING:
                return tr("Its bytes are no longer in the archive.")
        return ""

    def _look(self, node: Node, column: Column) -> tuple[str, str]:
        """Return the icon of a cell, "" for none, and the colour of its text."""
        if column is Column.NAME:
            is_refused = node.file is not None and _is_refused(node.file)
            return ("warning" if is_refused else "file" if node.file else "folder"), "text"
        if column is Column.STATE and (node.unfit or node.lacking):
            return FAILED if node.unfit else ("warning", "warning")
        if column is Column.STATE and node.file:
            if node.file.path in self._fates:
                return FAILED
            if status := node.file.status:
                return words.outcome_icon(status), words.outcome_tone(status)
        return "", "secondary"

    def _sort_key(self, node: Node, column: Column) -> tuple[bool, Any, str]:
        file, name = node.file, node.name.casefold()
        match column:
            case Column.SIZE:
                size = node.size if file is None else -1 if file.size is None else file.size
                return (file is not None, size, name)
            case Column.TYPE:
                return (file is not None, (file.mimetype or "") if file else "", name)
            case Column.STATE:
                state = (self._fates.get(file.path) or file.status or "") if file else ""
                return (file is not None, state, name)
            case Column.ARCHIVED:
                return (file is not None, self._archived.get(file.path, "") if file else "", name)
        return (file is not None, name, "")


def _troubles(node: Node) -> str:
    """Return how many files in a folder are not intact, and how many lack; "" for none."""
    unfit = quantities.counted(node.unfit, "1 not intact", "{count} not intact")
    lacking = quantities.counted(node.lacking, "1 not archived", "{count} not archived")
    return ", ".join([unfit] * bool(node.unfit) + [lacking] * bool(node.lacking))


def _is_refused(file: ManifestFile) -> bool:
    """Say whether a file cannot be had: what has no status yet has no message else."""
    return file.status is None and bool(file.message)


def tree_of(files: Sequence[ManifestFile]) -> list[Node]:
    """Return nodes, the root first, that hold the files in the folders of their paths."""
    nodes = [Node("", -1, 0)]
    folders: dict[tuple[int, str], int] = {}
    for file in files:
        *names, name = file.path.split("/")
        above = ROOT
        for folder in names:
            if (above, folder) not in folders:
                folders[above, folder] = _append(nodes, Node(folder, above, 0))
            above = folders[above, folder]
        _append(nodes, Node(name or file.path, above, 0, file))
        while above >= ROOT:
            nodes[above].size += file.size or 0
            nodes[above].count += 1
            nodes[above].unknown += file.size is None
            above = nodes[above].parent
    return nodes


def _append(nodes: list[Node], node: Node) -> int:
    number = len(nodes)
    siblings = nodes[node.parent].children
    node.row = len(siblings)
    siblings.append(number)
    nodes.append(node)
    return number


def known_digests(file: ManifestFile) -> dict[str, str]:
    """Return the digests of a file by algorithm, as they arrived, else as they were published."""
    return {**file.declared.digests, **(file.observed.digests if file.observed else {})}


def strongest_digest(file: ManifestFile) -> tuple[str, str] | None:
    """Return the strongest known digest of a file, with its algorithm, None if there is none."""
    known = known_digests(file)
    kind = next((kind for kind in STRONGEST_FIRST if kind in known), None)
    return (kind, known[kind]) if kind else None


def _digest(file: ManifestFile, *, short: bool) -> str:
    if short:
        strongest = strongest_digest(file)
        return f"{algorithm_name(strongest[0])} {strongest[1][:12]}…" if strongest else "–"
    known = known_digests(file).items()
    return "\n".join(f"{algorithm_name(kind)} {value}" for kind, value in known)


def _listed(fixity: Fixity) -> str:
    known = fixity.digests.items()
    return ", ".join(f"{algorithm_name(kind)} {value}" for kind, value in known)
