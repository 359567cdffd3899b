# SPDX-License-Identifier: AGPL-3.0-or-later
"""A tarball that means harm: it writes nowhere, and takes no more than its share."""

import gzip
import lzma
import os
import tarfile
import zlib
from pathlib import Path

import pytest

from carrel.dark_archive.sources import Tarball
from carrel.dark_archive.sources.tar_reader import Limits
from carrel.errors import ArchiveError, ArchiveFull, UsageError
from core.dark_archive.sources.tarballs import NOW, Reader, contents, files, member, packed, paths

MIB = 1024 * 1024
LINK, SAME, FOLDER = tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE
# As long as what a header holds of a link's target.
LONG = "d" * 96 + ".rdf"


def test_a_path_is_a_name_and_no_place(tarball: Reader, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    names = [f"{inside}/a.rdf", "../b.rdf", "c/../../d.rdf", "./e.rdf", "/f.rdf", "g/..", "h.rdf"]

    source = tarball(files(*names, "z/" * 2_100 + "z.rdf"))

    assert [path.rpartition("/")[2] for path in paths(source)] == [
        "e.rdf",
        "f.rdf",
        "h.rdf",
        "a.rdf",
    ]
    assert all(not path.startswith("/") for path in paths(source))
    assert source.notes[0].startswith(
        'Members whose names are not valid for a file: 4, the first of them "'
    )
    assert os.listdir(tmp_path) == ["x.tar"]


def test_control_characters_in_a_name_do_nothing(tarball: Reader) -> None:
    source = tarball(files("a\n\x1b[2J\u202e.rdf", "caf\udce9.rdf"))

    assert paths(source) == ["a\\x0a\\x1b[2J\\u202e.rdf", "caf\\xe9.rdf"]


def test_links_are_not_followed_and_what_they_stand_for_is_unread(tarball: Reader) -> None:
    source = tarball(
        packed(
            member("a.rdf"),
            member("b.rdf", kind=LINK, link="/etc/passwd"),
            member("c", kind=LINK, link="elsewhere"),
            member("d.pdf", kind=LINK, link="e.pdf"),
        )
    )

    assert paths(source) == ["a.rdf"]
    assert sorted(source.unread) == ["b.rdf", "c/"]
    assert source.notes == (
        "Links, which are not followed in a tarball: 3, the first of them b.rdf.",
    )


def test_unread_paths_are_those_of_the_containers(tarball: Reader) -> None:
    source = tarball(
        packed(member("s-1/RePEc/a.rdf"), member("s-1/RePEc/b.rdf", kind=LINK, link="/etc/passwd"))
    )

    assert (paths(source), source.unread) == (["a.rdf"], ("b.rdf",))


@pytest.mark.parametrize("kind", [tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE])
def test_special_files_are_unread(tarball: Reader, kind: bytes) -> None:
    source = tarball(packed(member("a.rdf", kind=kind), member("b.pdf", kind=kind)))

    assert (paths(source), source.unread) == ([], ("a.rdf",))
    assert source.notes == ("Members that are not regular files: 2, the first of them a.rdf.",)


def test_folders_are_no_files(tarball: Reader) -> None:
    source = tarball(packed(member("a.rdf", kind=FOLDER), member("a.rdf/b.rdf")))

    assert (paths(source), source.unread, source.notes) == (["a.rdf/b.rdf"], (), ())


def test_a_hard_link_is_a_further_name_of_the_same_bytes(tarball: Reader) -> None:
    source = tarball(
        packed(
            member("./a/x.rdf", b"x"),
            member("b/y.rdf", kind=SAME, link="./a/x.rdf"),
            member("c/z.rdf", kind=SAME, link="b/y.rdf"),
            member("c/z.pdf", kind=SAME, link="b/y.rdf"),
        )
    )

    assert contents(source) == {"a/x.rdf": b"x", "b/y.rdf": b"x", "c/z.rdf": b"x"}
    assert source.notes == ()


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_a_hard_link_may_be_long(tarball: Reader, form: int) -> None:
    name = "d/" * 60 + "a.rdf"

    source = tarball(packed(member(name), member("b.rdf", kind=SAME, link=name), form=form))

    assert paths(source) == ["b.rdf", name]
    assert source.unread == ()


def test_a_hard_link_means_the_member_before_it(tarball: Reader) -> None:
    source = tarball(
        packed(
            member("a.rdf", b"1"),
            member("b.rdf", kind=SAME, link="a.rdf"),
            member("a.rdf", b"2"),
        )
    )

    assert contents(source) == {"a.rdf": b"2", "b.rdf": b"1"}


@pytest.mark.parametrize("target", ["later.rdf", "x.bak", "../a.rdf", "b.rdf", f"{LONG}.bak"])
def test_a_hard_link_to_what_was_not_read_is_unread(tarball: Reader, target: str) -> None:
    source = tarball(
        packed(
            member("x.bak"),
            member(LONG),
            member("b.rdf", kind=SAME, link=target),
            member("later.rdf"),
        )
    )

    assert paths(source) == [LONG, "later.rdf"]
    assert source.unread == ("b.rdf",)
    assert "Further names of members whose bytes were not read: 1" in source.notes[0]


def test_of_several_members_with_one_path_the_last_is_taken(tarball: Reader) -> None:
    source = tarball(
        packed(
            member("a.rdf", b"1"), member("b.rdf"), member("./a.rdf", b"2"), member("/a.rdf", b"3")
        )
    )

    assert contents(source)["a.rdf"] == b"3"
    assert source.notes == (
        "Paths that occur more than once; the last was used: 2, the first of them a.rdf.",
    )


def test_a_link_in_the_place_of_a_file_is_what_is_left(tarball: Reader) -> None:
    source = tarball(packed(member("a.rdf"), member("a.rdf", kind=LINK, link="b.rdf")))

    assert (paths(source), source.unread) == ([], ("a.rdf",))


def test_many_links_make_no_long_list(tarball: Reader) -> None:
    links = (member(f"a/{number}.rdf", kind=LINK, link="x") for number in range(1_500))

    source = tarball(packed(*links))

    assert source.unread == ("",)


@pytest.mark.parametrize("modified", [-1, 2**33, 2**62])
def test_a_header_may_tell_any_time(tarball: Reader, modified: int) -> None:
    source = tarball(packed(member("a.rdf", modified=modified)))

    (container,) = source.containers()

    assert container.modified == source.date
    assert 0 <= container.modified <= NOW


def test_a_volume_of_several_is_refused(tarball: Reader) -> None:
    with pytest.raises(UsageError, match="one volume of several"):
        tarball(packed(member("a.rdf", kind=b"M")))


@pytest.mark.parametrize("name", ["a.rdf", "a.pdf"])
def test_a_file_with_holes_is_passed_over(tarball: Reader, name: str) -> None:
    info, content = member(name)
    info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}

    source = tarball(packed((info, content), member("b.rdf"), form=tarfile.PAX_FORMAT))

    assert paths(source) == ["b.rdf"]


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(members=2), "it holds more than 2 members"),
        (Limits(member_bytes=9), "a file of templates in it is larger than 9 bytes"),
        (Limits(total_bytes=29), "its files of templates are larger than 29 bytes together"),
        (Limits(path_characters=12), "its paths are too long in total"),
    ],
)
def test_what_is_too_much_is_refused_in_words(tarball: Reader, limits: Limits, words: str) -> None:
    content = packed(*(member(f"{name}.rdf", bytes(10)) for name in "abc"))

    with pytest.raises(UsageError, match=f"{words}; nothing was concluded from it"):
        tarball(content, limits=limits)


