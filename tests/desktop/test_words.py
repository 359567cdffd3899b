# SPDX-License-Identifier: AGPL-3.0-or-later
"""Every code of the core has words, a colour and an icon; numbers are the locale's."""

from importlib.resources import files

import pytest
from PySide6.QtWidgets import QApplication

from carrel.model import Fate, IngestStrategy, Stage, Status
from carrel_desktop import quantities, words
from carrel_desktop.theme import LIGHT


@pytest.mark.parametrize("status", Status)
def test_every_outcome_has_words_a_colour_and_an_icon(status: Status) -> None:
    icon = files("carrel_resources") / "icons" / f"{words.outcome_icon(status)}.svg"

    assert words.outcome(status)
    assert hasattr(LIGHT, words.outcome_tone(status))
    assert icon.is_file()


def test_what_nothing_could_be_compared_with_is_not_called_verified() -> None:
    assert words.file_outcome(Status.SUCCESS, is_compared=True) == "Verified"
    unknown = words.file_outcome(Status.SUCCESS, is_compared=False)
    assert unknown == "Kept; no published checksum"
    assert words.file_outcome(Status.CANCELLED, is_compared=False) == "Stopped"


def test_every_stage_strategy_and_fate_has_words() -> None:
    assert all(words.stage(stage) for stage in Stage)
    assert all(strategy.value in words.strategy(strategy) for strategy in IngestStrategy)
    assert all(words.fate(fate) for fate in Fate)


def test_an_unknown_platform_is_named_as_it_is() -> None:
    assert words.platform("harvest-machine") == "Harvest machine"
    assert words.platform(None) == ""


def test_sizes_admit_what_is_not_known(qapp: QApplication) -> None:
    assert quantities.size(None) == "–"
    assert quantities.size(999) == "999 bytes"
    assert quantities.size(1_200_000_000) == "1.2 GB"
    assert quantities.total(1_200_000, 2) == "at least 1.2 MB"
    assert quantities.total(0, 2) == "size unknown"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (40, "40 s"),
        (59.7, "1 min"),
        (180, "3 min"),
        (3599, "1 h 0 min"),
        (7800, "2 h 10 min"),
        (90_000, "1 day"),
        (345_600, "4 days"),
    ],
)
def test_spans_are_rounded_to_what_matters(seconds: float, text: str) -> None:
    assert quantities.span(seconds) == text


def test_one_is_not_many() -> None:
    assert quantities.files(1) == "1 file"
    assert quantities.files(1200) == "1,200 files"


def test_a_moment_is_shown_in_local_time(qapp: QApplication) -> None:
    assert quantities.moment(None) == "–"
    assert "2026" in quantities.moment("2026-03-03T11:31:45+00:00")
