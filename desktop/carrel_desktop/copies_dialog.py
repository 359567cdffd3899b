# SPDX-License-Identifier: AGPL-3.0-or-later
"""Second copies in the window: where one is, when it was last complete, made and compared now."""

import asyncio
import os
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QDir, QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLabel,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QWidget,
)

from carrel.engine import Engine
from carrel.errors import CarrelError, CopyGone, OtherJournal
from carrel.model.copies import LONGEST_DAYS, SecondCopy, to_repair_from
from carrel.model.copy_words import copy_words
from carrel.translation import tr
from carrel_desktop.copy_destination import CopyDestination
from carrel_desktop.copy_outcomes import show_compared, show_copied, show_repaired
from carrel_desktop.copy_questions import gone_box, other_journal_box, repairing_box
from carrel_desktop.screens import fitted, keep_on_screen
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space
from carrel_desktop.viewing.progress import shown_progress
from carrel_desktop.viewing.subject import Tell
from carrel_desktop.widgets.choosing import choose_folder
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import boxed, horizontal, rest, scrolled, vertical
from carrel_desktop.widgets.number_box import NumberBox
from carrel_desktop.widgets.outcome_card import OutcomeCard

_WIDTH = 140  # grid steps
_STEPS = 1000  # of the bar: byte counts do not fit into its 32 bits
_SAID_HEIGHT = 50  # grid steps; more of it scrolls


@dataclass(frozen=True, slots=True)
class _Errand:
    """What is said of a piece of work: while it runs, where it fails, where it was stopped."""

    running: str
    failed: str
    stopped: str


_COPYING = _Errand(
    tr("Copying…"),
    tr("The copy is not up to date"),
    tr("What was copied stays; the next copy continues from there."),
)
_COMPARING = _Errand(
    tr("Comparing…"),
    tr("The copy was not compared"),
    tr("Neither archive nor copy was changed."),
)
_REPAIRING = _Errand(
    tr("Verifying the archive, and repairing it from the copy…"),
    tr("The archive was not repaired"),
    tr("What was repaired stays; repair again for the rest."),
)


