# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the Archive page, and when it can."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from carrel.translation import tr
from carrel_desktop.views.archive.model import IN_QUEUE, Detection
from carrel_desktop.widgets.actions import Actions, Entry


def archive_actions() -> Sequence[Entry | None]:
    """Return the actions of the page, as its menu groups them."""
    lists = tr("Read datasets from CSV, TSV, JSON lines, BibTeX, RIS, bookmarks or plain text")
    job = tr("Show its progress on the Queue page, file by file")
    every = tr("Queue every available dataset that is not already archived")
    look = tr("See what is published; no files are downloaded")
    holding = tr("Show the archived files")
    return (
        Entry("paste", tr("Pas&te and preview"), "Ctrl+V"),
        Entry("look", tr("&Preview"), "Ctrl+L", look),
        Entry("open_list", tr("&Open a list…"), "Ctrl+O", lists),
        Entry("archive", tr("&Archive"), "Ctrl+Return"),
        Entry("archive_all", tr("Arch&ive all"), "Ctrl+Shift+Return", every),
        Entry("landing", tr("La&nding page"), slot="open_landing"),
        Entry("holding", tr("Show in Holdin&gs"), tip=holding, slot="show_holding"),
        Entry("job", tr("Show its &job"), tip=job, slot="show_job"),
        Entry("command", tr("Copy as co&mmand"), "Ctrl+Shift+C", slot="copy_command"),
        Entry("empty_field", tr("Clear the &field"), "Esc"),
        Entry("clear", tr("&Clear the list"), "Ctrl+Shift+Del"),
    )


class ArchiveActions(Actions):
    """The actions of the page; `follow` brings them into line with the chosen dataset."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner, archive_actions())

    def follow(self, chosen: Detection | None) -> None:
        """Allow what can be done with a dataset, and name it: as a first time, or once more."""
        is_found = chosen is not None and chosen.identifier is not None
        self.archive.setEnabled(chosen is not None and chosen.can_be_archived)
        self._name_archiving(chosen)
        self.landing.setEnabled(is_found)
        has_page = chosen is None or bool(chosen.result and chosen.result.item)
        self.landing.setText(tr("La&nding page") if has_page else tr("Ope&n the address"))
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
