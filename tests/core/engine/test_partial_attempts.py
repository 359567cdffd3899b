# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a later attempt brought that kept only a part of a dataset is of the dataset: it is verified
with what is held, and its damage is the dataset's."""

import asyncio
import time
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.verification import verify
from carrel.model import Fate
from carrel.model.holdings import HoldingRow, HoldingsQuery
from carrel.model.iso_time import iso_now
from carrel.model.verification import VerificationReport
from support.archives import ingest, new_archive
from support.held import spoil_payload
from support.wire import WireServer, dataset_page, reply

HELD, LATER = b"held of version 1", b"only in version 2"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """One whose dataset is held in version 1; of version 2 one of two files could be archived."""
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        first = {"name": "a.csv", "contentUrl": server.serve("/a", reply(HELD))}
        fields = {"identifier": "10.5072/parts", "version": "1"}
        ingest(path, dataset_page(server, [first], **fields))
        time.sleep(1.1)
        new = {"name": "b.csv", "contentUrl": server.serve("/b", reply(LATER))}
        lost = {"name": "c.csv", "contentUrl": server.serve("/c", reply(b"", "404 Not Found"))}
        page = dataset_page(server, [new, lost], **{**fields, "version": "2"})
        ingest(path, page)
    return path


def verified(path: Path, ingest_id: str) -> VerificationReport:
    with Archive.create_or_open(path) as archive:
        return asyncio.run(verify(archive, ingest_id))


def holding(archive: Archive) -> HoldingRow:
    catalogue = archive.ledger.catalogue
    (row,) = catalogue.rows(catalogue.find(HoldingsQuery(), iso_now()))
    return row


def attempts(archive: Archive) -> tuple[str, str]:
    """Return the attempt that is held, and the later one."""
    row = holding(archive)
    history = archive.ledger.history(row.dataset_id)
    first, later = (each.ingest_id for each in history.attempts)
    assert row.ingest_id == first
    return first, later


def test_a_verification_reads_what_a_later_attempt_brought(archive: Path) -> None:
    with Archive.open_for_reading(archive) as opened:
        first, later = attempts(opened)
        brought = opened.ledger.captures.by_position(later)[0].record_id

    assert verified(archive, first).is_intact

    with Archive.open_for_reading(archive) as opened:
        assert opened.ledger.fixity.of_record(brought) is not None
        assert holding(opened).verified


def test_its_damage_is_the_damage_of_the_dataset(archive: Path) -> None:
    with Archive.open_for_reading(archive) as opened:
        first, later = attempts(opened)
        spoil_payload(opened, later, 0)

    report = verified(archive, first)

    assert report.failed_records == 1
    with Archive.open_for_reading(archive) as opened:
        row, fixity = holding(opened), opened.ledger.fixity
        (failure,) = fixity.failures(first)
        assert row.failed == fixity.of_ingests([first])[first].failed == 1
        assert (failure.is_earlier, failure.version, failure.fate) == (True, "2", Fate.DAMAGED)
        assert fixity.file_fates(first) == {}
        assert opened.ledger.figures(iso_now()).damaged == 1


def test_a_verification_of_the_later_attempt_finds_it_for_the_dataset(archive: Path) -> None:
    with Archive.open_for_reading(archive) as opened:
        _, later = attempts(opened)
        spoil_payload(opened, later, 0)

    verified(archive, later)

    with Archive.open_for_reading(archive) as opened:
        assert holding(opened).failed == 1
