# SPDX-License-Identifier: AGPL-3.0-or-later
"""Keys mean what they mean elsewhere; one Edit menu; what was removed can be brought back."""

from collections import Counter
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton, QWidget

from carrel.model import JobState, Status
from carrel_desktop.main_window import MainWindow
from carrel_desktop.undoing import MOST_HELD, Done
from carrel_desktop.views.archive.detection import State
from desktop.conftest import Stage
from desktop.test_archive_view import looked
from desktop.test_main_window import actions_in_menus
from desktop.test_mementos_view import found
from support import fake_datasets as sets
from support.fake_engine import FakeEngine
from support.queues import ended, waiting

CONVENTIONS = {
    "Ctrl+N": "Add datasets",
    "Ctrl+O": "Open archive…",
    "Ctrl+F": "Find",
    "Ctrl+Z": "Undo",
    "Ctrl+X": "Cut",
    "Ctrl+C": "Copy",
    "Ctrl+V": "Paste",
    "Ctrl+A": "Select all",
    "Ctrl+,": "Settings",
    "Ctrl+Q": "Quit",
    "F1": "Manual",
    "F5": "Refresh",
}
# What these mean in other programs is not what any page does.
FOREIGN = {"Ctrl+P", "Ctrl+Y", "Ctrl+H", "Ctrl+J", "Ctrl+U", "Ctrl+W", "Ctrl+G", "Ctrl+I", "F6"}
PAGES = range(9)


def keys_of(actions: list[QAction]) -> list[str]:
    return [action.shortcut().toString() for action in actions if action.shortcut().toString()]


