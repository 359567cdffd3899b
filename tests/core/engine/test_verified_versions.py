# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which version of a dataset a verification read, as certificate and history tell it."""

import asyncio
import io
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from carrel.archive import Archive
from carrel.engine.holdings import Holdings
from carrel.engine.verification import verify
from carrel.model.certificate import CertificateForm
from carrel.model.holdings import Check, HoldingsQuery
from carrel.model.iso_time import iso_now
from support.archives import ingest, new_archive
from support.held import turn
from support.wire import WireServer, dataset_page, reply


@dataclass(frozen=True, slots=True)
class Versions:
    """An archive that has two versions of a dataset, which have no file in common."""

    path: Path
    first: str
    second: str

    def verify(self, ingest_id: str | None) -> None:
        time.sleep(1.1)  # what began in the second in which a version came may have read it
        with Archive.open_for_reading(self.path) as archive:
            assert asyncio.run(verify(archive, ingest_id)).is_intact

    def certified(self, ingest_id: str) -> list[str]:
        """Return what the certificate says each verification read, oldest first."""
        written = io.BytesIO()
        with Archive.open_for_reading(self.path) as archive:
            holdings, day = Holdings(archive), date(2026, 11, 28)
            holdings.certify(ingest_id, written, CertificateForm.HTML, issued=day)
        tables = LexborHTMLParser(written.getvalue()).css("table")
        (runs,) = (each for each in tables if "What was read" in each.text())
        return [row.css("td")[-1].text(separator=" ") for row in runs.css("tbody tr")]

    def checks(self) -> list[Check]:
        """Return the verifications that the history of the dataset has."""
        with Archive.open_for_reading(self.path) as archive:
            (dataset_id,) = archive.ledger.catalogue.find(HoldingsQuery(), iso_now())
            return list(archive.ledger.history(dataset_id).checks)


@pytest.fixture
def versions(tmp_path: Path) -> Versions:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        first = ingest(path, version_of(server, "1"))[0].ingest_id or ""
        asyncio.run(_verify_all(path))
        time.sleep(1.1)
        second = ingest(path, version_of(server, "2"))[0].ingest_id or ""
    return Versions(path, first, second)


async def _verify_all(path: Path) -> None:
    with Archive.open_for_reading(path) as archive:
        await verify(archive)


def version_of(server: WireServer, version: str) -> str:
    """Serve a dataset of one file in this version; return its page."""
    url = server.serve(f"/v{version}/data.csv", reply(b"Version " + version.encode()))
    file = {"name": "data.csv", "contentUrl": url}
    return dataset_page(server, [file], identifier="10.5072/versions", version=version)


def test_a_certificate_says_which_version_each_verification_read(versions: Versions) -> None:
    versions.verify(versions.first)
    versions.verify(versions.second)

    whole, earlier, own = versions.certified(versions.second)

    assert "not all of this holding was archived then" in whole
    assert "version 1" in earlier
    assert versions.first in earlier
    assert "not all of this holding" in earlier
    assert own.strip() == "this holding"


def test_a_run_before_files_were_archived_again_read_all_of_the_holding(tmp_path: Path) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        page = version_of(server, "1")
        first = ingest(path, page)[0].ingest_id or ""
        asyncio.run(_verify_all(path))
        with Archive.open_for_reading(path) as archive:
            captures = archive.ledger.captures.of_files(first)
            (capture,) = (each for each in captures if each.url.endswith("data.csv"))
            turn(archive.warcs / capture.filename, capture.offset + capture.length // 2)
        asyncio.run(_verify_all(path))
        time.sleep(1.1)
        again = ingest(path, page)[0].ingest_id or ""
    archive_again = Versions(path, first, again)

    words = archive_again.certified(again)

    told = "with all files of this holding; some were archived again since"
    assert [told in each for each in words] == [True, True]


def test_a_certificate_of_an_earlier_version_knows_what_a_later_one_was_verified_with(
    versions: Versions,
) -> None:
    versions.verify(versions.second)

    whole, later = versions.certified(versions.first)

    assert whole.strip() == "all of the archive"
    assert "version 2" in later
    assert "with all of this holding" in later


def test_the_history_knows_which_verification_read_what_is_held_now(versions: Versions) -> None:
    versions.verify(versions.first)
    versions.verify(versions.second)
    versions.verify(None)

    told = [(each.is_of_all, each.version, each.is_of_held) for each in versions.checks()]

    assert told == [
        (True, None, False),
        (False, "1", False),
        (False, None, True),
        (True, None, True),
    ]
