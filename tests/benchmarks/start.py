# SPDX-License-Identifier: AGPL-3.0-or-later
"""How long commands take to start, beside `python -c "import click"`, each in turn.

The goals: help within 3 times, results within 5. Medians of wall time; the ratios are what counts.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from carrel.demo import DemoRepository
from carrel.engine import Engine
from carrel.model import IngestRequest

HELD = ("f1dna-mes7q", "OLAVE1", "DIARY3")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=21)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder)
        asyncio.run(_fill(archive))
        carrel = [str(Path(sys.executable).with_name("carrel"))]
        commands = {
            "import click": [sys.executable, "-c", "import click"],
            "carrel --help": [*carrel, "--help"],
            "carrel ingest --help": [*carrel, "ingest", "--help"],
            "carrel results": [*carrel, "results", "--archive", str(archive)],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(runs):
            for name, command in commands.items():
                times[name].append(_time(command))
    least = median(times["import click"])
    for name, taken in times.items():
        print(f"{name:22} {median(taken) * 1000:6.0f} ms   {median(taken) / least:4.1f}")


def _time(command: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


async def _fill(archive: Path) -> None:
    with DemoRepository() as repository:
        async with Engine.open(archive) as engine:
            for name in HELD:
                await engine.ingest(IngestRequest(repository.dataset(name).url(repository)))


if __name__ == "__main__":
    main()
