# SPDX-License-Identifier: AGPL-3.0-or-later
"""Links of a page that no platform knows, chosen in the window: a real engine and a real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from carrel.model import Status
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from carrel_desktop.views.archive.detection import Detection, State
from carrel_desktop.views.archive.page_links_dialog import NAME, SIZE, TYPE, WHY, PageLinksDialog
from carrel_desktop.views.archive.view import ArchiveView
from desktop.conftest import Stage
from support.archives import new_archive
from support.wire import WireServer, html, reply

TIDES = b"hour,height\n0,1.2\n"
HTML = """<title>Tides</title><h1>Tides of 2026</h1><p><a href="/about">About</a>
<a href="tides.csv">The heights</a> <a href="tides.nc">as NetCDF</a></p>"""


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        running.serve("/lab/tides.csv", reply(TIDES, Content_Type="text/csv"))
        running.serve("/lab/tides.nc", reply(b"CDF" * 9, Content_Type="application/netcdf"))
        yield running


def looked_at(stage: Stage, tmp_path: Path, url: str) -> tuple[ArchiveView, Detection]:
    """Return the page with one address that was looked at."""
    session = Session(new_archive(tmp_path / "archive"))
    window = MainWindow.furnished(session, stage._theme)
    stage.keep(session, window)
    window.show()
    stage.run(session.open())
    window.show_page(window.pages.archive)
    view = window.pages.archive
    stage.do(lambda: view.look_at(url))
    stage.wait(lambda: len(view.model) == 1 and not view.model.count(State.LOOKING))
    row = view.current()
    assert row
    return view, row


def links_of(stage: Stage, view: ArchiveView) -> PageLinksDialog:
    """Return the dialog, with the links of the page."""
    stage.do(view.page_actions.page_links.trigger)
    dialog = view.link_choice.dialog
    assert dialog
    stage.wait(lambda: dialog.list.topLevelItemCount() or "Reading" not in dialog.state.text())
    return dialog


def test_what_is_ticked_is_archived(stage: Stage, tmp_path: Path, server: WireServer) -> None:
    page = server.serve("/lab/", html(HTML))
    view, row = looked_at(stage, tmp_path, page)
    assert row.status is Status.NO_PLATFORM_MATCH
    dialog = links_of(stage, view)
    item = dialog.list.topLevelItem(0)
    assert item
    assert [item.text(NAME), item.text(TYPE), item.text(SIZE)] == [
        "tides.csv",
        "text/csv",
        "18 bytes",
    ]
    assert not dialog.go.isEnabled()

    QTest.keyClick(dialog.list, Qt.Key.Key_Space)
    assert dialog.state.text() == "1 of 2 links ticked"
    stage.do(dialog.accept)
    stage.wait(lambda: row.state is State.READY)
    assert [file.path for file in row.files] == ["tides.csv"]
    stage.do(view.page_actions.archive.trigger)
    stage.wait(lambda: row.state is State.DONE)
    stage.wait(lambda: row.kept)

    assert row.options.page_links == (f"{page}tides.csv",)
    assert [(file.path, file.size) for file in row.files] == [("tides.csv", len(TIDES))]


def test_what_is_wrong_with_a_link_stands_first_where_there_is_little_room(
    stage: Stage, tmp_path: Path, server: WireServer
) -> None:
    server.serve("/lab/tides.csv", html("gone", "404 Not Found"))
    view, _ = looked_at(stage, tmp_path, server.serve("/lab/", html(HTML)))

    dialog = links_of(stage, view)

    item, heading = dialog.list.topLevelItem(0), dialog.list.headerItem()
    assert item
    assert heading
    assert heading.text(WHY) == "Remarks"
    assert "404" in item.text(WHY).partition(". ")[0]


def test_the_links_can_be_chosen_again(stage: Stage, tmp_path: Path, server: WireServer) -> None:
    view, row = looked_at(stage, tmp_path, server.serve("/lab/", html(HTML)))
    dialog = links_of(stage, view)
    stage.do(dialog.all.click)
    stage.do(dialog.accept)
    stage.wait(lambda: row.state is State.READY)

    again = links_of(stage, view)

    assert again.ticked == list(row.page_links)
    assert not again.all.isEnabled()
    stage.do(again.reject)


def test_a_page_without_such_links_is_told(
    stage: Stage, tmp_path: Path, server: WireServer
) -> None:
    view, _ = looked_at(stage, tmp_path, server.serve("/lab/", html("<p>Nothing here</p>")))

    dialog = links_of(stage, view)

    assert dialog.state.text() == "No link of the page looks like data."
    assert not dialog.go.isEnabled()
    stage.do(dialog.reject)


def test_a_page_that_is_gone_by_now_is_told(
    stage: Stage, tmp_path: Path, server: WireServer
) -> None:
    gone = html("<p>Gone</p>", "404 Not Found")
    view, _ = looked_at(stage, tmp_path, server.serve("/lab/", html(HTML), gone))

    dialog = links_of(stage, view)

    assert dialog.state.text().startswith("The page cannot be read: ")
    stage.do(dialog.reject)


def test_another_identifier_forgets_the_links(
    stage: Stage, tmp_path: Path, server: WireServer
) -> None:
    view, row = looked_at(stage, tmp_path, server.serve("/lab/", html(HTML)))
    dialog = links_of(stage, view)
    stage.do(dialog.all.click)
    stage.do(dialog.accept)
    stage.wait(lambda: row.state is State.READY)

    stage.do(lambda: view.listing.rewrite(row, f"{server.origin}/lab/tides.csv"))
    stage.wait(lambda: row.text.endswith("tides.csv") and row.state is State.READY)

    assert row.page_links == ()
    assert not view.page_actions.page_links.isEnabled()
