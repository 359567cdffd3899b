# SPDX-License-Identifier: AGPL-3.0-or-later
"""What Carrel is made of, and what is reported of its faults."""

import logging
import subprocess
import sys
import traceback
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel, QPlainTextEdit, QPushButton, QScrollArea

from carrel import __version__
from carrel.engine import Engine
from carrel.model.figures import Amount, Figures
from carrel.model.job import JobState
from carrel.model.standing import Standing
from carrel_desktop import credits
from carrel_desktop.begun_work import BegunWork
from carrel_desktop.credits import packages
from carrel_desktop.fault_report import archive_in_words, report_of, without_traces_of_the_person
from carrel_desktop.faults import Fault, Faults, RecentErrors
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.archives import environment

KEY = "AKIA9sPq3xT7vLw2Zk8dRm4c"


def fault() -> Exception:
    try:
        raise OSError(f"{Path.home()}/secret/letters.txt: https://a.org/x?token={KEY} {KEY}")
    except OSError as error:
        return error


def test_every_package_has_a_version_and_a_licence() -> None:
    found = {package.name.casefold(): package for package in packages()}

    assert {"httpx", "h11", "warcio", "sqlite-utils"} <= found.keys()
    assert any(name.replace("_", "-") == "pyside6-essentials" for name in found)
    assert not {"carrel", "pytest", "mypy"} & found.keys()
    assert all(package.version for package in found.values())
    assert [package.name for package in found.values() if not package.license] == []


@pytest.mark.parametrize("show", ["problem", "about"])
def test_who_has_a_problem_learns_where_it_can_go(stage: Stage, show: str) -> None:
    window, _ = stage.window(sets.script())

    stage.do(getattr(window.own_actions, show).trigger)
    stage.wait(lambda: window.findChild(QLabel, "reports_go_to") is not None)

    label = window.findChild(QLabel, "reports_go_to")
    assert isinstance(label, QLabel)
    assert "people who support you" in label.text() or "go to http" in label.text()


@pytest.mark.parametrize(
    ("field", "address"),
    [
        ("Project-URL: Issues, https://example.org/issues", "https://example.org/issues"),
        ("Author-email: Ada <ada@example.org>", "Ada <ada@example.org>"),
        ("Author: Ada", ""),
    ],
)
def test_reports_go_where_the_package_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, field: str, address: str
) -> None:
    folder = tmp_path / "carrel-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: carrel\nVersion: 1\n{field}\n")
    monkeypatch.setattr(credits, "_installed", lambda _name: PathDistribution(folder))

    assert credits.reports_go_to() == address


def test_about_names_version_licence_and_packages(stage: Stage) -> None:
    window, _ = stage.window(sets.script())

    window.help.show_about()

    dialog = window.findChild(QDialog, "about")
    assert isinstance(dialog, QDialog)
    said = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert __version__ in said
    assert "AGPL-3.0-or-later" in said
    assert "httpx" in said
    assert dialog.height() <= window.screen().availableGeometry().height()
    area = dialog.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    assert area.horizontalScrollBar().maximum() == 0  # licences wrap
    dialog.close()


def test_a_report_says_what_failed_where_and_with_which_versions() -> None:
    report = report_of(fault(), "uncaught")

    assert f"Carrel {__version__}" in report
    assert "Qt " in report
    assert "OSError" in report
    assert "test_about.py" not in report  # which is no part of the program


def test_a_report_names_the_places_in_the_program() -> None:
    try:
        packages().index(None)  # type: ignore[arg-type]
    except ValueError as error:
        line = traceback.extract_tb(error.__traceback__)[-1].lineno
        report = report_of(error, "")

    assert f"line {line}" in report


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('File "/home/ada/venv/lib/python3.11/site-packages/httpx/x.py", line 3', "httpx/x.py"),
        ("at /home/ada/archive/collections/main", "at …"),
        (r"C:\Users\ada\Papers\thesis.pdf is gone", "….pdf is gone"),
        ("https://user:pass@a.org/x?token=1#y", "https://a.org/x?…"),
        (f"key={KEY} rejected", "… rejected"),
        ("HTTP 404 of https://doi.org/10.5072/FK2/OLAVE1", "https://doi.org/10.5072/FK2/OLAVE1"),
    ],
)
def test_nothing_of_the_person_is_left(text: str, left: str) -> None:
    clean = without_traces_of_the_person(text)

    assert left in clean
    assert not any(word in clean for word in ("ada", "pass", "token=1", KEY))


def test_a_report_has_no_home_and_no_keys() -> None:
    report = report_of(fault(), "")

    assert str(Path.home()) not in report
    assert KEY not in report
    assert "secret" not in report


