# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which captures are chosen, everywhere the same, and what is done with them."""

import asyncio
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from carrel.errors import CarrelError
from carrel.model import Fixity, Memento
from carrel.model.access import AccessCopy
from carrel.model.memento_part import PART_WORDS
from carrel.model.memento_views import Peek, why_no_content
from carrel.model.rendition import Place
from carrel.model.unwritten import why_unwritten
from carrel.translation import tr
from carrel_desktop import words
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.viewing.progress import shown_progress
from carrel_desktop.viewing.subject import Copy, Item, Subject, Tell
from carrel_desktop.viewing.viewer import Viewer
from carrel_desktop.views.mementos.columns import MementosModel
from carrel_desktop.views.mementos.lanes import Place as LanePlace
from carrel_desktop.views.mementos.layout import MementosLayout
from carrel_desktop.views.mementos.lookup import LookUp
from carrel_desktop.views.mementos.preview import MementoPane
from carrel_desktop.views.mementos.rows import Row, seconds_of
from carrel_desktop.widgets.choosing import choose_new_file
from carrel_desktop.widgets.time_scale import moment_of

MOST_PEEKED = 1024**2
MOST_IMAGE = 24 * 1024**2
MOST_NAME = 100


def citation(memento: Memento) -> str:
    """Return what names a capture for good: URL, moment, archive, digest, one a line."""
    moment = moment_of(seconds_of(memento.timestamp))
    own = words.source_name(memento.source, memento.source_type)
    lines = [
        memento.url,
        f"Captured: {moment.isoformat(timespec='seconds')}Z",
        f"Archive: {', '.join((own, *memento.also))}",
    ]
    if memento.digest:
        lines.append(f"Digest: {memento.digest}")
    if memento.live_url:
        lines.append(f"Memento: {memento.live_url}")
    return "\n".join(lines)


