# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Edit menu, one for all pages: it acts on the field in focus, else on the open page."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from carrel.translation import tr
from carrel_desktop.foreign import as_written
from carrel_desktop.page import Page
from carrel_desktop.undoing import LastDone
from carrel_desktop.widgets.actions import LINE, Actions, Entry, make_action
from carrel_desktop.widgets.file_view import FileView

Field = QLineEdit | QPlainTextEdit | QTextEdit


def edit_actions() -> Sequence[Entry | None]:
    """Return the menu's entries, with the keys that they have everywhere."""
    return (
        Entry("undo", tr("&Undo"), "Ctrl+Z"),
        LINE,
        Entry("cut", tr("Cu&t"), "Ctrl+X"),
        Entry("copy", tr("&Copy"), "Ctrl+C"),
        Entry("paste", tr("&Paste"), "Ctrl+V"),
        LINE,
        Entry("select_all", tr("Select &all"), "Ctrl+A"),
        LINE,
        Entry("find", tr("&Find"), "Ctrl+F"),
    )


class Editing(QObject):
    """Does what the Edit menu says; `page` is the one that is open.

    A page names its own actions for these verbs in `edits`. Outside the menu's showing all entries
    are enabled, so that their keys reach whatever they may act on by then. `searched_elsewhere` is
    emitted where a page has nothing of its own to find.
    """

    searched_elsewhere = Signal()

    def __init__(self, window: QWidget, last_done: LastDone) -> None:
        super().__init__(window)
        self.page: Page | None = None
        self._last_done = last_done
        self.actions = Actions(self, edit_actions())
        self.actions.bind(self)
        # A notice takes back what it tells of, whatever field has the keyboard.
        self.take_back = make_action(self, tr("&Undo"), last_done.undo, "Ctrl+Z", name="take_back")

    def show_possible(self) -> None:
        """Have the menu, which opens, offer what can be done just now."""
        field, view = field_in_focus(), view_in_focus()
        has_choice = field is not None and bool(_chosen_text(field))
        can_write = field is not None and not field.isReadOnly()
        possible = {
            "undo": _can_undo(field) or self._last_done.last is not None,
            "cut": has_choice and can_write,
            "copy": has_choice or bool(_marked_label()) or _has_current(view),
            "paste": can_write,
            "select_all": field is not None or _takes_many(view),
            "find": True,
        }
        for name, is_possible in possible.items():
            getattr(self.actions, name).setEnabled(is_possible or self._has_own(name))

    def let_all(self) -> None:
        """Have all keys work again once the menu is closed."""
        for action in self._all():
            action.setEnabled(True)

    # The verbs

    def undo(self) -> None:
        field = field_in_focus()
        if field is not None and _can_undo(field):
            field.undo()
        elif not self._page_does("undo"):
            self._last_done.undo()

    def cut(self) -> None:
        if field := field_in_focus():
            field.cut()

    def copy(self) -> None:
        """Copy what is marked; of a list what the page names, else what the current row says."""
        field, view, label = field_in_focus(), view_in_focus(), _marked_label()
        if field is not None:
            field.copy()
        elif label is not None:
            QGuiApplication.clipboard().setText(as_written(label.selectedText()))
        elif isinstance(view, FileView):
            view.copy_path()
        elif not self._page_does("copy") and view is not None and _has_current(view):
            text = view.currentIndex().data(Qt.ItemDataRole.DisplayRole)
            QGuiApplication.clipboard().setText(as_written(str(text or "")))

    def paste(self) -> None:
        if field := field_in_focus():
            field.paste()
        else:
            self._page_does("paste")

    def select_all(self) -> None:
        field, view = field_in_focus(), view_in_focus()
        if field is not None:
            field.selectAll()
        elif not self._page_does("select_all") and _takes_many(view) and view is not None:
            view.selectAll()

    def find(self) -> None:
        if not self._page_does("find"):
            self.searched_elsewhere.emit()

    def _page_does(self, name: str) -> bool:
        """Have the page do what it names for a verb; say whether it does."""
        if not self._has_own(name) or self.page is None:
            return False
        self.page.edits[name].trigger()
        return True

    def _has_own(self, name: str) -> bool:
        own = self.page.edits.get(name) if self.page is not None else None
        return own is not None and own.isEnabled()

    def _all(self) -> Sequence[QAction]:
        return [action for group in self.actions.groups for action in group]


def field_in_focus() -> Field | None:
    """Return the field of text that has the keyboard, None if something else has."""
    focus = QApplication.focusWidget()
    if isinstance(focus, QComboBox):
        focus = focus.lineEdit()
    return focus if isinstance(focus, Field) else None


def view_in_focus() -> QAbstractItemView | None:
    focus = QApplication.focusWidget()
    return focus if isinstance(focus, QAbstractItemView) else None


def _marked_label() -> QLabel | None:
    """Return the label of which the archivist has marked a part."""
    focus = QApplication.focusWidget()
    return focus if isinstance(focus, QLabel) and focus.hasSelectedText() else None


def _chosen_text(field: Field) -> str:
    if isinstance(field, QLineEdit):
        return field.selectedText()
    cursor: QTextCursor = field.textCursor()
    return cursor.selectedText()


def _can_undo(field: Field | None) -> bool:
    if field is None or field.isReadOnly():
        return False
    if isinstance(field, QLineEdit):
        return field.isUndoAvailable()
    return field.document().isUndoAvailable()


def _has_current(view: QAbstractItemView | None) -> bool:
    return view is not None and view.currentIndex().isValid()


def _takes_many(view: QAbstractItemView | None) -> bool:
    one = QAbstractItemView.SelectionMode.SingleSelection
    none = QAbstractItemView.SelectionMode.NoSelection
    return view is not None and view.selectionMode() not in (one, none)
