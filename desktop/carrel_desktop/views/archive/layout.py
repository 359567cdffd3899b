# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Archive page's widgets and where they stand."""

from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QAbstractItemView, QGridLayout, QPlainTextEdit, QWidget

from carrel.model.user_information import without_user_information
from carrel.translation import tr
from carrel_desktop.theme import Theme, scaled_font, space, strong_font
from carrel_desktop.views.archive.actions import ArchiveActions
from carrel_desktop.views.archive.batch_card import BatchCard
from carrel_desktop.views.archive.detail import DetailPane
from carrel_desktop.views.archive.detection import State
from carrel_desktop.views.archive.model import DetectionModel
from carrel_desktop.views.archive.review_bar import ReviewBar
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.empty_panel import EmptyPanel
from carrel_desktop.widgets.labels import ElidedLabel, named, plain_label, restyle, wrapped
from carrel_desktop.widgets.layouts import (
    Split,
    at_top,
    boxed,
    grid,
    horizontal,
    rest,
    stacked,
    vertical,
)
from carrel_desktop.widgets.rows import row_height
from carrel_desktop.widgets.table.view import RowsList

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
EMPTY, FILLED = 0, 1
LINES_EMPTY, LINES_MOST, LINES_FILLED = 6, 16, 1
LEAST_LINES = 14  # of the list, and of what is chosen


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
            restyle(self, "dropping", True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        restyle(self, "dropping", False)

    def dropEvent(self, event: QDropEvent) -> None:
        restyle(self, "dropping", False)
        self.take(event.mimeData())
        event.acceptProposedAction()
        self.looked.emit()

    def event(self, event: QEvent) -> bool:
        """Leave Ctrl+Z to the page where nothing was written that it could take back."""
        if event.type() is QEvent.Type.ShortcutOverride:
            is_undo = cast(QKeyEvent, event).matches(QKeySequence.StandardKey.Undo)
            if is_undo and not self.document().isUndoAvailable():
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and event.modifiers() in (
            *PLAIN,
            Qt.KeyboardModifier.ControlModifier,
        ):
            self.looked.emit()
            return
        super().keyPressEvent(event)

    def _append(self, text: str) -> None:
        cursor = self.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        is_below = bool(cursor.block().text().strip())
        cursor.insertText(f"\n{text}" if is_below else text)
        self.setTextCursor(cursor)


class DetectionList(RowsList):
    """`opened` is emitted on a double click, and on Enter, which in a row that is being corrected
    only ends the correction.

    Qt's own `activated` comes with the first click where the desktop is set up so, which is one
    click too early for what starts an ingest.
    """

    opened = Signal()

    def __init__(self, theme: Theme, model: DetectionModel) -> None:
        super().__init__(theme, model, "detections", tr("Detected datasets"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the chosen row in sight where what comes above leaves less room."""
        super().resizeEvent(event)
        chosen = self.visualRect(self.currentIndex())
        if chosen.intersects(QRect(QPoint(0, 0), event.oldSize())):
            self.scrollTo(self.currentIndex())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        is_left = event.button() is Qt.MouseButton.LeftButton
        if is_left and self.indexAt(event.position().toPoint()).isValid():
            self.opened.emit()

    def event(self, event: QEvent) -> bool:
        """Keep Enter with any modifier from being a key of the page while a row is corrected."""
        is_shortcut = event.type() is QEvent.Type.ShortcutOverride
        if is_shortcut and self._is_correcting and cast(QKeyEvent, event).key() in ENTER:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_for_row = not self._is_correcting  # the editor passes its keys on to the list
        super().keyPressEvent(event)
        is_enter = event.key() in ENTER and event.modifiers() in PLAIN
        if is_for_row and is_enter and not event.isAutoRepeat():
            self.opened.emit()

    @property
    def _is_correcting(self) -> bool:
        return self.state() is QAbstractItemView.State.EditingState


class ToldLine(ElidedLabel):
    """A quiet line under the field, hidden while there is nothing to say; `said` carries it."""

    said = Signal(str)

    def __init__(self) -> None:
        super().__init__(tone="secondary")
        self.setObjectName("told")
        self._sentence = ""
        self.hide()

    def say(self, sentence: str) -> None:
        """Show a sentence."""
        self._sentence = sentence
        self.setText(sentence)
        self.show()
        self.said.emit(sentence)

    def is_over(self, sentence: str) -> None:
        """Hide a sentence that is not so any more, if it is the one on show."""
        if self._sentence == sentence:
            self.hide()


class ArchiveLayout(QWidget):
    """Above, the field to paste into; below, the list and the chosen one, or what to do."""

    def __init__(
        self, theme: Theme, model: DetectionModel, actions: ArchiveActions, batch_card: BatchCard
    ) -> None:
        super().__init__()
        self._theme, self._actions, self._batch_card = theme, actions, batch_card
        self.paste = named(PasteField(), "paste")
        self.list = DetectionList(theme, model)
        self.list.addActions(actions.for_rows(self.list))
        self.bar = ReviewBar()
        self.detail = DetailPane(theme, actions)
        self.counts = wrapped("", "secondary")
        self.told = ToldLine()
        self.stack = stacked(self._make_empty(), self._make_filled())
        parts = self._make_top(), self.told, at_top(batch_card), rest(self.stack), rest(share=0)
        vertical(*parts, gap=4, on=self)

    def show_counts(self, model: DetectionModel) -> None:
        """Say how many were found, and make room for them."""
        has_rows, has_batch = len(model) > 0, not self._batch_card.isHidden()
        self.stack.setCurrentIndex(FILLED if has_rows else EMPTY)
        self.stack.setVisible(has_rows or not has_batch)
        is_filled = has_rows or has_batch
        line = self.paste.fontMetrics().lineSpacing()
        written = min(max(self.paste.blockCount(), LINES_EMPTY), LINES_MOST)
        lines = LINES_FILLED if is_filled else written
        self.paste.setFixedHeight(lines * line + space(7))
        self._batch_card.show_short(is_short=has_rows)
        self._arrange(is_filled)
        self.counts.setText(self._sentence(model))
        self.bar.follow(model)
        self._hold_height()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow what stands beside the list, and its width, which decides on the lines of that."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._hold_height()
        return super().eventFilter(watched, event)

    def _sentence(self, model: DetectionModel) -> str:
        parts = [
            (model.count(State.READY), tr("{count} can be archived")),
            (model.count(State.LOOKING), tr("{count} checking")),
            (model.count(State.HELD), tr("{count} archived before")),
            (model.count(State.HELD_IN_PART), tr("{count} partly archived before")),
            (model.count(State.SAME), tr("{count} further of the same datasets")),
            (model.count(State.ASKING), tr("{count} awaiting answer")),
            (model.count(State.RUNNING), tr("{count} being archived")),
            (model.count(State.QUEUED), tr("{count} in the queue")),
            (model.count(State.DONE), tr("{count} archived")),
            (model.count(State.FAILED), tr("{count} failed")),
            (model.count(State.REFUSED), tr("{count} cannot be archived as is")),
            (model.count(State.STOPPED), tr("{count} not checked")),
            (model.count(State.NOT_UNDERSTOOD), tr("{count} not recognized")),
        ]
        return " · ".join(text.format(count=count) for count, text in parts if count)

    def _make_top(self) -> QGridLayout:
        self._label = plain_label(tr("What do you want to archive?"), font=strong_font())
        self._label.setBuddy(self.paste)
        self.paste.setAccessibleName(tr("What do you want to archive?"))
        self._hint = wrapped(
            tr("Press Enter to preview, Shift+Enter for a new line"),
            "secondary",
            font=scaled_font(0.93),
        )
        self._open = ActionButton(self._actions.open_list, self._theme, "list", role="quiet")
        self._look = ActionButton(self._actions.look, self._theme, "search", role="primary")
        self._top = grid(2, 2)
        self._top.addWidget(self._label, 0, 0, 1, 4)
        self._place(False)
        return self._top

    def _arrange(self, is_filled: bool) -> None:
        """Give the field a place of its own, or one line with its buttons."""
        self._label.setVisible(not is_filled)
        self._hint.setVisible(not is_filled)
        self._place(is_filled)

    def _place(self, is_filled: bool) -> None:
        more = tr("Paste or drop more…")
        first = tr(
            "Paste or drop DOIs, landing pages, Handles, ARKs, or a CSV, BibTeX or RIS file…"
        )
        self.paste.setPlaceholderText(more if is_filled else first)
        row = 1 if is_filled else 2
        places = {
            self.paste: (1, 0, 1, 2 if is_filled else 4),
            self._open: (row, 2 if is_filled else 0, 1, 1),
            self._hint: (2, 1, 1, 1),
            self._look: (row, 3, 1, 1),
        }
        for widget, place in places.items():
            self._top.removeWidget(widget)
            self._top.addWidget(widget, *place)

    def _make_empty(self) -> EmptyPanel:
        text = tr(
            "Paste identifiers and choose Preview. Carrel shows what each line is, its size, "
            "and the strategy for archiving it. No files are downloaded until you archive."
        )
        return EmptyPanel(self._theme, "drop", tr("No datasets yet"), text)

    def _make_filled(self) -> Split:
        row = horizontal(rest(self.counts), ActionButton(self._actions.archive_all))
        self._beside = vertical(self.bar, rest(self.list), row, gap=2)
        self._left = boxed(self._beside)
        self._left.setMinimumWidth(space(46))
        self._left.installEventFilter(self)
        self.list.setMinimumHeight(2 * row_height())
        return Split(self._left, self.detail, shares=(4, 6), steps=(75, 110))

    def _hold_height(self) -> None:
        """Have the page scroll before less is left than the list and the chosen one need."""
        least = max(space(58), LEAST_LINES * self.fontMetrics().lineSpacing())
        needed = self._beside.minimumHeightForWidth(self._left.width())
        self._left.setMinimumHeight(max(least, needed))
        self.detail.setMinimumHeight(least)
