# SPDX-License-Identifier: AGPL-3.0-or-later
"""The window as a whole: keyboard, names for those who do not see it, closing."""

import asyncio
import re
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAccessible, QAction, QShortcutEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFileDialog,
    QLabel,
    QMenu,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QWidget,
)

import carrel_desktop
from carrel.archive import Archive
from carrel.demo import sample_datasets
from carrel.errors import ArchiveError, ArchiveLocked
from carrel.model import Answer, IngestOptions, IngestRequest, JobState, Status
from carrel.model.events import JobChanged, QueueChanged
from carrel_desktop.beginning import Beginning
from carrel_desktop.closing_questions import going
from carrel_desktop.faults import Fault, Faults
from carrel_desktop.living import live
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space
from carrel_desktop.trial import Trial
from carrel_desktop.views.holdings.view import HoldingsView
from carrel_desktop.views.overview.view import OverviewView
from carrel_desktop.views.queue.view import QueueView
from carrel_desktop.widgets.side_bar import Badge
from desktop.conftest import Stage
from support import dark_datasets, fake_standing, queues
from support import fake_datasets as sets
from support import fake_sources as sources
from support.fake_engine import FakeOpener
from support.fake_mementos import MementoScript
from support.fake_sources import SourceScript
from support.queues import waiting

PAGES = range(9)


def full_window(stage: Stage) -> MainWindow:
    """Return a window with something on every page."""
    found = MementoScript(sources=SourceScript(sources.entries()))
    held = frozenset({sets.DUNES})
    standing = fake_standing.FULL
    script = replace(
        sets.script(), kept=sets.holdings(), held=held, mementos=found, standing=standing
    )
    window, _ = stage.window(script)
    window.pages.archive.ui.paste.setPlainText(f"{sets.SURVEY}\n{sets.INTERVIEWS}")
    stage.do(window.pages.archive.look)
    stage.run(
        window.session.call(
            lambda engine: engine.queue.add([IngestRequest(sets.DUNES)], IngestOptions())
        )
    )
    stage.wait(lambda: window.pages.queue.model.totals().running)
    stage.wait(lambda: window.pages.holdings.choice.record)
    stage.wait(lambda: window.pages.archive.current())
    stage.wait(lambda: window.pages.archives.model.listed)
    stage.wait(lambda: window.pages.overview.shown)
    return window


def nameless(window: QWidget) -> list[str]:
    """Return the visible widgets that take the keyboard and have no name."""
    found = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or widget.focusPolicy() is Qt.FocusPolicy.NoFocus:
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        if not interface or not interface.text(QAccessible.Text.Name):
            found.append(f"{type(widget).__name__} {widget.objectName()}")
    return found


@pytest.mark.parametrize("page", PAGES)
def test_everything_that_takes_the_keyboard_has_a_name(stage: Stage, page: int) -> None:
    window = full_window(stage)

    window.show_page(window.pages[page])

    assert nameless(window) == []


@pytest.mark.parametrize("page", PAGES)
def test_an_empty_page_has_names_too(stage: Stage, page: int) -> None:
    window, _ = stage.window(sets.script())

    window.show_page(window.pages[page])

    assert nameless(window) == []


def menus_of_all(window: MainWindow) -> list[QMenu]:
    """Return the menus, those of all pages with what they have once their page is made."""
    assert len(list(window.pages)) == len(PAGES)
    return window.menuBar().findChildren(QMenu)


def actions_in_menus(window: MainWindow) -> list[QAction]:
    return [
        action
        for menu in menus_of_all(window)
        for action in menu.actions()
        if not action.isSeparator() and not action.menu()
    ]


def test_no_menu_is_higher_than_the_smallest_screen(stage: Stage) -> None:
    window, _ = stage.window(sets.script())

    heights = {menu.title(): menu.sizeHint().height() for menu in menus_of_all(window)}

    # 600 pixels but for the title, the menu bar, and what a real style adds to the entries.
    assert {title: height for title, height in heights.items() if height > 470} == {}


def test_the_shortcuts_of_menus_within_menus_are_listed(stage: Stage) -> None:
    window, _ = stage.window(sets.script())

    listed = [action for _, actions in window.menus.groups for action in actions]

    queue, archive = window.pages.queue, window.pages.archive
    assert queue.page_actions.top in listed
    assert archive.page_actions.stop_all in listed
    assert archive.batches.actions.groups[0][0] in listed


