# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the Holdings page."""

from collections.abc import Sequence

from carrel.translation import tr
from carrel_desktop.widgets.actions import Entry


def holdings_actions() -> Sequence[Sequence[Entry]]:
    """Return the actions of the page, as its menu groups them."""
    verify = tr("Read every record again and compare every known digest")
    again = tr("Archive what is published now; intact files are not downloaded again")
    digest = tr("Copy the strongest digest of the selected file")
    mementos = tr("Find captures of the page and files in web archives")
    watch = tr("Watch it for changes and losses")
    return (
        (
            Entry("verify", tr("Verify a&gain"), "Ctrl+Shift+V", verify),
            Entry("archive_again", tr("Arch&ive again"), "Shift+F6", again),
            Entry("folder", tr("Open f&older"), "Ctrl+Shift+O", slot="open_folder"),
            Entry("landing", tr("&Landing page"), "Ctrl+Shift+L", slot="show_landing"),
            Entry(
                "copy",
                tr("Copy &JSON"),
                "Ctrl+Shift+J",
                tr("Copy the result as JSON"),
                slot="copy_json",
            ),
            Entry("digest", tr("Copy &digest"), "Ctrl+Alt+C", digest, slot="copy_digest"),
            Entry("mementos", tr("&Mementos"), "Ctrl+Shift+M", mementos, slot="show_mementos"),
            Entry("watch", tr("W&atch"), "Ctrl+Alt+W", watch),
        ),
    )


def without_holdings() -> Sequence[Entry]:
    """Return what can be done where no holding is shown."""
    return (
        Entry("go", tr("Add datasets")),
        Entry("again", tr("Retr&y"), slot="try_again"),
        Entry("other", tr("Open &another archive…"), slot="open_other"),
    )
