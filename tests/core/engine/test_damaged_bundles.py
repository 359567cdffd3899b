# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files that are archived in a bundle have no record of their own: its damage is theirs, and what
reads it again reads them."""

import asyncio
import re
import shlex
import shutil
import sqlite3
from datetime import date
from pathlib import Path

import pytest

from carrel.archive import LEDGER_NAME, Archive
from carrel.demo import DemoRepository
from carrel.engine.merging import merge
from carrel.engine.verification import verify
from carrel.exports.certificate.facts import Facts
from carrel.exports.certificate.reading import certificate_of
from carrel.exports.certificate.summary import checked_in_words
from carrel.model import (
    Capture,
    Fate,
    IngestFilesetResult,
    IngestOptions,
    IngestStrategy,
    VerificationReport,
)
from carrel.model.holdings import HoldingsQuery, State
from carrel.model.iso_time import iso_now
from carrel.model.outcome_words import COME_ANEW, FILES_BESIDE, FILES_ELSEWHERE, NOTHING_LOST
from support.archives import carrel, ingest, new_archive
from support.held import turn
from support.wire import WireServer, dataset_page, reply

# A retry that found all files archived: of those in the bundle it has no record either.
RETRY = """
INSERT INTO results (ingest_id, request_id, base_url, started, finished, hit, status, result,
    platform_name, platform_domain, platform_id, platform_version, dataset_id)
SELECT ingest_id || '.2', request_id, base_url, started, finished, hit, status, result,
    platform_name, platform_domain, platform_id, platform_version, dataset_id FROM results
