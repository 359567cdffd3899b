# SPDX-License-Identifier: AGPL-3.0-or-later
"""Indexing a WARC: Carrel beside cdxj-indexer and warcio, in one run, as ratios.

The WARC is made here: responses with their requests, three quarters of them text, one quarter
noise. Each tool runs in a process of its own, start-up included, in turns; the median of its runs
counts, and the machine's noise hits all alike.

usage: indexing.py [--responses N] [--runs N] [--folder DIR]
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.warcs import Made, member, request, response, warcinfo

_BODY_BYTES = 21_000
_CARREL = """
import sys
from pathlib import Path
from carrel.mementos.warc.indexer import index_files
workers = int(sys.argv[3]) or None
print(index_files([Path(sys.argv[1])], Path(sys.argv[2]), workers=workers).lines)
"""


@dataclass
class Contender:
    """A tool and the command that has it index `{warc}` into `{output}`."""

    name: str
    command: Sequence[str]
    seconds: list[float] = field(default_factory=list)
    peak_mib: float = 0.0

    def run(self, warc: Path, output: Path) -> None:
        """Run once, and note how long it took and the memory that it had at most."""
        command = [part.format(warc=warc, output=output) for part in self.command]
        began = time.perf_counter()
        quiet = os.open(os.devnull, os.O_WRONLY)
        pid = os.posix_spawn(
            command[0],
            command,
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, quiet, 1), (os.POSIX_SPAWN_DUP2, quiet, 2)],
        )
        _, status, usage = os.wait4(pid, 0)
        os.close(quiet)
        if status:
            raise RuntimeError(f"{self.name} failed")
        self.seconds.append(time.perf_counter() - began)
        self.peak_mib = max(self.peak_mib, usage.ru_maxrss / 1024)


def contenders() -> list[Contender]:
    python = sys.executable
    scripts = Path(python).parent
    carrel = [python, "-c", _CARREL, "{warc}", "{output}"]
    return [
        Contender("carrel", [*carrel, "0"]),
        Contender("carrel, one process", [*carrel, "1"]),
        Contender(
            "cdxj-indexer -s", [str(scripts / "cdxj-indexer"), "-s", "{warc}", "-o", "{output}"]
        ),
        Contender("warcio index", [str(scripts / "warcio"), "index", "{warc}", "-o", "{output}"]),
    ]


def make_warc(path: Path, responses: int) -> int:
    """Write the WARC and return its size before packing."""
    noise = random.Random(1)  # the same in every run
    words = [
        bytes(noise.choices(b"abcdefghijklmnopqrstuvwxyz", k=noise.randint(2, 10)))
        for _ in range(60_000)
    ]
    size = 0
    with path.open("wb") as file:
        file.write(member(warcinfo().content))
        for number in range(responses):
            for made in _exchange(number, noise, words):
                size += len(made.content)
                file.write(member(made.content))
    return size


def _exchange(number: int, noise: random.Random, words: Sequence[bytes]) -> tuple[Made, Made]:
    url = f"https://www.example{number % 50}.org/set/{number // 3}/{number}.html?v={number % 7}&b=2"
    if number % 4 == 0:
        body = noise.randbytes(_BODY_BYTES)
    else:
        body = b" ".join(noise.choices(words, k=_BODY_BYTES // 8)) + noise.randbytes(1500)
    said = response(url, body)
    return said, request(url, concurrent_to=said.record_id)


def main() -> None:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--responses", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        warc = Path(name) / "benchmark.warc.gz"
        plain_size = make_warc(warc, arguments.responses)
        tools = contenders()
        for _ in range(arguments.runs):
            for tool in tools:
                tool.run(warc, Path(name) / "index")
        report(tools, warc.stat().st_size, plain_size)


def report(tools: Sequence[Contender], size: int, plain_size: int) -> None:
    print(f"{size / 1e6:.0f} MB packed, {plain_size / 1e6:.0f} MB plain")
    theirs = next(median(tool.seconds) for tool in tools if tool.name.startswith("cdxj-indexer"))
    for tool in tools:
        took = median(tool.seconds)
        print(
            f"{tool.name:22} {took:6.2f} s {size / took / 1e6:6.0f} MB/s"
            f" {theirs / took:5.2f} x cdxj-indexer {tool.peak_mib:6.0f} MiB"
        )


if __name__ == "__main__":
    main()
