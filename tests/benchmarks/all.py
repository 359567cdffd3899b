# SPDX-License-Identifier: AGPL-3.0-or-later
"""Runs the benchmarks, each in a process of its own, and puts what they noted into one table.

One that fails, or whose programs are not installed, is named, and the others run all the same. A
run of all of them writes docs/performance.md; a run of a few, or a quick one, only where --output
says. A quick run is tiny: it shows that the benchmarks work, and its figures mean nothing.

usage: all.py [--quick] [--output FILE] [SCRIPT]…
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.goals import FIGURES, GOALS
from benchmarks.performance_page import Measured, missing_line, page, table

_HERE = Path(__file__).parent
_PAGE = _HERE.parents[1] / "docs" / "performance.md"
_LONGEST_S = 3600.0


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A script, its arguments in a whole and in a quick run, and the programs that it runs."""

    script: str
    whole: Sequence[str] = ()
    quick: Sequence[str] = ()
    programs: Sequence[str] = ()

    def missing(self) -> list[str]:
        """Return which of its programs are not installed."""
        return [each for each in self.programs if _program(each) is None]


def _benchmark(script: str, quick: str, whole: str = "", programs: str = "") -> Benchmark:
    return Benchmark(script, whole.split(), quick.split(), programs.split())


BENCHMARKS = (
    _benchmark("startup.py", "--quick"),
    _benchmark("run.py", "--runs 1 --size 4 --files 40 --plain-server", programs="nginx curl wget"),
    _benchmark("batch_adding.py", "--identifiers 500 --runs 1"),
    _benchmark("batch_running.py", "--datasets 10 --hosts 5 --delay 10"),
    _benchmark("verifying.py", "--size 4 --warcs 2 --runs 1"),
    _benchmark("indexing.py", "--responses 100 --runs 1"),
    _benchmark("index_adding.py", "--lines 10000 --captures 50"),
    _benchmark(
        "mementos_lookup.py",
        "--lines 10000 --rounds 1 --lookups 100",
        "--lines 1000000 --lines 10000000",
    ),
    _benchmark("mementos_serving.py", "--lines 10000 --seconds 0.2"),
    _benchmark("exporting.py", "--size 2 --files 20 --runs 1"),
    _benchmark("packing.py", "--size 2 --datasets 5 --runs 1"),
    _benchmark("merging.py", "--size 2 --files 10 --datasets 3 --runs 1"),
    _benchmark("sftp_copies.py", "--size 2 --runs 1", programs="sshd"),
    _benchmark("redif.py", "--templates 200 --runs 1"),
    _benchmark("describing.py", "--datasets 10 --runs 1"),
    _benchmark("dark_runs.py", "--templates 100"),
    _benchmark("persisting.py", "--results 20 --runs 1", programs="initdb"),
    _benchmark("working.py", "--datasets 12 --runs 1"),
    _benchmark("libraries.py", "--runs 1 --responses 50 --size 1"),
    _benchmark("window.py", "--rows 1000 --seconds 0.2"),
    _benchmark("queue_stalls.py", "--jobs 100 --seconds 1"),
    _benchmark("large_archive.py", "--datasets 50 --files 200"),
    _benchmark(
        "fleet_plan.py",
        "--datasets 100 --results 20",
        "--datasets 1000000 --days 7",
        programs="initdb",
    ),
)


def run(benchmark: Benchmark, figures: Path, *, is_quick: bool) -> str | None:
    """Run a benchmark; return why it gave nothing or not all, None if nothing is known of that."""
    missing = ", ".join(benchmark.missing())
    because = f"not installed: {missing}" if missing else None
    script = _HERE / benchmark.script
    if not script.exists():
        return f"{benchmark.script} is not there"
    arguments = benchmark.quick if is_quick else benchmark.whole
    print(f"\n== {' '.join([benchmark.script, *arguments])}", flush=True)
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, FIGURES: str(figures)}
    try:
        done = subprocess.run(
            [sys.executable, script, *arguments],
            env=environment, stderr=subprocess.PIPE, text=True, timeout=_LONGEST_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return because or f"it did not end within {_LONGEST_S:.0f} s"
    print(done.stderr, end="", file=sys.stderr, flush=True)
    if done.returncode:
        last = (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[-1]
        return because or f"it failed: {last}"
    return because


def gathered(figures: Path) -> Mapping[str, float]:
    """Return the figures by the names of their goals; of several of one name the last."""
    if not figures.exists():
        return {}
    lines = map(json.loads, figures.read_text(encoding="utf-8").splitlines())
    return {line["name"]: line["ratio"] for line in lines}


def _program(name: str) -> str | None:
    folders = [os.environ.get("PATH", ""), "/usr/sbin", "/sbin"]
    if name == "initdb":
        folders += sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")))
    return shutil.which(name, path=os.pathsep.join(folders))


def measured(chosen: Collection[Benchmark], *, is_quick: bool) -> Measured:
    """Run benchmarks one after the other; return the figures, and what is missing and why."""
    reasons = {}
    with tempfile.TemporaryDirectory(prefix="carrel-bench-") as folder:
        figures = Path(folder) / "figures.jsonl"
        for each in chosen:
            if reason := run(each, figures, is_quick=is_quick):
                reasons[each.script] = reason
        return Measured(gathered(figures), reasons, frozenset(each.script for each in chosen))


def main() -> None:
    """Run the benchmarks, print the table, and write the page. Exit status 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="everything tiny, figures mean nothing"
    )
    parser.add_argument("--output", type=Path, help="of the page (default: docs/performance.md)")
    parser.add_argument("scripts", nargs="*", metavar="SCRIPT")
    given = parser.parse_args()
    known = {each.script: each for each in BENCHMARKS}
    if unknown := [each for each in given.scripts if each not in known]:
        parser.error(f"no such benchmark: {', '.join(unknown)}")
    chosen = [known[each] for each in given.scripts] or BENCHMARKS
    found = measured(chosen, is_quick=given.quick)
    print("\n" + table(GOALS, found))
    for script, reason in found.reasons.items():
        print(missing_line(script, reason))
    is_whole = not given.scripts and not given.quick
    if output := given.output or (_PAGE if is_whole else None):
        output.write_text(page(GOALS, found, is_quick=given.quick), encoding="utf-8")
        print(f"Written to {output}.")


if __name__ == "__main__":
    main()
