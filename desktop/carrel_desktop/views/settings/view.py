# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Settings page: what holds for this archive, for all of them, and the keys of this system."""

from collections.abc import Callable, Collection, Mapping, Sequence
from urllib.request import getproxies

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QWidget

from carrel.credentials import Keys, Token
from carrel.errors import CarrelError
from carrel.settings import SETTINGS_NAME, InForce, Settings, in_force
from carrel.settings.editor import editable, save_changes
from carrel.settings.person import own_file
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.page import Page
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, fixed_font, space
from carrel_desktop.views.settings.form import SettingsForm
from carrel_desktop.views.settings.keys import KeyDialog, KeyList, stored_keys
from carrel_desktop.views.settings.requested import Requested, held_otherwise
from carrel_desktop.widgets.actions import ActionButton, Actions, Entry
from carrel_desktop.widgets.broken_settings import BrokenSettings
from carrel_desktop.widgets.choosing import choose_folder
from carrel_desktop.widgets.labels import ElidedLabel, IconLabel, set_tone, wrapped
from carrel_desktop.widgets.layouts import boxed, horizontal, rest, vertical, wrapping
from carrel_desktop.widgets.search_field import SearchField

MOST_FINDING = 90  # grid steps
_AT_ONCE = "network.max_rate"  # what applies without the archive being opened again


def settings_actions() -> Sequence[Entry | None]:
    """Return the actions of the page, as the menu groups them."""
    keys = tr("Store keys for archive.org or a platform's token")
    ask = tr("Accept or reject the settings that this archive asks for")
    reopen = tr("Reopen this archive with the saved settings; running jobs resume")
    return (
        Entry("save", tr("&Save settings"), "Ctrl+S", tr("Save the changes"), writes=True),
        Entry("undo", tr("&Undo changes"), tip=tr("Discard changes")),
        Entry("add_keys", tr("Add ke&ys…"), tip=keys),
        Entry("ask", tr("Dec&ide…"), tip=ask, slot="ask_again"),
        Entry("reopen", tr("Reopen archive &now"), tip=reopen),
    )