def test_before_the_queue_is_read_nothing_is_said_of_it(stage: Stage, theme: Theme) -> None:
    session = Session(Path("unopened"), FakeOpener(sets.script()))
    window = MainWindow.furnished(session, theme)
    stage.keep(session, window)

    window.pages.queue.model.tick(1.0)
    assert window.status.jobs.text() == ""
    height = window.status.sizeHint().height()
    window.pages.queue.model.begin_reading()
    window.pages.queue.model.end_reading()

    assert window.status.jobs.text() == "No jobs are running"
    assert window.status.sizeHint().height() == height


def test_until_a_batch_that_was_added_is_counted_the_status_bar_does_not_tell_a_part_of_it(
    stage: Stage,
) -> None:
    window, _ = stage.window(sets.script())
    model = window.pages.queue.model
    stage.wait(lambda: window.status.jobs.text() == "No jobs are running")
    told: list[str] = []

    def add() -> None:
        model.apply([QueueChanged("", is_running=True)], 1.0)
        model.apply([JobChanged("0", waiting(0, batch="new"))], 2.0)
        told.append(window.status.jobs.text())

    stage.do(add)

    assert told == ["No jobs are running"]
    stage.wait(lambda: not model.is_stale)


def test_no_title_has_the_program_in_it_which_qt_adds(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    sources = Path(carrel_desktop.__file__).parent.rglob("*.py")
    titled = re.compile(r"setWindowTitle\(([^\n]*)")

    titles = [said for path in sources for said in titled.findall(path.read_text(encoding="utf-8"))]

    assert window.windowTitle() == window.session.archive.name
    assert len(titles) > 15
    assert [said for said in titles if "Carrel" in said or "–" in said] == []


def test_no_two_entries_of_a_menu_share_their_letter(stage: Stage) -> None:
    window, _ = stage.window(sets.script())

    for menu in menus_of_all(window):
        letters = [mnemonic(action) for action in menu.actions() if not action.isSeparator()]
        assert "" not in letters, menu.title()
        assert len(set(letters)) == len(letters), menu.title()


def mnemonic(action: QAction) -> str:
    return letter(action.text())


def letter(text: str) -> str:
    _, _, after = text.replace("&&", "").partition("&")
    return after[:1].lower()


def letters_of(window: MainWindow) -> list[str]:
    """Return the Alt letters of the menu bar and of all that is visible."""
    labelled = [
        widget.text()
        for widget in window.findChildren(QWidget)
        if isinstance(widget, QAbstractButton | QLabel) and widget.isVisible()
    ]
    # Of a hidden menu, too: the bar keeps its letter.
    menus = window.menuBar().actions()
    texts = [*(action.text() for action in menus), *labelled]
    return [found for found in map(letter, texts) if found]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("is_full", [True, False])
def test_alt_and_a_letter_mean_one_thing_on_a_page(stage: Stage, page: int, is_full: bool) -> None:
    window = full_window(stage) if is_full else stage.window(sets.script())[0]
    stage.do(lambda: window.notice.say("Something went wrong."))
    window.show_page(window.pages[page])

    counted = Counter(letters_of(window))

    assert [found for found, count in counted.items() if count > 1] == []
    assert "x" not in counted  # which dismisses the notice


class Pressed(QObject):
    """Notes what keys would do, in place of doing it."""

    def __init__(self) -> None:
        super().__init__()
        self.reached: list[tuple[str, bool]] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QShortcutEvent):
            self.reached.append((watched.objectName(), event.isAmbiguous()))
            return True
        return False


@pytest.mark.parametrize("page", PAGES)
def test_alt_and_the_letter_of_a_button_reach_that_button(
    stage: Stage, qapp: QApplication, page: int
) -> None:
    window = full_window(stage)
    stage.do(lambda: window.show_page(window.pages[page]))
    window.activateWindow()
    buttons = [
        button
        for button in window.pages[page].findChildren(QAbstractButton)
        if button.isVisible() and button.isEnabled() and letter(button.text())
    ]
    pressed = Pressed()
    qapp.installEventFilter(pressed)

    for button in buttons:
        key = Qt.Key(ord(letter(button.text()).upper()))
        QTest.keyClick(window, key, Qt.KeyboardModifier.AltModifier)

    qapp.removeEventFilter(pressed)
    assert pressed.reached == [(button.objectName(), False) for button in buttons]


