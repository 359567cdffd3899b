# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whatever one does for however long: what pages say, as a screen reader hears it, is so.

A window on a real engine, a real ledger and servers on this machine is used at random, page after
page, while attempts end, fixity runs find damage, jobs move on, and what is watched changes. Longer
walks are had by `CARREL_STEPS=5000`, others by `CARREL_SEEDS="1 2 3"`.
"""

import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.demo.server import DemoRepository
from carrel.hosts.inside import is_inside
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from desktop.any_use import queue
from desktop.any_use.adding import AddingRoom, published
from desktop.any_use.dark import DarkRoom
from desktop.any_use.holdings import HoldingsRoom
from desktop.any_use.house import House, Move, Room
from desktop.any_use.mementos import MementosRoom
from desktop.any_use.overview import OverviewRoom
from desktop.any_use.queue import QueueRoom
from desktop.any_use.sources import SourcesRoom
from desktop.any_use.watch import WatchRoom
from desktop.any_use.world import NOW, World, store
from desktop.conftest import Stage
from support.memento_archives import StandIn

SEEDS = tuple(map(int, os.environ.get("CARREL_SEEDS", "7 1841").split()))
STEPS = int(os.environ.get("CARREL_STEPS", "500"))  # as many as one has time for
TURNS, EVENTS = 0.15, 0.25  # of the steps


class Walk:
    """Goes from room to room, does something in each, and looks whether what is shown is so."""

    def __init__(self, rooms: Sequence[Room]) -> None:
        self.rooms, self.room = rooms, rooms[0]
        self.trail: list[str] = []

    def go_on(self) -> None:
        """Make a step."""
        house, kind = self.room.house, self.room.house.chance.random()
        if kind < TURNS:
            self.room = house.chance.choice(self.rooms)
            self._do(lambda: house.do(lambda: house.window.show_page(self.room.page)), "turn_page")
        elif kind < TURNS + EVENTS:
            self._do(house.chance.choice([each for room in self.rooms for each in room.events]))
        else:
            self._do(house.chance.choice(self.room.moves))
        self.room.check()

    def _do(self, move: Move, name: str = "") -> None:
        self.trail.append(f"{type(self.room).__name__}.{name or move.__name__}")
        move()


@pytest.fixture
def archives() -> Iterator[tuple[StandIn, StandIn]]:
    with StandIn() as north, StandIn() as south:
        yield north, south


@pytest.fixture
def repository() -> Iterator[DemoRepository]:
    with DemoRepository(published()) as running:
        yield running


@pytest.fixture(params=SEEDS)
def rooms(
    request: pytest.FixtureRequest,
    stage: Stage,
    archives: tuple[StandIn, StandIn],
    repository: DemoRepository,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Sequence[Room]:
    monkeypatch.setattr(
        "carrel.engine.standing.iso_now", lambda: NOW.strftime("%Y-%m-%dT%H:%M:%SZ")
    )
    # The archives that stand in are on this machine, and pass for some elsewhere.
    monkeypatch.setattr(
        "carrel.mementos.lookup.is_inside", lambda url: is_inside(url) and "127.0.0.1" not in url
    )
    world = World(random.Random(request.param))  # the same walk each time
    root = tmp_path / "archive"
    session = Session(root)
    window = MainWindow.furnished(session, stage._theme)
    stage.keep(session, window)
    house = House(stage, window, world)
    mementos = MementosRoom(house, *archives)
    with Archive.create_or_open(root) as archive:
        for dataset in world.datasets * 2:
            store(archive, world, dataset)
        jobs = queue.furnish(archive, world)
        mementos.furnish(archive)
    window.show()
    assert stage.run(session.open())
    house.settle()
    known = QueueRoom(house, jobs), WatchRoom(house), DarkRoom(house)
    others = HoldingsRoom(house), AddingRoom(house, repository), SourcesRoom(house, mementos)
    return OverviewRoom(house, *known), *known, *others, mementos


def test_whatever_one_does_what_is_heard_is_so(rooms: Sequence[Room]) -> None:
    walk = Walk(rooms)

    for step in range(STEPS):
        try:
            walk.go_on()
        except AssertionError as error:
            error.add_note(f"at step {step}: {' '.join(walk.trail[-16:])}")
            raise
