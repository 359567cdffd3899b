# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the Help menu does: the manual, the keys, what Carrel is, and the report of a fault."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from carrel.errors import CarrelError
from carrel.translation import tr
from carrel_desktop import dialogs
from carrel_desktop.begun_work import BegunWork
from carrel_desktop.credits import packages, reports_go_to
from carrel_desktop.fault_report import archive_in_words, report_of
from carrel_desktop.faults import Fault, RecentErrors
from carrel_desktop.manual import open_manual
from carrel_desktop.menus import Menus
from carrel_desktop.session import Session
from carrel_desktop.widgets.requests_bar import NoticeBar


class Help(QObject):
    """`reporting` is the action that copies the report of the last fault."""

    def __init__(
        self,
        window: QWidget,
        session: Session,
        notice: NoticeBar,
        menus: Menus,
        open_dialog: Callable[[QDialog], None],
        reporting: QAction,
    ) -> None:
        super().__init__(window)
        self._window, self._notice, self._menus = window, notice, menus
        self._open, self._reporting = open_dialog, reporting
        self._session = session
        self._report = self._unopened = ""
        self._fault: Fault | None = None
        self._broken: BegunWork | None = None  # what the fault ended, if that can be done again
        session.went_well.connect(self._on_went_well)
        self.recent: RecentErrors | None = None  # of the program that the window belongs to

    def show_manual(self) -> None:
        """Open the manual in the person's browser, where it explains the open page."""
        self._notice.is_over(self._unopened)
        self._unopened = open_manual(self._menus.opened.naming.icon)
        if self._unopened:
            self._notice.say(self._unopened)

    def show_shortcuts(self) -> None:
        self._open(dialogs.shortcuts_dialog(self._window, self._menus.groups))

    def show_about(self) -> None:
        self._open(dialogs.about_dialog(self._window, packages(), reports_go_to()))

    def tell_trial(self, *, is_passing: bool) -> None:
        """Say that this is the sample repository, and what becomes of its archive, until something
        else is said."""
        folder = self._session.archive
        own = tr("Its archive is {folder}.", folder=folder)
        passing = tr("It has an archive of its own, which is deleted when you quit Carrel.")
        samples = tr("This is the sample repository: its datasets are invented.")
        self._notice.say_last(f"{samples} {passing if is_passing else own}")

    def show_fault(self, fault: Fault) -> None:
        """Say that something unexpected happened, with the way to report it."""
        self._report, self._fault = fault.report, fault
        self._broken = self._session.broken.pop(fault.work, None)
        self._notice.offer(fault.sentence, self._reporting, "warning")

    def _on_went_well(self, work: BegunWork) -> None:
        """Take a fault's sentence away once the same went well for the same; its report stays."""
        if self._fault is not None and work == self._broken:
            self._notice.is_over(self._fault.sentence)
            self._fault = self._broken = None

    def copy_report(self) -> None:
        """Put what helpers need to know of the last fault, or of this copy, on the clipboard."""
        self._with_report(self._copy)

    def report_problem(self) -> None:
        """Show that report, with what to do with it."""
        self._with_report(self._show_report)

    def _copy(self, report: str) -> None:
        QGuiApplication.clipboard().setText(report)
        self._notice.say(tr("Report copied to the clipboard."), "note")

    def _show_report(self, report: str) -> None:
        self._open(dialogs.problem_dialog(self._window, report, reports_go_to(), self._copy))

    def _with_report(self, use: Callable[[str], None]) -> None:
        """Use the whole report; of an archive that cannot be asked nothing is in it."""
        if self._session.start(self._ask(use)) is None:
            use(self._whole(""))

    async def _ask(self, use: Callable[[str], None]) -> None:
        try:
            standing = await self._session.read(lambda engine: engine.standing())
        except (CarrelError, OSError) as error:
            use(self._whole(f"Archive: not readable ({type(error).__name__})"))
        else:
            use(self._whole(archive_in_words(standing, self._session.read_only_because)))

    def _whole(self, archive: str) -> str:
        errors = self.recent.text if self.recent is not None else ""
        recent = f"Last errors:\n{errors}" if errors else ""
        parts = self._report or report_of(None, "").strip(), archive, recent
        return "\n\n".join(filter(None, parts))
