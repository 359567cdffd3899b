# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the system hands over: names are previewed, files imported."""

from pathlib import Path

import pytest

from desktop.conftest import Stage
from support import fake_datasets as sets
from support.fake_script import Script


@pytest.fixture
def imported(monkeypatch: pytest.MonkeyPatch) -> list[list[Path]]:
    """What imports were begun with."""
    begun: list[list[Path]] = []
    monkeypatch.setattr(
        "carrel_desktop.importing.Importing.begin", lambda self, paths: begun.append(list(paths))
    )
    return begun


def test_a_doi_is_previewed(stage: Stage, imported: list[list[Path]]) -> None:
    window, engine = stage.window(sets.script())

    window.open_items(["doi:10.5072/FK2/TIDES5"])
    stage.wait(lambda: any(each.startswith("preview ") for each in engine.calls))

    assert window.page is window.pages.archive
    assert imported == []


def test_a_file_is_imported_by_path_or_address(
    stage: Stage, imported: list[list[Path]], tmp_path: Path
) -> None:
    first, second = tmp_path / "a.warc.gz", tmp_path / "b c.wacz"
    first.touch()
    second.touch()

    stage.window(Script())[0].open_items([str(first), second.as_uri()])

    assert imported == [[first, second]]
