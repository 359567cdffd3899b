# SPDX-License-Identifier: AGPL-3.0-or-later
"""A merging that is killed at whatever step leaves an archive that is whole as far as it goes, and
goes on where it was."""

import asyncio
import itertools
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.merging import merge
from carrel.engine.rebuilding import rebuild
from carrel.engine.recovery import recover
from carrel.engine.verification import verify
from support import killed_merge
from support.archives import environment
from support.lived_in import live, rows, tree, worker
from support.wire import WireServer

SHARES = 4
ATTEMPTS = "SELECT ingest_id, status, result FROM results ORDER BY ingest_id"


@contextmanager
def ready(*sources: Path) -> Iterator[Callable[[int, Path], int]]:
    """Give what merges in another process until a step, and returns how that ended."""
    with subprocess.Popen(
        [sys.executable, killed_merge.__file__, "-", "1", *map(str, sources)],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        told, asked = running.stdout, running.stdin

        def run(step: int, target: Path) -> int:
            print(step, target, file=asked, flush=True)
            return int(told.readline())

        yield run


def check_visible(target: Path) -> None:
    """Assert that what the ledger tells of is there, and whole."""
    if (target / "carrel.sqlite").exists():
        with Archive.open_for_reading(target) as archive:
            assert asyncio.run(verify(archive, unnoted_because="a look")).is_intact


@pytest.mark.parametrize("share", range(SHARES))
def test_killed_at_every_step_it_ends_as_if_nothing_had_happened(
    server: WireServer, tmp_path: Path, share: int
) -> None:
    """Each share kills at other steps, so that several processes may take the test."""
    one = worker(server, tmp_path / "one", "w1", "tides", "surf")
    two = worker(server, tmp_path / "two", "w2", "dunes", "tides")
    live(one, rows(one, "SELECT base_url FROM results WHERE hit")[0][0], "north")
    before = tree(one), tree(two)
    expected = sorted(rows(one, ATTEMPTS) + rows(two, ATTEMPTS))

    with ready(one, two) as run:
        for step in itertools.count(1 + share, SHARES):
            target = tmp_path / str(step)
            code = run(step, target)
            check_visible(target)
            if code == 0:
                break
            assert code == -signal.SIGKILL
            warcs = target / "collections" / "main" / "archive"
            there = {path.name: path.stat().st_ino for path in warcs.glob("*.warc.gz")}

            with Archive.create_or_open(target) as archive:
                recover(archive)
                assert merge(archive, [one, two], lambda done, total: None).is_whole

            assert rows(target, ATTEMPTS) == expected
            now = {path.name: path.stat().st_ino for path in warcs.iterdir()}
            assert there.items() <= now.items()
            assert len(now) == len([*one.rglob("*.warc.gz"), *two.rglob("*.warc.gz")])
            made = rebuild(target, lambda done, total: None)
            assert made.is_same, made.differences
            with Archive.open_for_reading(target) as archive:
                assert not archive.index.faults()

    assert (tree(one), tree(two)) == before
