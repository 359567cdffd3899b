# SPDX-License-Identifier: AGPL-3.0-or-later
"""The object that the person looks at: read, followed, and for a reason opened or released."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QWidget

from carrel.errors import CarrelError
from carrel.model.dark import ObiKind
from carrel.model.dark_views import Life, ObiState, VersionRow
from carrel.translation import tr
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, fixed_font, space, strong_font
from carrel_desktop.viewing.viewer import open_copy
from carrel_desktop.views.dark import texts
from carrel_desktop.views.dark.life import trigger
from carrel_desktop.views.dark.life_pane import DIFFERENCE, LifePane
from carrel_desktop.widgets.choosing import choose_new_file
from carrel_desktop.widgets.labels import ElidedLabel, IconLabel, named, plain_label, wrapped
from carrel_desktop.widgets.layouts import grid, vertical

LEAST_LETTERS = 3


class ReasonDialog(QDialog):
    """`given` carries the reason, which is kept in the journal for good."""

    given = Signal(str)

    def __init__(self, parent: QWidget, theme: Theme, life: Life, *, releases: bool) -> None:
        super().__init__(parent)
        self._releases = releases
        self.setObjectName("reason_dialog")
        title = tr("Release a copy") if releases else tr("Open a full text")
        self.setWindowTitle(title)
        self.trigger = named(wrapped(self._trigger(life)), "trigger")
        self.reason = named(QPlainTextEdit(), "reason", tr("Reason"))
        self.reason.setPlaceholderText(self._placeholder())
        self.reason.setTabChangesFocus(True)
        self.reason.setFixedHeight(space(20))
        self.lacking = named(wrapped("", "warning"), "lacking")
        self._buttons = QDialogButtonBox()
        roles = QDialogButtonBox.ButtonRole
        word = tr("&Save the copy…") if releases else tr("&Open the copy")
        self.accept_button = self._buttons.addButton(word, roles.AcceptRole)
        self._buttons.addButton(tr("&Cancel"), roles.RejectRole)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self.accepted.connect(self._on_accepted)
        self.reason.textChanged.connect(self._follow)
        self._lay_out(theme, life, title)
        self._follow()

    def _trigger(self, life: Life) -> str:
        """Say what speaks for opening it: that it is lost, since when; or that it is not."""
        since, checked = trigger(life)
        looked = tr("last checked on {day}", day=texts.day(checked))
        if since is not None:
            return tr("Lost since {day}, {looked}.", day=texts.day(since), looked=looked)
        if life.state is ObiState.UNNAMED:
            text = tr("At the last harvest, on {day}, no template named it: it is not requested.")
            return text.format(day=texts.day(checked))
        if life.state is ObiState.SUSPECT:
            text = tr("Missed, but not confirmed as lost; {looked}. It may reappear.")
            return text.format(looked=looked)
        return _not_lost(life)

    def _placeholder(self) -> str:
        if self._releases:
            return tr("Who requested it, and by what right. Required.")
        return tr("For example: to compare it with a reader's version. Required.")

    def _lay_out(self, theme: Theme, life: Life, title: str) -> None:
        heading = plain_label(title, font=strong_font(1.15))
        ident = ElidedLabel(Qt.TextElideMode.ElideMiddle, "secondary", fixed_font(0.9))
        ident.setText(life.ident)
        told = grid(2, 2)
        top = Qt.AlignmentFlag.AlignTop
        look = texts.standing_look(life)
        told.addWidget(IconLabel(theme, *look, 4.5), 0, 0, top)
        told.addWidget(self.trigger, 0, 1)
        told.addWidget(IconLabel(theme, "warning", "warning", 4.5), 1, 0, top)
        told.addWidget(wrapped(self._caution()), 1, 1)
        label = QLabel(tr("Reason, recorded permanently in the journal:"))
        label.setBuddy(self.reason)
        parts = heading, ident, told, label, self.reason, self.lacking, self._buttons
        vertical(*parts, gap=3, margins=(6, 5, 6, 4), on=self)
        self.setMinimumWidth(space(120))

    def _caution(self) -> str:
        text = tr("Having been publicly available is not a licence.")
        if not self._releases:
            stays = tr("The copy stays in a private folder until you remove or purge it.")
            return f"{text} {stays}"
        more = tr("What is not lost is released only if the reason states the rights to it.")
        return f"{text} {more}"

    def _follow(self) -> None:
        lacking = LEAST_LETTERS - len(self._text())
        self.accept_button.setEnabled(lacking <= 0)
        text = tr("A reason has {count} characters or more.", count=str(LEAST_LETTERS))
        self.lacking.setText(text if lacking > 0 else "")

    def _on_accepted(self) -> None:
        self.given.emit(self._text())

    def _text(self) -> str:
        return " ".join(self.reason.toPlainText().split())


def _not_lost(life: Life) -> str:
    """Say what is known of a full text that is not lost; that it is there only if that was seen."""
    if life.delivered is None:
        return tr("Not known to be lost. Look at its address first.")
    seen = texts.day(life.delivered)
    if life.last_seen is None:
        text = tr("Not lost: its address delivered it when last requested, on {day}.", day=seen)
        return tr("{told} Look there first.", told=text)
    text = tr(
        "Not known to be lost: its address last delivered it on {seen}. On {day}: {cause}.",
        seen=seen,
        day=texts.day(life.requested),
        cause=texts.cause(life.outcome),
    )
    return tr("{told} Look there first.", told=text)


class ChosenObject(QObject):
    """Fills the life pane; what comes late is dropped. `changed` says that another is shown."""

    changed = Signal()

    def __init__(self, session: Session, theme: Theme, pane: LifePane) -> None:
        super().__init__(pane)
        self._session, self._theme, self._pane = session, theme, pane
        self.wanted = ""  # the handle or URL of what is shown, or will be
        self._texts = 0
        self._path: list[str] = []
        pane.wants_text.connect(self._on_text)
        pane.wants_object.connect(self.follow)

    @property
    def life(self) -> Life | None:
        return self._pane.life

    @property
    def can_go_back(self) -> bool:
        return bool(self._path)

    @property
    def can_open(self) -> bool:
        """Whether there is a full text that could be opened."""
        life, version = self.life, self._version
        if life is None or version is None:
            return False
        return life.kind is ObiKind.FOBI and version.purged is None

    def show(self, ident: str) -> None:
        """Show an object; with "" none."""
        self._path.clear()
        self._show(ident)

    def follow(self, ident: str) -> None:
        """Show an object that the one on show leads to."""
        if self.life is not None:
            self._path.append(self.life.ident)
        self._show(ident)

    def go_back(self) -> None:
        """Show the object from which the person came."""
        if self._path:
            self._show(self._path.pop())

    def refresh(self) -> None:
        """Read the object on show again."""
        if self.wanted:
            self._session.start(self._read(self.wanted))

    def open_content(self) -> None:
        """Ask for a reason, then open a private copy with the person's own program."""
        self._ask_reason(self._open, releases=False)

    def release(self) -> None:
        """Ask for a reason and a place, then write a copy there."""
        self._ask_reason(self._choose_place, releases=True)

    @property
    def _version(self) -> VersionRow | None:
        return self._pane.version

    def _show(self, ident: str) -> None:
        if ident == self.wanted and self.life is not None:
            return
        self.wanted = ident
        if ident:
            self._pane.show_reading()
            self._session.start(self._read(ident))
        else:
            self._pane.show_nothing()
        self.changed.emit()

    async def _read(self, ident: str) -> None:
        try:
            life = await self._session.call(lambda engine: engine.dark.life(ident))
        except (CarrelError, OSError) as error:
            if ident == self.wanted:
                self._pane.show_unread(str(error))
                self.changed.emit()
            raise
        if ident != self.wanted:
            return  # another is wanted by now
        if life is None:
            self.wanted = ""
            self._pane.show_nothing()
            self._session.troubled.emit(tr("{ident} is unknown here.", ident=ident))
        else:
            self._pane.show_life(life)
        self.changed.emit()

    def _on_text(self) -> None:
        self._texts += 1
        life, version = self.life, self._version
        if life is not None and version is not None and life.kind is ObiKind.TOBI:
            before = self._pane.version_before if self._pane.tab == DIFFERENCE else None
            self._pane.say_of_texts(tr("Loading…"))
            self._session.start(self._read_text(life.ident, version, before, self._texts))

    async def _read_text(
        self, ident: str, version: VersionRow, before: VersionRow | None, number: int
    ) -> None:
        try:
            text = await self._session.call(lambda engine: engine.dark.text_of(ident, version.tist))
            older = (
                await self._session.call(lambda engine: engine.dark.text_of(ident, before.tist))
                if before
                else None
            )
        except (CarrelError, OSError) as error:
            if number == self._texts:
                self._pane.say_of_texts(str(error))
            raise
        if number != self._texts or ident != (self.life.ident if self.life else ""):
            return
        if self._pane.tab != DIFFERENCE:
            self._pane.show_text(text)
        elif older is None:
            self._pane.show_no_difference()
        else:
            self._pane.show_difference(older, text)

    def _ask_reason(self, then: Callable[[Life, VersionRow, str], None], *, releases: bool) -> None:
        life, version = self.life, self._version
        if life is None or version is None or not self.can_open:
            return
        dialog = ReasonDialog(self._pane.window(), self._theme, life, releases=releases)
        dialog.given.connect(lambda reason: then(life, version, reason))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _open(self, life: Life, version: VersionRow, reason: str) -> None:
        self._session.start(self._open_copy(life.ident, version.tist, reason), is_asked=True)

    async def _open_copy(self, ident: str, tist: int, reason: str) -> None:
        path = await self._session.call(
            lambda engine: engine.dark.open_content(ident, tist, reason)
        )
        self._pane.show_copy(path)
        if why := open_copy(path):
            said = tr("{why} This one is {path}.", why=why, path=path)
            self._session.troubled.emit(said)
        self.refresh()

    def _choose_place(self, life: Life, version: VersionRow, reason: str) -> None:
        def write(to: Path) -> None:
            work = self._release_copy(life.ident, version.tist, reason, to)
            self._session.start(work, is_asked=True)

        name = file_name(life.ident)
        choose_new_file(self._pane.window(), tr("Release a copy as"), write, name=name)

    async def _release_copy(self, ident: str, tist: int, reason: str, to: Path) -> None:
        await self._session.call(lambda engine: engine.dark.release(ident, tist, reason, to))
        self.refresh()


def file_name(url: str) -> str:
    """Return a name to offer for the file behind a URL, which comes from outside."""
    last = url.partition("?")[0].rstrip("/").rpartition("/")[2]
    kept = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in last)
    return kept.lstrip(".")[:100] or "full-text"
