# SPDX-License-Identifier: AGPL-3.0-or-later
"""Queueing a long list, and listing the queue, beside `sqlite-utils insert` of the same rows.

Each runs in a process of its own, start-up included, in turns, into a new file. The ratios are of
the processor's time: what else is written to the disk delays either by as much again. The rows are
those of the queue's table as JSON lines; sqlite-utils keeps no index but the key's, reads no
identifiers, and writes no journal.

usage: batch_adding.py [--identifiers N] [--runs N] [--folder DIR]
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.contender import Contender
from benchmarks.disk import settle_disk
from benchmarks.goals import note
from support.archives import command

_SQLITE_UTILS = str(Path(sys.executable).with_name("sqlite-utils"))
_LEDGER = "carrel.sqlite"


def write_list(path: Path, identifiers: int) -> None:
    """Write a plain list of DOIs."""
    with path.open("w") as file:
        file.writelines(f"10.5281/zenodo.{1_000_000 + number}\n" for number in range(identifiers))


def compare(folder: Path, identifiers: int, runs: int) -> tuple[Contender, Contender, Contender]:
    """Queue the list, list the queue, and insert its rows, in turns."""
    dois, rows, database = folder / "list.txt", folder / "rows.jsonl", folder / "rows.db"
    archive = folder / "archive"
    insert = ["insert", "--nl", "--pk", "job_id", str(database), "jobs", str(rows)]
    adding = Contender("carrel batch add", command("batch", "add", dois, "--archive", archive))
    listing = Contender("carrel batch list", command("batch", "list", "--archive", archive))
    inserting = Contender("sqlite-utils insert", [_SQLITE_UTILS, *insert])
    write_list(dois, identifiers)
    for _ in range(runs):
        _run(adding)
        _run(listing)
        _write_rows(archive, rows, identifiers)
        _run(inserting)
        shutil.rmtree(archive)
        database.unlink()
    return adding, listing, inserting


def _run(contender: Contender) -> None:
    settle_disk()
    contender.run()


def _write_rows(archive: Path, output: Path, expected: int) -> None:
    """Write the rows of the queue's table as JSON lines."""
    with output.open("wb") as file:
        line = [_SQLITE_UTILS, "rows", "--nl", str(archive / _LEDGER), "jobs"]
        subprocess.run(line, stdout=file, check=True)
    with output.open("rb") as file:
        found = sum(1 for line in file if line.strip())
    if found != expected:
        raise SystemExit(f"{expected} jobs were expected, not {found}")


def main() -> None:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--identifiers", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        adding, listing, inserting = compare(Path(name), given.identifiers, given.runs)
    for each in (adding, listing, inserting):
        print(
            f"{each.name:20} {each.took:6.2f} s, {each.processor_took:6.2f} s of the processor, "
            f"{each.peak_mib:4.0f} MiB"
        )
    note("batch add", inserting.processor_took / adding.processor_took)
    note("batch list", inserting.processor_took / listing.processor_took)


if __name__ == "__main__":
    main()
