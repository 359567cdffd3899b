# SPDX-License-Identifier: AGPL-3.0-or-later
"""The page of archives in every state worth a look, on a fake engine."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from PySide6.QtWidgets import QLineEdit

from carrel.errors import ConfigError
from carrel_desktop.main_window import MainWindow
from carrel_desktop.views.archives.draft import Field, Kind
from carrel_desktop.views.archives.layout import BROKEN, FILLED
from carrel_desktop.views.archives.pane import TEXT
from carrel_desktop.views.archives.view import ArchivesView
from support import fake_sources as sources
from support.fake_engine import FakeEngine
from support.fake_sources import SourceScript


async def until(holds: Callable[[], bool]) -> None:
    """Let the window's loop turn until something holds."""
    while not holds():
        await asyncio.sleep(0.005)


async def opened(
    window: MainWindow, engine: FakeEngine, script: SourceScript, name: str = "arquivo.pt"
) -> ArchivesView:
    """Return the page, with this source chosen."""
    engine.mementos.script.sources = script
    view = window.pages.archives
    window.show_page(window.pages.archives)
    view.refresh()
    await until(lambda: view.ui.stack.currentIndex() == FILLED)
    wanted = [each.name for each in script.entries.get("all", ())]
    await until(lambda: [each.name for each in view.model.listed] == wanted)
    await until(lambda: not window.session._tasks)  # a page that is new reads twice
    row = view.model.place_of(name)
    if row is not None:
        view.ui.list.choose(row)
    return view


def full() -> SourceScript:
    return SourceScript(sources.entries(), reports=sources.reports())


def write(line: QLineEdit, text: str) -> None:
    """Write as a person would."""
    line.setText(text)
    line.textEdited.emit(text)


async def untested(window: MainWindow, engine: FakeEngine) -> None:
    await opened(window, engine, full())


async def tested(window: MainWindow, engine: FakeEngine, name: str) -> ArchivesView:
    view = await opened(window, engine, full(), name)
    view.commands.test_all()
    await until(lambda: not view.trials.is_running)
    return view


async def answered(window: MainWindow, engine: FakeEngine) -> None:
    await tested(window, engine, "arquivo.pt")


async def refused(window: MainWindow, engine: FakeEngine) -> None:
    await tested(window, engine, "Internet Archive")


async def written_out(window: MainWindow, engine: FakeEngine) -> None:
    await tested(window, engine, "UK National Archives")


async def asking(window: MainWindow, engine: FakeEngine) -> None:
    script = replace(full(), held=frozenset({sources.WAYBACK}))
    view = await opened(window, engine, script, "Internet Archive")
    view.commands.test_all()
    await until(lambda: any(call.startswith(f"test {sources.WAYBACK} ") for call in engine.calls))
    await asyncio.sleep(0.05)


async def new(window: MainWindow, engine: FakeEngine) -> ArchivesView:
    view = await opened(window, engine, full())
    view.commands.add()
    return view


async def new_wrong(window: MainWindow, engine: FakeEngine) -> None:
    view = await new(window, engine)
    write(view.ui.pane.form.rows[Field.BASE].line, "swap.stanford.edu")
    view.commands.save()


async def new_file(window: MainWindow, engine: FakeEngine) -> None:
    view = await new(window, engine)
    view.ui.pane.kind.setCurrentIndex(list(Kind).index(Kind.FILE))
    view.ui.pane.kind.activated.emit(list(Kind).index(Kind.FILE))


async def by_hand(window: MainWindow, engine: FakeEngine) -> None:
    view = await opened(window, engine, full(), "UK National Archives")
    view.ui.pane.way.button(TEXT).click()


async def odd(window: MainWindow, engine: FakeEngine) -> None:
    await opened(window, engine, full(), "odd")


async def removed(window: MainWindow, engine: FakeEngine) -> None:
    view = await opened(window, engine, full(), "seminar")
    view.commands.remove()
    await until(lambda: view.ui.removal.isVisible())


async def fixed(window: MainWindow, engine: FakeEngine) -> None:
    await opened(window, engine, replace(full(), fixed={"all": sources.NO_GROUP}))


async def broken(window: MainWindow, engine: FakeEngine) -> None:
    await opened(window, engine, full())
    engine.mementos.script.config_error = ConfigError(sources.BROKEN)
    window.pages.archives.refresh()
    await until(lambda: window.pages.archives.ui.stack.currentIndex() == BROKEN)


SOURCE_POSES: dict[str, Callable[[MainWindow, FakeEngine], Awaitable[object]]] = {
    "archives": untested,
    "archives-tested": answered,
    "archives-refused": refused,
    "archives-written-out": written_out,
    "archives-asking": asking,
    "archives-new": new,
    "archives-new-wrong": new_wrong,
    "archives-new-file": new_file,
    "archives-by-hand": by_hand,
    "archives-odd": odd,
    "archives-removed": removed,
    "archives-fixed": fixed,
    "archives-broken": broken,
}
