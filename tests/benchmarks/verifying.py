# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel verify` beside `fastwarc check` of the same WARC files, in one run, as ratios.

Two archives are made here by ingests: files of noise, and tables of measurements (CSV), each in a
WARC of its own. The archive is verified with its ledger, so that each payload is compared with
three digests; the same files without a ledger, so that only the digest in the record is compared,
as FastWARC does. FastWARC takes one file a call. That it fails is ignored: it calls each record
damaged that has digests of both block and payload, and no HTTP head (2.0.1: it reads the block once
and then finds no payload). Each program runs in processes of its own, start-up included, in turns;
the median of the runs counts.

usage: verifying.py [--size MIB] [--warcs N] [--runs N] [--folder DIR] [--only noise|csv]
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.contender import Contender, run_in_turns
from benchmarks.goals import note

_MIB = 1024 * 1024
_KINDS = {"noise": "verify incompressible", "csv": "verify CSV"}
_PYTHON = Path(sys.executable)
_CARREL, _FASTWARC = _PYTHON.with_name("carrel"), _PYTHON.with_name("fastwarc")


def make_archive(kind: str, archive: Path, size: int, warcs: int) -> Path:
    """Make an archive and return the folder of its WARCs.

    In a process of its own: whatever memory this one ever had, those that it starts seem to have.
    """
    program = Path(__file__).with_name("verified_archive.py")
    subprocess.run([_PYTHON, program, kind, archive, str(size), str(warcs)], check=True)
    return archive / "collections" / "main" / "archive"


def contenders(archive: Path, warcs: Path, bare: Path) -> Sequence[Contender]:
    """Return who verifies: the WARCs in the archive, or the same ones in a folder without one."""
    files = [shlex.quote(str(path)) for path in sorted(warcs.iterdir())]
    check = f"{shlex.quote(str(_FASTWARC))} check -q -p"
    checks = "; ".join(f"{check} {file}" for file in files)
    beside = f"printf '%s\\n' {' '.join(files)} | xargs -P{os.cpu_count()} -n1 {check}"
    return [
        Contender("fastwarc check", ["/bin/sh", "-c", f"{checks}; true"]),
        Contender("fastwarc check, a file for each core", ["/bin/sh", "-c", f"{beside}; true"]),
        Contender("carrel verify, three digests", [str(_CARREL), "verify", str(archive)]),
        Contender("carrel verify, no ledger", [str(_CARREL), "verify", str(bare)]),
    ]


def compare(kind: str, options: argparse.Namespace, folder: Path) -> None:
    """Make an archive, have it verified, and print how long that took."""
    archive, bare = folder / kind, folder / f"{kind}-alone"
    warcs = make_archive(kind, archive, options.size * _MIB, options.warcs)
    bare.mkdir()
    for path in warcs.iterdir():
        (bare / path.name).hardlink_to(path)
    programs = contenders(archive, warcs, bare)
    run_in_turns(programs, options.runs)
    packed = sum(path.stat().st_size for path in warcs.iterdir())
    print(f"{kind}: {options.size} MiB in {options.warcs} files, {packed / _MIB:,.0f} MiB packed")
    theirs = programs[0].took
    for each in programs:
        print(
            f"  {each.name:37} {each.took:6.2f} s  {each.processor_took:6.2f} s of processors"
            f"  {theirs / each.took:5.2f} x fastwarc check  {each.peak_mib:4.0f} MiB",
            flush=True,
        )
    note(_KINDS[kind], theirs / programs[2].took)


def main() -> None:
    """Run the comparisons that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1024, help="MiB of each kind")
    parser.add_argument("--warcs", type=int, default=4)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--only", choices=_KINDS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        for kind in _KINDS:
            if options.only in (None, kind):
                compare(kind, options, Path(name))


if __name__ == "__main__":
    main()
