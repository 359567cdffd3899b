# SPDX-License-Identifier: AGPL-3.0-or-later
"""The desk on a real archive: what it reads, and what it says when the folder is gone."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from carrel.archive import Archive
from carrel.errors import ArchiveError
from carrel_desktop.desk import Desk
from carrel_desktop.views.holdings.model import Holding, holding_of
from desktop.conftest import Stage
from support import fake_datasets as sets


def filled(root: Path) -> list[Holding]:
    """Make an archive whose ledger knows of some results; return their rows, from all of them."""
    with Archive.create_or_open(root) as archive:
        for result in sets.holdings():
            archive.ledger.start(result.ingest_id or "", result.request, result.started or "")
            archive.ledger.finish(result, (), {})
        return [holding_of(whole) for whole in archive.ledger.holdings.listed()]


def opened(stage: Stage, root: Path) -> Desk:
    desk = Desk(root)
    stage._desks.append(desk)
    assert stage.run(desk.open())
    return desk


def test_the_rows_of_holdings_need_no_whole_results(stage: Stage, tmp_path: Path) -> None:
    of_whole = filled(tmp_path)
    desk = opened(stage, tmp_path)
    given: list[set[str]] = []

    def shape(fields: Mapping[str, Any]) -> Holding:
        given.append(set(fields))
        return holding_of(fields)

    rows = stage.run(desk.read_results(shape))

    assert len(rows) == 6
    assert rows == of_whole
    assert not {"manifest", "html_biblio", "findings", "hops"} & set().union(*given)


def test_results_are_shaped_while_they_are_read(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not first read and then shaped: a hundred thousand results are a gigabyte."""
    filled(tmp_path)
    desk = opened(stage, tmp_path)
    engine = desk._open_engine()
    log: list[str] = []

    def two(_asked: object = None) -> Any:
        for number in range(2):
            log.append(f"read {number}")
            yield {"number": number}

    monkeypatch.setattr(engine, "overview", two)
    stage.run(desk.read_results(lambda fields: log.append(f"shaped {fields['number']}")))

    assert log == ["read 0", "shaped 0", "read 1", "shaped 1"]


def test_an_archive_that_was_taken_away_is_told_of(stage: Stage, tmp_path: Path) -> None:
    root = tmp_path / "archive"
    filled(root)
    desk = opened(stage, root)
    said: list[str] = []
    desk.troubled.connect(said.append)

    async def measure() -> None:
        task = desk.start(desk.measure_free())
        assert task is not None
        await task

    root.rename(tmp_path / "elsewhere")
    root.mkdir()
    for _ in range(2):  # it is measured every ten seconds
        stage.run(measure())
    root.rmdir()
    (tmp_path / "elsewhere").rename(root)
    stage.run(measure())

    assert len(said) == 1
    assert f"{root} was replaced by another one" in said[0]
    assert desk.free_bytes is not None


def test_the_place_is_looked_at_before_room_is_measured(stage: Stage) -> None:
    desk, engine = stage.desk(sets.script())
    engine.script = replace(engine.script, place_error=ArchiveError("Gone."))

    with pytest.raises(ArchiveError, match="Gone"):
        stage.run(desk.measure_free())

    assert desk.free_bytes is None
