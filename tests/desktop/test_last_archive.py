# SPDX-License-Identifier: AGPL-3.0-or-later
"""A start that names no archive goes on with the one that was open last."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from carrel.cli.desktop import open_desktop
from carrel_desktop import app, living
from carrel_desktop.beginning import Beginning
from carrel_desktop.last_archive import last_archive, remember_archive


def begun(monkeypatch: pytest.MonkeyPatch, archive: Path, *, is_first: bool) -> list[object]:
    """Return what a start begins with, None where it is asked."""
    seen: list[object] = []

    def run(
        _app: object, _theme: object, window: object, beginning: Beginning | None, _: object
    ) -> int:
        assert (window is None) == (beginning is None)
        seen.append(beginning and beginning.archive)
        return 0

    monkeypatch.setattr(living, "run", run)
    assert app.open_window(archive, is_first=is_first) == 0
    return seen


def test_the_archive_that_was_open_is_opened_again(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, usual = tmp_path / "mine", tmp_path / "usual"
    mine.mkdir()
    assert begun(monkeypatch, usual, is_first=True) == [None]

    remember_archive(mine)

    assert begun(monkeypatch, usual, is_first=True) == [mine]
    assert begun(monkeypatch, usual, is_first=False) == [usual]


def test_the_sample_repository_never_goes_into_a_real_archive(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[object] = []

    def run(
        _app: object, _theme: object, _window: object, beginning: Beginning | None, _: object
    ) -> int:
        begun.append(beginning)
        return 0

    monkeypatch.setattr(living, "run", run)
    (tmp_path / "mine").mkdir()
    remember_archive(tmp_path / "mine")
    monkeypatch.setattr("carrel.cli.desktop._has_display", lambda: True)
    monkeypatch.setattr("carrel_desktop.display.hindrance", lambda: "")

    assert open_desktop(tmp_path / "usual", is_demo=True, is_named=False) == 0
    assert open_desktop(tmp_path / "own", is_demo=True, is_named=True) == 0

    assert begun == [Beginning(None, is_demo=True), Beginning(tmp_path / "own", is_demo=True)]


def test_one_that_is_gone_is_not(qapp: QApplication, tmp_path: Path) -> None:
    remember_archive(tmp_path / "gone")
    assert last_archive() is None

    (tmp_path / "there").mkdir()
    remember_archive(tmp_path / "there")
    assert last_archive() == tmp_path / "there"
    shutil.rmtree(tmp_path / "there")
    assert last_archive() is None
