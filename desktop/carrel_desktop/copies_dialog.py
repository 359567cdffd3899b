# SPDX-License-Identifier: AGPL-3.0-or-later
"""Second copies in the window: where one is, when it was last complete, made and compared now."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QWidget,
)

from carrel.engine import Engine
from carrel.errors import CarrelError
from carrel.model.copies import SecondCopy
from carrel.model.copy_words import copy_words
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space
from carrel_desktop.viewing.progress import Progress
from carrel_desktop.widgets.choosing import choose_folder
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import boxed, horizontal, rest, scrolled, vertical
from carrel_desktop.widgets.number_box import NumberBox
from carrel_desktop.widgets.outcome_card import OutcomeCard

if TYPE_CHECKING:
    from carrel.engine.copying import Copies
    from carrel.engine.replication import Compared, Replicated

_WIDTH = 140  # grid steps
_STEPS = 1000  # of the bar: byte counts do not fit into its 32 bits
_LONGEST_DAYS = 3650
_MOST_NAMED = 50
_SAID_HEIGHT = 50  # grid steps; more of it scrolls
_COPIED = forms("1 file copied", "{count} files copied")

Tell = Callable[[int, int], None]


class CopiesDialog(QDialog):
    """Stays while the window does: closed, it goes on with what runs."""

    def __init__(self, parent: QWidget, session: Session, theme: Theme) -> None:
        super().__init__(parent)
        self._session = session
        self._task: asyncio.Task[None] | None = None
        self.setObjectName("copies")
        self.setWindowTitle(tr("Second copy"))
        self.setMinimumWidth(space(_WIDTH))
        self.destination = named(QLineEdit(), "copy_destination")
        self.browse = named(QPushButton(tr("Br&owse…")), "browse_copy")
        self.days = named(NumberBox(), "copy_days", tr("Days between two copies"))
        self.days.setRange(0, _LONGEST_DAYS)
        self.days.setSpecialValueText(tr("not by itself"))
        hint = tr(
            "A folder, best on another disk, sftp://USER@HOST/PATH, or s3://BUCKET/PREFIX. Keys "
            "and passwords are stored with “carrel credentials set”."
        )
        self.hint = wrapped(hint, "secondary")
        self.hint.setMinimumHeight(self.hint.heightForWidth(space(_WIDTH) - space(12)))
        self.known = named(wrapped("", "secondary"), "copy_known")
        self.card, self.bar = OutcomeCard(theme), QProgressBar(textVisible=False)
        self.bar.setRange(0, _STEPS)
        named(self.bar, "copy_progress", tr("Progress"))
        self.copy = named(QPushButton(tr("&Copy now")), "copy_now")
        self.copy.setProperty("role", "primary")
        self.compare = named(QPushButton(tr("Co&mpare now")), "compare_now")
        self.stop = named(QPushButton(tr("&Stop")), "stop_copy")
        self.leave = named(QPushButton(tr("Close")), "close_copies")
        self._lay_out()
        self._connect()
        self._show_idle()
        self.card.hide()

    def open_now(self) -> None:
        """Show what is known of the copies, in front."""
        if self._task is None:
            self._session.start(self._read_known(fills=True))
        self.show()
        self.raise_()
        self.activateWindow()

    def _lay_out(self) -> None:
        label, every = QLabel(tr("&Destination")), QLabel(tr("Copy e&very (days)"))
        label.setBuddy(self.destination)
        every.setBuddy(self.days)
        self.destination.setPlaceholderText("sftp://…, s3://…")
        said = scrolled(boxed(vertical(self.known, self.card, rest(), gap=3)), sideways=False)
        said.setFrameShape(QFrame.Shape.NoFrame)
        said.setMinimumHeight(space(_SAID_HEIGHT))
        vertical(
            vertical(
                label,
                horizontal(rest(self.destination), self.browse, gap=2),
                self.hint,
                gap=1,
            ),
            horizontal(every, self.days, rest(), gap=2),
            rest(said),
            self.bar,
            horizontal(rest(), self.stop, self.compare, self.copy, self.leave, gap=2),
            gap=3,
            margins=(6, 5, 6, 4),
            on=self,
        )

    def _connect(self) -> None:
        self.destination.textChanged.connect(self._follow)
        self.browse.clicked.connect(self._choose_folder)
        self.days.editingFinished.connect(self._plan)
        self.copy.clicked.connect(self._on_copy)
        self.compare.clicked.connect(self._on_compare)
        self.stop.clicked.connect(self._on_stop)
        self.leave.clicked.connect(self.close)

    # What is known

    async def _read_known(self, *, fills: bool = False) -> None:
        copies = await self._session.read(lambda engine: _copies(engine).known())
        if fills and copies and not self._place:
            self.destination.setText(copies[0].destination)
        self._show_known(next((it for it in copies if it.destination == self._place), None), fills)

    def _show_known(self, copy: SecondCopy | None, fills: bool) -> None:
        words = copy_words(copy) if copy else tr("No copy is known there yet.")
        self.known.setText(f"{words}. {copy.trouble}" if copy and copy.trouble else words)
        if copy and fills:
            self.days.setValue(copy.every_days)

    @property
    def _place(self) -> str:
        return self.destination.text().strip()

    def _choose_folder(self) -> None:
        choose_folder(self, tr("Folder for the second copy"), self._take)

    def _take(self, folder: Path) -> None:
        self.destination.setText(QDir.toNativeSeparators(str(folder)))

    def _follow(self) -> None:
        is_place = "://" in self._place or Path(self._place).expanduser().is_absolute()
        for each in (self.copy, self.compare, self.days):
            each.setEnabled(is_place and self._task is None)

    def _plan(self) -> None:
        place, days = self._place, self.days.value()
        if place and self.days.isEnabled():
            self._begin_reading(lambda engine: _copies(engine).plan(place, days))

    def _begin_reading(self, work: Callable[[Engine], SecondCopy]) -> None:
        async def planned() -> None:
            self._show_known(await self._session.read(work), fills=False)

        self._session.start(planned(), is_asked=True)

    # Copying and comparing

    def _on_copy(self) -> None:
        place = self._place

        async def work(tell: Tell) -> None:
            done = await self._session.call(lambda engine: _copies(engine).replicate(place, tell))
            self._show_copied(done)

        self._begin(tr("Copying…"), work)

    def _on_compare(self) -> None:
        place = self._place

        async def work(tell: Tell) -> None:
            done = await self._session.call(lambda engine: _copies(engine).compare(place, tell))
            self._show_compared(done)

        self._begin(tr("Comparing…"), work)

    def _begin(self, heading: str, work: Callable[[Tell], Coroutine[None, None, None]]) -> None:
        self._task = self._session.start(self._run(work))
        if self._task is None:
            return
        self._task.add_done_callback(self._on_ended)
        self._show_running(heading)

    async def _run(self, work: Callable[[Tell], Coroutine[None, None, None]]) -> None:
        progress = Progress(self)
        progress.moved.connect(self._on_moved)
        try:
            await work(progress.tell)
        except CarrelError as error:
            self.card.show_trouble(tr("The copy is not up to date"), str(error))
        finally:
            progress.moved.disconnect(self._on_moved)
            progress.deleteLater()
        await self._read_known()

    def _on_stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _on_ended(self, task: "asyncio.Task[None]") -> None:
        self._task = None
        if task.cancelled():
            words = tr("What was copied stays; the next copy continues from there.")
            self.card.show_note("stopped", tr("Stopped"), words, "secondary")
        self._show_idle()

    def _on_moved(self, done: int, total: int) -> None:
        self.bar.setValue(_STEPS * done // total if total else 0)

    def _show_running(self, heading: str) -> None:
        self.card.show()
        self.card.show_note("save", heading, self._place)
        self.bar.setValue(0)
        self._show_idle()

    def _show_idle(self) -> None:
        is_running = self._task is not None
        self.bar.setVisible(is_running)
        self.stop.setVisible(is_running)
        self.destination.setEnabled(not is_running)
        self.browse.setEnabled(not is_running)
        self._follow()

    def _show_copied(self, done: "Replicated") -> None:
        copied = quantities.counted(done.copied, *_COPIED)
        size = quantities.size(done.copied_bytes)
        words = tr("{files} ({size}), each read back.", files=copied, size=size)
        said = words if done.copied else tr("Nothing had to be copied.")
        lacks = [f"{each.name}: {each.why}" for each in done.not_copied]
        if lacks:
            self.card.show_caution(
                tr("The copy is not complete"),
                said,
                "\n".join(quantities.shortened(lacks, _MOST_NAMED)),
            )
        else:
            self.card.show_success(tr("The copy is complete"), "\n".join([said, *done.remarks]))

    def _show_compared(self, done: "Compared") -> None:
        files = quantities.files(done.objects)
        read = tr("{files} read ({size}).", files=files, size=quantities.size(done.size_bytes))
        differing = [f"{each.name}: {each.difference.words}" for each in done.differing]
        if differing:
            count = quantities.counted(len(differing), "1 file differs", "{count} files differ")
            heading = tr("Archive and copy are not the same: {files}", files=count)
            mend = tr(
                "Copy now brings what is missing. Nothing is written over: remove from the copy "
                "what is damaged there, and copy again."
            )
            self.card.show_caution(
                heading, f"{read} {mend}", "\n".join(quantities.shortened(differing, _MOST_NAMED))
            )
        else:
            self.card.show_success(tr("The copy is intact"), read)


def _copies(engine: Engine) -> "Copies":
    from carrel.engine.copying import Copies  # only those who have one wait for it

    return Copies(engine.archive)
