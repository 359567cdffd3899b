# SPDX-License-Identifier: AGPL-3.0-or-later
"""Adding a capture to the index of a collection that has very many lines, one by one.

Beside it, the least that one could do: finding the place in the same small file that takes new
lines by bisection, and appending the line. Both wait until it is on the disk, in turns.

usage: index_adding.py [--lines N] [--captures N] [--folder DIR]
"""

import argparse
import hashlib
import os
import sys
import tempfile
import time
from bisect import bisect_left
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.disk import settle_disk
from benchmarks.goals import note
from benchmarks.mementos_lookup import write_index
from carrel.mementos.cdxj import CdxjIndex, line_of
from carrel.model import Capture


def _capture(number: int) -> Capture:
    """Return a capture whose line belongs somewhere among those that were added before."""
    noise = hashlib.sha256(b"%d" % number).hexdigest()
    host, page = f"s{noise[:7]}", f"data/{noise[7:16]}.csv"
    return Capture(
        url=f"https://{host}.example.org/{page}",
        surt=f"org,example,{host})/{page}",
        timestamp="20260201120000",
        mimetype="text/csv",
        status_code=200,
        size=4213,
        md5=noise[:32],
        sha1=noise[:40],
        sha256=noise,
        filename="carrel-20260201120000000-00001-benchmark.warc.gz",
        offset=number * 4711,
        length=1500,
        record_id=f"<urn:uuid:{noise[:8]}-{noise[8:12]}-4{noise[13:16]}-8{noise[17:20]}-{noise[20:32]}>",
    )


class Plain:
    """A small file that is appended to; where a line belongs is found among those in memory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: list[str] = []

    def add(self, line: str) -> None:
        self._lines.insert(bisect_left(self._lines, line), line)
        with self._path.open("a") as file:
            file.write(line + "\n")
            file.flush()
            os.fsync(file.fileno())


def compare(folder: Path, lines: int, captures: int) -> tuple[list[float], list[float]]:
    """Add captures one by one to both; return how long each took, in ms."""
    index, plain = CdxjIndex(folder / "indexes"), Plain(folder / "plain.cdxj")
    index.folder.mkdir()
    write_index(index.folder / "index-0001.cdxj", lines)
    settle_disk()
    ours, theirs = list[float](), list[float]()
    for number in range(captures):
        capture = _capture(number)
        began = time.perf_counter()
        index.add([capture])
        added = time.perf_counter()
        plain.add(line_of(capture))
        ours.append((added - began) * 1000)
        theirs.append((time.perf_counter() - added) * 1000)
    return ours, theirs


def main() -> None:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=10_000_000)
    parser.add_argument("--captures", type=int, default=3000)
    parser.add_argument("--folder", type=Path, help="where some 3 GB are free")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        ours, theirs = compare(Path(name), given.lines, given.captures)
    for title, each in (("Carrel", ours), ("bisect, append", theirs)):
        print(
            f"{title:16} {median(each):6.2f} ms   "
            f"95 of 100 within {quantiles(each, n=20)[-1]:6.2f} ms   longest {max(each):8.2f} ms"
        )
    print(f"Carrel takes {median(ours) / median(theirs):.1f} times as long")
    note("index add", median(ours))


if __name__ == "__main__":
    main()
