# SPDX-License-Identifier: AGPL-3.0-or-later
"""A folder of ReDIF: what is in it, in which order, and what of it could not be seen."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from carrel.dark_archive.sources import Directory, Source
from carrel.errors import UsageError
from carrel.model.dark import ContainerState, RunSource

BODY = b"Template-Type: ReDIF-Paper 1.0\nTitle: Tides\nHandle: RePEc:aaa:wpaper:1\n"
NOW = 2_000_000_000.0

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
as_posix = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are bytes there")


def put(root: Path, *paths: str, modified: int = 1_500_000_000) -> None:
    for path in paths:
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(BODY)
        os.utime(place, (modified, modified))


def directory(root: Path) -> Directory:
    return Directory(root, now=lambda: NOW)


def paths(source: Source) -> list[str]:
    return [container.path for container in source.containers()]


def content(source: Source, path: str) -> bytes:
    opened = {each.path: each.opened for each in source.containers()}
    with opened[path]() as file:
        return file.read()


@pytest.fixture
def out_of_reach(tmp_path: Path) -> Iterator[Path]:
    """A root with a folder that nobody can list, not even root: its path is too long."""
    root = tmp_path / "RePEc"
    put(root, "aaa/aaaarch.rdf", "zzz/zzzarch.rdf")
    folder = os.open(root / "aaa", os.O_RDONLY)
    for _ in range(18):
        os.mkdir("d" * 250, dir_fd=folder)
        below = os.open("d" * 250, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    yield root
    os.close(folder)


@pytest.fixture
def deep_tree(tmp_path: Path) -> Iterator[Path]:
    """A root with a file below more folders than Python calls itself; nobody else can remove it."""
    folders = [tmp_path / "root"]
    for _ in range(1_500):
        folders.append(folders[-1] / "d")
    for folder in folders:
        folder.mkdir()
    put(folders[-1], "x.rdf")
    yield folders[0]
    (folders[-1] / "x.rdf").unlink()
    for folder in reversed(folders):
        folder.rmdir()


def test_files_of_templates_are_found_by_their_ending_alone(tmp_path: Path) -> None:
    put(tmp_path, "aaa/ENVARCH.RDF", "aaa/b.ReDIF", "aaa/wpaper/c.rdf", "aaa/d.redif")
    put(tmp_path, "aaa/x.rdf~", "aaa/x.rdf.bad", "aaa/x.rdf-disabled", "aaa/x.rdf.old")
    put(tmp_path, "aaa/x.rdf-2004-08-20", "aaa/index.html", "aaa/rdf", "aaa/._y.rdf")

    found = paths(directory(tmp_path))

    assert found == ["aaa/ENVARCH.RDF", "aaa/b.ReDIF", "aaa/d.redif", "aaa/wpaper/c.rdf"]


def test_whole_paths_are_in_code_point_order(tmp_path: Path) -> None:
    put(tmp_path, "a/b.rdf", "a.rdf", "a-b/c.rdf", "a/B.rdf", "ab.rdf", "a/é.rdf", "a/z/1.rdf")
    put(tmp_path, "a b.rdf", "a/z.rdf", "a/z-1.rdf", "ä/1.rdf", "a/\U0001f30a.rdf", "a/\uff21.rdf")

    found = paths(directory(tmp_path))

    assert len(found) == 13
    assert found == sorted(found)
    assert found == sorted(found, key=str.encode)


def test_a_container_tells_its_time_size_and_bytes(tmp_path: Path) -> None:
    put(tmp_path, "aaa/x.rdf", modified=1_234_567_890)

    (container,) = directory(tmp_path).containers()

    assert (container.modified, container.size) == (1_234_567_890, len(BODY))
    with container.opened() as file:
        assert file.read(8) == BODY[:8]
        assert file.seek(0) == 0
        assert file.read() == BODY


@pytest.mark.parametrize(("modified", "told"), [(3_000_000_000, int(NOW)), (-5, 0), (7, 7)])
def test_no_file_is_of_the_future_nor_older_than_time(
    tmp_path: Path, modified: int, told: int
) -> None:
    put(tmp_path, "x.rdf", modified=modified)

    (container,) = directory(tmp_path).containers()

    assert container.modified == told


def test_the_date_is_the_newest_modification_of_files_and_folders(tmp_path: Path) -> None:
    put(tmp_path, "aaa/x.rdf", "bbb/y.rdf", modified=1_000)
    os.utime(tmp_path / "aaa", (5_000, 5_000))
    os.utime(tmp_path / "bbb", (4_000, 4_000))
    os.utime(tmp_path, (3_000, 3_000))
    source = directory(tmp_path)
    before = source.date

    paths(source)

    assert (before, source.date) == (None, 5_000)


def test_folders_without_a_file_have_no_date_of_data(tmp_path: Path) -> None:
    (tmp_path / "aaa").mkdir()
    source = directory(tmp_path)

    assert (paths(source), source.date) == ([], None)


def test_a_date_in_the_future_is_now(tmp_path: Path) -> None:
    put(tmp_path, "aaa/x.rdf", modified=3_000_000_000)
    source = directory(tmp_path)

    paths(source)

    assert source.date == int(NOW)


def test_a_source_says_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "RePEc/x.rdf")

    source = Directory(Path("RePEc"))

    assert source.source is RunSource.DIRECTORY
    assert source.reference == str(tmp_path / "RePEc")
    source.close()


def test_an_opened_container_is_read_as_redif(tmp_path: Path) -> None:
    put(tmp_path, "aaa/x.rdf")
    source = directory(tmp_path)
    (container,) = source.containers()

    with container.opened() as file:
        reading = source.read(file, container.path)
        handles = [template.handle for template in reading.templates()]

    assert reading.state is ContainerState.READ
    assert handles == ["RePEc:aaa:wpaper:1"]


def test_an_empty_folder_holds_nothing_and_misses_nothing(tmp_path: Path) -> None:
    source = directory(tmp_path)

    assert (paths(source), source.unread, source.notes) == ([], [], ())


def test_what_can_be_no_source_is_refused_in_words(tmp_path: Path) -> None:
    put(tmp_path, "x.rdf")

    with pytest.raises(UsageError, match=r"There is no folder .*missing"):
        Directory(tmp_path / "missing")
    with pytest.raises(UsageError, match=r"x\.rdf is not a folder"):
        Directory(tmp_path / "x.rdf")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read all")
def test_a_folder_that_may_not_be_read_is_unread(tmp_path: Path) -> None:
    put(tmp_path, "aaa/x.rdf", "bbb/y.rdf")
    (tmp_path / "aaa").chmod(0)
    source = directory(tmp_path)

    found = paths(source)
    (tmp_path / "aaa").chmod(0o700)

    assert (found, source.unread) == (["bbb/y.rdf"], ["aaa/"])


@as_posix
def test_a_folder_that_can_not_be_listed_is_unread_and_the_rest_is_not(out_of_reach: Path) -> None:
    source = directory(out_of_reach)

    found = paths(source)

    assert found == ["aaa/aaaarch.rdf", "zzz/zzzarch.rdf"]
    (unread,) = source.unread
    assert unread.startswith("aaa/ddd")
    assert unread.endswith("ddd/")
    (note,) = source.notes
    assert note.startswith("Folders that could not be listed (File name too long): 1, the first")


@as_posix
def test_what_is_missed_is_known_before_what_comes_behind_it(out_of_reach: Path) -> None:
    source = directory(out_of_reach)

    missed = [(each.path, len(source.unread)) for each in source.containers()]

    assert missed == [("aaa/aaaarch.rdf", 0), ("zzz/zzzarch.rdf", 1)]


def test_a_file_that_goes_while_its_folder_is_walked_is_unread(tmp_path: Path) -> None:
    put(tmp_path, "a.rdf", "b.rdf", "c.rdf")
    source = directory(tmp_path)
    walk = source.containers()
    next(walk)
    (tmp_path / "b.rdf").unlink()

    rest = [container.path for container in walk]

    assert (rest, source.unread) == (["c.rdf"], ["b.rdf"])


def test_a_folder_that_goes_before_its_turn_is_unread(tmp_path: Path) -> None:
    put(tmp_path, "a.rdf", "b/x.rdf")
    source = directory(tmp_path)
    walk = source.containers()
    next(walk)
    (tmp_path / "b").rename(tmp_path / "c")

    rest = [container.path for container in walk]

    assert (rest, source.unread) == ([], ["b/"])


def test_a_root_that_went_away_leaves_everything_unread(tmp_path: Path) -> None:
    put(tmp_path, "share/a.rdf")
    source = directory(tmp_path / "share")
    (tmp_path / "share").rename(tmp_path / "elsewhere")

    found = paths(source)

    assert (found, source.unread) == ([], [""])


def test_a_second_walk_begins_anew(tmp_path: Path) -> None:
    put(tmp_path, "a.rdf", "b/x.rdf")
    source = directory(tmp_path)
    walk = source.containers()
    next(walk)
    (tmp_path / "b").rename(tmp_path / "c")
    list(walk)

    assert paths(source) == ["a.rdf", "c/x.rdf"]
    assert source.unread == []


@needs_links
def test_links_inside_the_folder_are_followed(tmp_path: Path) -> None:
    put(tmp_path, "aaa/2019.txt", "bbb/wpaper/1.rdf")
    (tmp_path / "aaa/current.rdf").symlink_to("2019.txt")
    (tmp_path / "ccc").symlink_to(tmp_path / "bbb")
    source = directory(tmp_path)

    assert paths(source) == ["aaa/current.rdf", "bbb/wpaper/1.rdf", "ccc/wpaper/1.rdf"]
    assert content(source, "ccc/wpaper/1.rdf") == BODY
    assert content(source, "aaa/current.rdf") == BODY
    assert (source.unread, source.notes) == ([], ())


@needs_links
def test_links_that_lead_out_are_passed_over_and_told(tmp_path: Path) -> None:
    put(tmp_path, "root/aaa/x.rdf", "outside/secret.rdf", "outside/notes.txt")
    (tmp_path / "root/aaa/secret.rdf").symlink_to("../../outside/secret.rdf")
    (tmp_path / "root/bbb").symlink_to(tmp_path / "outside")
    (tmp_path / "root/notes.txt").symlink_to(tmp_path / "outside/notes.txt")
    source = directory(tmp_path / "root")

    assert paths(source) == ["aaa/x.rdf"]
    assert sorted(source.unread) == ["aaa/secret.rdf", "bbb/"]
    (note,) = source.notes
    assert note.startswith("Links that lead out of the folder and were not followed: 2, the first")


@needs_links
def test_a_folder_whose_name_begins_as_the_root_does_is_outside(tmp_path: Path) -> None:
    put(tmp_path, "root/x.rdf", "root-2/y.rdf")
    (tmp_path / "root/y.rdf").symlink_to(tmp_path / "root-2/y.rdf")

    assert paths(directory(tmp_path / "root")) == ["x.rdf"]


@needs_links
def test_a_root_that_is_a_link_is_walked(tmp_path: Path) -> None:
    put(tmp_path, "2019/aaa/x.rdf")
    (tmp_path / "current").symlink_to("2019")
    source = directory(tmp_path / "current")

    assert paths(source) == ["aaa/x.rdf"]
    assert source.reference == str(tmp_path / "current")


@needs_links
def test_broken_links_stand_for_what_was_not_seen(tmp_path: Path) -> None:
    put(tmp_path, "a.rdf")
    (tmp_path / "b.rdf").symlink_to("missing.rdf")
    (tmp_path / "c").symlink_to("missing")
    (tmp_path / "d.pdf").symlink_to("missing.pdf")
    (tmp_path / "e.rdf").symlink_to("e.rdf")
    source = directory(tmp_path)

    assert paths(source) == ["a.rdf"]
    assert sorted(source.unread) == ["b.rdf", "c/", "e.rdf"]


@needs_links
@pytest.mark.parametrize("target", [".", "..", "../..", "../../aaa/wpaper"])
def test_links_back_into_their_own_folder_are_no_way(tmp_path: Path, target: str) -> None:
    put(tmp_path, "aaa/wpaper/x.rdf")
    (tmp_path / "aaa/wpaper/again").symlink_to(target)
    source = directory(tmp_path)

    assert paths(source) == ["aaa/wpaper/x.rdf"]
    assert source.unread == []
    assert "lead back into their own folder: 1" in source.notes[0]


@needs_links
def test_links_that_cross_each_other_come_to_an_end(tmp_path: Path) -> None:
    names = [f"a{number:02d}" for number in range(30)]
    put(tmp_path, *(f"{name}/x.rdf" for name in names))
    linked = [(one, other) for one in names for other in names if one != other]
    _link_all(tmp_path, linked)

    found = paths(directory(tmp_path))

    assert len(found) == len(set(found)) <= 60
    assert found == sorted(found)
    assert {f"{name}/x.rdf" for name in names} <= set(found)


def _link_all(root: Path, linked: list[tuple[str, str]]) -> None:
    for one, other in linked:
        (root / one / f"to-{other}").symlink_to(f"../{other}")


@as_posix
def test_names_that_are_no_text_get_a_readable_stand_in(tmp_path: Path) -> None:
    put(tmp_path, "aaa/a.rdf", "aaa/z.rdf")
    put(tmp_path, os.fsdecode(b"aaa/caf\xe9.rdf"), os.fsdecode(b"b\xff/1.rdf"), "aaa/l\nf\x1b.rdf")
    source = directory(tmp_path)

    found = paths(source)

    assert found == [
        "aaa/a.rdf",
        "aaa/caf\\xe9.rdf",
        "aaa/l\\x0af\\x1b.rdf",
        "aaa/z.rdf",
        "b\\xff/1.rdf",
    ]
    assert found == sorted(found)
    assert content(source, "b\\xff/1.rdf") == BODY


@as_posix
@pytest.mark.parametrize("below", ["", "/1.rdf"])
def test_of_two_names_that_look_the_same_one_is_read(tmp_path: Path, below: str) -> None:
    put(tmp_path, os.fsdecode(b"a\xe9.rdf") + below, "a\\xe9.rdf" + below)
    source = directory(tmp_path)

    assert paths(source) == ["a\\xe9.rdf" + below]
    assert source.unread == ["a\\xe9.rdf" + "/" * bool(below)]


@as_posix
def test_special_files_are_passed_over(tmp_path: Path) -> None:
    put(tmp_path, "a.rdf")
    os.mkfifo(tmp_path / "pipe.rdf")
    (tmp_path / "link.rdf").symlink_to("pipe.rdf")
    source = directory(tmp_path)

    assert paths(source) == ["a.rdf"]
    assert len(source.notes) == 2


def test_a_folder_that_is_called_as_a_file_is_a_folder(tmp_path: Path) -> None:
    put(tmp_path, "x.rdf/y.rdf")

    assert paths(directory(tmp_path)) == ["x.rdf/y.rdf"]


def _link_to(place: Path) -> None:
    place.symlink_to("/etc/passwd")


@as_posix
@pytest.mark.parametrize("put_in_place", [lambda place: None, _link_to, os.mkfifo, Path.mkdir])
def test_what_is_no_plain_file_any_more_is_not_opened(
    tmp_path: Path, put_in_place: Callable[[Path], None]
) -> None:
    put(tmp_path, "x.rdf")
    (container,) = directory(tmp_path).containers()
    (tmp_path / "x.rdf").unlink()
    put_in_place(tmp_path / "x.rdf")

    with pytest.raises(OSError, match=r"x\.rdf"):
        container.opened()


@as_posix
def test_a_tree_may_be_deep(deep_tree: Path) -> None:
    (found,) = paths(directory(deep_tree))

    assert found == "d/" * 1_500 + "x.rdf"


@pytest.mark.samples
@pytest.mark.skipif("CARREL_SAMPLES" not in os.environ, reason="CARREL_SAMPLES is not set")
def test_a_real_archive_is_found() -> None:
    samples = Path(os.environ["CARREL_SAMPLES"]) / "redif/files"
    root = samples / "University-of-Tennessee-Econ_repec/RePEc"

    assert paths(Directory(root)) == [
        "ten/tenarch.rdf",
        "ten/tenseri.rdf",
        "ten/wpaper/2015-01.rdf",
    ]
