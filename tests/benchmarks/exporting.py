# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exports and second copies beside `cp` and `sha256sum`, in one run, as ratios.

The archive is made here: one dataset of large files, three quarters of them noise and one quarter
text, and one of many small ones. WACZ stands beside a `cp` of its WARC files, a bag and plain files
beside a `cp` of the files and a `sha256sum` of the copies. All end with a sync of what was written,
each in a process of its own, start-up included, in turns; the median of the runs counts.

usage: exporting.py [--size MIB] [--files N] [--runs N] [--folder DIR]
"""

import argparse
import hashlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
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

_BESIDE = {
    "wacz": "cp",
    "files": "cp + sha256sum",
    "bagit": "cp + sha256sum",
    "replicate": "cp -r + sha256sum",
}


def _noise(size: int) -> bytes:
    return hashlib.shake_128(b"%d" % size).digest(size)


def _text(size: int) -> bytes:
    source = random.Random(7)
    lines = [
        _LINE % (source.randrange(60), source.randrange(9), source.randrange(999))
        for _ in range(20_000)
    ]
    block = b"".join(lines)
    return (block * (size // len(block) + 1))[:size]


def _large(size_mib: int) -> Mapping[str, bytes]:
    part = size_mib // 4 * _MIB
    return {f"noise{at}.bin": _noise(part + at) for at in range(3)} | {"table.csv": _text(part)}


def _small(count: int) -> Mapping[str, bytes]:
    return {f"{at // 100}/{at}.csv": _noise(21_000 + at) for at in range(count)}


def _spent(command: Sequence[str], target: Path) -> float:
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    subprocess.run(["sync"], check=True)
    began = time.perf_counter()
    subprocess.run(
        command, check=True, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return time.perf_counter() - began


def _commands(archive: Path, files: Path, target: Path, ingest: str) -> Mapping[str, Sequence[str]]:
    warcs = " ".join(f"'{path}'" for path in _warcs(archive, ingest))
    synced = f"find '{target}' -type f -exec sync {{}} +"
    hashed = f"find '{target}' -type f -exec sha256sum {{}} + >/dev/null"
    export = [str(_CARREL), "export"]
    end = [ingest, "-o", str(target / "out"), "--archive", str(archive)]
    return {
        "cp": ["sh", "-c", f"cp {warcs} '{target}' && {synced}"],
        "wacz": [*export, "wacz", *end],
        "cp + sha256sum": ["sh", "-c", f"cp -r '{files}' '{target}' && {hashed} && {synced}"],
        "files": [*export, "files", *end],
        "bagit": [*export, "bagit", *end],
        "cp -r + sha256sum": ["sh", "-c", f"cp -r '{archive}' '{target}' && {hashed} && {synced}"],
        "replicate": [str(_CARREL), "replicate", str(target / "out"), "--archive", str(archive)],
    }


def _warcs(archive: Path, ingest: str) -> Sequence[Path]:
    with Archive.open_for_reading(archive) as opened:
        names = {each.filename for each in opened.ledger.captures.all(ingest)}
        return [opened.warcs / name for name in sorted(names)]


def _compare(kind: str, content: Mapping[str, bytes], folder: Path, runs: int) -> None:
    archive, files = new_archive(folder / kind / "archive"), folder / kind / "files"
    with WireServer() as server, Archive.create_or_open(archive) as opened:
        ingest = hold(opened, server, content)
    for path, each in content.items():
        (files / path).parent.mkdir(parents=True, exist_ok=True)
        (files / path).write_bytes(each)
    commands = _commands(archive, files, folder / kind / "target", ingest)
    spent: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            spent[name].append(_spent(command, folder / kind / "target"))
    for name, beside in _BESIDE.items():
        own, other = median(spent[name]), median(spent[beside])
        print(f"{kind:6} {name:9} {own:6.2f} s   {beside:17} {other:6.2f} s   {other / own:5.2f}")


def main() -> None:
    """Make the archives, time the exports, and print how they compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        print("speed as a share of that of cp, or cp and sha256sum (1.00: as fast)")
        if options.size:
            _compare("large", _large(options.size), Path(folder), options.runs)
        if options.files:
            _compare("small", _small(options.files), Path(folder), options.runs)


if __name__ == "__main__":
    main()
