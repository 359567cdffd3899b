# SPDX-License-Identifier: AGPL-3.0-or-later
"""Second copies that are made by themselves, and what is known of each."""

import asyncio
import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine import Engine
from carrel.engine.copying import bring_up_to_date
from carrel.errors import SettingsError
from carrel.model.copies import LONGEST_DAYS, SecondCopy
from carrel.model.events import Event, ScheduleChanged
from carrel.model.schedule import Ending, Task
from carrel.model.standing import Need
from carrel.settings.copies import change_copy, copies_of, copy_at, forget_copy, own_copies
from support.archives import carrel
from support.schedules import archived, served
from support.wire import WireServer

AFTER = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def archive(server: WireServer, tmp_path: Path) -> Path:
    return archived(tmp_path / "a", served(server, 1), "")


def test_a_copy_is_made_when_it_is_due_and_not_before(archive: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    told = carrel("schedule", "copy", copy, "--every", "30", "--archive", archive)
    assert told.code == 0, told.err
    assert "Scheduled every 30 days, not copied since" in told.out

    first = carrel("schedule", "run", "--archive", archive, "--json")
    second = carrel("schedule", "run", "--archive", archive)

    (line,) = first.lines
    assert (first.code, line["task"], line["ending"], line["done"]) == (0, "copy", "done", 1)
    assert second.err == "Nothing is due.\n"
    assert (copy / "copy-sha256.txt").exists()
    listed = carrel("schedule", "list", "--archive", archive).out
    assert "Last complete 20" in listed
    assert "1 of 1 copy" in listed


def test_how_a_copy_ended_is_in_the_journal(archive: Path, tmp_path: Path) -> None:
    carrel("schedule", "copy", tmp_path / "copy", "--every", "1", "--archive", archive)
    carrel("schedule", "run", "--archive", archive)
    journal = "".join(each.read_text() for each in (archive / "journal").glob("*.jsonl"))
    assert '"task":"copy"' in journal.replace(" ", "")


def test_a_copy_that_fails_is_seen_until_it_is_complete(archive: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "thesis.txt").write_text("One.")
    carrel("schedule", "copy", copy, "--every", "7", "--archive", archive)

    ran = carrel("schedule", "run", "--archive", archive)

    assert ran.code == 1
    assert "no copy of an archive" in ran.out
    (status,) = carrel("status", "--archive", archive, "--json").lines
    (need,) = [each for each in status["needs"] if each["need"] == Need.COPY]
    assert need["message"] == "1 second copy is incomplete or not up to date"
    words = carrel("status", "--archive", archive).out
    assert f"carrel replicate {copy} --archive {archive}" in words
    assert "Not known to be complete" in words
    (copy / "thesis.txt").unlink()
    assert carrel("replicate", copy, "--archive", archive).code == 0
    (status,) = carrel("status", "--archive", archive, "--json").lines
    assert status["needs"] == []
    assert status["copies"][0]["complete"]


def test_a_copy_that_lacks_something_is_not_called_complete(archive: Path, tmp_path: Path) -> None:
    (warc,) = (archive / "collections/main/archive").glob("*.warc.gz")
    warc.write_bytes(warc.read_bytes()[:-50] + b"?" * 50)
    assert carrel("replicate", tmp_path / "copy", "--archive", archive).code == 1
    (copy,) = copies_of(archive)
    assert copy.complete == ""
    assert warc.name in copy.trouble


def test_a_scheduled_copy_forgets_on_request(archive: Path, tmp_path: Path) -> None:
    carrel("schedule", "copy", tmp_path / "copy", "--every", "7", "--archive", archive)
    assert (
        carrel("schedule", "copy", tmp_path / "copy", "--every", "0", "--archive", archive).code
        == 0
    )
    assert copies_of(archive) == []
    assert carrel("schedule", "run", "--archive", archive).err == "Nothing is due.\n"


def test_an_archive_cannot_have_itself_copied(archive: Path, tmp_path: Path) -> None:
    """What a folder brings along decides nothing: the person says where copies go."""
    carrel("schedule", "copy", tmp_path / "copy", "--every", "7", "--archive", archive)
    moved = tmp_path / "elsewhere"
    shutil.copytree(archive, moved)
    assert copies_of(moved) == []


def test_what_stops_leaves_the_rest_for_the_next_run(archive: Path, tmp_path: Path) -> None:
    change_copy(archive, str(tmp_path / "copy"), every_days=1)

    async def work() -> Ending | None:
        async with Engine.open(archive, stop_at_once) as engine:
            engines.append(engine)
            (ran,) = await engine.schedule.run(Task.COPY)
            return ran.ending

    engines: list[Engine] = []

    def stop_at_once(event: Event) -> None:
        if isinstance(event, ScheduleChanged) and event.words:
            engines[0].schedule.stop()

    assert asyncio.run(work()) is Ending.STOPPED
    (copy,) = copies_of(archive)
    assert (copy.complete, copy.trouble) == ("", "")
    ran = carrel("schedule", "run", "--archive", archive)
    assert ran.code == 0, ran.out
    assert copies_of(archive)[0].complete


def test_an_open_window_makes_a_copy_in_the_background(archive: Path, tmp_path: Path) -> None:
    change_copy(archive, str(tmp_path / "copy"), every_days=1)

    async def work() -> None:
        async with Engine.open(archive) as engine, asyncio.timeout(60):
            engine.schedule.begin()
            while not copies_of(archive)[0].complete:
                await asyncio.sleep(0.05)

    asyncio.run(work())
    assert (tmp_path / "copy/copy-sha256.txt").exists()


def test_several_copies_are_known_apart(archive: Path, tmp_path: Path) -> None:
    change_copy(archive, "s3://bucket/a", every_days=7, tried="2026-01-01T00:00:00Z")
    change_copy(archive, str(tmp_path / "b"), trouble="It is full.", tried="2026-02-01T00:00:00Z")
    assert [each.destination for each in copies_of(archive)] == [
        str(tmp_path / "b"),
        "s3://bucket/a",
    ]
    assert copy_at(archive, "s3://bucket/a").every_days == 7
    assert forget_copy(archive, "s3://bucket/a")
    assert not forget_copy(archive, "s3://bucket/a")
    assert own_copies().stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"version": 2}', '{"version": 1, "archives": {"/": [{}]}}']
)
def test_a_damaged_file_of_copies_is_named(archive: Path, content: str) -> None:
    own_copies().parent.mkdir(parents=True, exist_ok=True)
    own_copies().write_text(content)
    with pytest.raises(SettingsError, match="second copies"):
        copies_of(archive)


