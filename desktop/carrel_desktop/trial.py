# SPDX-License-Identifier: AGPL-3.0-or-later
"""The sample repository, tried from an open window: asked where its archive is to be."""

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget

from carrel.translation import tr
from carrel_desktop.beginning import Beginning
from carrel_desktop.widgets.choosing import choose_folder
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.question_box import lay_out


class Trial(QMessageBox):
    """Asks whether to go on with the sample repository, which `begin` then does."""

    def __init__(self, parent: QWidget, begin: Callable[[Beginning], None]) -> None:
        super().__init__(parent)
        self._window, self._begin = parent, begin
        named(self, "trial")
        self.setWindowTitle(tr("Try the sample repository"))
        self.setText(tr("Close this archive and try the sample repository?"))
        self.setInformativeText(
            tr(
                "It runs on this computer; no network is needed. Its archive is "
                "deleted when you quit Carrel, unless you choose a folder for it. Your own archive "
                "stays as it is: open it again with File, Open archive."
            )
        )
        trying = self.addButton(tr("&Try it"), QMessageBox.ButtonRole.AcceptRole)
        folder = self.addButton(tr("Try it &in a folder…"), QMessageBox.ButtonRole.ActionRole)
        self.setEscapeButton(self.addButton(tr("&Cancel"), QMessageBox.ButtonRole.RejectRole))
        self.setDefaultButton(trying)
        lay_out(self)
        trying.clicked.connect(lambda: begin(Beginning(None, is_demo=True)))
        folder.clicked.connect(self._choose)

    def _choose(self) -> None:
        begin = self._begin
        heading = tr("Try the sample repository in this folder")
        choose_folder(self._window, heading, lambda path: begin(Beginning(path, is_demo=True)))
