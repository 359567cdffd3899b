# SPDX-License-Identifier: AGPL-3.0-or-later
"""The window in every state worth a look, on a fake engine and with the clock held."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from carrel.model import (
    Fate,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    PlatformItem,
    RecordCheck,
    Stage,
    Status,
)
from carrel.model import events as ev
from carrel_desktop.desk import Desk
from carrel_desktop.main_window import ARCHIVE, HOLDINGS, QUEUE, MainWindow
from carrel_desktop.theme import Theme
from carrel_desktop.views.archive.model import State
from support import fake_datasets as sets
from support.fake_engine import FakeOpener, chosen

SMALL, LARGE = (1000, 680), (1440, 900)
FOLDER = Path("/srv/archives/research-data")  # shown, never touched


@dataclass(slots=True)
class Stand:
    """A window on a fake engine, and a clock that stands still unless it is moved."""

    window: MainWindow
    opener: FakeOpener
    now: float = 1000.0


Pose = Callable[[Stand], Awaitable[None]]


async def until(holds: Callable[[], bool]) -> None:
    """Let the window's loop turn until something holds."""
    while not holds():
        await asyncio.sleep(0.005)


async def archive_empty(stand: Stand) -> None:
    stand.window.show_page(ARCHIVE)


async def archive_found(stand: Stand, chosen_row: int = 0) -> None:
    view = stand.window.archive_view
    stand.window.show_page(ARCHIVE)
    view.ui.paste.setPlainText(sets.PASTED)
    view.look()
    await until(lambda: len(view.model) == 9 and not view.model.count(State.LOOKING))
    view.ui.list.setCurrentIndex(view.model.index(chosen_row))


async def archive_restricted_file(stand: Stand) -> None:
    await archive_found(stand, 1)


async def archive_refused(stand: Stand) -> None:
    await archive_found(stand, 5)


async def archive_looking(stand: Stand) -> None:
    held = frozenset({sets.GENOMES, sets.CENSUS, sets.LIGHT})
    stand.opener.script = replace(stand.opener.script, held=held)
    engine = stand.opener.engine
    assert engine
    engine.script = stand.opener.script
    view = stand.window.archive_view
    view.ui.paste.setPlainText(sets.PASTED)
    view.look()
    await until(lambda: view.model.count(State.LOOKING) == 3)
    await until(lambda: sum(bool(row.doing) for row in view.model) >= 3)
    view.ui.list.setCurrentIndex(view.model.index(2))


async def queue_empty(stand: Stand) -> None:
    stand.window.show_page(QUEUE)


def busy_events(stand: Stand) -> list[ev.Event]:
    """Return what a queue in the middle of its work has reported."""
    events: list[ev.Event] = []
    events += _finished("j1", sets.SEABIRDS, sets.seabirds(), None)
    events += _finished("j2", sets.SURVEY, sets.survey(), Status.MISMATCH_MD5)
    events += _finished("j3", sets.INTERVIEWS, None, Status.PLATFORM_RESTRICTED)
    events += _described("j4", sets.DUNES, sets.dunes())
    events += _described("j5", sets.GENOMES, sets.genomes())
    events += _described("j6", sets.LIGHT, sets.lighthouse())
    events.append(ev.IngestQueued("j7", _request(sets.CENSUS)))
    events.append(ev.IngestQueued("j8", _request(sets.BLOG)))
    return events


async def queue_busy(stand: Stand) -> None:
    view, model = stand.window.queue_view, stand.window.queue_view.model
    stand.window.show_page(QUEUE)
    model.apply(busy_events(stand), stand.now)
    for index in range(5):
        done = replace(
            sets.dunes().manifest[index],
            status=Status.SUCCESS,
            observed=sets.dunes().manifest[index].declared,
        )
        model.apply([ev.FileStarted("j4", index), ev.FileFinished("j4", index, done)], stand.now)
    model.apply(
        [
            ev.FileStarted("j4", 5),
            ev.FileProgress("j4", 5, 51_200_000, 86_620_000),
            ev.FileStarted("j4", 6),
            ev.FileProgress("j4", 6, 87_930_000, 87_930_000),
            ev.FileProgress("j4", 6, 30_000_000, 87_930_000, Stage.VERIFY),
            ev.FileStarted("j6", 1),
            ev.FileProgress("j6", 1, 640_000, None),
            ev.FileStarted("j5", 0),
            ev.FileProgress("j5", 0, 1_930 * sets.MB, 6_400 * sets.MB),
        ],
        stand.now + 5,
    )
    stand.now += 8
    model.tick(stand.now)
    row = model.index(3, 0)
    view.tree.expand(row)
    view.tree.setCurrentIndex(row)


