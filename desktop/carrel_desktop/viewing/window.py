# SPDX-License-Identifier: AGPL-3.0-or-later
"""The large preview: a window beside the main one, for one file at a time."""

from collections.abc import Sequence

from PySide6.QtCore import QSettings, QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QProgressBar, QWidget

from carrel.model.access import AccessCopy
from carrel.model.rendition import Picture, Text
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.foreign import in_title
from carrel_desktop.theme import Theme, fixed_font, space, strong_font
from carrel_desktop.viewing.content_view import ContentView
from carrel_desktop.viewing.subject import Shown
from carrel_desktop.widgets.actions import LINE, ActionButton, Actions, Entry
from carrel_desktop.widgets.labels import ElidedLabel, IconLabel, named, plain_label
from carrel_desktop.widgets.layouts import boxed, horizontal, rest, vertical, wrapping
from carrel_desktop.widgets.pane import Pane, PaneFooter, pane_footer
from carrel_desktop.widgets.search_field import SearchField

GEOMETRY = "preview/geometry"
OF_SCREEN = 0.9
STEPS = 1000  # of the bar: byte counts do not fit into its 32 bits
PROOF = {
    True: ("verify", "ok"),
    False: ("warning", "warning"),
    None: ("note", "secondary"),
}


def preview_actions() -> Sequence[Entry | None]:
    """Return what can be done in the window."""
    as_text = tr("Show the file as plain text")
    return (
        Entry("previous", tr("&Previous file"), "Alt+Left", slot="show_previous"),
        Entry("next", tr("&Next file"), "Alt+Right", slot="show_next"),
        Entry("up", tr("&Back to the list"), "Alt+Up", slot="leave_member"),
        LINE,
        Entry("page_back", tr("Previous pa&ge"), "Ctrl+PgUp", slot="turn_back"),
        Entry("page_on", tr("Next p&age"), "Ctrl+PgDown", slot="turn_on"),
        LINE,
        Entry("larger", tr("&Larger"), "Ctrl++", slot="zoom_in"),
        Entry("smaller", tr("&Smaller"), "Ctrl+-", slot="zoom_out"),
        Entry("fit", tr("Fi&t"), "Ctrl+0", slot="zoom_back"),
        LINE,
        Entry("find", tr("&Find"), "Ctrl+F", slot="go_to_search"),
        Entry("find_next", tr("Find ne&xt"), "F3", slot="seek_next"),
        Entry("find_back", tr("Find p&revious"), "Shift+F3", slot="seek_back"),
        LINE,
        Entry("as_text", tr("As te&xt"), "Ctrl+T", as_text, slot="toggle_text", is_checkable=True),
        Entry("save", tr("Save &as…"), "Ctrl+S", slot="save_as"),
        Entry("open", tr("&Open"), "Ctrl+O", tr("Open in its default program"), slot="open_shown"),
    )


