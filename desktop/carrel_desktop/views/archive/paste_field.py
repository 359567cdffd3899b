# SPDX-License-Identifier: AGPL-3.0-or-later
"""The field to paste or drop anything into."""

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from carrel.model.user_information import without_user_information


class PasteField(QPlainTextEdit):
    """Takes text, web addresses and files of them; user names and passwords in them are left out.

    `looked` is emitted when the person asks to look by Enter or by pasting, `lists_given` with the
    paths of files that were pasted or dropped.
    """

    looked = Signal()
    lists_given = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)

    def take(self, source: QMimeData) -> None:
        """Add what was pasted or dropped below what is there; hand files on."""
        files = [Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile()]
        addresses = [url.toString() for url in source.urls() if not url.isLocalFile()]
        text = "\n".join(addresses) if source.hasUrls() else source.text().strip()
        if text:
            self._append(without_user_information(text))
        if files:
            self.lists_given.emit(files)

    def take_text(self, text: str) -> None:
        """Add text below what is there."""
        source = QMimeData()
        source.setText(text)
        self.take(source)

    def empty(self) -> None:
        """Take everything out; Ctrl+Z brings it back."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        self.setTextCursor(cursor)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText() or source.hasUrls()

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasUrls():
            self.take(source)
        else:
            self.insertPlainText(without_user_information(source.text()))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.canInsertFromMimeData(event.mimeData()):
            event.acceptProposedAction()
            self._set_dropping(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._set_dropping(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self._set_dropping(False)
        self.take(event.mimeData())
        event.acceptProposedAction()
        self.looked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.looked.emit()
            return
        super().keyPressEvent(event)

    def _append(self, text: str) -> None:
        cursor = self.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        is_below = bool(cursor.block().text().strip())
        cursor.insertText(f"\n{text}" if is_below else text)
        self.setTextCursor(cursor)

    def _set_dropping(self, dropping: bool) -> None:
        self.setProperty("dropping", dropping)
        self.style().unpolish(self)
        self.style().polish(self)
