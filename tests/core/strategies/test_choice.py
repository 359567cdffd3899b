# SPDX-License-Identifier: AGPL-3.0-or-later
"""The choice of a strategy: at each threshold, with its reason, and overruled."""

from dataclasses import replace

import pytest

from carrel.errors import IngestStop
from carrel.model import (
    Destination,
    Fixity,
    IngestOptions,
    IngestStrategy,
    ManifestFile,
    PlatformItem,
    Status,
    StrategyChoice,
)
from carrel.model.sizes import in_words
from carrel.settings import ArchiveOrg, Settings
from carrel.settings import Strategy as Thresholds
from carrel.strategies.choice import choose

SETTINGS = Settings(
    strategy=Thresholds(
        web_file_max_size=1000,
        web_total_max_size=5000,
        web_max_file_count=10,
        bundle_from_file_count=12,
    )
)
BY_RULE = replace(SETTINGS, archiveorg=ArchiveOrg(by_rule=True))
FILE, FILESET = IngestStrategy.WEB_FILE, IngestStrategy.WEB_FILESET
BUNDLED = IngestStrategy.WEB_FILESET_BUNDLED
IA_FILE, IA_FILESET = IngestStrategy.ARCHIVEORG_FILE, IngestStrategy.ARCHIVEORG_FILESET


def item(*sizes: int | None, bundle: str | None = None) -> PlatformItem:
    files = tuple(ManifestFile(f"{n}", declared=Fixity(size)) for n, size in enumerate(sizes))
    return PlatformItem("dataverse", "data.example", "1", files, web_bundle_url=bundle)


@pytest.mark.parametrize(
    ("sizes", "strategy", "words"),
    [
        ((0,), FILE, "One file of 0 bytes, below the limit of 1000 bytes."),
        ((999,), FILE, "below the limit"),
        ((1000,), IA_FILE, "from 1000 bytes on"),
        ((None,), FILE, "of unknown size"),
        ((1, 1), FILESET, "2 files, 2 bytes in all"),
        ((500,) * 10, FILESET, "within the limits"),
        ((1,) * 11, IA_FILESET, "over the limit of 10 files"),
        ((999,) * 5 + (5,), FILESET, "within the limits"),
        ((999,) * 5 + (6,), IA_FILESET, "over the limit of 4.9 KiB in all"),
        ((1, 999), FILESET, "within the limits"),
        ((1, 1000), IA_FILESET, "1000 bytes a file"),
        ((None,), FILE, "of unknown size, which is counted as it arrives."),
        ((None, None), FILESET, "2 files of unknown size, which are counted as they arrive"),
        ((5, None), FILESET, "2 files, 1 of unknown size, the others 5 bytes in all"),
        ((1000, None), IA_FILESET, "over the limit of 1000 bytes a file"),
    ],
)
def test_the_rule_that_chose_is_told(
    sizes: tuple[int | None, ...], strategy: IngestStrategy, words: str
) -> None:
    found = choose(item(*sizes), BY_RULE, has_keys=True)

    assert (found.strategy, found.is_overruled) == (strategy, False)
    assert words in found.reason


@pytest.mark.parametrize(
    ("sizes", "instead", "preferred"),
    [((1000,), FILE, IA_FILE), ((1,) * 11, FILESET, IA_FILESET)],
)
def test_nothing_is_published_by_rule_unless_the_settings_say_so(
    sizes: tuple[int, ...], instead: IngestStrategy, preferred: IngestStrategy
) -> None:
    found = choose(item(*sizes), SETTINGS, has_keys=True)

    assert found.strategy is instead
    why = (
        f"The rule then is an item at archive.org ({preferred}), but the settings do not allow it."
    )
    assert why in found.reason


def test_without_keys_the_rule_falls_back_and_says_so() -> None:
    found = choose(item(1000), BY_RULE, has_keys=False)

    assert found.strategy is FILE
    assert "no keys for it are stored" in found.reason
    assert "own WARCs" in found.reason


