# SPDX-License-Identifier: AGPL-3.0-or-later
"""Importing from the window: a real archive, real folders, and what is said of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from carrel.engine.importing import Imported
from carrel_desktop.importing import ImportCard
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.archives import new_archive
from support.packages import FILES, write_bag, write_files


@pytest.fixture
def window(stage: Stage, theme: Theme, tmp_path: Path) -> MainWindow:
    session = Session(new_archive(tmp_path / "archive"))
    window = MainWindow.furnished(session, theme)
    stage.keep(session, window)
    window.show()
    stage.run(session.open())
    return window


def imported(stage: Stage, window: MainWindow, *paths: Path) -> ImportCard:
    """Import, and return the card that says what became of it."""
    card = window.importing.card
    stage.do(lambda: window.importing.begin(paths))
    stage.wait(lambda: card.close_card.isVisible())
    return card


def test_a_bag_becomes_a_holding_on_the_page(
    stage: Stage, window: MainWindow, tmp_path: Path
) -> None:
    window.show_page(window.pages.holdings)

    card = imported(stage, window, write_bag(tmp_path / "bag", info="Title: Tides\n"))

    assert card.card.word.text() == "Imported and verified"
    assert card.card.advice.text() == "Tides: 3 files."
    stage.wait(lambda: window.pages.holdings.choice.record)
    assert not card.bar.isVisible()

    stage.do(lambda: window.show_page(window.pages.queue))
    assert card.isHidden()


def test_the_bar_of_an_import_is_as_wide_as_the_page_and_apart_from_it(
    stage: Stage, window: MainWindow
) -> None:
    card = window.importing.card
    stage.do(lambda: card.show_bytes("save", "Importing…", 30, 100))
    stage.wait(lambda: card.bar.isVisible() and card.bar.geometry().bottom() > 0)
    rebuilding = window.rebuilding.card.layout()
    assert rebuilding is not None
    room = rebuilding.contentsMargins()

    assert card.bar.geometry().left() == room.left() > 0
    assert card.height() - card.bar.geometry().bottom() - 1 == room.bottom() > 0


def test_a_folder_without_checksums_is_not_called_verified(
    stage: Stage, window: MainWindow, tmp_path: Path
) -> None:
    card = imported(stage, window, write_files(tmp_path / "folder", {"a.csv": b"a", "b.csv": b"b"}))

    assert card.card.word.text() == "Imported"
    assert "2 came without a checksum to compare with." in card.card.advice.text()


def test_of_a_folder_with_warcs_and_others_it_is_told_that_they_are_files(
    stage: Stage, window: MainWindow, tmp_path: Path
) -> None:
    files = {"readme.txt": b"Notes", "a.warc.gz": b"bytes"}

    card = imported(stage, window, write_files(tmp_path / "folder", files))

    assert "no captures were taken from them: import them" in card.card.advice.text()


def test_the_open_archive_is_not_imported(stage: Stage, window: MainWindow, tmp_path: Path) -> None:
    card = imported(stage, window, tmp_path / "archive")

    assert card.card.word.text() == "Nothing was imported"
    assert "nothing in it is to be imported" in card.card.advice.text()


def test_what_was_there_already_is_not_called_imported(
    stage: Stage, window: MainWindow, tmp_path: Path
) -> None:
    bag = write_bag(tmp_path / "bag", info="Title: Tides\n")
    imported(stage, window, bag)
    stage.do(window.importing.card.hide)

    card = imported(stage, window, bag)

    assert card.card.word.text() == "There already"
    assert card.card.advice.text() == "Tides: was there already."


def test_what_the_archive_had_lost_is_said_to_be_stored_again(
    stage: Stage, window: MainWindow, tmp_path: Path
) -> None:
    bag = write_bag(tmp_path / "bag", info="Title: Tides\n")
    imported(stage, window, bag)
    for warc in (tmp_path / "archive/collections/main/archive").iterdir():
        warc.unlink()

    card = imported(stage, window, bag)

    assert card.card.word.text() == "Imported and verified"
    said = "Tides: 3 files. 3 were stored again: the archive no longer had them intact."
    assert card.card.advice.text().startswith(said)


def test_what_is_refused_is_named(stage: Stage, window: MainWindow, tmp_path: Path) -> None:
    bag = write_bag(tmp_path / "bag")
    (bag / "data/empty").unlink()
    folder = write_files(tmp_path / "folder", FILES)
    (folder / "link").symlink_to("README.txt")

    card = imported(stage, window, bag, folder)

    assert card.card.word.text() == "Not all of it was imported"
    assert "data/empty: missing: It is not in the bag. bag-info.txt: " in card.card.detail.text()
    assert "folder: link: It is a link, which is not followed." in card.card.detail.text()
    assert str(tmp_path) not in card.card.detail.text()

    stage.do(lambda: window.show_page(window.pages.queue))
    assert card.isVisible()  # it names what is to be done


def test_an_import_that_is_stopped_leaves_the_archive_whole(
    stage: Stage, window: MainWindow, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with (folder / "large").open("wb") as file:
        file.truncate(400_000_000)
    card = window.importing.card
    stage.do(lambda: window.importing.begin([folder]))
    stage.wait(lambda: card.bar.value() > 0)

    stage.do(card.stop.click)
    stage.wait(lambda: card.close_card.isVisible())

    assert card.card.word.text() == "Import stopped"
    assert not list((tmp_path / "archive/collections/main/archive").iterdir())


def test_a_long_report_is_shortened(theme: Theme) -> None:
    card = ImportCard(theme)

    card.show_report([Imported(f"/x/{at}", trouble="It is damaged.") for at in range(20)])

    assert card.card.word.text() == "Nothing was imported"
    assert card.card.advice.text().splitlines()[-1] == "And 12 more."


def test_nothing_can_be_imported_into_an_archive_that_is_only_read(stage: Stage) -> None:
    window, _ = stage.window(replace(sets.script(), read_only_because="It is a CD."))

    assert not window.own_actions.import_files.isEnabled()
    assert not window.own_actions.import_folder.isEnabled()
    assert window.own_actions.import_files.statusTip() == "It is a CD."


def test_files_and_a_folder_can_be_chosen(stage: Stage, window: MainWindow) -> None:
    from PySide6.QtWidgets import QFileDialog

    stage.do(window.own_actions.import_files.trigger)
    stage.do(window.own_actions.import_folder.trigger)

    titles = {each.windowTitle() for each in window.findChildren(QFileDialog)}
    assert titles == {"Import files", "Import a folder"}


def test_what_was_imported_has_no_address_to_go_to(
    stage: Stage, window: MainWindow, tmp_path: Path
) -> None:
    window.show_page(window.pages.holdings)
    imported(stage, window, write_bag(tmp_path / "bag", info="Title: Tides\n"))
    holdings = window.pages.holdings
    stage.wait(lambda: holdings.choice.record)
    record, actions = holdings.choice.record, holdings.page_actions
    assert record
    assert record.asked.startswith("urn:")

    on_web = (actions.landing, actions.mementos, actions.watch, actions.archive_again)

    assert not any(action.isEnabled() for action in on_web)
    assert actions.export.isEnabled()
    parts: list[object] = []

    async def ask() -> None:
        parts.extend(
            await window.session.call(lambda engine: engine.mementos.parts_of(record.ingest_id))
        )

    stage.do(lambda: window.session.start(ask()))
    stage.wait(lambda: not window.session._tasks)
    assert parts == []


def test_what_is_in_a_warc_that_was_not_imported_is_named(theme: Theme) -> None:
    card = ImportCard(theme)
    came = Imported("retry.warc.gz", "retry.warc.gz", captures=3, new=3, attempts=["1"])

    card.show_report([came, Imported("1", title="Tides", awaited=["a.csv"])])

    assert card.card.word.text() == "Not all of it was imported"
    assert card.card.advice.text() == "retry.warc.gz: 3 captures, 3 new."
    assert "Tides: a.csv: Its record is in another WARC" in card.card.detail.text()


def test_what_there_is_to_remark_of_a_warc_is_told_and_how_many_remarks_are_left_out(
    theme: Theme,
) -> None:
    card = ImportCard(theme)
    remarks = [f"Remark {number}." for number in range(5)]

    card.show_report([Imported("a.warc.gz", "a.warc.gz", captures=9, new=9, remarks=remarks)])

    said = "a.warc.gz: 9 captures, 9 new. Remark 0. Remark 1. Remark 2. … and 2 more remarks."
    assert card.card.advice.text() == said
