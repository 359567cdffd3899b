# SPDX-License-Identifier: AGPL-3.0-or-later
"""The end of a window: asked first where changes would be lost, or work would wait.

Carrel works while its window is open. The queue loses nothing by an end, and goes on when the
archive is opened again; but no one should find in the morning that a chance key ended the night's
work.
"""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from carrel.translation import tr
from carrel_desktop import closing_questions as questions
from carrel_desktop.beginning import Beginning
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.pages import Pages
from carrel_desktop.session import Session
from carrel_desktop.views.queue.rows import Totals

_ONCE = Qt.ConnectionType.UniqueConnection


class Closing(QObject):
    """`following` is with what to go on instead, None to end.

    It `is_decided` once the person has answered that the window is to close. `copy_wanted` says
    that they want a copy first, of an archive that is deleted then; `settings_wanted` that the
    settings are saved first, and that page is to say so where they cannot be.
    """

    copy_wanted = Signal()
    settings_wanted = Signal()

    def __init__(self, window: QWidget, pages: Pages, session: Session) -> None:
        super().__init__(window)
        self._window, self._pages, self._session = window, pages, session
        self.is_decided = False
        self.is_passing = False  # whether the archive is deleted once the window is closed
        self._asking: QMessageBox | None = None  # the question that is asked just now
        self.following: Beginning | None = None

    @property
    def will_wait(self) -> bool:
        """Whether something in the queue will wait for the archive to be opened again."""
        return bool(self._jobs().open) and not is_session_ending()

    def must_ask(self, ask: Callable[[QMessageBox, Callable[[int], None]], None]) -> bool:
        """Say whether the window has to stay for an answer; `ask` opens the question once."""
        if self._asking is None and not self.is_decided and not is_session_ending():
            self._asking = self.doubt()
            if self._asking is not None:
                self._pages.queue.model.totalled.connect(self._follow, _ONCE)
                ask(self._asking, self._on_answered)
        return self._asking is not None

    def would_interrupt(self) -> bool:
        """Say whether closing now would interrupt what runs, or has to be asked about."""
        return bool(self._pages.queue.model.totals().running) or self.doubt() is not None

    def doubt(self) -> QMessageBox | None:
        """Return what is to be asked before the window closes, or goes on with something else; None
        if nothing is."""
        going = questions.going(self.following, self._session.archive)
        if changed := [page for page in self._pages.there if page.is_changed]:
            is_setting = any(page.kind is PageKind.SETTINGS for page in changed)
            can_save = is_setting and len(changed) == 1
            return questions.unsaved_box(
                self._window, going, is_setting=is_setting, can_save=can_save
            )
        if self.is_passing and self._has_archived():
            return questions.passing_box(self._window, going)
        going_on = [page.going_on for page in self._pages.there if page.going_on]
        if running := self._jobs().running:
            return questions.running_box(self._window, going, running, going_on)
        if going_on:
            return questions.going_on_box(self._window, going, going_on)
        if self._session.read_only_because:
            return None  # nothing of a list could be archived
        there = [page.kind for page in self._pages.there]
        if pending := self._pages.archive.pending if PageKind.ARCHIVE in there else 0:
            return questions.pending_box(self._window, going, pending)
        return None

    def _jobs(self) -> Totals:
        """Return how many jobs this window works at: those of an archive that is only read are
        another program's."""
        return Totals() if self._session.read_only_because else self._pages.queue.model.totals()

    def _has_archived(self) -> bool:
        jobs = self._jobs()
        return bool(jobs.running or jobs.done)

    def farewell(self) -> str:
        """Return what the person should know of the queue that waits."""
        if not self._pages.queue.model.is_running:
            return tr("The queue stays paused until you resume it.")
        if self.following is not None:
            return tr("The queue of this archive resumes when you open it again.")
        return tr("The queue resumes when you open Carrel again.")

    def _follow(self, totals: Totals) -> None:
        """Have the question say how many jobs run by now."""
        if self._asking is not None and self._asking.property(questions.COUNTS_JOBS):
            self._asking.setText(questions.how_many_run(totals.running))

    def _on_answered(self, _result: int) -> None:
        box, self._asking = self._asking, None
        if box and box.clickedButton().objectName() == questions.KEEP_A_COPY:
            self.following = None
            self.copy_wanted.emit()
        elif box and box.clickedButton().objectName() == questions.SAVE_FIRST:
            self.settings_wanted.emit()
            self._pages.settings.save_then(partial(self._go, self.following))
            self.following = None  # what cannot be saved keeps the archive open
        elif box and box.buttonRole(box.clickedButton()) is QMessageBox.ButtonRole.AcceptRole:
            self.is_decided = True
            self._window.close()
        else:
            self.following = None

    def _go(self, following: Beginning | None) -> None:
        self.following = following
        self._window.close()


def is_session_ending() -> bool:
    """Say whether the person logs out, which nothing may hold up."""
    app = QApplication.instance()
    return isinstance(app, QApplication) and app.isSavingSession()
