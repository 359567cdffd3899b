# SPDX-License-Identifier: AGPL-3.0-or-later
"""What each benchmark is to reach, beside which program, and where it notes what it measured.

A figure is a ratio to the other program in the same run, except for the goals with a unit.
`make bench` (all.py) gathers what is noted here into the table of docs/performance.md.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# Names the file to which figures are appended, each a line of JSON: {"name": …, "ratio": …}, or
# {"name": …, "missing": …} for one that cannot be had.
FIGURES = "CARREL_BENCHMARK_FIGURES"


@dataclass(frozen=True, slots=True)
class Goal:
    """A row of the table: the work, what it is compared with, and which figure is good enough.

    At least a bound is asked of speeds (how many times as fast Carrel is), at most of times and
    sizes (how many times as much Carrel takes). A row without a bound is measured all the same.
    """

    work: str
    beside: str
    script: str
    at_least: float | None = None
    at_most: float | None = None
    unit: str = "×"

    @property
    def bound(self) -> str:
        """The goal in words, such as "≥ 1.2 ×"; a dash where there is none."""
        for sign, value in (("≥", self.at_least), ("≤", self.at_most)):
            if value is not None:
                return f"{sign} {value:g} {self.unit}"
        return "—"

    def is_met(self, figure: float) -> bool:
        """Whether a measured figure is good enough."""
        is_enough = self.at_least is None or figure >= self.at_least
        return is_enough and (self.at_most is None or figure <= self.at_most)


_CLICK = '`python -c "import click"`'
_EMPTY_WINDOW = "an empty QMainWindow with a QTreeView"
_CURL = "`curl -o`, then `sha256sum`"
_FASTWARC = "`fastwarc check`"

GOALS: Mapping[str, Goal] = {
    # Started.
    "version": Goal("`carrel --version`", _CLICK, "startup.py"),
    "help": Goal("`carrel --help`", _CLICK, "startup.py", at_most=2.5),
    "results": Goal("`carrel results` of 20", _CLICK, "startup.py", at_most=4),
    "preview": Goal("`carrel preview` of a local page", _CLICK, "startup.py"),
    "window empty": Goal(
        "window to first paint, empty archive", _EMPTY_WINDOW, "startup.py", at_most=1.3
    ),
    "window 100,000": Goal(
        "window to first paint, 100,000 holdings", _EMPTY_WINDOW, "startup.py", at_most=1.3
    ),
    "window memory": Goal(
        "resident memory of an idle window", _EMPTY_WINDOW, "startup.py", at_most=1.5
    ),
    "bundle": Goal("`carrel --help` of the frozen bundle", "the wheel", "startup.py", at_most=1),
    # Fast where people wait.
    "verify incompressible": Goal(
        "`carrel verify` of WARC files, incompressible", _FASTWARC, "verifying.py", at_least=1
    ),
    "verify CSV": Goal("`carrel verify` of WARC files, CSV", _FASTWARC, "verifying.py", at_least=1),
    "ingest CSV": Goal("1 GiB CSV, archived and verified", _CURL, "run.py", at_least=1.2),
    "ingest CSV size": Goal("size of that CSV as archived", "`gzip -6`", "run.py", at_most=1.3),
    "ingest incompressible": Goal(
        "1 GiB incompressible, archived and verified", _CURL, "run.py", at_least=1.8
    ),
    "ingest far": Goal(
        "500 × 10 KiB 10 ms away, 8 at once", "`xargs -P8 wget --warc-file`", "run.py", at_least=1
    ),
    "ingest far, as shipped": Goal(
        "the same, 2 at once as shipped", "a single `wget --warc-file`", "run.py"
    ),
    "ingest small": Goal("2,000 × 10 KiB on loopback", "`wget --warc-file`", "run.py", at_least=1),
    "batch run": Goal(
        "`batch run`: 1,000 datasets of 5 small files, 50 hosts 30 ms away",
        "the sum of round trips ÷ permitted parallelism",
        "batch_running.py",
        at_most=1.3,
    ),
    "batch add": Goal(
        "`batch add` of 100,000 identifiers",
        "`sqlite-utils insert` of the same rows",
        "batch_adding.py",
        at_least=0.5,
    ),
    "batch list": Goal(
        "list of 100,000 jobs",
        "`sqlite-utils insert` of the same rows",
        "batch_adding.py",
        at_least=0.5,
    ),
    "index add": Goal(
        "adding a capture to an index of 10,000,000 lines",
        "bisect and append to a small file",
        "index_adding.py",
        at_most=5,
        unit="ms",
    ),
    "look-up": Goal("exact look-up, 10,000,000 lines", "pywb", "mementos_lookup.py", at_least=8),
    "index cdxj-indexer": Goal("`carrel index`", "cdxj-indexer", "indexing.py", at_least=4),
    "index FastWARC": Goal(
        "`carrel index`", "FastWARC reading the same", "indexing.py", at_least=0.8
    ),
}


def note(name: str, ratio: float) -> None:
    """Print a measured figure beside its goal, and append it to the file that FIGURES names.

    `name` is a key of GOALS; any other raises KeyError.
    """
    goal = GOALS[name]
    print(f"{goal.work}: {ratio:.2f} {goal.unit}, beside {goal.beside} (goal {goal.bound})")
    _append({"name": name, "ratio": ratio})


def note_missing(name: str, what: str) -> None:
    """Say in the same way that a figure cannot be had here, since something is missing."""
    print(f"{GOALS[name].work}: not measured, {what}")
    _append({"name": name, "missing": what})


def _append(line: Mapping[str, object]) -> None:
    if path := os.environ.get(FIGURES):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
