# SPDX-License-Identifier: AGPL-3.0-or-later
"""Progress bars: words from outside are shown, not obeyed."""

import io
import sys
from dataclasses import replace

import pytest

from carrel.cli.batch.progress import batch_progress
from carrel.cli.progress import progress_bars
from carrel.model import (
    Fixity,
    IngestFilesetResult,
    IngestRequest,
    IngestStrategy,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
    StrategyChoice,
)
from carrel.model.events import (
    Described,
    FileFinished,
    FileProgress,
    FileStarted,
    IngestFinished,
    IngestStarted,
    JobChanged,
    StageEntered,
)
from support.queues import ended, request, waiting


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


def test_what_an_earlier_ingest_left_is_no_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    with progress_bars() as show:
        show(IngestStarted("1", IngestRequest("https://a.example/")))
        for received in (1024, 2 * 1024 * 1024):
            show(FileProgress("1", 0, received, None, found=received))

    assert "2.0/? MiB" in terminal.getvalue()
    assert "B/s" not in terminal.getvalue()


def test_files_that_were_archived_before_are_no_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    here = ManifestFile("a", declared=Fixity(1024 * 1024), status=Status.SUCCESS_EXISTING)
    staged = replace(here, status=Status.SUCCESS)
    with progress_bars() as show:
        show(IngestStarted("1", IngestRequest("https://a.example/")))
        for index, file in enumerate((here, here, staged, staged)):
            show(FileFinished("1", index, file))

    assert "4.0/? MiB" in terminal.getvalue()
    assert "B/s" not in terminal.getvalue()


def test_a_file_that_arrived_at_once_is_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    fetched = ManifestFile("a", declared=Fixity(1024 * 1024), status=Status.SUCCESS)
    with progress_bars() as show:
        show(IngestStarted("1", IngestRequest("https://a.example/")))
        for index in range(4):
            show(FileStarted("1", index))
            show(FileFinished("1", index, fetched))

    assert "B/s" in terminal.getvalue()


def test_the_file_that_arrives_is_named_and_how_many_do_beside_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = terminal_of(monkeypatch)
    files = tuple(ManifestFile(path) for path in ("a.txt", "b.txt", "c.txt"))
    item = PlatformItem("dataverse", "data.example", "1", files, title="Tides")
    choice = StrategyChoice(IngestStrategy.WEB_FILESET, "because")
    with progress_bars() as show:
        show(IngestStarted("1", IngestRequest("https://a.example/")))
        show(Described("1", item, choice))
        for index in range(3):
            show(FileProgress("1", index, 512, 1024))
        show(FileFinished("1", 0, files[0]))

    assert "b.txt +1" in terminal.getvalue()


def test_a_batch_shows_what_runs_and_no_longer_what_has_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = terminal_of(monkeypatch)
    with batch_progress(3) as progress:
        assert progress is not None
        for number, name in enumerate(("tides", "soundings", "stopped")):
            progress.show(IngestStarted(str(number), IngestRequest(f"https://{name}.example/")))
        progress.show(IngestFinished("0", IngestFilesetResult(request(0), Status.SUCCESS)))
        progress.show(JobChanged("0", ended(0, Status.SUCCESS)))
        progress.show(JobChanged("2", waiting(2, ingest_id="2", status=Status.CANCELLED)))

    last = terminal.getvalue()
    assert "1/3" in last
    assert "https://soundings.example/" in last
    assert "https://tides.example/" not in last
    assert "https://stopped.example/" not in last


def test_nothing_is_shown_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bars() as show:
        show(IngestStarted("1", IngestRequest("https://a.example/")))

    assert capsys.readouterr().err == ""
