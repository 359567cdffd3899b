# SPDX-License-Identifier: AGPL-3.0-or-later
"""The session on a real archive: what it reads, and what it says when the folder is gone."""

from dataclasses import replace
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.errors import ArchiveError
from carrel_desktop.session import Session
from desktop.conftest import Stage
from support import fake_datasets as sets


def filled(root: Path) -> None:
    """Make an archive whose ledger knows of some results."""
    with Archive.create_or_open(root) as archive:
        for result in sets.holdings():
            archive.ledger.ingests.start(
                result.ingest_id or "", result.request, result.started or ""
            )
            archive.ledger.ingests.finish(result, (), {})


def opened(stage: Stage, root: Path) -> Session:
    session = Session(root)
    stage._sessions.append(session)
    assert stage.run(session.open())
    return session


def test_an_archive_that_was_taken_away_is_told_of(stage: Stage, tmp_path: Path) -> None:
    root = tmp_path / "archive"
    filled(root)
    session = opened(stage, root)
    said: list[str] = []
    session.troubled.connect(said.append)
    over: list[str] = []
    session.is_over.connect(over.append)

    async def measure() -> None:
        task = session.start(session.measure_free())
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
    assert over == said
    assert f"{root} was replaced by another one" in said[0]
    assert session.free_bytes is not None


def test_the_place_is_looked_at_before_room_is_measured(stage: Stage) -> None:
    session, engine = stage.session(sets.script())
    engine.script = replace(engine.script, place_error=ArchiveError("Gone."))

    with pytest.raises(ArchiveError, match="Gone"):
        stage.run(session.measure_free())

    assert session.free_bytes is None
