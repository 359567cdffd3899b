# SPDX-License-Identifier: AGPL-3.0-or-later
"""What `import carrel` offers to programs: these names and no others, loaded when asked for."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import carrel
from support.archives import environment

NAMES = [
    "Answer",
    "ApiStop",
    "Archive",
    "ArchiveError",
    "ArchiveFull",
    "ArchiveLocked",
    "CarrelError",
    "ConfigError",
    "Destination",
    "Engine",
    "Event",
    "Fate",
    "Finding",
    "Fixity",
    "Found",
    "Held",
    "Holdings",
    "Identifier",
    "IngestFilesetResult",
    "IngestOptions",
    "IngestRequest",
    "IngestStop",
    "IngestStrategy",
    "Job",
    "JobState",
    "JournalDamaged",
    "JournalTooNew",
    "LedgerLost",
    "ManifestFile",
    "Memento",
    "Mementos",
    "NoKeyring",
    "NotAnArchive",
    "NotFetchable",
    "NotLoaded",
    "NothingLoaded",
    "Paste",
    "PlatformItem",
    "QueryError",
    "Question",
    "Queue",
    "RecordCheck",
    "Scheme",
    "Settings",
    "SettingsError",
    "SourceReport",
    "SourceState",
    "SourceTrouble",
    "Stage",
    "Status",
    "StrategyChoice",
    "UsageError",
    "VerificationReport",
    "find_mementos",
    "ingest",
    "own_settings",
    "preview",
    "settings_of",
]


def test_the_names_are_these() -> None:
    assert carrel.__all__ == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_each_name_is_there(name: str) -> None:
    assert getattr(carrel, name).__name__ == name


def test_the_types_are_of_the_same_names() -> None:
    stub = Path(carrel.__file__).with_suffix(".pyi")
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    imports = [each for each in tree.body if isinstance(each, ast.ImportFrom)]

    assert sorted(name.name for each in imports for name in each.names) == NAMES


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(AttributeError, match="no attribute 'prewiev'"):
        getattr(carrel, "prewiev")  # noqa: B009 - to a type checker it is an error


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    code = "import sys; before = set(sys.modules); import carrel; print(*set(sys.modules) - before)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )

    assert loaded.stdout.split() == ["carrel"]
