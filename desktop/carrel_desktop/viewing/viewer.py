# SPDX-License-Identifier: AGPL-3.0-or-later
"""Has files read for the preview window: a proven copy first, then what there is to see of it."""

import asyncio
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from carrel.errors import CarrelError, NotProven
from carrel.model.access import AccessCopy, Doubt
from carrel.model.endings import PROGRAM_ENDINGS
from carrel.model.rendition import Place
from carrel.translation import tr
from carrel_desktop import words
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.viewing.progress import shown_progress
from carrel_desktop.viewing.subject import Copy, Item, Shown, Subject
from carrel_desktop.viewing.window import PreviewWindow
from carrel_desktop.widgets.choosing import choose_new_file


class Viewer(QObject):
    """Looks at one subject, whatever the page beside it shows meanwhile."""

    def __init__(self, session: Session, theme: Theme, page: QWidget) -> None:
        super().__init__(page)
        self._session, self._theme, self._page = session, theme, page
        self._window: PreviewWindow | None = None
        self._subject = Subject("", ())
        self._number = 0
        self._place = Place("")
        self._copy: Copy | None = None
        self._is_rechecked = False
        self._task: asyncio.Task[None] | None = None

    @property
    def window(self) -> PreviewWindow:
        """The window, made when it is first looked at."""
        if self._window is None:
            self._window = self._made()
        return self._window

    @property
    def is_open(self) -> bool:
        return self._window is not None and self._window.isVisible()

    def show(self, subject: Subject, number: int) -> None:
        """Show a file of a subject, and the window with it."""
        self._subject = subject
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()
        self._go_to(number)

    def recheck(self, unfit: Collection[str]) -> None:
        """Read again what is shown as proven, where that is among what is damaged by now."""
        shown = self.window.shown if self.is_open else None
        if shown is None or self._is_rechecked or shown.copy.doubt or shown.item.path not in unfit:
            return
        self._copy, self._is_rechecked = None, True
        self._look(self._place)

    def tell_saved(self, copy: AccessCopy) -> None:
        """Say where what is shown was saved, if it is looked at still."""
        shown = self.window.shown if self.is_open else None
        if shown is not None and not shown.place.inside and shown.copy.sha256 == copy.sha256:
            self.window.show_saved(copy)

    def tell_unsaved(self, path: str, error: CarrelError | OSError, why: str) -> None:
        """Say why a file was not saved, if it is looked at still; of one that proved to be damaged
        what is shown is an earlier copy from now on."""
        shown = self.window.shown if self.is_open else None
        if shown is None or shown.place.inside or shown.item.path != path:
            return
        if isinstance(error, NotProven):
            self._copy = replace(shown.copy, doubt=Doubt(error.why, is_damaged=True))
            self.window.show_file(replace(shown, copy=self._copy))
        self.window.pane.content.tell(why)

    def tell_busy(self) -> None:
        """Say that nothing was saved, since something else is."""
        self.tell(tr("Another file is still being saved. Try again when that has ended."))

    def tell(self, words: str) -> None:
        """Say something on what is shown, if the window is looked at still."""
        if self.is_open:
            self.window.pane.content.tell(words)

    def close(self) -> None:
        """Show nothing any more."""
        if self._window is not None:
            self._window.close()

    def _made(self) -> PreviewWindow:
        window = PreviewWindow(self._theme, self._page.window())
        self._theme.changed.connect(self._dress)
        window.wanted.connect(lambda by: self._go_to(self._number + by))
        window.member_wanted.connect(self._go_into)
        window.left.connect(self._leave)
        window.page_wanted.connect(lambda page: self._look(replace(self._place, page=page)))
        window.text_wanted.connect(lambda wants: self._look(replace(self._place, as_text=wants)))
        window.open_wanted.connect(self._open)
        window.save_wanted.connect(self._save_as)
        window.closed.connect(self._stop)
        self._theme.dress(window)
        return window

    def _dress(self) -> None:
        if self._window is not None:
            self._theme.dress(self._window)

    def _go_to(self, number: int) -> None:
        if 0 <= number < len(self._subject.items):
            self._number, self._copy, self._is_rechecked = number, None, False
            item = self._subject.items[number]
            self._look(Place(item.path, item.mimetype))

    def _go_into(self, member: str) -> None:
        inside = (*self._place.inside, member)
        self._look(replace(self._place, inside=inside, page=0, as_text=False, mimetype=""))

    def _leave(self) -> None:
        self._look(replace(self._place, inside=self._place.inside[:-1], page=0, as_text=False))

    def _look(self, place: Place) -> None:
        """Show another place, of the copy that there is or of one that is made."""
        self._stop()
        self._place = place
        self.window.show_reading(place.last_name)
        self._task = self._session.start(self._read(self._subject, self._number, place))

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _read(self, subject: Subject, number: int, place: Place) -> None:
        item = subject.items[number]
        try:
            copy = self._copy or await self._copied(item)
            self._copy = copy
            asked = replace(place, charset=copy.charset)
            rendition = await self._session.call(
                lambda engine: engine.access.look(copy.path, asked)
            )
        except (CarrelError, OSError) as error:
            self.window.show_trouble(_words(error))
            return
        count = len(subject.items)
        self.window.show_file(Shown(subject.title, item, number, count, copy, asked, rendition))
        if copy.doubt is not None:
            note = self.window.pane.content.note.text()
            self.window.pane.content.tell(f"{words.doubt(copy.doubt)} {note}".rstrip())

    async def _copied(self, item: Item) -> Copy:
        try:
            with shown_progress(self, self.window.show_progress) as tell:
                return await item.copy(tell)
        finally:
            self.window.show_progress(0, 0)

    def _open(self) -> None:
        shown = self.window.shown
        if shown is not None:
            self._session.start(self._open_shown(shown))

    async def _open_shown(self, shown: Shown) -> None:
        path, inside = shown.copy.path, shown.place.inside
        try:
            if inside:
                copy = await self._session.call(
                    lambda engine: engine.access.copy_member(path, inside)
                )
                path = copy.path
        except (CarrelError, OSError) as error:
            self._tell_trouble(shown, error)
            return
        if trouble := open_copy(path):
            self.window.pane.content.tell(trouble)

    def _save_as(self) -> None:
        shown = self.window.shown
        if shown is None:
            return
        inside = shown.place.inside

        def save(path: Path) -> None:
            if inside:
                self._session.start(self._save_member(shown, path), is_asked=True)
            else:
                shown.item.save(path)

        name = inside[-1].rpartition("/")[2] if inside else shown.copy.path.name
        choose_new_file(self.window, tr("Save file as"), save, name=name)

    async def _save_member(self, shown: Shown, path: Path) -> None:
        container, inside = shown.copy.path, shown.place.inside
        try:
            copy = await self._session.call(
                lambda engine: engine.access.save_member(container, inside, path)
            )
        except (CarrelError, OSError) as error:
            self._tell_trouble(shown, error)
            return
        self.window.show_saved(copy)

    def _tell_trouble(self, shown: Shown, error: CarrelError | OSError) -> None:
        """Say where it is looked at why a member cannot be had, and which."""
        name = shown.place.inside[-1] if shown.place.inside else shown.item.path
        self.window.pane.content.tell(f"{name}: {_words(error)}")


def open_copy(path: Path) -> str:
    """Have the person's own program show a copy; return why not, "" if it does.

    What the system would run is not opened: it comes from strangers.
    """
    if path.name.lower().endswith(PROGRAM_ENDINGS):
        return tr(
            "{name} may be a program, which Carrel does not start. Save a copy instead.",
            name=path.name,
        )
    if QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
        return ""
    return tr("No program on this system opens {name}. Save a copy instead.", name=path.name)


def _words(error: CarrelError | OSError) -> str:
    if isinstance(error, OSError):
        place, reason = error.filename or "", error.strerror or error
        return tr("{place} cannot be used: {reason}", place=place, reason=reason)
    return words.not_proven(error) if isinstance(error, NotProven) else str(error)
