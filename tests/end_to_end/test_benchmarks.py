# SPDX-License-Identifier: AGPL-3.0-or-later
"""`make bench` works: a quick run of all benchmarks gives each row of its table a figure, or says
which program is missing for it. What the figures are is asserted nowhere: others use this machine.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.all import BENCHMARKS, Benchmark, measured
from benchmarks.goals import GOALS, Goal
from benchmarks.performance_page import Measured, page, table
from support.archives import environment

BENCHMARKS_FOLDER = Path(__file__).parents[1] / "benchmarks"
# They are parts of others, or compare Carrel with no one.
NOT_RUN = {
    *(
        "all.py",
        "contender.py",
        "disk.py",
        "far_away.py",
        "far_hosts.py",
        "fleet_list.py",
        "fleet_plan.py",
    ),
    *("goals.py", "large_archive.py", "performance_page.py", "plain_server.py", "queue_stalls.py"),
    *("first_paint.py", "verified_archive.py", "warcio_capture.py"),
}
# What a row says that has no figure, though nothing is missing for it.
UNEXPLAINED = ("| no figure", "| not run", "| it failed", "| it did not end", "script is not there")
ROWS = {
    "fast": Goal("speed", "another", "a.py", at_least=2),
    "small": Goal("size", "another", "a.py", at_most=1.5),
    "odd": Goal("oddity", "another", "b.py", at_most=5, unit="ms"),
}


def cells(written: str, work: str) -> list[str]:
    """Return what the row of a work has behind its name."""
    (row,) = (line for line in written.splitlines() if line.startswith(f"| {work} "))
    return [cell.strip() for cell in row.strip("|").split("|")][1:]


@pytest.mark.timeout(900)
def test_a_quick_run_fills_the_table_or_names_what_is_missing(tmp_path: Path) -> None:
    output = tmp_path / "performance.md"
    script = BENCHMARKS_FOLDER / "all.py"
    line: list[str | Path] = [sys.executable, script, "--quick", "--output", output]

    ran = subprocess.run(line, env=environment(), capture_output=True, text=True)

    assert ran.returncode == 0, ran.stderr
    written = output.read_text(encoding="utf-8")
    rows = {
        name: [each for each in written.splitlines() if each.startswith(f"| {goal.work} ")]
        for name, goal in GOALS.items()
    }
    unexplained = [
        name
        for name, lines in rows.items()
        if not lines or any(wrong in each for each in lines for wrong in UNEXPLAINED)
    ]
    assert unexplained == [], ran.stdout + ran.stderr


def test_every_benchmark_is_run_or_said_to_be_left_out() -> None:
    there = {path.name for path in BENCHMARKS_FOLDER.glob("*.py")}
    run = {each.script for each in BENCHMARKS}

    assert there - run == there & NOT_RUN
    assert {goal.script for goal in GOALS.values()} <= run


def test_a_row_tells_whether_its_goal_is_met() -> None:
    found = Measured({"fast": 2.5, "small": 1.6}, {}, {}, frozenset({"a.py"}))

    written = table(ROWS, found)

    assert cells(written, "speed") == ["another", "2.50 ×", "≥ 2 ×", "met"]
    assert cells(written, "size") == ["another", "1.60 ×", "≤ 1.5 ×", "falls short"]
    assert cells(written, "oddity") == ["another", "not measured", "≤ 5 ms", "not run"]
    assert "Falls short: small. Not measured: odd." in written


def test_a_row_without_a_figure_says_why() -> None:
    scripts = frozenset({"a.py", "b.py"})
    found = Measured({}, {"odd": "no such disk"}, {"a.py": "not installed: wget"}, scripts)

    written = table(ROWS, found)

    assert cells(written, "speed")[1:] == ["not measured", "≥ 2 ×", "not installed: wget"]
    assert cells(written, "oddity")[1:] == ["not measured", "≤ 5 ms", "no such disk"]
    assert "- a.py: not installed: wget" in page(ROWS, found)


def test_a_benchmark_that_fails_is_named_and_the_next_one_runs() -> None:
    wrong = Benchmark("goals.py"), Benchmark("far_away.py"), Benchmark("no_such_script.py")

    found = measured(wrong, is_quick=True)

    assert found.figures == {}
    assert found.reasons == {
        "far_away.py": "it failed: IndexError: list index out of range",
        "no_such_script.py": "the script is not there",
    }
