# SPDX-License-Identifier: AGPL-3.0-or-later
"""Members of a zip or tar that is a file of a dataset, each written as it is in there."""

import hashlib
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from carrel.access.copies import Copies
from carrel.access.members import write_member
from carrel.errors import NoAccessCopy

TEXT = b"It blew from the west.\n" * 5000


def zipped(name: str, content: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(name, content)
    return made.getvalue()


def tarred(name: str, content: bytes) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:xz") as file:
        entry = tarfile.TarInfo(name)
        entry.size = len(content)
        file.addfile(entry, io.BytesIO(content))
    return made.getvalue()


@pytest.fixture
def copies(tmp_path: Path) -> Copies:
    return Copies(lambda: tmp_path)


def test_a_member_of_a_member_is_written_whole_and_nothing_else_stays(
    tmp_path: Path, copies: Copies
) -> None:
    outer = tmp_path / "outer.zip"
    outer.write_bytes(zipped("in/inner.tar.xz", tarred("a/wind.txt", TEXT)))

    fixity = write_member(outer, ("in/inner.tar.xz", "a/wind.txt"), tmp_path / "wind.txt", copies)

    assert (tmp_path / "wind.txt").read_bytes() == TEXT
    assert fixity.digests["sha256"] == hashlib.sha256(TEXT).hexdigest()
    assert fixity.size == len(TEXT)
    assert [path for path in (tmp_path / "access-copies").rglob("*inner*")] == []


@pytest.mark.parametrize(
    ("content", "name", "why"),
    [
        (zipped("a.txt", TEXT), "b.txt", "no member"),
        (zipped("../a.txt", TEXT), "../a.txt", "leads out of its folder"),
        (zipped("a.txt", TEXT)[:-200], "a.txt", "cannot be read"),
        (b"no archive at all", "a.txt", "cannot be read"),
    ],
)
def test_what_cannot_be_written_whole_is_not_written(
    tmp_path: Path, copies: Copies, content: bytes, name: str, why: str
) -> None:
    container = tmp_path / "container"
    container.write_bytes(content)

    with pytest.raises(NoAccessCopy, match=why):
        write_member(container, (name,), tmp_path / "out", copies)

    assert not (tmp_path / "out").exists()


def test_of_members_with_one_name_the_first_is_written(tmp_path: Path, copies: Copies) -> None:
    made = tmp_path / "dup.zip"
    with zipfile.ZipFile(made, "w") as file:
        file.writestr("same.txt", "first")
        with pytest.warns(UserWarning, match="Duplicate name"):
            file.writestr("same.txt", "second!")

    write_member(made, ("same.txt",), tmp_path / "mine.txt", copies)

    assert (tmp_path / "mine.txt").read_bytes() == b"first"
