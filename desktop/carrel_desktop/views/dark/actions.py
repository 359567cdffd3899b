# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the Dark archive page."""

from collections.abc import Callable, Sequence

from carrel_desktop.widgets.actions import Entry


def dark_actions(tr: Callable[[str], str]) -> Sequence[Sequence[Entry]]:
    """Return the actions of the page, as its menu groups them."""
    return (
        (
            Entry(
                "gather", tr("&Gather now"), "F8", tr("Read the directory and note what changed")
            ),
            Entry("stop", tr("&Stop"), "Shift+F8", tr("End the run; no loss is concluded from it")),
            Entry(
                "templates_only",
                tr("&Templates only"),
                "",
                tr("Fetch no full texts in runs from now on"),
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
                tr("Read a tarball in place of the directory"),
                slot="choose_tarball",
            ),
            Entry(
                "older",
                tr("Olde&r tarball…"),
                "",
                tr("Read a tarball out of its turn, as a backfill: no loss is concluded from it"),
                slot="choose_older",
            ),
            Entry(
                "url_list",
                tr("&URL list…"),
                "",
                tr("Look at each URL of a plain list"),
                slot="choose_list",
            ),
        ),
        (
            Entry(
                "check",
                tr("Check &everything"),
                "F7",
                tr("Read store, journal and ledger again, every byte"),
            ),
        ),
        (
            Entry("find", tr("&Find an object"), "F3", slot="go_to_search"),
            Entry(
                "all",
                tr("Remove f&ilters"),
                "Ctrl+Shift+Y",
                tr("List the whole view"),
                slot="list_all",
            ),
            Entry(
                "export", tr("E&xport CSV…"), "Ctrl+Shift+X", tr("Write what is listed to a file")
            ),
        ),
        (
            Entry(
                "open",
                tr("&Open…"),
                "Ctrl+H",
                tr("Open a full text, for a reason"),
                slot="open_content",
            ),
            Entry(
                "release",
                tr("Release a cop&y…"),
                "Ctrl+Shift+H",
                tr("Write a copy for somebody, for a reason"),
            ),
            Entry("copy", tr("&Copy handle or URL"), "Ctrl+Shift+P", slot="copy_ident"),
            Entry("back", tr("&Back"), "Alt+Left", tr("Show the object before"), slot="go_back"),
            Entry(
                "whole",
                tr("Whole li&ne"),
                "Ctrl+Shift+0",
                tr("Show all of its time again"),
                slot="show_whole",
            ),
        ),
    )
