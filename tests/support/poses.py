# SPDX-License-Identifier: AGPL-3.0-or-later
"""The window in every state worth a look, on a fake engine and with the clock held."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from carrel.credentials import Credentials, Keys
from carrel.model import (
    Answer,
    Fate,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    IngestStrategy,
    Job,
    JobState,
    PlatformItem,
    Question,
    RecordCheck,
    Stage,
    Status,
    total_size,
)
from carrel.model import events as ev
from carrel.model.holdings import Facet, HoldingsQuery
from carrel.model.standing import Standing
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.archive.detection import State
from carrel_desktop.views.dark.view import DarkView
from carrel_desktop.views.holdings.view import HoldingsView
from carrel_desktop.views.overview.shown import shown_of
from carrel_desktop.views.queue.graph import RateGraph, RateHistory
from support import fake_datasets as sets
from support import fake_standing
from support.dark_poses import DARK_POSES
from support.dark_poses import until as until_it
from support.fake_dark import DarkScript, FakeDark
from support.fake_engine import FakeEngine, FakeOpener, chosen
from support.fake_watch import DIFFERENCES, ROWS
from support.memento_poses import MEMENTO_POSES
from support.source_poses import SOURCE_POSES

SMALL, LARGE = (1000, 680), (1440, 900)
PAUSED = JobState.PAUSED
FOLDER = Path("/srv/archives/research-data")  # shown, never touched


@dataclass(slots=True)
class Stand:
    """A window on a fake engine, and a clock that stands still unless it is moved."""

    window: MainWindow
    opener: FakeOpener
    now: float = 1000.0


class KnownKeys(Credentials):
    """Keys that are stored, without a keyring."""

    def archiveorg(self) -> Keys | None:
        return None

    def unusable(self) -> str | None:
        return None

    def names(self) -> tuple[str, ...]:
        return ("archive.org", "dataverse.harvard.edu")


Pose = Callable[[Stand], Awaitable[None]]


async def until(holds: Callable[[], bool]) -> None:
    """Let the window's loop turn until something holds."""
    while not holds():
        await asyncio.sleep(0.005)


async def archive_empty(stand: Stand) -> None:
    stand.window.show_page(stand.window.pages.archive)


async def archive_found(stand: Stand, chosen_row: int = 0) -> None:
    view = stand.window.pages.archive
    stand.window.show_page(stand.window.pages.archive)
    view.ui.paste.setPlainText(sets.PASTED)
    view.look()
    await until(lambda: len(view.model) == 9 and not view.model.count(State.LOOKING))
    view.ui.list.setCurrentIndex(view.model.index(chosen_row))


async def archive_restricted_file(stand: Stand) -> None:
    await archive_found(stand, 1)


async def archive_refused(stand: Stand) -> None:
    await archive_found(stand, 5)


async def archive_known(stand: Stand) -> None:
    """Two addresses that are listed already were pasted again."""
    await archive_found(stand)
    view = stand.window.pages.archive
    view.ui.paste.setPlainText(f"{sets.GENOMES}\n{sets.INTERVIEWS}")
    view.look()
    await until(lambda: not view.ui.told.isHidden() and not view.model.count(State.LOOKING))


async def archive_public(stand: Stand) -> None:
    """A way of keeping was chosen by hand that everybody can see."""
    await archive_found(stand)
    combo = stand.window.pages.archive.ui.detail.strategy.combo
    position = combo.findData(IngestStrategy.ARCHIVEORG_FILESET)
    combo.setCurrentIndex(position)
    combo.activated.emit(position)


async def archive_again(stand: Stand) -> None:
    """One that was archived can be archived again."""
    await archive_found(stand)
    view = stand.window.pages.archive
    await until(lambda: stand.window.pages.queue.model.is_running)
    view.archive()
    await until(lambda: view.model.count(State.DONE) == 1)


async def archive_running(stand: Stand) -> None:
    """One is being archived, the next are in the queue."""
    await archive_found(stand)
    await until(lambda: stand.window.pages.queue.model.is_running)
    engine = stand.opener.engine
    assert engine
    engine.script = replace(engine.script, held=frozenset(engine.script.items))
    view = stand.window.pages.archive
    view.archive()
    await until(lambda: view.model.count(State.RUNNING) == 1)


