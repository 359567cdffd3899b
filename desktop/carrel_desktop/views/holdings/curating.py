# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dialogs by which people add to holdings: tags, a note."""

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCompleter,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QWidget,
)

from carrel.model.holdings import MOST_NOTE_CHARS, MOST_TAG_CHARS, tags_in
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import space
from carrel_desktop.widgets.labels import named, plain_label, set_tone, wrapped
from carrel_desktop.widgets.layouts import vertical

DIALOG_WIDTH = 105  # grid steps: room for the longest title
TAGS_HEIGHT = 48  # at most; more tags scroll
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class TagDialog(QDialog):
    """`chosen` carries the tags to add, and those to take away."""

    chosen = Signal(object, object)

    def __init__(
        self, parent: QWidget, count: int, known: Sequence[str], present: Mapping[str, int]
    ) -> None:
        """`present` says how many of the chosen datasets have which tag."""
        super().__init__(parent)
        self.setObjectName("tags")
        datasets = quantities.counted(count, "1 dataset", "{count} datasets")
        self.setWindowTitle(tr("Tags of {datasets}", datasets=datasets))
        self.field = named(QLineEdit(), "tag")
        completer = QCompleter(list(known), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.field.setCompleter(completer)
        self.known = QListView()
        completer.setPopup(self.known)
        self.known.installEventFilter(self)
        self._known = frozenset(known)
        self.hint = wrapped("", "secondary")
        self.field.textChanged.connect(self._follow)
        label = QLabel(tr("&Add tags"))
        label.setBuddy(self.field)
        self.present = named(QListWidget(), "present_tags", tr("Tags"))
        self.present.setSpacing(round(space(0.5)))
        self.present.setSizeAdjustPolicy(QListWidget.SizeAdjustPolicy.AdjustToContents)
        self.present.setMaximumHeight(space(TAGS_HEIGHT))
        for tag, having in present.items():
            item = QListWidgetItem(_with_extent(tag, having, count), self.present)
            item.setData(Qt.ItemDataRole.UserRole, tag)
            item.setCheckState(Qt.CheckState.Checked)
        hint = wrapped(tr("Untick a tag to remove it."), "secondary")
        for widget in (self.present, hint):
            widget.setVisible(bool(present))
        self.buttons = _buttons(self, tr("&Save tags"))
        new = vertical(label, self.field, self.hint, gap=1)
        old = vertical(self.present, hint, gap=1)
        vertical(new, old, self.buttons, gap=3, margins=(6, 5, 6, 4), on=self)
        self._follow()
        self.setMinimumWidth(space(DIALOG_WIDTH))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Have Enter save what is written while known tags are offered and none is chosen."""
        is_press = event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        is_enter = is_press and event.key() in ENTER  # type: ignore[attr-defined]  # as said above
        if is_enter and not self.known.currentIndex().isValid():
            self.known.hide()
            if not self._too_long():
                self.accept()
            return True
        return super().eventFilter(watched, event)

    def accept(self) -> None:
        items = [self.present.item(at) for at in range(self.present.count())]
        gone = [
            str(item.data(Qt.ItemDataRole.UserRole))
            for item in items
            if item.checkState() is Qt.CheckState.Unchecked
        ]
        self.chosen.emit(self._written(), gone)
        super().accept()

    def _written(self) -> Sequence[str]:
        """Return the tags that are written; one that is known may have a comma in it."""
        text = " ".join(self.field.text().split())  # a pasted line break is no part of it
        return (text,) if text in self._known else tags_in(text)

    def _too_long(self) -> str:
        return next((tag for tag in self._written() if len(tag) > MOST_TAG_CHARS), "")

    def _follow(self) -> None:
        """Say how several tags are written, or which one is too long to be saved."""
        long = self._too_long()
        several = tr("Separate several tags with commas or semicolons.")
        words = tr("A tag has at most {most} characters: {tag}", most=MOST_TAG_CHARS, tag=long)
        self.hint.setText(words if long else several)
        set_tone(self.hint, "failed" if long else "secondary")
        for button in self.buttons.buttons():
            is_save = self.buttons.buttonRole(button) is QDialogButtonBox.ButtonRole.AcceptRole
            button.setEnabled(not (is_save and long))


class NoteDialog(QDialog):
    """`chosen` carries the note, saved by its button or by Ctrl+Enter."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget, title: str, note: str) -> None:
        super().__init__(parent)
        self.setObjectName("note")
        self.setWindowTitle(tr("Note on a dataset"))
        self.field = named(QPlainTextEdit(note), "note_text", tr("Note"))
        self.field.setTabChangesFocus(True)
        vertical(
            wrapped(title, "secondary"),
            self.field,
            _buttons(self, tr("&Save note")),
            gap=3,
            margins=(6, 5, 6, 4),
            on=self,
        )
        self.setMinimumWidth(space(DIALOG_WIDTH))
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self, self.accept)

    def accept(self) -> None:
        self.chosen.emit(self.field.toPlainText()[:MOST_NOTE_CHARS])
        super().accept()


class ViewNameDialog(QDialog):
    """`chosen` carries the name of a view, which is none of `taken`; Qt's own dialog is as narrow
    as its field."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget, taken: Collection[str]) -> None:
        super().__init__(parent)
        self._taken = frozenset(name.casefold() for name in taken)
        self.setObjectName("view_name")
        self.setWindowTitle(tr("Save view"))
        self.field = named(QLineEdit(), "view_name_text")
        label = plain_label(tr("Name of the view"))
        label.setBuddy(self.field)
        self.remark = named(wrapped("", "failed"), "view_name_remark")
        self.remark.hide()
        self.field.textEdited.connect(self.remark.hide)
        parts = label, self.field, self.remark, _buttons(self, tr("&Save view"))
        vertical(*parts, gap=3, margins=(6, 5, 6, 4), on=self)
        self.setMinimumWidth(space(DIALOG_WIDTH))

    def accept(self) -> None:
        if self.field.text().strip().casefold() in self._taken:
            self.remark.setText(tr("A view that is always there has this name. Choose another."))
            self.remark.show()
            return
        self.chosen.emit(self.field.text())
        super().accept()


def _with_extent(tag: str, having: int, count: int) -> str:
    """Return a tag with how many of so many datasets have it, if not all do."""
    if having == count:
        return tag
    number = quantities.number
    return tr("{tag} (on {having} of {count})", tag=tag, having=number(having), count=number(count))


def _buttons(dialog: QDialog, word: str) -> QDialogButtonBox:
    buttons = QDialogButtonBox()
    save = buttons.addButton(word, QDialogButtonBox.ButtonRole.AcceptRole)
    save.setProperty("role", "primary")
    buttons.addButton(tr("&Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons
