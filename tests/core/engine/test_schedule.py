# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is done by itself: of real holdings, by a clock that the test holds."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine import Engine
from carrel.engine.schedule import read_state
from carrel.engine.schedule.watch_words import told_of_check
from carrel.engine.watch import WatchList
from carrel.model import IngestRequest, JobState
from carrel.model.dark_views import WatchedRow
from carrel.model.events import ScheduleChanged
from carrel.model.holdings import HoldingsQuery
from carrel.model.schedule import Ending, ScheduledRun, ScheduleState, Task
from carrel.model.watch_states import UNREACHABLE
from support.own_settings import configure
from support.schedules import Clock, Log, archived, damage, dataset, hold, served
from support.watching import look
from support.wire import WireServer, html, redirect, reply

YEARLY = "[schedule]\nverify_days = 365\n"
DAILY = "[schedule]\nverify_days = 1\n"


def run(
    archive: Path, clock: Clock, *tasks: Task, log: Log | None = None
) -> Sequence[ScheduledRun]:
    async def work() -> Sequence[ScheduledRun]:
        async with Engine.open(archive, log or Log()) as engine:
            hold(engine, clock)
            return await engine.schedule.run(*tasks)

    return asyncio.run(work())


def state(archive: Path, moment: datetime) -> ScheduleState:
    with Archive.open_for_reading(archive) as opened:
        return read_state(opened, moment)


def test_nothing_is_scheduled_unless_the_settings_say_so(
    server: WireServer, tmp_path: Path
) -> None:
    archive, clock = archived(tmp_path / "a", served(server, 1), ""), Clock()

    assert run(archive, clock) == []
    assert not state(archive, clock()).is_due
    assert not any(each.is_on for each in state(archive, clock()).tasks)


def test_a_part_of_the_holdings_is_verified_each_day(server: WireServer, tmp_path: Path) -> None:
    archive, clock = archived(tmp_path / "a", served(server, 3), YEARLY), Clock()

    first = run(archive, clock)
    again = run(archive, clock)

    assert [(each.task, each.ending, each.done) for each in first] == [
        (Task.VERIFY, Ending.DONE, 1)
    ]
    assert again == []


def test_what_is_damaged_is_found_and_named(server: WireServer, tmp_path: Path) -> None:
    archive, clock = archived(tmp_path / "a", served(server, 2), DAILY), Clock()
    damage(archive, b"d1 winds")

    (ran,) = run(archive, clock)

    assert (ran.ending, ran.done, ran.found) == (Ending.FOUND, 2, 1)
    assert ran.message == "“Log of d1”: 1 record damaged or missing."
    last = state(archive, clock()).of(Task.VERIFY).last
    assert last == ran


def test_it_is_told_as_it_goes(server: WireServer, tmp_path: Path) -> None:
    archive, clock, log = archived(tmp_path / "a", served(server, 1), DAILY), Clock(), Log()

    run(archive, clock, log=log)

    told = [event for event in log.events if isinstance(event, ScheduleChanged)]
    assert [each.words for each in told] == ["Verifying Log of d0", ""]
    assert told[-1].run.ending is Ending.DONE


def test_an_archive_whose_disk_was_taken_away_is_not_called_damaged(
    server: WireServer, tmp_path: Path
) -> None:
    archive, clock = archived(tmp_path / "a", served(server, 1), DAILY), Clock()

    async def work() -> tuple[ScheduledRun, str | None]:
        async with Engine.open(archive) as engine:
            hold(engine, clock)
            archive.rename(tmp_path / "gone")
            (ran,) = await engine.schedule.run()
            (tmp_path / "gone").rename(archive)
            (row,) = engine.holdings.rows(engine.holdings.find(HoldingsQuery()))
            return ran, row.verified

    ran, verified = asyncio.run(work())

    assert (ran.ending, ran.found, verified) == (Ending.FAILED, 0, None)
    assert "was removed" in ran.message


def test_a_run_that_has_no_end_was_interrupted(server: WireServer, tmp_path: Path) -> None:
    archive, clock = archived(tmp_path / "a", served(server, 2), DAILY), Clock()
    with Archive.create_or_open(archive) as opened:
        begun = ScheduledRun(Task.VERIFY, "2026-03-04T11:00:00Z", total=2, done=1)
        opened.ledger.schedules.begin(begun)

    (ran,) = run(archive, clock)

    async def runs() -> Sequence[ScheduledRun]:
        async with Engine.open(archive) as engine:
            return await engine.schedule.runs(Task.VERIFY)

    assert ran.ending is Ending.DONE
    assert [each.ending for each in asyncio.run(runs())] == [Ending.DONE, Ending.INTERRUPTED]


def test_watched_datasets_are_checked_at_their_interval(server: WireServer, tmp_path: Path) -> None:
    urls = served(server, 2)
    settings = "[schedule]\nwatch_days = 7\n"
    archive, clock = archived(tmp_path / "a", urls, ""), Clock()
    configure(settings)
    with Archive.create_or_open(archive) as opened:
        WatchList(opened).add(urls)

    (first,) = run(archive, clock)
    assert (first.task, first.done, first.ending) == (Task.WATCH, 2, Ending.DONE)

    clock.go_on(days=6)
    assert run(archive, clock) == []
    clock.go_on(days=2)
    dataset(server, "d1", ["tides"])
    (third,) = run(archive, clock)

    assert (third.done, third.ending, third.found) == (2, Ending.FOUND, 1)
    assert "Log of d1" in third.message


WEEKLY = "[schedule]\nwatch_days = 7\n"


def watching(archive: Path, urls: Sequence[str]) -> Path:
    """Watch datasets of an archive once a week, and check them a first time."""
    configure(WEEKLY)
    with Archive.create_or_open(archive) as opened:
        WatchList(opened).add(urls)
    run(archive, Clock())
    return archive


def test_a_change_is_told_by_one_check_and_not_by_those_after_it(
    server: WireServer, tmp_path: Path
) -> None:
    urls, clock = served(server, 2), Clock()
    archive = watching(archived(tmp_path / "a", urls, ""), urls)

    clock.go_on(days=8)
    dataset(server, "d1", ["tides"])
    (first,) = run(archive, clock)
    clock.go_on(days=8)
    (again,) = run(archive, clock)
    clock.go_on(days=8)
    dataset(server, "d1", ["winds"])
    (other,) = run(archive, clock)

    assert first.message.startswith("1 dataset has changed: “Log of d1”: ")
    assert first.message.endswith(".")
    assert (again.done, again.ending, again.found, again.message) == (2, Ending.DONE, 0, "")
    assert (other.ending, other.found) == (Ending.FOUND, 1)


def test_what_could_not_be_checked_is_told_as_that_and_not_as_changed(
    server: WireServer, tmp_path: Path
) -> None:
    urls, clock = served(server, 5), Clock()
    archive = watching(archived(tmp_path / "a", urls, ""), urls)

    clock.go_on(days=8)
    dataset(server, "d1", ["tides"])
    for name in ("d0", "d2", "d3", "d4"):
        server.serve(f"/{name}", reply(b"", "500 Broken"))
    (some,) = run(archive, clock)
    clock.go_on(days=8)
    server.serve("/d1", reply(b"", "500 Broken"))
    (none,) = run(archive, clock)

    changed, unchecked = some.message.split(" 4 of 5 datasets could not be checked: ")
    assert changed.startswith("1 dataset has changed: ")
    assert unchecked.count("Log of") == 3
    assert unchecked.endswith("; and 1 more.")
    assert (some.ending, some.found) == (Ending.FOUND, 5)
    assert none.message.startswith("None of 5 datasets could be checked: ")
    assert "changed" not in none.message.partition(":")[0]


def test_a_page_that_leads_to_a_log_in_page_is_restricted_now(
    server: WireServer, tmp_path: Path
) -> None:
    urls, clock = served(server, 1), Clock()
    archive = watching(archived(tmp_path / "a", urls, ""), urls)
    server.serve("/login", html("<form><input type='password' name='p'></form>"))
    server.serve("/d0", redirect("/login"))

    clock.go_on(days=8)
    (ran,) = run(archive, clock)

    assert ran.message.startswith("1 dataset is restricted now: “Log of d0”: ")
    assert "leads to a log-in page" in ran.message


def test_what_is_gone_is_told_first_and_each_kind_by_its_own_word() -> None:
    states = [
        "new version",
        "changed",
        "changed",
        "no dataset",
        "changed",
        "restricted now",
        "gone",
    ]
    rows = [
        WatchedRow(f"http://x.org/{n}", f"Log {n}", state, f"It is so {n}.", None, None)
        for n, state in enumerate(states)
    ]
    rows[4] = replace(rows[4], gone=1)

    assert told_of_check(rows, [], 7) == (
        "1 dataset is gone: “Log 6”: It is so 6. No dataset is found at 1 address: “Log 3”: It is "
        "so 3. 1 dataset is restricted now: “Log 5”: It is so 5. 3 datasets have changed. 1 "
        "dataset has another version."
    )
    assert told_of_check(rows[:5], [], 5) == (
        "No dataset is found at 1 address: “Log 3”: It is so 3. 3 datasets have changed: “Log 4”: "
        "It is so 4; “Log 1”: It is so 1; and 1 more. 1 dataset has another version."
    )


def test_what_keeps_several_from_being_checked_is_told_once() -> None:
    rows = [
        WatchedRow(f"http://x.org/{n}", f"Log {n}", UNREACHABLE, "x.org is down.", None, None)
        for n in range(7)
    ]

    assert told_of_check([], rows, 7) == (
        "None of 7 datasets could be checked: “Log 0”, “Log 1”, “Log 2”, “Log 3”, “Log 4” and "
        "2 more: x.org is down."
    )
    assert told_of_check([], rows[:1], 1) == (
        "The dataset could not be checked: “Log 0”: x.org is down."
    )


def test_a_change_that_a_stopped_check_saw_is_told_by_the_next(
    server: WireServer, tmp_path: Path
) -> None:
    urls, clock = served(server, 2), Clock()
    archive = watching(archived(tmp_path / "a", urls, ""), urls)
    dataset(server, "d1", ["tides"])
    look(archive)  # as a check that is stopped before its end: each look is noted at once

    clock.go_on(days=8)
    (ran,) = run(archive, clock)

    assert ran.message.startswith("1 dataset has changed: “Log of d1”: ")


def test_an_interval_beyond_the_calendar_is_never(server: WireServer, tmp_path: Path) -> None:
    urls = served(server, 1)
    archive, clock = archived(tmp_path / "a", urls, ""), Clock()
    configure("[schedule]\nwatch_days = 3000000\n")
    with Archive.create_or_open(archive) as opened:
        WatchList(opened).add(urls)

    (first,) = run(archive, clock)
    clock.go_on(days=400)

    assert (first.task, first.done) == (Task.WATCH, 1)
    assert run(archive, clock) == []


NIGHT = '[schedule]\nhours = "22:00-06:00"\n'


async def _queued(engine: Engine, urls: list[str]) -> list[str]:
    return [job.job_id for job in await engine.queue.add([IngestRequest(url) for url in urls])]


def test_the_queue_is_worked_off_in_its_hours_only(server: WireServer, tmp_path: Path) -> None:
    configure(NIGHT)
    urls, clock = served(server, 2), Clock()
    archive = archived(tmp_path / "a", [], "")

    async def work() -> tuple[Sequence[ScheduledRun], str, Sequence[ScheduledRun], list[JobState]]:
        async with Engine.open(archive) as engine:
            hold(engine, clock)
            await _queued(engine, urls)
            at_noon = await engine.schedule.run()
            waits = (await engine.schedule.state()).of(Task.ARCHIVE).waits
            clock.go_on(hours=11)
            at_night = await engine.schedule.run()
            return at_noon, waits, at_night, [job.state for job in engine.jobs()]

    at_noon, waits, at_night, states = asyncio.run(work())

    assert at_noon == []
    assert waits == "The queue goes on at 22:00: datasets are archived 22:00-06:00 only."
    assert [(each.task, each.ending, each.done) for each in at_night] == [
        (Task.ARCHIVE, Ending.DONE, 2)
    ]
    assert states == [JobState.DONE] * 2


def test_what_is_paused_stays_paused_whatever_the_hour(server: WireServer, tmp_path: Path) -> None:
    configure(NIGHT)
    urls, clock = served(server, 3), Clock()
    clock.go_on(hours=11)
    archive = archived(tmp_path / "a", [], "")

    async def work() -> tuple[list[JobState], Sequence[ScheduledRun], str]:
        async with Engine.open(archive) as engine:
            hold(engine, clock)
            ids = await _queued(engine, urls)
            await engine.queue.pause(ids[1:2])
            await engine.schedule.run()
            states = [engine.job(each).state for each in ids]  # type: ignore[union-attr]
            await _queued(engine, [dataset(server, "later")])
            await engine.queue.set_paused(is_paused=True)
            ran = await engine.schedule.run()
            return states, ran, (await engine.schedule.state()).of(Task.ARCHIVE).waits

    states, ran, waits = asyncio.run(work())

    assert states == [JobState.DONE, JobState.PAUSED, JobState.DONE]
    assert ran == []
    assert waits == (
        "The queue is paused, and stays so until you resume it, in the window or by “carrel batch "
        "run”."
    )


@pytest.mark.parametrize("gives_way", [True, False])
def test_the_background_gives_way_to_what_is_archived(
    server: WireServer, tmp_path: Path, gives_way: bool
) -> None:
    also = "" if gives_way else "while_archiving = true\n"
    archive = archived(tmp_path / "a", served(server, 1), DAILY + also)

    async def work() -> list[str]:
        log = Log()
        async with Engine.open(archive, log) as engine:
            hold(engine, Clock())
            urls = [dataset(server, f"new{number}") for number in range(3)]
            await _queued(engine, urls)
            engine.queue.start()
            engine.schedule.begin()
            await engine.queue.wait_until_idle()
            while not any(_is_end(event) for event in log.events):
                await asyncio.sleep(0.01)
        kinds = [type(event).__name__ for event in log.events]
        return [kind for kind in kinds if kind in ("IngestFinished", "ScheduleChanged")]

    order = asyncio.run(work())

    assert order.count("IngestFinished") == 3
    first = order.index("ScheduleChanged")
    assert (first == 3) is gives_way or not gives_way


def _is_end(event: object) -> bool:
    return isinstance(event, ScheduleChanged) and event.run.ending is not None


def test_the_background_ends_with_the_engine_and_says_so(
    server: WireServer, tmp_path: Path
) -> None:
    archive = archived(tmp_path / "a", served(server, 3), DAILY)

    async def work() -> None:
        begun = asyncio.Event()
        async with Engine.open(archive, lambda event: begun.set()) as engine:
            hold(engine, Clock())
            engine.schedule.begin()
            await begun.wait()

    asyncio.run(work())

    last = state(archive, Clock()()).of(Task.VERIFY).last
    assert last is not None
    assert last.ending in (Ending.STOPPED, Ending.DONE)