async def archive_hidden(stand: Stand) -> None:
    """A platform tells what a dataset is, and shows none of its files."""
    engine = stand.opener.engine
    assert engine
    hidden = replace(sets.survey(), manifest=(), findings=())
    items = {**engine.script.items, sets.INTERVIEWS: hidden}
    engine.script = replace(engine.script, items=items)
    await archive_refused(stand)


def keeps(stand: Stand, *results: IngestFilesetResult) -> FakeEngine:
    """Have the archive hold these from before; return its engine."""
    engine = stand.opener.engine
    assert engine
    engine.holdings.kept[:] = results
    return engine


async def archive_held(stand: Stand) -> None:
    """One is held as it is published, of others a part, an older version, or damaged records."""
    older = replace(sets.dunes(), platform_version="2.0", manifest=sets.dunes().manifest[:-2])
    engine = keeps(
        stand,
        sets.kept_result(sets.GENOMES, sets.genomes(), "h1", "2026-02-28T16:40:11+00:00"),
        sets.kept_result(sets.LIGHT, sets.lighthouse(), "h2", "2026-03-01T10:02:54+00:00"),
        sets.kept_result(sets.DUNES, older, "h3", "2026-03-03T11:31:45+00:00"),
    )
    engine.holdings.fixities["h2"] = {"fate": Fate.DAMAGED, "failed": 2}
    stand.window.pages.holdings.refresh()
    await archive_found(stand, 2)


async def archive_held_otherwise(stand: Stand) -> None:
    """What is published of one is not all that is held."""
    await archive_held(stand)
    view = stand.window.pages.archive
    view.ui.list.setCurrentIndex(view.model.index(0))


async def archive_held_damaged(stand: Stand) -> None:
    """Of one that is held, something is known to be damaged."""
    await archive_held(stand)
    view = stand.window.pages.archive
    view.ui.list.setCurrentIndex(view.model.index(4))


async def archive_beyond_limits(stand: Stand) -> None:
    engine = stand.opener.engine
    assert engine
    refusals = {**engine.script.refusals, sets.DUNES: Status.TOO_MANY_FILES}
    engine.script = replace(engine.script, refusals=refusals)
    await archive_found(stand)


async def archive_looking(stand: Stand) -> None:
    held = frozenset({sets.GENOMES, sets.CENSUS, sets.LIGHT})
    stand.opener.script = replace(stand.opener.script, held=held)
    engine = stand.opener.engine
    assert engine
    engine.script = stand.opener.script
    view = stand.window.pages.archive
    stand.window.show_page(view)
    view.ui.paste.setPlainText(sets.PASTED)
    view.look()
    await until(lambda: view.model.count(State.LOOKING) == 3)
    await until(lambda: sum(bool(row.doing) for row in view.model) >= 3)
    view.ui.list.setCurrentIndex(view.model.index(2))


