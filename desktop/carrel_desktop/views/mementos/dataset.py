# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pane of a dataset: its landing page and files, and which of them are held where."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from carrel.errors import CarrelError
from carrel.model import Memento, SourceReport
from carrel.model.memento_views import DatasetPart
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, scaled_font, strong_font
from carrel_desktop.views.mementos.parts import Dataset, Part, PartsModel, dataset_of
from carrel_desktop.widgets.actions import ActionButton, make_action
from carrel_desktop.widgets.labels import ElidedLabel, plain_label
from carrel_desktop.widgets.layouts import horizontal, rest, vertical
from carrel_desktop.widgets.table.view import RowsList


class DatasetPane(QFrame):
    """`chosen` carries the Part to look up, `closed` says that the person is done with it.

    `before_asking` is awaited before each part of all is asked, so that what the person looks up
    comes first; `collection` names where to ask.
    """

    chosen = Signal(object)
    closed = Signal()

    def __init__(
        self,
        session: Session,
        theme: Theme,
        before_asking: Callable[[], Awaitable[None]],
        collection: Callable[[], str],
    ) -> None:
        super().__init__()
        self._session = session
        self._before_asking = before_asking
        self._collection = collection
        self._task: asyncio.Task[None] | None = None
        self._loads = 0
        self.setProperty("card", True)
        self.setObjectName("dataset")
        self.model = PartsModel(self)
        self.title = ElidedLabel(font=strong_font())
        self.sum = ElidedLabel(tone="secondary")
        self.progress = plain_label(tone="secondary")
        said = tr("Landing page and files")
        self.list = RowsList(theme, self.model, "parts", said, is_compact=True)
        self.ask_action = make_action(self, tr("Query al&l"), self.ask_all)
        self.ask_action.setStatusTip(tr("Query the archives for each part"))
        self.stop_action = make_action(self, tr("Stop queryin&g"), self.stop)
        self.close_action = make_action(self, tr("Close dataset"), self.close_pane)
        self._lay_out(theme)
        self.list.clicked.connect(self._on_chosen)
        self.list.activated.connect(self._on_chosen)
        self.model.dataChanged.connect(self._follow)
        self.model.modelReset.connect(self._follow)
        self._follow()

    async def load(self, ingest_id: str) -> Dataset | None:
        """Show the parts of a dataset that was looked at; return what it is."""
        self.stop()
        self._loads += 1
        newest = self._loads
        self._show((), None)  # the one before has nothing to do with what is looked for
        dataset = await self._session.read_result(ingest_id, dataset_of)
        parts = await self._session.call(lambda engine: engine.mementos.parts_of(ingest_id))
        if newest == self._loads:  # else another was requested meanwhile
            self._show(parts, dataset)
        return dataset

    def _show(self, parts: Sequence[DatasetPart], dataset: Dataset | None) -> None:
        self.title.setText(dataset.title if dataset else "")
        self.model.show_parts(parts, dataset.kept if dataset else frozenset())

    def choose(self, row: int) -> None:
        """Choose a part and have it looked up."""
        self.list.setCurrentIndex(self.model.index(row, 0))
        self._on_chosen()

    @property
    def current(self) -> Part | None:
        return self.model.at(self.list.currentIndex())

    def has(self, url: str) -> bool:
        """Say whether a URL is that of a part."""
        return any(part.part.url == url for part in self.model.listed)

    def take(self, url: str, reports: list[SourceReport]) -> None:
        """Take what was found out of a part when it was looked up."""
        for part in self.model.listed:
            if part.part.url == url:
                self.model.take(part, reports)

    def ask_all(self) -> None:
        """Ask the archives for every part that was not asked for, one after the other."""
        if self._task is None:
            open_parts = [part for part in self.model.listed if part.holders is None]
            self._task = self._session.start(self._ask_all(open_parts), is_asked=True)
            self._follow()

    def stop(self) -> None:
        """Ask for no more parts; what is known stays."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        for part in self.model.listed:
            if part.is_asked:
                self.model.set_asked(part, False)
        self._follow()

    def close_pane(self) -> None:
        self.stop()
        self.closed.emit()

    async def _ask_all(self, parts: Sequence[Part]) -> None:
        try:
            for part in parts:
                await self._before_asking()
                if part.holders is None:
                    await self._ask(part)
        finally:
            if asyncio.current_task() is self._task:
                self._task = None
            self._follow()

    async def _ask(self, part: Part) -> None:
        self.model.set_asked(part, True)
        collection = self._collection()
        try:
            found = await self._session.call(
                lambda engine: engine.mementos.find(part.part.url, collection, _unheard)
            )
        except CarrelError:
            self.model.set_asked(part, False)
            raise
        self.model.take(part, found.reports)

    def _on_chosen(self) -> None:
        if part := self.current:
            self.chosen.emit(part)

    def _follow(self) -> None:
        parts = self.model.listed
        here = sum(part.is_here for part in parts)
        asked = sum(part.was_queried for part in parts)
        count = quantities.counted(len(parts), "1 part", "{count} parts")
        kept = sum(part.is_kept and not part.is_here for part in parts)
        there = quantities.number(here + kept)
        known = tr("{here} of {parts} in this archive", here=there, parts=count)
        if kept:
            words = forms("1 without a capture", "{count} without captures")
            known = f"{known} · {quantities.counted(kept, *words)}"
        self.sum.setText(known if parts else "")
        queried, whole = quantities.number(asked), quantities.number(len(parts))
        self.progress.setText(tr("{asked} of {count} parts queried", asked=queried, count=whole))
        is_asking = self._task is not None
        is_left = any(part.holders is None for part in parts)
        self.ask_action.setEnabled(not is_asking and is_left)
        self.stop_action.setEnabled(is_asking)

    def _lay_out(self, theme: Theme) -> None:
        heading = ElidedLabel(tone="secondary", font=scaled_font(0.93))
        heading.setText(tr("Landing page and files"))
        close = ActionButton(self.close_action, theme, "cancel", role="quiet")
        close.setText("")
        asking = self.ask_action, self.stop_action
        ways = (ActionButton(each, role="quiet", hides=True) for each in asking)
        top, foot = horizontal(rest(heading), close), horizontal(rest(self.progress), *ways)
        parts = top, self.title, self.sum, 1, rest(self.list), foot
        vertical(*parts, gap=1, margins=(2.5, 2, 2.5, 2), on=self)


def _unheard(report: SourceReport, mementos: Sequence[Memento]) -> None:
    """Leave what a source tells: the end says all that is needed."""
