# SPDX-License-Identifier: AGPL-3.0-or-later
"""The menu of the views of the holdings: those that are always there, and those that were saved."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from carrel.translation import tr
from carrel_desktop.views.holdings.saved_views import (
    View,
    remove_view,
    saved_views,
    usual_views,
)


class ViewsMenu(QMenu):
    """`chosen` carries the View that is to be shown; `save` is the action that saves another."""

    chosen = Signal(object)

    def __init__(self, save: QAction, parent: QWidget) -> None:
        super().__init__(tr("Views"), parent)
        self._save = save
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        saved = saved_views()
        for view in usual_views():
            self._add(view)
        if saved:
            self.addSeparator()
        for view in saved:
            self._add(view)
        self.addSeparator()
        self.addAction(self._save)
        if saved:
            removing = self.addMenu(tr("Remove view"))
            for view in saved:
                action = removing.addAction(_as_text(view))
                action.triggered.connect(lambda _checked=False, name=view.name: remove_view(name))

    def _add(self, view: View) -> None:
        action = self.addAction(_as_text(view))
        action.triggered.connect(lambda _checked=False: self.chosen.emit(view))


def _as_text(view: View) -> str:
    return view.name.replace("&", "&&")