class PreviewPane(Pane):
    """One file: its title and proof, its content, what can be done."""

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self.setProperty("card", None)
        self.name = named(ElidedLabel(Qt.TextElideMode.ElideMiddle, font=strong_font(1.2)), "name")
        self.title = named(ElidedLabel(tone="secondary"), "title")
        self.facts = named(plain_label(tone="secondary"), "facts")
        self.proof = IconLabel(theme, "note", "secondary", 4)
        self.digest = named(
            ElidedLabel(Qt.TextElideMode.ElideRight, "secondary", fixed_font(0.9)), "digest"
        )
        self.content = ContentView(theme)
        self.search = SearchField(
            "preview_search", tr("Find in this file"), tr("Find in this file")
        )
        self.position = plain_label(tone="secondary")
        self.fill(self._make_content(theme, actions), self._make_footer(theme, actions))

    def show_file(self, shown: Shown) -> None:
        """Show a file in place of another, all of it at once or a word in its place."""
        rendition, copy = shown.rendition, shown.copy
        with self.showing():
            trail = " › ".join((shown.item.path, *shown.place.inside))
            self.name.setText(trail)
            self.title.setText(shown.title)
            size = quantities.size(rendition.size) if rendition.size is not None else ""
            encoding = ""
            if isinstance(rendition.content, Text):
                encoding = rendition.content.encoding.upper()
            parts = (rendition.kind, encoding, size)
            self.facts.setText(" · ".join(part for part in parts if part))
            is_doubted = bool(copy.remark or copy.doubt)
            self.proof.set_icon(*PROOF[False if is_doubted else copy.is_proven])
            self.digest.setText(" ".join(filter(None, (copy.remark, _on_proof(shown)))))
            self.proof.setVisible(bool(copy.sha256))  # a sign of nothing, else
            self.content.show_rendition(rendition)
            place = tr(
                "{number} of {count}",
                number=quantities.number(shown.number + 1),
                count=quantities.number(shown.count),
            )
            self.position.setText(place if shown.count > 1 else "")

    def _make_content(self, theme: Theme, actions: Actions) -> QWidget:
        def quiet(action: QAction, icon: str = "", *, hides: bool = True) -> ActionButton:
            return ActionButton(action, theme, icon, role="quiet", hides=hides)

        proof = horizontal(self.proof, rest(self.digest), gap=1.5)
        head = vertical(self.name, self.title, self.facts, proof, gap=1)
        self.search.setMaximumWidth(space(70))
        bar = wrapping(
            quiet(actions.up, "arrow-up"),
            self.search,
            rest(),
            quiet(actions.page_back),
            quiet(actions.page_on),
            quiet(actions.smaller),
            quiet(actions.larger),
            quiet(actions.fit),
            gap=1,
        )
        return boxed(vertical(head, bar, rest(self.content), gap=2.5, margins=(5, 4, 5, 3)))

    def _make_footer(self, theme: Theme, actions: Actions) -> PaneFooter:
        back = ActionButton(actions.previous, role="quiet")
        on = ActionButton(actions.next, role="quiet")
        as_text = ActionButton(actions.as_text, role="quiet", hides=True)
        save = ActionButton(actions.save, theme, "save")
        opening = ActionButton(actions.open, theme, "link", role="primary")
        return pane_footer((back, on, self.position), (as_text, save, opening))


