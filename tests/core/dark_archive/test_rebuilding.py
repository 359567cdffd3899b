# SPDX-License-Identifier: AGPL-3.0-or-later
"""Making the ledger again, and mending what can be mended."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from carrel.archive import LEDGER_NAME, Archive
from carrel.dark_archive.place import remember_store, store_root
from carrel.engine.dark.ledger_file import sound_archive
from carrel.engine.dark.verification import rebuild
from carrel.errors import ArchiveError, ArchiveLocked, UsageError
from carrel.ledger import connection
from carrel.model.dark_views import RunProgress
from support.dark_archives import (
    OF_CHECKS,
    World,
    checked,
    damage,
    handle,
    papers,
    rebuilt,
    tables,
    template,
)


@pytest.fixture
def known(world: World) -> World:
    """A world with a few runs, whose ledger is closed."""
    world.gather_files(a=papers("Ebb", "Flow"), b=template(handle(1), "Ebb II"))
    world.gather_files(a=papers("Ebb, revised", "Flow"), b=template(handle(1), "Ebb II"))
    world.gather_files(b=template(handle(1), "Ebb II"), c=papers("Rip", series="other"))
    world.ledger.close()
    return world


class Interrupted(Exception):
    pass


@pytest.mark.parametrize("after", [1, 2, 5, 9])
def test_a_rebuild_that_is_broken_off_is_gone_on_with(known: World, after: int) -> None:
    before = tables(known.archive / "carrel.sqlite")
    told: list[RunProgress] = []

    def tell(progress: RunProgress) -> None:
        told.append(progress)
        if len(told) == after:
            raise Interrupted

    with pytest.raises(Interrupted), Archive.create_or_open(known.archive) as archive:
        rebuild(archive, tell)

    with World(known.folder) as again:
        again.keeping().close()
    assert tables(known.archive / "carrel.sqlite") == before


def test_a_template_that_came_to_speak_is_mended_from_the_file_it_stands_in(known: World) -> None:
    stored = [each for each in known.store.glob("*/*/*/RePEc*") if b"Ebb II" in each.read_bytes()]
    damage(stored[0], b"x")

    done = rebuilt(known.archive)

    assert len(stored) == 1
    assert done.faults == ()
    assert checked(known.archive).faults == ()


def test_what_can_not_be_had_again_is_not_promised(known: World) -> None:
    """Both what a template was and the file it stood in are damaged; the source went on."""
    olds = [
        each for each in known.store.glob("*/*/*/*%3A*") if b"Title: Ebb\n" in each.read_bytes()
    ]
    damage(olds[0], b"x")
    damage(olds[1], b"x")

    faults = checked(known.archive).faults

    assert len(olds) == 2
    assert [(each.what, each.can_be_mended) for each in faults] == [("damaged", False)] * 2


def test_the_rows_of_a_rebuilt_ledger_are_the_very_same(known: World) -> None:
    before = tables(known.archive / "carrel.sqlite")

    rebuilt(known.archive)

    after = tables(known.archive / "carrel.sqlite", OF_CHECKS | {"journal_group"})
    assert after == {name: before[name] for name in after}


def test_a_folder_in_the_place_of_the_ledger_stays_where_it_is(known: World) -> None:
    for part in known.archive.glob(f"{LEDGER_NAME}*"):
        part.unlink()
    (known.archive / LEDGER_NAME).mkdir()

    with pytest.raises(ArchiveError, match=f"{LEDGER_NAME} is a folder"):
        rebuilt(known.archive)

    assert [part.name for part in known.archive.glob(f"{LEDGER_NAME}*")] == [LEDGER_NAME]


@pytest.mark.parametrize("ask", [checked, rebuilt])
def test_where_no_run_was_made_there_is_nothing_to_check(
    tmp_path: Path, ask: Callable[[Path], object]
) -> None:
    Archive.create_or_open(tmp_path).close()
    (tmp_path / "dark_archive").mkdir()

    with pytest.raises(UsageError, match="carrel dark run"):
        ask(tmp_path)


def test_the_store_is_where_it_was_configured_once(tmp_path: Path) -> None:
    usual = store_root(tmp_path)

    remember_store(tmp_path, tmp_path / "elsewhere")
    remember_store(tmp_path, tmp_path / "elsewhere")

    assert usual == tmp_path / "dark_archive" / "archive"
    assert store_root(tmp_path) == tmp_path / "elsewhere"


def test_a_second_store_behind_one_ledger_is_refused(known: World) -> None:
    with pytest.raises(ArchiveError, match=r"object_store\.txt"):
        remember_store(known.archive, known.folder / "elsewhere")

    assert store_root(known.archive) == known.store


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xfe"])
def test_a_pointer_to_the_store_that_says_nothing_is_told(tmp_path: Path, content: bytes) -> None:
    remember_store(tmp_path, tmp_path / "elsewhere")
    (tmp_path / "dark_archive" / "object_store.txt").write_bytes(content)

    with pytest.raises(ArchiveError, match="object_store"):
        store_root(tmp_path)


def test_a_ledger_that_another_program_holds_is_not_set_aside_as_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Archive.create_or_open(tmp_path).close()
    (tmp_path / "dark_archive").mkdir()
    monkeypatch.setitem(connection._SHARED, "timeout", 0.1)
    before = {path.name for path in tmp_path.iterdir()}

    with closing(sqlite3.connect(tmp_path / "carrel.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with (
            pytest.raises(ArchiveLocked, match="another program has locked it"),
            sound_archive(tmp_path),
        ):
            pass

    assert {path.name for path in tmp_path.iterdir()} == before
