# SPDX-License-Identifier: AGPL-3.0-or-later
"""Handing over files of a holding: open, preview, save, save all, drag out."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QMimeData, QObject, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QDrag, QGuiApplication
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from carrel.errors import CarrelError, NotProven
from carrel.model import ManifestFile
from carrel.model.access import AccessCopy, SaveReport
from carrel.model.events import Emit, Event, FileSaved, SavingProgress
from carrel.model.unwritten import why_unwritten
from carrel.translation import forms, tr
from carrel_desktop import quantities, words
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space
from carrel_desktop.viewing.progress import shown_progress
from carrel_desktop.viewing.subject import Copy, Item, Subject, Tell
from carrel_desktop.viewing.viewer import Viewer, open_copy
from carrel_desktop.widgets.actions import LINE, Actions, Entry
from carrel_desktop.widgets.choosing import choose_folder, choose_new_file
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.layouts import vertical
from carrel_desktop.widgets.outcome_card import OutcomeCard

T = TypeVar("T")
STEPS = 1000  # of the bar: byte counts do not fit into its 32 bits
MOST_NAMED, MOST_RENAMED = 3, 1000
MOST_HEIGHT = 45  # grid steps; more of what is said scrolls
# Above this a copy takes longer than anyone holds a mouse button down.
DRAGGED_AT_ONCE = 256 * 1024**2


def handing_actions() -> Sequence[Entry | None]:
    """Return what can be done with the files of a holding, for the menu of its page."""
    preview = tr("View the file in a separate window")
    open_ = tr("Open a verified, read-only copy in its default program")
    save = tr("Save a verified copy of the file")
    return (
        LINE,
        Entry("preview_file", tr("&Preview file"), "", preview),
        Entry("open_file", tr("Open f&ile"), "", open_),
        Entry("save_file", tr("Save &copy as…"), "Ctrl+S", save, slot="save_file_as"),
        Entry("save_files", tr("Save all files &under…"), "Ctrl+Shift+S", slot="save_all_files"),
    )


@dataclass(frozen=True, slots=True)
class Handed:
    """The dataset whose files can be handed over: `files` are its manifest, `unfit` the paths of
    those that are known to be damaged or missing."""

    ingest_id: str
    title: str
    files: tuple[ManifestFile, ...]
    unfit: frozenset[str] = frozenset()

    def number(self, file: ManifestFile) -> int | None:
        """Return the place of a file in the manifest, None if it is none of these."""
        return next((at for at, each in enumerate(self.files) if each is file), None)


class SavingCard(QWidget):
    """How far saving is, how it ended, and what can be done then; hidden while there is nothing.

    `appeared` says that there is something new to see.
    """

    appeared = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.card = OutcomeCard(theme, space(MOST_HEIGHT))
        self.bar = named(QProgressBar(textVisible=False), said=tr("Saving"))
        self.bar.setRange(0, STEPS)
        self.stop = named(QPushButton(tr("Cancel")), "stop_saving")
        self.folder = named(QPushButton(tr("Show folder")), "open_saved")
        self.card.add_way(self.stop)
        self.card.add_way(self.folder)
        vertical(self.card, self.bar, gap=1.5, on=self)
        self.hide()

    def show_saving(self, heading: str, done: int, total: int) -> None:
        self._show(is_running=True)
        self.bar.setRange(0, STEPS if total else 0)
        self.bar.setValue(STEPS * done // total if total else 0)
        text = tr("{done} of {total}") if total else "{done}"
        said = text.format(done=quantities.size(done), total=quantities.size(total))
        self.card.show_note("save", heading, said)

    def show_copy(self, copy: AccessCopy, of: str) -> None:
        """Show that a file was saved, of a dataset that is named if another is on show."""
        self._show(is_running=False)
        text = tr("{size} in {path}.", size=quantities.size(copy.size), path=copy.path)
        proof = tr("It matches every known checksum.")
        self.card.show_success(tr("Saved and verified"), f"{of}{text} {proof}")

    def show_report(self, report: SaveReport, of: str) -> None:
        """Show what became of many files, as `show_copy`; what lacks is named."""
        self._show(is_running=False)
        saved = len(report.files) - len(report.failed)
        self.folder.setVisible(saved > 0)
        text = of + tr(
            "{files} ({size}) in {folder}.",
            files=quantities.files(saved),
            size=quantities.size(report.size),
            folder=report.folder,
        )
        if renamed := len(report.renamed):
            changed = forms(
                "1 file was renamed: on some disks its name is not valid, or is that of another "
                "file.",
                "{count} files were renamed: on some disks their names are not valid, or are those "
                "of other files.",
            )
            text = f"{text} {quantities.counted(renamed, *changed)}"
        names = [
            tr("{file} is {name}", file=each.file, name=report.name_of(each.copy))
            for each in report.renamed
            if each.copy
        ]
        if not report.failed:
            said = tr("All files saved and verified")
            self.card.show_success(said, text, quantities.listed(names, MOST_RENAMED))
            return
        heading = tr(
            "{saved} of {files} saved",
            saved=quantities.number(saved),
            files=quantities.files(len(report.files)),
        )
        named_ones = [each.why or each.reason for each in report.failed[:MOST_NAMED]]
        left = len(report.failed) - MOST_NAMED
        if left > 0:
            named_ones.append(tr("And {files} more.", files=quantities.files(left)))
        if any(each.why for each in report.failed):
            named_ones.append(words.WHAT_MENDS)
        named_ones += quantities.shortened(names, MOST_RENAMED)
        self.card.show_caution(heading, text, "\n".join(named_ones))

    def end(self, copy: AccessCopy) -> None:
        """Show nothing of a copy that is there, but where it is an earlier one."""
        if copy.doubt is None:
            self.hide()
            return
        self._show(is_running=False)
        self.folder.hide()
        said = tr(
            "The copy of {name} is one that was verified on {moment}.",
            name=copy.file,
            moment=quantities.moment(copy.made),
        )
        heading = tr("The archive cannot hand over this file now")
        self.card.show_caution(heading, said, words.doubt(copy.doubt))

    def show_trouble(self, reason: str, *, has_copy: bool = False) -> None:
        """Say why there is no copy, or why nothing opened the one there is."""
        self._show(is_running=False)
        self.folder.hide()
        heading = tr("The file was not opened") if has_copy else tr("No copy was made")
        self.card.show_trouble(heading, reason)

    def show_ready(self, name: str) -> None:
        """Say that a copy to drag out is there now."""
        self._show(is_running=False)
        self.folder.hide()
        said = tr("The verified copy of {name} is ready. Drag it again.", name=name)
        self.card.show_note("save", tr("Ready to drag"), said)

    def _show(self, *, is_running: bool) -> None:
        is_new = self.isHidden() or self.bar.isHidden() is is_running
        self.show()
        self.bar.setVisible(is_running)
        self.stop.setVisible(is_running)
        self.folder.setVisible(not is_running)
        if is_new:
            QTimer.singleShot(0, self, self.appeared.emit)  # when it has its height


class HandingOver(QObject):
    """Does it, one piece of work at a time. `changed` says that other things can be done.

    `chosen` tells which file is chosen, None if none is.
    """

    changed = Signal()

    def __init__(
        self,
        session: Session,
        theme: Theme,
        page: QWidget,
        card: SavingCard,
        chosen: Callable[[], ManifestFile | None],
    ) -> None:
        super().__init__(page)
        self._session, self._page, self._card, self._chosen = session, page, card, chosen
        self._handed: Handed | None = None
        self._previewed = ""  # the attempt whose files the preview goes through
        self._task: asyncio.Task[None] | None = None
        self._saved_in: Path | None = None
        self.viewer = Viewer(session, theme, page)
        self.drag: Callable[[QMimeData], None] = self._drag_out
        card.stop.clicked.connect(self.stop)
        card.folder.clicked.connect(self._open_folder)

    def show(self, handed: Handed | None) -> None:
        """Have the files of another dataset be what is handed over."""
        before = self._handed.ingest_id if self._handed else None
        self._handed = handed
        if before != (handed.ingest_id if handed else None) and not self.is_busy:
            self._card.hide()
        if handed is not None and handed.ingest_id == self._previewed:
            self.viewer.recheck(handed.unfit)

    @property
    def is_busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def follow(self, actions: Actions) -> None:
        """Allow what can be done with the chosen file, and with all."""
        file, handed = self._chosen(), self._handed
        is_known = file is not None and handed is not None and handed.number(file) is not None
        has_it = is_known and file is not None and file.is_kept
        actions.preview_file.setEnabled(has_it)
        for action in (actions.open_file, actions.save_file):
            action.setEnabled(has_it and not self.is_busy)
        any_kept = handed is not None and any(each.is_kept for each in handed.files)
        actions.save_files.setEnabled(any_kept and not self.is_busy)

    def stop(self) -> None:
        """Give up what is being saved."""
        if self._task is not None:
            self._task.cancel()

    # What the actions do

    def preview_file(self) -> None:
        if (file := self._chosen()) is not None:
            self.preview(file)

    def preview(self, file: ManifestFile) -> None:
        """Show a file large; the others that are held come before and after it."""
        handed = self._handed
        if handed is None or handed.number(file) is None or not file.is_kept:
            return
        self._previewed = handed.ingest_id
        kept = [at for at, each in enumerate(handed.files) if each.is_kept]
        subject = Subject(handed.title, tuple(self._item(handed, at) for at in kept))
        self.viewer.show(subject, next(n for n, at in enumerate(kept) if handed.files[at] is file))

    def open_file(self) -> None:
        if (file := self._chosen()) is not None:
            self._start(self._open(file))

    def save_file_as(self) -> None:
        file = self._chosen()
        number = self._handed.number(file) if self._handed and file else None
        if file is None or number is None:
            return
        title, name = tr("Save file as"), file.path.rpartition("/")[2]
        choose_new_file(
            self._page, title, lambda path: self._save_number_of(number, path), name=name
        )

    def save_all_files(self) -> None:
        if self._handed is not None:
            title = tr("Folder for the files")
            choose_folder(self._page, title, self.save_all_in)

    def save_all_in(self, parent: Path) -> None:
        """Save all files in a new folder in this one, which has the dataset's name."""
        handed = self._handed
        if handed is not None:
            self._start(self._save_all(handed, parent))

    def drag_file(self, file: ManifestFile) -> None:
        """Make a copy while the mouse goes; what is large is dragged once it is there."""
        handed = self._handed
        number = handed.number(file) if handed else None
        if handed is not None and number is not None and file.is_kept:
            self._start(self._drag(handed, number, file))

    def _item(self, handed: Handed, number: int) -> Item:
        async def copied(tell: Tell) -> Copy:
            copy = await self._copy(handed, number, tell)
            size, sha256 = copy.size, copy.sha256
            return Copy(copy.path, size, sha256, is_proven=True, made=copy.made, doubt=copy.doubt)

        def save(path: Path) -> None:
            if self.is_busy:
                self.viewer.tell_busy()
            else:
                self._start(self._save(handed, number, path))

        file = handed.files[number]
        return Item(file.path, file.mimetype or "", copied, save)

    async def _copy(self, handed: Handed, number: int, tell: Tell) -> AccessCopy:
        with self._telling_damage():
            copy = await self._session.call(
                lambda engine: engine.access.copy(handed.ingest_id, number, _telling(tell))
            )
        if copy.doubt and copy.doubt.is_damaged:
            self._session.fixity_noted.emit()
        return copy

    @contextmanager
    def _telling_damage(self) -> Iterator[None]:
        """Tell pages when a file proves to be damaged, which is noted."""
        try:
            yield
        except NotProven:
            self._session.fixity_noted.emit()
            raise

    async def _open(self, file: ManifestFile) -> None:
        handed = self._handed
        number = handed.number(file) if handed else None
        if handed is None or number is None:
            return
        copy = await self._with_progress(
            tr("Making a copy…"), lambda tell: self._copy(handed, number, tell)
        )
        self._card.end(copy)
        if trouble := open_copy(copy.path):
            self._card.show_trouble(trouble, has_copy=True)

    def _save_number_of(self, number: int, path: Path) -> None:
        if self._handed is not None:
            self._start(self._save(self._handed, number, path))

    async def _save(self, handed: Handed, number: int, path: Path) -> None:
        try:
            with self._telling_damage():
                copy = await self._with_progress(
                    tr("Saving…"),
                    lambda tell: self._session.call(
                        lambda it: it.access.save(handed.ingest_id, number, path, _telling(tell))
                    ),
                )
        except (CarrelError, OSError) as error:
            self.viewer.tell_unsaved(handed.files[number].path, error, _why(error))
            raise
        self._saved_in = path.parent
        self._card.show_copy(copy, self._of(handed))
        self.viewer.tell_saved(copy)

    async def _save_all(self, handed: Handed, parent: Path) -> None:
        folder = await self._session.read(
            lambda engine: engine.access.new_folder(parent, handed.title)
        )
        report = await self._with_progress(
            tr("Saving…"),
            lambda tell: self._session.call(
                lambda engine: engine.access.save_all(handed.ingest_id, folder, _telling(tell))
            ),
        )
        self._saved_in = report.folder
        self._card.show_report(report, self._of(handed))
        if any(file.is_damaged for file in report.files):
            self._session.fixity_noted.emit()

    async def _drag(self, handed: Handed, number: int, file: ManifestFile) -> None:
        is_large = (file.size or 0) > DRAGGED_AT_ONCE
        copy = await self._with_progress(
            tr("Making a copy…"), lambda tell: self._copy(handed, number, tell)
        )
        self._card.end(copy)
        is_held = QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton
        if not is_held and (is_large or self.drag == self._drag_out):
            self._card.show_ready(file.path)
            return
        carried = QMimeData()
        carried.setUrls([QUrl.fromLocalFile(str(copy.path))])
        self.drag(carried)

    def _drag_out(self, carried: QMimeData) -> None:
        drag = QDrag(self._page)
        drag.setMimeData(carried)
        # Not within this task: until it is dropped, a drag has a loop of its own.
        QTimer.singleShot(0, drag, lambda: drag.exec(Qt.DropAction.CopyAction))

    async def _with_progress(self, heading: str, work: Callable[[Tell], Awaitable[T]]) -> T:
        """Do what takes its time; how far it is stands on the card."""

        def show(done: int, total: int) -> None:
            self._card.show_saving(heading, done, total)

        with shown_progress(self, show) as tell:
            return await work(tell)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin a piece of work, unless one is under way: that is never given up unasked."""
        task = None if self.is_busy else self._session.start(self._told(work))
        if task is None:
            work.close()
            return
        self._task = task
        self.changed.emit()

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        """Do a piece of work; what is wrong stands where it was wanted."""
        try:
            await work
        except (CarrelError, OSError) as error:
            self._card.show_trouble(_why(error))
        except asyncio.CancelledError:
            self._card.hide()
            raise
        finally:
            QTimer.singleShot(0, self, self.changed.emit)  # when it has ended

    def _of(self, handed: Handed) -> str:
        """Return which dataset is spoken of, "" where it is the one on show."""
        is_shown = self._handed is not None and self._handed.ingest_id == handed.ingest_id
        return "" if is_shown else tr("{title}: ", title=handed.title)

    def _open_folder(self) -> None:
        if self._saved_in is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._saved_in)))


def _why(error: CarrelError | OSError) -> str:
    """Return why a file was not handed over, and what helps."""
    if isinstance(error, OSError):
        return why_unwritten(Path(error.filename or ""), error)
    return words.not_proven(error) if isinstance(error, NotProven) else str(error)


def _telling(tell: Tell) -> Emit:
    def emit(event: Event) -> None:
        if isinstance(event, FileSaved | SavingProgress):
            tell(event.done, event.total)

    return emit
