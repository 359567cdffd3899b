# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the Dark archive page."""

from collections.abc import Sequence

from carrel.translation import tr
from carrel_desktop.widgets.actions import Entry


def dark_actions() -> Sequence[Sequence[Entry]]:
    """Return the actions of the page, as its menu groups them."""
    return (
        (
            Entry("gather", tr("Harvest &now"), "F8", tr("Read the directory and record changes")),
            Entry(
                "stop", tr("&Stop"), "Shift+F8", tr("Stop the run; it will not determine losses")
            ),
            Entry(
                "templates_only",
                tr("&Templates only"),
                "",
                tr("Do not fetch full texts in future runs"),
                slot="follow",
                is_checkable=True,
            ),
        ),
        (
            Entry(
                "folder",
                tr("Choose fo&lder…"),
                "",
                tr("Choose the ReDIF directory to read"),
                slot="choose_folder",
            ),
            Entry(
                "tarball",
                tr("T&arball…"),
                "",
                tr("Read a tarball instead of the directory"),
                slot="choose_tarball",
            ),
            Entry(
                "older",
                tr("Bac&kfill…"),
                "",
                tr("Read an older tarball as a backfill; it will not determine losses"),
                slot="choose_older",
            ),
            Entry(
                "url_list",
                tr("&URL list…"),
                "",
                tr("Check each URL of a plain list"),
                slot="choose_list",
            ),
        ),
        (
            Entry(
                "check",
                tr("V&erify all"),
                "F7",
                tr("Read every byte of store, journal and ledger again"),
            ),
        ),
        (
            Entry("find", tr("&Find an object"), "F3", slot="go_to_search"),
            Entry(
                "all",
                tr("Clear f&ilters"),
                "Ctrl+Shift+Y",
                tr("Show all rows"),
                slot="list_all",
            ),
            Entry(
                "export", tr("E&xport CSV…"), "Ctrl+Shift+X", tr("Save the listed rows to a file")
            ),
        ),
        (
            Entry(
                "open",
                tr("&Open…"),
                "Ctrl+H",
                tr("Open a full text; requires a reason"),
                slot="open_content",
            ),
            Entry(
                "release",
                tr("Release a cop&y…"),
                "Ctrl+Shift+H",
                tr("Save a copy for another user; requires a reason"),
            ),
            Entry("copy", tr("&Copy handle or URL"), "Ctrl+Shift+P", slot="copy_ident"),
            Entry("back", tr("&Back"), "Alt+Left", tr("Show the previous object"), slot="go_back"),
            Entry(
                "whole",
                tr("&Zoom out"),
                "Ctrl+Shift+0",
                tr("Show the whole time again"),
                slot="show_whole",
            ),
        ),
    )
