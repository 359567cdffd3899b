# SPDX-License-Identifier: AGPL-3.0-or-later
"""The strip on top: where is read from, how far a run is, how the last one went."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QProgressBar

from carrel.model.dark_views import RunProgress, RunRow
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme
from carrel_desktop.views.dark import texts
from carrel_desktop.widgets.actions import ActionButton, Actions
from carrel_desktop.widgets.labels import ElidedLabel, IconLabel, named, set_tone, wrapped
from carrel_desktop.widgets.layouts import boxed, horizontal, rest, stacked, vertical, wrapping

STEPS = 1000
LEAST_SOURCE = 50  # grid steps; below, the source has a line of its own
RESTING, RUNNING = 0, 1


class Strip(QFrame):
    """The source with its choosers, and below it the last run, or the one that is under way."""

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self.setObjectName("dark_strip")
        self._icon = IconLabel(theme, "folder", "secondary", 4.5)
        self._run_icon = IconLabel(theme, "mementos", "secondary", 4.5)
        self.source = named(ElidedLabel(Qt.TextElideMode.ElideMiddle), "source")
        self.last = named(wrapped(), "last_run")
        self.doing = named(ElidedLabel(Qt.TextElideMode.ElideMiddle), "doing")
        self.bar = named(QProgressBar(textVisible=False), "run_progress")
        self.bar.setAccessibleName(tr("Progress of the run"))
        self._stack = stacked(self.last, boxed(vertical(self.doing, self.bar, gap=0.5)))
        self.gather_button = ActionButton(actions.gather, theme, "play", role="primary")
        self.stop_button = ActionButton(actions.stop, theme, "stopped", hides=True)
        choosers = actions.folder, actions.tarball, actions.url_list
        buttons = *(ActionButton(each, role="quiet") for each in choosers), self.gather_button
        source = rest(self.source, least=LEAST_SOURCE)
        upper = wrapping(self._icon, source, rest(), *buttons, self.stop_button, gap=2)
        check = ActionButton(actions.check, theme, "verify", role="quiet")
        lower = horizontal(self._run_icon, rest(self._stack), check, gap=2)
        vertical(upper, lower, gap=1, margins=(3, 2, 2, 2), on=self)
        self.show_source(None)

    def show_source(self, directory: Path | None, last: str = "") -> None:
        """Show which directory is read; where none is chosen, which one the `last` harvest read."""
        self._chosen = directory
        if directory is None and last:
            none = tr("No ReDIF directory is chosen here; the last harvest read {folder}")
            self.source.setText(none.format(folder=last))
        elif directory is None:
            self.source.setText(tr("No ReDIF directory is chosen yet."))
        else:
            self.source.setText(tr("Reads {folder}", folder=directory))
        set_tone(self.source, "secondary" if directory is None else "")

    def show_last(self, run: RunRow | None, now: float) -> None:
        """Show how the last run went."""
        self._stack.setCurrentIndex(RESTING)
        self.gather_button.show()
        if run is None:
            self.last.setText(tr("Nothing has been harvested yet."))
            self._run_icon.set_icon("mementos", "secondary")
            return
        self._run_icon.set_icon(*texts.run_look(run))
        self.last.setText(texts.last_run(run, now, self._chosen))

    def show_begun(self, sentence: str, *, is_run: bool) -> None:
        """Show that something runs of which nothing is known yet."""
        self._stack.setCurrentIndex(RUNNING)
        self.gather_button.setVisible(not is_run)
        self._run_icon.set_icon("running", "accent")
        self.doing.setText(sentence)
        self.bar.setRange(0, 0)

    def show_progress(self, progress: RunProgress) -> None:
        """Show where a run is: in words, and as a bar if it is known how much there is."""
        done, total = progress.done, progress.total
        self.bar.setRange(0, STEPS if total else 0)
        self.bar.setValue(min(STEPS, STEPS * done // total) if total else 0)
        count = quantities.number(done)
        if total:
            count = tr("{done} of {total}", done=count, total=quantities.number(total))
        place = texts.place(progress.archive, progress.series)
        parts = (progress.words or progress.phase, place, count if done or total else "")
        self.doing.setText(" · ".join(part for part in parts if part))
