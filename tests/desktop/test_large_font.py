# SPDX-License-Identifier: AGPL-3.0-or-later
"""With any font of twice the size the window still stands on a screen of 1,024 points."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QFont, QFontInfo
from PySide6.QtWidgets import QApplication, QScrollArea

from carrel_desktop.main_window import MainWindow
from carrel_desktop.theme import Mode, Theme
from desktop.conftest import Stage
from desktop.test_screenshots import cut_buttons, cut_labels, outside, shown
from support.poses import take

NARROW, HIGH = 960, 992
POSES = (
    "archive-empty",
    "archive-found",
    "archive-again",
    "archive-held-otherwise",
    "archive-held-damaged",
    "archive-batch-looked-at",
    "archive-running",
    "archive-beyond-limits",
    "queue-busy",
    "holdings-empty",
    "holdings-retried",
    "holdings-damaged",
    "holdings-several",
    "holdings-facets",
    "archives-tested",
    "archives-new-wrong",
    "archives-new-file",
    "archives-by-hand",
    "archives-removed",
    "archives-broken",
    "watch-empty",
    "watch-full",
)


FAMILIES = ("DejaVu Sans", "Noto Sans", "Noto Sans CJK JP")


@pytest.fixture(autouse=True, params=FAMILIES)
def _twice_the_font(
    request: pytest.FixtureRequest, qapp: QApplication, theme: Theme
) -> Iterator[None]:
    usual = qapp.font()
    larger = QFont(usual)
    larger.setFamily(request.param)
    larger.setPointSizeF(2 * usual.pointSizeF())
    if QFontInfo(larger).family() != request.param:
        pytest.skip(f"{request.param} is not installed")
    qapp.setFont(larger)
    theme.set_mode(Mode.LIGHT)  # so that the style sheet is made of the sizes of this font
    yield
    qapp.setFont(usual)
    theme.set_mode(Mode.SYSTEM)


@pytest.mark.parametrize("pose", POSES)
def test_a_page_is_whole_in_a_narrow_window(
    stage: Stage, theme: Theme, pose: str, tmp_path: Path
) -> None:
    window = stage.run(take(theme, pose, (NARROW, HIGH), tmp_path / "large.png"))

    try:
        assert window.width() == NARROW
        assert cut_buttons(window) == []
        assert cut_labels(window) == []
        assert outside(window) == []
        assert wider_than_their_place(window) == []
    finally:
        window.deleteLater()


def wider_than_their_place(window: MainWindow) -> list[str]:
    """Return what scrolls to the side, or could if it had a scroll bar."""
    areas = [area for area in window.findChildren(QScrollArea) if shown(window, area)]
    widths = [(area.widget(), area.viewport().width()) for area in areas]
    return [f"{each.width()} in {room}" for each, room in widths if each and each.width() > room]


def test_the_side_bar_has_names_where_there_is_room(
    stage: Stage, theme: Theme, tmp_path: Path
) -> None:
    window = stage.run(take(theme, "holdings-full", (1700, HIGH), tmp_path / "wide.png"))
    names = [button.toolTip() for button in window.side_bar.buttons[:3]]

    narrow = stage.run(take(theme, "holdings-full", (NARROW, HIGH), tmp_path / "narrow.png"))

    try:
        assert names == ["", "", ""]
        assert [each.toolTip() for each in narrow.side_bar.buttons[:3]] == [
            "Overview",
            "Add datasets",
            "Queue",
        ]
        assert narrow.side_bar.width() < window.side_bar.width() / 2
        assert narrow.side_bar.buttons[0].accessibleName() == "Overview"
    finally:
        window.deleteLater()
        narrow.deleteLater()
