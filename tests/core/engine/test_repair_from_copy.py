# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is damaged or missing beside WARCs comes back from a copy, proven: journals, objects of the
dark archive, papers. What cannot be repaired is named."""

import asyncio
import hashlib
import shutil
from pathlib import Path

import pytest

from carrel.archive import COPY_LIST_NAME, Archive
from carrel.dark_archive.store_session import StoreSession
from carrel.engine import Engine
from carrel.engine.dark import Dark
from carrel.engine.replication import Repaired
from carrel.errors import ArchiveError
from carrel.model.dark import Purged
from carrel.model.dark_views import GatheringOrder
from carrel.settings.copies import copies_of
from support.archives import carrel, ingest, new_archive
from support.dark_archives import damage, papers, rows, write_tree
from support.schedules import archived, dataset, served
from support.wire import WireServer


@pytest.fixture
def archive(server: WireServer, tmp_path: Path) -> Path:
    archive = archived(tmp_path / "a", served(server, 2), "[limits]\nmax_file_count = 150\n")
    tree, config = tmp_path / "RePEc", tmp_path / "run.conf"
    write_tree(tree, {"aaa/wpaper/a.rdf": papers("Ebb", "Flow")})
    config.write_text(f"min_interval_s = 0\nReDIF_directory = {tree}\nprivate_networks = yes\n")

    async def gather() -> None:
        with Archive.create_or_open(archive) as opened:
            dark = Dark(opened)
            await dark.run(GatheringOrder(config=config, full_texts=False), lambda told: None)
            await dark.close()

    asyncio.run(gather())
    return archive


@pytest.fixture
def copy(archive: Path, tmp_path: Path) -> Path:
    made = carrel("replicate", tmp_path / "copy", "--archive", archive)
    assert made.code == 0, made.out + made.err
    return tmp_path / "copy"


def journal(archive: Path) -> Path:
    (found,) = (archive / "journal").glob("*.jsonl")
    return found


def content(archive: Path) -> tuple[Path, str]:
    """Return an object of the dark archive, and its SHA-256."""
    path, sha256 = rows(archive / "carrel.sqlite", "SELECT path, sha256 FROM content")[0]
    return archive / "dark_archive/archive" / path, sha256


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0x04
    path.write_bytes(data)


def repair(archive: Path, copy: Path) -> list[dict[str, str]]:
    return carrel("repair", "--from", copy, "--archive", archive, "--json").lines


def is_intact(archive: Path) -> bool:
    told = carrel("verify", "--archive", archive)
    return told.code == 0


def test_a_changed_line_of_the_journal_comes_back_and_what_followed_stays(
    archive: Path, copy: Path, server: WireServer
) -> None:
    ingest(archive, dataset(server, "later"))
    sound = journal(archive).read_bytes()
    flip(journal(archive), 200)
    assert not is_intact(archive)

    (done,) = repair(archive, copy)

    assert (done["name"], done["trouble"]) == (f"journal/{journal(archive).name}", "")
    assert journal(archive).read_bytes().startswith(sound)
    assert list((archive / "journal").glob(done["kept_as"]))
    assert is_intact(archive)


def test_a_journal_that_is_gone_comes_back(archive: Path, copy: Path) -> None:
    path = journal(archive)
    sound = path.read_bytes()
    path.unlink()
    (done,) = repair(archive, copy)
    assert (done["name"], done["trouble"]) == (f"journal/{path.name}", "")
    assert path.read_bytes().startswith(sound)
    assert is_intact(archive)


def test_a_journal_of_which_the_copy_lacks_the_end_is_not_called_repaired(
    archive: Path, copy: Path, server: WireServer
) -> None:
    ingest(archive, dataset(server, "later"))
    journal(archive).unlink()
    (done,) = [each for each in repair(archive, copy) if each["name"].startswith("journal")]
    assert "missing here that the ledger has read" in done["trouble"]


def test_a_journal_that_is_damaged_in_both_is_named(archive: Path, copy: Path) -> None:
    flip(journal(archive), 200)
    flip(copy / "journal" / journal(archive).name, 300)
    broken = journal(archive).read_bytes()
    done = repair(archive, copy)
    assert [each["trouble"] for each in done] == ["It is damaged in the copy, too."]
    assert journal(archive).read_bytes().startswith(broken)


def test_damaged_and_missing_objects_of_the_dark_archive_come_back(
    archive: Path, copy: Path
) -> None:
    (path, sha256) = content(archive)
    damage(path, b"Template-Type: something else")
    (done,) = repair(archive, copy)
    assert (done["name"], done["trouble"]) == (path.relative_to(archive).as_posix(), "")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    quarantine = archive / "dark_archive/archive/quarantine"
    assert any(
        each.read_bytes() == b"Template-Type: something else"
        for each in quarantine.rglob("*")
        if each.is_file()
    )
    path.parent.chmod(0o755)
    path.unlink()
    assert [each["trouble"] for each in repair(archive, copy)] == [""]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    assert repair(archive, copy) == []


def faulty(archive: Path) -> list[str]:
    with Archive.open_for_reading(archive) as opened:
        return opened.ledger.dark.contents.faulty()


def test_objects_that_came_back_are_no_longer_called_damaged(archive: Path, copy: Path) -> None:
    (path, sha256) = content(archive)
    damage(path, b"Template-Type: something else")
    assert carrel("dark", "verify", "--archive", archive).code == 1
    assert faulty(archive) == [sha256]

    (done,) = repair(archive, copy)

    assert (archive / done["kept_as"]).read_bytes() == b"Template-Type: something else"
    assert faulty(archive) == []
    assert "1 copy" not in carrel("status", "--archive", archive).out
    assert carrel("dark", "rebuild", "--archive", archive).code == 0
    assert faulty(archive) == []


def test_an_object_that_another_repaired_is_no_longer_called_damaged(
    archive: Path, copy: Path
) -> None:
    (path, _) = content(archive)
    sound = path.read_bytes()
    damage(path, b"Template-Type: something else")
    assert carrel("dark", "verify", "--archive", archive).code == 1
    damage(path, sound)
    assert repair(archive, copy) == []
    assert faulty(archive) == []


def test_an_object_comes_back_also_where_the_journal_cannot_record_it(
    archive: Path, copy: Path
) -> None:
    (path, sha256) = content(archive)
    damage(path, b"Template-Type: something else")
    (written,) = (archive / "dark_archive/archive/journal").glob("*.jsonl")
    flip(written, len(written.read_bytes()) - 100)
    flip(copy / written.relative_to(archive), 150)

    done = repair(archive, copy)

    assert [each["name"] for each in done if not each["trouble"]] == [
        path.relative_to(archive).as_posix()
    ]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == sha256


def bad_objects(archive: Path) -> tuple[str, str]:
    """Have one object be longer, and another gone; return their names."""
    store = archive / "dark_archive/archive"
    found = rows(archive / "carrel.sqlite", "SELECT path FROM content ORDER BY path")
    longer, gone, *_ = (store / path for (path,) in found)
    damage(longer, longer.read_bytes() + b"x")
    gone.parent.chmod(0o755)
    gone.unlink()
    return longer.relative_to(archive).as_posix(), gone.relative_to(archive).as_posix()


def test_objects_that_are_bad_here_are_named_and_make_no_copy_outdated(
    archive: Path, copy: Path
) -> None:
    names = bad_objects(archive)

    told = carrel("replicate", copy, "--archive", archive)

    assert told.code == 1
    for name in names:
        assert f"{name}: It is damaged or missing in this archive. The copy has it" in told.out
    assert len(faulty(archive)) == 2
    (known,) = copies_of(archive)
    assert known.trouble == ""
    assert all(each["trouble"] == "" for each in repair(archive, copy))
    assert carrel("replicate", copy, "--archive", archive).code == 0


def test_what_was_purged_here_and_is_still_in_the_copy_is_told_as_that(
    archive: Path, copy: Path
) -> None:
    gone, sha256 = content(archive)
    with (
        Archive.create_or_open(archive) as opened,
        StoreSession.open(archive / "dark_archive/archive", opened.ledger.dark) as session,
    ):
        session.commit([Purged(1_800_000_000, sha256, "its author asks")])
        session.store.remove(gone.relative_to(archive / "dark_archive/archive").as_posix())
    name = gone.relative_to(archive).as_posix()

    told = carrel("verify", "--copy", copy, "--archive", archive)
    copied = carrel("replicate", copy, "--archive", archive)

    assert (told.code, copied.code) == (0, 0), told.out + copied.out
    assert f"purged in this archive, and still in the copy: {name}." in told.out
    assert "missing" not in told.out
    assert repair(archive, copy) == []
    assert name in (copy / COPY_LIST_NAME).read_text()

    (copy / name).unlink()
    told = carrel("verify", "--copy", copy, "--archive", archive)
    copied = carrel("replicate", copy, "--archive", archive)

    assert (told.code, copied.code) == (0, 0), told.out + copied.out
    assert name not in told.out
    assert name not in (copy / COPY_LIST_NAME).read_text()


def test_a_comparison_records_bad_objects_and_names_what_reads_them(
    archive: Path, copy: Path
) -> None:
    bad_objects(archive)

    told = carrel("verify", "--copy", copy, "--archive", archive)

    assert told.code == 1
    assert "“carrel dark verify” says what is wrong here" in told.out
    assert "“carrel verify”" not in told.out
    assert len(faulty(archive)) == 2
    (known,) = copies_of(archive)
    assert known.trouble == ""


def test_an_object_that_is_bad_here_and_in_the_copy_is_not_copied(
    archive: Path, copy: Path
) -> None:
    longer, _ = bad_objects(archive)
    damage(copy / longer, b"other")

    told = carrel("replicate", copy, "--archive", archive)

    assert told.code == 1
    assert f"{longer}: It is damaged or missing in this archive, and the copy does" in told.out
    assert (copy / longer).read_bytes() == b"other"


def test_an_object_of_another_size_in_the_copy_is_copied_again(archive: Path, copy: Path) -> None:
    path, sha256 = content(archive)
    there = copy / path.relative_to(archive)
    damage(there, b"cut")

    assert carrel("replicate", copy, "--archive", archive).code == 0
    assert hashlib.sha256(there.read_bytes()).hexdigest() == sha256


def test_a_forged_object_in_a_copy_is_not_believed(archive: Path, copy: Path) -> None:
    path, _ = content(archive)
    name = path.relative_to(archive).as_posix()
    forged = b"Template-Type: forged"
    damage(copy / name, forged)
    lines = (copy / "copy-sha256.txt").read_text().splitlines()
    digest = hashlib.sha256(forged).hexdigest()
    kept = [f"{digest}  {name}" if line.endswith(f"  {name}") else line for line in lines]
    (copy / "copy-sha256.txt").write_text("".join(f"{each}\n" for each in kept))
    damage(path, b"damaged here")
    (done,) = repair(archive, copy)
    assert done["trouble"] == "It is damaged in the copy, too."
    assert path.read_bytes() == b"damaged here"


def test_the_journal_of_the_dark_archive_comes_back(archive: Path, copy: Path) -> None:
    (path,) = (archive / "dark_archive/archive/journal").glob("*.jsonl")
    sound = path.read_bytes()
    flip(path, 150)
    (done,) = repair(archive, copy)
    assert (done["name"], done["trouble"]) == (path.relative_to(archive).as_posix(), "")
    assert path.read_bytes() == sound


@pytest.mark.parametrize("damaged", [None, b"\0" * 100, b"\xff\xfe"])
def test_settings_that_are_gone_or_no_text_come_back(
    archive: Path, copy: Path, damaged: bytes | None
) -> None:
    settings = archive / "settings.toml"
    sound = settings.read_bytes()
    settings.unlink()
    if damaged is not None:
        settings.write_bytes(damaged)
    (done,) = repair(archive, copy)
    assert (done["name"], done["trouble"]) == ("settings.toml", "")
    assert settings.read_bytes() == sound
    assert [each.read_bytes() for each in archive.glob("settings.toml.damaged")] == (
        [damaged] if damaged is not None else []
    )


def test_settings_that_someone_changed_stay(archive: Path, copy: Path) -> None:
    (archive / "settings.toml").write_text("[limits]\nmax_file_count = 7\n")
    assert repair(archive, copy) == []
    assert "7" in (archive / "settings.toml").read_text()


def test_nothing_comes_from_the_copy_of_another_archive(
    archive: Path, server: WireServer, tmp_path: Path
) -> None:
    other = new_archive(tmp_path / "other")
    ingest(other, dataset(server, "foreign"))
    (other / "settings.toml").write_text("[schedule]\nverify_days = 3\n")
    assert carrel("replicate", tmp_path / "others", "--archive", other).code == 0
    (archive / "settings.toml").unlink()
    journal(archive).unlink()

    told = carrel("repair", "--from", tmp_path / "others", "--archive", archive)

    assert told.code == 2
    assert "the second copy of another archive" in told.err
    assert not (archive / "settings.toml").exists()
    assert not list((archive / "journal").glob("*.jsonl"))


def test_an_open_archive_takes_nothing_from_the_copy_of_another(
    archive: Path, server: WireServer, tmp_path: Path
) -> None:
    other = new_archive(tmp_path / "other")
    ingest(other, dataset(server, "foreign"))
    place = str(tmp_path / "others")
    assert carrel("replicate", place, "--archive", other).code == 0
    (archive / "settings.toml").unlink()

    async def mend() -> None:
        async with Engine.open(archive) as engine:
            with pytest.raises(ArchiveError, match="copy of another archive"):
                await engine.copies.compare(place, lambda done, total: None)
            with pytest.raises(ArchiveError, match="copy of another archive"):
                await engine.copies.repair(place, lambda done, total: None)
            assert not engine.copies.known()

    asyncio.run(mend())
    assert not (archive / "settings.toml").exists()


def test_a_copy_whose_warcs_and_journal_are_lost_here_is_still_this_archives(
    archive: Path, copy: Path
) -> None:
    for warc in (archive / "collections/main/archive").glob("*.warc.gz"):
        warc.unlink()
    journal(archive).unlink()
    assert all(each["trouble"] == "" for each in repair(archive, copy))
    assert is_intact(archive)


def test_a_journal_that_was_begun_anew_is_not_mixed_with_the_old_one_of_the_copy(
    archive: Path, copy: Path
) -> None:
    assert carrel("rebuild", "--journal", "--archive", archive).code == 0
    assert repair(archive, copy) == []
    sound = journal(archive).read_bytes()
    flip(journal(archive), len(sound) - 300)
    damaged = journal(archive).read_bytes()

    (done,) = repair(archive, copy)

    assert "another journal" in done["trouble"]
    assert journal(archive).read_bytes() == damaged


def test_a_lost_index_is_made_anew(archive: Path, copy: Path) -> None:
    index = archive / "collections/main/indexes/index.cdxj"
    sound = index.read_bytes()
    index.unlink()
    assert carrel("repair", "--from", copy, "--archive", archive).code == 0
    assert index.read_bytes() == sound


def test_an_index_that_was_lost_with_the_ledger_is_made_anew(archive: Path, copy: Path) -> None:
    index = archive / "collections/main/indexes/index.cdxj"
    sound = index.read_bytes()
    shutil.rmtree(archive / "collections")
    (archive / "carrel.sqlite").unlink()
    assert carrel("rebuild", "--archive", archive).code == 1

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 0, told.out
    assert is_intact(archive)
    assert index.read_bytes() == sound


def test_an_open_archive_is_repaired_and_its_journal_goes_on(archive: Path, copy: Path) -> None:
    path, sha256 = content(archive)

    async def repaired() -> list[Repaired]:
        async with Engine.open(archive) as engine:
            flip(journal(archive), 200)
            damage(path, b"Template-Type: something else")
            await engine.dark.verify(lambda told: None)
            done = await engine.copies.repair(str(copy), lambda done, total: None)
            assert not faulty(archive)
            engine.holdings.curation.add_tag([1], "mended")
            return list(done)

    done = asyncio.run(repaired())
    assert [each.trouble for each in done] == ["", ""]
    assert [each.name for each in done] == [
        f"journal/{journal(archive).name}",
        path.relative_to(archive).as_posix(),
    ]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    assert b"mended" in journal(archive).read_bytes()
    assert is_intact(archive)


def test_an_open_archive_whose_repair_is_stopped_lets_go_of_it(archive: Path, copy: Path) -> None:
    async def stopped() -> None:
        async with Engine.open(archive) as engine:
            told, loop = asyncio.Event(), asyncio.get_running_loop()

            def tell(done: int, total: int) -> None:
                loop.call_soon_threadsafe(told.set)

            task = asyncio.ensure_future(engine.copies.repair(str(copy), tell))
            await told.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert not await engine.copies.repair(str(copy), lambda done, total: None)

    asyncio.run(stopped())
    assert is_intact(archive)