def test_what_is_just_enough_is_read(tarball: Reader) -> None:
    limits = Limits(members=3, member_bytes=10, total_bytes=30, path_characters=15)
    content = packed(*(member(f"{name}.rdf", bytes(10)) for name in "abc"))

    assert paths(tarball(content, limits=limits)) == ["a.rdf", "b.rdf", "c.rdf"]


def test_further_names_count_as_much_as_what_they_name(tarball: Reader) -> None:
    links = (member(f"{number}.rdf", kind=SAME, link="a.rdf") for number in range(9))
    content = packed(member("a.rdf", bytes(10)), *links)

    assert len(paths(tarball(content, limits=Limits(total_bytes=100)))) == 10
    with pytest.raises(UsageError, match="larger than 99 bytes together"):
        tarball(content, limits=Limits(total_bytes=99))


@pytest.mark.parametrize("name", ["a.rdf", "a.pdf"])
def test_a_bomb_is_refused(tarball: Reader, name: str) -> None:
    bomb = lzma.compress(packed(member(name, bytes(40 * MIB))), preset=0)

    with pytest.raises(UsageError, match="it unpacks to more than 1,000 times its size"):
        tarball(bomb, limits=Limits(ratio_from=10 * MIB))


def test_what_inflates_well_and_is_small_is_no_bomb(tarball: Reader) -> None:
    content = packed(member("a.rdf", bytes(40 * MIB)))

    assert paths(tarball(lzma.compress(content, preset=0))) == ["a.rdf"]
    assert paths(tarball(gzip.compress(content), limits=Limits(ratio_from=MIB, ratio=1_100)))


def test_xz_may_not_ask_for_any_memory(tarball: Reader) -> None:
    content = bytearray(lzma.compress(files("a.rdf")))
    # The header of its only block (xz format 1.2.1, 3.1): size, flags, LZMA2, 1, the dictionary's
    # size, padding, CRC32. 40 stands for 4 GiB.
    end = 12 + (content[12] + 1) * 4
    assert content[14:16] == b"\x21\x01"
    content[16] = 40
    content[end - 4 : end] = zlib.crc32(content[12 : end - 4]).to_bytes(4, "little")

    with pytest.raises(UsageError, match=r"cannot be decompressed \(Memory usage limit"):
        tarball(bytes(content))


def test_where_there_is_no_room_nothing_is_spooled(tarball: Reader) -> None:
    with pytest.raises(ArchiveFull, match=r"There is no room for what .*: 75\.0 MiB are free"):
        tarball(files("a.rdf"), free=lambda folder: 75 * MIB)


def test_room_is_looked_for_while_it_is_read(tarball: Reader) -> None:
    left = iter([200 * MIB, 70 * MIB, 70 * MIB])

    with pytest.raises(ArchiveFull, match="nothing was concluded from it"):
        tarball(packed(member("a.rdf", bytes(20 * MIB))), free=lambda folder: next(left))


def test_a_folder_that_can_not_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.tar").write_bytes(files("a.rdf"))

    with pytest.raises(ArchiveError, match="missing cannot be written to: No such file"):
        Tarball(tmp_path / "x.tar", tmp_path / "missing")
