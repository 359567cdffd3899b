# SPDX-License-Identifier: AGPL-3.0-or-later
"""Help opens the manual from the disk, at what explains the open page; without one, it says so."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QAction, QDesktopServices

from carrel_desktop import manual
from carrel_desktop.viewing.window import preview_actions
from desktop.conftest import Stage
from support import fake_datasets as sets

DOCS = Path(__file__).parents[2] / "docs"


KEYS = re.compile(r"(?:(?:Ctrl|Alt|Shift)\+)+(?:Page Up|\w+)|\bF\d{1,2}\b")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[QUrl]:
    """What the browser was asked to open."""
    urls: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", urls.append)
    return urls


def test_the_manual_explains_each_page(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[QUrl]
) -> None:
    monkeypatch.setattr(manual, "files", lambda package: tmp_path)
    window, _ = stage.window(sets.script())
    icons = [page.naming.icon for page in window.pages]
    for source in (each.relative_to(DOCS) for each in DOCS.rglob("*.md")):
        built = tmp_path / "manual" / source.with_suffix(".html")
        built.parent.mkdir(parents=True, exist_ok=True)
        built.touch()

    for page in window.pages:
        window.show_page(page)
        window.own_actions.manual.trigger()

    names = [Path(url.toLocalFile()).relative_to(tmp_path / "manual") for url in opened]
    assert len(names) == len(icons) == 9
    assert Path("index.html") not in names
    for name in ("settings", "watch", "holdings"):
        assert names[icons.index(name)] == Path(f"guides/{name}.html")


def test_the_keys_that_the_manual_names_do_something(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    texts = [*DOCS.glob("*.md"), *(DOCS / "guides").glob("*.md"), DOCS.parent / "README.md"]

    named = {
        keys.replace("Page Up", "PgUp")
        for text in texts
        for keys in KEYS.findall(text.read_text(encoding="utf-8"))
    }

    for page in window.pages:
        window.show_page(page)

    known = {action.shortcut().toString() for action in window.findChildren(QAction)}
    known |= {entry.shortcut for entry in preview_actions() if entry}
    assert named - known == set()
    assert {"Ctrl+N", "F3", "Ctrl+PgUp"} <= named


def test_where_nothing_opens_the_manual_the_page_is_named(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manual, "files", lambda package: tmp_path)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: False)
    built = tmp_path / "manual/guides/overview.html"
    built.parent.mkdir(parents=True)
    built.touch()
    window, _ = stage.window(sets.script())
    window.own_actions.manual.trigger()
    said = window.notice.label.text()
    assert str(built) in said
    assert "first page" not in said


def test_a_copy_without_the_manual_says_how_it_is_built(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[QUrl]
) -> None:
    monkeypatch.setattr(manual, "files", lambda package: tmp_path)
    window, _ = stage.window(sets.script())

    window.own_actions.manual.trigger()

    assert opened == []
    assert "make docs" in window.notice.label.text()


def test_that_the_manual_is_not_built_is_no_longer_said_once_it_opened(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manual, "files", lambda package: tmp_path)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: True)
    window, _ = stage.window(sets.script())
    window.own_actions.manual.trigger()
    was_said = not window.notice.isHidden()

    (tmp_path / "manual").mkdir()
    (tmp_path / "manual/index.html").touch()
    window.own_actions.manual.trigger()

    assert (was_said, window.notice.isHidden()) == (True, True)


def test_make_demo_builds_the_manual_while_it_runs() -> None:
    makefile = Path(__file__).parents[2] / "Makefile"
    recipe = makefile.read_text(encoding="utf-8").partition("\ndemo:")[2].partition("\n\n")[0]

    building = next(line for line in recipe.splitlines() if "docs" in line)
    assert "[ -e $(MANUAL)/index.html ] ||" in building
    assert " & " in building  # nobody waits for it
    assert recipe.index(building) < recipe.index("/carrel demo ")
