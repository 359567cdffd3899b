# SPDX-License-Identifier: AGPL-3.0-or-later
"""Runs of the dark archive over trees of 10,000, 100,000 and 1,000,000 templates.

A first run keeps each template; its cost for one should be the same in all three. A second run over
the same tree reads and compares. Beside both stands `cp -r` of the tree. Each run is a process of
its own, as `carrel dark run` is; start-up is in the figures.

    python tests/benchmarks/dark_runs.py [--templates N]… [--per-file 20] [--folder DIR]
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_WORDS = [
    *("growth", "capital", "labour", "wage", "trade", "policy", "market"),
    *("price", "model", "shock", "bank", "risk", "debt", "tax"),
]
_RUN = """
import json, resource, sys
from pathlib import Path
from carrel.archive import Archive
from carrel.engine.dark.runs import gather
from carrel.model.dark_views import GatheringOrder
with Archive.create_or_open(Path(sys.argv[1])) as archive:
    order = GatheringOrder(config=Path(sys.argv[2]))
    report = gather(archive, order, lambda told: None, lambda: False)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"counts": dict(report.counts), "peak_kib": peak}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--templates", type=int, action="append")
    parser.add_argument("--per-file", type=int, default=20)
    parser.add_argument("--folder", type=Path, help="where to work; needs some 8 GB for a million")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder, prefix="carrel-dark-") as folder:
        for count in asked.templates or [10_000, 100_000, 1_000_000]:
            _measure(Path(folder), count, asked.per_file)


def _measure(folder: Path, count: int, per_file: int) -> None:
    tree, copy, archive = folder / "RePEc", folder / "copy", folder / "archive"
    size = _make(tree, count, per_file)
    config = folder / "gathering.conf"
    config.write_text(f"ReDIF_directory = {tree}\nfull_texts = no\n")
    copied = _timed(["cp", "-r", str(tree), str(copy)])[0]
    print(f"{count:,} templates, {size / 1e6:.0f} MB, {per_file} a file; cp -r {copied:.2f} s")
    for name in ("first", "second"):
        seconds, told = _timed([sys.executable, "-c", _RUN, str(archive), str(config)])
        peak = json.loads(told)["peak_kib"] / 1024
        print(
            f"  {name} run {seconds:8.2f} s  {seconds / count * 1e6:7.1f} µs a template"
            f"  {seconds / copied:6.2f} × cp  {peak:.0f} MiB",
            flush=True,
        )
    for each in (tree, copy, archive):
        shutil.rmtree(each)


def _timed(command: list[str]) -> tuple[float, str]:
    began = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return time.perf_counter() - began, done.stdout


def _make(tree: Path, count: int, per_file: int) -> int:
    """Write so many templates as archives of some thousand each; return the bytes."""
    rng, size = random.Random(1), 0
    for number, first in enumerate(range(0, count, per_file)):
        archive = f"{number // 200:03x}".translate(str.maketrans("0123456789", "ghijklmnop"))
        series = f"wpa{number // 20 % 10:03d}"
        path = tree / archive / series / f"{number:07d}.rdf"
        path.parent.mkdir(parents=True, exist_ok=True)
        templates = range(first, min(first + per_file, count))
        text = "\n".join(_template(rng, archive, series, each) for each in templates)
        size += path.write_text(text)
    return size


def _template(rng: random.Random, archive: str, series: str, number: int) -> str:
    abstract = "\n".join(" ".join(rng.choices(_WORDS, k=9)) for _ in range(9))
    return (
        "Template-Type: ReDIF-Paper 1.0\n"
        f"Author-Name: Author {rng.randrange(9999)}\n"
        f"Author-Email: author{number}@example.org\n"
        f"Title: {' '.join(rng.choices(_WORDS, k=7))}\n"
        f"Abstract: {abstract}\n"
        "Creation-Date: 2019-05\n"
        f"File-URL: http://papers.example.org/{archive}/{number}.pdf\n"
        "File-Format: application/pdf\n"
        f"Handle: RePEc:{archive}:{series}:{number}\n"
    )


if __name__ == "__main__":
    main()
