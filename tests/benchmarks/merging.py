# SPDX-License-Identifier: AGPL-3.0-or-later
"""Merging beside `cp` and `sha256sum` over the same WARC files, in one run, as a ratio.

The archives are made here: datasets of large files, three quarters of them noise and one quarter
text; one of many small ones; and many datasets, each in a WARC of its own. Both end with a sync of
what was written, each in a process of its own, start-up included, in turns; the median of the runs
counts. Merging reads every record besides, and writes ledger, journal and index.

usage: merging.py [--size MIB] [--files N] [--datasets N] [--runs N] [--folder DIR]
"""

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.exporting import _CARREL, _MIB, _spent, _text
from carrel.archive import Archive
from support.archives import new_archive
from support.held import hold
from support.wire import WireServer

_PARTS = 4


def _noise(name: str, size: int) -> bytes:
    return hashlib.shake_128(name.encode()).digest(size)


def _datasets(options: argparse.Namespace) -> Iterator[tuple[str, list[Mapping[str, bytes]]]]:
    """Yield kinds of archives, each with its datasets. No content comes twice."""
    part = options.size * _MIB // _PARTS // 4
    if options.size:
        yield "large", [
            {**{f"{at}.bin": _noise(f"{number} {at}", part) for at in range(3)}, "t.csv": _text(
                part + number)} for number in range(_PARTS)
        ]  # fmt: skip
    if options.files:
        yield "small", [{f"{at}.csv": _noise(str(at), 21_000) for at in range(options.files)}]
    if options.datasets:
        yield (
            "many",
            [
                {f"{at}.csv": _noise(f"{number} of {at}", 200_000) for at in range(10)}
                for number in range(options.datasets)
            ],
        )


def _compare(kind: str, datasets: list[Mapping[str, bytes]], folder: Path, runs: int) -> None:
    archive, target = new_archive(folder / kind / "archive"), folder / kind / "target"
    with WireServer() as server, Archive.create_or_open(archive) as opened:
        for number, content in enumerate(datasets):
            hold(opened, server, content, str(number))
    warcs = archive / "collections" / "main" / "archive"
    synced = f"find '{target}' -type f -exec sync {{}} +"
    hashed = f"find '{target}' -type f -exec sha256sum {{}} + >/dev/null"
    beside = ["sh", "-c", f"cp -r '{warcs}' '{target}' && {hashed} && {synced}"]
    own = [str(_CARREL), "archive", "merge", str(archive), "--into", str(target / "all")]
    spent: dict[str, list[float]] = {"own": [], "beside": []}
    for _ in range(runs):
        spent["beside"].append(_spent(beside, target))
        spent["own"].append(_spent(own, target))
    merged, copied = median(spent["own"]), median(spent["beside"])
    size = sum(path.stat().st_size for path in warcs.iterdir()) / 1024**2
    count = sum(1 for _ in warcs.iterdir())
    print(f"{kind:6} {count:5} WARCs {size:7.0f} MiB   merge {merged:6.2f} s   "
          f"cp + sha256sum {copied:6.2f} s   {copied / merged:5.2f}")  # fmt: skip


def main() -> None:
    """Make the archives, time the mergings, and print how they compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--datasets", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    print("speed as a share of that of cp and sha256sum (1.00: as fast)")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for kind, datasets in _datasets(options):
            _compare(kind, datasets, Path(folder), options.runs)


if __name__ == "__main__":
    main()
