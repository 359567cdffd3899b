# SPDX-License-Identifier: AGPL-3.0-or-later
"""How long one waits for a start: commands beside `python -c "import click"`, the window beside an
empty one of Qt's, the frozen bundle beside the wheel. Each in turn, the median of its runs.

usage: startup.py [--runs N] [--datasets N] [--quick]
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.goals import note, note_missing
from benchmarks.large_archive import make_archive
from carrel.demo import DemoRepository
from carrel.engine import Engine
from carrel.model import IngestRequest

T = TypeVar("T")
_HERE = Path(__file__).parent
_CARREL = str(Path(sys.executable).with_name("carrel"))
_BUNDLES = _HERE.parents[1] / "build/packages/bundle"
_RESULTS = 20
_IDLE_S = 4.0  # by then the archive is open, and the first page is filled


def main() -> None:
    """Measure, and note the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--datasets", type=int, default=100_000, help="of the large archive")
    parser.add_argument("--quick", action="store_true", help="prove that it works")
    given = parser.parse_args()
    runs, datasets = (1, 50) if given.quick else (given.runs, given.datasets)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory() as folder, _served(Path(folder)) as (archive, page):
        _note_commands(archive, page, runs)
        large = Path(folder) / "large"
        make_archive(large, datasets, datasets)
        _note_windows({"window empty": Path(folder) / "empty", "window 100,000": large}, runs)


def _note_commands(archive: Path, page: str, runs: int) -> None:
    commands = {
        "click": [sys.executable, "-c", "import click"],
        "version": [_CARREL, "--version"],
        "help": [_CARREL, "--help"],
        "results": [_CARREL, "results", "--archive", str(archive)],
        "preview": [_CARREL, "preview", page],
    }
    for program in sorted(_BUNDLES.glob("carrel-*-linux-*/carrel/carrel")):  # as make leaves it
        commands["bundle"] = [str(program), "--help"]
    took = _in_turns({name: partial(_seconds, it) for name, it in commands.items()}, runs)
    for name in ("version", "help", "results", "preview"):
        note(name, median(took[name]) / median(took["click"]))
    if "bundle" in took:
        note("bundle", median(took["bundle"]) / median(took["help"]))
    else:
        note_missing("bundle", "no bundle is built here: make bundle")


def _note_windows(archives: Mapping[str, Path], runs: int) -> None:
    windows: dict[str, Callable[[], tuple[float, float]]] = {"plain": _window}
    windows |= {name: partial(_window, archive) for name, archive in archives.items()}
    took = _in_turns(windows, runs)
    painted = {name: median(seconds for seconds, _ in each) for name, each in took.items()}
    resident = {name: median(mib for _, mib in each) for name, each in took.items()}
    for name in archives:
        note(name, painted[name] / painted["plain"])
    note("window memory", resident["window empty"] / resident["plain"])


def _in_turns(works: Mapping[str, Callable[[], T]], runs: int) -> Mapping[str, Sequence[T]]:
    """Return what each returned, run one after the other; the machine's noise hits all alike."""
    found: defaultdict[str, list[T]] = defaultdict(list)
    for _ in range(runs):
        for name, work in works.items():
            found[name].append(work())
    return found


def _seconds(command: Sequence[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


def _window(archive: Path | None = None) -> tuple[float, float]:
    """Return when a window was painted first, in seconds, and its memory in MiB when it is idle."""
    script, begun = str(_HERE / "first_paint.py"), time.monotonic()
    command = [
        sys.executable,
        script,
        str(begun),
        str(_IDLE_S),
        *([str(archive)] if archive else []),
    ]
    # It ends itself by a signal, which some statuses tell of.
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    seconds, mib = told.split()
    return float(seconds), float(mib)


@contextmanager
def _served(folder: Path) -> Iterator[tuple[Path, str]]:
    """Give an archive of some datasets, and the page of one that is served."""
    archive = folder / "archive"
    with DemoRepository() as repository:
        pages = [dataset.url(repository) for dataset in repository.datasets]
        asyncio.run(_fill(archive, pages[:_RESULTS]))
        yield archive, repository.dataset("f1dna-mes7q").url(repository)


async def _fill(archive: Path, pages: Sequence[str]) -> None:
    async with Engine.open(archive) as engine:
        for page in pages:
            await engine.ingest(IngestRequest(page))


if __name__ == "__main__":
    main()
