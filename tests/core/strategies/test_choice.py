# SPDX-License-Identifier: AGPL-3.0-or-later
"""The choice of a strategy: at each threshold, with its reason, and overruled."""

import pytest

from carrel.errors import IngestStop
from carrel.model import (
    BUILT_STRATEGIES,
    Fixity,
    IngestStrategy,
    ManifestFile,
    Status,
    StrategyChoice,
)
from carrel.settings import Strategy as Thresholds
from carrel.strategies import choice
from carrel.strategies.choice import choose, in_words

THRESHOLDS = Thresholds(web_file_max_size=1000, web_total_max_size=5000, web_max_file_count=10)
FILE, FILESET = IngestStrategy.WEB_FILE, IngestStrategy.WEB_FILESET
IA_FILE, IA_FILESET = IngestStrategy.ARCHIVEORG_FILE, IngestStrategy.ARCHIVEORG_FILESET


def manifest(*sizes: int | None) -> list[ManifestFile]:
    return [ManifestFile(f"{n}", declared=Fixity(size)) for n, size in enumerate(sizes)]


@pytest.fixture
def _everything_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "BUILT_STRATEGIES", frozenset(IngestStrategy))


@pytest.mark.usefixtures("_everything_is_built")
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
        ((None, None), FILESET, "2 files"),
    ],
)
def test_the_rule_that_chose_is_told(
    sizes: tuple[int | None, ...], strategy: IngestStrategy, words: str
) -> None:
    found = choose(manifest(*sizes), THRESHOLDS)

    assert (found.strategy, found.is_overruled) == (strategy, False)
    assert words in found.reason


@pytest.mark.parametrize(
    ("sizes", "instead", "preferred"),
    [((1000,), FILE, IA_FILE), ((1,) * 11, FILESET, IA_FILESET)],
)
def test_what_is_not_built_is_replaced_and_named(
    sizes: tuple[int, ...], instead: IngestStrategy, preferred: IngestStrategy
) -> None:
    found = choose(manifest(*sizes), THRESHOLDS)

    assert found.strategy is instead
    assert f"{preferred}, which is not built yet" in found.reason


@pytest.mark.parametrize("asked", BUILT_STRATEGIES)
def test_the_person_overrules_the_rules(asked: IngestStrategy) -> None:
    assert choose(manifest(10**9), THRESHOLDS, asked) == StrategyChoice(
        asked, "You asked for it.", is_overruled=True
    )


@pytest.mark.parametrize("asked", sorted(set(IngestStrategy) - BUILT_STRATEGIES))
def test_a_strategy_that_is_not_built_says_so(asked: IngestStrategy) -> None:
    with pytest.raises(IngestStop, match=f"{asked} is not built yet") as stop:
        choose(manifest(1), THRESHOLDS, asked)

    assert stop.value.status is Status.NO_STRATEGY_HELPER


def test_a_strategy_for_one_file_is_not_for_two() -> None:
    with pytest.raises(IngestStop, match="keeps one file") as stop:
        choose(manifest(1, 2), THRESHOLDS, FILE)

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