def press(stage: Stage, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    """Press a key as the archivist does: wherever the focus is."""

    def pressed() -> None:
        focus = QApplication.focusWidget()
        assert focus
        QTest.keyClick(focus, key, modifier or Qt.KeyboardModifier.NoModifier)

    stage.do(pressed)


def shown_menus(window: MainWindow) -> list[str]:
    actions = window.menuBar().actions()
    return [action.text().replace("&", "") for action in actions if action.isVisible()]


def edit_menu(window: MainWindow) -> QMenu:
    menu = window.menuBar().actions()[1].menu()
    assert isinstance(menu, QMenu)
    return menu


def queue_of(stage: Stage) -> tuple[MainWindow, FakeEngine]:
    """Return the queue of a finished and a waiting job, of which the first is chosen."""
    jobs = (ended(1, Status.SUCCESS), waiting(2))
    script = replace(sets.script(), jobs=jobs, is_queue_paused=True)
    window, engine = stage.window(script)
    window.activateWindow()
    stage.do(lambda: window.show_page(window.pages.queue))
    stage.wait(lambda: window.pages.queue.model.rowCount() == 2)
    stage.do(window.pages.queue.take_focus)
    return window, engine


def test_keys_mean_what_they_mean_elsewhere(stage: Stage) -> None:
    window, _ = stage.window(sets.script())

    meanings = {
        action.shortcut().toString(): action.text().replace("&", "")
        for action in actions_in_menus(window)
        if action.shortcut().toString() in CONVENTIONS
    }

    assert meanings == CONVENTIONS
    assert FOREIGN.isdisjoint(keys_of(actions_in_menus(window)))


@pytest.mark.parametrize("page", PAGES)
def test_no_two_actions_that_can_be_reached_share_their_keys(stage: Stage, page: int) -> None:
    window, _ = stage.window(sets.script())
    others = {action for each in window.pages for action in each.actions_in_menu}
    own = [action for action in actions_in_menus(window) if action not in others]

    keys = Counter(keys_of([*own, *window.pages[page].actions_in_menu]))

    assert [key for key, count in keys.items() if count > 1] == []


@pytest.mark.parametrize("page", PAGES)
def test_only_the_menu_of_the_open_page_stands_there(stage: Stage, page: int) -> None:
    window, _ = stage.window(sets.script())
    opened = window.pages[page]

    stage.do(lambda: window.show_page(opened))

    name = opened.naming.menu.replace("&", "")
    assert shown_menus(window) == ["File", "Edit", name, "View", "Help"]
    shown = [action for action in window.menuBar().actions() if action.isVisible()]
    assert all(action.isEnabled() for action in shown)


def test_a_removed_job_comes_back_by_ctrl_z(stage: Stage) -> None:
    window, engine = queue_of(stage)
    before = dict(engine.queue.known)

    press(stage, Qt.Key.Key_Delete)
    stage.wait(lambda: len(engine.queue.known) == 1)
    stage.wait(lambda: not window.notice.isHidden())
    assert window.notice.label.text() == "Removed 1 job from the queue."
    assert window.notice.way.text() == "Undo"
    press(stage, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    stage.wait(lambda: len(engine.queue.known) == 2)

    assert engine.queue.known == before
    assert window.notice.isHidden()
    assert window.last_done.last is None


def test_what_was_done_before_is_taken_back_after_what_was_done_last(stage: Stage) -> None:
    window, _ = queue_of(stage)
    back = list[int]()
    for number in range(MOST_HELD + 3):
        stage.do(partial(window.last_done.hold, Done(str(number), partial(back.append, number))))

    for _ in range(MOST_HELD + 1):
        press(stage, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    assert back == list(range(MOST_HELD + 2, 2, -1))
    assert window.last_done.last is None


def test_the_notice_brings_back_what_was_cleared(stage: Stage) -> None:
    window, engine = queue_of(stage)

    stage.do(window.pages.queue.page_actions.clear_done.trigger)
    stage.wait(lambda: not window.notice.isHidden())
    assert [job.state for job in engine.queue.known.values()] == [JobState.QUEUED]
    stage.do(window.notice.way.click)

    stage.wait(lambda: len(engine.queue.known) == 2)
    assert window.notice.isHidden()


def test_the_notice_takes_back_what_it_tells_and_gives_the_keyboard_back(stage: Stage) -> None:
    window, engine = queue_of(stage)
    view = window.pages.archive
    press(stage, Qt.Key.Key_Delete)
    stage.wait(lambda: len(engine.queue.known) == 1 and window.notice.isVisible())
    stage.do(lambda: window.show_page(view))
    stage.do(lambda: QTest.keyClicks(view.ui.paste, f"{sets.DUNES} {sets.SURVEY}"))
    press(stage, Qt.Key.Key_Return)
    stage.wait(lambda: len(view.model) == 2 and not view.model.count(State.LOOKING))
    press(stage, Qt.Key.Key_Delete)
    assert window.notice.label.text() == "Removed 1 row from the list."

    stage.do(lambda: QTest.mouseClick(window.notice.way, Qt.MouseButton.LeftButton))

    assert len(view.model) == 2
    assert view.ui.paste.toPlainText() == ""
    assert QApplication.focusWidget() is view.ui.list
    assert len(engine.queue.known) == 1


def test_a_trouble_that_follows_offers_nothing(stage: Stage) -> None:
    window, _ = queue_of(stage)
    press(stage, Qt.Key.Key_Delete)
    stage.wait(lambda: not window.notice.isHidden())

    stage.do(lambda: window.notice.say("The disk is full."))

    assert window.notice.way.isHidden()


def test_find_goes_to_the_search_of_the_page(stage: Stage) -> None:
    window, _ = queue_of(stage)

    press(stage, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)

    assert window.page is window.pages.queue
    assert QApplication.focusWidget() is window.pages.queue.ui.search


def ctrl_f_after(stage: Stage, window: MainWindow) -> QWidget | None:
    """Return what has the keyboard once Ctrl+F was pressed, if the page is still open."""
    page = window.page
    press(stage, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    return QApplication.focusWidget() if window.page is page else None


def test_find_goes_to_the_search_among_the_settings(stage: Stage) -> None:
    window, _ = queue_of(stage)
    settings = window.pages.settings
    stage.do(lambda: window.show_page(settings))
    stage.wait(settings.form.isEnabled)

    assert ctrl_f_after(stage, window) is settings.finding


def test_find_goes_to_the_search_in_the_list_of_datasets_to_add(stage: Stage) -> None:
    view, _, window = looked(stage, sets.PASTED)
    assert view.ui.bar.isVisible()

    assert ctrl_f_after(stage, window) is view.ui.bar.search


def test_find_goes_to_the_captures_and_to_what_is_browsed(stage: Stage) -> None:
    view, _, window = found(stage)

    among_captures = ctrl_f_after(stage, window)
    stage.do(view.page_actions.browse.trigger)
    stage.do(view.ui.field.setFocus)

    assert among_captures is view.ui.filters.search
    assert ctrl_f_after(stage, window) is view.ui.browse.search


def test_the_button_that_empties_a_field_has_a_name(stage: Stage) -> None:
    view, _, _ = found(stage)

    fields = view.ui.field, view.ui.filters.search
    buttons = [button for field in fields for button in field.findChildren(QToolButton)]

    assert [button.accessibleName() for button in buttons] == ["Clear", "Clear"]


@pytest.mark.parametrize("page", [0, 1, 3])
def test_find_goes_to_the_holdings_where_a_page_has_no_search(stage: Stage, page: int) -> None:
    window, _ = queue_of(stage)
    stage.do(lambda: window.show_page(window.pages[page]))

    press(stage, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)

    assert window.page is window.pages.holdings
    assert QApplication.focusWidget() is window.pages.holdings.ui.search


def test_copy_takes_what_the_page_names_and_select_all_all_of_it(stage: Stage) -> None:
    window, _ = queue_of(stage)

    press(stage, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    press(stage, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    rows = window.pages.queue.tree.chosen_rows()
    assert len(rows) == 2
    assert QGuiApplication.clipboard().text() == "\n".join(row.identifier for row in rows)


def test_ctrl_n_goes_to_where_datasets_are_pasted_and_ctrl_v_pastes(stage: Stage) -> None:
    window, _ = queue_of(stage)
    QGuiApplication.clipboard().setText("10.5072/FK2/DUNES")

    press(stage, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    field = window.pages.archive.ui.paste
    assert QApplication.focusWidget() is field
    press(stage, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert field.toPlainText() == "10.5072/FK2/DUNES"
    press(stage, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    assert field.toPlainText() == ""


def test_the_edit_menu_offers_what_can_be_done(stage: Stage) -> None:
    window, _ = queue_of(stage)
    menu, actions = edit_menu(window), window.editing.actions

    stage.do(menu.aboutToShow.emit)
    in_list = {
        name: getattr(actions, name).isEnabled() for name in ("undo", "cut", "copy", "paste")
    }
    stage.do(menu.aboutToHide.emit)

    assert in_list == {"undo": False, "cut": False, "copy": True, "paste": False}
    assert all(action.isEnabled() for action in menu.actions())


def test_the_edit_menu_acts_on_the_field_that_has_the_keyboard(stage: Stage) -> None:
    window, _ = queue_of(stage)
    search, actions = window.pages.queue.ui.search, window.editing.actions
    stage.do(search.setFocus)
    stage.do(lambda: QTest.keyClicks(search, "dunes"))

    stage.do(actions.select_all.trigger)
    stage.do(actions.cut.trigger)
    assert (search.text(), QGuiApplication.clipboard().text()) == ("", "dunes")
    stage.do(actions.paste.trigger)
    stage.do(actions.paste.trigger)
    assert search.text() == "dunesdunes"
    stage.do(actions.undo.trigger)

    assert search.text() == "dunes"
