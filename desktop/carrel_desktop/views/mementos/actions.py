# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the Mementos page, and when it can."""

from collections.abc import Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from carrel.translation import tr
from carrel_desktop.views.mementos.rows import Row
from carrel_desktop.widgets.actions import LINE, Actions, Entry


def memento_actions() -> Sequence[Entry | None]:
    """Return the actions of the page, as its menu groups them."""
    browse = tr("Browse captures in local archives by host")
    preview = tr("Show the beginning of its content and its headers")
    enlarge = tr("Show the capture, or the differences, in a separate window")
    open_ = tr("Open the capture in the browser")
    raw = tr("Open it without rewriting")
    save = tr("Save the complete capture to a file")
    cite = tr("Copy URL, time, archive and digest")
    archive = tr("Add this URL to the datasets to archive")
    all_ = tr("Show all captures")
    archives = tr("Add, test and order archives")
    return (
        Entry("look_up", tr("Look &up"), "Ctrl+K", tr("Query every archive of the collection")),
        Entry("stop", tr("Stop queryin&g"), "Ctrl+.", tr("Stop waiting for archives")),
        Entry("browse", tr("&Browse"), "Ctrl+B", browse, slot="toggle_browse", is_checkable=True),
        LINE,
        Entry("preview", tr("&Preview"), "", preview),
        Entry("enlarge", tr("La&rger preview"), "F11", enlarge),
        Entry("open", tr("&Open"), "", open_, slot="open_shown"),
        Entry("raw", tr("Open r&aw"), "", raw, slot="open_raw"),
        Entry("save", tr("&Save as…"), "Ctrl+S", save, slot="save_as"),
        Entry("compare", tr("Co&mpare"), "", tr("Show how two captures differ")),
        Entry("copy_url", tr("Cop&y URL")),
        Entry("cite", tr("Copy as ci&tation"), "Ctrl+Shift+C", cite, slot="copy_citation"),
        LINE,
        Entry("archive", tr("Archive &now"), "", archive, slot="archive_now"),
        LINE,
        Entry("whole", tr("&Zoom out"), "Ctrl+0", tr("Show all years"), slot="show_whole"),
        Entry("all", tr("Clear fi&lters"), "", all_, slot="list_all"),
        LINE,
        Entry("archives", tr("Web arch&ives…"), "", archives, slot="go_to_archives"),
    )


class MementoActions(Actions):
    """The actions of the page; `follow` brings them into line with what is chosen."""

    def __init__(self, owner: QWidget) -> None:
        open_config = Entry("open_config", tr("Open the fi&le"))
        find = Entry("find", tr("&Find a capture"), slot="go_to_search")
        super().__init__(owner, memento_actions(), apart=[open_config, find])

    @property
    def for_rows(self) -> list[QAction]:
        """The menu on the rows."""
        return self.groups[1]

    def follow(
        self, rows: Sequence[Row], *, is_peeked: bool, is_busy: bool, has_diff: bool = False
    ) -> None:
        """Allow what can be done with the chosen rows."""
        is_one = len(rows) == 1
        self.preview.setEnabled(is_one and not is_peeked)
        self.enlarge.setEnabled(is_one or has_diff)
        for action in (self.open, self.raw, self.copy_url):
            action.setEnabled(is_one)
        self.save.setEnabled(is_one and not is_busy)
        self.cite.setEnabled(bool(rows))
        self.compare.setEnabled(len(rows) == 2 and not has_diff)