def test_what_ended_the_program_is_told_once_at_the_next_start(tmp_path: Path) -> None:
    crash = "import faulthandler, sys, ctypes; from pathlib import Path\n"
    crash += "from carrel_desktop.faults import Faults\n"
    crash += "with Faults(Path(sys.argv[1])).caught(): ctypes.string_at(0)"
    place = tmp_path / "carrel.log"
    ended = subprocess.run(
        [sys.executable, "-c", crash, str(place)], env=environment(), check=False
    )
    assert ended.returncode < 0

    told = list[Fault | None]()
    for _ in range(2):
        faults = Faults(place)
        with faults.caught():
            told.append(faults.earlier)

    first, second = told
    assert first is not None
    assert "Segmentation fault" in first.report
    assert str(tmp_path) not in first.report
    assert "What was archived is safe" in first.sentence
    assert second is None


def test_a_fault_can_be_copied_from_its_notice(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    QGuiApplication.clipboard().clear()

    stage.do(lambda: window.help.show_fault(Fault("Something went wrong.", "the report")))
    assert window.notice.label.text() == "Something went wrong."
    assert window.notice.way.text() == "Copy report"
    stage.do(window.notice.way.click)

    stage.wait(lambda: QGuiApplication.clipboard().text().startswith("the report\n"))
    assert window.notice.label.text() == "Report copied to the clipboard."


def test_a_fault_is_gone_once_the_same_went_well_and_can_be_reported_all_the_same(
    stage: Stage, tmp_path: Path
) -> None:
    window, _ = stage.window(sets.script())
    faults = Faults(tmp_path / "log")
    faults.happened.connect(window.help.show_fault)
    outcomes: list[Exception | None] = [KeyError("columns"), None, None]

    async def read(_dataset: str) -> None:
        if outcome := outcomes.pop(0):
            raise outcome

    async def other(_dataset: str) -> None: ...

    task = window.session.start(read("dunes"))
    assert task is not None
    stage.wait(task.done)
    context = {"message": "not retrieved", "exception": task.exception(), "task": task}
    stage.do(lambda: faults.on_loop_error(task.get_loop(), context))
    said = window.notice.label.text()
    assert said.startswith("Something went wrong in Carrel (KeyError).")

    for work, is_there in (
        (other("dunes"), True),
        (read("seabirds"), True),
        (read("dunes"), False),
    ):
        ended = window.session.start(work)
        assert ended is not None
        stage.wait(ended.done)
        assert window.notice.isVisible() is is_there

    QGuiApplication.clipboard().clear()
    stage.do(window.own_actions.report.trigger)
    stage.wait(lambda: "KeyError" in QGuiApplication.clipboard().text())


def test_of_what_the_session_was_given_no_two_are_taken_for_the_same(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    ended: list[BegunWork] = []
    window.session.went_well.connect(ended.append)

    async def nothing(_engine: Engine) -> None: ...

    for _ in range(2):
        task = window.session.start(window.session.call(lambda engine: nothing(engine)))
        assert task is not None
        stage.wait(task.done)

    first, second = (work for work in ended if "call" in work.name)
    assert first != second


def test_help_copies_a_report_also_where_nothing_failed(stage: Stage) -> None:
    window, _ = stage.window(sets.script())

    QGuiApplication.clipboard().clear()
    window.help.recent = RecentErrors()
    error = logging.LogRecord("x", logging.ERROR, "f.py", 1, "Index %s", ("broken",), None)
    window.help.recent.handle(error)

    stage.do(window.own_actions.report.trigger)
    stage.wait(lambda: "Archive: " in QGuiApplication.clipboard().text())

    report = QGuiApplication.clipboard().text()
    assert report.startswith(f"Carrel {__version__}")
    assert "Index broken" in report
    assert "locale" in report


def test_the_last_errors_of_a_report_keep_their_lines() -> None:
    recent = RecentErrors()
    told = 'Fatal Python error: Aborted\n\nThread 0x01:\n  File "a.py"\x1b[31m'
    recent.handle(logging.LogRecord("x", logging.ERROR, "f.py", 1, "It ended:\n%s", (told,), None))

    assert recent.text.splitlines()[1:] == [
        "    Fatal Python error: Aborted",
        "    ",
        "    Thread 0x01:",
        '      File "a.py"⟨U+001B⟩[31m',
    ]


def test_a_report_can_be_read_before_it_is_sent(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    QGuiApplication.clipboard().clear()

    stage.do(window.own_actions.problem.trigger)
    stage.wait(lambda: window.findChild(QPlainTextEdit, "report_text") is not None)
    text = window.findChild(QPlainTextEdit, "report_text")
    copying = window.findChild(QPushButton, "copy_report")
    assert text
    assert copying
    stage.do(copying.click)

    assert QGuiApplication.clipboard().text() == text.toPlainText()
    assert "Archive: " in text.toPlainText()


def test_a_report_counts_one_dataset_as_one() -> None:
    standing = Standing(Figures("2026-03-03T00:00:00Z", held=Amount(1, 2, 3)))

    assert archive_in_words(standing, "").startswith("Archive: 1 dataset, 2 files, ")


def test_a_report_names_what_waits_for_an_answer_as_the_window_does() -> None:
    queue = {JobState.ASKING: 2, JobState.FAILED: 1}
    standing = Standing(Figures("2026-03-03T00:00:00Z", queue=queue))

    assert "Queue: 2 awaiting answer, 1 failed\n" in archive_in_words(standing, "")
