# SPDX-License-Identifier: AGPL-3.0-or-later
"""The few dialogs there are. None blocks: each is opened and goes its way."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QFont, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QMessageBox,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from carrel import __version__
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import fixed_font, scaled_font, space

_OF_SCREEN = 0.8


def shortcuts_dialog(parent: QWidget, groups: Sequence[tuple[str, Sequence[QAction]]]) -> QDialog:
    """Return a list, by menu, of every action that has keys; it scrolls where room is short."""
    dialog = QDialog(parent)
    dialog.setObjectName("shortcuts")
    dialog.setWindowTitle(tr("Keyboard shortcuts"))
    grid = QGridLayout()
    grid.setHorizontalSpacing(space(6))
    grid.setVerticalSpacing(space(2))
    for name, actions in groups:
        shown = [action for action in actions if not action.shortcut().isEmpty()]
        if shown:
            _add_group(grid, name, shown)
    content = QWidget()
    content.setLayout(grid)
    _close_with(dialog, _scrolling(content))
    hint = content.sizeHint()
    size = QSize(hint.width() + space(18), hint.height() + space(24))
    dialog.resize(size.boundedTo(parent.screen().availableSize() * _OF_SCREEN))
    return dialog


def _add_group(grid: QGridLayout, name: str, actions: Sequence[QAction]) -> None:
    """Add a heading and, below it, each action with its keys."""
    heading = QLabel(name)
    heading.setFont(scaled_font(1, QFont.Weight.DemiBold))
    grid.addWidget(heading, grid.rowCount(), 0, 1, 2)
    for action in actions:
        keys = QLabel(action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))
        keys.setFont(fixed_font())
        keys.setProperty("tone", "secondary")
        row = grid.rowCount()
        grid.addWidget(QLabel(action.text().replace("&", "").removesuffix("…")), row, 0)
        grid.addWidget(keys, row, 1)


def _scrolling(content: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidgetResizable(True)
    area.setWidget(content)
    area.setAccessibleName(tr("Keyboard shortcuts"))
    return area


def about_box(parent: QWidget) -> QMessageBox:
    """Return what Carrel is, its version and its licence."""
    box = QMessageBox(parent)
    box.setObjectName("about")
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
    box = QMessageBox(parent)
    box.setObjectName("closing")
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(tr("Close Carrel"))
    settings = tr("Changes to the settings are not saved.")
    source = tr("Changes to a memento source are not saved.")
    box.setText(settings if is_setting else source)
    box.setInformativeText(tr("If you close now, the changes are lost."))
    box.addButton(tr("&Discard and close"), QMessageBox.ButtonRole.AcceptRole)
    stay = box.addButton(tr("&Keep the window open"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    return box


def running_box(parent: QWidget, running: int) -> QMessageBox:
    """Return the question whether to close while so many datasets are being archived; accepting
    closes."""
    box = QMessageBox(parent)
    box.setObjectName("closing")
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(tr("Close Carrel"))
    text = "1 dataset is being archived.", "{count} datasets are being archived."
    box.setText(quantities.counted(running, *text))
    box.setInformativeText(
        tr(
            "Carrel archives only while its window is open. If you close it now, verified files "
            "stay, and the queue resumes when you open this archive again."
        )
    )
    box.addButton(tr("&Close anyway"), QMessageBox.ButtonRole.AcceptRole)
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
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(space(6), space(5), space(6), space(4))
    layout.setSpacing(space(5))
    layout.addWidget(content, 1)
    layout.addWidget(buttons)