class CopiesDialog(QDialog):
    """Stays while the window does: closed, it goes on with what runs."""

    def __init__(self, parent: QWidget, session: Session, theme: Theme) -> None:
        super().__init__(parent)
        self._session = session
        self._task: asyncio.Task[None] | None = None
        self._errand = _COPYING
        self._copies: Sequence[SecondCopy] | None = None  # until it is read
        self.setObjectName("copies")
        self.setWindowTitle(tr("Second copy"))
        self.setMinimumWidth(space(_WIDTH))
        self.destination = named(CopyDestination(), "copy_destination")
        self.browse = named(QPushButton(tr("Br&owse…")), "browse_copy")
        self.days = named(NumberBox(), "copy_days", tr("Days between two copies"))
        self.days.setRange(0, LONGEST_DAYS)
        self.days.setSpecialValueText(tr("never"))
        hint = tr(
            "A folder, best on another disk, sftp://USER@HOST/PATH, or s3://BUCKET/PREFIX. Keys "
            "and passwords are stored with “carrel credentials set”."
        )
        self.hint = wrapped(hint, "secondary")
        self.hint.setMinimumHeight(self.hint.heightForWidth(space(_WIDTH) - space(12)))
        self.known = named(wrapped("", "secondary"), "copy_known")
        self.forget = named(QPushButton(tr("&Forget this copy")), "forget_copy")
        self.forget.setToolTip(tr("Take the copy off this list. Its files stay where they are."))
        self.card, self.bar = OutcomeCard(theme), QProgressBar(textVisible=False)
        self.bar.setRange(0, _STEPS)
        named(self.bar, "copy_progress", tr("Progress"))
        self.copy = named(QPushButton(tr("&Copy now")), "copy_now")
        self.copy.setProperty("role", "primary")
        self.copy.setDefault(True)  # what Enter does in the fields
        self.compare = named(QPushButton(tr("Co&mpare now")), "compare_now")
        self.repair = named(QPushButton(tr("&Repair from it…")), "repair_now")
        self.stop = named(QPushButton(tr("&Stop")), "stop_copy")
        self.leave = named(QPushButton(tr("Close")), "close_copies")
        self._lay_out()
        self._connect()
        self._show_idle()
        self.card.hide()

    def done(self, result: int) -> None:
        """Close; what was said was read, and is not said again when something else is so."""
        super().done(result)
        self._leave_outcome()

    def _leave_outcome(self) -> None:
        """Say nothing of what ended, unless something runs."""
        if self._task is None:
            self.card.hide()

    def open_now(self) -> None:
        """Show what is known of the copies, in front."""
        if self._task is None:
            self._session.start(self._read_known(fills=True))
            self.destination.setFocus()
        self.show()
        self.raise_()
        self.activateWindow()

    def _lay_out(self) -> None:
        label, every = QLabel(tr("&Destination")), QLabel(tr("Copy e&very (days)"))
        label.setBuddy(self.destination)
        every.setBuddy(self.days)
        self._told = boxed(vertical(self.known, self.card, rest(), gap=3))
        said = self._said = scrolled(self._told, sideways=False)
        said.setFrameShape(QFrame.Shape.NoFrame)
        said.setMinimumHeight(space(_SAID_HEIGHT))
        vertical(
            vertical(
                label,
                horizontal(rest(self.destination), self.browse, gap=2),
                self.hint,
                gap=1,
            ),
            horizontal(every, self.days, rest(), self.forget, gap=2),
            rest(said),
            self.bar,
            horizontal(rest(), self.stop, self.repair, self.compare, self.copy, self.leave, gap=2),
            gap=3,
            margins=(6, 5, 6, 4),
            on=self,
        )

    def _connect(self) -> None:
        self.destination.editTextChanged.connect(self._leave_outcome)
        self.destination.editTextChanged.connect(self._follow)
        self.forget.clicked.connect(self._on_forget)
        self.browse.clicked.connect(self._choose_folder)
        self.days.editingFinished.connect(self._plan)
        self.copy.clicked.connect(self._on_copy)
        self.compare.clicked.connect(self._on_compare)
        self.repair.clicked.connect(self._ask_to_repair)
        self.stop.clicked.connect(self._on_stop)
        self.leave.clicked.connect(self.reject)

    # What is known

    async def _read_known(self, *, fills: bool = False) -> None:
        self._copies = await self._session.read(lambda engine: engine.copies.known())
        self.destination.list_known(self._copies)
        if fills and self._copies and (not self._place or self._known()):
            self.destination.setEditText(_first_of(self._copies).destination)
        self._follow()

    def _known(self) -> SecondCopy | None:
        return next((it for it in self._copies or () if it.destination == self._place), None)

    def _show_known(self, copy: SecondCopy | None) -> None:
        self.days.setValue(_days_of(copy))
        unknown = "" if self._copies is None else tr("No copy is known there yet.")
        if self._place and not _is_whole(self._place):
            unknown = tr(
                "Enter the whole path of a folder, or an address that begins with sftp:// or s3://."
            )
        words = f"{copy_words(copy)}." if copy else unknown
        self.known.setText(f"{words} {copy.trouble}" if copy and copy.trouble else words)

    @property
    def _place(self) -> str:
        written = self.destination.currentText().strip()
        return os.path.normpath(os.path.expanduser(written)) if _is_folder(written) else written

    def _choose_folder(self) -> None:
        choose_folder(self, tr("Folder for the second copy"), self._take)

    def _take(self, folder: Path) -> None:
        self.destination.setEditText(QDir.toNativeSeparators(str(folder)))

    def _follow(self) -> None:
        is_place, is_idle = _is_whole(self._place), self._task is None
        for each in (self.copy, self.compare):
            each.setEnabled(is_place and is_idle)
        self.days.setEnabled(is_place and is_idle and self._copies is not None)
        copy = self._known()
        is_writable = not self._session.read_only_because
        self.repair.setEnabled(is_place and is_writable and is_idle)
        self.forget.setVisible(copy is not None)
        self.forget.setEnabled(is_idle)
        self._show_known(copy)

    def _plan(self) -> None:
        place, days = self._place, self.days.value()
        if self.days.isEnabled() and days != _days_of(self._known()):
            self._begin_reading(lambda engine: engine.copies.plan(place, days))

    def _on_forget(self) -> None:
        place = self._place
        self._begin_reading(lambda engine: engine.copies.forget(place))
        self.destination.setEditText("")
        self.destination.setFocus()

    def _begin_reading(self, work: Callable[[Engine], object]) -> None:
        async def planned() -> None:
            try:
                await self._session.read(work)
            finally:
                await self._read_known()
            self._session.fixity_noted.emit()  # the Overview says what is to be done about copies

        self._session.start(planned(), is_asked=True)

    # Copying and comparing

    def _on_copy(self) -> None:
        self._copy_to(self._place)

    def _copy_to(self, place: str, *, new_journal: bool = False, anew: bool = False) -> None:
        async def work(tell: Tell) -> None:
            try:
                done = await self._session.call(
                    lambda engine: engine.copies.replicate(
                        place, tell, new_journal=new_journal, anew=anew
                    )
                )
            except OtherJournal:
                self._ask(other_journal_box(self, place), place, new_journal=True)
                raise
            except CopyGone:
                self._ask(gone_box(self, place), place, anew=True)
                raise
            show_copied(self.card, done)

        self._begin(_COPYING, work)

    def _ask(self, box: QMessageBox, place: str, **agreed: bool) -> None:
        """Ask whether to copy all the same."""
        box.accepted.connect(lambda: self._copy_to(place, **agreed))
        box.open()

    def _on_compare(self) -> None:
        place = self._place

        async def work(tell: Tell) -> None:
            done = await self._session.call(lambda engine: engine.copies.compare(place, tell))
            show_compared(self.card, done)

        self._begin(_COMPARING, work)

    def _ask_to_repair(self) -> None:
        box = repairing_box(self, self._place)
        box.accepted.connect(self._on_repair)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def _on_repair(self) -> None:
        place = self._place

        async def work(tell: Tell) -> None:
            done = await self._session.call(lambda engine: engine.copies.repair(place, tell))
            show_repaired(self.card, done)
            if any(each.is_repaired for each in done):
                self._session.repaired.emit()

        self._begin(_REPAIRING, work)

    def _begin(self, errand: _Errand, work: Callable[[Tell], Coroutine[None, None, None]]) -> None:
        self._task = self._session.start(self._run(errand, work))
        if self._task is None:
            return
        self._errand = errand
        self._task.add_done_callback(self._on_ended)
        self._show_running()

    async def _run(
        self, errand: _Errand, work: Callable[[Tell], Coroutine[None, None, None]]
    ) -> None:
        try:
            with shown_progress(self, self._on_moved) as tell:
                await work(tell)
        except CarrelError as error:
            await self._read_known()
            was_none = errand is _COPYING and self._known() is None
            self.card.show_trouble(
                tr("No copy was made") if was_none else errand.failed, str(error)
            )
            return
        await self._read_known()

    def _on_stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _on_ended(self, task: "asyncio.Task[None]") -> None:
        self._task = None
        self._session.fixity_noted.emit()  # pages say how copies are, and what was repaired
        if task.cancelled():
            self.card.show_note("stopped", tr("Stopped"), self._errand.stopped, "secondary")
        self._show_idle()
        self._make_room()

    def _make_room(self) -> None:
        """Be as high as what is said, if the screen is: no one scrolls for a line."""
        room = self._said.viewport().size()
        missing = self._told.heightForWidth(room.width()) - room.height()
        if missing > 0:
            self.resize(fitted(self.size() + QSize(0, missing), self))
            keep_on_screen(self)

    def _on_moved(self, done: int, total: int) -> None:
        self.bar.setValue(_STEPS * done // total if total else 0)

    def _show_running(self) -> None:
        self.card.show()
        self.card.show_note("save", self._errand.running, self._place)
        self.bar.setValue(0)
        self._show_idle()

    def _show_idle(self) -> None:
        is_running = self._task is not None
        self.bar.setVisible(is_running)
        self.stop.setVisible(is_running)
        self.destination.setEnabled(not is_running)
        self.browse.setEnabled(not is_running)
        self._follow()


def _is_folder(place: str) -> bool:
    """Say whether something is written that is the path of a folder, if anything."""
    return bool(place) and "://" not in place


def _is_whole(place: str) -> bool:
    """Say whether a place is one wherever it is asked for: a relative path is not."""
    return "://" in place or Path(place).is_absolute()


def _days_of(copy: SecondCopy | None) -> int:
    """Return every how many days a copy is made by itself, 0 for never or where none is known."""
    return copy.every_days if copy else 0


def _first_of(copies: Sequence[SecondCopy]) -> SecondCopy:
    """Return the copy to show at first: one that needs attention, else the one complete last."""
    now = datetime.now(UTC)
    in_need = (each for each in copies if each.needs_attention(now))
    return next(in_need, None) or to_repair_from(copies) or copies[0]