@pytest.mark.parametrize("page", PAGES)
def test_what_an_archive_asks_for_takes_no_letter_from_a_page(
    stage: Stage, tmp_path: Path, page: int
) -> None:
    (tmp_path / "settings.toml").write_text("[archiveorg]\nby_rule = true\n")
    window = full_window(stage)
    window.show_page(window.pages[page])
    stage.wait(window.pages.settings.page_actions.ask.isEnabled)
    assert not window.requests.isHidden()

    counted = Counter(letters_of(window))

    assert [found for found, count in counted.items() if count > 1] == []


class TopLevels(QObject):
    """Notes the windows that are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[QObject] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.shown.append(watched)
        return False


def test_pages_are_made_when_they_are_opened(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    before = [type(page) for page in window.pages.there]

    stage.do(window.side_bar.buttons[3].click)

    assert before == [QueueView, OverviewView]
    assert [type(page) for page in window.pages.there] == [*before, HoldingsView]
    assert window.page is window.pages.holdings


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_is_made_shows_no_window_of_its_own(
    stage: Stage, qapp: QApplication, page: int
) -> None:
    window, _ = stage.window(sets.script())
    noted = TopLevels()
    qapp.installEventFilter(noted)

    stage.do(lambda: window.show_page(window.pages[page]))

    qapp.removeEventFilter(noted)
    assert noted.shown == []


def test_a_page_made_later_has_what_the_archive_holds(stage: Stage) -> None:
    window, _ = stage.window(replace(sets.script(), kept=sets.holdings()))

    stage.do(lambda: window.show_page(window.pages.holdings))

    stage.wait(lambda: window.pages.holdings.model.rowCount() > 0)


def test_a_page_made_later_says_why_the_archive_is_not_open(stage: Stage) -> None:
    window, _ = stage.window(replace(sets.script(), opening_error=ArchiveError("It is away.")))

    stage.do(lambda: window.show_page(window.pages.holdings))

    assert window.pages.holdings.ui.unopened.isVisible()
    assert window.pages.holdings.ui.unopened.sentence.text() == "It is away."


def test_why_the_archive_is_not_open_is_said_once_on_every_page(stage: Stage) -> None:
    window, engine = stage.window(
        replace(sets.script(), opening_error=ArchiveError("The disk of /srv/archive is full."))
    )
    assert window.notice.isHidden()
    told = window.pages.overview.reading.sentence.text()
    assert told.startswith("The disk of /srv/archive is full. To make another archive")

    for page in window.pages:
        stage.do(partial(window.show_page, page))
        said = [label.text() for label in window.findChildren(QLabel) if label.isVisible()]
        assert sum("is full" in text for text in said) == 1, page.kind

    engine.script.opening_error = None
    stage.do(lambda: window.show_page(window.pages.settings))
    stage.do(window.session.try_again)
    stage.wait(lambda: window.session.is_open)
    stage.wait(window.notice.isHidden)
    stage.do(lambda: window.show_page(window.pages.archives))
    assert window.notice.isHidden()


def test_why_the_archive_is_not_open_is_read_out(stage: Stage) -> None:
    window, engine = stage.window(replace(sets.script(), opening_error=ArchiveError("Away.")))
    heard: list[str] = []
    window.announcer.announced.connect(heard.append)

    engine.script.opening_error = ArchiveError("Still away.")
    stage.do(window.session.try_again)
    stage.wait(lambda: heard)

    assert "Still away." in heard[0]


def test_where_the_archive_is_not_open_the_page_can_try_again(stage: Stage) -> None:
    script = replace(sets.script(), opening_error=ArchiveError("It is away."))
    window, engine = stage.window(script)
    reading = window.pages.overview.reading
    assert reading.again.isVisible()

    engine.script.opening_error = None
    stage.do(reading.again.click)

    stage.wait(lambda: window.session.is_open)
    assert reading.again.isHidden()


def test_every_action_of_every_page_stands_in_a_menu(stage: Stage) -> None:
    window, _ = stage.window(sets.script())

    listed = set(actions_in_menus(window))

    for view in window.pages:
        assert set(view.actions_in_menu) <= listed


@pytest.mark.parametrize("page", PAGES)
def test_tab_visits_every_control_and_comes_back(stage: Stage, page: int) -> None:
    window = full_window(stage)
    window.show_page(window.pages[page])
    window.activateWindow()
    window.setFocus()
    expected = {
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and widget.objectName() != "qt_scrollarea_viewport"
    }

    visited: set[QWidget] = set()
    for _ in range(3 * len(expected)):
        focused = QApplication.focusWidget()
        if focused:
            visited.add(focused)
            QTest.keyClick(focused, Qt.Key.Key_Tab)

    # Of an exclusive group of buttons Tab visits the one that is checked; arrows go on from there.
    left = {widget for widget in expected - visited if not has_group(widget)}
    assert [type(widget).__name__ + widget.objectName() for widget in left] == []


def has_group(widget: QWidget) -> bool:
    group = getattr(widget, "group", None)
    return bool(group and group())


def test_keys_open_the_pages(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    window.activateWindow()

    pages = []
    for key in (Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_1):
        QTest.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
        pages.append(window.page)

    ways = window.pages
    assert pages == [ways.archive, ways.queue, ways.holdings, ways.overview]


def test_find_goes_to_the_holdings(stage: Stage) -> None:
    window = full_window(stage)
    window.activateWindow()

    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window, Qt.Key.Key_F, both)

    assert window.page is window.pages.holdings
    assert QApplication.focusWidget() is window.pages.holdings.ui.search


def test_closing_while_something_runs_says_what_that_means_and_asks(stage: Stage) -> None:
    window = full_window(stage)
    closed: list[bool] = []
    window.closed.connect(lambda: closed.append(True))

    stage.do(window.close)
    stage.do(window.close)  # once more, as a key that is held does
    (box,) = window.findChildren(QMessageBox, "closing")
    assert box.text() == "1 dataset is being archived."
    assert "the queue resumes when you open this archive again" in box.informativeText()
    assert closed == []
    stage.do(box.defaultButton().click)
    assert window.isEnabled()
    assert closed == []

    stage.do(window.close)
    again = window.findChildren(QMessageBox, "closing")[-1]
    stage.do(again.buttons()[0].click)

    assert closed == [True]
    assert window.notice.label.text() == "The queue resumes when you open Carrel again."
    assert window.isVisible()


def test_closing_while_a_harvest_runs_says_what_becomes_of_it_and_asks(stage: Stage) -> None:
    dark = replace(dark_datasets.script(), holds=True)
    window, _ = stage.window(replace(sets.script(), dark=dark))
    view = window.pages.dark
    stage.do(view.commands.gather)
    stage.wait(lambda: view.runner.is_running)

    stage.do(window.close)

    (box,) = window.findChildren(QMessageBox, "closing")
    assert box.text() == "A harvest of the dark archive is running."
    assert "what it did not get to is not taken for lost" in box.informativeText()
    stage.do(box.defaultButton().click)
    assert window.isVisible()
    stage.do(view.page_actions.stop.trigger)
    stage.wait(lambda: not view.runner.is_busy)
    assert window.closing.doubt() is None


def test_closing_while_the_dark_archive_is_verified_asks(stage: Stage) -> None:
    dark = replace(dark_datasets.script(), holds=True)
    window, engine = stage.window(replace(sets.script(), dark=dark))
    view = window.pages.dark
    stage.do(view.runner.check)
    stage.wait(lambda: view.runner.is_checking)

    box = window.closing.doubt()

    assert box is not None
    assert "verified, repaired or exported" in box.text()
    engine.dark.release_held()
    stage.wait(lambda: not view.runner.is_busy)


def test_the_question_before_closing_says_how_many_jobs_run_by_now(stage: Stage) -> None:
    window = full_window(stage)
    stage.do(window.close)
    (box,) = window.findChildren(QMessageBox, "closing")
    (row,) = window.pages.queue.model.rows(JobState.RUNNING)

    done = replace(row.job, state=JobState.DONE, status=Status.SUCCESS)
    window.pages.queue.model.apply([JobChanged("", done)], 1.0)

    assert box.text() == "No dataset is being archived any more."
    stage.do(box.defaultButton().click)


def with_unsaved_settings(stage: Stage) -> MainWindow:
    window, _ = stage.window(sets.script())
    view = window.pages.settings
    stage.wait(lambda: not view.keys.trouble.isHidden())
    entry = view.form.entries[0]
    QTest.keyClicks(entry.focus_widget, "archive@example.edu")
    return window


def test_closing_asks_only_if_changed_settings_would_be_lost(stage: Stage) -> None:
    window = with_unsaved_settings(stage)
    closed: list[bool] = []
    window.closed.connect(lambda: closed.append(True))

    stage.do(window.close)
    box = window.findChild(QMessageBox, "closing")
    assert box
    assert closed == []
    assert "not saved" in box.text()
    stay, go = box.defaultButton(), box.buttons()[0]
    assert box.buttonRole(go) is QMessageBox.ButtonRole.AcceptRole
    assert stay is not go
    stage.do(go.click)

    assert closed == [True]


def test_keeping_the_changes_keeps_the_window(stage: Stage) -> None:
    window = with_unsaved_settings(stage)
    stage.do(window.close)
    box = window.findChild(QMessageBox, "closing")
    assert box

    stage.do(box.defaultButton().click)

    assert window.isVisible()
    assert window.pages.settings.is_changed


def test_settings_can_be_saved_on_the_way_out(stage: Stage) -> None:
    window = with_unsaved_settings(stage)
    closed: list[bool] = []
    window.closed.connect(lambda: closed.append(True))
    stage.do(window.close)
    box = window.findChild(QMessageBox, "closing")
    assert box
    saving = box.findChild(QPushButton, "save_first")
    assert saving
    stage.wait(box.isVisible)
    lefts = {
        widget.mapTo(box, QPoint(0, 0)).x() + widget.contentsMargins().left()
        for widget in (*box.findChildren(QLabel), saving)
        if widget.isVisible()
    }
    assert len(lefts) == 1  # words and buttons begin in one line

    stage.do(saving.click)
    stage.wait(lambda: closed)

    assert not window.pages.settings.is_changed
    assert "archive@example.edu" in (window.session.archive / "settings.toml").read_text()


def test_settings_that_cannot_be_saved_keep_the_window(stage: Stage) -> None:
    window = with_unsaved_settings(stage)
    page = window.pages.settings
    entry = next(each for each in page.form.entries if each.setting.name == "network.transfers")
    QTest.keyClicks(entry.focus_widget, "x")
    stage.do(window.close)
    box = window.findChild(QMessageBox, "closing")
    assert box
    saving = box.findChild(QPushButton, "save_first")
    assert saving

    stage.do(saving.click)

    assert window.isVisible()
    assert page.is_changed
    assert "Not saved" in page.state.text()
    assert window.page is page  # where it is said
    assert page.state.isVisible()


def asked_to_leave_for(stage: Stage, window: MainWindow, archive: Path) -> QMessageBox:
    (archive / "collections").mkdir(parents=True)
    stage.do(lambda: window.leaving.go_to(archive))
    box = window.findChild(QMessageBox, "closing")
    assert box
    return box


def test_the_question_before_another_archive_is_opened_names_that(
    stage: Stage, tmp_path: Path
) -> None:
    window = with_unsaved_settings(stage)
    closed: list[bool] = []
    window.closed.connect(lambda: closed.append(True))

    box = asked_to_leave_for(stage, window, tmp_path / "second")

    assert box.windowTitle() == "Open another archive"
    assert f"This archive is closed when {tmp_path / 'second'} is opened." in box.informativeText()
    buttons = {each.text().replace("&", "") for each in box.buttons()}
    assert buttons == {"Discard and open", "Save and open", "Keep this archive open"}

    stage.do(box.buttons()[0].click)
    assert closed == [True]
    assert window.closing.following == Beginning(tmp_path / "second")


def test_an_archive_that_was_kept_open_is_not_left_for_another_later(
    stage: Stage, tmp_path: Path
) -> None:
    window = with_unsaved_settings(stage)
    page = window.pages.settings
    entry = next(each for each in page.form.entries if each.setting.name == "network.transfers")
    QTest.keyClicks(entry.focus_widget, "x")

    box = asked_to_leave_for(stage, window, tmp_path / "second")
    saving = box.findChild(QPushButton, "save_first")
    assert saving
    stage.do(saving.click)  # it cannot be saved

    assert window.isVisible()
    assert window.closing.following is None
    stage.do(window.close)
    again = window.findChildren(QMessageBox, "closing")[-1]
    assert again.windowTitle() == "Close the window"


def test_opening_this_archive_or_the_samples_is_named_so() -> None:
    archive = Path("/srv/archive")

    assert going(None, archive).title == "Close the window"
    assert going(Beginning(archive), archive).title == "Open this archive again"
    assert going(Beginning(None, is_demo=True), archive).title == "Open the sample repository"


def test_closing_an_idle_window_asks_nothing(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    closed: list[bool] = []
    window.closed.connect(lambda: closed.append(True))

    window.close()

    assert closed == [True]


def test_help_lists_the_keys_and_says_what_carrel_is(stage: Stage) -> None:
    window, _ = stage.window(sets.script())

    window.help.show_shortcuts()
    window.help.show_about()

    dialogs = {dialog.objectName(): dialog for dialog in window.findChildren(QDialog)}
    assert {"shortcuts", "about"} <= dialogs.keys()
    for dialog in dialogs.values():
        assert nameless(dialog) == []
        dialog.close()


def test_the_keys_stand_by_page_and_fit_the_screen(stage: Stage) -> None:
    window, _ = stage.window(sets.script())

    window.help.show_shortcuts()

    dialog = window.findChild(QDialog, "shortcuts")
    assert isinstance(dialog, QDialog)
    words = [label.text() for label in dialog.findChildren(QLabel)]
    headings = ["File", "Edit", "Queue", "Holdings", "View", "Help"]
    places = [words.index(heading) for heading in headings]
    assert places == sorted(places)
    assert dialog.height() <= dialog.screen().availableSize().height()
    area = dialog.findChild(QScrollArea)
    assert area is not None
    assert area.widgetResizable()
    dialog.close()


def test_an_archive_that_can_not_be_opened_is_told_in_the_window(stage: Stage) -> None:
    script = replace(sets.script(), opening_error=ArchiveLocked("another Carrel is using it"))

    window, _ = stage.window(script)

    assert "another Carrel is using it" in window.pages.overview.reading.sentence.text()
    assert not window.pages.archive.page_actions.look.isEnabled()


def test_the_window_opens_lives_and_closes(
    stage: Stage, qapp: QApplication, tmp_path: Path
) -> None:
    opener = FakeOpener(sets.script())
    faults = Faults(tmp_path / "carrel.log")
    seen: list[str] = []

    def on_shown(window: MainWindow) -> None:
        seen.append(window.pages.archive.ui.paste.toPlainText())
        window.close()

    beginning = Beginning(tmp_path, is_demo=True)
    code = stage.run(live(qapp, beginning, faults, open_engine=opener, on_shown=on_shown))

    assert code == 0
    assert all(line.startswith("http://127.0.0.1:") for line in seen[0].splitlines())
    assert len(seen[0].splitlines()) == len(sample_datasets())
    assert opener.engine
    assert opener.engine.calls == ["closed"]


def test_the_window_is_shown_before_what_stands_in_it(
    stage: Stage, qapp: QApplication, tmp_path: Path
) -> None:
    """What a start was given to open waits, and the window stays the one that it was."""
    window = MainWindow(Theme(qapp), tmp_path)
    window.show_empty()
    window.open_items(["doi:10.5072/FK2/TIDES5"])
    label = window.centralWidget()
    assert isinstance(label, QLabel)
    assert label.text() == f"Opening the archive {tmp_path.name}…"
    assert (window.isVisible(), window.windowTitle()) == (True, tmp_path.name)

    def on_shown(shown: MainWindow) -> None:
        assert shown is window
        assert shown.page is shown.pages.archive
        shown.closing.is_decided = True  # what is previewed is not queued yet
        shown.close()

    faults, opener = Faults(tmp_path / "carrel.log"), FakeOpener(sets.script())
    lived = live(
        qapp, Beginning(tmp_path), faults, window=window, open_engine=opener, on_shown=on_shown
    )
    assert stage.run(lived) == 0


def test_a_window_that_is_closed_before_it_is_furnished_opens_no_archive(
    stage: Stage, qapp: QApplication, tmp_path: Path
) -> None:
    window = MainWindow(Theme(qapp), tmp_path)
    window.show_empty()
    faults, opener = Faults(tmp_path / "carrel.log"), FakeOpener(sets.script())

    async def closed_at_once() -> int:
        asyncio.get_running_loop().call_soon(window.close)
        return await live(qapp, Beginning(tmp_path), faults, window=window, open_engine=opener)

    assert stage.run(closed_at_once()) == 0
    assert opener.engine is None


def test_another_archive_is_opened_in_place_of_the_first(
    stage: Stage, qapp: QApplication, tmp_path: Path
) -> None:
    faults = Faults(tmp_path / "carrel.log")
    Archive.create_or_open(tmp_path / "other").close()
    opened: list[str] = []

    def on_shown(window: MainWindow) -> None:
        opened.append(window.windowTitle())
        if len(opened) == 1:
            window.pages.settings.wants_archive.emit(tmp_path / "other")
        else:
            window.close()

    opener = FakeOpener(sets.script())
    code = stage.run(
        live(qapp, Beginning(tmp_path / "first"), faults, open_engine=opener, on_shown=on_shown)
    )

    assert code == 0
    assert opened == ["first", "other"]


def test_the_sample_repository_is_tried_from_an_open_window(
    stage: Stage, qapp: QApplication, tmp_path: Path
) -> None:
    opened: list[Path] = []
    pasted: list[str] = []

    def on_shown(window: MainWindow) -> None:
        opened.append(window.session.archive)
        pasted.append(window.pages.archive.ui.paste.toPlainText())
        if len(opened) == 1:
            window.own_actions.trial.trigger()
            (box,) = window.findChildren(Trial)
            assert nameless(box) == []
            next(each for each in box.buttons() if each.text() == "&Try it").click()
        else:
            window.close()

    opener = FakeOpener(sets.script())
    faults = Faults(tmp_path / "carrel.log")
    beginning = Beginning(tmp_path / "own")
    code = stage.run(live(qapp, beginning, faults, open_engine=opener, on_shown=on_shown))

    assert code == 0
    assert opened[0] == tmp_path / "own"
    assert opened[1].name.startswith("carrel-sample-")
    assert not opened[1].exists()
    assert pasted[0] == ""
    assert pasted[1].startswith("http://127.0.0.1:")


def test_who_declines_the_sample_repository_stays(stage: Stage) -> None:
    window = full_window(stage)

    stage.do(window.own_actions.trial.trigger)
    (box,) = window.findChildren(Trial)
    stage.do(box.reject)

    assert window.closing.following is None
    assert window.isVisible()


def test_a_fault_is_logged_and_told_not_thrown(stage: Stage, tmp_path: Path) -> None:
    log = tmp_path / "logs" / "carrel.log"
    faults = Faults(log)
    told: list[Fault] = []
    faults.happened.connect(told.append)

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(faults.on_loop_error)
        loop.call_soon(fail)
        await asyncio.sleep(0.05)

    def fail() -> None:
        raise ZeroDivisionError("of all things")

    with faults.caught():
        stage.run(scenario())

    assert "ZeroDivisionError" in told[0].sentence
    assert "of all things" in told[0].report
    assert "of all things" in log.read_text()


def test_no_letter_means_two_things_whatever_is_chosen_in_the_queue(stage: Stage) -> None:
    states = JobState.RUNNING, JobState.QUEUED, JobState.PAUSED, JobState.CANCELLED
    jobs = [*(queues.waiting(at, state=state) for at, state in enumerate(states))]
    asking = queues.asking(9, *Answer)
    window, _ = stage.window(sets.script())
    window.show_page(window.pages.queue)
    model, tree = window.pages.queue.model, window.pages.queue.tree
    model.apply(queues.changed(*jobs, asking), 0.0)
    stage.do(lambda: window.notice.say("Something went wrong."))

    clashes = []
    for row in model.listed:
        tree.choose([row])
        clashes += [each for each, count in Counter(letters_of(window)).items() if count > 1]
    tree.selectAll()
    clashes += [each for each, count in Counter(letters_of(window)).items() if count > 1]

    assert clashes == []


def spoken(window: MainWindow) -> list[str]:
    said: list[str] = []
    window.announcer.announced.connect(said.append)
    return said


def test_notices_and_what_the_queue_does_are_read_out(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    model = window.pages.queue.model
    stage.wait(lambda: model.is_running and not window.pages.queue.reading.is_busy)
    said = spoken(window)

    stage.do(lambda: window.notice.say("Something went wrong."))
    model.apply(queues.queued(40), 0.0)
    model.set_running(False)
    model.set_running(True)
    model.apply(queues.changed(queues.ended(1, Status.TRUNCATED), queues.asking(2)), 1.0)

    assert said == [
        "Something went wrong.",
        "Added 40 datasets to the queue",
        "Queue paused",
        "Queue resumed",
        "https://example.org/000001: Transfer interrupted",
        "https://example.org/000002: Shall it?",
    ]


def test_the_end_of_looking_and_what_a_verification_found_are_read_out(stage: Stage) -> None:
    window = full_window(stage)
    said = spoken(window)

    window.pages.archive.ui.paste.setPlainText(sets.LIGHT)
    stage.do(window.pages.archive.look)
    stage.wait(lambda: any(each.startswith("Checked 3 datasets") for each in said))
    stage.do(window.pages.holdings.choice.verify)
    stage.wait(lambda: any("intact" in each for each in said))

    assert not [each for each in said if each.startswith("Verifying")]


def test_pages_and_places_are_spoken_as_one_of_several(stage: Stage) -> None:
    window = full_window(stage)

    chips = window.pages.queue.ui.places.findChildren(QAbstractButton)
    roles = {
        QAccessible.queryAccessibleInterface(button).role()
        for button in [*window.side_bar.buttons, *chips]
    }

    assert roles == {QAccessible.Role.RadioButton}


def test_badges_stand_only_where_the_name_leaves_room(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    button = window.side_bar.buttons[1]
    badges = tuple(Badge("100,000", "waiting", "secondary") for _ in range(2))

    button.set_badges(badges, "100,000 waiting")

    rooms = range(space(100), 0, -1)
    shown = [tuple(badge.count for badge in button.fitting(room)) for room in rooms]
    assert [each for each, _ in groupby(shown)] == [
        ("100,000", "100,000"),
        ("99+", "99+"),
        ("9+", "9+"),
        ("9+",),
        (),
    ]


def test_after_a_dialog_the_keyboard_goes_to_the_page_where_its_button_is_gone(
    stage: Stage,
) -> None:
    window, _ = stage.window(sets.script())
    archive = window.pages.archive
    stage.do(lambda: window.show_page(archive))
    window.activateWindow()
    button = QPushButton("Choose folder", archive)
    button.show()
    stage.do(button.setFocus)
    dialog = QDialog(window)
    stage.do(lambda: window.open_dialog(dialog))
    stage.wait(dialog.isActiveWindow)

    button.hide()
    stage.do(dialog.reject)
    stage.do(window.activateWindow)  # as the desktop does by itself

    stage.wait(window.isActiveWindow)
    assert archive.ui.paste.hasFocus()


def test_a_folder_without_an_archive_is_not_made_one_by_opening_it(
    stage: Stage, tmp_path: Path
) -> None:
    window, _ = stage.window(sets.script())
    empty = tmp_path / "empty"
    empty.mkdir()

    stage.do(lambda: window.leaving.go_to(empty))

    assert "There is no archive in" in window.notice.label.text()
    assert window.closing.following is None
    assert list(empty.iterdir()) == []


def test_a_new_archive_is_made_in_a_folder_of_any_name(stage: Stage, tmp_path: Path) -> None:
    window, _ = stage.window(sets.script())

    stage.do(window.own_actions.make.trigger)
    (dialog,) = window.findChildren(QFileDialog)
    stage.do(lambda: dialog.fileSelected.emit(str(tmp_path / "second")))

    assert window.closing.following == Beginning(tmp_path / "second")


def test_closing_an_archive_that_is_deleted_then_asks_and_leads_to_a_copy(stage: Stage) -> None:
    window = full_window(stage)
    window.closing.is_passing = True
    closed: list[bool] = []
    window.closed.connect(lambda: closed.append(True))

    stage.do(window.close)
    (box,) = window.findChildren(QMessageBox, "closing")
    assert box.text() == "The archive of the sample repository is deleted when you close it."
    keep = box.findChild(QPushButton, "keep_a_copy")
    assert isinstance(keep, QPushButton)
    stage.do(keep.click)
    assert window.copies is not None
    assert window.copies.isVisible()
    assert closed == []

    stage.do(window.copies.reject)
    stage.do(window.close)
    stage.do(window.findChildren(QMessageBox, "closing")[-1].buttons()[0].click)
    assert closed == [True]


def test_the_disk_is_measured_as_soon_as_a_job_goes_on_hold(stage: Stage) -> None:
    window = full_window(stage)
    stage.wait(lambda: window.session.free_bytes is not None)
    measured: list[bool] = []
    window.session.measured.connect(lambda: measured.append(True))

    on_hold = waiting(77, state=JobState.PAUSED, status=Status.DISK_FULL)
    window.pages.queue.model.apply([JobChanged("", on_hold)], 1.0)

    stage.wait(lambda: bool(measured))
    assert window.session.free_bytes
