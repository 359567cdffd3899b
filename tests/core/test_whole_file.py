# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files that are there whole or not at all, with the permissions that they should have."""

import os
import stat
from pathlib import Path

import pytest

from carrel.whole_file import FOR_READING, WholeFile, replace_file, whole_file

posix = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_that_was_not_written_to_its_end_is_not_there(tmp_path: Path) -> None:
    target = tmp_path / "certificate.html"
    target.write_text("before")

    def write() -> None:
        with whole_file(target) as file:
            file.write(b"half")
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        write()
    assert target.read_text() == "before"
    assert [each.name for each in tmp_path.iterdir()] == ["certificate.html"]


@posix
def test_a_file_keeps_the_permissions_of_the_one_that_it_replaces(tmp_path: Path) -> None:
    target = tmp_path / "settings.toml"
    target.write_text("before")
    target.chmod(0o640)

    replace_file(target, b"after")

    assert (target.read_text(), mode(target)) == ("after", 0o640)


@posix
def test_a_private_file_is_its_owners_alone_whatever_was_there(tmp_path: Path) -> None:
    target = tmp_path / "seals.json"
    target.write_text("before")
    target.chmod(0o644)

    replace_file(target, b"after", is_private=True)

    assert mode(target) == 0o600


@posix
def test_a_file_for_reading_is_closed_to_others_while_it_is_written(tmp_path: Path) -> None:
    with WholeFile(tmp_path / "copy.csv", mode=FOR_READING) as whole:
        (part,) = tmp_path.iterdir()
        assert mode(part) == 0o600
        whole.commit()

    assert mode(tmp_path / "copy.csv") == 0o400


def test_a_link_gives_way_to_a_file_that_replaces_it(tmp_path: Path) -> None:
    other, link = tmp_path / "other", tmp_path / "link"
    other.write_text("theirs")
    link.symlink_to(other)

    replace_file(link, b"ours")

    assert (link.read_text(), link.is_symlink(), other.read_text()) == ("ours", False, "theirs")


def test_a_link_is_written_through_where_a_person_gave_it(tmp_path: Path) -> None:
    other, link = tmp_path / "other", tmp_path / "link"
    other.write_text("before")
    link.symlink_to(other)

    with whole_file(link) as file:
        file.write(b"after")

    assert (link.is_symlink(), other.read_text()) == (True, "after")


def test_what_cannot_be_written_is_named_as_it_was_given(tmp_path: Path) -> None:
    target = tmp_path / "gone" / "settings.toml"

    with pytest.raises(FileNotFoundError) as raised:
        replace_file(target, b"")

    assert raised.value.filename == str(target)
