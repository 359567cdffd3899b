# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive may decide of schedules by itself: whatever asks less of other people's hosts."""

from pathlib import Path

import pytest

from carrel.errors import SettingsError
from carrel.settings import in_force, load
from carrel.settings.consequences import consequence
from support.own_settings import configure


def both(tmp_path: Path, own: str, asked: str, section: str = "schedule") -> tuple[object, bool]:
    """Return what holds for an archive that says one thing and its person another, and whether the
    person is asked."""
    configure(f"[{section}]\n{own}\n")
    (tmp_path / "settings.toml").write_text(f"[{section}]\n{asked}\n")
    holds = in_force(tmp_path)
    key = asked.partition(" ")[0]
    assert all(consequence(each) for each in holds.requests)
    return getattr(getattr(holds.settings, section), key), bool(holds.requests)


@pytest.mark.parametrize(
    ("own", "asked", "holding", "is_requested"),
    [(0, 30, 0, True), (7, 30, 30, False), (30, 7, 30, True), (7, 0, 0, False)],
)
def test_watched_datasets_may_be_checked_rarer(
    own: int, asked: int, holding: int, is_requested: bool, tmp_path: Path
) -> None:
    found = both(tmp_path, f"watch_days = {own}", f"watch_days = {asked}")

    assert found == (holding, is_requested)


@pytest.mark.parametrize(
    ("own", "asked", "holding", "is_requested"),
    [
        (0, 1000, 1000, False),
        (1000, 0, 1000, True),
        (1000, 500, 500, False),
        (500, 1000, 500, True),
    ],
)
def test_transfers_may_be_slower(
    own: int, asked: int, holding: int, is_requested: bool, tmp_path: Path
) -> None:
    found = both(tmp_path, f"max_rate = {own}", f"max_rate = {asked}", "network")

    assert found == (holding, is_requested)


def test_hours_are_the_persons(tmp_path: Path) -> None:
    found = both(tmp_path, 'hours = "22:00-06:00"', 'hours = "00:00-24:00"')

    assert found == ("22:00-06:00", True)


def test_how_often_holdings_are_verified_is_the_archives(tmp_path: Path) -> None:
    assert both(tmp_path, "verify_days = 30", "verify_days = 90") == (90, False)


def test_hours_that_are_none_are_named(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('[schedule]\nhours = "at night"\n')

    with pytest.raises(SettingsError, match=r"schedule\.hours cannot be “at night”"):
        load(path)