"""
FILES = """
INSERT INTO files (ingest_id, position, path, status, size, md5, sha1, sha256, platform_url)
SELECT ingest_id || '.2', position, path, 'success-existing', size, md5, sha1, sha256, platform_url
FROM files
"""


class Bundled:
    """An archive with a dataset that was archived as the bundle that its repository makes."""

    def __init__(self, folder: Path) -> None:
        self.path = new_archive(folder / "archive")
        options = IngestOptions(IngestStrategy.WEB_FILESET_BUNDLED)
        with DemoRepository() as repository:
            self.url = repository.dataset("DIARY3").url(repository)
            (result,) = ingest(self.path, self.url, options=options)
        assert result.outcome
        assert result.outcome.bundle
        self.ingest_id = result.ingest_id or ""
        self.bundle: Capture = result.outcome.bundle
        self.paths = {each.path for each in result.outcome.manifest}

    def spoil(self) -> None:
        with Archive.open_for_reading(self.path) as archive:
            warc = archive.warcs / self.bundle.filename
        turn(warc, self.bundle.offset + self.bundle.length // 2)

    def verify(self) -> VerificationReport:
        with Archive.create_or_open(self.path) as archive:
            return asyncio.run(verify(archive))

    def spoil_and_import(self, source: Path) -> None:
        """Have the bundle found damaged, and brought back in a WARC of another name."""
        with Archive.open_for_reading(self.path) as archive:
            shutil.copy(archive.warcs / self.bundle.filename, source)
        self.spoil()
        self.verify()
        said = carrel("import", "--archive", str(self.path), str(source))
        assert said.code == 0, said.err

    def certificate(self) -> Facts:
        today, tell = date(2026, 11, 26), (lambda done, total: None)
        with (
            Archive.open_for_reading(self.path) as archive,
            certificate_of(archive, self.ingest_id, today, tell) as certificate,
        ):
            return certificate.facts


@pytest.fixture
def bundled(tmp_path: Path) -> Bundled:
    return Bundled(tmp_path)


def test_each_file_in_a_damaged_bundle_is_damaged(bundled: Bundled) -> None:
    bundled.spoil()

    bundled.verify()

    with Archive.open_for_reading(bundled.path) as archive:
        fixity = archive.ledger.fixity
        (failure,) = fixity.failures(bundled.ingest_id)
        assert set(failure.files) == bundled.paths
        assert fixity.file_fates(bundled.ingest_id) == dict.fromkeys(bundled.paths, Fate.DAMAGED)


def test_damage_that_is_not_noted_yet_is_that_of_the_files_too(bundled: Bundled) -> None:
    with Archive.open_for_reading(bundled.path) as archive:
        found = archive.ledger.fixity.files_on(bundled.ingest_id, [bundled.bundle.record_id])

        assert {path for path, _ in found} == bundled.paths


def test_a_bundle_in_a_warc_of_another_name_is_where_its_files_are(
    bundled: Bundled, tmp_path: Path
) -> None:
    bundled.spoil_and_import(tmp_path / "again.warc.gz")

    facts = bundled.certificate()

    assert facts.tally.elsewhere == 0
    assert facts.keeping.bundle
    assert facts.keeping.bundle.filename == "again.warc.gz"
    assert "in another archive" not in checked_in_words(facts)


def test_what_was_brought_back_says_which_warc_had_it_damaged(
    bundled: Bundled, tmp_path: Path
) -> None:
    bundled.spoil_and_import(tmp_path / "again.warc.gz")

    (damage,) = bundled.certificate().checks.damages

    assert damage.filename == bundled.bundle.filename
    assert damage.mended_by == "Imported again, in again.warc.gz."


def test_the_damaged_record_that_was_brought_back_elsewhere_is_called_what_it_is(
    bundled: Bundled, tmp_path: Path
) -> None:
    bundled.spoil_and_import(tmp_path / "again.warc.gz")

    (failure,) = bundled.verify().failures

    assert (failure.filename, failure.offset) == (bundled.bundle.filename, bundled.bundle.offset)
    assert failure.url == bundled.bundle.url
    assert not failure.is_accompanying
    assert failure.is_held_elsewhere
    assert failure.advice.startswith("This is the former record, which was damaged;")
    assert "are intact in again.warc.gz" in failure.advice
    with Archive.open_for_reading(bundled.path) as archive:
        (held,) = archive.ledger.catalogue.held_at([bundled.url]).values()
        assert held.state is State.COMPLETE
        assert archive.ledger.fixity.accompanying.faults() == {}
        assert archive.ledger.fixity.failures(bundled.ingest_id) == []


def test_a_bundle_whose_files_were_archived_again_is_not_to_be_fetched_again(
    tmp_path: Path,
) -> None:
    path = new_archive(tmp_path / "archive")
    with DemoRepository() as repository:
        url = repository.dataset("DIARY3").url(repository)
        options = IngestOptions(IngestStrategy.WEB_FILESET_BUNDLED)
        (first,) = ingest(path, url, options=options)
        assert first.outcome
        assert first.outcome.bundle
        with Archive.create_or_open(path) as archive:
            bundle = first.outcome.bundle
            turn(archive.warcs / bundle.filename, bundle.offset + bundle.length // 2)
            (lost,) = asyncio.run(verify(archive)).failures
        ingest(path, url, options=IngestOptions(IngestStrategy.WEB_FILESET))
    with Archive.create_or_open(path) as archive:
        (failure,) = asyncio.run(verify(archive)).failures

    assert "fetches them again" in lost.advice
    assert failure.url == bundle.url
    assert failure.advice == FILES_ELSEWHERE


def test_of_a_held_bundle_whose_files_another_ingest_has_it_is_said_what_helps(
    tmp_path: Path,
) -> None:
    path, held = tmp_path / "all", list[IngestFilesetResult]()
    with DemoRepository() as repository:
        url = repository.dataset("DIARY3").url(repository)
        for strategy in (IngestStrategy.WEB_FILESET, IngestStrategy.WEB_FILESET_BUNDLED):
            one = new_archive(tmp_path / strategy)
            held += ingest(one, url, options=IngestOptions(strategy))
            with Archive.create_or_open(path) as archive:
                merge(archive, [one], lambda done, total: None)
        with Archive.create_or_open(path) as archive:
            assert held[1].outcome
            bundle = held[1].outcome.bundle and archive.ledger.captures.get(
                held[1].outcome.bundle.record_id
            )
            assert bundle
            turn(archive.warcs / bundle.filename, bundle.offset + bundle.length // 2)
            (failure,) = asyncio.run(verify(archive)).failures
        refused = carrel("export", "wacz", url, "-o", tmp_path / "first", "--archive", path)
        others = carrel("export", "bagit", url, "-o", tmp_path / "bag", "--archive", path)
        told = carrel("results", "--archive", path).out

        ingest(path, url)

    again = shlex.join(["carrel", "ingest", url, "--archive", str(path)])
    for words in (failure.advice, refused.err):
        assert FILES_BESIDE in words
        assert f"“{again}” archives the dataset again" in words
        assert "no other copy" not in words
    assert (refused.code, others.code) == (1, 0)
    assert f"{NOTHING_LOST} {COME_ANEW}" in told
    assert "DAMAGED" not in carrel("results", "--archive", path).out
    made = carrel("export", "wacz", url, "-o", tmp_path / "second", "--archive", path)
    assert made.code == 0, made.err
    with Archive.create_or_open(path) as archive:
        (still,) = asyncio.run(verify(archive)).failures
    assert still.advice == FILES_ELSEWHERE


def test_a_retry_rests_on_the_bundle_of_the_attempt_before(bundled: Bundled) -> None:
    with sqlite3.connect(bundled.path / LEDGER_NAME) as db:
        db.execute(RETRY)
        db.execute(FILES)
    db.close()
    with Archive.create_or_open(bundled.path) as archive:
        archive.ledger.catalogue.make()
    bundled.spoil()

    bundled.verify()

    with Archive.open_for_reading(bundled.path) as archive:
        held = f"{bundled.ingest_id}.2"
        (failure,) = archive.ledger.fixity.failures(held)
        assert not failure.is_earlier
        assert set(failure.files) == bundled.paths
        assert not archive.ledger.captures.is_of_earlier(bundled.bundle.record_id)


def test_a_report_says_since_when_files_in_a_bundle_were_read(bundled: Bundled) -> None:
    bundled.verify()

    with Archive.open_for_reading(bundled.path) as archive:
        kept = archive.ledger.batches.kept_files([bundled.ingest_id])[bundled.ingest_id]

    assert kept.checked
    assert kept.files == len(bundled.paths)


def test_each_file_that_is_not_saved_is_named(bundled: Bundled, tmp_path: Path) -> None:
    bundled.spoil()

    saved = carrel("save", bundled.url, "-o", tmp_path / "out", "--archive", bundled.path)

    assert saved.code == 1
    named = re.findall(r"(\S+) cannot be handed over", saved.out + saved.err)
    assert sorted(named) == sorted(bundled.paths)


def test_files_whose_bytes_other_records_have_are_not_lost_with_the_bundle(
    bundled: Bundled, tmp_path: Path
) -> None:
    carrel("save", bundled.url, "-o", tmp_path / "first", "--archive", bundled.path)
    saved = {each.name: each.read_bytes() for each in (tmp_path / "first").rglob("*.*")}
    with WireServer() as server:
        files = [
            {"name": name, "contentUrl": server.serve(f"/{name}", reply(content))}
            for name, content in saved.items()
        ]
        ingest(bundled.path, dataset_page(server, files, identifier="10.5072/again"))
    bundled.spoil()

    bundled.verify()

    with Archive.open_for_reading(bundled.path) as archive:
        catalogue, fixity = archive.ledger.catalogue, archive.ledger.fixity
        found = catalogue.rows(catalogue.find(HoldingsQuery(), iso_now()))
        (row,) = (each for each in found if each.ingest_id == bundled.ingest_id)
        assert row.state is State.TWINNED
        assert fixity.file_fates(bundled.ingest_id) == {}
        (failure,) = fixity.failures(bundled.ingest_id)
        assert failure.has_twin
        (damage,) = archive.ledger.fixity_history.open_damages()
        assert not damage["is_lost"]
    (known,) = bundled.certificate().checks.damages
    assert known.has_files_elsewhere
    again = carrel("save", bundled.url, "-o", tmp_path / "again", "--archive", bundled.path)
    assert again.code == 0
    assert {each.name: each.read_bytes() for each in (tmp_path / "again").rglob("*.*")} == saved
