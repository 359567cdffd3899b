# SPDX-License-Identifier: AGPL-3.0-or-later
"""Objects come into being whole, under a name that is settled beforehand, and stay as they are."""

import errno
import hashlib
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.dark_archive.store import Batch, ObjectStore, disk
from carrel.dark_archive.store.file_system import FileSystem
from carrel.errors import ArchiveError, ArchiveFull
from carrel.model.dark import Content

TIST = 1352481230
FOLDER = "032/184/2531"
HANDLE = "RePEc:aaa:wpaper:1"
NAME = "RePEc%3Aaaa%3Awpaper%3A1"
LONG = "http://e.org/" + "a" * 300

Put = Callable[[Batch, str, bytes], Content]


@pytest.fixture(params=["hard links", "no hard links"])
def file_system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the file system has, or has not."""
    kind: str = request.param
    if kind == "no hard links":
        monkeypatch.setattr(os, "link", fail_with(errno.EPERM))
    return kind


def simple_put(batch: Batch, identifier: str, data: bytes) -> Content:
    sha256, md5 = hashlib.sha256(data).hexdigest(), hashlib.md5(data).hexdigest()
    return batch.put_bytes(identifier, data, sha256=sha256, md5=md5)


def seen(root: Path) -> dict[str, bytes]:
    """Return everything that can be seen below the folders of a store."""
    files = (path for path in root.glob("[0-9]*/**/*") if path.is_file())
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


def fail_with(number: int) -> Callable[..., None]:
    def fail(*given: object, **named: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def ground_of(store: ObjectStore) -> FileSystem:
    return store._ground


def test_nothing_can_be_seen_before_it_is_placed(store: ObjectStore, put: Put) -> None:
    batch = store.batch(TIST)

    content = put(batch, HANDLE, b"text")

    assert seen(store.root) == {}
    assert batch.count == 1
    batch.place()
    assert seen(store.root) == {content.path: b"text"}
    assert batch.count == 0


def test_a_content_says_where_and_what_it_is(store: ObjectStore) -> None:
    with store.batch(TIST) as batch:
        content = batch.put_bytes(HANDLE, b"text", sha256="s", md5="m", media="text/plain")

    assert content == Content("s", "m", 4, f"{FOLDER}/{NAME}", "text/plain")


def test_an_object_can_be_read_by_its_path(store: ObjectStore, put: Put) -> None:
    batch = store.batch(TIST)
    content = put(batch, HANDLE, b"text")
    batch.place()

    with store.open_object(content.path) as file:
        data = file.read()

    assert data == b"text"
    assert store.fixity(content.path) == (content.sha256, 4)


def test_an_object_may_be_empty(store: ObjectStore, put: Put) -> None:
    batch = store.batch(TIST)
    content = put(batch, HANDLE, b"")
    batch.place()

    assert store.fixity(content.path) == (hashlib.sha256().hexdigest(), 0)


def test_an_object_is_read_only(store: ObjectStore, put: Put) -> None:
    batch = store.batch(TIST)
    content = put(batch, HANDLE, b"text")
    batch.place()

    assert (store.root / content.path).stat().st_mode & 0o222 == 0


def test_a_file_is_moved_and_not_copied(store: ObjectStore) -> None:
    batch = store.batch(TIST)
    staged = batch.incoming()
    staged.write_bytes(b"text")
    number = staged.stat().st_ino

    content = batch.put_file(HANDLE, staged, sha256="s", md5="m", size=4)
    batch.place()

    assert not staged.exists()
    assert (store.root / content.path).stat().st_ino == number


def test_a_file_of_another_size_than_was_told_is_refused(store: ObjectStore) -> None:
    batch = store.batch(TIST)
    staged = batch.incoming()
    staged.write_bytes(b"text")

    with pytest.raises(ArchiveError, match="5 bytes long"):
        batch.put_file(HANDLE, staged, sha256="s", md5="m", size=5)

    batch.place()
    assert seen(store.root) == {}
    assert staged.read_bytes() == b"text"
    assert simple_put(batch, HANDLE, b"again").path == f"{FOLDER}/{NAME}"


@pytest.mark.usefixtures("file_system")
def test_objects_are_added_to_a_folder_that_is_there(store: ObjectStore, put: Put) -> None:
    first = store.batch(TIST)
    simple_put(first, HANDLE, b"one")
    first.place()

    second = store.batch(TIST)
    put(second, "RePEc:aaa:wpaper:2", b"two")
    second.place()

    assert seen(store.root) == {
        f"{FOLDER}/{NAME}": b"one",
        f"{FOLDER}/RePEc%3Aaaa%3Awpaper%3A2": b"two",
    }
    assert list(store.root.joinpath(".incoming").iterdir()) == []


def test_one_batch_can_be_placed_again_and_again(store: ObjectStore, put: Put) -> None:
    batch = store.batch(TIST)
    put(batch, HANDLE, b"one")
    batch.place()
    put(batch, "RePEc:aaa:wpaper:2", b"two")
    batch.place()
    batch.place()

    assert sorted(seen(store.root).values()) == [b"one", b"two"]
    assert list(store.files_of(TIST)) == [
        f"{FOLDER}/{NAME}",
        f"{FOLDER}/RePEc%3Aaaa%3Awpaper%3A2",
    ]


def test_the_same_bytes_of_the_same_object_are_one_content(store: ObjectStore, put: Put) -> None:
    batch = store.batch(TIST)

    one, other = put(batch, HANDLE, b"text"), put(batch, HANDLE, b"text")
    batch.place()
    later = put(store.batch(TIST), HANDLE, b"text")

    assert one == other == later
    assert list(seen(store.root)) == [one.path]


def test_other_bytes_of_the_same_object_get_a_further_name(store: ObjectStore, put: Put) -> None:
    batch = store.batch(TIST)
    one, other = put(batch, HANDLE, b"one"), put(batch, HANDLE, b"other")
    batch.place()
    later = store.batch(TIST)
    third = put(later, HANDLE, b"third")
    later.place()

    assert one.path == f"{FOLDER}/{NAME}"
    assert other.path == f"{FOLDER}/{NAME}-{other.sha256}"
    assert third.path == f"{FOLDER}/{NAME}-{third.sha256}"
    names = {Path(each.path).name: HANDLE for each in (other, third)}
    assert store.read_names(TIST) == names
    assert {store.fixity(each.path)[0] for each in (one, other, third)} == {
        one.sha256,
        other.sha256,
        third.sha256,
    }


def test_a_further_name_that_is_taken_gets_a_number(store: ObjectStore) -> None:
    batch = store.batch(TIST)
    digest = hashlib.sha256(b"two").hexdigest()
    simple_put(batch, HANDLE, b"one")
    simple_put(batch, f"{HANDLE}-{digest}", b"a trap")

    content = simple_put(batch, HANDLE, b"two")

    assert content.path == f"{FOLDER}/{NAME}-{digest}-2"
    assert simple_put(batch, HANDLE, b"two") == content


def test_names_that_differ_in_case_alone_do_not_meet(root: Path, put: Put) -> None:
    ignoring = replace(ground_of(ObjectStore.open(root, writing=True)), ignores_case=True)
    batch = Batch(ignoring, TIST)

    upper = put(batch, "http://e.org/A", b"upper")
    lower = put(batch, "http://e.org/a", b"lower")
    batch.place()
    later = Batch(ignoring, TIST)
    again = put(later, "http://e.org/a", b"later")
    later.place()

    assert upper.path == f"{FOLDER}/http%3A%2F%2Fe.org%2FA"
    assert lower.path == f"{FOLDER}/http%3A%2F%2Fe.org%2Fa-{lower.sha256}"
    assert again.path == f"{FOLDER}/http%3A%2F%2Fe.org%2Fa-{again.sha256}"


def test_a_name_that_does_not_say_all_stands_in_the_table(store: ObjectStore, put: Put) -> None:
    batch = store.batch(TIST)
    put(batch, HANDLE, b"short")
    content = put(batch, LONG, b"long")
    batch.place()

    assert store.read_names(TIST) == {Path(content.path).name: LONG}
    assert len(Path(content.path).name) == 165
    assert list(store.files_of(TIST)) == [f"{FOLDER}/{NAME}", content.path]


def test_a_table_is_added_to(store: ObjectStore, put: Put) -> None:
    for address in (LONG, LONG + "b"):
        batch = store.batch(TIST)
        put(batch, address, b"long")
        batch.place()

    assert sorted(store.read_names(TIST).values()) == [LONG, LONG + "b"]


def test_what_is_discarded_leaves_nothing(store: ObjectStore, put: Put) -> None:
    batch = store.batch(TIST)
    put(batch, HANDLE, b"text")
    batch.incoming().write_bytes(b"half of")

    batch.discard()
    batch.place()

    assert seen(store.root) == {}
    assert list((store.root / ".incoming").iterdir()) == []


def test_leaving_a_batch_keeps_what_was_placed_and_no_more(store: ObjectStore, put: Put) -> None:
    with store.batch(TIST) as batch:
        put(batch, HANDLE, b"text")
        batch.place()
        put(batch, "RePEc:aaa:wpaper:2", b"too late")

    assert seen(store.root) == {f"{FOLDER}/{NAME}": b"text"}


def test_a_discarded_name_is_free_again(store: ObjectStore, put: Put) -> None:
    batch = store.batch(TIST)
    put(batch, HANDLE, b"one")
    batch.discard()

    content = put(batch, HANDLE, b"other")

    assert content.path == f"{FOLDER}/{NAME}"


def test_placing_lets_a_file_go_on_that_is_still_streamed(store: ObjectStore) -> None:
    batch = store.batch(TIST)
    staged = batch.incoming()
    staged.write_bytes(b"half")
    simple_put(batch, HANDLE, b"text")
    batch.place()

    with staged.open("ab") as file:
        file.write(b" of it")
    batch.put_file("http://e.org/", staged, sha256="s", md5="m", size=10)
    batch.place()

    assert sorted(seen(store.root).values()) == [b"half of it", b"text"]


@pytest.mark.usefixtures("file_system")
def test_nothing_that_is_there_is_overwritten(store: ObjectStore, put: Put) -> None:
    batch = store.batch(TIST)
    put(batch, HANDLE, b"ours")
    place = store.root / FOLDER
    place.mkdir(parents=True)
    (place / NAME).write_bytes(b"somebody else's")

    with pytest.raises(ArchiveError, match="by another program"):
        batch.place()

    assert seen(store.root) == {f"{FOLDER}/{NAME}": b"somebody else's"}


def test_the_same_bytes_that_came_there_in_between_are_accepted(
    store: ObjectStore, put: Put
) -> None:
    one, other = store.batch(TIST), store.batch(TIST)
    put(one, HANDLE, b"text")
    put(other, HANDLE, b"text")

    one.place()
    other.place()

    assert seen(store.root) == {f"{FOLDER}/{NAME}": b"text"}
    assert list((store.root / ".incoming").iterdir()) == []


@pytest.mark.parametrize("below", ["032", "032/184", FOLDER])
def test_a_link_in_the_place_of_a_folder_is_not_followed(
    store: ObjectStore, tmp_path: Path, below: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (store.root / below).parent.mkdir(parents=True, exist_ok=True)
    (store.root / below).symlink_to(outside)
    batch = store.batch(TIST)
    simple_put(batch, HANDLE, b"text")

    with pytest.raises(ArchiveError, match="a link or a file is"):
        batch.place()

    assert list(outside.iterdir()) == []


def test_a_full_disk_is_told_and_what_was_staged_before_can_be_placed(
    store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = store.batch(TIST)
    simple_put(batch, HANDLE, b"fits")

    with monkeypatch.context() as full:
        full.setattr(os, "write", fail_with(errno.ENOSPC))
        with pytest.raises(ArchiveFull, match="the disk is full"):
            simple_put(batch, "RePEc:aaa:wpaper:2", b"does not")
    batch.place()

    assert seen(store.root) == {f"{FOLDER}/{NAME}": b"fits"}
    assert simple_put(batch, "RePEc:aaa:wpaper:2", b"does").path.endswith("3A2")


def test_a_disk_that_takes_a_part_only_is_given_the_rest(
    store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    batch = store.batch(TIST)

    with monkeypatch.context() as slow:
        slow.setattr(os, "write", lambda handle, data: write(handle, data[:3]))
        content = simple_put(batch, HANDLE, b"a text in pieces")
    batch.place()

    assert (store.root / content.path).read_bytes() == b"a text in pieces"


def test_bytes_that_may_not_have_reached_the_disk_are_never_placed(
    store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = replace(ground_of(store), whole_sync=fail_with(errno.EIO))
    batch = Batch(failing, TIST)
    simple_put(batch, HANDLE, b"text")

    with pytest.raises(ArchiveError, match="error"):
        batch.place()
    with pytest.raises(ArchiveError, match="may not have reached the disk"):
        batch.place()
    batch.discard()

    assert seen(store.root) == {}
    assert list((store.root / ".incoming").iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for this user")
def test_a_store_that_may_not_be_written_to_is_told(store: ObjectStore) -> None:
    store.root.joinpath(".incoming").chmod(0o500)

    with pytest.raises(ArchiveError, match="Check that you have write permission there"):
        simple_put(store.batch(TIST), HANDLE, b"text")


def test_a_refusal_of_the_system_says_what_to_check(
    store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "mkdir", fail_with(errno.EROFS))

    with pytest.raises(ArchiveError, match="Check that you have write permission there"):
        simple_put(store.batch(TIST), HANDLE, b"text")


def test_bytes_are_on_the_disk_before_they_get_their_names(
    store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    whole = replace(ground_of(store), whole_sync=lambda handle: told.append(str(seen(store.root))))
    monkeypatch.setattr(
        disk, "sync_folder", lambda folder: told.append(str(Path(folder).relative_to(store.root)))
    )
    batch = Batch(whole, TIST)
    simple_put(batch, HANDLE, b"text")

    batch.place()

    assert told == ["{}", FOLDER, "032/184", "032", "."]


def test_where_no_call_syncs_all_each_file_is_synced(
    store: ObjectStore, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[bytes] = []
    batch = Batch(replace(ground_of(store), whole_sync=None), TIST)
    monkeypatch.setattr(os, "fsync", lambda handle: told.append(os.pread(handle, 99, 0)))
    monkeypatch.setattr(disk, "NEW_FILE", os.O_RDWR | os.O_CREAT | os.O_EXCL)

    put(batch, HANDLE, b"text")

    assert told == [b"text"]


def test_a_file_system_that_moves_no_folders_gets_files_one_by_one(
    store: ObjectStore, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = store.batch(TIST)
    content = put(batch, LONG, b"text")

    monkeypatch.setattr(Path, "rename", fail_with(errno.EXDEV))
    batch.place()

    assert seen(store.root)[content.path] == b"text"
    assert store.read_names(TIST) == {Path(content.path).name: LONG}
    assert list((store.root / ".incoming").iterdir()) == []


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="only Linux tells its handles")
def test_handles_are_not_left_open(store: ObjectStore, put: Put) -> None:
    before = len(os.listdir("/proc/self/fd"))

    for number in range(5):
        with store.batch(TIST + number) as batch:
            put(batch, HANDLE, b"text")
            batch.place()
            batch.incoming()

    assert len(os.listdir("/proc/self/fd")) == before


def test_two_thousand_objects_are_kept_as_they_came(store: ObjectStore) -> None:
    batch = store.batch(TIST)
    contents = [simple_put(batch, f"RePEc:a:b:{n}", b"%d" % n) for n in range(2000)]
    batch.place()

    assert [store.fixity(content.path)[0] for content in contents] == [
        content.sha256 for content in contents
    ]
    assert sum(1 for _ in store.files_of(TIST)) == 2000


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_system_that_opens_by_whole_paths_only_is_served_too(
    store: ObjectStore, put: Put, monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    monkeypatch.setattr(os, "supports_dir_fd", set())

    for number in range(rounds):
        with store.batch(TIST) as batch:
            content = put(batch, f"RePEc:aaa:wpaper:{number}", b"text")
            batch.place()

    assert store.fixity(content.path) == (content.sha256, 4)
    (store.root / FOLDER).rename(store.root / "moved")
    (store.root / FOLDER).symlink_to(store.root / "moved")
    with pytest.raises(OSError, match="there is a link on the path"):
        store.fixity(content.path)


def test_files_are_streamed_to_where_they_can_be_moved_from(store: ObjectStore) -> None:
    batch = store.batch(TIST)

    assert batch.incoming().parent == store.root / ".incoming"
    assert batch.incoming() != batch.incoming()
