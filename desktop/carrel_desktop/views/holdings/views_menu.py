# SPDX-License-Identifier: AGPL-3.0-or-later
"""The menu of the views of the holdings: those that are always there, and those that were saved."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from carrel.model.holdings import HoldingsQuery
from carrel.translation import tr
from carrel_desktop.theme import space
from carrel_desktop.views.holdings.listing import Listing
from carrel_desktop.views.holdings.saved_views import (
    View,
    remove_view,
    saved_views,
    usual_views,
)

_LONGEST, _ELIDED = 40, Qt.TextElideMode.ElideRight  # grid steps: a name is the person's


class ViewsMenu(QMenu):
    """`chosen` carries the View that is to be shown; `save` is the action that saves another."""

    chosen = Signal(object)

    def __init__(
        self, save: QAction, listing: Listing, button: QPushButton, parent: QWidget
    ) -> None:
        super().__init__(tr("Views"), parent)
        self._save, self._listing, self._button = save, listing, button
        button.setMenu(self)
        self.aboutToShow.connect(self._fill)

    def follow(self) -> None:
        """Have the button name the view that is on, if one is that leaves anything out."""
        narrow = [each for each in [*saved_views(), *usual_views()] if _asks(each.query)]
        view = next(filter(self._is_on, narrow), None)
        name = view.name if view else ""
        shown = self._button.fontMetrics().elidedText(name, _ELIDED, space(_LONGEST))
        said = tr("View: {name}", name=shown.replace("&", "&&")) if view else tr("Views")
        self._button.setText(said)
        self._button.setToolTip(name)
        self._button.setAccessibleName(tr("View: {name}", name=name) if view else tr("Views"))

    def _is_on(self, view: View) -> bool:
        """Say whether what is listed is what a view asks for, in whichever order."""
        return _asks(self._listing.query) == _asks(view.query)

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
        action.setCheckable(True)
        action.setChecked(self._is_on(view))
        action.triggered.connect(lambda _checked=False: self.chosen.emit(view))


def _as_text(view: View) -> str:
    return view.name.replace("&", "&&")


def _asks(query: HoldingsQuery) -> tuple[object, ...]:
    """Return by what a question narrows the holdings, nothing if it asks for all."""
    narrowed = {facet: values for facet, values in query.chosen.items() if values}
    asks = query.text, narrowed, query.is_removed
    return asks if any(asks) else ()
