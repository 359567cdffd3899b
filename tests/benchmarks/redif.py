# SPDX-License-Identifier: AGPL-3.0-or-later
"""Reading ReDIF beside a plain copy of the same files, in one run: MB/s and memory.

The files are made here: templates of about a kilobyte with lines of 30 to 60 bytes, in four
encodings and two line ends; as files of 500 templates, as files of one, and as one file of all.
`carrel dark read` is timed with its start-up; so are the templates as a gathering run asks for
them. Each runs in a process of its own, in turns; the median of its runs counts.

usage: redif.py [--templates N] [--runs N] [--folder DIR]
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

_ENCODINGS = ("ascii", "windows-1252", "utf-8", "utf-8-sig")
_PER_FILE = 500
# A tree of files of one template: what counts there is what a file costs.
_SINGLE = 5000
_READ = "from carrel.cli.dark.read import read; read()"
_GATHER = """
import sys
from carrel.dark_archive import redif
for path in redif.redif_files(sys.argv[1], print):
    with open(path, "rb", buffering=0) as file:
        reading = redif.read(file, path)
        reading.sha256, reading.state
        for template in reading.templates():
            template.text_md5, template.handle, template.type, template.restriction
            template.references()
"""


@dataclass
class Contender:
    """A way to go through `{tree}`, which may write to `{output}`."""

    name: str
    command: Sequence[str]
    seconds: list[float] = field(default_factory=list)
    peak_mib: float = 0.0

    def run(self, tree: Path, output: Path) -> None:
        """Run once, and note how long it took and the memory that it had at most."""
        command = [part.format(tree=tree, output=output) for part in self.command]
        quiet = os.open(os.devnull, os.O_WRONLY)
        began = time.perf_counter()
        pid = os.posix_spawn(
            command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, quiet, 1)]
        )
        _, status, usage = os.wait4(pid, 0)
        self.seconds.append(time.perf_counter() - began)
        os.close(quiet)
        if status:
            raise RuntimeError(f"{self.name} failed")
        self.peak_mib = max(self.peak_mib, usage.ru_maxrss / 1024)
        shutil.rmtree(output, ignore_errors=True)


def contenders() -> list[Contender]:
    python = sys.executable
    return [
        Contender("cp -r", [shutil.which("cp") or "/bin/cp", "-r", "{tree}", "{output}"]),
        Contender("carrel dark read --json", [python, "-c", _READ, "{tree}", "--json"]),
        Contender("templates for a run", [python, "-c", _GATHER, "{tree}"]),
    ]


class Writer:
    """Makes templates as they are found, the same ones every time."""

    def __init__(self) -> None:
        self._noise = random.Random(5)  # the same in every run
        letters = "abcdefghijklmnopqrstuvwxyzé"
        self._words = [
            "".join(self._noise.choices(letters, k=self._noise.randint(2, 10)))
            for _ in range(20_000)
        ]

    def template(self, number: int) -> str:
        authors = [
            f"Author-Name: {self._text(14)}\nAuthor-Email: {self._text(12)}\n"
            f"Author-Workplace-Name: {self._text(30)}\n"
            for _ in range(self._noise.randint(1, 3))
        ]
        abstract = [f" {self._text(45)}\n" for _ in range(self._noise.randint(4, 9))]
        return (
            f"Template-Type: ReDIF-Paper 1.0\n{''.join(authors)}Title: {self._text(40)}\n"
            f"Abstract: {self._text(40)}\n{''.join(abstract)}Classification-JEL: C32, E52\n"
            f"Keywords: {self._text(30)}\nLength: 32 pages\nCreation-Date: 2005-03\n"
            f"File-URL: http://www.example.org/papers/{number}.pdf\n"
            "File-Format: Application/pdf\nFile-Function: Full text\n"
            f"Handle: RePEc:aaa:wpaper:{number}\n\n"
        )

    def _text(self, least: int) -> str:
        text = self._noise.choice(self._words)
        while len(text) < least:
            text += " " + self._noise.choice(self._words)
        return text


def make_trees(folder: Path, templates: int) -> list[Path]:
    """Write the files, and return the folders that they are in."""
    many, single, one = (folder / name for name in ("many", "single", "one"))
    writer = Writer()
    for each in (many, single, one):
        each.mkdir()
    with (one / "all.rdf").open("wb") as whole:
        for first in range(0, templates, _PER_FILE):
            made = [writer.template(number) for number in range(first, first + _PER_FILE)]
            encoding = _ENCODINGS[first // _PER_FILE % len(_ENCODINGS)]
            data = _encoded("".join(made), encoding, first)
            series = many / f"{first // 10_000:03}" / "wpaper"
            series.mkdir(parents=True, exist_ok=True)
            (series / f"{first}.rdf").write_bytes(data)
            whole.write("".join(made).encode())
    for number in range(_SINGLE):
        (single / f"{number}.rdf").write_bytes(writer.template(number).encode())
    return [many, single, one]


def _encoded(text: str, encoding: str, first: int) -> bytes:
    if encoding == "ascii":
        text = text.replace("é", "e")
    if first // _PER_FILE % 8 >= len(_ENCODINGS):
        text = text.replace("\n", "\r\n")
    return text.encode(encoding)


def main() -> None:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--templates", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        for tree in make_trees(Path(name), arguments.templates):
            ways = contenders()
            for _ in range(arguments.runs):
                for way in ways:
                    way.run(tree, Path(name) / "output")
            report(ways, tree)


def report(ways: Sequence[Contender], tree: Path) -> None:
    sizes = [path.stat().st_size for path in tree.rglob("*.rdf")]
    print(f"\n{tree.name}: {len(sizes):,} files, {sum(sizes) / 1e6:.0f} MB")
    copy = median(ways[0].seconds)
    for way in ways:
        took = median(way.seconds)
        print(
            f"{way.name:24} {took:6.2f} s {sum(sizes) / took / 1e6:6.0f} MB/s"
            f" {took / copy:6.1f} x cp {way.peak_mib:6.0f} MiB"
        )


if __name__ == "__main__":
    main()