def test_a_copy_is_late_after_twice_its_days() -> None:
    with_days = SecondCopy("x", every_days=10, complete="2026-01-01T00:00:00Z")
    first = with_days.due_at(AFTER)
    assert first is not None
    assert not with_days.needs_attention(first)
    assert not with_days.needs_attention(first + timedelta(days=10))
    assert with_days.needs_attention(first + timedelta(days=11))
    assert not SecondCopy("x", complete="2026-01-01T00:00:00Z").needs_attention(AFTER)


def test_days_that_no_calendar_has_are_read_as_the_longest_that_can_be_asked_for(
    archive: Path,
) -> None:
    change_copy(archive, "s3://bucket/a", every_days=10**12, complete="2026-01-01T00:00:00Z")

    copy = copy_at(archive, "s3://bucket/a")

    assert copy.every_days == LONGEST_DAYS
    assert not copy.needs_attention(AFTER)


@pytest.mark.parametrize("days", [LONGEST_DAYS, 10**12])
def test_a_copy_is_due_when_there_are_days_though_it_was_made_at_the_end_of_the_calendar(
    days: int,
) -> None:
    copy = SecondCopy("x", every_days=days, complete="9995-06-01T00:00:00Z")
    now = datetime(9996, 1, 1, tzinfo=UTC)

    assert copy.due_at(now) == datetime(9999, 12, 1, tzinfo=UTC)
    assert not copy.needs_attention(now)
    last = datetime(9999, 12, 31, 23, tzinfo=UTC)
    assert replace(copy, complete=last.isoformat()).due_at(last) == last


def test_a_copy_is_asked_for_no_more_seldom_than_that(archive: Path, tmp_path: Path) -> None:
    place = tmp_path / "copy"
    most = carrel("schedule", "copy", place, "--every", str(LONGEST_DAYS), "--archive", archive)
    more = carrel("schedule", "copy", place, "--every", str(LONGEST_DAYS + 1), "--archive", archive)

    assert (most.code, more.code) == (0, 2)
    assert copy_at(archive, str(place)).every_days == LONGEST_DAYS


def test_a_first_copy_that_is_killed_is_known_and_not_complete(
    archive: Path, tmp_path: Path
) -> None:
    class Killed(BaseException):
        pass

    def killed(done: int, total: int) -> None:
        if done:
            raise Killed

    with Archive.open_for_reading(archive) as opened, pytest.raises(Killed):
        bring_up_to_date(opened, str(tmp_path / "copy"), killed)

    (copy,) = copies_of(archive)
    assert (copy.complete, copy.trouble) == ("", "Copying was not finished: copy again.")
    assert carrel("replicate", tmp_path / "copy", "--archive", archive).code == 0
    assert copies_of(archive)[0].trouble == ""
