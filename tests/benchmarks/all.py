# SPDX-License-Identifier: AGPL-3.0-or-later
"""Runs the benchmarks, each in a process of its own, and puts what they noted into one table.

One that fails, or whose programs are not installed, is named, and the others run all the same. A
run of all of them writes docs/performance.md; a run of a few, or a quick one, only where --output
says. A quick run is tiny, and several run at once: it shows that the benchmarks work, and its
figures mean nothing.

Left out is what compares Carrel with no one: fleet_plan.py, large_archive.py, queue_stalls.py.

usage: all.py [--quick] [--output FILE] [--figures FILE] [SCRIPT]…
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.disk import QUICK
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
)


def run(benchmark: Benchmark, figures: Path, *, is_quick: bool) -> str | None:
    """Run a benchmark; return why it gave no figures or not all, None if nothing is known of that.

    What a quick one prints comes when it has ended: another one may run beside it.
    """
    script = _HERE / benchmark.script
    if not script.exists():
        return "the script is not there"
    missing = ", ".join(benchmark.missing())
    arguments = benchmark.quick if is_quick else benchmark.whole
    title = f"\n== {' '.join([benchmark.script, *arguments])}\n"
    print("" if is_quick else title, end="", flush=True)
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, FIGURES: str(figures)}
    environment |= {QUICK: "1"} if is_quick else {}
    began = time.monotonic()
    try:
        done = subprocess.run(
            [sys.executable, script, *arguments],
            stdout=subprocess.PIPE if is_quick else None, stderr=subprocess.PIPE,
            env=environment, text=True, timeout=_LONGEST_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"it did not end within {_LONGEST_S:.0f} s"
    if is_quick:
        print(f"{title}{done.stdout}{time.monotonic() - began:.1f} s", flush=True)
    print(done.stderr, end="", file=sys.stderr, flush=True)
    if missing:
        return f"not installed: {missing}"
    if done.returncode:
        last = (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[-1]
        return f"it failed: {last}"
    return None


def measured(chosen: Sequence[Benchmark], *, is_quick: bool, kept: Path | None = None) -> Measured:
    """Run benchmarks one after the other; return the figures, and what is missing and why.

    `kept` is a file that gets all figures and may have those of an earlier run.
    """
    at_once = os.cpu_count() if is_quick else 1
    with (
        tempfile.TemporaryDirectory(prefix="carrel-bench-") as folder,
        ThreadPoolExecutor(at_once) as pool,
    ):
        figures = kept or Path(folder) / "figures.jsonl"
        is_continued = figures.exists()
        reasons = list(pool.map(lambda each: run(each, figures, is_quick=is_quick), chosen))
        lines = figures.read_text(encoding="utf-8").splitlines() if figures.exists() else []
    told = list(map(json.loads, lines))
    return Measured(
        {each["name"]: each["ratio"] for each in told if "ratio" in each},
        {each["name"]: each["missing"] for each in told if "missing" in each},
        {
            each.script: reason
            for each, reason in zip(chosen, reasons, strict=True)
            if reason is not None
        },
        frozenset(each.script for each in chosen),
        is_continued,
    )


def _program(name: str) -> str | None:
    folders = [os.environ.get("PATH", ""), "/usr/sbin", "/sbin"]
    if name == "initdb":
        folders += sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")))
    return shutil.which(name, path=os.pathsep.join(folders))


def main() -> None:
    """Run the benchmarks, print the table, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="everything tiny, figures mean nothing"
    )
    parser.add_argument("--output", type=Path, help="of the page (default: docs/performance.md)")
    parser.add_argument(
        "--figures", type=Path, help="keep the figures there; goes on with those of an earlier run"
    )
    parser.add_argument("scripts", nargs="*", metavar="SCRIPT")
    given = parser.parse_args()
    known = {each.script: each for each in BENCHMARKS}
    if unknown := [each for each in given.scripts if each not in known]:
        parser.error(f"no such benchmark: {', '.join(unknown)}")
    chosen = [known[each] for each in given.scripts] or BENCHMARKS
    found = measured(chosen, is_quick=given.quick, kept=given.figures)
    print("\n" + table(GOALS, found))
    for script, reason in found.reasons.items():
        print(missing_line(script, reason))
    is_whole = not given.scripts and not given.quick
    if output := given.output or (_PAGE if is_whole else None):
        output.write_text(page(GOALS, found, is_quick=given.quick), encoding="utf-8")
        print(f"Written to {output}.")


if __name__ == "__main__":
    main()