class SettingsView(Page):
    """`wants_archive` carries the folder of the archive that shall be opened instead of this one,
    or of this one once more; `requested` what this one asks for (an InForce), to be asked again."""

    wants_archive = Signal(object)
    requested = Signal(object)

    kind = PageKind.SETTINGS

    def __init__(
        self, session: Session, theme: Theme, folder: QAction, other_archive: QAction
    ) -> None:
        super().__init__(session, theme)
        self._has_saved = False
        self._wanted = ""  # the setting to go to once they are read
        find = Entry("find", tr("&Find a setting"), slot="go_to_search")
        self.page_actions = Actions(self, settings_actions(), apart=[find])
        self.page_actions.ask.setEnabled(False)  # until something is requested
        self.form = SettingsForm()
        self.form.setEnabled(False)  # until it shows what holds
        self.keys = KeyList(theme, self.page_actions.add_keys)
        self.requests = Requested(self.page_actions.ask)
        self._has_keyring = True
        self.state = QLabel()
        self.finding = SearchField("find_setting", tr("Find a setting"), tr("Find a setting"))
        self.finding.setMaximumWidth(space(MOST_FINDING))
        self._state_icon = IconLabel(theme, "ok", "ok", 4.5)
        self._other_archive = other_archive
        self._state_icon.hide()
        self._fill(folder)
        self.page_actions.bind(self, self.finding)
        self._connect()
        self._follow()

    @property
    def is_changed(self) -> bool:
        return self.form.is_changed

    @property
    def edits(self) -> Mapping[str, QAction]:
        return {"find": self.page_actions.find}

    def save(self) -> None:
        """Write what was changed; what cannot be taken is said beside its field."""
        if invalid_entries := self.form.invalid_entries():
            text = quantities.counted(
                len(invalid_entries),
                "Not saved. Check the highlighted field.",
                "Not saved. Check the {count} highlighted fields.",
            )
            self._say("failed", text)
            invalid_entries[0].focus_widget.setFocus()
            self.form.ensureWidgetVisible(invalid_entries[0].focus_widget)
            return
        self.session.start(self._save(), is_asked=True)

    def save_then(self, then: Callable[[], object]) -> None:
        """Save, and do something once that is done; what cannot be saved is said, and stays."""
        if self.form.invalid_entries():
            self.save()
        else:
            self.session.start(self._save_then(then), is_asked=True)

    def undo(self) -> None:
        """Show again what holds."""
        self.session.start(self._load(), is_asked=True)

    def add_keys(self) -> None:
        """Ask for keys or a token."""
        dialog = KeyDialog(self)
        dialog.given.connect(self._on_keys_given)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def open_other(self) -> None:
        """Request the folder of another archive."""
        beginning = self.session.archive.parent
        choose_folder(self, tr("Open another archive"), self.wants_archive.emit, beginning)

    def reopen(self) -> None:
        """Open this archive once more, with the settings as they are now."""
        self.wants_archive.emit(self.session.archive)

    def ask_again(self) -> None:
        """Ask once more about what this archive asks for."""
        if self.requests.holds is not None:
            self.requested.emit(self.requests.holds)

    def take_focus(self) -> None:
        self.form.entries[0].focus_widget.setFocus()

    def show_setting(self, name: str) -> None:
        """Go to a setting, once the settings are read."""
        self.finding.clear()
        self._wanted = name
        self._go_to_wanted()

    def _go_to_wanted(self) -> None:
        if self._wanted and self.form.isEnabled():
            self.form.show_setting(self._wanted)
            self._wanted = ""

    def refresh(self) -> None:
        """Read the settings and the names of the keys again, unless something is being changed."""
        if not self.is_changed:
            self.session.start(self._load())

    def _fill(self, folder: QAction) -> None:
        self.form.add_card(tr("Archive folder"), self._make_place(folder), at=0)
        asked = self.form.add_card(tr("Requested by this archive"), self.requests, at=1)
        self.form.show_card(asked, is_wanted=False)
        self.requests.wanted.connect(lambda it: self.form.show_card(asked, is_wanted=it))
        written = tr("Written to {file}", file=self.session.archive / SETTINGS_NAME)
        own = tr(
            "What concerns your keys, publication and servers. Written to {file}", file=own_file()
        )
        self.form.archives.setText(written)
        self.form.own.setText(own)
        self.form.add_card(tr("Proxy"), _proxies())
        self.form.add_card(tr("Keys and tokens"), self.keys)
        actions = self.page_actions
        foot = wrapping(
            self._state_icon,
            self.state,
            BrokenSettings(self.session),
            ActionButton(actions.reopen, hides=True),
            rest(),
            ActionButton(actions.undo, role="quiet"),
            ActionButton(actions.save, role="primary"),
            gap=2,
        )
        head = horizontal(rest(self.finding), rest(share=0))
        vertical(head, rest(self.form), self.form.below(foot), gap=4, margins=(6, 0, 4, 5), on=self)

    def _make_place(self, folder: QAction) -> QWidget:
        place = ElidedLabel(font=fixed_font())
        place.setText(str(self.session.archive))
        opening = ActionButton(folder, self._theme, "folder", role="quiet")
        other = ActionButton(self._other_archive)
        return boxed(horizontal(rest(place), opening, other, gap=2))

    def _connect(self) -> None:
        self.session.follow(self.refresh, self._on_not_opened)
        self.form.edited.connect(self._on_edited)
        self.finding.sought.connect(lambda: self.form.seek(self.finding.text()))
        self.keys.removed.connect(self._on_removed)

    async def _load(self) -> None:
        try:
            settings = await self.session.aside(editable, self.session.archive)
        except CarrelError:
            self._say("failed", tr("The settings cannot be read."))
            raise
        self.form.show_settings(settings)
        self.form.setEnabled(True)
        self._go_to_wanted()
        self.hand_on_keyboard()
        self._show_in_force(settings, await self.session.aside(in_force, self.session.archive))
        self._say("", "")
        await self._show_keys()

    def _show_in_force(self, settings: Settings, holds: InForce) -> None:
        """Show what the archive asks for, what was answered, and what holds because of it."""
        self.requests.show_in_force(holds)
        self.form.show_held(held_otherwise(holds, settings))
        self.page_actions.ask.setEnabled(bool(holds.requests))

    async def _save(self) -> None:
        try:
            changes = self.form.changes()
            settings = await self.session.aside(save_changes, self.session.archive, changes)
        except (CarrelError, OSError):
            self._say("failed", tr("Nothing was saved."))
            raise
        self.form.show_settings(settings)
        holds = await self.session.aside(in_force, self.session.archive)
        self._show_in_force(settings, holds)
        rate = holds.settings.network.max_rate
        await self.session.order(lambda engine: engine.limit_rate(rate))
        names = {f"{section}.{key}" for section, values in changes.items() for key in values}
        self._has_saved |= names != {_AT_ONCE}
        self._say("ok", tr("Saved. {applies}", applies=_when_applied(names)))

    async def _save_then(self, then: Callable[[], object]) -> None:
        await self._save()
        then()

    async def _store(self, name: str, credential: Keys | Token) -> None:
        dialog = self.findChild(KeyDialog)
        try:
            await self.session.aside(self.session.credentials.set, name, credential)
        except CarrelError as error:
            if dialog:
                dialog.refuse(error)
            return
        if dialog:
            dialog.accept()
        await self._show_keys()

    async def _remove(self, name: str) -> None:
        await self.session.aside(self.session.credentials.remove, name)
        await self._show_keys()

    async def _show_keys(self) -> None:
        stored = await self.session.aside(stored_keys, self.session.credentials)
        self.keys.show_keys(stored)
        self._has_keyring = stored.trouble is None
        self._follow()

    def _on_not_opened(self, _reason: str) -> None:
        self.form.setEnabled(False)
        self._say("", tr("Settings can be changed once the archive is open."))

    def _on_edited(self) -> None:
        self._say("", tr("Not saved yet.") if self.is_changed else "")

    def _on_keys_given(self, name: str, credential: Keys | Token) -> None:
        self.session.start(self._store(name, credential), is_asked=True)

    def _on_removed(self, name: str) -> None:
        self.session.start(self._remove(name), is_asked=True)

    def _say(self, tone: str, text: str) -> None:
        self.state.setText(text)
        set_tone(self.state, tone or "secondary")
        self._state_icon.setVisible(bool(tone))
        if tone:
            self._state_icon.set_icon(tone, tone)
        self._follow()

    def _follow(self) -> None:
        is_changed = self.is_changed
        self.page_actions.save.setEnabled(is_changed and self.session.is_open)
        self.page_actions.undo.setEnabled(is_changed)
        self.page_actions.reopen.setEnabled(self._has_saved and not is_changed)
        self.page_actions.add_keys.setEnabled(self.session.is_open and self._has_keyring)


def _when_applied(names: Collection[str]) -> str:
    """Return from when on the settings that were changed apply."""
    match _AT_ONCE in names, any(name != _AT_ONCE for name in names):
        case True, True:
            return tr("The maximum speed applies now, the rest when the archive is reopened.")
        case True, False:
            return tr("The maximum speed applies now.")
    return tr("It applies when the archive is reopened.")


def shown(url: str) -> str:
    """Return a proxy's address without its password."""
    return QUrl(url).toDisplayString() or url


def _proxies() -> QWidget:
    """Show what the environment says; it is changed there."""
    found = sorted({f"{name}: {shown(url)}" for name, url in getproxies().items()})
    text = "\n".join(found) or tr("None. Carrel connects directly.")
    note = tr("As found in the environment of this system (HTTPS_PROXY, NO_PROXY).")
    return wrapped(f"{text}\n{note}", "secondary")
