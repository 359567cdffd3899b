# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive that cannot be written to is opened to look at, and says why."""

import asyncio
import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from carrel.engine import Engine
from carrel.errors import ArchiveError, ArchiveFull, ArchiveLocked
from carrel.ledger.schedule import Schedules
from carrel.model import IngestRequest, JobState, VerificationReport
from support.small_files import room_for
from support.wire import WireServer, html

OF_TOMORROW = (
    "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
    " VALUES ('carrel', 'of_tomorrow', '2031-01-01')"
)
HARDLY_ANY = 16  # bytes: less than there is to say of who writes, or for readers to share


def unwritable(code: int) -> Callable[..., None]:
    def mkdir(self: Path, *_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code), str(self))

    return mkdir


async def archived(archive: Path, url: str) -> None:
    async with Engine.open(archive) as engine:
        await engine.ingest(IngestRequest(url))


@pytest.fixture
def used(server: WireServer, tmp_path: Path) -> Path:
    """Return an archive with a job in it that ended."""
    archive = tmp_path / "archive"
    asyncio.run(archived(archive, server.serve("/", html("<p>Nothing</p>"))))
    return archive


def test_an_archive_that_another_holds_is_read(used: Path) -> None:
    async def look() -> tuple[str, list[JobState], bool, bool]:
        async with Engine.open(used), Engine.open_or_read(used) as engine:
            await engine.queue.start_unless_paused()
            states = [job.state for job in engine.jobs()]
            writable = engine.archive.is_writable
            return engine.read_only_because, states, writable, engine.queue.is_running

    reason, states, is_writable, is_running = asyncio.run(look())

    assert "is in use by" in reason
    assert states == [JobState.FAILED]
    assert (is_writable, is_running) == (False, False)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (errno.EROFS, "is on a read-only medium."),
        (errno.EACCES, "You have no permission to write to"),
        (errno.EPERM, "You have no permission to write to"),
    ],
)
def test_an_archive_on_a_medium_that_takes_no_writing_is_read(
    used: Path, code: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "mkdir", unwritable(code))

    async def look() -> tuple[str, int]:
        async with Engine.open_or_read(used) as engine:
            return engine.read_only_because, len(engine.jobs())

    reason, jobs = asyncio.run(look())

    assert told in reason
    assert str(used) in reason
    assert "writer.lock" not in reason
    assert jobs == 1


def test_nothing_is_written_to_an_archive_that_is_read(used: Path) -> None:
    async def add() -> None:
        async with Engine.open(used), Engine.open_or_read(used) as engine:
            before = (used / "carrel.sqlite").read_bytes()
            with pytest.raises(ArchiveError):
                await engine.queue.add([IngestRequest("https://example.org/")])
            assert (used / "carrel.sqlite").read_bytes() == before

    asyncio.run(add())


def test_what_is_read_again_there_is_told_and_not_recorded(
    used: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def verify() -> VerificationReport:
        with monkeypatch.context() as patch:
            patch.setattr(Path, "mkdir", unwritable(errno.EACCES))
            opened = Engine.open_or_read(used)
        async with opened as engine:  # by now it could be written to; it was said that it is not
            return await engine.verify()

    before = (used / "carrel.sqlite").read_bytes()
    report = asyncio.run(verify())

    assert report.is_intact
    assert "no permission" in report.not_noted
    assert (used / "carrel.sqlite").read_bytes() == before


def test_an_archive_that_can_be_written_to_is_not_read_only(used: Path) -> None:
    async def look() -> tuple[str, bool]:
        async with Engine.open_or_read(used) as engine:
            return engine.read_only_because, engine.archive.is_writable

    assert asyncio.run(look()) == ("", True)


def test_where_nothing_is_to_be_read_the_first_reason_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "mkdir", unwritable(errno.EROFS))

    with pytest.raises(ArchiveError, match="Read-only file system"):
        Engine.open_or_read(tmp_path / "new")


def test_a_ledger_of_a_newer_carrel_is_read(used: Path) -> None:
    with closing(sqlite3.connect(used / "carrel.sqlite")) as ledger:
        ledger.execute(OF_TOMORROW)
        ledger.commit()

    async def look() -> tuple[str, int]:
        async with Engine.open_or_read(used) as engine:
            return engine.read_only_because, len(engine.jobs())

    reason, jobs = asyncio.run(look())

    assert "written by a newer version of Carrel" in reason
    assert jobs == 1


def test_what_reading_does_not_help_is_told(used: Path) -> None:
    (used / "carrel.sqlite").write_bytes(b"no database at all, of any kind")

    with pytest.raises(ArchiveError) as caught:
        Engine.open_or_read(used)

    assert not isinstance(caught.value, ArchiveLocked)


def test_an_archive_on_a_full_disk_is_read_and_can_be_written_to_once_there_is_room(
    used: Path,
) -> None:
    async def look() -> tuple[str, int, int]:
        with room_for(HARDLY_ANY):
            async with Engine.open_or_read(used) as engine:
                held = engine.standing().figures.held.datasets
                return engine.read_only_because, len(engine.jobs()), held

    async def write() -> str:
        async with Engine.open_or_read(used) as engine:
            return engine.read_only_because

    reason, jobs, held = asyncio.run(look())

    assert reason == f"The disk of {used} is full. Make room, then try again to write to it."
    assert (jobs, held) == (1, 0)
    assert asyncio.run(write()) == ""


def test_where_only_the_ledger_has_no_room_the_archive_is_read(
    used: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def close(_schedules: Schedules) -> None:
        raise ArchiveFull("The disk is full.")

    async def look() -> tuple[str, int]:
        async with Engine.open_or_read(used) as engine:
            return engine.read_only_because, len(engine.jobs())

    monkeypatch.setattr(Schedules, "close_interrupted", close)

    reason, jobs = asyncio.run(look())

    assert "is full" in reason
    assert jobs == 1


def test_a_new_archive_on_a_full_disk_is_no_archive_with_a_damaged_ledger(tmp_path: Path) -> None:
    with room_for(HARDLY_ANY), pytest.raises(ArchiveError) as caught:
        Engine.open_or_read(tmp_path / "new")

    assert type(caught.value) is ArchiveError
    Engine.open(tmp_path / "new").archive.close()
