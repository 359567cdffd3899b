# SPDX-License-Identifier: AGPL-3.0-or-later
"""What comes in by import or merging was verified by no run of an archive it was not yet in."""

import asyncio
import csv
import io
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.fixity_reports import fixity_report
from carrel.engine.importing import Given, Imported, import_files
from carrel.engine.merging import merge
from carrel.engine.verification import verify
from carrel.ledger.fixity import RunFixity
from carrel.model.exports import ExportForm
from carrel.model.holdings import HoldingRow, HoldingsQuery
from carrel.model.iso_time import iso_now
from support.archives import new_archive
from support.exports import exported, only
from support.held import hold
from support.packages import FILES
from support.wire import WireServer


def imported(archive: Path, *paths: Path, title: str = "") -> Sequence[Imported]:
    with Archive.create_or_open(archive) as opened:
        return list(import_files(opened, paths, lambda done, total: None, Given(title=title)))


def verified(archive: Path) -> None:
    time.sleep(1.1)  # moments are noted by the second
    with Archive.create_or_open(archive) as opened:
        assert asyncio.run(verify(opened)).is_sound
    time.sleep(1.1)


def holdings(archive: Archive) -> Sequence[HoldingRow]:
    catalogue = archive.ledger.catalogue
    return catalogue.rows(catalogue.find(HoldingsQuery(), iso_now()))


@pytest.fixture(params=[ExportForm.FILES, ExportForm.BAGIT, ExportForm.ROCRATE, ExportForm.WACZ])
def export(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An export of a dataset that another archive has had for longer."""
    ours = new_archive(tmp_path / "ours")
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        hold(archive, server, FILES)
        return only(exported(archive, request.param, tmp_path / "out", "1"))[1]


def test_a_verification_before_an_import_did_not_read_it(export: Path, tmp_path: Path) -> None:
    theirs, file = tmp_path / "theirs", tmp_path / "data.csv"
    file.write_bytes(b"first")
    imported(theirs, file, title="First")
    verified(theirs)
    imported(theirs, export)

    with Archive.open_for_reading(theirs) as archive:
        ledger, today = archive.ledger, datetime.now(UTC).date()
        rows = holdings(archive)
        moments = {it.ingest_id: it.verified for it in rows}
        fixity = ledger.fixity.of_ingests(["1"])["1"]
        head = ledger.inventory.head("1") or {}
        fixity_report(archive, today, today, tmp_path / "report.csv")
        history = ledger.history(next(it.dataset_id for it in rows if it.ingest_id == "1"))

        assert moments.pop("1") is None
        assert all(moments.values())
        assert (fixity.verified, fixity.fate) == (None, None)
        assert (ledger.inventory.runs(head), history.checks) == ([], [])
    report = (tmp_path / "report_holdings.csv").read_text("utf-8-sig")
    assert [each["verified_in_period"] for each in csv.DictReader(io.StringIO(report))] == [
        *("no", "yes")
    ]

    verified(theirs)

    with Archive.open_for_reading(theirs) as archive:
        assert all(it.verified for it in holdings(archive))
        assert len(archive.ledger.inventory.runs(head)) == 1


def test_a_verification_before_a_merging_did_not_read_it(tmp_path: Path) -> None:
    ours, theirs, file = new_archive(tmp_path / "ours"), tmp_path / "theirs", tmp_path / "data.csv"
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        hold(archive, server, FILES)
    file.write_bytes(b"first")
    imported(theirs, file, title="First")
    verified(theirs)
    before = iso_now()

    with Archive.create_or_open(theirs) as archive:
        assert merge(archive, [ours], lambda done, total: None).is_whole
        ledger = archive.ledger
        head = ledger.inventory.head("1") or {}
        row = next(it for it in holdings(archive) if it.ingest_id == "1")

        (run,) = ledger.inventory.runs(head)
        (check,) = ledger.history(row.dataset_id).checks
        assert check.started >= before
        assert run["started"] == check.started == row.verified
        assert (run["is_of_archive"], check.is_of_all, check.is_of_held) == (0, False, True)

    verified(theirs)

    with Archive.open_for_reading(theirs) as archive:
        assert [it["is_of_archive"] for it in archive.ledger.inventory.runs(head)] == [0, 1]


def test_what_comes_in_while_the_archive_is_verified_was_not_read_by_that(
    export: Path, tmp_path: Path
) -> None:
    theirs, started = tmp_path / "theirs", iso_now()
    time.sleep(1.1)
    imported(theirs, export)

    with Archive.create_or_open(theirs) as archive:
        archive.ledger.fixity.note_run(RunFixity(None, started, 0, 0, finished=iso_now()))

        assert [it.verified for it in holdings(archive)] == [None]
