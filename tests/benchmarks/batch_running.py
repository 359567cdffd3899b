# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel batch run` of small datasets from many hosts that are far away, beside what their round
trips alone take.

The limit: each dataset is one page and its files, each of them a round trip. The settings as
shipped allow two datasets at once (network.ingests) and two files at once (network.transfers), so
two round trips at once; the hosts are many, so that network.per_host does not bind. The hosts are
addresses of this machine, from which interfaces need no distance (network.api_interval_s); this
would not bind either, since a host is asked for one page in many. Start-up is included, queueing
is not.

usage: batch_running.py [--datasets N] [--hosts N] [--delay MS] [--runs N] [--folder DIR]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.far_hosts import addresses
from benchmarks.goals import note
from carrel.settings import Network
from support.archives import command, environment

_FILES = 5


def limit_s(datasets: int, delay_s: float) -> float:
    """Return what the round trips take, in seconds, as many of them at once as is permitted."""
    shipped = Network()
    return datasets * delay_s * (1 / shipped.ingests + _FILES / shipped.transfers)


@contextmanager
def _hosts(number: int, delay_s: float) -> Iterator[tuple[int, dict[str, Any]]]:
    """Serve; give the port, and a dictionary that has what was asked for once all is done."""
    script = Path(__file__).with_name("far_hosts.py")
    line = [sys.executable, str(script), str(number), str(delay_s), str(_FILES)]
    asked: dict[str, Any] = {}
    with subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline()), asked
        said, _ = process.communicate()
        asked.update(json.loads(said))


def _run(folder: Path, datasets: int, hosts: int, delay_s: float) -> float:
    """Queue the datasets, run the queue, and return how many seconds that took."""
    with _hosts(hosts, delay_s) as (port, asked):
        origins = [f"http://{address}:{port}" for address in addresses(hosts)]
        urls = [f"{origins[number % hosts]}/about/{number}" for number in range(datasets)]
        (folder / "list.txt").write_text("\n".join(urls) + "\n")
        archive = folder / "archive"
        _carrel("batch", "add", folder / "list.txt", "--archive", archive)
        began = time.perf_counter()
        said = _carrel("batch", "run", "--archive", archive, "--json")
        took = time.perf_counter() - began
    results = [json.loads(line) for line in said.splitlines()]
    whole = [each for each in results if each.get("file_count") == _FILES and each["hit"]]
    if len(whole) != datasets:
        raise SystemExit(f"{len(whole)} of {datasets} datasets were archived")
    print(f"{took:.1f} s; asked for: {asked}")
    return took


def _carrel(*arguments: str | Path) -> str:
    done = subprocess.run(
        command(*arguments), env=environment(), check=True, capture_output=True, text=True
    )
    return done.stdout


def main() -> None:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=int, default=1000)
    parser.add_argument("--hosts", type=int, default=50)
    parser.add_argument("--delay", type=float, default=30, help="of an answer, in ms")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    seconds = []
    for _ in range(given.runs):
        with tempfile.TemporaryDirectory(dir=given.folder) as name:
            seconds.append(_run(Path(name), given.datasets, given.hosts, given.delay / 1000))
    limit = limit_s(given.datasets, given.delay / 1000)
    print(f"{median(seconds):.1f} s; the round trips alone take {limit:.1f} s")
    note("batch run", median(seconds) / limit)


if __name__ == "__main__":
    main()
