# SPDX-License-Identifier: AGPL-3.0-or-later
"""The widgets that show a memento's content: text, cells, an image, or why there is none."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QTableView, QWidget

from carrel.translation import tr
from carrel_desktop.theme import space
from carrel_desktop.views.mementos.content import Content, Kind
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import rest, stacked, vertical
from carrel_desktop.widgets.model_changes import replacement
from carrel_desktop.widgets.text_views import text_view

Role = Qt.ItemDataRole
MEASURED_ROWS = 40  # that columns are made wide enough for


class Cells(QAbstractTableModel):
    """Rows of texts; the first are the headings."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._heads: Sequence[str] = ()
        self._rows: Sequence[Sequence[str]] = ()
        self._columns = 0

    def show_cells(self, cells: Sequence[Sequence[str]]) -> None:
        with replacement(self):
            self._heads, self._rows = (cells[0], cells[1:]) if cells else ((), ())
            self._columns = max(map(len, cells), default=0)

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else self._columns

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role != Role.DisplayRole:
            return None
        if orientation is Qt.Orientation.Vertical:
            return str(section + 1)
        return self._heads[section] if section < len(self._heads) else ""

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid() or role not in (Role.DisplayRole, Role.ToolTipRole):
            return None
        row = self._rows[index.row()]
        return row[index.column()] if index.column() < len(row) else ""


class Picture(QWidget):
    """An image, made smaller where room is short, never larger."""

    def __init__(self) -> None:
        super().__init__()
        self._image = QImage()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)

    def show_image(self, image: QImage, note: str) -> None:
        self._image = image
        self.setAccessibleName(tr("Image, {size}", size=note))
        self.update()

    def sizeHint(self) -> QSize:
        return self._image.size()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._image.isNull():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        size, room = self._image.size(), self.size()
        if size.width() > room.width() or size.height() > room.height():
            size = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        place = QRect((room.width() - size.width()) // 2, 0, size.width(), size.height())
        painter.drawImage(place, self._image)


class ContentView(QWidget):
    """Shows a Content, its note below it."""

    def __init__(self) -> None:
        super().__init__()
        self.text = named(text_view(tr("Content")), "content_text")
        self.cells = Cells(self)
        self.table = self._make_table()
        self.picture = Picture()
        self.nothing = wrapped("", "secondary")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.note = named(wrapped("", "secondary"), "content_note")
        self.stack = stacked(self.text, self.table, self.picture, self.nothing)
        vertical(rest(self.stack), self.note, gap=1.5, on=self)

    def show_content(self, content: Content) -> None:
        kinds = (Kind.TEXT, Kind.TABLE, Kind.IMAGE, Kind.NONE)
        self.text.setPlainText(content.text)
        self.cells.show_cells(content.cells)
        self.table.resizeColumnsToContents()
        if content.image is not None:
            self.picture.show_image(content.image, content.note)
        is_shown = content.kind is not Kind.NONE
        self.nothing.setText("" if is_shown else content.note)
        self.note.setText(content.note if is_shown else "")
        self.note.setVisible(bool(self.note.text()))
        self.stack.setCurrentIndex(kinds.index(content.kind))

    def show_sentence(self, sentence: str) -> None:
        """Show a sentence in place of a content."""
        self.show_content(Content(Kind.NONE, note=sentence))

    def _make_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.cells)
        table.setObjectName("content_table")
        table.setAccessibleName(tr("Content as a table"))
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.setShowGrid(True)
        table.setMinimumHeight(space(12))
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setMaximumSectionSize(space(60))
        header.setResizeContentsPrecision(MEASURED_ROWS)
        header.setHighlightSections(False)
        table.verticalHeader().setDefaultSectionSize(space(6.5))
        return table
