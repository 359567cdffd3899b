# SPDX-License-Identifier: AGPL-3.0-or-later
"""The field to paste or drop anything into."""

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

LISTS = frozenset({".txt", ".csv", ".tsv", ".md", ".bib", ".ris", ".url"})
LARGEST_LIST = 8 * 1024 * 1024  # bytes; more than that is no list of addresses


class PasteField(QPlainTextEdit):
    """Takes text, web addresses and files of them.

    `looked` is emitted when the person asks to look by Enter or by pasting, `refused` with the name
    of a file that can not be read as a list, and the OSError if there was one.
    """

    looked = Signal()
    refused = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)

    def take(self, source: QMimeData) -> None:
        """Add what was pasted or dropped below what is there."""
        text = self._text_of(source)
        if text:
            before = self.toPlainText().rstrip()
            self.setPlainText(f"{before}\n{text}" if before else text)
            self.moveCursor(self.textCursor().MoveOperation.End)

    def read_list(self, path: Path) -> None:
        """Add the text of a file."""
        self.take_text(self._list_text(path))

    def take_text(self, text: str) -> None:
        """Add text below what is there."""
        source = QMimeData()
        source.setText(text)
        self.take(source)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText() or source.hasUrls()

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasUrls():
            self.take(source)
        else:
            self.insertPlainText(source.text())

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

    def _text_of(self, source: QMimeData) -> str:
        if not source.hasUrls():
            return source.text().strip()
        parts = []
        for url in source.urls():
            local = url.toLocalFile()
            parts.append(self._list_text(Path(local)) if local else url.toString())
        return "\n".join(part for part in parts if part)

    def _list_text(self, path: Path) -> str:
        try:
            if path.suffix.lower() in LISTS and path.stat().st_size <= LARGEST_LIST:
                return path.read_text(encoding="utf-8-sig", errors="replace").strip()
        except OSError as error:
            self.refused.emit(path.name, error)
            return ""
        self.refused.emit(path.name, None)
        return ""

    def _set_dropping(self, dropping: bool) -> None:
        self.setProperty("dropping", dropping)
        self.style().unpolish(self)
        self.style().polish(self)
