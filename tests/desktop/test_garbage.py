# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whatever the engine's threads allocate meanwhile, what belongs to Qt ends on the window's."""

import asyncio
import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QStyledItemDelegate, QTreeView

from carrel_desktop import garbage
from carrel_desktop.garbage import collected_here
from carrel_desktop.main_window import MainWindow
from carrel_desktop.theme import Theme
from desktop.conftest import Stage
from support import fake_datasets as sets

THREADS, ROUNDS = 3, 4


class Ring(QObject):
    """What only the collector can destroy: it holds itself, and a timer of the window's thread."""

    def __init__(self, ended_on: list[str]) -> None:
        super().__init__()
        self._me, self._ended_on = self, ended_on
        self._timer = QTimer(self)
        self._timer.start(1)

    def __del__(self) -> None:
        self._ended_on.append(threading.current_thread().name)


@pytest.fixture
def eager_collector() -> Iterator[list[str]]:
    """Have the collector run on whichever thread allocates next; give the names of those."""
    ran_on: list[str] = []

    def note(phase: str, info: dict[str, int]) -> None:
        ran_on.append(threading.current_thread().name)

    before = gc.get_threshold()
    gc.set_threshold(20, 1, 1)
    gc.callbacks.append(note)
    gc.enable()
    yield ran_on
    gc.disable()
    gc.callbacks.remove(note)
    gc.set_threshold(*before)


@contextmanager
def allocating(count: int) -> Iterator[None]:
    """Have so many threads make rings of lists, as an engine at work does, all the time."""
    has_ended = threading.Event()

    def allocate() -> None:
        while not has_ended.wait(0.0005):
            for _ in range(50):
                ring: list[object] = []
                ring.append(ring)

    threads = [threading.Thread(target=allocate, name="carrel-engine") for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        has_ended.set()
        for thread in threads:
            thread.join()


async def come_and_go(window: MainWindow, ended_on: list[str]) -> None:
    """Show all pages, menus and dialogs of a window, and give its trees new delegates."""
    for page in window.pages:
        window.show_page(page)
        Ring(ended_on)
        await asyncio.sleep(0.01)
    for menu in window.menuBar().findChildren(QMenu):
        menu.popup(window.pos())
        await asyncio.sleep(0.01)
        menu.close()
    for show in (window.help.show_shortcuts, window.help.show_about):
        show()
        await asyncio.sleep(0.01)
    for dialog in window.findChildren(QDialog):
        dialog.close()
    for tree in window.findChildren(QTreeView):
        tree.setItemDelegate(QStyledItemDelegate(tree))


def test_while_other_threads_allocate_pages_menus_and_dialogs_come_and_go(
    stage: Stage,
    theme: Theme,
    qapp: QApplication,
    eager_collector: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(garbage, "LOOK_MS", 5)
    monkeypatch.setattr(garbage, "MANY", 10**9)  # on a slow machine threads come to that
    ended_on: list[str] = []
    script = sets.script()

    with collected_here(qapp), allocating(THREADS):
        eager_collector.clear()
        for _ in range(ROUNDS):
            window, _engine = stage.window(script)
            stage.run(come_and_go(window, ended_on))
        stage.wait(lambda: len(ended_on) >= ROUNDS)

    assert set(eager_collector) == {threading.main_thread().name}
    assert set(ended_on) == {threading.main_thread().name}


def test_what_was_made_before_is_collected_here_too(
    qapp: QApplication, eager_collector: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage, "MANY", 10**9)  # tests before this may have made very much
    ended_on: list[str] = []

    with collected_here(qapp) as collector:
        Ring(ended_on)
        with allocating(1):
            pass
        made_later = [[number] for number in range(100)]  # so that a collection is due
        collector.look()
        assert (ended_on, len(made_later)) == ([threading.main_thread().name], 100)

    assert gc.isenabled()


def test_a_list_that_was_read_is_not_looked_through_until_all_is_collected(
    qapp: QApplication,
) -> None:
    looked_at: list[int] = []
    ended_on: list[str] = []

    def note(phase: str, info: dict[str, int]) -> None:
        looked_at.append(info["generation"])

    with collected_here(qapp) as collector:
        collector.collect_all()
        rows = [[number] for number in range(garbage.MANY + 1)]
        Ring(ended_on)
        gc.callbacks.append(note)
        collector.look()
        gc.callbacks.remove(note)
        assert (looked_at, ended_on) == ([], [])
        assert gc.get_freeze_count() > len(rows)

        collector.collect_all()

        assert ended_on == [threading.main_thread().name]
    assert gc.get_freeze_count() == 0


def test_all_is_collected_while_no_one_works_in_the_window(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended_on: list[str] = []
    is_active = True
    monkeypatch.setattr(garbage, "_is_at_work", lambda: is_active)

    with collected_here(qapp) as collector:
        Ring(ended_on)
        gc.freeze()
        collector._last -= 10 * 60
        collector.look()
        assert ended_on == []

        is_active = False
        collector.look()

        assert len(ended_on) == 1
