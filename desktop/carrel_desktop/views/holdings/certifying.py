# SPDX-License-Identifier: AGPL-3.0-or-later
"""The certificate of the holding on show: asked where to, written on the engine's side, offered."""

from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QProgressBar, QProgressDialog, QWidget

from carrel.model.certificate import CertificateForm, Certified
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.theme import space
from carrel_desktop.views.holdings.record import Record
from carrel_desktop.widgets.choosing import choose_new_file
from carrel_desktop.widgets.labels import named

_SHOWN_AFTER_MS = 700
_PROGRESS_WIDTH = 80  # grid steps
_OFFERED = (CertificateForm.PDF, CertificateForm.HTML, CertificateForm.JSON)


class Certifying(QObject):
    """Saves certificates, one at a time; `saved` carries the file of one that was written."""

    saved = Signal(object)
    _moved = Signal(int, int)

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._parent = session, parent
        self._progress: QProgressDialog | None = None
        # It is told on the thread that reads.
        self._moved.connect(self._on_moved, Qt.ConnectionType.QueuedConnection)

    def ask(self, record: Record) -> None:
        """Ask for a file to write the certificate of a holding to; its ending says the form."""

        def write(path: Path) -> None:
            self.save(record.ingest_id, path)

        heading = tr("Save certificate")
        kinds = [
            (tr("PDF (*.pdf)"), "pdf"),
            (tr("HTML (*.html)"), "html"),
            ("JSON (*.json)", "json"),
        ]
        name = f"{_file_name(record)}.pdf"
        dialog = choose_new_file(self._parent, heading, write, name=name, kinds=kinds)
        dialog.setObjectName("certificate_file")

    def save(self, ingest_id: str, path: Path) -> None:
        """Write the certificate of a holding to a file."""
        if self._progress is None:
            self._progress = self._new_progress()
            self._session.start(self._save(ingest_id, path), is_asked=True)

    async def _save(self, ingest_id: str, path: Path) -> None:
        try:
            certified = await self._session.read(
                lambda engine: engine.holdings.certify(
                    ingest_id, path, _form(path), tell=self._moved.emit
                )
            )
        finally:
            self._end_progress()
        self._offer(certified, path)
        self.saved.emit(path)

    def _offer(self, certified: Certified, path: Path) -> None:
        """Say what was written, and offer to open it."""
        box = named(QMessageBox(self._parent), "certificate_saved")
        box.setWindowTitle(tr("Certificate saved"))
        box.setText(tr("The certificate was saved as {name}.", name=path.name))
        box.setInformativeText(
            tr(
                "It states that {kept} of {files} are archived.",
                kept=quantities.number(certified.kept),
                files=quantities.files(certified.files),
            )
        )
        opening = box.addButton(tr("&Open"), QMessageBox.ButtonRole.AcceptRole)
        box.setEscapeButton(box.addButton(tr("&Close"), QMessageBox.ButtonRole.RejectRole))
        box.setDefaultButton(opening)
        opening.clicked.connect(lambda: _open(path))
        box.finished.connect(box.deleteLater)
        box.open()

    def _new_progress(self) -> QProgressDialog:
        dialog = named(QProgressDialog(self._parent), "certificate_progress")
        dialog.setWindowTitle(tr("Save certificate"))
        dialog.setLabelText(tr("Writing the certificate…"))
        bar = QProgressBar()
        bar.setTextVisible(False)
        dialog.setBar(bar)
        dialog.setMinimumWidth(space(_PROGRESS_WIDTH))
        dialog.setCancelButton(None)  # what is written is there whole or not at all, and soon
        dialog.setMinimumDuration(_SHOWN_AFTER_MS)
        dialog.setAutoReset(False)
        dialog.setRange(0, 0)
        return dialog

    def _end_progress(self) -> None:
        if self._progress is not None:
            self._progress.reset()
            self._progress.deleteLater()
            self._progress = None

    def _on_moved(self, done: int, total: int) -> None:
        if self._progress is not None:
            # Once all files are read they are set, which cannot be measured.
            self._progress.setRange(0, 0 if done >= total else total)
            self._progress.setValue(done)


def _form(path: Path) -> CertificateForm | None:
    """Return the form of a file whose ending says none: what was offered."""
    return None if path.suffix else CertificateForm.PDF


def _open(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def _file_name(record: Record) -> str:
    """Return a name to offer, without its ending: what a dataset is called comes from outside."""
    title = "".join(each if each.isalnum() else "-" for each in record.title.title[:60])
    words = "-".join(part for part in title.split("-") if part)
    return tr("certificate-{words}", words=words or record.ingest_id)
