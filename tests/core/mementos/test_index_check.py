# SPDX-License-Identifier: AGPL-3.0-or-later
"""An index that looks like one and says something else than the ledger is told from a good one."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.mementos import cdxj
from carrel.mementos.cdxj import CdxjIndex, line_of
from carrel.mementos.index_check import check_index
from carrel.model import IndexFaults
from support.records import CAPTURE

CAPTURES = [replace(CAPTURE, surt=f"org,example)/{name}", offset=17) for name in "abcdefg"]
LINES = [line_of(each) for each in CAPTURES]
OTHERS = line_of(replace(CAPTURE, surt="org,example)/cc", filename="by-others.warc.gz"))


def faults_of(folder: Path, lines: Sequence[str]) -> IndexFaults:
    index = CdxjIndex(folder / "indexes")
    index.folder.mkdir()
    index.path.write_text("".join(f"{line}\n" for line in lines))
    scratch = folder / "scratch"
    scratch.mkdir()
    return check_index(index, reversed(CAPTURES), {CAPTURE.filename}, scratch)


def changed(number: int, change: Callable[[str], str]) -> list[str]:
    return [change(line) if place == number else line for place, line in enumerate(LINES)]


def test_an_index_that_says_the_same_has_no_faults(tmp_path: Path) -> None:
    assert not faults_of(tmp_path, sorted([*LINES, OTHERS]))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], IndexFaults(lacking=7)),
        (LINES[:6], IndexFaults(lacking=1)),
        ([*LINES[:3], "noise " * 20, *LINES[4:]], IndexFaults(lacking=1, wrong=1)),
        (["noise"] * 7, IndexFaults(lacking=7, wrong=7)),
        ([*LINES[:2], *LINES[1:]], IndexFaults(repeated=1)),
        ([LINES[1], LINES[0], *LINES[2:]], IndexFaults(unordered=1)),
        (changed(3, lambda line: line.replace('"17"', '"71"')), IndexFaults(lacking=1, wrong=1)),
        (changed(3, lambda line: line.replace("/d ", "/dd ")), IndexFaults(lacking=1, wrong=1)),
    ],
    ids=["empty", "cut", "one-noise", "noise", "twice", "order", "offset", "key"],
)
def test_what_differs_is_counted(
    tmp_path: Path, lines: Sequence[str], expected: IndexFaults
) -> None:
    found = faults_of(tmp_path, lines)

    assert replace(found, examples=()) == expected


def test_how_a_line_differs_is_told(tmp_path: Path) -> None:
    found = faults_of(tmp_path, changed(0, lambda line: line.replace('"17"', '"71"')))

    (example,) = found.examples
    assert example.endswith(": offset 71 instead of 17")


def test_lines_in_several_files_belong_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cdxj, "_SET_ASIDE_FROM_BYTES", 400)
    index, scratch = CdxjIndex(tmp_path / "indexes"), tmp_path / "scratch"
    scratch.mkdir()
    for capture in CAPTURES:
        index.add([capture])

    assert len(index.stats()) > 2
    assert not check_index(index, CAPTURES, {CAPTURE.filename}, scratch)
