# SPDX-License-Identifier: AGPL-3.0-or-later
"""An outcome as it is read out: its heading and its advice, each a sentence."""

import pytest
from pytestqt.qtbot import QtBot

from carrel_desktop.theme import Theme
from carrel_desktop.widgets.outcome_card import OutcomeCard


@pytest.mark.parametrize(
    ("heading", "advice", "said"),
    [
        ("Exporting…", "1 of 3 datasets", "Exporting… 1 of 3 datasets"),
        ("Export again?", "", "Export again?"),
        ("Exported", "All of it.", "Exported. All of it."),
        ("Exported", "", "Exported."),
    ],
)
def test_a_heading_is_read_out_with_no_full_stop_behind_a_mark(
    qtbot: QtBot, theme: Theme, heading: str, advice: str, said: str
) -> None:
    card = OutcomeCard(theme)
    qtbot.addWidget(card)

    with qtbot.waitSignal(card.said) as emitted:
        card.show_note("save", heading, advice)

    assert (card.accessibleName(), emitted.args) == (said, [said])
