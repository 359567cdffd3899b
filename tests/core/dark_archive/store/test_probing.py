# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a file system can do is tried out, and what is risky about it is said."""

import errno
import os
from pathlib import Path

import pytest

from carrel.dark_archive.store import file_system_probe
from carrel.dark_archive.store.disk import whole_sync
from carrel.dark_archive.store.file_system import name_limit, reachable

MOUNTS = """\
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 22 0:30 / /home rw shared:1 - btrfs /dev/vdb rw
31 22 0:31 / /home/jo/My\\040Stick rw - vfat /dev/sdb1 rw
32 22 0:32 / /homes rw - nfs4 server:/homes rw
33 22 0:33 / /srv rw - xfs /dev/vdc rw
34 33 0:34 / /srv rw - fuse.sshfs far: rw
broken line
"""


def test_a_probe_leaves_nothing_behind(tmp_path: Path) -> None:
    found = file_system_probe.probe(tmp_path, tmp_path / "scratch")

    assert list(tmp_path.iterdir()) == []
    assert set(found) == {
        "system",
        "file_system",
        "case_insensitive",
        "longest_name",
        "hard_links",
        "symlinks",
        "folder_sync",
        "whole_sync",
        "is_fat",
        "warnings",
    }


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "ext4"),
        ("/var/lib", "ext4"),
        ("/home", "btrfs"),
        ("/home/jo", "btrfs"),
        ("/home/jo/My Stick", "vfat"),
        ("/home/jo/My Stick/archive", "vfat"),
        ("/homes/jo", "nfs4"),
        ("/srv/a", "fuse.sshfs"),
    ],
)
def test_a_folder_is_on_the_mount_that_is_nearest(path: str, kind: str) -> None:
    assert file_system_probe._mounted(MOUNTS.splitlines(), path) == kind


@pytest.mark.parametrize("longest", [1, 64, 143, 254, 255])
def test_the_longest_name_is_found_by_trying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, longest: int
) -> None:
    def made(path: Path) -> Path:
        if len(path.name) > longest:
            raise OSError(errno.ENAMETOOLONG, "File name too long")
        return path

    monkeypatch.setattr(file_system_probe, "_made", made)

    assert file_system_probe._longest_name(tmp_path) == longest


@pytest.mark.parametrize(("longest", "limit"), [(255, 240), (254, 239), (143, 128), (1000, 240)])
def test_a_name_leaves_room_for_a_suffix(longest: int, limit: int) -> None:
    assert name_limit(longest) == limit


@pytest.mark.parametrize(
    ("kind", "is_fat", "folder", "warning"),
    [
        ("nfs4", False, "archive", "network or foreign file system (nfs4)"),
        ("fuse.sshfs", False, "archive", "network or foreign file system"),
        ("vfat", True, "archive", "FAT"),
        ("ext4", False, "Dropbox", "looks like a folder of Dropbox"),
    ],
)
def test_a_risky_place_is_warned_of(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    is_fat: bool,
    folder: str,
    warning: str,
) -> None:
    monkeypatch.setattr(file_system_probe, "file_system", lambda path: kind)
    (tmp_path / folder).mkdir()

    found = file_system_probe.probe(tmp_path / folder, tmp_path / folder / "scratch")

    assert found["is_fat"] is is_fat
    assert [warning in told for told in found["warnings"]] == [True]


def test_a_file_system_that_tells_times_by_two_seconds_is_fat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    utime = os.utime
    monkeypatch.setattr(
        os,
        "utime",
        lambda path, ns: utime(path, ns=tuple(n // 2_000_000_000 * 2_000_000_000 for n in ns)),
    )

    assert file_system_probe.probe(tmp_path, tmp_path / "scratch")["is_fat"]


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs", "ntfs3", "9p", "", "vfat"])
def test_an_unknown_file_system_is_not_trusted_with_one_call(kind: str) -> None:
    assert not file_system_probe.syncs_whole(kind)


@pytest.mark.parametrize(
    ("release", "is_there"), [("5.7.19", False), ("5.8.0", True), ("4.19", False)]
)
def test_a_system_that_keeps_errors_to_itself_is_not_trusted(
    monkeypatch: pytest.MonkeyPatch, release: str, is_there: bool
) -> None:
    names = os.uname()
    monkeypatch.setattr(os, "uname", lambda: os.uname_result((*names[:2], release, *names[3:])))

    assert (whole_sync() is not None) is is_there


def test_a_sync_that_fails_says_so(tmp_path: Path) -> None:
    sync = whole_sync()
    assert sync is not None
    handle = os.open(tmp_path, os.O_RDONLY)
    sync(handle)
    os.close(handle)

    with pytest.raises(OSError, match="Bad file descriptor"):
        sync(handle)


def test_a_root_is_taken_as_it_is_where_paths_may_be_long(tmp_path: Path) -> None:
    assert reachable(tmp_path) == tmp_path
