# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exports of what the dark archive releases: asked how, where to and why, one for each handle."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QDir, QObject, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from carrel.model.dark_views import ExportOrder
from carrel.model.exports import ExportForm, ExportOptions, ExportReport
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.theme import space
from carrel_desktop.views.dark.commands import Runner
from carrel_desktop.widgets.choice_box import ChoiceBox
from carrel_desktop.widgets.choosing import choose_folder
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import grid, horizontal, rest, vertical
from carrel_desktop.widgets.saved import saved_box

_WIDTH = 120  # grid steps
_MOST_NAMED = 5


class TextExportDialog(QDialog):
    """`wanted` carries an ExportOrder and ExportOptions."""

    wanted = Signal(object, object)

    def __init__(self, parent: QWidget, archives: Sequence[str]) -> None:
        super().__init__(parent)
        self.setObjectName("text_export")
        self.setWindowTitle(tr("Export full texts"))
        self.form = named(ChoiceBox(), "text_export_form", tr("Form"))
        for word, form in (
            (tr("Files with a list of checksums"), ExportForm.FILES),
            (tr("BagIt bags"), ExportForm.BAGIT),
            (tr("RO-Crates"), ExportForm.ROCRATE),
            (tr("WACZ files"), ExportForm.WACZ),
        ):
            self.form.addItem(word, form)
        self.archive = named(ChoiceBox(), "text_export_archive", tr("Archive"))
        self.archive.addItem(tr("All archives"), None)
        for name in archives:
            self.archive.addItem(name, name)
        self.lost = named(QCheckBox(tr("Handles of &lost full texts only")), "text_export_lost")
        self.templates = named(QCheckBox(tr("With their &templates")), "text_export_templates")
        self.reason = named(QLineEdit(), "text_export_reason")
        self.folder = named(QLineEdit(), "text_export_folder")
        self.browse = named(QPushButton(tr("Br&owse…")), "browse_text_export")
        buttons = QDialogButtonBox()
        self.go = buttons.addButton(tr("&Export"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setProperty("role", "primary")
        buttons.addButton(tr("&Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._lay_out(buttons)
        self.browse.clicked.connect(self._choose_folder)
        for field in (self.reason, self.folder):
            field.textChanged.connect(self._follow)
        self._follow()

    def accept(self) -> None:
        order = ExportOrder(
            self._folder,
            self.reason.text().strip(),
            archive=self.archive.currentData(),
            lost=self.lost.isChecked(),
            templates=self.templates.isChecked(),
        )
        form = ExportForm(self.form.currentData())  # Qt gives back the mere text
        # A WACZ is made of all that is wanted, or refused.
        options = ExportOptions(form, leaves_out_damaged=form is not ExportForm.WACZ)
        self.wanted.emit(order, options)
        super().accept()

    @property
    def _folder(self) -> Path:
        return Path(self.folder.text().strip()).expanduser()

    def _lay_out(self, buttons: QDialogButtonBox) -> None:
        told = wrapped(
            tr(
                "One export for each handle. Only full texts that are lost are released, or all if "
                "the reason states the rights; what is not is named. The reason is recorded before "
                "anything is copied."
            ),
            "secondary",
        )
        fields = grid(2, 2)
        rows = (
            (tr("&Form"), self.form),
            (tr("&Archive"), self.archive),
            (tr("&Reason"), self.reason),
        )
        for row, (text, field) in enumerate(rows):
            fields.addWidget(_label(text, field), row, 0)
            fields.addWidget(field, row, 1)
        fields.addWidget(_label(tr("Fol&der"), self.folder), len(rows), 0)
        fields.addLayout(horizontal(rest(self.folder), self.browse, gap=2), len(rows), 1)
        parts = told, fields, self.lost, self.templates, rest(), buttons
        vertical(*parts, gap=3, margins=(6, 5, 6, 4), on=self)
        self.resize(space(_WIDTH), self.heightForWidth(space(_WIDTH)))

    def _choose_folder(self) -> None:
        choose_folder(self, tr("Folder for the export"), self._take)

    def _take(self, folder: Path) -> None:
        self.folder.setText(QDir.toNativeSeparators(str(folder)))

    def _follow(self) -> None:
        # Relative to whatever folder the window was started in, a name would lead anywhere.
        self.go.setEnabled(self._folder.is_absolute() and bool(self.reason.text().strip()))


class TextExports(QObject):
    """Asks for an export, has the runner make it, and says what came of it."""

    def __init__(
        self, parent: QWidget, runner: Runner, archives: Callable[[], Sequence[str]]
    ) -> None:
        super().__init__(parent)
        self._parent, self._runner, self._archives = parent, runner, archives
        runner.exported.connect(self._on_exported)

    def export_texts(self) -> None:
        """Ask how, where to and why, and export."""
        dialog = TextExportDialog(self._parent.window(), self._archives())
        dialog.wanted.connect(self._runner.export)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_exported(self, report: ExportReport) -> None:
        told = tr(
            "{there} of {handles} exported.",
            there=quantities.number(len(report.written)),
            handles=quantities.counted(len(report.holdings), "1 handle", "{count} handles"),
        )
        lines = [f"{each.title}: {each.refusal}" for each in report.refused]
        lines += [
            tr("{title}: without {path}: {why}", title=each.title, path=it.file, why=it.reason)
            for each in report.incomplete
            for it in each.lacking
        ]
        more = "\n".join([*_what_is_there(report), *quantities.shortened(lines, _MOST_NAMED)])
        way = tr("&Show folder")
        box = saved_box(self._parent, "texts_exported", told, more, report.folder, way)
        title = tr("Full texts exported") if report.written else tr("Nothing was exported")
        box.setWindowTitle(title)
        box.setDetailedText("\n".join(lines) if len(lines) > _MOST_NAMED else "")
        box.open()


def _what_is_there(report: ExportReport) -> Iterator[str]:
    """Yield what was written, and how many handles had been exported before, if there are any."""
    if report.written:
        yield tr(
            "{files} ({size}) in {folder}.",
            files=quantities.files(report.files),
            size=quantities.size(report.size),
            folder=report.folder,
        )
    if report.earlier:
        read_again = forms(
            "1 handle was there already; its files were read again and are unchanged.",
            "{count} handles were there already; their files were read again and are unchanged.",
        )
        yield quantities.counted(len(report.earlier), *read_again)


def _label(text: str, field: QWidget) -> QLabel:
    label = QLabel(text)
    label.setBuddy(field)
    return label
