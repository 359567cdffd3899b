# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything that can be done on the Settings page; it stands in the File menu."""

from collections.abc import Sequence

from carrel.translation import tr
from carrel_desktop.widgets.actions import Entry


def settings_actions() -> Sequence[Sequence[Entry]]:
    """Return the actions of the page, as the menu groups them."""
    other = tr("Close this archive and open another one")
    keys = tr("Store keys for archive.org or a platform's token")
    ask = tr("Accept or reject the settings that this archive asks for")
    reopen = tr("Reopen this archive; running jobs resume")
    return (
        (
            Entry(
                "other_archive",
                tr("Open &another archive…"),
                "Ctrl+Shift+N",
                other,
                slot="open_other_archive",
            ),
            Entry("save", tr("&Save settings"), "Ctrl+S", tr("Save the changes")),
            Entry("undo", tr("&Undo changes"), tip=tr("Discard changes")),
            Entry("add_keys", tr("Add ke&ys…"), tip=keys),
            Entry("ask", tr("Dec&ide…"), tip=ask, slot="ask_again"),
            Entry("reopen", tr("Use them &now"), tip=reopen),
        ),
    )
