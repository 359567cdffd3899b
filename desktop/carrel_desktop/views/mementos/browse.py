# SPDX-License-Identifier: AGPL-3.0-or-later
"""Browsing what is held here without knowing a URL: hosts, then what is below them; and search."""

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QLabel, QLineEdit, QVBoxLayout

from carrel.model import Memento
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.mementos.places import Column, Place, PlacesModel
from carrel_desktop.widgets.labels import ElidedLabel
from carrel_desktop.widgets.paged_tree import PagedTree

TYPING_MS = 250
MOST_FOUND = 1000


class BrowsePane(QFrame):
    """`chosen` carries the URL to look up."""

    chosen = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._task: asyncio.Task[None] | None = None
        self.setProperty("card", True)
        self.setObjectName("browse")
        self.search = QLineEdit()
        self.model = PlacesModel(theme, self)
        self.tree = PagedTree()
        self.sum = ElidedLabel()
        self.sum.setProperty("tone", "secondary")
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._set_up()
        self._lay_out()
        self._typing.timeout.connect(self.refresh)
        self.search.textChanged.connect(self._typing.start)
        self.search.returnPressed.connect(self.refresh)
        self.tree.expanded.connect(self._on_expanded)
        self.tree.activated.connect(self._on_activated)
        self.tree.clicked.connect(self._on_activated)

    def refresh(self) -> None:
        """Read the hosts again, or what is found."""
        self._typing.stop()
        if self._task is not None:
            self._task.cancel()
        self._task = self._session.start(self._read(self.search.text().strip()))

    def take_focus(self) -> None:
        self.search.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc empties the search field, Down goes from it to the tree."""
        if watched is self.search and isinstance(event, QKeyEvent):
            pressed = event.type() is QEvent.Type.KeyPress
            if pressed and event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
            if pressed and event.key() == Qt.Key.Key_Down:
                self.tree.setFocus()
                return True
        return super().eventFilter(watched, event)

    async def _read(self, text: str) -> None:
        hosts = [
            Place.of_host(held)
            for held in await self._session.call(lambda engine: engine.mementos.local.hosts(text))
        ]
        found: Sequence[Memento] = ()
        if text:
            found = await self._session.call(
                lambda engine: engine.mementos.local.search(text, MOST_FOUND)
            )
        urls = _by_url(found)
        self.model.show_places([*hosts, *urls])
        self.sum.setText(self._said(text, len(hosts), len(urls), len(found)))

    async def _read_below(self, place: Place) -> None:
        below = await self._session.call(
            lambda engine: engine.mementos.local.below(place.host, place.path)
        )
        self.model.fill(place, [Place.below(held, place) for held in below])

    def _said(self, text: str, hosts: int, urls: int, found: int) -> str:
        counted = quantities.counted(hosts, "1 host", "{count} hosts")
        if not text:
            return counted if hosts else tr("Nothing is archived here yet.")
        addresses = quantities.counted(urls, "1 address", "{count} addresses")
        if found >= MOST_FOUND:
            addresses = tr("the newest {addresses}", addresses=addresses)
        return f"{counted} · {addresses}"

    def _on_expanded(self, index: QModelIndex) -> None:
        place = self.model.at(index)
        if place is not None and place.children is None and not place.is_read:
            place.is_read = True
            self._session.start(self._read_below(place))

    def _on_activated(self, index: QModelIndex) -> None:
        place = self.model.at(index)
        if place is not None and place.url:
            self.chosen.emit(place.url)

    def _set_up(self) -> None:
        self.search.setObjectName("find_held")
        self.search.setPlaceholderText(tr("Find a host or a URL"))
        self.search.setAccessibleName(tr("Find in this archive"))
        self.search.setClearButtonEnabled(True)
        self.search.installEventFilter(self)
        self.tree.setModel(self.model)
        self.tree.setObjectName("held")
        self.tree.setAccessibleName(tr("Archived hosts and paths"))
        self.tree.setIndentation(space(4))
        self.tree.setExpandsOnDoubleClick(True)
        self.tree.setMouseTracking(True)
        self.tree.setHeaderHidden(True)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(space(10))
        header.setSectionResizeMode(Column.NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(Column.COUNT, QHeaderView.ResizeMode.ResizeToContents)
        header.setResizeContentsPrecision(0)  # what is in sight

    def _lay_out(self) -> None:
        heading = QLabel(tr("This archive"))
        heading.setProperty("tone", "secondary")
        heading.setFont(scaled_font(0.93))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(2.5), space(2.5), space(2.5), space(2.5))
        layout.setSpacing(space(2))
        for widget in (heading, self.search, self.tree, self.sum):
            layout.addWidget(widget)


def _by_url(found: Sequence[Memento]) -> list[Place]:
    """Return each URL once, in the order in which they were found."""
    places: dict[str, Place] = {}
    for memento in found:
        place = places.setdefault(memento.url, Place.of_url(memento))
        place.add(memento)
    return list(places.values())
