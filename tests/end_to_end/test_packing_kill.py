# SPDX-License-Identifier: AGPL-3.0-or-later
"""Killed at whatever step of packing: there is one truth, and the next run ends what was begun."""

import asyncio
import hashlib
import itertools
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from carrel.archive import Archive
from carrel.engine.packing import pack
from carrel.engine.rebuilding import rebuild
from carrel.engine.recovery import recover
from carrel.engine.verification import verify
from support import killed_packing
from support.archives import CORE, environment, ingest, new_archive
from support.records import read_warcs
from support.wire import WireServer, dataset_page, reply

DATASETS = 4
TESTS = Path(__file__).parents[1]


@contextmanager
def ready() -> Iterator[Callable[[int, Path], tuple[int, int]]]:
    """Give what packs an archive up to a step, and returns how that ended and after how many."""
    with subprocess.Popen(
        [sys.executable, killed_packing.__file__],
        env=environment(PYTHONPATH=f"{CORE}:{TESTS}"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        told, asked = running.stdout, running.stdin

        def run(step: int, archive: Path) -> tuple[int, int]:
            print(step, archive, file=asked, flush=True)
            code, steps = told.readline().split()
            return int(code), int(steps)

        yield run


def archived(server: WireServer, path: Path) -> Path:
    archive = new_archive(path)
    pages = []
    for number in range(DATASETS):
        body = f"the {number}th curlew was heard after dark".encode()
        url = server.serve(f"/{number}.txt", reply(body))
        file = {"name": "a.txt", "contentUrl": url, "sha256": hashlib.sha256(body).hexdigest()}
        pages.append(dataset_page(server, [file], f"/{number}", identifier=str(number)))
    ingest(archive, *pages)
    return archive


def warcs(archive: Path) -> list[Path]:
    return sorted((archive / "collections/main/archive").iterdir())


def check_true(archive: Path) -> None:
    """Assert that whoever opens it, for reading too, finds all of it, and the index to be right."""
    read_warcs(archive / "collections/main/archive")
    with Archive.open_for_reading(archive) as opened:
        assert asyncio.run(verify(opened)).is_intact
    with Archive.create_or_open(archive) as opened:
        recover(opened)
        assert not opened.index.faults()


def test_killed_at_every_step_there_is_one_truth(server: WireServer, tmp_path: Path) -> None:
    whole = archived(server, tmp_path / "whole")

    with ready() as run:
        for step in itertools.count(1):
            archive = Path(shutil.copytree(whole, tmp_path / "killed"))
            code, _ = run(step, archive)
            if code == 0:
                break
            assert code == -signal.SIGKILL, step
            lost = Path(shutil.copytree(archive, tmp_path / "lost"))

            check_true(archive)
            with Archive.create_or_open(archive) as opened:
                recover(opened)
                pack(opened, lambda done, total: None, size=1024**3)

            assert len(warcs(archive)) == 1, step
            check_true(archive)
            assert rebuild(archive, lambda done, total: None).differences == [], step
            assert [each for each in (archive / "staging").iterdir() if each.is_dir()] == [], step
            for ledger in lost.glob("carrel.sqlite*"):
                ledger.unlink()
            assert rebuild(lost, lambda done, total: None).is_whole, step
            check_true(lost)
            shutil.rmtree(archive)
            shutil.rmtree(lost)

    assert step > 20