class Chosen(QObject):
    """Follows what is chosen in the table and shows it in the pane.

    `changed` says that other things can be done than before.
    """

    changed = Signal()

    def __init__(self, session: Session, theme: Theme, pane: MementoPane) -> None:
        super().__init__(pane)
        self._viewer = Viewer(session, theme, pane)
        self._session, self._call = session, session.call
        self._pane = pane
        self._collection = ""
        self._reading: asyncio.Task[None] | None = None
        self.rows: Sequence[Row] = ()
        self.is_peeked = False
        self.is_saving = False

    @property
    def one(self) -> Row | None:
        """The one that is chosen, None if that is none or several."""
        return self.rows[0] if len(self.rows) == 1 else None

    def show(self, rows: Sequence[Row], collection: str) -> None:
        """Show what is chosen; what is here is read at once, what is elsewhere only if asked."""
        is_same = [row.key for row in rows] == [row.key for row in self.rows]
        is_same = is_same and collection == self._collection
        self.rows, self._collection = rows, collection
        if is_same and rows:
            return  # the same captures in a list that was made anew
        self._stop_reading()
        self.is_peeked = False
        if len(rows) == 2:
            self._pane.show_pair(*by_age(rows))
        elif self.one is not None:
            self._pane.show_row(self.one)
            if self.one.is_local:
                self.preview()
        else:
            self._pane.show_nothing()
        self.changed.emit()

    def preview(self) -> None:
        """Read the beginning of the chosen capture and show it."""
        if self.one is not None:
            self._stop_reading()
            self._pane.show_fetching(self.one)
            self._reading = self._session.start(self._preview(self.one))
            self.is_peeked = True
            self.changed.emit()

    def enlarge(self) -> None:
        """Show the chosen capture, or how two differ, in the large window."""
        if self.one is not None:
            row = self.one

            async def copied(tell: Tell) -> Copy:
                return await self._copied(row, tell)

            save = partial(self._save_row, row)
            item = Item(file_name(row), row.mimetype, copied, save)
            self._viewer.show(Subject(row.memento.url, (item,)), 0)
        elif self.diff:
            self._viewer.show(Subject(tr("Two captures"), (self._diff_item(),)), 0)

    @property
    def diff(self) -> str:
        """How two captures that were compared differ, "" where nothing is shown of that."""
        is_shown = len(self.rows) == 2 and not self._pane.comparison.diff.isHidden()
        return self._pane.comparison.diff.toPlainText() if is_shown else ""

    def compare(self) -> None:
        """Read both chosen captures and say how they differ."""
        if len(self.rows) == 2:
            self._stop_reading()
            older, newer = by_age(self.rows)
            self._pane.comparison.show_comparing(older, newer)
            self._reading = self._session.start(self._compare(older, newer))

    def open_shown(self) -> None:
        """Open the chosen capture in the person's browser, served from here."""
        if self.one is not None:
            self._session.start(self._open(self.one, raw=False), is_asked=True)

    def open_raw(self) -> None:
        """Open the chosen capture with nothing rewritten."""
        if self.one is not None:
            self._session.start(self._open(self.one, raw=True), is_asked=True)

    def save_as(self) -> None:
        """Ask for a file to write the chosen capture to."""
        if self.one is not None:
            choose_new_file(self._pane, tr("Save capture as"), self.save, name=file_name(self.one))

    def copy_url(self) -> None:
        if self.one is not None:
            QGuiApplication.clipboard().setText(self.one.memento.url)

    def copy_citation(self) -> None:
        cited = [citation(row.memento) for row in self.rows]
        QGuiApplication.clipboard().setText("\n\n".join(cited))

    def save(self, path: Path) -> None:
        """Write the chosen capture to a file."""
        if self.one is not None and not self.is_saving:
            self._save_row(self.one, path)

    def _save_row(self, row: Row, path: Path) -> None:
        if self.is_saving:
            self._viewer.tell_busy()
        else:
            self._session.start(self._save(row, path), is_asked=True)

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    async def _preview(self, row: Row) -> None:
        try:
            peek = await self._peek(row)
            place = _place(row, peek)
            rendition = await self._session.call(
                lambda engine: engine.access.look_at(peek.content, place)
            )
        except (CarrelError, OSError) as error:
            if self.one is not None and self.one.key == row.key:
                self.is_peeked = False  # it may be had another time
                self._pane.show_trouble(str(error))
                self.changed.emit()
            return
        if self.one is not None and self.one.key == row.key:
            self._pane.show_peek(row, peek, rendition)

    async def _copied(self, row: Row, tell: Tell) -> Copy:
        """Return a copy of a whole capture, for the large window."""
        collection = self._collection
        path = await self._session.read(lambda engine: engine.access.place(file_name(row)))
        saved = await self._session.call(
            lambda engine: engine.mementos.save(row.memento, collection, path, tell)
        )
        await self._session.aside(saved.path.chmod, 0o400)  # for looking only
        part = PART_WORDS[saved.part] if saved.part else ""
        remark = " ".join(filter(None, (why_no_content(saved.status), part)))
        return Copy(saved.path, saved.size, saved.sha256, saved.is_proven, remark=remark)

    def _diff_item(self) -> Item:
        text = self.diff.encode()

        async def copied(tell: Tell) -> Copy:
            name = f"{tr('Differences')}.diff"
            path = await self._session.read(lambda engine: engine.access.put(name, text))
            return Copy(path, len(text), "", is_proven=None)

        def save(path: Path) -> None:
            self._session.start(self._save_diff(text, path), is_asked=True)

        return Item(tr("Differences"), "text/plain", copied, save)

    async def _save_diff(self, text: bytes, path: Path) -> None:
        try:
            await self._session.aside(path.write_bytes, text)
        except OSError as error:
            self._viewer.tell_unsaved(tr("Differences"), error, why_unwritten(path, error))
            raise
        self._viewer.tell(tr("Saved as {path}.", path=path))

    async def _peek(self, row: Row) -> Peek:
        """Return the beginning; of an image the whole, as half of one is not to be seen."""
        peek = await self._peek_at(row, MOST_PEEKED)
        is_image = peek.mimetype.startswith("image/")
        if is_image and not peek.is_whole and peek.length <= MOST_IMAGE:
            return await self._peek_at(row, MOST_IMAGE)
        return peek

    async def _peek_at(self, row: Row, most: int) -> Peek:
        collection = self._collection
        return await self._call(lambda engine: engine.mementos.peek(row.memento, collection, most))

    async def _compare(self, older: Row, newer: Row) -> None:
        try:
            found = await self._call(
                lambda engine: engine.mementos.compare(
                    older.memento, newer.memento, self._collection
                )
            )
        except (CarrelError, OSError) as error:
            self._pane.comparison.show_trouble(str(error))
            return
        self._pane.comparison.show_comparison(older, newer, found)
        self.changed.emit()

    async def _open(self, row: Row, *, raw: bool) -> None:
        address = await self._call(
            lambda engine: engine.mementos.server.address_of(
                row.memento, self._collection, is_raw=raw
            )
        )
        if not QDesktopServices.openUrl(QUrl(address)):
            text = tr("No browser could be opened. The address is {address}")
            self._session.troubled.emit(text.format(address=address))

    async def _save(self, row: Row, path: Path) -> None:
        self.is_saving = True
        self.changed.emit()
        self._on_saving(0, 0)
        try:
            with shown_progress(self, self._on_saving) as tell:
                saved = await self._call(
                    lambda engine: engine.mementos.save(row.memento, self._collection, path, tell)
                )
        except CarrelError as error:
            self._pane.end_saving()
            self._viewer.tell_unsaved(file_name(row), error, str(error))
            raise
        except OSError as error:
            self._pane.end_saving()
            error.filename = str(path)  # what the person chose, not what is written on the way
            self._viewer.tell_unsaved(file_name(row), error, why_unwritten(path, error))
            raise
        finally:
            self.is_saving = False
            self.changed.emit()
        self._pane.show_saved(row, saved)
        fixity = Fixity(saved.size, {"sha256": saved.sha256})
        self._viewer.tell_saved(AccessCopy(file_name(row), saved.path, fixity))

    def _on_saving(self, done: int, total: int) -> None:
        self._pane.show_saving(done, total)