class PreviewWindow(QWidget):
    """Shows what it is given; who fills it hears of the wishes for another file.

    `wanted` carries by how many files to go on, `member_wanted` a member to go into, `left` that
    one goes back from there, `page_wanted` a page, `text_wanted` whether a text is wanted, and
    `open_wanted` and `save_wanted` what is shown. `closed` says that no one looks any more.
    """

    wanted = Signal(int)
    member_wanted = Signal(str)
    left = Signal()
    page_wanted = Signal(int)
    text_wanted = Signal(bool)
    open_wanted = Signal()
    save_wanted = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        named(self, "preview")
        self.setWindowTitle(tr("Preview"))
        self._shown: Shown | None = None
        self.window_actions = Actions(self, preview_actions())
        self.pane = PreviewPane(theme, self.window_actions)
        self.bar = named(QProgressBar(textVisible=False), said=tr("Reading the file"))
        self.bar.setRange(0, STEPS)
        self.bar.hide()
        vertical(self.bar, rest(self.pane), gap=0, on=self)
        self.window_actions.bind(self)
        for group in self.window_actions.groups:
            self.addActions(group)
        self.pane.content.member_wanted.connect(self.member_wanted)
        self.pane.search.returnPressed.connect(self.seek_next)
        self.pane.search.textChanged.connect(lambda: self.pane.content.tell_of_search(""))
        self.pane.search.left.connect(self._focus_content)
        self._restore()
        self._follow()

    @property
    def shown(self) -> Shown | None:
        """What is shown, None while that is nothing."""
        return self._shown

    def show_reading(self, name: str) -> None:
        """Say that a file is being read; nothing of the one before stays."""
        self._shown = None
        self._name_it(name)
        self.pane.show_reading()
        self._follow()

    def show_progress(self, done: int, total: int) -> None:
        """Show how far the copy is that is made first."""
        self.bar.setVisible(total > 0)
        self.bar.setValue(STEPS * done // total if total else 0)

    def show_file(self, shown: Shown) -> None:
        self.bar.hide()
        self.pane.show_file(shown)
        self._shown = shown
        self._name_it(shown.place.last_name)
        self._follow()
        if not self.pane.search.hasFocus():
            self._focus_content()

    def show_saved(self, copy: AccessCopy) -> None:
        """Say where what is shown was saved, and what it is."""
        words = tr("Saved as {path}. SHA-256 {digest}.", path=copy.path, digest=copy.sha256)
        self.pane.content.tell(words)

    def show_trouble(self, reason: str) -> None:
        """Say why a file cannot be shown at all."""
        self.bar.hide()
        self._shown = None
        self.pane.show_unread(reason)
        self._follow()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        QSettings("Carrel", "Carrel").setValue(GEOMETRY, self.saveGeometry())
        super().closeEvent(event)
        self.closed.emit()

    # What the actions do

    def show_previous(self) -> None:
        self.wanted.emit(-1)

    def show_next(self) -> None:
        self.wanted.emit(1)

    def leave_member(self) -> None:
        self.left.emit()

    def turn_back(self) -> None:
        self._turn(-1)

    def turn_on(self) -> None:
        self._turn(1)

    def zoom_in(self) -> None:
        self.pane.content.zoom(1)

    def zoom_out(self) -> None:
        self.pane.content.zoom(-1)

    def zoom_back(self) -> None:
        self.pane.content.zoom(0)

    def go_to_search(self) -> None:
        self.pane.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.pane.search.selectAll()

    def seek_next(self) -> None:
        self._seek(backward=False)

    def seek_back(self) -> None:
        self._seek(backward=True)

    def toggle_text(self) -> None:
        self.text_wanted.emit(self.window_actions.as_text.isChecked())

    def save_as(self) -> None:
        self.save_wanted.emit()

    def open_shown(self) -> None:
        self.open_wanted.emit()

    def _turn(self, by: int) -> None:
        content = self._shown.rendition.content if self._shown else None
        if isinstance(content, Picture) and 0 <= content.page + by < content.pages:
            self.page_wanted.emit(content.page + by)

    def _seek(self, *, backward: bool) -> None:
        text = self.pane.search.text()
        is_found = not text or self.pane.content.seek(text, backward=backward)
        not_found = tr("“{text}” was not found in what is shown.", text=text)
        self.pane.content.tell_of_search("" if is_found else not_found)

    def _focus_content(self) -> None:
        current = self.pane.content.stack.currentWidget()
        if current is not None:
            current.setFocus()

    def _follow(self) -> None:
        """Allow what can be done with what is shown."""
        shown, actions, content = self._shown, self.window_actions, self.pane.content
        picture = shown.rendition.content if shown else None
        pages = picture.pages if isinstance(picture, Picture) else 1
        page = picture.page if isinstance(picture, Picture) else 0
        number, count = (shown.number, shown.count) if shown else (0, 0)
        is_member = bool(shown and shown.place.inside)
        can_zoom, can_find = bool(shown and content.can_zoom), bool(shown and content.can_find)
        states = {
            actions.previous: number > 0,
            actions.next: number + 1 < count,
            actions.up: is_member,
            actions.page_back: page > 0,
            actions.page_on: page + 1 < pages,
            actions.larger: can_zoom,
            actions.smaller: can_zoom,
            actions.fit: can_zoom,
            actions.find: can_find,
            actions.find_next: can_find,
            actions.find_back: can_find,
            actions.as_text: bool(shown and (shown.rendition.has_text_form or shown.place.as_text)),
            actions.save: shown is not None,
            actions.open: shown is not None,
        }
        for action, can in states.items():
            action.setEnabled(can)
        actions.as_text.setChecked(bool(shown and shown.place.as_text))
        self.pane.search.setVisible(can_find)

    def _name_it(self, name: str) -> None:
        self.setWindowTitle(tr("{name} — Preview", name=in_title(name)))

    def _restore(self) -> None:
        """Stand as it stood last time, but never beyond the screen."""
        room = self.screen().availableSize() * OF_SCREEN
        self.resize(QSize(space(220), space(170)).boundedTo(room))
        geometry = QSettings("Carrel", "Carrel").value(GEOMETRY)
        if geometry is not None:
            self.restoreGeometry(geometry)
            self.resize(self.size().boundedTo(self.screen().availableSize()))


def _on_proof(shown: Shown) -> str:
    """Return what is known of the bytes that are shown."""
    copy = shown.copy
    if not copy.sha256:
        return ""
    if copy.doubt is not None:
        return tr(
            "A copy that was verified on {moment}; the archive cannot hand it over now. "
            "SHA-256 {digest}",
            moment=quantities.moment(copy.made),
            digest=copy.sha256,
        )
    if copy.is_proven is False:
        return tr("SHA-256 {digest}: does not match the index", digest=copy.sha256)
    if copy.is_proven is None:
        return tr("SHA-256 {digest}: no checksum to compare with", digest=copy.sha256)
    if shown.place.inside:
        return tr("In a file with the SHA-256 {digest}, verified", digest=copy.sha256)
    return tr("SHA-256 {digest}, verified", digest=copy.sha256)
