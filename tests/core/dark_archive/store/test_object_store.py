# SPDX-License-Identifier: AGPL-3.0-or-later
"""A store is made, found again, looked through and mended, and is never left by any path."""

import hashlib
import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from carrel.dark_archive.store import Batch, ObjectStore
from carrel.dark_archive.store.file_system_probe import probe
from carrel.errors import ArchiveError
from carrel.model.dark import Content

TIST = 1352481230
FOLDER = "032/184/2531"
HANDLE = "RePEc:aaa:wpaper:1"
PATH = f"{FOLDER}/RePEc%3Aaaa%3Awpaper%3A1"

Put = Callable[[Batch, str, bytes], Content]


def stored(store: ObjectStore, identifier: str, data: bytes, tist: int = TIST) -> str:
    with store.batch(tist) as batch:
        digest = hashlib.sha256(data).hexdigest()
        content = batch.put_bytes(identifier, data, sha256=digest, md5="m")
        batch.place()
    return content.path


def overwrite(store: ObjectStore, path: str, data: bytes) -> None:
    (store.root / path).chmod(0o644)
    (store.root / path).write_bytes(data)


def test_a_store_is_made_once(root: Path) -> None:
    made = ObjectStore.open(root, writing=True)
    again = ObjectStore.open(root, writing=True)

    assert made.is_new
    assert not again.is_new
    assert made.probed == again.probed
    assert made.problem is again.problem is None
    assert sorted(path.name for path in root.iterdir()) == [".incoming", "quarantine", "store.json"]


def test_a_folder_with_a_lock_and_a_journal_to_be_is_empty_enough(root: Path) -> None:
    (root / "journal").mkdir(parents=True)
    (root / ".lock").touch()
    (root / "lost+found").mkdir()

    assert ObjectStore.open(root, writing=True).is_new


def test_a_store_is_not_made_among_other_things(root: Path) -> None:
    root.mkdir()
    (root / "thesis.tex").touch()

    with pytest.raises(ArchiveError, match=r"contains other files \(thesis\.tex"):
        ObjectStore.open(root, writing=True)

    assert [path.name for path in root.iterdir()] == ["thesis.tex"]


def test_a_store_is_not_made_by_reading(root: Path) -> None:
    with pytest.raises(ArchiveError, match="There is no object store"):
        ObjectStore.open(root, writing=False)

    assert not root.exists()


def test_an_empty_folder_is_no_store_to_read(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match=r"it has no store\.json"):
        ObjectStore.open(tmp_path, writing=False)


def test_a_file_is_no_store(root: Path) -> None:
    root.touch()

    with pytest.raises(ArchiveError, match="cannot be opened"):
        ObjectStore.open(root, writing=True)


def test_a_store_is_read_without_being_written_to(store: ObjectStore) -> None:
    path = stored(store, HANDLE, b"text")
    reading = ObjectStore.open(store.root, writing=False)

    assert list(reading.all_files()) == [path]
    assert reading.probed == store.probed


@pytest.mark.parametrize(
    "change",
    [
        lambda store: store.batch(TIST),
        lambda store: store.quarantine(PATH, "why"),
        lambda store: store.sweep(),
        lambda store: store.mend(PATH, io.BytesIO()),
        lambda store: store.write_names(TIST, {}),
        lambda store: store.write_link(TIST, HANDLE, PATH),
    ],
)
def test_who_opened_a_store_for_reading_changes_nothing(
    store: ObjectStore, change: Callable[[ObjectStore], object]
) -> None:
    stored(store, HANDLE, b"text")
    reading = ObjectStore.open(store.root, writing=False)

    with pytest.raises(ArchiveError, match="open for reading only"):
        change(reading)


def description(store: ObjectStore) -> Path:
    return store.root / "store.json"


def test_every_damaged_byte_of_the_description_is_noticed(store: ObjectStore) -> None:
    whole = description(store).read_bytes()
    damaged = [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(len(whole))]

    problems = [problem_with(store, data) for data in [*damaged, whole[:-1], whole + b" ", b""]]

    assert all(problem and "is damaged" in problem for problem in problems)
    assert problem_with(store, whole) is None


def problem_with(store: ObjectStore, data: bytes) -> str | None:
    description(store).write_bytes(data)
    return ObjectStore.open(store.root, writing=False).problem


