# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the Mementos page, and when it can."""

from collections.abc import Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from carrel.translation import tr
from carrel_desktop.views.mementos.preview import PaneActions
from carrel_desktop.views.mementos.rows import Row
from carrel_desktop.widgets.actions import Actions, Entry


def memento_actions() -> Sequence[Sequence[Entry]]:
    """Return the actions of the page, as its menu groups them."""
    return (
        (
            Entry("look_up", tr("Look &up"), "Ctrl+K", tr("Query every archive of the collection")),
            Entry("stop", tr("Stop queryin&g"), "Ctrl+.", tr("Stop waiting for archives")),
            Entry(
                "browse",
                tr("&Browse"),
                "Ctrl+B",
                tr("Browse captures in this archive by host"),
                slot="toggle_browse",
                is_checkable=True,
            ),
        ),
        (
            Entry(
                "preview",
                tr("Pr&eview"),
                "Ctrl+Y",
                tr("Show the beginning of its content and its headers"),
            ),
            Entry(
                "open",
                tr("&Open"),
                "Ctrl+J",
                tr("Open the capture in the browser"),
                slot="open_shown",
            ),
            Entry(
                "raw",
                tr("Open r&aw"),
                "Ctrl+Shift+W",
                tr("Open it without rewriting"),
                slot="open_raw",
            ),
            Entry(
                "save",
                tr("&Save as…"),
                "Ctrl+D",
                tr("Save the complete capture to a file"),
                slot="save_as",
            ),
            Entry("compare", tr("Co&mpare"), "Ctrl+M", tr("Show how two captures differ")),
            Entry("copy_url", tr("Cop&y URL"), "Ctrl+U"),
            Entry(
                "cite",
                tr("Copy as ci&tation"),
                "Ctrl+Shift+U",
                tr("Copy URL, time, archive and digest"),
                slot="copy_citation",
            ),
        ),
        (
            Entry(
                "archive",
                tr("Archive &now"),
                "Ctrl+N",
                tr("Add this URL to the datasets to archive"),
                slot="archive_now",
            ),
        ),
        (
            Entry("whole", tr("&Zoom out"), "Ctrl+0", tr("Show all years"), slot="show_whole"),
            Entry(
                "all",
                tr("Clear fi&lters"),
                "Ctrl+Shift+G",
                tr("Show all captures"),
                slot="list_all",
            ),
        ),
        (
            Entry(
                "archives",
                tr("Arch&ives…"),
                "",
                tr("Add, test and order archives"),
                slot="go_to_archives",
            ),
        ),
    )


class MementoActions(Actions):
    """The actions of the page; `follow` brings them into line with what is chosen."""

    def __init__(self, owner: QWidget) -> None:
        open_config = Entry("open_config", tr("Open the fi&le"))
        super().__init__(owner, memento_actions(), apart=[open_config])

    @property
    def for_rows(self) -> list[QAction]:
        """The menu on the rows."""
        return self.groups[1]

    @property
    def for_pane(self) -> PaneActions:
        return PaneActions(self.preview, self.open, self.raw, self.save, self.compare)

    def follow(self, rows: Sequence[Row], *, is_peeked: bool, is_busy: bool) -> None:
        """Allow what can be done with the chosen rows."""
        is_one = len(rows) == 1
        self.preview.setEnabled(is_one and not is_peeked)
        for action in (self.open, self.raw, self.copy_url):
            action.setEnabled(is_one)
        self.save.setEnabled(is_one and not is_busy)
        self.cite.setEnabled(bool(rows))
        self.compare.setEnabled(len(rows) == 2)
