# SPDX-License-Identifier: AGPL-3.0-or-later
"""The head of the page: its title, and the archive that is open."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from carrel.translation import tr
from carrel_desktop.icons import icon
from carrel_desktop.theme import Theme, space, title_font

MOST_LETTERS = 60


class Header(QWidget):
    """Page title at the left, the archive's folder at the right, which opens it."""

    def __init__(self, theme: Theme, archive: str, open_folder: QAction) -> None:
        super().__init__()
        self.title = QLabel()
        self.title.setFont(title_font(1.8))
        folder = QPushButton(icon(theme, "folder", "secondary"), "")
        folder.setObjectName("archive_folder")
        folder.setProperty("role", "quiet")
        folder.setIconSize(QSize(space(4.5), space(4.5)))
        room = folder.fontMetrics().averageCharWidth() * MOST_LETTERS
        shown = folder.fontMetrics().elidedText(archive, Qt.TextElideMode.ElideMiddle, room)
        folder.setText(shown.replace("&", "&&"))
        name = tr("Open the archive's folder, {folder}", folder=archive)
        folder.setToolTip(name)
        folder.setAccessibleName(name)
        folder.clicked.connect(open_folder.trigger)
        row = QHBoxLayout(self)
        row.setContentsMargins(space(6), space(4), space(4), space(4))
        row.addWidget(self.title, 1)
        row.addWidget(folder)
