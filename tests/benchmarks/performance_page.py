# SPDX-License-Identifier: AGPL-3.0-or-later
"""The page of the manual that has today's figures: docs/performance.md.

Nothing is in it that was not measured in the run that wrote it.
"""

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.goals import Goal

_NOT_MEASURED = "not measured"
_PACKAGES = (
    *(
        "carrel",
        "cdxj-indexer",
        "click",
        "fastwarc",
        "isal",
        "PySide6-Essentials",
        "pywb",
        "sqlite-utils",
    ),
    "warcio",
)
_PROGRAMS = {
    "nginx": ("-v",),
    "curl": ("--version",),
    "wget": ("--version",),
    "gzip": ("--version",),
}
_HEAD = """\
# Performance

Each row is one kind of work, done by Carrel and by the program beside it in turns on one machine.
The figure is how many times as fast Carrel is where the goal is “at least” (≥), and how many times
as much it takes where the goal is “at most” (≤).

`make bench` measures and writes this page; `make bench QUICK=1` only tries whether each benchmark
works. What a row measures stands at the top of its script in `tests/benchmarks`.
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run found out.

    `figures` and what is `missing` for one are by the names of their goals; `reasons` why a script
    gave none or not all are by the scripts, of which `scripts` ran. It `is_continued` if figures of
    earlier runs are among them.
    """

    figures: Mapping[str, float]
    missing: Mapping[str, str]
    reasons: Mapping[str, str]
    scripts: frozenset[str]
    is_continued: bool = False

    def verdict(self, name: str, goal: Goal) -> str:
        """Return what a row says in its last column: "met", "falls short", or why it is empty."""
        if name not in self.figures:
            usual = "no figure" if goal.script in self.scripts else "not run"
            return self.missing.get(name) or self.reasons.get(goal.script, usual)
        if goal.at_least is None and goal.at_most is None:
            return ""
        return "met" if goal.is_met(self.figures[name]) else "falls short"

    def figure(self, name: str, goal: Goal) -> str:
        """Return the figure of a row, with its unit."""
        if name not in self.figures:
            return _NOT_MEASURED
        return f"{self.figures[name]:.2f} {goal.unit}"


def table(goals: Mapping[str, Goal], found: Measured) -> str:
    """Return all rows as a table of Markdown, and below it what falls short."""
    rows: list[Sequence[str]] = [("work", "beside", "today", "goal", "")]
    for name, goal in goals.items():
        figure, verdict = found.figure(name, goal), found.verdict(name, goal)
        rows.append((goal.work, goal.beside, figure, goal.bound, verdict))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [_line(row, widths) for row in rows]
    lines.insert(1, _line(["-" * width for width in widths], widths))
    return "\n".join([*lines, "", _sum(goals, found), ""])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (each.replace("|", "\\|").ljust(width) for each, width in zip(row, widths, strict=True))
    return f"| {' | '.join(cells)} |"


def _sum(goals: Mapping[str, Goal], found: Measured) -> str:
    verdicts = {name: found.verdict(name, goal) for name, goal in goals.items()}
    short = [name for name, verdict in verdicts.items() if verdict == "falls short"]
    unmeasured = [name for name in goals if name not in found.figures]
    parts = [f"Falls short: {', '.join(short) or 'nothing that was measured'}."]
    if unmeasured:
        parts.append(f"Not measured: {', '.join(unmeasured)}.")
    return " ".join(parts)


def missing_line(script: str, reason: str) -> str:
    """Return a line on a benchmark that gave no figure, or not all."""
    return f"{script}: {reason}"


def page(goals: Mapping[str, Goal], found: Measured, *, is_quick: bool = False) -> str:
    """Return the page, with date, processor, and the versions of what was compared."""
    quick = "\nThis was a quick run: its figures mean nothing.\n" if is_quick else ""
    several = "\nThe figures are from several runs, not from one.\n" if found.is_continued else ""
    measured_on = f"{datetime.now(UTC):%Y-%m-%d}, {_machine()}"
    reasons = "".join(f"\n- {missing_line(*each)}" for each in found.reasons.items())
    left = f"\nBenchmarks that did not run, or not wholly:\n{reasons}\n" if reasons else ""
    return (
        f"{_HEAD}{quick}\nMeasured on {measured_on}.\n{several}\n{table(goals, found)}{left}\n"
        f"Versions: {', '.join(_versions())}.\n"
    )


def _machine() -> str:
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists() and (model := re.search(r"model name\s*: (.*)", cpuinfo.read_text())):
        name = model[1]
    load = f"load average {os.getloadavg()[1]:.1f} when this was written"
    return f"{os.cpu_count()} × {name}, {platform.system()}, {load}"


def _versions() -> list[str]:
    found = [f"Python {platform.python_version()}"]
    for package in _PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return found + [said for name, asking in _PROGRAMS.items() if (said := _said(name, asking))]


def _said(name: str, asking: Sequence[str]) -> str | None:
    """Return name and version of a program, None if it is not installed."""
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if path is None:
        return None
    done = subprocess.run([path, *asking], capture_output=True, text=True, check=False)
    number = re.search(r"\d+(\.\d+)+", done.stdout + done.stderr)
    return f"{name} {number[0]}" if number else name
