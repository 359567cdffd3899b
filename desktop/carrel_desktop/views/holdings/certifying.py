# SPDX-License-Identifier: AGPL-3.0-or-later
"""Certificates of the chosen holdings: asked where to, written on the engine's side, offered."""

from collections.abc import Mapping, Sequence
from itertools import chain, count
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QProgressBar, QProgressDialog, QWidget

from carrel.engine import Engine
from carrel.errors import CarrelError
from carrel.model.certificate import CertificateForm, Certified
from carrel.model.holdings import HoldingRow
from carrel.model.unwritten import why_unwritten
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.theme import space
from carrel_desktop.views.holdings.record import Record
from carrel_desktop.widgets.choosing import choose_folder, choose_new_file, words_of
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.saved import saved_box

_SHOWN_AFTER_MS = 700
_PROGRESS_WIDTH = 80  # grid steps
_MOST_NAMED = 5


class Certifying(QObject):
    """Saves certificates, one at a time; `saved` carries the file of one that was written, `began`
    says that some are being written."""

    began = Signal()
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
        name = f"{_file_name(record.title.title, record.ingest_id)}.pdf"
        dialog = choose_new_file(self._parent, heading, write, name=name, kinds=kinds)
        dialog.setObjectName("certificate_file")

    def ask_several(self, rows: Sequence[HoldingRow]) -> None:
        """Ask for a folder to write the certificates of several holdings to, each as PDF."""
        choose_folder(
            self._parent,
            tr("Folder for {certificates}", certificates=_certificates(len(rows))),
            lambda folder: self.save_several(rows, folder),
        )

    def save_several(self, rows: Sequence[HoldingRow], folder: Path) -> None:
        """Write the certificates of holdings to a folder, beside what is there."""
        if self._progress is not None:
            return
        self._progress = self._new_progress()
        self._progress.setLabelText(tr("Writing the certificates…"))
        self.began.emit()
        task = self._session.start(self._save_several(rows, folder), is_asked=True)
        if task is not None:
            self._progress.setCancelButtonText(tr("Stop"))
            self._progress.canceled.connect(task.cancel)

    def save(self, ingest_id: str, path: Path) -> None:
        """Write the certificate of a holding to a file."""
        if self._progress is None:
            self._progress = self._new_progress()
            self.began.emit()
            self._session.start(self._save(ingest_id, path), is_asked=True)

    async def _save(self, ingest_id: str, path: Path) -> None:
        try:
            certified = await self._session.read(
                lambda engine: engine.holdings.certify(
                    ingest_id, path, _form(path), tell=self._moved.emit
                )
            )
            beside = await self._signed(path)
        finally:
            self._end_progress()
        self._follow_damage(certified)
        self._offer(certified, path, beside)
        self.saved.emit(path)

    def _follow_damage(self, certified: Certified) -> None:
        """Tell pages of damage: it may have been found just now."""
        if certified.failed:
            self._session.fixity_noted.emit()

    async def _signed(self, path: Path) -> str:
        """Sign a certificate as the settings say; return what is to be told of it, "" for nothing.

        A certificate that could not be signed is there nevertheless, and that is told.
        """

        def sign(engine: Engine) -> str:
            signing = engine.signing
            if not signing:
                return ""
            try:
                written = engine.attest(path, signing)
            except (CarrelError, OSError) as error:
                return tr("It is not signed. {why}", why=str(error))
            return tr("Its signature is beside it: {name}.", name=written[0].name)

        return await self._session.read(sign)

    async def _save_several(self, rows: Sequence[HoldingRow], folder: Path) -> None:
        written, failed = 0, dict[str, list[str]]()
        try:
            for number, row in enumerate(rows):
                self._moved.emit(number, len(rows))
                path = _unused(folder, _file_name(row.title, row.ingest_id))
                try:
                    await self._certify(row.ingest_id, path)
                    written += 1
                except CarrelError as error:
                    failed.setdefault(str(error), []).append(row.title)
                except OSError as error:
                    failed.setdefault(why_unwritten(_place(folder, error), error), []).append(
                        row.title
                    )
        finally:
            self._end_progress()
            self._offer_folder(written, len(rows), failed, folder)
        self.saved.emit(folder)

    async def _certify(self, ingest_id: str, path: Path) -> None:
        certified = await self._session.read(
            lambda engine: engine.holdings.certify(ingest_id, path, CertificateForm.PDF)
        )
        self._follow_damage(certified)
        await self._signed(path)

    def _offer_folder(
        self, written: int, total: int, failed: Mapping[str, Sequence[str]], folder: Path
    ) -> None:
        """Say how many were written, and which were not, by the reason; offer to show them."""
        text = tr("{written} of {certificates} saved.")
        numbers = {"written": quantities.number(written), "certificates": _certificates(total)}
        told = text.format(**numbers)
        lines = [
            f"{quantities.titles(titles, _MOST_NAMED)}: {why}" for why, titles in failed.items()
        ]
        place = [str(folder)] if written else []
        more = "\n".join([*place, *quantities.shortened(lines, _MOST_NAMED)])
        way = tr("&Show folder")
        box = saved_box(self._parent, "certificates_saved", told, more, folder, way)
        box.setWindowTitle(_heading(written, has_failed=bool(failed)))
        every = [f"{title}: {why}" for why, titles in failed.items() for title in titles]
        is_shortened = any(len(titles) > _MOST_NAMED for titles in failed.values())
        is_shortened = is_shortened or len(failed) > _MOST_NAMED
        box.setDetailedText("\n".join(every) if is_shortened else "")
        box.open()

    def _offer(self, certified: Certified, path: Path, beside: str) -> None:
        """Say what was written, and offer to open it."""
        told = tr("The certificate was saved as {name}.", name=path.name)
        more = tr(
            "It states how many are archived: {kept} of {files}.",
            kept=quantities.number(certified.kept),
            files=quantities.files(certified.files),
        )
        records = quantities.counted(certified.failed, *forms("1 record", "{count} records"))
        damage = tr("It states damage: {records} damaged or missing.", records=records)
        more = " ".join(filter(None, (more, damage if certified.failed else "", beside)))
        box = saved_box(self._parent, "certificate_saved", told, more, path, tr("&Open"))
        box.setWindowTitle(tr("Certificate saved"))
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


def _heading(written: int, *, has_failed: bool) -> str:
    if not written:
        return tr("No certificate was saved")
    return tr("Some certificates were not saved") if has_failed else tr("Certificates saved")


def _place(folder: Path, error: OSError) -> Path:
    """Return what cannot be written: the folder, unless that is elsewhere."""
    named = Path(error.filename or folder)
    return folder if named.is_relative_to(folder) else named


def _certificates(count: int) -> str:
    return quantities.counted(count, *forms("1 certificate", "{count} certificates"))


def _file_name(title: str, ingest_id: str) -> str:
    """Return a name to offer, without its ending: what a dataset is called comes from outside."""
    return tr("certificate-{words}", words=words_of(title) or ingest_id)


def _unused(folder: Path, name: str) -> Path:
    """Return the path of a PDF that is not there yet."""
    numbered = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(path for each in numbered if not (path := folder / f"{each}.pdf").exists())
