# SPDX-License-Identifier: AGPL-3.0-or-later
"""The few dialogs there are. None blocks: each is opened and goes its way."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QMessageBox,
    QWidget,
)

from carrel import __version__
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.theme import fixed_font, space, strong_font
from carrel_desktop.widgets.labels import named, plain_label
from carrel_desktop.widgets.layouts import boxed, grid, rest, scrolled, vertical

_OF_SCREEN = 0.8


def shortcuts_dialog(parent: QWidget, groups: Sequence[tuple[str, Sequence[QAction]]]) -> QDialog:
    """Return a list, by menu, of every action that has keys; it scrolls where room is short."""
    dialog = named(QDialog(parent), "shortcuts")
    dialog.setWindowTitle(tr("Keyboard shortcuts"))
    listed = grid(6, 2)
    for name, actions in groups:
        shown = [action for action in actions if not action.shortcut().isEmpty()]
        if shown:
            _add_group(listed, name, shown)
    content = boxed(listed)
    area = named(scrolled(content, sideways=False), said=tr("Keyboard shortcuts"))
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    _close_with(dialog, area)
    hint = content.sizeHint()
    size = QSize(hint.width() + space(18), hint.height() + space(24))
    dialog.resize(size.boundedTo(parent.screen().availableSize() * _OF_SCREEN))
    return dialog


def _add_group(grid: QGridLayout, name: str, actions: Sequence[QAction]) -> None:
    """Add a heading and, below it, each action with its keys."""
    heading = plain_label(name, font=strong_font())
    grid.addWidget(heading, grid.rowCount(), 0, 1, 2)
    for action in actions:
        keys = plain_label(
            action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
            "secondary",
            font=fixed_font(),
        )
        row = grid.rowCount()
        grid.addWidget(QLabel(action.text().replace("&", "").removesuffix("…")), row, 0)
        grid.addWidget(keys, row, 1)


def about_box(parent: QWidget) -> QMessageBox:
    """Return what Carrel is, its version and its licence."""
    box = named(QMessageBox(parent), "about")
    box.setWindowTitle(tr("About Carrel"))
    box.setText(tr("Carrel {version}", version=__version__))
    box.setInformativeText(
        tr(
            "The archivist's desk for datasets.\n\n"
            "Free software under the GNU Affero General Public License, version 3 or later. "
            "It comes without any warranty."
        )
    )
    box.addButton(tr("&Close"), QMessageBox.ButtonRole.AcceptRole)
    return box


def unsaved_box(parent: QWidget, *, is_setting: bool) -> QMessageBox:
    """Return the question whether to close with settings, or else a source of mementos, that are
    not saved; accepting closes."""
    settings = tr("Changes to the settings are not saved.")
    source = tr("Changes to a memento source are not saved.")
    more = tr("If you close now, the changes are lost.")
    return _closing_box(parent, settings if is_setting else source, more, tr("&Discard and close"))


def running_box(parent: QWidget, running: int) -> QMessageBox:
    """Return the question whether to close while so many datasets are being archived; accepting
    closes."""
    text = forms("1 dataset is being archived.", "{count} datasets are being archived.")
    more = tr(
        "Carrel archives only while its window is open. If you close it now, verified files "
        "stay, and the queue resumes when you open this archive again."
    )
    return _closing_box(parent, quantities.counted(running, *text), more, tr("&Close anyway"))


def _closing_box(parent: QWidget, text: str, more: str, closing: str) -> QMessageBox:
    box = QMessageBox(parent)
    box.setObjectName("closing")
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(tr("Close Carrel"))
    box.setText(text)
    box.setInformativeText(more)
    box.addButton(closing, QMessageBox.ButtonRole.AcceptRole)
    stay = box.addButton(tr("&Keep the window open"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    return box


def _close_with(dialog: QDialog, content: QWidget) -> None:
    """Fill a dialog, with a button below that closes it."""
    buttons = QDialogButtonBox()
    close = buttons.addButton(tr("&Close"), QDialogButtonBox.ButtonRole.AcceptRole)
    close.setDefault(True)
    buttons.accepted.connect(dialog.accept)
    vertical(rest(content), buttons, gap=5, margins=(6, 5, 6, 4), on=dialog)
