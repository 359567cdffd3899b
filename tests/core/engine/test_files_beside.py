# SPDX-License-Identifier: AGPL-3.0-or-later
"""Two archives each have another part of a dataset: merged, it is said that all of it is there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.fatcat import entities_in
from carrel.engine.holdings import Holdings
from carrel.engine.merging import Merged, merge
from carrel.model.fatcat import NoEntity
from support.archives import carrel, ingest
from support.held import spoil_payload
from support.lived_in import parts_of_one
from support.wire import WireServer


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as server:
        yield server


@pytest.fixture
def parts(tmp_path: Path, server: WireServer) -> tuple[Path, Path, str]:
    return parts_of_one(server, tmp_path)


def merged(target: Path, *sources: Path) -> Merged:
    with Archive.create_or_open(target) as archive:
        return merge(archive, sources, lambda done, total: None)


def beside(target: Path) -> list[tuple[str, str]]:
    """Return which files are beside what is held of the one dataset, and whose they are."""
    with Archive.open_for_reading(target) as archive:
        (held,) = archive.ledger.holdings.listed()
        found = Holdings(archive).beside(held["ingest_id"])
    return [(each["path"], each["ingest_id"]) for each in found]


def test_a_file_of_another_ingest_is_named_by_merging_results_and_certificate(
    tmp_path: Path, parts: tuple[Path, Path, str]
) -> None:
    one, two, url = parts
    target = tmp_path / "all"

    done = merged(target, one, two)

    ((path, other),) = beside(target)
    assert done.beside == 1
    assert any(
        "The files of 1 dataset are spread over several ingests of one version" in each
        for each in done.remarks
    )
    words = f"this ingest lacks was archived by another ingest of this version: {path} ({other})"
    assert words in carrel("results", "--archive", target).out
    (said,) = carrel("results", "--json", "--archive", target).lines
    assert said["beside"] == [{"path": path, "ingest_id": other}]
    certificate = tmp_path / "certificate.html"
    assert carrel("certificate", url, "-o", certificate, "--archive", target).code == 0
    text = certificate.read_text()
    assert words in text
    assert "not archived by this ingest, but by another one of this version" in text
    assert "Files that are not archived" not in text
    assert "as far as they are still published" in text
    assert "archived files with a published checksum are not downloaded again" in text


def test_why_fatcat_gets_nothing_names_the_file_of_another_ingest(
    tmp_path: Path, parts: tuple[Path, Path, str]
) -> None:
    one, two, _ = parts
    target = tmp_path / "all"
    merged(target, one, two)
    ((path, other),) = beside(target)

    with Archive.open_for_reading(target) as archive:
        (held,) = archive.ledger.holdings.listed()
        (found,) = entities_in(archive, [held["ingest_id"]])

    assert isinstance(found, NoEntity)
    assert f"archived by another ingest of this version: {path} ({other})" in found.reason


def test_an_export_and_saving_name_the_ingest_that_has_a_file(
    tmp_path: Path, parts: tuple[Path, Path, str]
) -> None:
    one, two, url = parts
    target = tmp_path / "all"
    merged(target, one, two)
    ((path, other),) = beside(target)
    words = f"{path} was not archived by this ingest, but by another one of this version: {other}."

    exported = carrel("export", "bagit", url, "-o", tmp_path / "out", "--archive", target)
    saved = carrel("save", url, "-o", tmp_path / "files", "--archive", target)
    of_other = carrel("save", other, path, "-o", tmp_path / "rest", "--archive", target)

    assert words in exported.err
    (lacks,) = (tmp_path / "out").glob("**/not-kept.txt")
    assert words in lacks.read_text()
    assert words in saved.err
    assert of_other.code == 0


def test_archived_again_all_is_in_one_holding(
    tmp_path: Path, parts: tuple[Path, Path, str], server: WireServer
) -> None:
    one, two, url = parts
    target = tmp_path / "all"
    merged(target, one, two)
    before = server.times_asked("/tides/a"), server.times_asked("/tides/b")

    (done,) = ingest(target, url)

    assert done.hit
    assert (server.times_asked("/tides/a"), server.times_asked("/tides/b")) == before
    assert beside(target) == []


def test_a_file_of_another_ingest_that_is_lost_is_not_said_to_be_here(
    tmp_path: Path, parts: tuple[Path, Path, str]
) -> None:
    one, two, _ = parts
    target = tmp_path / "all"
    merged(target, one, two)
    ((path, other),) = beside(target)
    with Archive.open_for_reading(target) as archive:
        spoil_payload(archive, other, "ab".index(path))

    assert carrel("verify", "--archive", target).code == 1

    assert beside(target) == []


def test_a_file_in_a_bundle_that_is_lost_is_not_said_to_be_here(
    tmp_path: Path, parts: tuple[Path, Path, str]
) -> None:
    one, two, _ = parts
    target = tmp_path / "all"
    merged(target, one, two)
    ((path, other),) = beside(target)
    with Archive.create_or_open(target) as archive:
        spoil_payload(archive, other, "ab".index(path))
        in_bundle(archive, other, path)
    assert beside(target) == [(path, other)]

    assert carrel("verify", "--archive", target).code == 1

    assert beside(target) == []


def in_bundle(archive: Archive, ingest_id: str, path: str) -> None:
    """Have a file of an ingest stand in the ledger as the one member of its bundle."""
    db = archive.ledger._connection.db
    asked = {"ingest_id": ingest_id, "path": path}
    db.execute(
        "UPDATE results SET result = json_set(result, '$.fileset_bundle', json_object('file_meta',"
        " json_object('sha256hex', (SELECT c.sha256 FROM files AS f JOIN captures AS c"
        " ON c.record_id = f.capture_id WHERE f.ingest_id = :ingest_id AND f.path = :path))))"
        " WHERE ingest_id = :ingest_id",
        asked,
    )
    db.execute(
        "UPDATE files SET capture_id = NULL WHERE ingest_id = :ingest_id AND path = :path", asked
    )
    db.conn.commit()


def test_an_archive_by_itself_has_nothing_beside_what_it_holds(
    parts: tuple[Path, Path, str],
) -> None:
    assert beside(parts[0]) == []
