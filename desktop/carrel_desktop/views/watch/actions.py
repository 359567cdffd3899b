# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the Watch page."""

from collections.abc import Sequence

from carrel.translation import tr
from carrel_desktop.widgets.actions import Entry


def watch_actions() -> Sequence[Sequence[Entry]]:
    """Return the actions of the page, as its menu groups them."""
    return (
        (
            Entry(
                "look_all",
                tr("Check &all now"),
                "F9",
                tr("Check all watched datasets at their platforms"),
                slot="look_at_all",
            ),
            Entry("look", tr("Check &now"), "Shift+F9", tr("Check the selected datasets")),
            Entry("stop", tr("&Stop checking"), "Ctrl+F9", tr("Stop; results so far are saved")),
        ),
        (
            Entry(
                "add_address",
                tr("Add by addr&ess…"),
                "Ctrl+Shift+B",
                tr("Watch datasets by address, DOI, Handle or ARK"),
                slot="add_by_address",
            ),
            Entry(
                "add_holdings",
                tr("Add from holdin&gs…"),
                "Ctrl+Shift+Z",
                tr("Watch datasets that are archived here"),
                slot="add_from_holdings",
            ),
        ),
        (
            Entry(
                "ingest",
                tr("Arch&ive again"),
                "F6",
                tr("Archive what is published now; earlier captures stay"),
            ),
            Entry("page", tr("&Open page"), "", tr("Show the dataset in a browser"), "open_page"),
            Entry(
                "same",
                tr("&Unchanged files too"),
                "",
                tr("List every file of the dataset"),
                slot="follow_same",
                is_checkable=True,
            ),
        ),
        (
            Entry(
                "remove",
                tr("Re&move"),
                "",
                tr("Stop watching the selected datasets; captures stay"),
            ),
        ),
    )
