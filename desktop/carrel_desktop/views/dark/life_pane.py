# SPDX-License-Identifier: AGPL-3.0-or-later
"""The chosen object: its life line, and below it its events, what it was, and whom it names."""

from collections.abc import Sequence
from difflib import unified_diff
from operator import attrgetter
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from carrel.model.dark import ObiKind
from carrel.model.dark_views import Life, ObiState, VersionRow
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, space, strong_font
from carrel_desktop.views.dark import columns, texts
from carrel_desktop.views.dark.life import drawing
from carrel_desktop.views.dark.life_line import LifeLine
from carrel_desktop.widgets.actions import ActionButton, Actions
from carrel_desktop.widgets.chips import Tabs
from carrel_desktop.widgets.labels import ElidedLabel, IconLabel, named, set_tone, wrapped
from carrel_desktop.widgets.layouts import boxed, rest, stacked, vertical, wrapping
from carrel_desktop.widgets.pane import Pane
from carrel_desktop.widgets.table.column import Kind
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.widgets.table.view import RowsTable
from carrel_desktop.widgets.text_views import DiffColours, text_view, visible

EVENTS, VERSIONS, NAMES, TEXT, DIFFERENCE, OPENINGS = range(6)
OF_TEMPLATES, OF_FULL_TEXTS = (TEXT, DIFFERENCE), (OPENINGS,)
HINT, SHOWN = 0, 1
LEAST_IDENT, LEAST_CLOCK = 40, 34  # grid steps
MOST_LINES = 5000


