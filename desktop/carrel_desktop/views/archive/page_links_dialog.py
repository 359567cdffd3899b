# SPDX-License-Identifier: AGPL-3.0-or-later
"""The links of a page that look like data, with type, size and why: a person ticks some."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from carrel.model.page_link import PageLink
from carrel.model.prose import as_sentence
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.foreign import in_place
from carrel_desktop.theme import space
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import horizontal, rest, vertical
from carrel_desktop.widgets.table.delegate import line_height

NAME, TYPE, SIZE, WHY = range(4)
URL_ROLE = Qt.ItemDataRole.UserRole
_WIDTH, _HEIGHT = 200, 120  # grid steps
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ON, _OFF = Qt.CheckState.Checked, Qt.CheckState.Unchecked


class PageLinksDialog(QDialog):
    """`chosen` carries the addresses that were ticked, in the order of the page."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, page: str, ticked: Sequence[str]) -> None:
        super().__init__(parent)
        self.setObjectName("page_links")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Choose links of a page"))
        self._ticked = frozenset(ticked)
        self._items: list[QTreeWidgetItem] = []
        about = tr(
            "No platform says which files belong to the dataset on {page}. Tick those to archive. "
            "Only you can know whether they are all: the result says that you chose them.",
            page=in_place(page),
        )
        self.state = wrapped(tr("Reading the page, and asking each link for its type and size…"))
        self.state.setProperty("role", "status")
        self.list = named(_link_tree(), "links", tr("Links that look like data"))
        self.all = named(QPushButton(tr("&Tick all")), "tick_all")
        self.buttons = QDialogButtonBox()
        self.go = self.buttons.addButton(tr("C&hoose"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setProperty("role", "primary")
        self.buttons.addButton(tr("&Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        below = horizontal(self.all, rest(), self.buttons, gap=2)
        vertical(
            wrapped(about), rest(self.list), self.state, below, gap=3, margins=(6, 5, 6, 4), on=self
        )
        self.resize(space(_WIDTH), space(_HEIGHT))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.all.clicked.connect(self._tick_all)
        self.list.itemChanged.connect(self._follow)
        self._follow()

    def show_links(self, links: Sequence[PageLink]) -> None:
        """Show what was found; those that were ticked before are so again."""
        self._items = [self._item(link) for link in links]
        self.list.addTopLevelItems(self._items)
        if not links:
            self.state.setText(tr("No link of the page looks like data."))
        else:
            self.list.setCurrentItem(self._items[0])
            self.list.setFocus()
            self._follow()

    def show_trouble(self, reason: str) -> None:
        """Say why the page could not be read."""
        self.state.setText(tr("The page cannot be read: {reason}", reason=reason))

    @property
    def ticked(self) -> list[str]:
        """The addresses that are ticked."""
        return [item.data(NAME, URL_ROLE) for item in self._items if item.checkState(NAME) is _ON]

    def accept(self) -> None:
        self.chosen.emit(self.ticked)
        super().accept()

    def _item(self, link: PageLink) -> QTreeWidgetItem:
        size = tr("unknown") if link.size is None else quantities.size(link.size)
        # A problem first: what follows may have no room.
        why = f"{as_sentence(link.problem)} {link.why}" if link.problem else link.why
        texts = [link.name or link.url, link.mimetype or tr("unknown"), size, why]
        item = QTreeWidgetItem([in_place(text) for text in texts])
        item.setData(NAME, URL_ROLE, link.url)
        item.setCheckState(NAME, _ON if link.url in self._ticked else _OFF)
        item.setTextAlignment(SIZE, _RIGHT)
        item.setSizeHint(NAME, QSize(0, line_height()))
        item.setToolTip(NAME, in_place(f"{link.url}\n{link.text}".strip()))
        item.setToolTip(WHY, in_place(why))
        item.setData(NAME, Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, texts)))
        return item

    def _tick_all(self) -> None:
        self.list.blockSignals(True)
        for item in self._items:
            item.setCheckState(NAME, _ON)
        self.list.blockSignals(False)
        self._follow()

    def _follow(self) -> None:
        count, ticked = len(self._items), len(self.ticked)
        self.go.setEnabled(ticked > 0)
        self.all.setEnabled(ticked < count)
        if count:
            ticked_of = tr("{ticked} of {count} links ticked")
            numbers = {"ticked": quantities.number(ticked), "count": quantities.number(count)}
            self.state.setText(ticked_of.format(**numbers))


def _link_tree() -> QTreeWidget:
    tree = QTreeWidget()
    tree.setColumnCount(4)
    tree.setHeaderLabels([tr("File"), tr("Type"), tr("Size"), tr("Remarks")])
    tree.setRootIsDecorated(False)
    tree.setUniformRowHeights(True)
    tree.setAllColumnsShowFocus(True)
    tree.headerItem().setTextAlignment(SIZE, _RIGHT)
    header = tree.header()
    header.setStretchLastSection(True)
    header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Interactive)
    for column, width in ((NAME, 70), (TYPE, 36), (SIZE, 24)):
        tree.setColumnWidth(column, space(width))
    return tree