async def queue_stalled(stand: Stand) -> None:
    await queue_busy(stand)
    view = stand.window.queue_view
    view.tree.collapse(view.model.index(3, 0))
    view.tree.setCurrentIndex(view.model.index(4, 0))
    stand.now += 34
    view.model.tick(stand.now)
    view._follow()


async def queue_failed(stand: Stand) -> None:
    await queue_busy(stand)
    view = stand.window.queue_view
    view.chips._group.button(3).click()
    view.tree.expand(view.model.index(0, 0))
    view.tree.setCurrentIndex(view.model.index(0, 0))


async def holdings_empty(stand: Stand) -> None:
    stand.window.show_page(HOLDINGS)


async def holdings_full(stand: Stand, row: int = 0) -> None:
    window, view = stand.window, stand.window.holdings_view
    window.show_page(HOLDINGS)
    engine = stand.opener.engine
    assert engine
    engine._results = sets.holdings()
    view.refresh()
    await until(lambda: view.model.rowCount() == 6)
    view.table.selectRow(row)
    holding = view.model.at(view.model.index(row, 0))
    await until(lambda: bool(view._record and holding and view._record.asked == holding.asked))


async def holdings_failed(stand: Stand) -> None:
    await holdings_full(stand, 2)


async def holdings_verified(stand: Stand) -> None:
    await holdings_full(stand)
    stand.window.holdings_view.verify()
    await until(lambda: "h5" in stand.window.holdings_view._reports)


async def holdings_damaged(stand: Stand) -> None:
    engine = stand.opener.engine
    assert engine
    check = RecordCheck(
        "https://files.example.org/measurements/wind.csv",
        "CARREL-20260303113145-00000.warc.gz",
        48_211,
        12_804_311,
        Fate.DAMAGED,
        "the SHA-256 is another than when it was written",
    )
    engine.script = replace(engine.script, damaged=(check,))
    await holdings_verified(stand)


POSES: dict[str, Pose] = {
    "archive-empty": archive_empty,
    "archive-looking": archive_looking,
    "archive-found": archive_found,
    "archive-restricted-file": archive_restricted_file,
    "archive-refused": archive_refused,
    "queue-empty": queue_empty,
    "queue-busy": queue_busy,
    "queue-stalled": queue_stalled,
    "queue-failed": queue_failed,
    "holdings-empty": holdings_empty,
    "holdings-full": holdings_full,
    "holdings-failed": holdings_failed,
    "holdings-verified": holdings_verified,
    "holdings-damaged": holdings_damaged,
}


async def take(theme: Theme, name: str, size: tuple[int, int], output: Path) -> MainWindow:
    """Write one picture; return the window, hidden by now, as it stood."""
    opener = FakeOpener(sets.script())
    desk = Desk(FOLDER, opener, lambda _folder: 412 * sets.GB)
    window = MainWindow(desk, theme)
    stand = Stand(window, opener)
    window.queue_view._clock = lambda: stand.now
    window.resize(*size)
    window.show()
    try:
        await desk.open()
        await desk.measure_free()
        await POSES[name](stand)
        await asyncio.sleep(0.05)
        output.parent.mkdir(parents=True, exist_ok=True)
        window.grab().save(str(output))
        window.hide()
    finally:
        await desk.close()
    return window


def _request(url: str) -> IngestRequest:
    return IngestRequest(url)


def _described(job: str, url: str, item: PlatformItem) -> list[ev.Event]:
    return [
        ev.IngestQueued(job, _request(url)),
        ev.IngestStarted(job, _request(url)),
        ev.Described(job, item, chosen(item, IngestOptions())),
        ev.StageEntered(job, Stage.FETCH),
    ]


def _finished(job: str, url: str, item: PlatformItem | None, bad: Status | None) -> list[ev.Event]:
    now = datetime(2026, 3, 3, tzinfo=UTC).isoformat()
    if item is None:
        result = IngestFilesetResult(_request(url), bad or Status.SUCCESS, ingest_id=job)
        return [ev.IngestQueued(job, _request(url)), ev.IngestFinished(job, result)]
    result = sets.kept_result(url, item, job, now, bad)
    return [*_described(job, url, item), ev.IngestFinished(job, result)]