def test_very_many_files_are_taken_as_the_platforms_bundle() -> None:
    many = (1,) * 12

    with_bundle = choose(item(*many, bundle="https://data.example/zip"), SETTINGS)
    fewer = choose(item(*many[1:], bundle="https://data.example/zip"), SETTINGS)

    assert with_bundle.strategy is BUNDLED
    assert "With 12 files or more" in with_bundle.reason
    assert "which hold any number of files, of any size." in fewer.reason
    assert [fewer.strategy, choose(item(*many), SETTINGS).strategy] == [FILESET, FILESET]


@pytest.mark.parametrize("asked", [FILE, FILESET, IA_FILE, IA_FILESET])
def test_the_person_overrules_the_rules(asked: IngestStrategy) -> None:
    assert choose(item(10**9), SETTINGS, IngestOptions(asked)) == StrategyChoice(
        asked, "You asked for it.", is_overruled=True
    )


@pytest.mark.parametrize(
    ("asked", "sizes", "words"),
    [
        (FILE, (1, 2), "keeps one file"),
        (IA_FILE, (1, 2), "keeps one file"),
        (BUNDLED, (1, 2), "no archive of all files"),
        (IngestStrategy.ARCHIVEORG_FILESET_BUNDLED, (1, 2), "no archive of all files"),
    ],
)
def test_what_does_not_fit_the_dataset_is_refused(
    asked: IngestStrategy, sizes: tuple[int, ...], words: str
) -> None:
    with pytest.raises(IngestStop, match=words) as stop:
        choose(item(*sizes), SETTINGS, IngestOptions(asked))

    assert stop.value.status is Status.NO_STRATEGY_HELPER


THERE = (Destination.WAYBACK,)
BOTH = (Destination.ARCHIVE, Destination.WAYBACK)
ITEM_BUNDLED = IngestStrategy.ARCHIVEORG_FILESET_BUNDLED


@pytest.mark.parametrize("to", [THERE, BOTH])
@pytest.mark.parametrize(
    ("sizes", "strategy"), [((5000,), FILE), ((1, 1), FILESET), ((1,) * 12, FILESET)]
)
def test_what_is_to_be_in_the_wayback_machine_is_captured_file_by_file(
    sizes: tuple[int, ...], strategy: IngestStrategy, to: tuple[Destination, ...]
) -> None:
    dataset = item(*sizes, bundle="https://data.example/zip")

    found = choose(dataset, BY_RULE, IngestOptions(to=to), has_keys=True)

    assert found.strategy is strategy
    assert "The Wayback Machine, which you asked for" in found.reason


@pytest.mark.parametrize("to", [THERE, BOTH])
@pytest.mark.parametrize("asked", [BUNDLED, IA_FILE, IA_FILESET, ITEM_BUNDLED])
def test_a_strategy_without_captures_is_refused_with_the_wayback_machine(
    asked: IngestStrategy, to: tuple[Destination, ...]
) -> None:
    dataset = item(1, bundle="https://data.example/zip")

    with pytest.raises(IngestStop, match="no captures to the Wayback Machine") as stop:
        choose(dataset, SETTINGS, IngestOptions(asked, to=to), has_keys=True)

    assert stop.value.status is Status.NO_STRATEGY_HELPER


@pytest.mark.parametrize("asked", [None, FILE, FILESET, BUNDLED])
def test_the_name_of_an_item_is_not_passed_over(asked: IngestStrategy | None) -> None:
    dataset = item(1, bundle="https://data.example/zip")

    with pytest.raises(IngestStop, match=r"An item on archive\.org was named \(ours\)") as stop:
        choose(dataset, SETTINGS, IngestOptions(asked, item_name="ours"))

    assert stop.value.status is Status.NO_STRATEGY_HELPER


def test_the_name_of_an_item_goes_with_what_the_rule_sends_there() -> None:
    options = IngestOptions(item_name="ours")

    assert choose(item(1000), BY_RULE, options, has_keys=True).strategy is IA_FILE


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 bytes"),
        (1023, "1023 bytes"),
        (1024, "1.0 KiB"),
        (64 * 1024**2, "64.0 MiB"),
        (1024**3, "1.0 GiB"),
        (5 * 1024**4, "5.0 TiB"),
        (5000 * 1024**4, "5000.0 TiB"),
    ],
)
def test_sizes_are_told_in_words(size: int, words: str) -> None:
    assert in_words(size) == words