class LifePane(Pane):
    """`wants_text` says that the text, or the difference, of the chosen version is to be read;
    `wants_object` carries the handle or URL that the person follows."""

    wants_text = Signal()
    wants_object = Signal(str)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self.life: Life | None = None
        self.setObjectName("life_pane")
        self._icon = IconLabel(theme, "indicator-none", "secondary", 4.5)
        ident = ElidedLabel(Qt.TextElideMode.ElideMiddle, font=strong_font(1.05))
        self.ident = named(ident, "life_ident")
        self.state = QLabel()
        self.facts = ElidedLabel(tone="secondary")
        self.line = LifeLine(theme)
        self.clock = named(ElidedLabel(tone="secondary"), "life_clock")
        self._theme = theme
        self.events = self._table(columns.events(), "life_events", tr("Events"))
        self.versions = self._table(columns.versions(), "life_versions", tr("Versions"))
        self.names = self._table(columns.names(tr("How")), "life_names", tr("Related objects"))
        self.names.horizontalHeader().hide()  # words and names explain themselves
        self.text = named(text_view(tr("Text of the template")), "template_text")
        difference = text_view(tr("Difference from the previous version"))
        self.difference = named(difference, "template_difference")
        DiffColours(theme, self.difference.document())
        self._copies: dict[str, list[Path]] = {}
        self.openings = wrapped("", "secondary")
        openings = boxed(vertical(self.openings, rest(), margins=(0, 1, 0, 0)))
        pages = self.events, self.versions, self.names, self.text, self.difference, openings
        for page in pages:
            page.setMinimumHeight(space(14))
        self._tabbed = stacked(*pages)
        names = tr("Events"), tr("Versions"), tr("Names"), tr("Text"), tr("Difference")
        self.tabs = Tabs(self, "life_tab", (*names, tr("Access log")))
        self.stack = stacked(self._make_hint(), self._make_shown(theme, actions))
        self.fill(self.stack)
        self._connect()

    def _table(self, kind: Kind[Any], name: str, said: str) -> RowsTable:
        return RowsTable(self._theme, RowsModel(kind, self), name, said)

    @property
    def version(self) -> VersionRow | None:
        """The chosen version, else the newest, None if there is none."""
        place = self.versions.place
        if place is not None:
            chosen = self.versions.rows.listed[place]
            return chosen if isinstance(chosen, VersionRow) else None
        return max(self._of_life(), key=attrgetter("age"), default=None)

    @property
    def version_before(self) -> VersionRow | None:
        """The version before the chosen one, None if there is none."""
        chosen = self.version
        older = [each for each in self._of_life() if chosen and each.age < chosen.age]
        return max(older, key=attrgetter("age"), default=None)

    @property
    def tab(self) -> int:
        return self.tabs.checkedId()

    def show_nothing(self) -> None:
        """Say what to choose."""
        with self.showing():
            self.life = None
            self.stack.setCurrentIndex(HINT)

    def show_life(self, life: Life) -> None:
        """Show an object, or the same one as it is now."""
        with self.showing():
            is_other = self.life is None or self.life.ident != life.ident
            self.life = life
            self.stack.setCurrentIndex(SHOWN)
            icon, tone = texts.standing_look(life)
            self._icon.set_icon(icon, tone)
            self.ident.setText(life.ident)
            self.state.setText(texts.standing(life))
            set_tone(self.state, tone)
            self.facts.setText(self._facts(life))
            is_of_data = life.kind is ObiKind.TOBI
            self.line.show_life(life.ident, drawing(life), is_of_data=is_of_data)
            self.clock.setText(tr("Line: {clock}", clock=self.line.clock))
            self.events.list_rows(life.events)
            self.versions.list_rows(life.versions)
            self.names.list_rows(self._leads(life))
            self.openings.setText(self._opened(life))
            if is_other:
                self.text.setPlainText("")
                self.difference.setPlainText("")
            self._show_tabs(life)

    def show_copy(self, path: Path) -> None:
        """Say where the copy lies that was opened of the object on show; it stays there."""
        with self.adding():
            if self.life is not None:
                self._copies.setdefault(self.life.ident, []).append(path)
                self.openings.setText(self._opened(self.life))

    def show_text(self, text: str) -> None:
        with self.adding():
            self.text.setPlainText(visible(text))

    def show_difference(self, before: str, text: str) -> None:
        """Show how the chosen version differs from the one before."""
        with self.adding():
            older, newer = self.version_before, self.version
            first, second = (texts.version(each) if each else "" for each in (older, newer))
            both = before.splitlines(), text.splitlines()
            lines = list(unified_diff(*both, fromfile=first, tofile=second, lineterm=""))
            same = [tr("The text is the same; only bytes differ.")]
            self.difference.setPlainText(visible("\n".join(lines[:MOST_LINES] or same)))

    def say_of_texts(self, sentence: str) -> None:
        """Say why there is no text of the chosen version, nor a difference to it: not yet, or why
        it cannot be read.
        """
        self.text.setPlainText(visible(sentence))
        self.difference.setPlainText(visible(sentence))

    def show_reading(self) -> None:
        self.life = None  # nothing can be done with what is not on show
        super().show_reading()

    def show_no_difference(self) -> None:
        with self.adding():
            self.difference.setPlainText(tr("This is the first version."))

    def _connect(self) -> None:
        self.tabs.idClicked.connect(self._on_tab)
        self.line.picked.connect(self._on_picked)
        self.events.chose.connect(self._on_event)
        self.versions.chose.connect(self._on_version)
        self.names.wanted.connect(self._on_name)

    def _of_life(self) -> Sequence[VersionRow]:
        return self.life.versions if self.life else ()

    def _facts(self, life: Life) -> str:
        day, is_template = texts.day(life.found), life.kind is ObiKind.TOBI
        of_data = tr("first found in data of {day}", day=day)
        found = of_data if is_template else tr("first fetched {day}", day=day)
        renamed = tr("probably renamed to {handle}", handle=texts.listed(life.renamed_to))
        parts = (
            renamed if life.renamed_to else "",
            texts.kind(life.kind),
            life.type or "",
            texts.place(life.archive, life.series),
            found if life.found is not None else "",
            quantities.counted(len(life.versions), "1 version", "{count} versions")
            if life.versions
            else tr("no version is archived"),
            self._purged(life.versions),
            _not_requested(life),
        )
        return " · ".join(part for part in parts if part)

    def _purged(self, versions: Sequence[VersionRow]) -> str:
        """Say that bytes were purged, and of how many versions."""
        count = sum(each.purged is not None for each in versions)
        return tr("{count} purged", count=count) if count else ""

    def _leads(self, life: Life) -> list[texts.Lead]:
        names = tr("Names") if life.kind is ObiKind.TOBI else tr("Named by")
        hop = tr("Redirected ({status}) to")
        return [
            *(texts.Lead(tr("Probably renamed to"), ident) for ident in life.renamed_to),
            *(texts.Lead(hop.format(status=each.status), each.to_url) for each in life.redirects),
            *(
                texts.Lead(names, it, is_requested=it not in life.not_requested)
                for it in life.names
            ),
        ]

    def _opened(self, life: Life) -> str:
        dark = tr(
            "Full texts are closed: their content is not shown here. Opening one and releasing a "
            "copy are recorded in the journal, with the reason."
        )
        never = tr("Never opened.")
        stays = tr("The opened copy stays in {folder} until you remove or purge it.")
        copies = [stays.format(folder=path.parent) for path in self._copies.get(life.ident, ())]
        return "\n".join((dark, "", *(life.openings or (never,)), *copies))

    def _show_tabs(self, life: Life) -> None:
        """Offer what there is of a kind of object; another kind may lack the tab in use."""
        is_template = life.kind is ObiKind.TOBI
        shown = OF_TEMPLATES if is_template else OF_FULL_TEXTS
        for number in (*OF_TEMPLATES, *OF_FULL_TEXTS):
            self.tabs.button(number).setVisible(number in shown)
        names = tr("Names") if is_template else tr("Named by")
        self.tabs.button(NAMES).setText(names)
        if self.tab > NAMES and self.tab not in shown:
            self.tabs.choose(EVENTS)
        elif self.tab in OF_TEMPLATES:
            self.wants_text.emit()

    def _on_tab(self, number: int) -> None:
        self._tabbed.setCurrentIndex(number)
        if number in OF_TEMPLATES:
            self.wants_text.emit()

    def _on_picked(self, number: int) -> None:
        """Choose an event, and the version that it made."""
        if self.life is None:
            return
        event = self.life.events[number]
        place = next((at for at, each in enumerate(self.events.rows.listed) if each is event), None)
        if place is not None:
            self.events.choose(place)

    def _on_event(self) -> None:
        place = self.events.place
        if place is None or self.life is None:
            return
        event = self.events.rows.listed[place]
        self.line.choose(list(self.life.events).index(event))
        made = [at for at, each in enumerate(self.versions.rows.listed) if each.tist == event.tist]
        if made:
            self.versions.choose(made[0])

    def _on_version(self) -> None:
        if self.tab in OF_TEMPLATES:
            self.wants_text.emit()

    def _on_name(self, place: int) -> None:
        lead = self.names.rows.listed[place]
        if lead.is_requested:  # nothing is known of another
            self.wants_object.emit(lead.ident)

    def _make_hint(self) -> QWidget:
        text = tr("Select an object to see its history: recorded, changed, lost, reappeared.")
        return boxed(vertical(wrapped(text, "secondary"), rest(), margins=4))

    def _make_shown(self, theme: Theme, actions: Actions) -> QWidget:
        head = wrapping(
            self._icon,
            rest(self.ident, least=LEAST_IDENT),
            rest(),
            self.state,
            ActionButton(actions.open, theme, "key", hides=True),
            ActionButton(actions.release, theme, "save", hides=True),
            gap=2,
        )
        ways = (ActionButton(it, role="quiet", hides=True) for it in (actions.back, actions.whole))
        clock = rest(self.clock, least=LEAST_CLOCK)
        bar = wrapping(*self.tabs.chips, clock, rest(), *ways, gap=1)
        parts = head, self.facts, self.line, bar, rest(self._tabbed)
        return boxed(vertical(*parts, gap=1, margins=(3, 2, 3, 2.5)))


def _not_requested(life: Life) -> str:
    """Say of a full text that it was never asked for, as nothing else is known of it then."""
    if life.kind is ObiKind.TOBI or life.versions or any(it.what == "asked" for it in life.events):
        return ""
    is_due = life.state is ObiState.UNSEEN and not life.events
    return tr("not requested yet") if is_due else tr("never requested")
