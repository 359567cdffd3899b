# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel archive pack` beside `cp` and `sha256sum` of the same WARC files, in one run, as ratios.

Two archives are made here: one of datasets of some MiB, three quarters of them noise and one
quarter text, and one of many datasets of five small files. Both commands end with a sync, each in a
process of its own, start-up included, in turns; the median of the runs counts.

usage: packing.py [--size MIB] [--datasets N] [--runs N] [--folder DIR]
"""

import argparse
import hashlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from carrel.archive import Archive
from support.archives import environment, new_archive
from support.held import hold
from support.wire import WireServer

_MIB = 1024 * 1024
_LINE = b"1953-02-01T00:%02d,NLK,+%02d.%03d,ok\n"
_CARREL = Path(sys.executable).with_name("carrel")
_DATASET_MIB = 16


def _noise(seed: int, size: int) -> bytes:
    return hashlib.shake_128(b"%d" % seed).digest(size)


def _text(seed: int, size: int) -> bytes:
    source = random.Random(seed)
    lines = (
        _LINE % (source.randrange(60), source.randrange(9), source.randrange(999))
        for _ in range(size // 30)
    )
    return b"".join(lines)


def _large(size_mib: int) -> Iterator[Mapping[str, bytes]]:
    part = _DATASET_MIB * _MIB // 4
    for number in range(size_mib // _DATASET_MIB):
        yield {
            "noise.bin": _noise(number, 3 * part),
            "table.csv": _text(number, part),
        }


def _small(count: int) -> Iterator[Mapping[str, bytes]]:
    for number in range(count):
        noise = {f"{at}.bin": _noise(number * 5 + at, 20_000) for at in range(4)}
        yield {**noise, "table.csv": _text(number, 20_000)}


def _spent(command: Sequence[str]) -> float:
    subprocess.run(["sync"], check=True)
    began = time.perf_counter()
    subprocess.run(
        command, check=True, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return time.perf_counter() - began


def _compare(kind: str, datasets: Iterator[Mapping[str, bytes]], folder: Path, runs: int) -> None:
    archive, target = new_archive(folder / kind / "archive"), folder / kind / "target"
    with Archive.create_or_open(archive) as opened:
        for number, files in enumerate(datasets):
            with WireServer() as server:
                hold(opened, server, files, str(number))
    warcs = archive / "collections/main/archive"
    copied = f"cp -r '{warcs}' '{target}' && find '{target}' -type f -exec sha256sum {{}} + && sync"
    own, other = list[float](), list[float]()
    for _ in range(runs):
        shutil.rmtree(target, ignore_errors=True)
        other.append(_spent(["sh", "-c", f"{copied} >/dev/null"]))
        shutil.rmtree(target)
        shutil.copytree(archive, target)
        own.append(_spent(["sh", "-c", f"'{_CARREL}' archive pack '{target}' && sync"]))
    count, size = len(list(warcs.iterdir())), sum(path.stat().st_size for path in warcs.iterdir())
    print(
        f"{kind:6} {count:6,} WARCs {size / _MIB:7,.0f} MiB   pack {median(own):6.2f} s   "
        f"cp + sha256sum {median(other):6.2f} s   {median(other) / median(own):5.2f}"
    )


def main() -> None:
    """Make the archives, time both, and print how they compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--datasets", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        print("speed as a share of that of cp and sha256sum (1.00: as fast)")
        if options.size:
            _compare("large", _large(options.size), Path(folder), options.runs)
        if options.datasets:
            _compare("small", _small(options.datasets), Path(folder), options.runs)


if __name__ == "__main__":
    main()