def _place(row: Row, peek: Peek) -> Place:
    """Return what is known of the beginning of a capture."""
    beyond = max(peek.length, len(peek.content) + 1)
    size = None if peek.is_whole else beyond
    return Place(file_name(row), peek.mimetype, charset=peek.charset, size=size)


def by_age(rows: Sequence[Row]) -> tuple[Row, Row]:
    """Return two rows, the older one first."""
    older, newer = sorted(rows, key=lambda row: row.memento.timestamp)
    return older, newer


def file_name(row: Row) -> str:
    """Return a name to save a capture under: the last part of its path, made harmless."""
    last = unquote(urlsplit(row.memento.url).path).rstrip("/").rpartition("/")[2]
    return re.sub(r"[^\w.() -]", "_", last).strip(". ")[-MOST_NAME:] or "memento"


class Selection(QObject):
    """Keeps chosen what is chosen, as far as it is still listed."""

    def __init__(
        self, ui: MementosLayout, model: MementosModel, chosen: Chosen, look_up: LookUp
    ) -> None:
        super().__init__(ui)
        self._ui, self._model, self._chosen, self._look_up = ui, model, chosen, look_up
        self._keys: Sequence[tuple[str, str, str]] = ()
        ui.board.picked.connect(self._on_picked)
        ui.table.selectionModel().selectionChanged.connect(self._on_chosen)
        model.relisted.connect(self._on_relisted)

    def clear(self) -> None:
        """Begin with nothing chosen."""
        self._keys = ()
        self._show(())

    def _on_relisted(self) -> None:
        if not self._keys or self._ui.table.selectionModel().hasSelection():
            return
        places = [self._model.place_of_key(key) for key in self._keys]
        found = [place for place in places if place is not None]
        if found:
            self._ui.table.choose_all(found)
        else:
            self._show(())

    def _on_chosen(self) -> None:
        rows = self._ui.table.chosen()
        self._keys = [row.key for row in rows[:2]]
        self._show(rows)

    def _show(self, rows: Sequence[Row]) -> None:
        self._ui.pane.asked_url = self._look_up.url
        self._chosen.show(rows, self._look_up.collection)
        places = [LanePlace(row.lanes[0], row.seconds) for row in rows[:2]]
        self._ui.board.show_chosen(places)

    def _on_picked(self, picked: LanePlace) -> None:
        place = self._model.place_at(picked.lane, picked.seconds)
        if place is not None:
            self._ui.table.choose(place)
