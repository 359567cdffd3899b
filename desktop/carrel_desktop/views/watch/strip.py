# SPDX-License-Identifier: AGPL-3.0-or-later
"""The strip on top: what can be done, how the watched stand, and how far a check is."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QProgressBar

from carrel.model.dark_views import RunProgress, WatchedRow
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme
from carrel_desktop.views.watch import states
from carrel_desktop.widgets.actions import LINE, ActionButton, Actions, Entry
from carrel_desktop.widgets.labels import ElidedLabel, named, wrapped
from carrel_desktop.widgets.layouts import rest, stacked, vertical, wrapping

LEAST_WORDS = 60  # grid steps; below, the words have a line of their own


def watch_actions() -> Sequence[Entry | None]:
    """Return the actions of the page, as its menu groups them."""
    look_all = tr("Check all watched datasets at their platforms")
    address = tr("Watch datasets by address, DOI, Handle or ARK")
    held = tr("Watch datasets that are archived here")
    schedule = tr("Checks run only when you start them, or as often as the settings say")
    ingest = tr("Preview what is published now, to archive it; earlier captures stay")
    mementos = tr("Find captures of the dataset's page in web archives")
    same = tr("List every file of the dataset")
    remove = tr("Stop watching the selected datasets; captures stay")
    return (
        Entry("look_all", tr("Check &all now"), "F8", look_all, slot="look_at_all", writes=True),
        Entry("look", tr("Check &now"), "", tr("Check the selected datasets"), writes=True),
        Entry("stop", tr("&Stop checking"), "Shift+F8", tr("Stop; results so far are saved")),
        LINE,
        Entry(
            "add_address",
            tr("Add &by address…"),
            "Ctrl+Shift+N",
            address,
            "add_by_address",
            writes=True,
        ),
        Entry(
            "add_holdings", tr("Add from holdin&gs…"), "", held, "add_from_holdings", writes=True
        ),
        Entry("schedule", tr("Sche&dule…"), "", schedule, "show_schedule"),
        LINE,
        Entry("ingest", tr("Arch&ive again"), "", ingest),
        Entry("page", tr("&Open page"), "", tr("Show the dataset in a browser"), "open_page"),
        Entry("mementos", tr("M&ementos"), "", mementos, "show_mementos"),
        Entry("same", tr("Show &unchanged files"), "", same, slot="follow_same", is_checkable=True),
        LINE,
        Entry("remove", tr("Re&move"), "Del", remove, writes=True),
    )


class Strip(QFrame):
    """A line of words with the buttons beside it, and a bar while a look goes on."""

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self.setObjectName("watch_strip")
        self.words = named(wrapped(), "watch_words")
        self.doing = named(ElidedLabel(Qt.TextElideMode.ElideRight), "watch_doing")
        self._stack = stacked(self.words, self.doing)
        self.bar = named(QProgressBar(textVisible=False), "look_progress")
        self.bar.setAccessibleName(tr("Progress of the check"))
        self.look_button = ActionButton(actions.look_all, theme, "watch", role="primary")
        row = wrapping(
            rest(self._stack, least=LEAST_WORDS),
            rest(),
            ActionButton(actions.add_address, theme, "add", role="quiet"),
            ActionButton(actions.add_holdings, theme, "holdings", role="quiet"),
            ActionButton(actions.schedule, role="quiet"),
            ActionButton(actions.stop, theme, "stopped", hides=True),
            self.look_button,
            gap=2,
        )
        vertical(row, self.bar, gap=1.5, on=self)

    def show_rows(self, rows: Sequence[WatchedRow]) -> None:
        """Say how the datasets stand, in numbers."""
        self.bar.hide()
        self._stack.setCurrentWidget(self.words)
        self.look_button.show()
        looks = (states.of(row) for row in rows)
        self.words.setText(states.counted(quantities.datasets(len(rows)), looks))

    def show_begun(self) -> None:
        """Say that a look has begun."""
        self.look_button.hide()
        self.bar.setRange(0, 0)
        self.bar.show()
        self._stack.setCurrentWidget(self.doing)
        self.doing.setText(tr("Checking…"))

    def show_stopping(self) -> None:
        """Say that a look comes to its end."""
        self.doing.setText(tr("Stopping…"))

    def show_progress(self, progress: RunProgress) -> None:
        """Show how far a look is."""
        self.bar.setRange(0, progress.total or 0)
        self.bar.setValue(progress.done)
        text = tr("{done} of {total} · {words}")
        total = "?" if progress.total is None else quantities.number(progress.total)
        done = quantities.number(progress.done)
        self.doing.setText(text.format(done=done, total=total, words=progress.words))
