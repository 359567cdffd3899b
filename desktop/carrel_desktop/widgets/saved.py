# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was saved, said in a box that offers to show it."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

from carrel.translation import tr
from carrel_desktop.widgets.labels import named


def saved_box(
    parent: QWidget, name: str, text: str, more: str, path: Path, way: str
) -> QMessageBox:
    """Return the box, not open yet; `way` is the text of the button that opens file or folder.

    The folder of a file can be shown, too.
    """
    box = named(QMessageBox(parent), name)
    box.setText(text)
    box.setInformativeText(more)
    opening = box.addButton(way, QMessageBox.ButtonRole.AcceptRole)
    if not path.is_dir():
        folder = box.addButton(tr("Show in &folder"), QMessageBox.ButtonRole.ActionRole)
        folder.clicked.connect(lambda: _open(path.parent))
    box.setEscapeButton(box.addButton(tr("&Close"), QMessageBox.ButtonRole.RejectRole))
    box.setDefaultButton(opening)
    opening.clicked.connect(lambda: _open(path))
    box.finished.connect(box.deleteLater)
    return box


def _open(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
