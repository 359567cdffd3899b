# SPDX-License-Identifier: AGPL-3.0-or-later
"""A tarball of ReDIF: read whole, then given by path."""

import io
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from carrel.dark_archive.sources import Tarball
from carrel.errors import UsageError
from carrel.model.dark import RunSource
from core.dark_archive.sources.tarballs import (
    BODY,
    MTIME,
    NOW,
    PACKED,
    Reader,
    contents,
    files,
    member,
    packed,
    paths,
)


@pytest.mark.parametrize("pack", PACKED.values(), ids=PACKED)
@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_a_tarball_is_known_by_its_content_not_its_name(
    tarball: Reader, pack: Callable[[bytes], bytes], form: int
) -> None:
    tar = packed(member("bbb/y.rdf", b"y" * 5_000), member("aaa/x.rdf", b"x"), form=form)

    with_wrong_name = tarball(pack(tar), "data.zip")

    assert contents(with_wrong_name) == {"aaa/x.rdf": b"x", "bbb/y.rdf": b"y" * 5_000}


@pytest.mark.parametrize("pack", PACKED.values(), ids=PACKED)
def test_streams_that_follow_each_other_are_one(
    tarball: Reader, pack: Callable[[bytes], bytes]
) -> None:
    tar = files(*(f"a/{number}.rdf" for number in range(9)))

    source = tarball(b"".join(pack(tar[at : at + 700]) for at in range(0, len(tar), 700)))

    assert paths(source) == [f"a/{number}.rdf" for number in range(9)]


def test_containers_come_by_path_whatever_the_order_of_the_members(tarball: Reader) -> None:
    names = ["b/z.rdf", "b.rdf", "a/é.rdf", "a-b/x.rdf", "a/z.rdf", "\U0001f30a.rdf", "\uff21.rdf"]

    found = paths(tarball(files(*names)))

    assert found == sorted(names) == sorted(names, key=str.encode)


def test_only_files_of_templates_are_given(tarball: Reader) -> None:
    names = ["a/x.RDF", "a/y.redif", "a/x.rdf~", "a/x.pdf", "a/._x.rdf", "a/x.rdf.old"]

    assert paths(tarball(files(*names))) == ["a/x.RDF", "a/y.redif"]


def test_a_container_tells_its_time_and_size(tarball: Reader) -> None:
    old, new = member("a.rdf", b"a", modified=1_000), member("b.rdf", b"", modified=NOW + 9)

    first, second = tarball(packed(old, new)).containers()

    assert (first.modified, first.size) == (1_000, 1)
    assert (second.modified, second.size) == (NOW, 0)


def test_the_bytes_of_a_container_can_be_gone_through_in_any_order(tarball: Reader) -> None:
    body = bytes(range(256)) * 300
    tar = packed(member("a.rdf", b"before"), member("b.rdf", body), member("c.rdf", b"behind"))
    _, container, _ = tarball(tar).containers()

    with container.opened() as file, container.opened() as other:
        assert file.read(5) == body[:5]
        assert other.read() == body
        assert file.read() == body[5:]
        assert file.read() == b""
        assert file.seek(-3, io.SEEK_END) == len(body) - 3
        assert file.read(10) == body[-3:]
        assert file.seek(10**6) == 10**6
        assert file.read(1) == b""
        assert file.seek(256) == 256
        assert file.seek(44, io.SEEK_CUR) == 300
        assert file.tell() == 300
        assert file.read(2) == body[300:302]
        with pytest.raises(OSError, match="Invalid argument"):
            file.seek(-1)


def test_a_member_can_be_read_as_redif(tarball: Reader) -> None:
    source = tarball(files("a.rdf"))
    (container,) = source.containers()

    with container.opened() as file:
        handles = [template.handle for template in source.read(file, "a.rdf").templates()]

    assert handles == ["RePEc:aaa:wpaper:1"]


def test_nothing_is_left_behind_and_nothing_unpacked(tmp_path: Path, tarball: Reader) -> None:
    source = tarball(files("a.rdf", "b/c.rdf"))
    (container, _) = source.containers()
    during = os.listdir(tmp_path)

    source.close()

    assert during == os.listdir(tmp_path) == ["x.tar"]
    with pytest.raises(OSError, match="closed"):
        container.opened()


def test_a_tarball_that_was_closed_in_the_middle_of_a_reading_says_so(tarball: Reader) -> None:
    source = tarball(files("a.rdf"))
    (container,) = source.containers()
    file = container.opened()

    source.close()

    with file, pytest.raises(OSError, match="closed"):
        file.read()


def test_states_of_one_archive_have_the_same_paths(tarball: Reader) -> None:
    one = tarball(files("state-03/RePEc/ten/a.rdf", "state-03/readme"), "1.tar")
    other = tarball(files("RePEc-2019-01-01/RePEc/ten/a.rdf"), "2.tar")
    third = tarball(files("./RePEc/ten/a.rdf", "./RePEc/uva/b.rdf"), "3.tar")

    assert paths(one) == paths(other) == ["ten/a.rdf"]
    assert paths(third) == ["ten/a.rdf", "uva/b.rdf"]


def test_the_name_tells_the_date_before_anything_in_it_does(tarball: Reader) -> None:
    source = tarball(files("a.rdf"), "RePEc-2001-09-09-0146.tar")

    assert source.date == 1_000_000_000 - 40


def test_without_a_date_in_the_name_the_newest_member_tells_it(tarball: Reader) -> None:
    folder = member("a", kind=tarfile.DIRTYPE, modified=MTIME + 3)
    other = member("a/x.pdf", modified=MTIME + 2)

    source = tarball(packed(member("a/x.rdf"), folder, other))

    assert source.date == MTIME + 3


@pytest.mark.parametrize("name", ["x.tar", "2099-01-01.tar"])
def test_no_date_is_of_the_future(tarball: Reader, name: str) -> None:
    tar = packed(member("a.rdf", modified=NOW + 1_000_000))

    assert tarball(tar, name).date == NOW


def test_an_empty_tarball_has_no_date_and_no_containers(tarball: Reader) -> None:
    source = tarball(packed())

    assert (source.date, paths(source), source.unread, source.notes) == (None, [], (), ())


def test_a_source_says_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.tar").write_bytes(files("a.rdf"))

    source = Tarball(Path("x.tar"), tmp_path)
    backfill = Tarball(Path("x.tar"), tmp_path, is_backfill=True)

    assert (source.source, backfill.source) == (RunSource.TARBALL, RunSource.BACKFILL)
    assert source.reference == str(tmp_path / "x.tar")
    source.close()
    backfill.close()


def test_the_reading_is_told_and_can_be_ended(tmp_path: Path) -> None:
    path = tmp_path / "x.tar"
    path.write_bytes(packed(member("a.rdf", bytes(20_000_000))))
    told: list[tuple[int, int]] = []

    def stop(read: int, size: int) -> None:
        told.append((read, size))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Tarball(path, tmp_path, tell=stop)

    ((read, size),) = told
    assert 0 < read < size == path.stat().st_size


def test_long_names_are_read_in_every_format(tarball: Reader) -> None:
    name = "wpaper/" * 40 + "x.rdf"

    gnu = tarball(packed(member(name), form=tarfile.GNU_FORMAT), "1.tar")
    pax = tarball(packed(member(name), form=tarfile.PAX_FORMAT), "2.tar")

    assert contents(gnu) == contents(pax) == {name: BODY}


def test_what_is_no_file_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no tarball"):
        Tarball(tmp_path / "missing.tar", tmp_path)
    with pytest.raises(UsageError, match="There is no tarball"):
        Tarball(tmp_path, tmp_path)
