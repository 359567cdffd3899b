# SPDX-License-Identifier: AGPL-3.0-or-later
"""The page of a dataset of which two ingests have a part each, as where archives were merged."""

from pathlib import Path

from carrel.archive import Archive
from carrel.engine.holdings import Holdings
from carrel.engine.merging import merge
from carrel.model.holdings import HoldingsQuery
from carrel.model.iso_time import iso_now
from carrel_desktop.views.holdings.record import read_record
from support.lived_in import parts_of_one
from support.wire import WireServer


def test_a_file_that_another_ingest_has_is_among_the_findings(tmp_path: Path) -> None:
    with WireServer() as server:
        one, two, _ = parts_of_one(server, tmp_path)

    with Archive.create_or_open(tmp_path / "all") as archive:
        merge(archive, [one, two], lambda done, total: None)
        catalogue = archive.ledger.catalogue
        (row,) = catalogue.rows(catalogue.find(HoldingsQuery(), iso_now()))
        record = read_record(Holdings(archive), row)

    assert record is not None
    assert (
        "1 file that this ingest lacks was archived by another ingest"
        in record.findings[-1].message
    )
