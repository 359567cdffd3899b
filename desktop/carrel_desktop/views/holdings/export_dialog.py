# SPDX-License-Identifier: AGPL-3.0-or-later
"""The dialog that asks how and where to holdings are exported, and says what will lack."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QDir, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QWidget,
)

from carrel.model.evidence import Signing
from carrel.model.exports import ExportForm, ExportOptions
from carrel.model.holdings import HoldingRow
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.theme import space
from carrel_desktop.widgets.choosing import choose_folder, usual_folder
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import horizontal, rest, vertical

NO_SIGNING = Signing()
_WIDTH = 140  # grid steps
_INDENT = 6


def _forms() -> Sequence[tuple[ExportForm, str, str]]:
    """Return the forms that are offered, with what each is for."""
    return (
        (
            ExportForm.FILES,
            tr("F&iles"),
            tr("The files as they were published, with a list of checksums."),
        ),
        (
            ExportForm.BAGIT,
            tr("&BagIt bag"),
            tr("For repositories and preservation systems: files, checksums and metadata."),
        ),
        (
            ExportForm.ROCRATE,
            tr("&RO-Crate"),
            tr("For research data tools: files, and how and when they were captured."),
        ),
        (
            ExportForm.WACZ,
            tr("&WACZ"),
            tr("For replay in a browser: the captures themselves, page and files."),
        ),
    )


class ExportDialog(QDialog):
    """`chosen` carries the options, and the folder to write to. `beside` is how many of the files
    that lack another ingest of the same version has."""

    chosen = Signal(object, object)

    def __init__(
        self,
        parent: QWidget,
        rows: Sequence[HoldingRow],
        folder: Path | None,
        signing: Signing = NO_SIGNING,
        beside: int = 0,
    ) -> None:
        super().__init__(parent)
        self._signing = signing
        self.sign = named(QCheckBox(tr("&Sign, as the settings say")), "sign_export")
        self.sign.setChecked(bool(signing))
        self.sign.setVisible(bool(signing))
        self.setObjectName("export")
        self.setMinimumWidth(space(_WIDTH))
        datasets = quantities.datasets(len(rows))
        self.setWindowTitle(tr("Export {datasets}", datasets=datasets))
        self._forms = QButtonGroup(self)
        offered = [self._offered(*form) for form in _forms()]
        self.damaged = named(QCheckBox(tr("&Leave out damaged files")), "leave_out_damaged")
        self.folder = named(QLineEdit(QDir.toNativeSeparators(str(folder or ""))), "export_folder")
        self.hint = wrapped("", "secondary")
        self.browse = named(QPushButton(tr("Br&owse…")), "browse_export_folder")
        label = QLabel(tr("&Folder"))
        label.setBuddy(self.folder)
        self._rows, self._beside = rows, beside
        self.lacking = wrapped(_what_lacks(rows, beside, ExportForm.FILES), "warning")
        self.lacking.setVisible(bool(self.lacking.text()))
        self.damaged.setVisible(any(row.failed for row in rows))
        self.buttons = QDialogButtonBox()
        self.go = self.buttons.addButton(tr("&Export"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setProperty("role", "primary")
        self.buttons.addButton(tr("&Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        field = horizontal(rest(self.folder), self.browse, gap=2)
        where = vertical(label, field, self.hint, gap=1)
        vertical(
            self.lacking,
            *offered,
            self.damaged,
            self.sign,
            where,
            rest(),
            self.buttons,
            gap=3,
            margins=(6, 5, 6, 4),
            on=self,
        )
        self._connect()
        self._follow()
        self.resize(space(_WIDTH), self.heightForWidth(space(_WIDTH)))

    def accept(self) -> None:
        form = self._form
        leaves_out = self.damaged.isEnabled() and self.damaged.isChecked()
        options = ExportOptions(form, leaves_out_damaged=leaves_out, signing=self._signing_of(form))
        self.chosen.emit(options, Path(self.folder.text().strip()).expanduser())
        super().accept()

    def _signing_of(self, form: ExportForm) -> Signing:
        """Return how an export is signed; a WACZ has no time stamp of its own."""
        if not self.sign.isChecked():
            return NO_SIGNING
        if form is ExportForm.WACZ:
            return replace(self._signing, authority="", authority_certificates="")
        return self._signing

    @property
    def _form(self) -> ExportForm:
        """The form that is chosen."""
        return next(form for form, *_ in _forms() if self.button(form).isChecked())

    def button(self, form: ExportForm) -> QRadioButton:
        """Return the button that chooses a form."""
        found = self.findChild(QRadioButton, f"export_{form}")
        assert isinstance(found, QRadioButton)  # noqa: S101 - each form has one
        return found

    def _offered(self, form: ExportForm, word: str, purpose: str) -> QWidget:
        button = named(QRadioButton(word), f"export_{form}")
        button.setChecked(form is ExportForm.FILES)
        button.setAccessibleDescription(purpose)
        self._forms.addButton(button)
        about = QWidget()
        hint = vertical(wrapped(purpose, "secondary"), margins=(_INDENT, 0, 0, 0))
        vertical(button, hint, gap=0.5, on=about)
        return about

    def _connect(self) -> None:
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.folder.textChanged.connect(self._follow)
        self._forms.buttonToggled.connect(self._follow)
        self.browse.clicked.connect(self._choose_folder)

    def _choose_folder(self) -> None:
        typed = self.folder.text().strip()
        choose_folder(self, tr("Folder for the export"), self._take, Path(typed) if typed else None)

    def _take(self, folder: Path) -> None:
        self.folder.setText(QDir.toNativeSeparators(str(folder)))

    def _follow(self) -> None:
        # Relative to whatever folder the window was started in, a name would lead anywhere.
        folder = self.folder.text().strip()
        can_go = Path(folder).expanduser().is_absolute()
        self.go.setEnabled(can_go)
        self.hint.setText(_what_is_wanted(folder))
        self.hint.setVisible(not can_go)
        self.lacking.setText(_what_lacks(self._rows, self._beside, self._form))
        is_whole_warcs = self._form is ExportForm.WACZ
        self.damaged.setEnabled(not is_whole_warcs)
        why_not = tr("A WACZ has whole WARC files. Repair the archive, or choose another form.")
        self.damaged.setToolTip(why_not if is_whole_warcs else "")


def _what_is_wanted(folder: str) -> str:
    """Return why no export can go into what is written as its folder."""
    if not folder:
        return tr("Choose the folder to export to.")
    return tr(
        "Enter the whole path of a folder, for instance {path}, or choose one.",
        path=QDir.toNativeSeparators(str(usual_folder() / folder)),
    )


def _what_lacks(rows: Sequence[HoldingRow], beside: int, form: ExportForm) -> str:
    """Return what an export of holdings in a form will not have, "" if all is there."""
    lacking = sum(row.file_count - row.kept_count for row in rows) - beside
    damaged = sum(row.failed > 0 for row in rows)
    said = []
    if lacking:
        files = quantities.counted(lacking, "1 file is", "{count} files are")
        said.append(tr("{files} not archived, and will not be exported.", files=files))
    if beside:
        files = quantities.counted(beside, "1 file was", "{count} files were")
        said.append(
            tr(
                "{files} archived by another ingest of the same version, and will not be exported: "
                "archive the dataset again to have them in one ingest, as far as they are still "
                "published.",
                files=files,
            )
        )
    if damaged:
        datasets = quantities.counted(damaged, "1 dataset has", "{count} datasets have")
        said.append(tr("{datasets} damaged records.", datasets=datasets))
        said.append(words.WACZ_COPIES_RECORDS if form is ExportForm.WACZ else _of_files())
    return " ".join(said)


def _of_files() -> str:
    return tr(
        "Files are exported where the archive has the same bytes intact elsewhere; others can only "
        "be left out."
    )
