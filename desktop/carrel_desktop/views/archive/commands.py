# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the person goes from a dataset of the list."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from carrel_desktop.command_lines import command
from carrel_desktop.views.archive.model import Detection


class DetectionCommands(QObject):
    """`wants_holding` carries the address of a dataset whose holding the person wants to see,
    `wants_job` of one whose job.
    """

    wants_holding = Signal(str)
    wants_job = Signal(str)

    def __init__(self, parent: QObject, current: Callable[[], Detection | None]) -> None:
        super().__init__(parent)
        self._current = current

    def open_landing(self) -> None:
        detection = self._current()
        if detection and detection.identifier:
            hops = detection.result.hops if detection.result else ()
            QDesktopServices.openUrl(QUrl(hops[-1] if hops else detection.identifier.url))

    def show_holding(self) -> None:
        """Go to what is held of the chosen dataset."""
        detection = self._current()
        if detection and detection.holding_url:
            self.wants_holding.emit(detection.holding_url)

    def show_job(self) -> None:
        """Go to where the chosen dataset arrives."""
        detection = self._current()
        if detection and detection.identifier:
            self.wants_job.emit(detection.request.base_url)

    def copy_command(self) -> None:
        """Put the command that does the same on the clipboard."""
        detection = self._current()
        if detection and detection.identifier:
            text = command(detection.request, detection.options)
            QGuiApplication.clipboard().setText(text)
