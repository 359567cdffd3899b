# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dialogs to choose a file or a folder; none blocks."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget


def choose_folder(parent: QWidget, title: str, then: Callable[[Path], None]) -> None:
    """Ask for a folder that is there."""
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    _open(dialog, then)


def choose_file(parent: QWidget, title: str, then: Callable[[Path], None]) -> None:
    """Ask for a file that is there."""
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    _open(dialog, then)


def choose_new_file(parent: QWidget, title: str, name: str, then: Callable[[Path], None]) -> None:
    """Ask for a file to write, `name` being offered."""
    dialog = QFileDialog(parent, title)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(name)
    _open(dialog, then)


def _open(dialog: QFileDialog, then: Callable[[Path], None]) -> None:
    dialog.fileSelected.connect(lambda path: then(Path(path)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
