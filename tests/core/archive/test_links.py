# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive folder from somebody else has Carrel write and remove nothing in other places."""

from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.errors import ArchiveError
from carrel.mementos.cdxj import CdxjIndex
from carrel.settings import Answer, Answers, in_force

PRECIOUS = b"nobody may lose this"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "archive"
    Archive.create_or_open(path).close()
    return path


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder of the person's, with something in it and in a folder below."""
    folder = tmp_path / "home"
    (folder / "letters").mkdir(parents=True)
    (folder / "letters" / "one").write_bytes(PRECIOUS)
    (folder / "precious").write_bytes(PRECIOUS)
    return folder


def is_untouched(folder: Path) -> bool:
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    kept = {path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return names == ["letters", "letters/one", "precious"] and kept == {PRECIOUS}


def put_in_place(path: Path, target: Path) -> None:
    """Put a link where a folder is, which is moved out of the way."""
    if path.exists():
        path.rename(path.with_name(f"{path.name}.before"))
    path.symlink_to(target)


def accept(archive: Path) -> None:
    Answers().give(archive, in_force(archive).requests, Answer.ACCEPTED)


@pytest.mark.parametrize(
    "part",
    [
        "collections",
        "collections/main",
        "collections/main/archive",
        "collections/main/indexes",
        "journal",
        "dark_archive",
    ],
)
def test_a_part_that_lies_elsewhere_is_not_written_to(
    archive: Path, elsewhere: Path, part: str
) -> None:
    put_in_place(archive / part, elsewhere)

    with pytest.raises(ArchiveError) as error:
        Archive.create_or_open(archive)

    assert str(elsewhere) in str(error.value)
    assert "carrel settings accept" in str(error.value)
    assert is_untouched(elsewhere)


def test_a_part_that_lies_elsewhere_is_written_to_once_that_is_accepted(
    archive: Path, tmp_path: Path
) -> None:
    warcs = tmp_path / "large-disk"
    warcs.mkdir()
    put_in_place(archive / "collections/main/archive", warcs)
    accept(archive)

    with Archive.create_or_open(archive) as opened:
        assert opened.warcs.resolve() == warcs

    (request,) = in_force(archive).requests
    assert (request.name, request.asked) == ("folders.collections/main/archive", str(warcs))


def test_a_part_that_leads_to_another_place_by_now_is_asked_about_again(
    archive: Path, tmp_path: Path, elsewhere: Path
) -> None:
    link = archive / "collections/main/archive"
    put_in_place(link, tmp_path)
    accept(archive)
    link.unlink()
    link.symlink_to(elsewhere)

    with pytest.raises(ArchiveError, match="outside the archive"):
        Archive.create_or_open(archive)


def test_a_link_within_the_archive_is_no_question(archive: Path) -> None:
    put_in_place(archive / "collections/main/archive", archive / "collections/main/warcs")
    (archive / "collections/main/warcs").mkdir()

    Archive.create_or_open(archive).close()

    assert in_force(archive).requests == ()


def test_the_ledger_of_another_archive_is_not_written_to(archive: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    Archive.create_or_open(mine).close()
    before = (mine / "carrel.sqlite").read_bytes()
    put_in_place(archive / "carrel.sqlite", mine / "carrel.sqlite")

    with pytest.raises(ArchiveError, match="outside the archive"):
        Archive.create_or_open(archive)

    assert (mine / "carrel.sqlite").read_bytes() == before


def test_what_is_read_only_may_lie_anywhere(archive: Path, tmp_path: Path) -> None:
    put_in_place(archive / "collections/main/archive", tmp_path)

    with Archive.open_for_reading(archive) as opened:
        assert opened.ledger.captures.count() == 0


def test_a_staging_folder_that_is_a_link_is_never_swept(archive: Path, elsewhere: Path) -> None:
    put_in_place(archive / "staging", elsewhere)
    accept(archive)

    with pytest.raises(ArchiveError, match="a link is not allowed there"):
        Archive.create_or_open(archive)

    assert is_untouched(elsewhere)


@pytest.mark.parametrize(
    "name", ["writer.lock", "writer.json", "unfinished", "20260101T000000-0123456789abcdef"]
)
def test_nothing_in_staging_may_be_a_link(archive: Path, elsewhere: Path, name: str) -> None:
    is_folder = "." not in name
    target = elsewhere if is_folder else elsewhere / "precious"
    put_in_place(archive / "staging" / name, target)

    with pytest.raises(ArchiveError, match="a link is not allowed there"):
        Archive.create_or_open(archive)

    assert is_untouched(elsewhere)


def test_a_link_below_a_folder_of_staging_is_found_too(archive: Path, elsewhere: Path) -> None:
    folder = archive / "staging" / "20260101T000000-0123456789abcdef"
    folder.mkdir()
    (folder / "journal.jsonl").symlink_to(elsewhere / "precious")

    with pytest.raises(ArchiveError, match="a link is not allowed there"):
        Archive.create_or_open(archive)

    assert is_untouched(elsewhere)


@pytest.mark.parametrize("name", ["README.txt", "collections.yaml"])
def test_a_file_that_is_missing_behind_a_link_is_made_in_the_archive(
    archive: Path, tmp_path: Path, name: str
) -> None:
    (archive / name).unlink()
    (archive / name).symlink_to(tmp_path / "not-there")

    Archive.create_or_open(archive).close()

    assert not (tmp_path / "not-there").exists()
    assert not (archive / name).is_symlink()


def test_the_index_is_written_beside_no_link(tmp_path: Path, elsewhere: Path) -> None:
    index = CdxjIndex(tmp_path / "indexes")
    index.folder.mkdir()
    (index.folder / "index.cdxj.tmp").symlink_to(elsewhere / "precious")

    index.replace([b"a 20200101000000 {}\n"])

    assert index.path.read_bytes() == b"a 20200101000000 {}\n"
    assert is_untouched(elsewhere)


def test_what_is_noted_of_a_verification_follows_no_link(archive: Path, elsewhere: Path) -> None:
    put_in_place(archive / "staging", elsewhere)

    with (
        Archive.open_for_reading(archive) as opened,
        pytest.raises(ArchiveError, match="a link is not allowed there"),
        opened.ledger_for_writing(),
    ):
        raise AssertionError("it was given")

    assert is_untouched(elsewhere)
