# SPDX-License-Identifier: AGPL-3.0-or-later
"""Requests that came in messages: a process that ended before the ledger knew leaves the truth."""

import asyncio
from pathlib import Path

import pytest

from carrel.demo import DemoRepository
from carrel.engine import Engine
from carrel.engine.delivered import MOST_TRIES
from carrel.ledger.deliveries import Coordinates
from carrel.ledger.ingests import Ingests
from carrel.model import IngestRequest, Status
from support.archives import carrel, new_archive

AT = Coordinates("cluster", "requests", 0, 7)


async def interrupted(engine: Engine, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a delivery as a kill does between the last WARC and the ledger."""

    def ends(*_: object) -> None:
        raise OSError("the process ended")

    delivery = await engine.deliveries.accept(AT, IngestRequest(url), "w1")
    with monkeypatch.context() as patched:
        patched.setattr(Ingests, "finish", ends)
        answered = await engine.deliveries.answer(delivery)
    assert answered.result is None


@pytest.mark.parametrize("how", ["answered elsewhere", "given up"])
def test_what_was_archived_but_for_the_ledger_comes_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    archive = new_archive(tmp_path / "archive")

    async def run(url: str) -> Status:
        async with Engine.open(archive) as engine:
            deliveries = engine.deliveries
            await interrupted(engine, url, monkeypatch)
            (left,) = await deliveries.left_behind()
            if how == "answered elsewhere":
                await deliveries.let_go(left)
            else:
                for _ in range(MOST_TRIES - left.tries):
                    left = engine.archive.ledger.deliveries.begin(left)
                await deliveries.answer(left)
            return (await deliveries.answer(left)).status

    with DemoRepository() as repository:
        status = asyncio.run(run(repository.dataset("DIARY3").url(repository)))

    merged = carrel("archive", "merge", archive, "--into", tmp_path / "merged")
    assert status is Status.SUCCESS
    assert merged.code == 0, merged.out + merged.err
    assert [path.name for path in (archive / "staging").iterdir() if path.is_dir()] == []
