# SPDX-License-Identifier: AGPL-3.0-or-later
"""Indexing a WARC: Carrel beside cdxj-indexer and warcio, and FastWARC reading it, as ratios.

FastWARC goes through the records and reads what is in them, and writes nothing. The WARC is made
here: responses with their requests, three quarters of them text, one quarter noise. Each tool runs
in a process of its own, start-up included, in turns; the median of its runs counts, and the
machine's noise hits all alike.

usage: indexing.py [--responses N] [--runs N] [--folder DIR]
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.contender import Contender, run_in_turns
from benchmarks.goals import note
from support.warcs import Made, member, request, response, warcinfo

_BODY_BYTES = 21_000
_FASTWARC = """
import sys
from fastwarc import ArchiveIterator
with open(sys.argv[1], "rb") as file:
    print(sum(len(record.reader.read()) for record in ArchiveIterator(file)))
"""
_CARREL = """
import sys
from pathlib import Path
from carrel.mementos.warc.indexer import index_files
workers = int(sys.argv[3]) or None
print(index_files([Path(sys.argv[1])], Path(sys.argv[2]), workers=workers).lines)
"""


def contenders(warc: Path, output: Path) -> Sequence[Contender]:
    python = sys.executable
    scripts = Path(python).parent
    carrel = [python, "-c", _CARREL, str(warc), str(output)]
    read = [python, "-c", _FASTWARC, str(warc)]
    indexer = [str(scripts / "cdxj-indexer"), "-s", str(warc), "-o", str(output)]
    return [
        Contender("carrel", [*carrel, "0"]),
        Contender("carrel, one process", [*carrel, "1"]),
        Contender("cdxj-indexer -s", indexer),
        Contender("fastwarc, reading", read),
        Contender("warcio index", [str(scripts / "warcio"), "index", str(warc), "-o", str(output)]),
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
        tools = contenders(warc, Path(name) / "index")
        run_in_turns(tools, arguments.runs)
        report(tools, warc.stat().st_size, plain_size)


def report(tools: Sequence[Contender], size: int, plain_size: int) -> None:
    print(f"{size / 1e6:.0f} MB packed, {plain_size / 1e6:.0f} MB plain")
    indexer, reader = _named(tools, "cdxj-indexer"), _named(tools, "fastwarc")
    for tool in tools:
        print(
            f"{tool.name:22} {tool.took:6.2f} s {tool.processor_took:6.2f} s of processors"
            f" {size / tool.took / 1e6:5.0f} MB/s {indexer.took / tool.took:5.2f} x cdxj-indexer"
            f" {reader.took / tool.took:5.2f} x fastwarc {tool.peak_mib:6.0f} MiB"
        )
    note("index cdxj-indexer", indexer.took / tools[0].took)
    note("index FastWARC", reader.took / tools[0].took)


def _named(tools: Sequence[Contender], name: str) -> Contender:
    return next(tool for tool in tools if tool.name.startswith(name))


if __name__ == "__main__":
    main()