def test_a_damaged_description_is_kept_and_made_again(
    store: ObjectStore, caplog: pytest.LogCaptureFixture
) -> None:
    path, whole = stored(store, HANDLE, b"text"), description(store).read_bytes()
    description(store).write_bytes(b"{}")

    mended = ObjectStore.open(store.root, writing=True)

    assert mended.problem is not None
    assert not mended.is_new
    assert description(store).read_bytes() == whole
    assert [each.read_bytes() for each in (store.root / "quarantine").glob("store.json*")] == [
        b"{}"
    ]
    assert list(mended.all_files()) == [path]
    assert "is damaged" in caplog.text


def test_a_store_whose_description_is_gone_is_no_new_one(store: ObjectStore) -> None:
    stored(store, HANDLE, b"text")
    description(store).unlink()

    mended = ObjectStore.open(store.root, writing=True)

    assert not mended.is_new
    assert mended.problem is not None
    assert "is missing" in mended.problem


def test_a_journal_makes_a_store_without_objects_an_old_one(root: Path) -> None:
    (root / "journal").mkdir(parents=True)
    (root / "journal" / "2026-01.jsonl").touch()

    assert not ObjectStore.open(root, writing=True).is_new


def test_an_absent_object_is_not_found(store: ObjectStore) -> None:
    with pytest.raises(FileNotFoundError):
        store.fixity(PATH)


@pytest.mark.parametrize(
    "path",
    ["store.json", "../secret", "/etc/passwd", f"{FOLDER}/../../../store.json", "", "a\0b", "."],
)
def test_no_path_leads_to_anything_but_objects(store: ObjectStore, path: str) -> None:
    with pytest.raises(FileNotFoundError):
        store.open_object(path)


@pytest.mark.parametrize("below", ["032", "032/184", FOLDER, PATH])
def test_no_link_is_followed(store: ObjectStore, tmp_path: Path, below: str) -> None:
    stored(store, HANDLE, b"text")
    outside = tmp_path / "outside"
    (store.root / below).rename(outside)
    (store.root / below).symlink_to(outside)

    with pytest.raises(OSError, match=r"symbolic link|Not a directory"):
        store.open_object(PATH)


def test_a_pipe_in_the_place_of_an_object_keeps_nobody_waiting(store: ObjectStore) -> None:
    (store.root / FOLDER).mkdir(parents=True)
    os.mkfifo(store.root / PATH)

    with pytest.raises(OSError, match="not a regular file"):
        store.fixity(PATH)


def test_a_folder_in_the_place_of_an_object_is_none(store: ObjectStore) -> None:
    (store.root / PATH).mkdir(parents=True)

    with pytest.raises(OSError, match="not a regular file"):
        store.fixity(PATH)
    assert list(store.all_files()) == []
    assert list(store.strays()) == [PATH]


def test_objects_tables_and_aliases_are_told_apart(store: ObjectStore) -> None:
    paths = [stored(store, HANDLE, b"text"), stored(store, "http://e.org/" + "a" * 300, b"long")]
    paths.append(stored(store, HANDLE, b"later", TIST + 1))
    store.write_link(TIST, "http://e.org/alias", PATH)
    store.write_link(TIST, "http://e.org/symlink", PATH, symbolic=True)

    assert sorted(store.all_files()) == sorted(paths)
    assert list(store.files_of(TIST)) == sorted(paths[:2])
    assert list(store.files_of(TIST + 9)) == []
    assert list(store.strays()) == []


def test_an_address_that_ends_like_an_alias_is_an_object_all_the_same(store: ObjectStore) -> None:
    path = stored(store, "http://e.org/a.link", b"a text")
    alias = store.write_link(TIST, "http://e.org/a", path)

    assert list(store.files_of(TIST)) == [path]
    assert alias != path


@pytest.mark.parametrize(
    "stray",
    ["notes.txt", "032/notes.txt", "032/184/notes.txt", f"{FOLDER}/notes.txt", "tmp", "0321/a%3A"],
)
def test_what_does_not_belong_is_named_and_can_be_set_aside(store: ObjectStore, stray: str) -> None:
    path = stored(store, HANDLE, b"text")
    (store.root / stray).parent.mkdir(exist_ok=True)
    (store.root / stray).write_bytes(b"stray")

    found = list(store.strays())
    moved = [store.quarantine(each, "nothing lists it") for each in found]

    assert stray.startswith(found[0])
    assert len(found) == 1
    assert (store.root / moved[0]).exists()
    assert list(store.strays()) == []
    assert list(store.all_files()) == [path]


