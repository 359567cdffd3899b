# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dialogs to choose files or a folder; none blocks."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QSettings, QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMessageBox, QWidget

from carrel.errors import UsageError
from carrel.own_parts import refuse_own_part
from carrel.translation import tr
from carrel_desktop.widgets.question_box import lay_out

Then = Callable[[Path], object]
Modes = QFileDialog.FileMode
_LAST = "window/folder"  # where the last choice was made


def choose_folder(parent: QWidget, title: str, then: Then, beginning: Path | None = None) -> None:
    """Ask for a folder that is there."""
    dialog = _dialog(parent, title, Modes.Directory, beginning)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    _open(dialog, then)


def choose_new_folder(
    parent: QWidget, title: str, then: Then, *, label: str, name: str, beginning: Path
) -> None:
    """Ask for a folder that is to be made, `name` being offered; `label` is what that is called."""
    dialog = _dialog(parent, title, Modes.AnyFile, beginning)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # one that is there is no file
    dialog.setLabelText(QFileDialog.DialogLabel.FileName, tr("&Name of the folder:"))
    dialog.setLabelText(QFileDialog.DialogLabel.Accept, label)
    dialog.selectFile(name)
    _open(dialog, then)


def choose_file(
    parent: QWidget,
    title: str,
    then: Then,
    beginning: Path | None = None,
    *,
    kinds: Sequence[str] = (),
) -> None:
    """Ask for a file that is there; of several `kinds` the first is offered."""
    dialog = _dialog(parent, title, Modes.ExistingFile, beginning)
    if kinds:
        dialog.setNameFilters(list(kinds))
    _open(dialog, then)


def choose_files(
    parent: QWidget, title: str, filters: Sequence[str], then: Callable[[list[Path]], object]
) -> None:
    """Ask for files that are there."""
    dialog = _dialog(parent, title, Modes.ExistingFiles, None)
    dialog.setNameFilters(filters)
    dialog.filesSelected.connect(lambda paths: then([Path(path) for path in paths]))
    dialog.open()


def words_of(title: str) -> str:
    """Return the words of a title for a file's name: what things are called comes from outside."""
    title = "".join(each if each.isalnum() else "-" for each in title[:60])
    return "-".join(part for part in title.split("-") if part)


def choose_new_file(
    parent: QWidget,
    title: str,
    then: Then,
    *,
    name: str = "",
    kind: str = "",
    suffix: str = "",
    kinds: Sequence[tuple[str, str]] = (),
) -> QFileDialog:
    """Ask for a file to write, `name` being offered, of the `kind` that ends in a suffix.

    Of several `kinds`, each with its suffix, the first is offered. Part of an archive is refused.
    """
    dialog = _dialog(parent, title, Modes.AnyFile, None)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    suffixes = dict([(kind, suffix)] if suffix else kinds)
    if suffixes:
        dialog.setNameFilters(list(suffixes))
        dialog.setDefaultSuffix(next(iter(suffixes.values())))
        dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(suffixes[chosen]))
    if name:
        dialog.selectFile(name)

    def unless_refused(path: Path) -> None:
        try:
            refuse_own_part(path)
        except UsageError as error:
            _say(parent, title, str(error))
        else:
            then(path)

    return _open(dialog, unless_refused)


def _say(parent: QWidget, title: str, words: str) -> None:
    """Say why nothing is written to what was chosen."""
    box = QMessageBox(parent)
    box.setObjectName("refused_file")
    box.setWindowTitle(title)
    box.setText(words)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    lay_out(box)
    box.open()


def usual_folder() -> Path:
    """Return where a dialog begins: where the last choice was made, else among the documents."""
    last = QSettings("Carrel", "Carrel").value(_LAST)
    if last and Path(str(last)).is_dir():
        return Path(str(last))
    places = QStandardPaths.standardLocations(QStandardPaths.StandardLocation.DocumentsLocation)
    return next((path for path in map(Path, places) if path.is_dir()), Path.home())


def _there(folder: Path) -> Path:
    """Return a folder, or the nearest one above that is there."""
    return next((each for each in (folder, *folder.parents) if each.is_dir()), Path.home())


def _remember(path: Path) -> None:
    QSettings("Carrel", "Carrel").setValue(_LAST, str(path.parent))


def _dialog(parent: QWidget, title: str, mode: Modes, beginning: Path | None) -> QFileDialog:
    dialog = QFileDialog(parent, title, str(_there(beginning) if beginning else usual_folder()))
    dialog.setFileMode(mode)
    dialog.fileSelected.connect(lambda path: _remember(Path(path)))
    dialog.finished.connect(dialog.deleteLater)
    return dialog


def _choose_typed(dialog: QFileDialog, paths: Sequence[str]) -> None:
    """Take the one that was typed where Qt takes several: it completes a name, and keeps what is
    typed meanwhile, too, and then tells of no choice at all."""
    if len(paths) > 1:
        typed = dialog.findChild(QLineEdit)
        name = Path(typed.text().strip().strip('"')).name if typed else ""
        dialog.fileSelected.emit(next((it for it in paths if Path(it).name == name), paths[0]))


def _open(dialog: QFileDialog, then: Then) -> QFileDialog:
    dialog.fileSelected.connect(lambda path: then(Path(path)))
    dialog.filesSelected.connect(lambda paths: _choose_typed(dialog, paths))
    dialog.open()
    return dialog
