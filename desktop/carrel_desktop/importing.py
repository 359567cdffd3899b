# SPDX-License-Identifier: AGPL-3.0-or-later
"""Importing files and folders from elsewhere: chosen in the File menu, told on a card."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from carrel.errors import CarrelError
from carrel.model.not_imported import WAS_NOT_IMPORTED
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.viewing.progress import shown_progress
from carrel_desktop.widgets.choosing import choose_files, choose_folder
from carrel_desktop.widgets.running_card import RunningCard

_MOST_NAMED = 8
_MOST_REMARKS = 3
_FILES = "*.warc.gz *.wacz *.tar *.tar.gz *.tgz *.zip"

if TYPE_CHECKING:
    from carrel.engine.importing import Imported


class ImportCard(RunningCard):
    """How far an import is, and how it ended: above every page, until it is closed or, where all
    went well, another page is opened."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "import", tr("Import"), margins=(6, 0, 6, 3))
        self._is_well = False

    def leave(self) -> None:
        """Take note that another page is opened."""
        if self._is_well:
            self.hide()

    def show_progress(self, done: int, total: int) -> None:
        """Show how many bytes were read, of how many."""
        self._is_well = False
        self.show_bytes("save", tr("Importing…"), done, total)

    def show_report(self, report: "Sequence[Imported]") -> None:
        """Show what was imported, and name what was not."""
        self.show_ended()
        taken = [each for each in report if not (each.trouble or each.awaited)]
        lacks = "\n".join(_what_lacks(report))
        said = "\n".join(quantities.shortened(list(map(_told, taken)), _MOST_NAMED))
        if not taken:
            self.card.show_trouble(tr("Nothing was imported"), lacks)
        elif lacks:
            self.card.show_caution(tr("Not all of it was imported"), said, lacks)
        else:
            is_compared = not any(each.unlisted for each in taken)
            heading = tr("Imported and verified") if is_compared else tr("Imported")
            if all(each.was_there and not each.new for each in taken):
                heading = tr("There already")
            self.card.show_success(heading, said)
            self._is_well = True

    def show_trouble(self, reason: str) -> None:
        self.show_ended()
        self.card.show_trouble(tr("Nothing was imported"), reason)

    def show_stopped(self) -> None:
        self.show_ended()
        words = tr("What is complete stays. The same import adds the rest.")
        self.card.show_note("stopped", tr("Import stopped"), words, "secondary")


class Importing(QObject):
    """Imports, one at a time. `ended` says that something may be in the archive that was not."""

    ended = Signal()

    def __init__(self, session: Session, card: ImportCard) -> None:
        super().__init__(card)
        self._session, self.card = session, card
        self._task: asyncio.Task[None] | None = None
        card.stop.clicked.connect(self.stop)

    def import_files(self) -> None:
        """Ask for files, and import them."""
        filters = [tr("Captures and bags ({endings})", endings=_FILES), tr("All files (*)")]
        choose_files(self.card.window(), tr("Import files"), filters, self.begin)

    def import_folder(self) -> None:
        """Ask for a folder, and import it."""
        title = tr("Import a folder")
        choose_folder(self.card.window(), title, lambda path: self.begin([path]))

    def begin(self, paths: Sequence[Path]) -> None:
        """Begin an import, unless one runs: that is never given up unasked."""
        if self._task is None:
            self._task = self._session.start(self._import(paths), is_asked=True)
            if self._task is not None:
                self._task.add_done_callback(self._on_ended)

    def stop(self) -> None:
        """Stop; what is complete stays."""
        if self._task is not None:
            self._task.cancel()

    async def _import(self, paths: Sequence[Path]) -> None:
        try:
            report = await self._with_progress(paths)
        except CarrelError as error:
            self.card.show_trouble(str(error))
        else:
            self.card.show_report(report)

    async def _with_progress(self, paths: Sequence[Path]) -> "Sequence[Imported]":
        from carrel.engine.importing import Given, import_in_background  # few import anything

        self.card.show_progress(0, 0)
        with shown_progress(self, self.card.show_progress) as tell:
            return await self._session.call(
                lambda engine: import_in_background(engine.archive, paths, tell, Given())
            )

    def _on_ended(self, task: "asyncio.Task[None]") -> None:
        """Let another import begin; one may have been stopped before it did."""
        self._task = None
        if task.cancelled():
            self.card.show_stopped()
        self.ended.emit()


def _told(done: "Imported") -> str:
    """Return what became of one thing that was taken, with what there is to remark."""
    told = [_sentence(done), *done.remarks[:_MOST_REMARKS]]
    if (more := len(done.remarks) - _MOST_REMARKS) > 0:
        told.append(quantities.counted(more, "… and 1 more remark.", "… and {count} more remarks."))
    return " ".join(told)


def _sentence(done: "Imported") -> str:
    """Return what became of one thing that was taken."""
    name = _name(done)
    if done.was_there:
        return tr("{name}: was there already.", name=name)
    if not done.files:
        captures = quantities.counted(done.captures, "1 capture", "{count} captures")
        if done.restored:
            words = tr("stored again: no longer intact in the archive")
            return f"{name}: {captures}, {words}."
        new = quantities.number(done.new)
        return tr("{name}: {captures}, {new} new.", name=name, captures=captures, new=new)
    files = quantities.files(done.files)
    if done.restored:
        alone = forms(
            "1 was stored again: the archive no longer had it intact.",
            "{count} were stored again: the archive no longer had them intact.",
        )
        remark = quantities.counted(done.restored, *alone)
        return tr("{name}: {files}. {remark}", name=name, files=files, remark=remark)
    if done.unlisted:
        alone = forms(
            "1 came without a checksum to compare with.",
            "{count} came without a checksum to compare with.",
        )
        remark = quantities.counted(done.unlisted, *alone)
        return tr("{name}: {files}. {remark}", name=name, files=files, remark=remark)
    if done.existing:
        existing = quantities.number(done.existing)
        return tr(
            "{name}: {files}; the bytes of {existing} were here already.",
            name=name,
            files=files,
            existing=existing,
        )
    return tr("{name}: {files}.", name=name, files=files)


def _name(done: "Imported") -> str:
    return done.title or done.name or Path(done.source).name


def _what_lacks(report: "Sequence[Imported]") -> Sequence[str]:
    """Return a line for each thing that is not here, or not all of it."""
    refused = [each for each in report if each.trouble]
    told = [f"{Path(each.source).name}: {each.trouble}" for each in refused]
    for each in report:
        of_it = f"{_name(each)}: " if len(report) > 1 else ""
        told += [f"{of_it}{lack}" for lack in each.lacking]
        told += [f"{of_it}{path}: {WAS_NOT_IMPORTED}" for path in each.awaited]
    return quantities.shortened(told, _MOST_NAMED)
