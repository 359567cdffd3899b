# SPDX-License-Identifier: AGPL-3.0-or-later
"""Browsing what is held here without knowing a URL: hosts, then what is below them; and search."""

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QFrame, QHeaderView

from carrel.model import Memento
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.mementos.places import Column, Place, PlacesModel
from carrel_desktop.widgets.labels import ElidedLabel, named, plain_label
from carrel_desktop.widgets.layouts import vertical
from carrel_desktop.widgets.paged_tree import PagedTree
from carrel_desktop.widgets.search_field import SearchField

TYPING_MS = 250
MOST_FOUND = 1000


class BrowsePane(QFrame):
    """`chosen` carries the URL to look up."""

    chosen = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session, self._call = session, session.call
        self._task: asyncio.Task[None] | None = None
        self.setProperty("card", True)
        self.setObjectName("browse")
        hint = tr("Find a host or a URL")
        self.search = SearchField("find_held", hint, tr("Find in local archives"), TYPING_MS)
        self.model = PlacesModel(theme, self)
        self.tree = self._make_tree()
        self.sum = ElidedLabel(tone="secondary")
        heading = plain_label(tr("Local archives"), "secondary", scaled_font(0.93))
        parts = heading, self.search, self.tree, self.sum
        vertical(*parts, gap=2, margins=2.5, on=self)
        self.search.sought.connect(self.refresh)
        self.search.left.connect(self.tree.setFocus)
        self.tree.expanded.connect(self._on_expanded)
        self.tree.activated.connect(self._on_activated)
        self.tree.clicked.connect(self._on_activated)

    def refresh(self) -> None:
        """Read the hosts again, or what is found."""
        if self._task is not None:
            self._task.cancel()
        self._task = self._session.start(self._read(self.search.text().strip()))

    async def _read(self, text: str) -> None:
        hosts = [
            Place.of_host(held)
            for held in await self._call(lambda engine: engine.mementos.local.hosts(text))
        ]
        found: Sequence[Memento] = ()
        if text:
            found = await self._call(lambda engine: engine.mementos.local.search(text, MOST_FOUND))
        urls = _by_url(found)
        self.model.show_places([*hosts, *urls])
        self.sum.setText(self._said(text, len(hosts), len(urls), len(found)))

    async def _read_below(self, place: Place) -> None:
        below = await self._call(lambda engine: engine.mementos.local.below(place.host, place.path))
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
        if (place := self.model.at(index)) and not place.is_read:
            place.is_read = True
            self._session.start(self._read_below(place))

    def _on_activated(self, index: QModelIndex) -> None:
        if (place := self.model.at(index)) and place.url:
            self.chosen.emit(place.url)

    def _make_tree(self) -> PagedTree:
        tree = named(PagedTree(), "held", tr("Archived hosts and paths"))
        tree.setModel(self.model)
        tree.setIndentation(space(4))
        tree.setExpandsOnDoubleClick(True)
        tree.setMouseTracking(True)
        tree.setHeaderHidden(True)
        tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = tree.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(space(10))
        header.setSectionResizeMode(Column.NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(Column.COUNT, QHeaderView.ResizeMode.ResizeToContents)
        header.setResizeContentsPrecision(0)  # what is in sight
        return tree


def _by_url(found: Sequence[Memento]) -> list[Place]:
    """Return each URL once, in the order in which they were found."""
    places: dict[str, Place] = {}
    for memento in found:
        places.setdefault(memento.url, Place.of_url(memento)).add(memento)
    return list(places.values())
