# SPDX-License-Identifier: AGPL-3.0-or-later
"""A tree out of a file: JSON, XML, or the structure of a scientific format."""

from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtWidgets import QHeaderView

from carrel.model.rendition import Node, Tree
from carrel.translation import tr
from carrel_desktop.theme import space
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.model_changes import replacement
from carrel_desktop.widgets.paged_tree import PAGE, ROOT, PagedTree, TreeModel
from carrel_desktop.widgets.text_views import visible

Role = Qt.ItemDataRole
NAME, VALUE, KIND = range(3)
NOTHING = Tree(())
OPEN_UP_TO = 200  # a small tree stands open from the start


@dataclass(slots=True)
class Branch:
    """A node in its place. `shown` children have been handed to the view."""

    node: Node
    parent: int
    row: int
    children: list[int] = field(default_factory=list)
    shown: int = 0


class RenditionTree(TreeModel[Branch]):
    """Names, values and kinds."""

    columns = 3

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_root(), parent)

    def show_tree(self, tree: Tree) -> None:
        branches = [_root()]
        for number, node in enumerate(tree.nodes):
            # A parent comes before what is in it; what says otherwise stands at the top.
            above = node.parent + 1 if -1 <= node.parent < number else ROOT
            siblings = branches[above].children
            branches.append(Branch(node, above, len(siblings)))
            siblings.append(number + 1)
        branches[ROOT].shown = min(PAGE, len(branches[ROOT].children))
        with replacement(self):
            self._nodes = branches

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is not Qt.Orientation.Horizontal or role != Role.DisplayRole:
            return None
        return (tr("Name"), tr("Value"), tr("Kind"))[section]

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        branch = self.at(index)
        if branch is None or role not in (Role.DisplayRole, Role.ToolTipRole):
            return None
        node = branch.node
        text = visible((node.name, node.value, node.kind)[index.column()])
        return text.replace("\n", " ⏎ ") if role == Role.DisplayRole else text

    def find(self, text: str, after: Index, *, backward: bool) -> QModelIndex:
        """Return the next node with a text in it, in either case; an invalid index if none has."""
        sought, count = text.casefold(), len(self._nodes)
        start = int(after.internalId()) if after.isValid() else ROOT
        step = -1 if backward else 1
        for each in range(1, count + 1):
            number = (start + step * each) % count
            node = self._nodes[number].node
            if number and sought in f"{node.name}\0{node.value}".casefold():
                self._reach(number)
                return self.index_of(number)
        return QModelIndex()

    def _reach(self, number: int) -> None:
        """Hand out all branches that a node is in."""
        branch = self._nodes[number]
        if branch.parent:
            self._reach(branch.parent)
        above = self.index_of(branch.parent)
        while self._nodes[branch.parent].shown <= branch.row:
            self.fetchMore(above)


class RenditionTreeView(PagedTree):
    """The tree; small ones stand open."""

    def __init__(self) -> None:
        super().__init__()
        self.tree = RenditionTree(self)
        self.setModel(self.tree)
        named(self, "content_tree", tr("Content as a tree"))
        self.setIndentation(space(4))
        self.setMinimumHeight(space(12))
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(VALUE, QHeaderView.ResizeMode.Stretch)

    def show_tree(self, tree: Tree) -> None:
        self.tree.show_tree(tree)
        if len(tree.nodes) <= OPEN_UP_TO:
            self.expandAll()
        else:
            for row in range(min(self.tree.rowCount(TOP), 8)):
                self.expand(self.tree.index(row, 0))
        for column in (NAME, KIND):
            self.resizeColumnToContents(column)
            self.setColumnWidth(column, min(self.columnWidth(column), space(70)))


def _root() -> Branch:
    return Branch(Node(-1, ""), -1, 0)
