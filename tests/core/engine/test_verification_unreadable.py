# SPDX-License-Identifier: AGPL-3.0-or-later
"""A WARC that is there and cannot be read is told as that: it is neither damaged nor missing."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.verification import verify, verify_paths
from carrel.engine.verification.known import KnownRecords
from carrel.engine.verification.warc_check import Source, WarcCheck
from carrel.model import Fate, RecordCheck
from support.archives import carrel
from support.copied import archive_of_tides, warc_of
from support.unreadable import Failing, forbid

WHAT_TO_DO = "Make it readable, then verify again."
Spoil = Callable[[], None]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return archive_of_tides(tmp_path_factory.mktemp("archives"))


@pytest.fixture
def path(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "archive"))


@pytest.fixture
def archive(path: Path) -> Iterator[Archive]:
    with Archive.open_for_reading(path) as opened:
        yield opened


@pytest.fixture(params=["forbidden", "a link to itself", "a folder"])
def spoil(request: pytest.FixtureRequest, path: Path, monkeypatch: pytest.MonkeyPatch) -> Spoil:
    """Return what makes the WARC one that cannot be read."""
    warc = warc_of(path)

    def spoil() -> None:
        if request.param == "forbidden":
            forbid(monkeypatch, warc)
            return
        warc.rename(warc.with_suffix(".kept"))
        if request.param == "a folder":
            warc.mkdir()
        else:
            warc.symlink_to(warc.name)

    return spoil


def ingest_of(archive: Archive) -> str:
    return str(archive.ledger.holdings.listed()[0]["ingest_id"])


def noted(archive: Archive) -> set[str]:
    """Return the fates of all records that the ledger has any of."""
    found = (
        archive.ledger.fixity.of_record(each.record_id) for each in archive.ledger.captures.all()
    )
    return {each.fate for each in found if each}


@pytest.mark.parametrize("of_one", [False, True])
def test_it_fails_the_run_and_nothing_is_noted(
    archive: Archive, spoil: Spoil, *, of_one: bool
) -> None:
    name = warc_of(archive.path).name
    spoil()

    report = asyncio.run(verify(archive, ingest_of(archive) if of_one else None))

    (told,) = report.failures
    assert (told.fate, told.filename) == (Fate.UNREADABLE, name)
    assert told.path == str(archive.warcs / name)
    assert "not a regular file" in told.message or WHAT_TO_DO in told.message
    assert (report.is_intact, report.failed_paths, report.failed_records) == (False, 1, 0)
    assert report.unreadable == (told,)
    assert noted(archive) == set()
    assert archive.ledger.fixity.faults() == {}


@pytest.mark.parametrize("of_one", [False, True])
def test_it_is_not_said_to_be_verified(archive: Archive, spoil: Spoil, *, of_one: bool) -> None:
    spoil()

    asyncio.run(verify(archive, ingest_of(archive) if of_one else None))

    assert archive.ledger.fixity.last_whole_run() is None
    (fixity,) = archive.ledger.fixity.of_ingests([ingest_of(archive)]).values()
    assert (fixity.verified, fixity.failed) == (None, 0)


def test_once_it_can_be_read_all_is_intact(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as spoiled:
        forbid(spoiled, warc_of(archive.path))
        asyncio.run(verify(archive))

    assert asyncio.run(verify(archive)).is_intact
    assert noted(archive) == {Fate.INTACT}
    assert archive.ledger.fixity.last_whole_run() is not None


def test_what_was_known_to_be_damaged_stays_so(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    warc = warc_of(archive.path)
    data = bytearray(warc.read_bytes())
    data[-40] ^= 1
    warc.write_bytes(data)
    asyncio.run(verify(archive))
    known = archive.ledger.fixity.faults()

    forbid(monkeypatch, warc)
    asyncio.run(verify(archive, ingest_of(archive)))
    asyncio.run(verify(archive))

    assert known
    assert archive.ledger.fixity.faults() == known


def test_a_copy_that_cannot_be_read_lacks_nothing_that_is_known(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = Path(shutil.copy(warc_of(archive.path), tmp_path))
    forbid(monkeypatch, copy)

    report = asyncio.run(verify_paths([copy], archive))

    assert [each.fate for each in report.failures] == [Fate.UNREADABLE]


def checks_where_a_disk_fails(archive: Archive, failing: int) -> list[RecordCheck]:
    warc = warc_of(archive.path)
    content = warc.read_bytes()
    source = Source(warc.name, str(warc), lambda: Failing(content, failing))
    known = KnownRecords(archive, warc, warc.name)
    return list(WarcCheck(source, known, lambda count: None).checks())


def test_where_the_disk_fails_on_the_way_no_record_is_damaged_or_missing(archive: Archive) -> None:
    size = warc_of(archive.path).stat().st_size
    for failing in range(0, size, max(1, size // 50)):
        checks = checks_where_a_disk_fails(archive, failing)
        assert {each.fate for each in checks} <= {Fate.INTACT, Fate.UNREADABLE}
        assert all(WHAT_TO_DO in each.message for each in checks if each.fate is Fate.UNREADABLE)
        assert checks[-1].fate is Fate.UNREADABLE


@pytest.fixture
def looping(path: Path) -> Path:
    """A WARC that no process can open, be it another one."""
    warc = warc_of(path)
    warc.rename(warc.with_suffix(".kept"))
    warc.symlink_to(warc.name)
    return warc


def test_the_command_says_what_to_do(path: Path, looping: Path) -> None:
    told = carrel("verify", "--archive", path)

    assert told.code == 1
    assert f"It cannot be read: Too many levels of symbolic links. {WHAT_TO_DO}" in told.out
    assert str(looping) in told.out
    assert "1 path could not be verified." in told.out
    assert "missing" not in told.out
    assert carrel("status", "--archive", path, "--json").lines[0]["damaged"] == 0


@pytest.mark.parametrize("options", [[], ["--verify"]])
def test_no_certificate_is_issued_over_it(
    path: Path, looping: Path, tmp_path: Path, options: list[str]
) -> None:
    with Archive.open_for_reading(path) as archive:
        ingest_id = ingest_of(archive)
    output = tmp_path / "certificate.html"

    told = carrel("certificate", ingest_id, "--output", output, "--archive", path, *options)

    assert told.code != 0
    why = f"{looping} cannot be read: Too many levels of symbolic links. No certificate is issued"
    assert why in told.err
    assert not output.exists()
