# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Mementos page in every state worth a look, on a fake engine."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from carrel.errors import ConfigError
from carrel_desktop.main_window import MainWindow
from carrel_desktop.views.mementos.view import MementosView
from support import fake_captures as captures
from support import fake_datasets as sets
from support.fake_engine import FakeEngine
from support.fake_mementos import OWN, WAYBACK, MementoScript

BROKEN = (
    "collections.yaml: collection “all”, key “index_grup”: unknown key; the nearest known one is "
    "“index_group”."
)


async def until(holds: Callable[[], bool]) -> None:
    """Let the window's loop turn until something holds."""
    while not holds():
        await asyncio.sleep(0.005)


async def opened(window: MainWindow, engine: FakeEngine, script: MementoScript) -> MementosView:
    """Return the page, open and ready to be asked."""
    engine.mementos.script = script
    view = window.pages.mementos
    window.show_page(window.pages.mementos)
    view.refresh()
    count = len(script.collections)
    await until(lambda: bool(script.config_error) or view.ui.collection.count() == count)
    await asyncio.sleep(0.05)
    return view


async def settled(view: MementosView) -> None:
    """Let what came be drawn."""
    await until(lambda: not view._redraw.isActive())
    await asyncio.sleep(0.02)


async def empty(window: MainWindow, engine: FakeEngine) -> None:
    await opened(window, engine, captures.script())


async def found(window: MainWindow, engine: FakeEngine) -> MementosView:
    """All archives have answered; the newest capture, which is here, is chosen and read."""
    view = await opened(window, engine, captures.script())
    view.show_url(captures.URL)
    await until(lambda: view.look_up_now.has_ended and view.ui.pane.heads.toPlainText() != "")
    await settled(view)
    return view


async def asking(window: MainWindow, engine: FakeEngine) -> None:
    """Some archives have answered, some are asked."""
    held = frozenset({captures.PORTUGAL})
    view = await opened(window, engine, replace(captures.script(), held=held))
    view.show_url(captures.URL)
    await until(lambda: view.model.total == 1213)
    await settled(view)


async def waiting(window: MainWindow, engine: FakeEngine) -> None:
    """Nobody has answered yet."""
    held = frozenset({OWN})
    view = await opened(window, engine, replace(captures.script(), held=held))
    view.show_url(captures.URL)
    await until(lambda: len(view.look_up_now.reports) == 9)
    await settled(view)


async def remote(window: MainWindow, engine: FakeEngine) -> None:
    """A capture that an archive has is chosen; the timeline is zoomed in."""
    view = await found(window, engine)
    start = captures.START.timestamp()
    view.ui.board.lanes.show_span(start + 6.6e8, start + 7.9e8)
    place = next(
        at for at, row in enumerate(view.model.listed) if row.memento.timestamp[:4] == "2022"
    )
    view.ui.table.choose(place)


async def heads(window: MainWindow, engine: FakeEngine) -> None:
    view = await found(window, engine)
    view.ui.pane.tabs.choose(1)


async def compared(window: MainWindow, engine: FakeEngine) -> None:
    """Two captures were compared and differ."""
    view = await found(window, engine)
    view.ui.table.choose(0)
    view.ui.table.choose(4, adds=True)
    view.chosen.compare()
    await until(lambda: view.ui.pane.comparison.diff.toPlainText() != "")


async def filtered(window: MainWindow, engine: FakeEngine) -> None:
    view = await found(window, engine)
    view.ui.filters.local.click()
    await settled(view)


async def nobody(window: MainWindow, engine: FakeEngine) -> None:
    view = await opened(window, engine, captures.script())
    view.show_url(captures.NOBODY)
    await until(lambda: view.look_up_now.has_ended)
    await settled(view)


async def dataset(window: MainWindow, engine: FakeEngine) -> None:
    """A dataset: some of its parts are here, some elsewhere."""
    engine.holdings.kept = sets.holdings()
    view = await opened(window, engine, captures.script())
    view.show_dataset("h5", captures.PAGE)
    await until(lambda: view.look_up_now.has_ended)
    await settled(view)
    view.ui.dataset.ask_action.trigger()
    parts = view.ui.dataset.model
    await until(lambda: bool(parts.listed) and all(p.holders is not None for p in parts.listed))
    await asyncio.sleep(0.1)


async def browsing(window: MainWindow, engine: FakeEngine) -> None:
    """Hosts and paths that are held here, two of them open."""
    view = await found(window, engine)
    view.page_actions.browse.trigger()
    model, tree = view.ui.browse.model, view.ui.browse.tree
    await until(lambda: model.rowCount() == 3)
    top = model.index(0, 0)
    tree.expand(top)
    await until(lambda: model.rowCount(top) == 2)
    tree.expand(model.index(0, 0, top))
    await until(lambda: model.rowCount(model.index(0, 0, top)) == 2)


async def misconfigured(window: MainWindow, engine: FakeEngine) -> None:
    script = MementoScript(config_error=ConfigError(BROKEN))
    await opened(window, engine, script)


async def very_many(window: MainWindow, engine: FakeEngine) -> None:
    """A hundred thousand captures."""
    rows = captures.many(100_000)
    answers = {captures.URL: [captures.answer(WAYBACK, rows)]}
    script = replace(captures.script(), answers=answers)
    view = await opened(window, engine, script)
    view.show_url(captures.URL)
    await until(lambda: view.look_up_now.has_ended)
    await settled(view)


MEMENTO_POSES: dict[str, Callable[[MainWindow, FakeEngine], Awaitable[object]]] = {
    "mementos-empty": empty,
    "mementos-waiting": waiting,
    "mementos-asking": asking,
    "mementos-found": found,
    "mementos-remote": remote,
    "mementos-heads": heads,
    "mementos-compared": compared,
    "mementos-filtered": filtered,
    "mementos-nobody": nobody,
    "mementos-dataset": dataset,
    "mementos-browsing": browsing,
    "mementos-misconfigured": misconfigured,
    "mementos-very-many": very_many,
}
