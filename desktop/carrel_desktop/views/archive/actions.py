# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the Archive page, and when it can."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from carrel.translation import tr
from carrel_desktop.views.archive.detection import IN_QUEUE, Detection, State
from carrel_desktop.widgets.actions import LINE, Actions, Entry, separator
from carrel_desktop.widgets.outcome_card import where_gone


def archive_actions() -> Sequence[Entry | None]:
    """Return the actions of the page, as its menu groups them."""
    lists = tr("Read datasets from CSV, TSV, JSON lines, BibTeX, RIS, bookmarks or plain text")
    job = tr("Show its progress on the Queue page, file by file")
    every = tr("Queue every available dataset that is not already archived")
    look = tr("See what is published; no files are downloaded")
    holding = tr("Show the archived files")
    failed = tr("Check again every dataset whose check failed or was stopped")
    links = tr("Choose the files yourself among the links of a page that no platform knows")
    lines = tr("Save the lines without a dataset, with number and reason, as CSV or text")
    return (
        Entry("paste", tr("Pas&te and preview")),
        Entry("look", tr("&Preview"), "", look),
        Entry("open_list", tr("&Open a list…"), "Ctrl+Shift+O", lists),
        Entry("archive", tr("&Archive"), "Ctrl+Return", writes=True),
        Entry("archive_all", tr("Arch&ive all"), "Ctrl+Shift+Return", every, writes=True),
        LINE,
        Entry("landing", tr("La&nding page"), slot="open_landing"),
        Entry("page_links", tr("Choose links &by hand…"), tip=links, slot="choose_links"),
        Entry("holding", tr("Show in Holdin&gs"), tip=holding, slot="show_holding"),
        Entry("job", tr("Show its &job"), tip=job, slot="show_job"),
        Entry("command", tr("Copy as co&mmand"), "Ctrl+Shift+C", slot="copy_command"),
        Entry("copy", tr("Cop&y identifiers"), tip=tr("Copy the selected identifiers")),
        LINE,
        Entry("check_again", tr("Chec&k again"), tip=tr("Check the selected datasets again")),
        Entry("check_failed", tr("C&heck all failed again"), tip=failed),
        Entry("stop", tr("&Stop checking"), tip=tr("Stop the checks of the selected datasets")),
        Entry("stop_all", tr("Stop all ch&ecks"), tip=tr("Stop all waiting and running checks")),
        LINE,
        Entry("edit", tr("E&dit…"), "F2", tr("Correct the identifier or the line in place")),
        Entry("remove", tr("Remo&ve from the list"), "Del", tr("Remove the selected rows")),
        Entry("export_lines", tr("E&xport lines without a dataset…"), tip=lines),
        Entry("empty_field", tr("Clear the &field"), "Esc"),
        Entry("clear", tr("&Clear the list"), "Ctrl+Shift+Del"),
    )


class ArchiveActions(Actions):
    """The actions of the page; `follow` brings them into line with the chosen dataset."""

    def __init__(self, owner: QWidget) -> None:
        find = Entry("find", tr("&Find in this list"), slot="go_to_search")
        super().__init__(owner, archive_actions(), apart=[find, *where_gone()])

    def for_rows(self, parent: QObject) -> list[QAction]:
        """Return the menu on the rows."""
        ways = [self.archive, self.landing, self.page_links, self.holding, self.job, self.command]
        return [
            *ways,
            separator(parent),
            self.edit,
            self.check_again,
            self.stop,
            self.copy,
            self.remove,
        ]

    def follow_rows(self, rows: Sequence[Detection], counts: Callable[[State], int]) -> None:
        """Allow what can be done with the chosen rows, and with all of the list."""
        self.edit.setEnabled(len(rows) == 1 and rows[0].can_be_edited)
        self.check_again.setEnabled(any(row.identifier and row.is_checked for row in rows))
        self.stop.setEnabled(any(row.state is State.LOOKING for row in rows))
        for action in (self.copy, self.remove):
            action.setEnabled(bool(rows))
        self.check_failed.setEnabled(counts(State.REFUSED) + counts(State.STOPPED) > 0)
        self.stop_all.setEnabled(counts(State.LOOKING) > 0)
        self.export_lines.setEnabled(counts(State.NOT_UNDERSTOOD) > 0)

    def follow(self, chosen: Detection | None) -> None:
        """Allow what can be done with a dataset, and name it: as a first time, or once more."""
        is_found = chosen is not None and chosen.identifier is not None
        self.archive.setEnabled(chosen is not None and chosen.can_be_archived)
        self._name_archiving(chosen)
        self.landing.setEnabled(is_found)
        has_page = chosen is None or bool(chosen.result and chosen.result.item)
        self.landing.setText(tr("La&nding page") if has_page else tr("Ope&n the address"))
        self.page_links.setEnabled(chosen is not None and chosen.has_links_to_choose)
        status = chosen.status if chosen else None
        self.mementos.setEnabled(status is not None and status.is_gone)
        self.job.setEnabled(chosen is not None and chosen.state in IN_QUEUE)
        self.holding.setEnabled(chosen is not None and bool(chosen.holding_url))
        self.command.setEnabled(is_found)

    def _name_archiving(self, chosen: Detection | None) -> None:
        """Have the button say what it does: a first time, once more, or beyond the limits."""
        text, tip = tr("&Archive"), tr("Add the selected dataset to the queue")
        if chosen and chosen.is_beyond_limits:
            text = tr("&Archive anyway")
            tip = tr("Add it to the queue without the limits")
        elif chosen and chosen.was_archived:
            text = tr("&Archive again")
            tip = tr("Add it to the queue again, with the strategy selected now")
        self.archive.setText(text)
        self.archive.setStatusTip(tip)
