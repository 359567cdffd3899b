# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Dark archive page in every state worth a look, on a fake engine."""

import asyncio
from collections.abc import Awaitable, Callable

from carrel.model.dark_views import Life
from carrel_desktop.views.dark.life_pane import DIFFERENCE, NAMES, OPENINGS, VERSIONS
from carrel_desktop.views.dark.questions import SAVED, Question
from carrel_desktop.views.dark.view import DarkView
from support import dark_datasets as sets
from support.fake_dark import DarkScript, FakeDark


async def until(holds: Callable[[], bool]) -> None:
    """Let the window's loop turn until something holds."""
    while not holds():
        await asyncio.sleep(0.005)


async def opened(view: DarkView, fake: FakeDark, script: DarkScript) -> None:
    """Have the page show an archive."""
    fake.script = script
    view._clock = lambda: sets.NOW
    view.refresh()
    tists = [run.tist for run in script.runs]
    await until(lambda: [run.tist for run in view.answers.board.runs] == tists)
    await settled(view)


async def settled(view: DarkView) -> None:
    """Let what was asked be answered."""
    await until(lambda: view.listing.is_settled)
    await asyncio.sleep(0.02)


async def asked(view: DarkView, question: Question) -> None:
    """Have a saved view open."""
    side = view.ui.side
    side.question_list.setCurrentIndex(side.questions.index(SAVED.index(question)))
    await settled(view)


async def chosen(view: DarkView, ident: str) -> None:
    """Have an object's life be seen."""
    place = view.ui.model.place_of(ident)
    assert place is not None
    view.ui.table.choose(place)
    await until(lambda: _is_shown(view.chosen.life, ident))


async def empty(view: DarkView, fake: FakeDark) -> None:
    await opened(view, fake, DarkScript())


async def board(view: DarkView, fake: FakeDark) -> None:
    await opened(view, fake, sets.script())


async def lost(view: DarkView, fake: FakeDark) -> None:
    """What is lost; a template's life is drawn."""
    await opened(view, fake, sets.script())
    await asked(view, Question.LOST)
    await chosen(view, sets.PAPER)


async def full_text(view: DarkView, fake: FakeDark) -> None:
    await opened(view, fake, sets.script())
    await asked(view, Question.GONE)
    await chosen(view, sets.TEXT)
    view.ui.pane.tabs.choose(OPENINGS)


async def old_data(view: DarkView, fake: FakeDark) -> None:
    """A template of old tarballs, and remarks of a run that is not the last of them."""
    script = sets.script()
    script.report = sets.report(
        [f"tde/wpaper{number:02}.rdf: it is HTML, not ReDIF." for number in range(13)]
    )
    await opened(view, fake, script)
    view.commands.gather()
    await until(lambda: view.ui.remarks.isVisible() and not view.runner.is_busy)
    await settled(view)
    view.chosen.show(sets.OLD_PAPER)
    await until(lambda: _is_shown(view.chosen.life, sets.OLD_PAPER))


async def difference(view: DarkView, fake: FakeDark) -> None:
    """The second version of a template, against the first."""
    await lost(view, fake)
    pane = view.ui.pane
    pane.tabs.choose(VERSIONS)
    pane.versions.choose(1)
    pane.tabs.choose(DIFFERENCE)
    await until(lambda: "@@" in pane.difference.toPlainText())


async def names(view: DarkView, fake: FakeDark) -> None:
    await lost(view, fake)
    view.ui.pane.tabs.choose(NAMES)
    view.ui.pane.line.choose(2)


async def renamed(view: DarkView, fake: FakeDark) -> None:
    await opened(view, fake, sets.script())
    await asked(view, Question.RENAMED)


async def changed(view: DarkView, fake: FakeDark) -> None:
    """What the last run found."""
    await opened(view, fake, sets.script())
    side = view.ui.side
    side.run_list.setCurrentIndex(side.runs.index(0, 0))
    await settled(view)


async def found(view: DarkView, fake: FakeDark) -> None:
    await opened(view, fake, sets.script())
    view.ui.side.search.setText("2011-0")
    view.ui.side.search.returnPressed.emit()
    await settled(view)


async def running(view: DarkView, fake: FakeDark) -> None:
    script = sets.script()
    script.holds = True
    await opened(view, fake, script)
    view.commands.gather()
    await until(lambda: view.ui.model.rowCount() == 4)


async def checked(view: DarkView, fake: FakeDark) -> None:
    await opened(view, fake, sets.script())
    view.runner.check()
    await until(lambda: view.answers.check is not None)
    await settled(view)


async def very_many(view: DarkView, fake: FakeDark) -> None:
    """A hundred thousand losses."""
    script = sets.script()
    script.losses = sets.many_losses(100_000)
    await opened(view, fake, script)
    await asked(view, Question.LOST)


DARK_POSES: dict[str, Callable[[DarkView, FakeDark], Awaitable[None]]] = {
    "dark-empty": empty,
    "dark-board": board,
    "dark-lost": lost,
    "dark-full-text": full_text,
    "dark-old-data": old_data,
    "dark-difference": difference,
    "dark-names": names,
    "dark-renamed": renamed,
    "dark-one-run": changed,
    "dark-found": found,
    "dark-running": running,
    "dark-checked": checked,
    "dark-very-many": very_many,
}


def _is_shown(life: Life | None, ident: str) -> bool:
    return life is not None and life.ident == ident
