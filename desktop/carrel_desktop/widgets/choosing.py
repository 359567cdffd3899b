# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dialogs to choose files or a folder; none blocks."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

Then = Callable[[Path], object]
Modes = QFileDialog.FileMode


def choose_folder(parent: QWidget, title: str, then: Then, beginning: Path | None = None) -> None:
    """Ask for a folder that is there."""
    dialog = _dialog(parent, title, Modes.Directory, beginning)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    _open(dialog, then)


def choose_file(parent: QWidget, title: str, then: Then, beginning: Path | None = None) -> None:
    """Ask for a file that is there."""
    _open(_dialog(parent, title, Modes.ExistingFile, beginning), then)


def choose_files(
    parent: QWidget, title: str, filters: Sequence[str], then: Callable[[list[Path]], object]
) -> None:
    """Ask for files that are there."""
    dialog = _dialog(parent, title, Modes.ExistingFiles, None)
    dialog.setNameFilters(filters)
    dialog.filesSelected.connect(lambda paths: then([Path(path) for path in paths]))
    dialog.open()


def choose_new_file(
    parent: QWidget, title: str, then: Then, *, name: str = "", kind: str = "", suffix: str = ""
) -> QFileDialog:
    """Ask for a file to write, `name` being offered, of the `kind` that ends in a suffix."""
    dialog = _dialog(parent, title, Modes.AnyFile, None)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    if suffix:
        dialog.setNameFilter(kind)
        dialog.setDefaultSuffix(suffix)
    if name:
        dialog.selectFile(name)
    return _open(dialog, then)


def _dialog(parent: QWidget, title: str, mode: Modes, beginning: Path | None) -> QFileDialog:
    dialog = QFileDialog(parent, title, str(beginning or ""))
    dialog.setFileMode(mode)
    dialog.finished.connect(dialog.deleteLater)
    return dialog


def _open(dialog: QFileDialog, then: Then) -> QFileDialog:
    dialog.fileSelected.connect(lambda path: then(Path(path)))
    dialog.open()
    return dialog