def test_what_file_managers_leave_behind_is_no_matter(store: ObjectStore) -> None:
    stored(store, HANDLE, b"text")
    (store.root / FOLDER / ".DS_Store").touch()
    (store.root / "desktop.ini").touch()

    assert list(store.strays()) == []


def test_what_is_set_aside_is_kept_with_the_reason(store: ObjectStore) -> None:
    path = stored(store, HANDLE, b"text")

    first = store.quarantine(path, "no line of\tthe journal\nlists it")
    stored(store, HANDLE, b"another")
    second = store.quarantine(path, "damaged")

    assert (store.root / first).read_bytes() == b"text"
    assert (store.root / second).read_bytes() == b"another"
    assert (store.root / "quarantine" / "why.tsv").read_text() == (
        f"{first}\tno line of the journal lists it\n{second}\tdamaged\n"
    )
    assert list(store.all_files()) == []


@pytest.mark.parametrize(
    "path", ["store.json", "journal/2026-01.jsonl", ".incoming", "../x", "", "/x", "a/../b", PATH]
)
def test_what_is_no_stray_can_not_be_set_aside(store: ObjectStore, path: str) -> None:
    with pytest.raises(ArchiveError):
        store.quarantine(path, "why")

    assert description(store).exists()


def test_nothing_behind_a_link_is_set_aside(store: ObjectStore, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "thesis.tex").touch()
    (store.root / "032").symlink_to(outside)

    with pytest.raises(ArchiveError, match="is a link"):
        store.quarantine("032/thesis.tex", "why")

    assert list(store.strays()) == ["032"]
    assert [path.name for path in outside.iterdir()] == ["thesis.tex"]


def test_what_an_earlier_process_left_is_swept(store: ObjectStore, tmp_path: Path) -> None:
    batch = store.batch(TIST)
    batch.put_bytes(HANDLE, b"text", sha256="s", md5="m")
    batch.incoming().write_bytes(b"half")
    (store.root / ".incoming" / "link").symlink_to(tmp_path)

    left = ObjectStore.open(store.root, writing=True).sweep()

    assert len(left) == 3
    assert ".incoming/link" in left
    assert list((store.root / ".incoming").iterdir()) == []
    assert tmp_path.exists()
    batch.discard()


@pytest.mark.parametrize("damaged", [b"", b"tex", b"tixt", b"text and more"])
def test_damaged_bytes_are_found_and_put_right(store: ObjectStore, damaged: bytes) -> None:
    path = stored(store, HANDLE, b"text")
    overwrite(store, path, damaged)

    found = store.fixity(path)
    store.mend(path, io.BytesIO(b"text"))

    assert found == (hashlib.sha256(damaged).hexdigest(), len(damaged))
    assert store.fixity(path) == (hashlib.sha256(b"text").hexdigest(), 4)
    assert (store.root / path).stat().st_mode & 0o222 == 0
    assert (store.root / "quarantine" / path).read_bytes() == damaged
    assert store.sweep() == []


def test_missing_bytes_are_put_back(store: ObjectStore) -> None:
    store.mend(PATH, io.BytesIO(b"text"))

    assert list(store.all_files()) == [PATH]
    assert store.fixity(PATH)[1] == 4


@pytest.mark.parametrize("path", ["store.json", "../x", f"{FOLDER}/names.tsv"])
def test_only_objects_are_mended(store: ObjectStore, path: str) -> None:
    with pytest.raises(ArchiveError, match="not the path of an object"):
        store.mend(path, io.BytesIO(b"text"))


def test_a_table_of_names_is_written_anew_without_its_aliases_lost(store: ObjectStore) -> None:
    path, address = stored(store, HANDLE, b"text"), "http://e.org/" + "a" * 300
    alias = store.write_link(TIST, address, path)
    (name,) = store.read_names(TIST)
    assert alias == f"{FOLDER}/{name}"

    store.write_names(TIST, {"x%3A-" + "f" * 64: HANDLE})

    assert store.read_names(TIST) == {"x%3A-" + "f" * 64: HANDLE, name: address}


def test_a_table_that_says_nothing_is_none(store: ObjectStore) -> None:
    stored(store, HANDLE, b"text")
    store.write_names(TIST, {"x": HANDLE})

    store.write_names(TIST, {})

    assert not (store.root / FOLDER / "names.tsv").exists()
    assert store.read_names(TIST) == {}


