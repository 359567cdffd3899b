# SPDX-License-Identifier: AGPL-3.0-or-later
"""A second start on an archive brings its window forward; on another archive it opens its own."""

import asyncio
from pathlib import Path

from PySide6.QtNetwork import QLocalServer
from PySide6.QtWidgets import QApplication

from carrel_desktop import one_window
from carrel_desktop.beginning import Beginning
from carrel_desktop.faults import Faults
from carrel_desktop.living import live
from carrel_desktop.main_window import MainWindow
from carrel_desktop.one_window import OpenWindow, bring_forward
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.fake_engine import FakeOpener


def test_a_second_start_calls_the_first(stage: Stage, tmp_path: Path) -> None:
    window = OpenWindow(tmp_path)
    calls: list[bool] = []
    window.called.connect(lambda: calls.append(True))

    found: list[bool] = []
    stage.do(lambda: found.append(bring_forward(tmp_path)))
    stage.wait(lambda: calls)
    window.close()

    assert found == [True]
    assert calls == [True]


def test_a_second_start_hands_over_what_it_is_to_open(stage: Stage, tmp_path: Path) -> None:
    window = OpenWindow(tmp_path)
    asked: list[list[str]] = []
    window.asked.connect(asked.append)

    stage.do(lambda: bring_forward(tmp_path, ["doi:10.5072/FK2/TIDES5", "/ä.warc.gz"]))
    stage.wait(lambda: asked)
    window.close()

    assert asked == [["doi:10.5072/FK2/TIDES5", "/ä.warc.gz"]]


def test_the_same_folder_by_another_path_is_the_same_archive(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "archive").mkdir()
    window = OpenWindow(tmp_path / "archive")

    found: list[bool] = []
    stage.do(lambda: found.append(bring_forward(tmp_path / "other" / ".." / "archive")))
    stage.do(lambda: found.append(bring_forward(tmp_path / "other")))
    window.close()

    assert found == [True, False]


def test_where_none_is_open_none_comes(qapp: QApplication, tmp_path: Path) -> None:
    window = OpenWindow(tmp_path)
    window.close()

    assert not bring_forward(tmp_path)


def test_what_a_killed_window_left_is_no_window(stage: Stage, tmp_path: Path) -> None:
    server = QLocalServer()
    name = one_window._meeting_place(tmp_path)
    server.listen(name)
    left = Path(server.fullServerName())
    if not left.exists():  # pipes and abstract sockets leave nothing
        server.close()
        return
    server.close()
    left.touch()

    window = OpenWindow(tmp_path)
    found: list[bool] = []
    stage.do(lambda: found.append(bring_forward(tmp_path)))
    window.close()

    assert found == [True]


def test_the_window_comes_forward_while_it_is_open(
    stage: Stage, qapp: QApplication, tmp_path: Path
) -> None:
    opener = FakeOpener(sets.script())
    seen: list[bool] = []

    def on_shown(window: MainWindow) -> None:
        async def minimized_and_called() -> None:
            window.showMinimized()
            seen.append(bring_forward(tmp_path))
            while window.isMinimized():
                await asyncio.sleep(0.01)
            seen.append(window.isVisible())
            window.close()

        tasks.append(asyncio.get_running_loop().create_task(minimized_and_called()))

    tasks: list[asyncio.Task[None]] = []
    faults = Faults(tmp_path / "log")
    stage.run(live(qapp, Beginning(tmp_path), faults, open_engine=opener, on_shown=on_shown))

    assert seen == [True, True]
    assert not bring_forward(tmp_path)
