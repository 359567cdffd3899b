# SPDX-License-Identifier: AGPL-3.0-or-later
"""Every code of the core has words, a colour and an icon; numbers are the locale's."""

import re
from importlib.resources import files

import pytest
from PySide6.QtWidgets import QApplication

from carrel.mementos.config.default import default_text
from carrel.model import Fate, Fixity, IngestStrategy, ManifestFile, SourceType, Stage, Status
from carrel_desktop import quantities, words
from carrel_desktop.foreign import shown
from carrel_desktop.theme import THEMES
from carrel_desktop.widgets.labels import wrapped


@pytest.mark.parametrize("status", Status)
def test_every_outcome_has_words_a_colour_and_an_icon(status: Status) -> None:
    icon = files("carrel_resources") / "icons" / f"{words.outcome_icon(status)}.svg"

    assert words.outcome(status)
    assert hasattr(THEMES["light"], words.outcome_tone(status))
    assert icon.is_file()


def outcome_of(declared: Fixity, status: Status = Status.SUCCESS) -> str:
    observed = Fixity(4, {"md5": "aa"})
    return words.file_outcome(ManifestFile("a", None, declared, status=status, observed=observed))


def test_what_nothing_could_be_compared_with_is_not_called_verified() -> None:
    assert outcome_of(Fixity(4, {"md5": "aa"})) == "Checksum matches"
    assert outcome_of(Fixity(4)) == "Archived; size matches"
    assert outcome_of(Fixity()) == "Archived; no published checksum"
    assert outcome_of(Fixity(), Status.CANCELLED) == "Cancelled"


def test_every_stage_strategy_and_fate_has_words() -> None:
    assert all(words.stage(stage) for stage in Stage)
    assert all(strategy.value in words.strategy(strategy) for strategy in IngestStrategy)
    assert all(words.fate(fate) for fate in Fate)


def test_with_whom_it_lies_is_said_of_all_but_a_success() -> None:
    assert words.side(Status.SUCCESS) == ""
    assert words.side(Status.PLATFORM_RESTRICTED) == "Up to the repository"
    assert words.side(Status.CANCELLED) == ""
    assert words.side(Status.NETWORK_ERROR) == "Depends on the network"
    needing = [status for status in Status if words.outcome_tone(status) in ("warning", "failed")]
    assert all(words.side(status) for status in needing)


@pytest.mark.parametrize(
    ("name", "title"),
    [("zenodo", "Zenodo"), ("cernopendata", "CERN Open Data"), ("archiveorg", "archive.org")],
)
def test_a_platform_is_named_as_its_makers_write_it(name: str, title: str) -> None:
    assert words.platform(name) == title


def test_an_unknown_platform_is_named_as_it_is() -> None:
    assert words.platform("harvest-machine") == "Harvest machine"
    assert words.platform(None) == ""


def test_sizes_admit_what_is_not_known(qapp: QApplication) -> None:
    assert quantities.size(None) == "–"
    assert quantities.size(999) == "999 bytes"
    assert quantities.size(1_200_000_000) == "1.1 GiB"
    assert quantities.total(1_200_000, 2) == "at least 1.1 MiB"
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
    assert quantities.moment("banana") == "–"
    assert quantities.day("2026-02-30") == "–"
    assert "2026" in quantities.moment("2026-03-03T11:31:45+00:00")


def test_what_could_turn_the_writing_around_is_marked(qapp: QApplication) -> None:
    assert shown("exe\u202efdp.csv\x07") == "exe\ufffdfdp.csv\ufffd"
    assert shown("two\nlines, כתב, na\u00a0ïve") == "two\nlines, כתב, na\u00a0ïve"
    assert wrapped("a\u202eb").text() == "a\ufffdb"


@pytest.mark.parametrize("status", [Status.TOO_LARGE_SIZE, Status.TOO_MANY_FILES])
def test_what_is_only_a_question_does_not_look_as_if_it_had_failed(status: Status) -> None:
    assert (words.outcome_icon(status), words.outcome_tone(status)) == ("warning", "warning")


def test_the_archive_that_is_open_is_called_so() -> None:
    assert words.source_name("archive", SourceType.LEDGER) == "This archive"
    assert words.source_name("archive", SourceType.MEMENTO) == "archive"
    assert words.source_name("arquivo.pt", SourceType.MEMENTO) == "arquivo.pt"


@pytest.mark.parametrize("title", re.findall(r"title: (.+)", default_text()))
def test_the_collections_of_a_new_archive_are_called_in_the_language_of_the_window(
    title: str,
) -> None:
    assert title in words._COLLECTIONS
    assert words.collection_title(title, "all") == title
    assert words.collection_title("Our own", "own") == "Our own"
    assert words.collection_title("", "own") == "own"
