# SPDX-License-Identifier: AGPL-3.0-or-later
"""The files of a dataset as a tree of folders: the view."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from carrel.model import Fate, ManifestFile
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.file_tree import Column, FileTreeModel
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.paged_tree import PAGE, PagedTree

OPEN_UP_TO = 60  # folders of a small dataset stand open from the start
WIDTHS = {Column.TYPE: 32, Column.CHECKSUM: 24, Column.STATE: 41, Column.ARCHIVED: 33}
DIGEST_WIDTH = 46
UNCOMPARED_WIDTH = 52  # of the state, where a file was kept that nothing could be compared with
LEAST_NAME = 50
SHORT_NAME = 41  # of names, before the words of the states give way
LEAST_STATE = 15  # its icon, and the heading
CELL_PADDING = 5  # what the style sheet and the style leave free on both sides of a cell
LONGEST_SIZES = (1023, 1024**2 - 1, 1024**3 - 1, 1024**4 - 1)  # "1023 bytes", "1024.0 MiB"


class BaselineDelegate(QStyledItemDelegate):
    """Qt puts each cell's text into the middle of its own height, which differs from face to face.

    Here it stands on the base line of the view's own font.
    """

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell = QStyleOptionViewItem(option)
        self.initStyleOption(cell, index)
        view, text = cell.widget, cell.text
        style = view.style() if view is not None else QApplication.style()
        room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, cell, view)
        cell.text = ""
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, cell, painter, view)
        row, own = QFontMetrics(option.font), QFontMetrics(cell.font)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, cell, view) + 1
        cut = own.elidedText(text, Qt.TextElideMode.ElideRight, room.width() - 2 * margin)
        line = room.top() + (room.height() - row.height()) // 2 + row.ascent()
        painter.save()
        painter.setFont(cell.font)
        painter.setPen(cell.palette.color(cell.palette.ColorRole.Text))
        painter.drawText(QPoint(room.left() + margin, line), cut)
        painter.restore()


class FileView(PagedTree):
    """A tree of files; its menu, and the Edit menu, copy the path of the chosen one.

    `file_activated` carries a file that was double-clicked, or chosen by Enter or Space; and
    `file_dragged`, where `allow_dragging` was called, one that is dragged out.
    """

    file_activated = Signal(object)
    file_dragged = Signal(object)

    def __init__(
        self,
        theme: Theme,
        *,
        with_digests: bool = False,
        has_sizes_only: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._has_sizes_only = has_sizes_only
        self.files = FileTreeModel(theme, with_digests=with_digests, parent=self)
        self.setModel(self.files)
        self.setAccessibleName(tr("Files"))
        self.setIndentation(space(4))
        self.setSortingEnabled(True)
        self.header().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.header().setStretchLastSection(False)
        self.header().setMinimumSectionSize(space(12))
        self.header().setSectionResizeMode(Column.NAME, QHeaderView.ResizeMode.Stretch)
        self.setItemDelegateForColumn(Column.CHECKSUM, BaselineDelegate(self))
        self._widths = dict(WIDTHS)
        self._shown: tuple[tuple[ManifestFile, ...], dict[str, str]] = ((), {})
        self._names = self._states = 0  # pixels that they need
        self._comes_in_parts = False
        if with_digests:
            self._widths[Column.CHECKSUM] = DIGEST_WIDTH
        self._set_widths()
        copy = QAction(tr("Copy path"), self)
        copy.triggered.connect(self.copy_path)
        self.addAction(copy)
        self.activated.connect(self._on_activated)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def show_files(
        self,
        files: Sequence[ManifestFile],
        fates: Mapping[str, Fate] | None = None,
        archived: Mapping[str, str] | None = None,
    ) -> None:
        """Replace the files; a small tree is opened whole, and unsorted. The same files stay as the
        person has sorted them.

        `fates` are as in `FileTreeModel.show_fates`; `archived` says, by path, when files came into
        the archive, which has a column where they did not come at once.
        """
        shown = tuple(files), dict(archived or {})
        if shown == self._shown:
            self.files.renew(files)
            self.files.show_fates(fates or {})
            return
        self.header().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.files.show_files(files, fates, archived)
        self._shown = shown
        self._comes_in_parts = len(set((archived or {}).values())) > 1
        self.setColumnHidden(Column.STATE, not any(file.status for file in files))
        is_wide = any(file.is_kept and not file.declared.digests for file in files)
        self._widths[Column.STATE] = UNCOMPARED_WIDTH if is_wide else WIDTHS[Column.STATE]
        self._set_widths()
        self._fit_columns()
        if len(files) <= OPEN_UP_TO:
            self.expandAll()

    def choose(self, path: str) -> None:
        """Choose a file, and bring it into sight."""
        index = self.files.place_of(path)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def allow_dragging(self) -> None:
        """Have files be dragged; who hears `file_dragged` does it."""
        self.files.can_be_dragged = True
        self.setDragEnabled(True)

    def startDrag(self, supported: Qt.DropAction) -> None:
        file = self.files.file_at(self.currentIndex())
        if file:
            self.file_dragged.emit(file)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.files.file_at(self.currentIndex()):
            self._on_activated(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def copy_path(self) -> None:
        if file := self.files.file_at(self.currentIndex()):
            QGuiApplication.clipboard().setText(file.path)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.scheduleDelayedItemsLayout()
            self._set_widths()
            self._fit_columns()

    def _on_activated(self, index: Index) -> None:
        file = self.files.file_at(index)
        if file:
            self.file_activated.emit(file)

    def _set_widths(self) -> None:
        for column, units in self._widths.items():
            self.setColumnWidth(column, space(units))
        self.setColumnWidth(Column.SIZE, self._size_width())
        self._measure()

    def _measure(self) -> None:
        """Find out what names and states take, of the files that one sees first."""
        words, first = self.fontMetrics(), self._shown[0][:PAGE]
        around = self.iconSize().width() + space(CELL_PADDING + 5)
        paths = [file.path.split("/") for file in first]
        self._names = (
            max(
                (
                    words.horizontalAdvance(name) + (depth + 1) * self.indentation()
                    for path in paths
                    for depth, name in enumerate(path)
                ),
                default=0,
            )
            + around
        )
        states = {self.files.state_of(file) for file in first}
        self._states = max(map(words.horizontalAdvance, states), default=0) + around

    def _size_width(self) -> int:
        """Return what the sizes take in this font, or the heading, whichever is wider; before there
        are any, what the longest would."""
        files = self._shown[0]
        total = sum(file.size or 0 for file in files)
        sizes = (*(file.size for file in files[:PAGE]), total) if files else LONGEST_SIZES
        words = {quantities.size(size) for size in sizes}
        widest = max(map(self.fontMetrics().horizontalAdvance, words))
        return max(widest + space(CELL_PADDING), self.header().sectionSizeHint(Column.SIZE))

    def _fit_columns(self) -> None:
        """Leave the names room, as much as they need: type and checksum give way, and when files
        came; at last the words of the states, beside their icons."""
        names = min(space(LEAST_NAME), self._names)
        room = self.viewport().width() - names - self.columnWidth(Column.SIZE)
        if not self.isColumnHidden(Column.STATE):
            least, usual = space(LEAST_STATE), max(space(self._widths[Column.STATE]), self._states)
            room -= usual
            lacking = min(0, room + names - min(space(SHORT_NAME), self._names))
            self.setColumnWidth(Column.STATE, max(least, usual + lacking))
        if self._comes_in_parts:
            room -= space(self._widths[Column.ARCHIVED])
        self.setColumnHidden(Column.ARCHIVED, room < 0 or not self._comes_in_parts)
        for column in (Column.CHECKSUM, Column.TYPE):
            room -= space(self._widths[column])
            self.setColumnHidden(column, room < 0 or self._has_sizes_only)
