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
        ((500,) * 10, FILESET, "small enough"),
        ((1,) * 11, IA_FILESET, ": beyond 10 files, an item at archive.org"),
        ((999,) * 5 + (5,), FILESET, "small enough"),
        ((999,) * 5 + (6,), IA_FILESET, ": beyond 4.9 KiB in all"),
        ((1, 999), FILESET, "small enough"),
        ((1, 1000), IA_FILESET, "1000 bytes a file"),
        ((None,), FILE, "of unknown size, which is measured as it arrives."),
        ((None, None), FILESET, "2 files of unknown size, which are measured as they arrive"),
        ((5, None), FILESET, "2 files, 1 of unknown size, the others 5 bytes in all"),
        ((1000, None), IA_FILESET, ": beyond 1000 bytes a file"),
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
    assert "an item at archive.org is the usual strategy" in found.reason
    assert f"No such item ({preferred}) is made: the settings do not allow uploads." in found.reason


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
    assert "From 12 files on" in with_bundle.reason
    assert "Each file is stored in the archive's own WARCs instead." in fewer.reason
    assert [fewer.strategy, choose(item(*many), SETTINGS).strategy] == [FILESET, FILESET]


@pytest.mark.parametrize("asked", [FILE, FILESET, IA_FILE, IA_FILESET])
def test_the_person_overrules_the_rules(asked: IngestStrategy) -> None:
    assert choose(item(10**9), SETTINGS, IngestOptions(asked)) == StrategyChoice(
        asked, "You chose this strategy.", is_overruled=True
    )


@pytest.mark.parametrize(
    ("asked", "sizes", "words"),
    [
        (FILE, (1, 2), "archives a single file"),
        (IA_FILE, (1, 2), "archives a single file"),
        (BUNDLED, (1, 2), "no bundle of all files"),
        (IngestStrategy.ARCHIVEORG_FILESET_BUNDLED, (1, 2), "no bundle of all files"),
    ],
)
def test_what_does_not_fit_the_dataset_is_refused(
    asked: IngestStrategy, sizes: tuple[int, ...], words: str
) -> None:
    with pytest.raises(IngestStop, match=words) as stop:
        choose(item(*sizes), SETTINGS, IngestOptions(asked))

    assert stop.value.status is Status.NO_STRATEGY_HELPER


WAYBACK, BOTH = (Destination.WAYBACK,), tuple(Destination)


@pytest.mark.parametrize("to", [WAYBACK, BOTH])
@pytest.mark.parametrize(
    ("asked", "sizes", "instead"),
    [
        (BUNDLED, (1, 2), FILESET),
        (IA_FILE, (1,), FILE),
        (IA_FILESET, (1, 2), FILESET),
        (IngestStrategy.ARCHIVEORG_FILESET_BUNDLED, (1, 2), FILESET),
    ],
)
def test_a_strategy_that_brings_nothing_to_the_wayback_machine_is_refused(
    asked: IngestStrategy,
    sizes: tuple[int, ...],
    instead: IngestStrategy,
    to: tuple[Destination, ...],
) -> None:
    whole = item(*sizes, bundle="https://data.example/zip")

    with pytest.raises(IngestStop, match=f"Wayback Machine.* Choose {instead}") as stop:
        choose(whole, SETTINGS, IngestOptions(asked, to=to), has_keys=True)

    assert stop.value.status is Status.NO_STRATEGY_HELPER


@pytest.mark.parametrize("to", [WAYBACK, BOTH])
@pytest.mark.parametrize(
    ("sizes", "settings", "chosen"),
    [
        ((1000,), BY_RULE, FILE),
        ((1,) * 11, BY_RULE, FILESET),
        ((1,) * 12, SETTINGS, FILESET),
    ],
)
def test_for_the_wayback_machine_the_rules_choose_captures_of_files(
    sizes: tuple[int, ...],
    settings: Settings,
    chosen: IngestStrategy,
    to: tuple[Destination, ...],
) -> None:
    large = item(*sizes, bundle="https://data.example/zip")

    found = choose(large, settings, IngestOptions(to=to), has_keys=True)

    assert (found.strategy, found.is_overruled) == (chosen, False)
    assert "You chose the Wayback Machine" in found.reason


@pytest.mark.parametrize(
    ("asked", "sizes", "instead"),
    [
        (None, (1,), IA_FILE),
        (None, (1, 2), IA_FILESET),
        (FILESET, (1, 2), IA_FILESET),
        (BUNDLED, (1, 2), IA_FILESET),
    ],
)
def test_an_item_is_not_named_for_a_strategy_that_makes_none(
    asked: IngestStrategy | None, sizes: tuple[int, ...], instead: IngestStrategy
) -> None:
    options = IngestOptions(asked, item_name="my-item")
    whole = item(*sizes, bundle="https://data.example/zip")

    with pytest.raises(IngestStop, match=f"“my-item”.* Choose {instead}") as stop:
        choose(whole, SETTINGS, options, has_keys=True)

    assert stop.value.status is Status.NO_STRATEGY_HELPER


@pytest.mark.parametrize("asked", [IA_FILESET, None])
def test_an_item_can_be_named_where_one_is_made(asked: IngestStrategy | None) -> None:
    options = IngestOptions(asked, item_name="my-item")

    assert choose(item(1, 1000), BY_RULE, options, has_keys=True).strategy is IA_FILESET


def test_a_bundle_that_is_a_file_of_the_dataset_is_none() -> None:
    many = item(*(1,) * 12)
    url = "https://data.example/all.zip"
    own = replace(many.manifest[0], platform_url=url)
    whole = replace(many, manifest=(own, *many.manifest[1:]), web_bundle_url=url)

    by_rule = choose(whole, SETTINGS)
    with pytest.raises(IngestStop, match="is a file of the dataset") as stop:
        choose(whole, SETTINGS, IngestOptions(BUNDLED))

    assert by_rule.strategy is FILESET
    assert stop.value.status is Status.NO_STRATEGY_HELPER


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
