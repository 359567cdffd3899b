# SPDX-License-Identifier: AGPL-3.0-or-later
"""In whatever order archives are merged that know the same ingest, the same comes of it."""

import asyncio
import shutil
from itertools import permutations
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.importing import import_files
from carrel.engine.merging import Merged, merge
from carrel.engine.verification import verify
from carrel.model.exports import ExportForm
from support.archives import ingest, new_archive
from support.exports import exported, only, tree
from support.held import hold, spoil_payload
from support.lived_in import page_of, rows
from support.wire import WireServer, reply

CAPTURES = "SELECT record_id, ingest_id FROM captures ORDER BY record_id"


def merged(target: Path, *sources: Path) -> Merged:
    with Archive.create_or_open(target) as archive:
        return merge(archive, sources, lambda done, total: None)


@pytest.fixture
def retried(tmp_path: Path) -> list[Path]:
    """Two archives: of a dataset archived in part, and of the same, which was retried there."""
    old, new = new_archive(tmp_path / "old"), tmp_path / "new"
    with WireServer() as server:
        url = page_of(server, "tides", {"a": b"The tide came late.\n", "b": b"It went.\n"})
        server.serve("/tides/b", reply(b"", "404 Not Found"))
        ingest(old, url)
        shutil.copytree(old, new)
        server.serve("/tides/b", reply(b"It went.\n"))
        ingest(new, url)
    return [old, new]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_an_ingest_that_rests_on_another_one_is_verified_in_any_order(
    tmp_path: Path, retried: list[Path], order: tuple[int, ...]
) -> None:
    merged(tmp_path / "all", *(retried[each] for each in order))

    assert rows(
        tmp_path / "all", "SELECT hit, verified > '' FROM results JOIN holdings USING (ingest_id)"
    ) == [(1, 1)]


def test_it_is_verified_where_the_other_one_came_long_before(
    tmp_path: Path, retried: list[Path]
) -> None:
    target = tmp_path / "all"
    merged(target, retried[0])
    with Archive.create_or_open(target) as archive:
        db = archive.ledger._connection.db
        db.execute("UPDATE record_fixity SET checked = '2026-01-01T00:00:00Z'")
        db.conn.commit()

    merged(target, retried[1])

    assert rows(target, "SELECT verified > '' FROM holdings") == [(1,)]
    of_files = (
        "SELECT count(*), sum(checked >= (SELECT max(started) FROM verifications))"
        " FROM holdings JOIN files USING (ingest_id) JOIN record_fixity ON record_id = capture_id"
    )
    assert rows(target, of_files) == [(2, 2)]


def test_damage_of_what_it_rests_on_is_found(tmp_path: Path, retried: list[Path]) -> None:
    target = tmp_path / "all"
    merged(target, retried[0])
    ((first,),) = rows(target, "SELECT ingest_id FROM results")
    for path in (target, retried[1]):
        with Archive.open_for_reading(path) as archive:
            spoil_payload(archive, first, 0)

    done = merged(target, retried[1])

    assert not done.is_whole
    assert rows(target, "SELECT failed FROM holdings") == [(1,)]
    assert rows(target, "SELECT max(failed) FROM verifications") == [(1,)]


@pytest.fixture
def damaged_and_imported(tmp_path: Path) -> list[Path]:
    """Two archives with one ingest: damaged in one, and in the other imported from an export."""
    damaged, other = tmp_path / "damaged", tmp_path / "imported"
    with Archive.create_or_open(damaged) as archive, WireServer() as server:
        hold(archive, server, {"a.txt": b"The tide came late.\n"})
        _, bag = only(exported(archive, ExportForm.BAGIT, tmp_path / "out", "1"))
        spoil_payload(archive, "1", 0)
    with Archive.create_or_open(other) as archive:
        (done,) = import_files(archive, [bag], lambda done, total: None)
        assert not done.trouble
    return [damaged, other]


def test_intact_bytes_of_an_ingest_that_is_damaged_come_in_any_order(
    tmp_path: Path, damaged_and_imported: list[Path]
) -> None:
    targets: list[Path] = []
    for order in permutations(damaged_and_imported):
        targets.append(tmp_path / f"all-{len(targets)}")
        merged(targets[-1], *order)

    assert rows(targets[0], CAPTURES) == rows(targets[1], CAPTURES)
    for target in targets:
        with Archive.create_or_open(target) as archive:
            asyncio.run(verify(archive))
            assert not archive.index.faults()
        assert rows(target, "SELECT failed - twinned FROM holdings") == [(0,)]
        with Archive.open_for_reading(target) as archive:
            report = exported(archive, ExportForm.FILES, tmp_path / f"{target.name}-out", "1")
            assert tree(only(report)[1] / "data") == {"a.txt": b"The tide came late.\n"}
