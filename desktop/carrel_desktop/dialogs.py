# SPDX-License-Identifier: AGPL-3.0-or-later
"""The few dialogs there are. None blocks: each is opened and goes its way."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from carrel import __version__
from carrel_desktop.theme import fixed_font, space

CONTEXT = "dialogs"
COLUMNS = 2


def _tr(text: str) -> str:
    return QCoreApplication.translate(CONTEXT, text)


def shortcuts_dialog(parent: QWidget, actions: Sequence[QAction]) -> QDialog:
    """Return a list of every action that has keys."""
    dialog = QDialog(parent)
    dialog.setObjectName("shortcuts")
    dialog.setWindowTitle(_tr("Keyboard shortcuts"))
    grid = QGridLayout()
    grid.setHorizontalSpacing(space(6))
    grid.setVerticalSpacing(space(2))
    shown = [action for action in actions if not action.shortcut().isEmpty()]
    half = -(-len(shown) // COLUMNS)
    for number, action in enumerate(shown):
        keys = QLabel(action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))
        keys.setFont(fixed_font())
        keys.setProperty("tone", "secondary")
        column = 2 * (number // half)
        grid.addWidget(
            QLabel(action.text().replace("&", "").removesuffix("…")), number % half, column
        )
        grid.addWidget(keys, number % half, column + 1)
    return _closable(dialog, grid)


def about_box(parent: QWidget) -> QMessageBox:
    """Return what Carrel is, its version and its licence."""
    box = QMessageBox(parent)
    box.setObjectName("about")
    box.setWindowTitle(_tr("About Carrel"))
    box.setText(_tr("Carrel {version}").format(version=__version__))
    box.setInformativeText(
        _tr(
            "The archivist's desk for datasets.\n\n"
            "Free software under the GNU Affero General Public License, version 3 or later. "
            "It comes without any warranty."
        )
    )
    box.addButton(_tr("&Close"), QMessageBox.ButtonRole.AcceptRole)
    return box


def unsaved_box(parent: QWidget, *, is_setting: bool) -> QMessageBox:
    """Return the question whether to close with settings, or else a source of mementos, that are
    not saved; accepting closes."""
    box = QMessageBox(parent)
    box.setObjectName("closing")
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(_tr("Close Carrel"))
    settings = _tr("The settings were changed and are not saved.")
    source = _tr("A source of mementos was changed and is not saved.")
    box.setText(settings if is_setting else source)
    box.setInformativeText(_tr("If you close now, the changes are lost."))
    box.addButton(_tr("&Discard and close"), QMessageBox.ButtonRole.AcceptRole)
    stay = box.addButton(_tr("&Keep the window open"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    return box


def _closable(dialog: QDialog, content: QGridLayout) -> QDialog:
    buttons = QDialogButtonBox()
    close = buttons.addButton(_tr("&Close"), QDialogButtonBox.ButtonRole.AcceptRole)
    close.setDefault(True)
    buttons.accepted.connect(dialog.accept)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(space(6), space(5), space(6), space(4))
    layout.setSpacing(space(5))
    layout.addLayout(content)
    layout.addWidget(buttons)
    return dialog
