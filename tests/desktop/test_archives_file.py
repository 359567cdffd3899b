# SPDX-License-Identifier: AGPL-3.0-or-later
"""The page of archives over a real collections file: it stays the person's own."""

from pathlib import Path

import pytest

from carrel.engine.mementos import Mementos
from carrel.model.events import Emit
from carrel.settings import Settings
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.archives.draft import Field
from carrel_desktop.views.archives.view import ArchivesView
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.fake_engine import FakeEngine

FILE = """\
# Ours, since 2019.
collections:
  all:
    index_timeout: 2.5  # agreed with the library
    index_group:
      # Asked by hand only, in the past.
      stanford: memento+https://swap.example.edu/
      crawls:
        type: file   # on the slow disk
        # Moved there in spring.
        path: ./indexes
  # What lies here.
  own: ./indexes
"""


class FileEngine(FakeEngine):
    """A fake engine with the real one's mementos."""

    def __init__(self, config: Path, emit: Emit) -> None:
        super().__init__(sets.script(), emit)
        self._real = Mementos(Settings(), None, config)

    @property
    def mementos(self) -> Mementos:  # type: ignore[override]  # the real ones
        return self._real

    async def __aexit__(self, *exc: object) -> None:
        await self._real.close()
        await super().__aexit__(*exc)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "collections.yaml"
    path.write_text(FILE)
    return path


def opened(stage: Stage, theme: Theme, config: Path) -> ArchivesView:
    """Return the page of a window over this file."""
    session = Session(config.parent, lambda _archive, emit: FileEngine(config, emit))
    window = MainWindow.furnished(session, theme)
    stage.keep(session, window)
    window.show()
    stage.run(session.open())
    stage.do(lambda: window.show_page(window.pages.archives))
    view = window.pages.archives
    stage.wait(lambda: view.model.rowCount() == 2)
    return view


def settled(stage: Stage, view: ArchivesView, state: str) -> None:
    stage.wait(lambda: view.ui.pane.state.text() == state)


def test_a_change_leaves_every_comment_where_it_is(
    stage: Stage, theme: Theme, config: Path
) -> None:
    view = opened(stage, theme, config)
    stage.do(lambda: view.ui.list.choose(1))

    stage.do(lambda: view.ui.pane.form._on_written(Field.PATH, "./other"))
    stage.do(view.page_actions.save.trigger)
    missing = f"there is nothing at “{config.parent / 'other'}” now."
    settled(stage, view, f"Saved in collections.yaml, but {missing}")

    assert config.read_text() == FILE.replace("path: ./indexes", "path: ./other")


def test_a_moved_source_takes_its_comment_along(stage: Stage, theme: Theme, config: Path) -> None:
    view = opened(stage, theme, config)
    stage.do(lambda: view.ui.list.choose(1))

    stage.do(view.page_actions.up.trigger)
    stage.wait(lambda: view.model.listed[0].name == "crawls")

    text = config.read_text()
    assert text.index("crawls:") < text.index("# Asked by hand only") < text.index("stanford:")
    assert sorted(text.splitlines()) == sorted(FILE.splitlines())


def test_what_is_changed_in_the_editor_meanwhile_is_not_overwritten(
    stage: Stage, theme: Theme, config: Path
) -> None:
    view = opened(stage, theme, config)
    config.write_text(FILE.replace("stanford", "leland"))

    stage.do(lambda: view.ui.pane.form._on_written(Field.BASE, "https://other.example.edu/"))
    stage.do(view.page_actions.save.trigger)
    stage.wait(lambda: view.ui.pane.state.text().startswith("Not saved."))

    assert config.read_text() == FILE.replace("stanford", "leland")
    assert view.is_changed


def test_a_collection_without_a_group_says_so(stage: Stage, theme: Theme, config: Path) -> None:
    view = opened(stage, theme, config)

    stage.do(lambda: view.ui.collections.activated.emit(1))
    stage.wait(lambda: view.model.rowCount() == 1)

    assert "“own” is not a group of sources" in view.ui.fixed.reason.text()


def removed_crawls(stage: Stage, theme: Theme, config: Path) -> ArchivesView:
    """Return the page after the second source was taken out."""
    view = opened(stage, theme, config)
    stage.do(lambda: view.ui.list.choose(1))
    stage.do(view.page_actions.remove.trigger)
    stage.wait(lambda: view.model.rowCount() == 1)
    return view


def test_what_is_put_back_has_its_comments_again(stage: Stage, theme: Theme, config: Path) -> None:
    view = removed_crawls(stage, theme, config)
    without = config.read_text()

    stage.do(view.page_actions.put_back.trigger)
    stage.wait(lambda: view.model.rowCount() == 2)

    assert "Moved there in spring" not in without
    assert config.read_text() == FILE


def test_putting_back_leaves_what_was_changed_in_the_editor_meanwhile(
    stage: Stage, theme: Theme, config: Path
) -> None:
    view = removed_crawls(stage, theme, config)
    config.write_text(config.read_text().replace("since 2019", "since 2018"))

    stage.do(view.page_actions.put_back.trigger)
    stage.wait(lambda: view.ui.pane.state.text().startswith("Restored without its comments"))

    assert "since 2018" in config.read_text()
    assert [source.name for source in view.model.listed] == ["stanford", "crawls"]
