# SPDX-License-Identifier: AGPL-3.0-or-later
"""What helps where a settings file that is not valid keeps an archive from being opened."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton, QWidget

from carrel.translation import tr
from carrel_desktop.session import Session
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.layouts import horizontal


class BrokenSettings(QWidget):
    """Ways on without the file, or to it; there only while it is why the archive is not open."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        # No letter of them is free on every page.
        self.aside = named(QPushButton(tr("Set it aside")), "set_settings_aside")
        self.aside.setToolTip(
            tr("Rename the settings file, and open the archive without it; nothing is deleted")
        )
        self.folder = named(QPushButton(tr("Show in folder")), "show_settings")
        self.folder.setToolTip(tr("Open the folder of the settings file, to correct it"))
        self.aside.clicked.connect(session.set_settings_aside)
        self.folder.clicked.connect(self._show_folder)
        horizontal(self.aside, self.folder, gap=2, on=self)
        self.hide()
        session.follow(self.hide, self._on_not_opened)

    def _on_not_opened(self, _reason: str) -> None:
        self.setVisible(self._session.broken_settings is not None)

    def _show_folder(self) -> None:
        if (path := self._session.broken_settings) is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))
