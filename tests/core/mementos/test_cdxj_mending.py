# SPDX-License-Identifier: AGPL-3.0-or-later
"""An index that was lost or damaged is written anew, with what others put there."""

from dataclasses import replace
from pathlib import Path

import pytest

from carrel.mementos import cdxj
from carrel.mementos.cdxj import CdxjIndex, line_of
from carrel.mementos.cdxj_repair import write_anew
from support.records import CAPTURE, files_in

CAPTURES = [replace(CAPTURE, surt=f"org,example)/{name}") for name in "abcdefg"]
OTHERS = line_of(replace(CAPTURE, surt="org,example)/cc", filename="by-others.warc.gz"))


def written(folder: Path) -> str:
    return "".join(path.read_text() for path in sorted(folder.iterdir()))


@pytest.mark.parametrize(
    "damaged",
    [
        "",
        f"{line_of(CAPTURES[1])}\n{OTHERS}\n{line_of(CAPTURES[2])[:50]}",
        f"no line\n{OTHERS}\n{OTHERS}\n{line_of(CAPTURES[1])}\n{OTHERS[:-9]}",
        f"\udcff\udcfe\n\x00\n{OTHERS}\n",
    ],
)
def test_a_damaged_index_is_written_anew(tmp_path: Path, damaged: str) -> None:
    index, scratch = CdxjIndex(tmp_path / "indexes"), tmp_path / "scratch"
    index.folder.mkdir()
    scratch.mkdir()
    index.path.write_bytes(damaged.encode(errors="surrogateescape"))

    write_anew(index, reversed(CAPTURES), {CAPTURE.filename}, scratch)

    lines = [line_of(each) for each in CAPTURES]
    expected = sorted([*lines, OTHERS]) if OTHERS in damaged else lines
    assert written(index.folder).splitlines() == expected


def test_what_was_set_aside_is_in_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, scratch = CdxjIndex(tmp_path / "indexes"), tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(cdxj, "_SET_ASIDE_FROM_BYTES", 400)
    for capture in CAPTURES:
        index.add([capture])
    index.path.unlink()

    write_anew(index, CAPTURES, {CAPTURE.filename}, scratch)

    assert files_in(index.folder) == ["index-0001.cdxj"]
    assert written(index.folder).splitlines() == [line_of(each) for each in CAPTURES]


def test_files_that_are_called_otherwise_are_left_alone(tmp_path: Path) -> None:
    index, scratch = CdxjIndex(tmp_path / "indexes"), tmp_path / "scratch"
    index.folder.mkdir()
    scratch.mkdir()
    theirs = f"!meta {{}}\n{OTHERS}"
    (index.folder / "theirs.cdxj").write_text(theirs)
    (index.folder / "index-0001.cdxj").mkdir()

    write_anew(index, CAPTURES, {CAPTURE.filename}, scratch)

    assert (index.folder / "theirs.cdxj").read_text() == theirs
    assert index.path.read_text().splitlines() == [line_of(each) for each in CAPTURES]