def test_an_alias_is_a_text_with_a_relative_path(store: ObjectStore) -> None:
    target = stored(store, "http://e.org/b", b"text", TIST - 1)

    path = store.write_link(TIST, "http://e.org/a", target)

    link = store.root / path
    assert path == f"{FOLDER}/http%3A%2F%2Fe.org%2Fa.link"
    assert (link.parent / link.read_text().strip()).resolve() == (store.root / target).resolve()
    assert link.stat().st_mode & 0o222 == 0


def test_an_alias_may_be_a_symlink(store: ObjectStore) -> None:
    target = stored(store, "http://e.org/b", b"text", TIST - 1)

    path = store.write_link(TIST, "http://e.org/a", target, symbolic=True)

    assert os.readlink(store.root / path) == f"../../../{target}"
    assert (store.root / path).read_bytes() == b"text"


@pytest.mark.parametrize("symbolic", [True, False])
def test_an_alias_that_is_there_is_left(store: ObjectStore, symbolic: bool) -> None:
    targets = [stored(store, f"http://e.org/{n}", b"%d" % n) for n in range(2)]
    links = [(TIST, "http://e.org/a", target) for target in (targets[0], *targets)]

    one, same, other = (store.write_link(*link, symbolic=symbolic) for link in links)

    assert one == same
    assert other != one
    assert store.read_names(TIST) == {Path(other).name: "http://e.org/a"}
    assert list(store.strays()) == []


@pytest.mark.parametrize("symbolic", [True, False])
def test_an_alias_leads_to_no_other_alias(store: ObjectStore, symbolic: bool) -> None:
    target = stored(store, "http://e.org/b", b"text")
    alias = store.write_link(TIST, "http://e.org/a", target, symbolic=symbolic)

    with pytest.raises(ArchiveError, match="is not an object"):
        store.write_link(TIST, "http://e.org/c", alias)


@pytest.mark.parametrize("target", ["../../etc/passwd", PATH, "store.json", ""])
def test_an_alias_leads_to_what_is_there(store: ObjectStore, target: str) -> None:
    with pytest.raises(ArchiveError, match="is not an object"):
        store.write_link(TIST, "http://e.org/a", target)


def test_a_symlink_does_not_take_the_name_of_an_object(store: ObjectStore) -> None:
    target = stored(store, "http://e.org/b", b"text")
    alias = store.write_link(TIST, HANDLE, target, symbolic=True)

    path = stored(store, HANDLE, b"text of its own")

    assert path.startswith(f"{alias}-")
    assert (store.root / alias).read_bytes() == b"text"
    assert store.fixity(path)[1] == 15


def test_a_store_is_not_made_on_fat_unless_it_must_be(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def on_fat(place: Path, scratch: Path) -> dict[str, object]:
        return probe(place, scratch) | {"is_fat": True, "file_system": "exfat"}

    monkeypatch.setattr("carrel.dark_archive.store.file_system_probe.probe", on_fat)

    with pytest.raises(ArchiveError, match=r"FAT file system \(exfat\)"):
        ObjectStore.open(root, writing=True)

    assert ObjectStore.open(root, writing=True, force=True).is_new
    assert not ObjectStore.open(root, writing=True).is_new


def test_names_are_as_short_as_the_file_system_needs_them(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "pathconf", lambda path, name: 143)
    store = ObjectStore.open(root, writing=True)

    path = stored(store, "http://e.org/" + "a" * 120, b"text")

    assert len(Path(path).name) <= 128
    assert list(store.read_names(TIST).values()) == ["http://e.org/" + "a" * 120]


def test_a_file_system_with_tiny_names_is_refused(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tiny(place: Path, scratch: Path) -> dict[str, object]:
        return probe(place, scratch) | {"longest_name": 64}

    monkeypatch.setattr("carrel.dark_archive.store.file_system_probe.probe", tiny)

    with pytest.raises(ArchiveError, match="names of at most 64 bytes"):
        ObjectStore.open(root, writing=True)


def test_a_store_that_was_copied_to_where_case_does_not_count_knows_it(
    store: ObjectStore, put: Put
) -> None:
    (store.root / "STORE.JSON").symlink_to("store.json")  # what is seen there
    copied = ObjectStore.open(store.root, writing=True)

    with copied.batch(TIST) as batch:
        one, other = put(batch, "a:B", b"1"), put(batch, "a:b", b"2")

    assert one.path.lower() != other.path.lower()
