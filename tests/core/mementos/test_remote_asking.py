# SPDX-License-Identifier: AGPL-3.0-or-later
"""What archives of others answered is kept for an hour; they are reached by a stand-in proxy."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from carrel.errors import SourceTrouble
from carrel.ledger.hosts import HostStore
from carrel.mementos.config.collection import CdxSource, MementoSource
from carrel.mementos.query import query_for
from carrel.mementos.sources.cdx_server import CdxServer
from carrel.mementos.sources.memento_archive import MementoArchive
from carrel.mementos.sources.source import Rows
from carrel.mementos.throttle import ArchiveThrottle, Budgets
from carrel.mementos.web import Web
from carrel.model import SourceState
from carrel.settings import Network
from support.memento_archives import StandIn, page, redirect, text, timemap

T = TypeVar("T")
URL = "http://a.example/"
ARCHIVE = "http://archive.example"
MAP = f'<{ARCHIVE}/1>; rel=memento; datetime="Thu, 01 Jan 2015 00:00:00 GMT"'
CONFIG = MementoSource("far", "", f"{ARCHIVE}/timemap/{{url}}", f"{ARCHIVE}/{{timestamp}}/{{url}}")
CDX = CdxSource("far", f"{ARCHIVE}/cdx?url={{url}}", None)


class Clock:
    moment = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with StandIn() as running:
        for name in ("https_proxy", "all_proxy", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
            monkeypatch.delenv(name.upper(), raising=False)
        monkeypatch.setenv("http_proxy", running.origin)
        yield running


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HostStore]:
    opened = HostStore(tmp_path / "archives.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def ask(
    store: HostStore,
    clock: Clock,
    work: Callable[[Web], Awaitable[T]],
    budgets: Budgets | None = None,
) -> T:
    async def asked() -> T:
        web = Web(Network(timeout_s=20), ArchiveThrottle(store, budgets, now=clock.now))
        try:
            return await work(web)
        finally:
            await web.close()

    return asyncio.run(asked())


def look_up(store: HostStore, clock: Clock) -> Rows:
    return ask(store, clock, lambda web: MementoArchive(CONFIG, web).rows(query_for(URL)))


def test_who_looks_twice_asks_once_and_sees_the_age(
    proxy: StandIn, store: HostStore, clock: Clock
) -> None:
    proxy.on(ARCHIVE, timemap(MAP))
    fresh = look_up(store, clock)
    clock.moment += timedelta(minutes=59)

    kept = look_up(store, clock)

    assert len(proxy.asked) == 1
    assert fresh.answered_at is None
    assert kept.answered_at == datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    assert list(kept.rows) == list(fresh.rows)


def test_after_an_hour_an_archive_is_asked_again_and_its_trouble_told(
    proxy: StandIn, store: HostStore, clock: Clock
) -> None:
    proxy.on(ARCHIVE, timemap(MAP), text("", status=500))
    look_up(store, clock)
    clock.moment += timedelta(hours=1)

    with pytest.raises(SourceTrouble):
        look_up(store, clock)


def test_what_made_no_sense_is_not_kept(proxy: StandIn, store: HostStore, clock: Clock) -> None:
    proxy.on(ARCHIVE, page(), timemap(MAP))
    with pytest.raises(SourceTrouble):
        look_up(store, clock)

    assert len(list(look_up(store, clock).rows)) == 1


def test_answers_of_cdx_servers_are_kept_too(
    proxy: StandIn, store: HostStore, clock: Clock
) -> None:
    proxy.on(ARCHIVE, text(f'example,a)/ 20150101000000 {{"url": "{URL}"}}'))

    for _ in range(3):
        found = ask(store, clock, lambda web: CdxServer(CDX, web).rows(query_for(URL)))

    assert len(proxy.asked) == 1
    assert len(list(found.rows)) == 1
    assert found.answered_at == clock.moment


def test_a_store_that_was_tampered_with_is_asked_past(
    proxy: StandIn, store: HostStore, clock: Clock, tmp_path: Path
) -> None:
    proxy.on(ARCHIVE, timemap(MAP))
    look_up(store, clock)
    with store._lock:
        store._db.execute("UPDATE answers SET headers = '{', body = 'junk'")

    assert len(list(look_up(store, clock).rows)) == 1
    assert len(proxy.asked) == 2


@pytest.mark.parametrize("inside", ["http://127.0.0.1:1/", "http://localhost/", "http://10.0.0.1/"])
def test_an_archive_leads_nobody_into_this_network(
    proxy: StandIn, store: HostStore, clock: Clock, inside: str
) -> None:
    proxy.on(ARCHIVE, redirect(inside))

    with pytest.raises(SourceTrouble, match="inside this network") as caught:
        look_up(store, clock)

    assert caught.value.state is SourceState.WRONG_ANSWER
    assert len(proxy.asked) == 1


def test_a_budget_that_is_used_up_is_told_before_anything_is_asked(
    proxy: StandIn, store: HostStore, clock: Clock
) -> None:
    proxy.on(ARCHIVE, text("", status=404))
    budgets = {"archive.example": {"lookup": (1, 60)}}

    async def twice(web: Web) -> None:
        for url in (URL, "http://b.example/"):
            await MementoArchive(CONFIG, web).rows(query_for(url))

    with pytest.raises(SourceTrouble, match="skipped") as caught:
        ask(store, clock, twice, budgets)

    assert caught.value.state is SourceState.RESTING
    assert len(proxy.asked) == 1