def a_list(folder: Path) -> Path:
    """Write a table of many datasets, with what such tables have in them."""
    rows = [f"Dataset {n},10.5281/zenodo.{7_000_000 + n}," for n in range(1240)]
    rows[411:411] = ["see the appendix,,", "10.5281/zenodo (lost),,"]
    rows[900:900] = ["Dataset 3 again,10.5281/ZENODO.7000003,", "n. a.,,"]
    path = folder / "holdings.csv"
    path.write_text("title,doi,note\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


async def archive_batch(stand: Stand) -> None:
    view = stand.window.pages.archive
    stand.window.show_page(view)
    with TemporaryDirectory() as folder:
        view.batches.read([a_list(Path(folder))])
        await until(lambda: view.batches.current is not None)


async def archive_batch_looked_at(stand: Stand) -> None:
    await archive_found(stand)
    await archive_batch(stand)


async def queue_empty(stand: Stand) -> None:
    stand.window.show_page(stand.window.pages.queue)


def job(number: int, url: str, state: JobState, **fields: Any) -> Job:
    """Return a job of the pictures; its number is its place and its id."""
    request = IngestRequest(url, link_source_id=url.removeprefix("https://doi.org/"))
    usual = {"batch": "coastal-holdings", "attempts": 0}
    if state is not JobState.QUEUED:
        usual |= {"attempts": 1, "ingest_id": f"j{number}", "started": "2026-03-03T09:05:00+00:00"}
    if state in (JobState.DONE, JobState.FAILED, JobState.CANCELLED, JobState.ASKING):
        usual |= {"finished": f"2026-03-03T09:{(10 + number) % 60:02}:00+00:00"}
    added = "2026-03-03T09:00:00+00:00"
    plain = Job(f"j{number}", request, IngestOptions(), state, number, added)
    return replace(plain, **{**usual, **fields})


def known(item: PlatformItem, bad: int = 0) -> dict[str, Any]:
    """Return what a job knows of a dataset once it has ended, with so many bad files at its end."""
    kept = item.manifest[: len(item.manifest) - bad]
    return {
        "title": item.title,
        "platform_name": item.platform_name,
        "file_count": len(item.manifest),
        "kept_count": len(kept),
        "total_size": total_size(item.manifest),
        "kept_size": total_size(kept),
    }


def busy_jobs() -> list[Job]:
    """Return a queue in the middle of its work."""
    differs, restricted = Status.MISMATCH_MD5, Status.PLATFORM_RESTRICTED
    return [
        job(1, sets.SEABIRDS, JobState.DONE, status=Status.SUCCESS, **known(sets.seabirds())),
        job(
            2,
            sets.SURVEY,
            JobState.FAILED,
            status=differs,
            message="The MD5 of data/interviews_raw.zip is not the one that Dataverse published.",
            **known(sets.survey(), 1),
        ),
        job(3, sets.INTERVIEWS, JobState.FAILED, status=restricted),
        job(4, sets.DUNES, JobState.RUNNING),
        job(5, sets.GENOMES, JobState.RUNNING),
        job(6, sets.LIGHT, JobState.RUNNING, batch=None),
        job(
            7,
            sets.CENSUS,
            JobState.ASKING,
            status=Status.TOO_MANY_FILES,
            question=Question(
                "It has 4,146 files; your limit is 200. Archive it anyway?",
                (Answer.LIFT_LIMIT, Answer.LEAVE),
            ),
            **known(sets.census(), 146),
        ),
        job(8, sets.BLOG, JobState.QUEUED, priority=1, batch=None),
        job(9, "https://doi.org/10.5281/zenodo.6501223", JobState.QUEUED),
        job(10, "https://doi.org/10.17026/dans-x7u-8b9q", JobState.PAUSED),
        *(
            job(n, f"https://doi.org/10.5281/zenodo.65{n:05}", JobState.QUEUED)
            for n in range(11, 41)
        ),
    ]


async def queue_busy(stand: Stand, chosen_id: str = "j4") -> None:
    """Three jobs run, one asks, some wait, some have ended; one is chosen and open."""
    view, model = stand.window.pages.queue, stand.window.pages.queue.model
    engine = stand.opener.engine
    assert engine
    await until(lambda: model.is_running)
    stand.window.session._bridge.drain()  # that the queue was started
    await until(lambda: not view.reading.is_busy)
    engine.holdings.kept = [
        sets.kept_result(
            sets.SURVEY, sets.survey(), "j2", "2026-03-03T09:12:00+00:00", Status.MISMATCH_MD5
        )
    ]
    engine.queue.known = {each.job_id: each for each in busy_jobs()}
    stand.window.show_page(stand.window.pages.queue)
    view.refresh()
    await until(lambda: model.totals().all > 0 and not view.reading.is_busy)
    dunes = sets.dunes()
    events = [
        *_described("j4", sets.DUNES, dunes),
        *_described("j5", sets.GENOMES, sets.genomes()),
        *_described("j6", sets.LIGHT, sets.lighthouse()),
    ]
    for index in range(5):
        observed = dunes.manifest[index].declared
        file = replace(dunes.manifest[index], status=Status.SUCCESS, observed=observed)
        events += [ev.FileStarted("j4", index), ev.FileFinished("j4", index, file)]
    model.apply(events, stand.now)
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
    draw_rate(view.ui.graph, stand.now)
    row = model.find(chosen_id)
    assert row
    view.tree.setCurrentIndex(model.index_of(row))
    if row.files:
        view.tree.expand(model.index_of(row))
    await settled(stand)


def draw_rate(graph: RateGraph, now: float) -> None:
    """Have the graph show two minutes, up and down as they are, that end with what is true now."""
    graph._history = RateHistory()
    for second in range(-100, 0):
        wave = 11 + 4 * math.sin(second / 9) + 2 * math.sin(second / 3.3) + math.sin(second)
        graph.add(now + second, wave * sets.MB)
    graph.add(now, 14.2 * sets.MB)


async def settled(stand: Stand) -> None:
    """Let what the chosen job's result adds arrive."""
    view = stand.window.pages.queue
    chosen = view.tree.chosen_rows()
    job = chosen[0].job if len(chosen) == 1 else None
    engine = stand.opener.engine
    assert engine
    if job and not job.state.is_open and engine.holdings.result(job.ingest_id or ""):
        await until(lambda: view._ending is not None)


async def queue_asking(stand: Stand) -> None:
    await queue_busy(stand, "j7")


async def queue_stalled(stand: Stand) -> None:
    await queue_busy(stand, "j5")
    view = stand.window.pages.queue
    stand.now += 34
    view.model.apply([ev.FileWaiting("j6", 1, "archive.org asks for a pause of 3 min")], stand.now)
    view.model.tick(stand.now)


async def queue_failed(stand: Stand) -> None:
    """The place of what failed; the files of the one with a bad file are open."""
    await queue_busy(stand, "j2")
    view = stand.window.pages.queue
    view.ui.places.choose(JobState.FAILED)
    row = view.model.find("j2")
    assert row
    view.tree.expand(view.model.index_of(row))
    await until(lambda: bool(row.files))
    view.tree.setCurrentIndex(view.model.index_of(row))


async def queue_several(stand: Stand) -> None:
    await queue_busy(stand)
    stand.window.pages.queue.commands.choose_all()


async def queue_stopped(stand: Stand) -> None:
    """The queue is stopped and nothing is chosen."""
    await queue_busy(stand)
    view = stand.window.pages.queue
    engine = stand.opener.engine
    assert engine
    engine.queue.is_running = False
    jobs = [replace(each, state=JobState.QUEUED) for each in busy_jobs()[3:6]]
    engine.queue.known |= {each.job_id: each for each in jobs}
    view.model.apply([ev.JobChanged(each.job_id, each) for each in jobs], stand.now)
    view._follow_queue()
    view.tree.clearSelection()


def ended_jobs() -> list[Job]:
    """Return a queue of which all has ended: two go by their addresses alone, and of one nothing
    has a known size but what came."""
    page = "https://repository.example.edu/collections/coastal-surveys/datasets/aerial-photographs"
    breaking = known(sets.lighthouse(), 1)
    return [
        job(
            41,
            sets.SEABIRDS,
            JobState.DONE,
            status=Status.SUCCESS,
            message="Everything was kept and verified.",
            **known(sets.seabirds()),
        ),
        job(
            42,
            sets.LIGHT,
            JobState.FAILED,
            status=Status.TRUNCATED,
            message="1 of 2 files is archived. Not archived: the server interrupted it.",
            **{**breaking, "total_size": breaking["kept_size"]},
        ),
        *(
            job(
                51 + number,
                f"{page}/{year}",
                JobState.FAILED,
                status=Status.NO_PLATFORM_MATCH,
                message=f"{page}/{year} is on no platform that Carrel knows.",
            )
            for number, year in enumerate((1937, 1953))
        ),
    ]


async def queue_idle(stand: Stand) -> None:
    """Nothing waits and nothing runs."""
    await queue_busy(stand)
    view, engine = stand.window.pages.queue, stand.opener.engine
    assert engine
    engine.queue.known = {each.job_id: each for each in ended_jobs()}
    view.refresh()
    await until(lambda: view.model.totals().all == 4 and not view.reading.is_busy)
    row = view.model.find("j42")
    assert row
    view.tree.setCurrentIndex(view.model.index_of(row))


async def queue_held_up(stand: Stand) -> None:
    """The disk is full: one job says so, another that the archive is away."""
    await queue_busy(stand)
    view, engine = stand.window.pages.queue, stand.opener.engine
    assert engine
    full, away = Status.DISK_FULL, Status.STORE_DAMAGED
    needs = "It needs 6.0 GiB, and 412 MiB are free on the archive's disk."
    gone = "Nothing was started: the archive's folder is not there."
    jobs = [
        job(9, "https://doi.org/10.5281/zenodo.6501223", PAUSED, status=full, message=needs),
        job(10, "https://doi.org/10.17026/dans-x7u-8b9q", PAUSED, status=away, message=gone),
    ]
    engine.queue.known |= {each.job_id: each for each in jobs}
    view.model.apply([ev.JobChanged(each.job_id, each) for each in jobs], stand.now)
    row = view.model.find("j9")
    assert row
    view.tree.setCurrentIndex(view.model.index_of(row))


async def queue_none_found(stand: Stand) -> None:
    await queue_busy(stand)
    stand.window.pages.queue.ui.search.setText("glacier")


async def holdings_empty(stand: Stand) -> None:
    stand.window.show_page(stand.window.pages.holdings)


async def holdings_full(stand: Stand, row: int = 0) -> None:
    window, view = stand.window, stand.window.pages.holdings
    window.show_page(window.pages.holdings)
    engine = stand.opener.engine
    assert engine
    engine.holdings.kept = sets.holdings()
    view.refresh()
    await until(lambda: view.model.rowCount() == 5)
    view.ui.table.choose(row)
    await until(lambda: _is_shown(view, view.model.numbers[row]))


def _is_shown(view: HoldingsView, dataset_id: int) -> bool:
    record = view.choice.record
    return record is not None and record.dataset_id == dataset_id


async def holdings_digest(stand: Stand) -> None:
    """The digest of a file was pasted, to see which dataset holds it."""
    await holdings_full(stand)
    view, engine = stand.window.pages.holdings, stand.opener.engine
    assert engine
    kept = next(it for it in engine.holdings.kept if it.request.base_url == sets.SEABIRDS)
    view.ui.search.setText(f"sha256:{kept.files[0].digest('sha256')}")
    await until(lambda: view.model.rowCount() == 1)
    await until(lambda: bool(view.choice.record and view.choice.record.asked == sets.SEABIRDS))


async def holdings_failed(stand: Stand) -> None:
    await holdings_full(stand, 2)


async def holdings_retried(stand: Stand) -> None:
    """What is held stays on show when a later attempt failed or kept less."""
    await holdings_full(stand)
    view, engine = stand.window.pages.holdings, stand.opener.engine
    assert engine
    later = "2026-03-04T08:00:00+00:00"
    gone = IngestFilesetResult(
        IngestRequest(sets.DUNES),
        Status.NETWORK_ERROR,
        error_message="zenodo.org did not answer within 60 seconds.",
        ingest_id="h6",
        started=later,
        finished=later,
    )
    less = sets.kept_result(sets.CENSUS, sets.census(), "h7", later, Status.MISMATCH_MD5)
    engine.holdings.kept = [*sets.holdings(), gone, less]
    view.refresh()
    await until(lambda: bool(view.choice.record and view.choice.record.last))


async def holdings_several(stand: Stand) -> None:
    """Several are chosen, of which some have tags."""
    await holdings_full(stand)
    view = stand.window.pages.holdings
    curation = view.session.engine.holdings.curation
    curation.add_tag(view.model.numbers[:2], "coast")
    view.refresh()
    view.ui.table.choose_all([0, 1, 3])
    await until(lambda: view.choice.chosen.amount.datasets == 3)


async def holdings_facets(stand: Stand) -> None:
    """The list is narrowed down, and what is chosen has a history, tags and a note."""
    await holdings_retried(stand)
    view = stand.window.pages.holdings
    curation, dataset_id = view.session.engine.holdings.curation, view.model.numbers[0]
    curation.add_tag([dataset_id], "coast")
    curation.write_note(dataset_id, "Asked for by the harbour museum.")
    view.filtering.show(True)
    view.show_query(HoldingsQuery(chosen={Facet.TAG: frozenset(["coast"])}))
    await until(lambda: view.model.rowCount() == 1)
    await until(lambda: bool(view.choice.record and view.choice.record.note))


async def holdings_verified(stand: Stand) -> None:
    await holdings_full(stand)
    stand.window.pages.holdings.choice.verify()
    await until(lambda: "h5" in stand.window.pages.holdings.verifications.reports)


async def holdings_damaged(stand: Stand) -> None:
    engine = stand.opener.engine
    assert engine
    engine.script = replace(engine.script, damaged=_damaged())
    await holdings_verified(stand)


async def holdings_damaged_before(stand: Stand) -> None:
    """What an earlier session found is told as it was then."""
    engine = stand.opener.engine
    assert engine
    engine.holdings.kept = sets.holdings()
    engine.script = replace(engine.script, damaged=_damaged())
    await engine.verify("h5")
    await holdings_full(stand)


def _damaged() -> tuple[RecordCheck, ...]:
    wind = RecordCheck(
        "https://files.example.org/measurements/wind.csv",
        "main-20260303113145-00001-carrel.warc.gz",
        48_211,
        12_804_311,
        Fate.DAMAGED,
        "The payload's SHA-256 is another than when it was written.",
    )
    page = "https://zenodo.org/records/7041152"
    gone = "main-20260303113145-00002-carrel.warc.gz"
    there = f"There is no /srv/archives/research-data/collections/main/archive/{gone}."
    flux = wind.url.replace("wind", "sand_flux")
    return (
        wind,
        replace(wind, url=page, offset=12_853_002, message="The record is damaged."),
        replace(wind, url=flux, filename=gone, offset=483, fate=Fate.MISSING, message=there),
    )


async def settings(stand: Stand) -> None:
    view = stand.window.pages.settings
    stand.window.show_page(stand.window.pages.settings)
    await until(lambda: view.keys._rows.count() > 0)


async def settings_wrong(stand: Stand) -> None:
    """Two fields need another look, and the keys are in sight."""
    await settings(stand)
    view = stand.window.pages.settings
    for name, text in (("limits.max_file_count", "many"), ("warc.host", "our machine")):
        entry = next(each for each in view.form.entries if each.setting.name == name)
        entry.focus_widget.setText(text)  # type: ignore[attr-defined]  # a line of text
        entry._on_edited()
    view.save()


async def settings_foot(stand: Stand) -> None:
    await settings(stand)
    bar = stand.window.pages.settings.form.verticalScrollBar()
    await asyncio.sleep(0.05)
    bar.setValue(bar.maximum())


def of_mementos(pose: Callable[[MainWindow, FakeEngine], Awaitable[object]]) -> Pose:
    """Return a pose of the Mementos page as one of the window."""

    async def take_up(stand: Stand) -> None:
        engine = stand.opener.engine
        assert engine
        await pose(stand.window, engine)

    return take_up


def of_dark(pose: Callable[[DarkView, FakeDark], Awaitable[None]]) -> Pose:
    """Return a pose of the Dark archive page as one of the window."""

    async def take_up(stand: Stand) -> None:
        engine = stand.opener.engine
        assert engine
        stand.window.show_page(stand.window.pages.dark)
        await pose(stand.window.pages.dark, engine.dark)

    return take_up


async def watch_empty(stand: Stand) -> None:
    stand.window.show_page(stand.window.pages.watch)
    await asyncio.sleep(0.05)


async def watch_full(stand: Stand) -> None:
    engine = stand.opener.engine
    assert engine
    engine.dark.script = DarkScript(watched=ROWS, differences=DIFFERENCES)
    view = stand.window.pages.watch
    stand.window.show_page(stand.window.pages.watch)
    view.refresh()
    await until_it(lambda: view.model.total == len(ROWS))
    view.table.choose(0)
    await asyncio.sleep(0.1)


def of_overview(standing: Standing, *, as_tables: bool = False) -> Pose:
    """Return a pose of the Overview page, over an archive that stands so."""

    async def take_up(stand: Stand) -> None:
        engine = stand.opener.engine
        assert engine
        engine.script = replace(engine.script, standing=standing)
        view = stand.window.pages.overview
        stand.window.show_page(view)
        view.refresh()
        expected = shown_of(standing)
        await until(lambda: view.shown == expected)
        if as_tables:
            view.page_actions.tables.trigger()
        view.board.tiles[0].clearFocus()

    return take_up


POSES: dict[str, Pose] = {
    "overview-empty": of_overview(fake_standing.EMPTY),
    "overview-full": of_overview(fake_standing.FULL),
    "overview-long": of_overview(fake_standing.LONG),
    "overview-well": of_overview(fake_standing.WELL),
    "overview-tables": of_overview(fake_standing.FULL, as_tables=True),
    "archive-empty": archive_empty,
    "archive-looking": archive_looking,
    "archive-found": archive_found,
    "archive-restricted-file": archive_restricted_file,
    "archive-refused": archive_refused,
    "archive-known": archive_known,
    "archive-public": archive_public,
    "archive-again": archive_again,
    "archive-running": archive_running,
    "archive-hidden": archive_hidden,
    "archive-held": archive_held,
    "archive-held-otherwise": archive_held_otherwise,
    "archive-held-damaged": archive_held_damaged,
    "archive-beyond-limits": archive_beyond_limits,
    "archive-batch": archive_batch,
    "archive-batch-looked-at": archive_batch_looked_at,
    "queue-empty": queue_empty,
    "queue-busy": queue_busy,
    "queue-asking": queue_asking,
    "queue-stalled": queue_stalled,
    "queue-failed": queue_failed,
    "queue-several": queue_several,
    "queue-stopped": queue_stopped,
    "queue-held-up": queue_held_up,
    "queue-idle": queue_idle,
    "queue-none-found": queue_none_found,
    "holdings-empty": holdings_empty,
    "holdings-full": holdings_full,
    "holdings-digest": holdings_digest,
    "holdings-failed": holdings_failed,
    "holdings-retried": holdings_retried,
    "holdings-several": holdings_several,
    "holdings-facets": holdings_facets,
    "holdings-verified": holdings_verified,
    "holdings-damaged": holdings_damaged,
    "holdings-damaged-before": holdings_damaged_before,
    "settings": settings,
    "settings-wrong": settings_wrong,
    "settings-foot": settings_foot,
    **{name: of_mementos(pose) for name, pose in MEMENTO_POSES.items()},
    **{name: of_mementos(pose) for name, pose in SOURCE_POSES.items()},
    **{name: of_dark(pose) for name, pose in DARK_POSES.items()},
    "watch-empty": watch_empty,
    "watch-full": watch_full,
}


async def take(theme: Theme, name: str, size: tuple[int, int], output: Path) -> MainWindow:
    """Write one picture; return the window, hidden by now, as it stood."""
    opener = FakeOpener(sets.script())
    session = Session(FOLDER, opener, lambda _folder: 412 * sets.GB, KnownKeys())
    window = MainWindow.furnished(session, theme)
    stand = Stand(window, opener)
    window.pages.queue._clock = lambda: stand.now
    window.resize(*size)
    window.show()
    try:
        await session.open()
        await session.measure_free()
        await POSES[name](stand)
        await _settled(window)
        output.parent.mkdir(parents=True, exist_ok=True)
        window.grab().save(str(output))
        window.hide()
    finally:
        await session.close()
    return window


async def _settled(window: MainWindow) -> None:
    """Wait until the layouts have come to rest; some take more than one turn of the event loop."""
    before = None
    while before != (now := [child.geometry() for child in window.findChildren(QWidget)]):
        before = now
        await asyncio.sleep(0.05)
        QCoreApplication.sendPostedEvents()  # on a busy machine a layout may still be due


def _request(url: str) -> IngestRequest:
    return IngestRequest(url)


def _described(ingest_id: str, url: str, item: PlatformItem) -> list[ev.Event]:
    return [
        ev.IngestStarted(ingest_id, _request(url)),
        ev.Described(ingest_id, item, chosen(item, IngestOptions())),
        ev.StageEntered(ingest_id, Stage.FETCH),
    ]
