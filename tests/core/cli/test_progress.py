# SPDX-License-Identifier: AGPL-3.0-or-later
"""Progress bars: words from outside are shown, not obeyed."""

import io
import sys

import pytest

from carrel.cli.progress import progress_bars
from carrel.model import Fixity, IngestRequest, ManifestFile, Stage, Status
from carrel.model.events import FileFinished, FileProgress, IngestStarted, StageEntered


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Put a terminal in the place of standard error; from within a test, or it is captured."""
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    return shown


@pytest.mark.parametrize("title", ["Tides [/closed] of 1953", "Tides [bold] x", "[link=x]Tides"])
def test_a_title_in_brackets_is_only_a_title(monkeypatch: pytest.MonkeyPatch, title: str) -> None:
    terminal = terminal_of(monkeypatch)
    with progress_bars() as show:
        show(IngestStarted("1", IngestRequest("https://a.example/")))
        show(StageEntered("1", Stage.CHOOSE, title))

    assert title in terminal.getvalue()


def test_a_title_can_not_steer_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    with progress_bars() as show:
        show(IngestStarted("1", IngestRequest("https://a.example/")))
        show(StageEntered("1", Stage.CHOOSE, "\x1b]0;owned\x07 Tides"))

    assert "\x1b]0;owned" not in terminal.getvalue()


def test_bytes_are_added_up_over_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    whole = ManifestFile("a", declared=Fixity(1024), status=Status.SUCCESS)
    with progress_bars() as show:
        show(IngestStarted("1", IngestRequest("https://a.example/")))
        show(FileProgress("1", 0, 512, 1024))
        show(FileProgress("1", 1, 2048, None))
        show(FileFinished("1", 0, whole))

    assert "3.0/? KiB" in terminal.getvalue()


def test_nothing_is_shown_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bars() as show:
        show(IngestStarted("1", IngestRequest("https://a.example/")))

    assert capsys.readouterr().err == ""
