# SPDX-License-Identifier: AGPL-3.0-or-later
"""Damage of store, journal and ledger: named by `verify`, put right by `rebuild` if it can be."""

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from carrel.ledger.dark.schema import DERIVED
from support.archives import carrel
from support.dark_archives import OF_CHECKS, checked, damage, furnish, rebuilt, rows, tables
from support.wire import WireServer

STORE = "dark_archive/archive"
LEDGER = "carrel.sqlite"
LAST = "lines = (SELECT max(lines) FROM journal_group)"


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An archive that nobody changes; its source lies beside it."""
    with WireServer() as server:
        yield furnish(tmp_path_factory.mktemp("furnished"), server)


@pytest.fixture
def archive(furnished: Path, tmp_path: Path) -> Path:
    """A copy of it, to be damaged."""
    return Path(shutil.copytree(furnished, tmp_path / "archive"))


def objects(archive: Path, sql: str) -> list[Path]:
    found = rows(archive / LEDGER, f"SELECT path FROM content WHERE purged IS NULL AND {sql}")
    return [archive / STORE / path for (path,) in found]


def first_template(archive: Path) -> Path:
    return objects(archive, "path LIKE '%RePEc%3Aaaa%3Awpaper%3A2'")[0]


def last_container(archive: Path) -> Path:
    """Return the file of templates that its source still has."""
    return objects(archive, "path LIKE '%redif%b.rdf'")[0]


def first_container(archive: Path) -> Path:
    """Return the file of templates that its source has no more."""
    return objects(archive, "path LIKE '%redif%a.rdf'")[0]


def full_text(archive: Path) -> Path:
    return objects(archive, "path LIKE '%there.pdf'")[0]


def description(archive: Path) -> Path:
    return archive / STORE / "store.json"


def names_table(archive: Path) -> Path:
    return next((archive / STORE).glob("*/*/*/names.tsv"))


def flip(path: Path) -> None:
    data = path.read_bytes()
    damage(path, data[:5] + bytes([data[5] ^ 1]) + data[6:])


def cut(path: Path) -> None:
    damage(path, path.read_bytes()[:-3])


def remove(path: Path) -> None:
    path.unlink()


def state(archive: Path) -> dict[str, list[object]]:
    """Return every row but those that checks add to."""
    return tables(archive / LEDGER, OF_CHECKS | {"journal_group"})


def assert_rebuilt(archive: Path, furnished: Path) -> None:
    """Assert that a rebuild puts everything right, and back as it was."""
    done = rebuilt(archive)
    assert done.faults == ()
    assert checked(archive).faults == ()
    assert state(archive) == state(furnished)


def test_a_sound_archive_has_no_fault_and_all_of_it_is_read(archive: Path) -> None:
    found = checked(archive)

    assert found.faults == ()
    assert found.contents == len(objects(archive, "true"))
    assert found.entries > 20


@pytest.mark.parametrize("harm", [flip, cut, remove])
@pytest.mark.parametrize("find", [first_template, last_container, description, names_table])
def test_what_can_be_had_again_of_the_store_is_named_and_put_right(
    archive: Path, furnished: Path, find: Callable[[Path], Path], harm: Callable[[Path], None]
) -> None:
    path = find(archive)
    harm(path)

    (fault,) = checked(archive).faults

    assert (fault.where, fault.can_be_mended) == ("store", True)
    assert fault.name == path.relative_to(archive / STORE).as_posix()
    assert_rebuilt(archive, furnished)


@pytest.mark.parametrize("harm", [flip, cut, remove])
@pytest.mark.parametrize("find", [full_text, first_container])
def test_what_can_not_be_had_again_stays_named(
    archive: Path, find: Callable[[Path], Path], harm: Callable[[Path], None]
) -> None:
    path = find(archive)
    harm(path)

    (fault,) = checked(archive).faults
    done = rebuilt(archive)

    assert (fault.where, fault.can_be_mended) == ("store", False)
    assert fault.name == path.relative_to(archive / STORE).as_posix()
    assert [(each.where, each.name) for each in done.faults] == [("store", fault.name)]


def test_a_template_is_mended_from_a_file_that_was_damaged_as_well(
    archive: Path, furnished: Path
) -> None:
    stored = objects(archive, "path LIKE '%RePEc%long%'")
    container = last_container(archive)
    flip(stored[0])
    flip(container)

    assert_rebuilt(archive, furnished)


def test_what_nothing_names_is_set_aside_and_not_removed(archive: Path, furnished: Path) -> None:
    stranger = last_container(archive).with_name("RePEc%3Azzz")
    stranger.write_bytes(b"not ours")

    (fault,) = checked(archive).faults
    assert_rebuilt(archive, furnished)

    assert (fault.where, fault.what) == ("store", "stranger")
    kept = [each.read_bytes() for each in (archive / STORE / "quarantine").rglob("RePEc*zzz")]
    assert kept == [b"not ours"]


def journal_of(archive: Path) -> list[Path]:
    return sorted((archive / STORE / "journal").glob("*.jsonl"))


def lines_of(archive: Path) -> list[tuple[Path, int]]:
    return [
        (path, number)
        for path in journal_of(archive)
        for number in range(len(path.read_bytes().splitlines()))
    ]


def change_line(archive: Path, at: float, change: Callable[[bytes], bytes]) -> Path:
    """Change a line of the journal; `at` says how far down it stands, from 0 to 1."""
    found = lines_of(archive)
    path, number = found[round(at * (len(found) - 1))]
    lines = path.read_bytes().splitlines(keepends=True)
    lines[number] = change(lines[number])
    path.write_bytes(b"".join(lines))
    return path


def changed_digit(line: bytes) -> bytes:
    at = len(line) // 2
    return line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]


def without_its_end(line: bytes) -> bytes:
    return line[:-1]


def nothing(line: bytes) -> bytes:
    return b""


def twice(line: bytes) -> bytes:
    return line + line


@pytest.mark.parametrize("change", [changed_digit, without_its_end, nothing, twice])
@pytest.mark.parametrize("at", [0, 0.1, 0.5, 0.9, 0.97, 1])
def test_a_line_of_the_journal_is_named_and_put_back(
    archive: Path, furnished: Path, change: Callable[[bytes], bytes], at: float
) -> None:
    before = [each.read_bytes() for each in journal_of(archive)]
    path = change_line(archive, at, change)

    faults = checked(archive).faults

    assert {(each.where, each.name) for each in faults} == {("journal", path.name)}
    assert all(each.can_be_mended for each in faults)
    assert_rebuilt(archive, furnished)
    after = [each.read_bytes() for each in journal_of(archive)]
    assert [new.startswith(old) for old, new in zip(before, after, strict=True)] == [True] * 2


def test_a_journal_that_is_gone_is_put_back(archive: Path, furnished: Path) -> None:
    shutil.rmtree(archive / STORE / "journal")
    (archive / STORE / "journal").mkdir()

    faults = checked(archive).faults

    assert {each.where for each in faults} == {"journal"}
    assert_rebuilt(archive, furnished)


def test_a_line_that_nothing_has_again_stays_named_and_nothing_else_is_touched(
    archive: Path, furnished: Path
) -> None:
    """The journal is damaged, and the ledger's copy of the same lines too."""
    change_line(archive, 0.3, changed_digit)
    sql(archive, "UPDATE journal_group SET packed = x'00'")

    done = rebuilt(archive)

    assert "journal" in {each.where for each in done.faults}
    assert state(archive) == state(furnished)
    assert not list((archive / STORE / "quarantine").rglob("RePEc*"))


def test_a_journal_and_a_ledger_damaged_at_different_places_make_up_for_each_other(
    archive: Path, furnished: Path
) -> None:
    change_line(archive, 0.3, changed_digit)
    sql(archive, f"UPDATE journal_group SET packed = x'00' WHERE {LAST}")

    assert checked(archive).faults
    assert_rebuilt(archive, furnished)


def sql(archive: Path, statement: str) -> None:
    with closing(sqlite3.connect(archive / LEDGER)) as connection, connection:
        assert connection.execute(statement).rowcount


CHANGES = {
    "opening": "reason = 'none'",
    "purge": "reason = 'none'",
    "fixity": "result = 'missing'",
    "fixity_run": "contents = contents + 1",
    "archive_missed": "pending = pending + 1",
    "occurrence": "text_md5 = 'x'",
    "reading": "sha256 = 'x'",
    "pending": "cause = 'x'",
    "probe": "n = n + 1",
    "redirect": "status = 307",
    "refipo": "raw_url = raw_url || 'x'",
    "incidence": "cause = 'x'",
    "version": "text_md5 = 'x'",
    "container": "encoding = 'x'",
    "content": "size = size + 1",
    "obi": "ident = ident || 'x'",
    "run": "wall_clock = 'x'",
    "object_store": "probed = '{}'",
}


@pytest.mark.parametrize("table", DERIVED)
def test_a_changed_row_is_named_with_its_table(archive: Path, furnished: Path, table: str) -> None:
    sql(archive, f"UPDATE {table} SET {CHANGES[table]}")

    faults = checked(archive).faults

    assert [(each.where, each.name) for each in faults] == [("ledger", table)]
    assert_rebuilt(archive, furnished)


@pytest.mark.parametrize("table", ["opening", "occurrence", "incidence", "content", "object_store"])
def test_missing_rows_are_named_with_their_table(
    archive: Path, furnished: Path, table: str
) -> None:
    sql(archive, f"DELETE FROM {table}")

    faults = checked(archive).faults

    assert [(each.where, each.name) for each in faults] == [("ledger", table)]
    assert_rebuilt(archive, furnished)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE journal_group SET packed = x'00'",
        "UPDATE journal_group SET offset = offset + 1 WHERE lines = 2",
        f"UPDATE journal_group SET sha256 = 'x' WHERE {LAST}",
        "DELETE FROM journal_group WHERE lines = 2",
        f"DELETE FROM journal_group WHERE {LAST}",
        "DELETE FROM journal_group",
    ],
)
def test_the_copy_of_the_journal_is_named_and_made_again(
    archive: Path, furnished: Path, statement: str
) -> None:
    sql(archive, statement)

    faults = checked(archive).faults

    assert faults
    assert {each.where for each in faults} <= {"ledger", "journal"}
    assert_rebuilt(archive, furnished)


def test_a_view_that_says_something_else_is_named(archive: Path, furnished: Path) -> None:
    sql(archive, "INSERT INTO requests VALUES (7, 'dataset', 'http://e.org/', 'now', '{}')")
    with closing(sqlite3.connect(archive / LEDGER)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = replace(sql, 'tobi', 'fobi') WHERE name = 'mi'"
        )

    (fault,) = checked(archive).faults

    assert (fault.where, "mi" in fault.message) == ("ledger", True)
    assert_rebuilt(archive, furnished)
    assert rows(archive / LEDGER, "SELECT id FROM requests") == [(7,)]


def overwrite(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


@pytest.mark.parametrize("page", [0, 1, 2, 11, 26, 40])
def test_a_page_of_rubbish_in_the_ledger_is_named_and_the_ledger_made_again(
    archive: Path, furnished: Path, page: int
) -> None:
    rubbish = random.Random(page).randbytes(4096)
    overwrite(archive / LEDGER, page * 4096, rubbish)

    faults = checked(archive).faults

    assert "ledger" in {each.where for each in faults}
    assert_rebuilt(archive, furnished)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def halved(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def in_words(path: Path) -> None:
    path.write_text("This was a database once.\n" * 500)


@pytest.mark.parametrize("harm", [emptied, halved, in_words, remove])
def test_a_ledger_that_can_not_be_read_is_named_and_made_again(
    archive: Path, furnished: Path, harm: Callable[[Path], None]
) -> None:
    harm(archive / LEDGER)

    faults = checked(archive).faults

    assert {each.where for each in faults} == {"ledger"}
    assert_rebuilt(archive, furnished)


def test_with_the_ledger_of_the_dark_archive_the_rest_of_it_is_made_again(archive: Path) -> None:
    remove(archive / LEDGER)

    ran = carrel("dark", "rebuild", "--archive", archive)

    assert ran.code == 0
    assert "made again from 0 captures and 0 entries of the archive's journal" in ran.out


def test_verify_tells_in_words_that_all_is_as_it_was_kept(archive: Path) -> None:
    ran = carrel("dark", "verify", "--archive", archive)

    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Everything is intact: 15 objects")


def test_verify_names_every_fault_in_a_line_of_json(archive: Path) -> None:
    flip(first_template(archive))
    full_text(archive).unlink()
    change_line(archive, 0.3, changed_digit)

    ran = carrel("dark", "verify", "--archive", archive, "--json")

    assert (ran.code, ran.err) == (1, "")
    *faults, summary = ran.lines
    assert {(each["where"], each["what"], each["can_be_mended"]) for each in faults} == {
        ("journal", "damaged", True),
        ("store", "missing", False),
        ("store", "damaged", True),
    }
    assert summary["faults"] == 3


def test_rebuild_says_what_it_put_right_and_what_stays_wrong(archive: Path) -> None:
    mended, lost = first_template(archive), full_text(archive)
    flip(mended)
    lost.unlink()

    ran = carrel("dark", "rebuild", "--archive", archive, "--json")

    assert (ran.code, ran.err) == (1, "")
    fault, summary = ran.lines
    assert fault["name"] == lost.relative_to(archive / STORE).as_posix()
    assert f"store: {mended.relative_to(archive / STORE).as_posix()}" in summary["mended"]


@pytest.mark.parametrize("harm", [in_words, remove])
def test_commands_do_with_a_ledger_that_can_not_be_read(
    archive: Path, harm: Callable[[Path], None]
) -> None:
    harm(archive / LEDGER)

    before = carrel("dark", "verify", "--archive", archive, "--json")
    ran = carrel("dark", "rebuild", "--archive", archive, "--json")
    after = carrel("dark", "verify", "--archive", archive, "--json")

    assert [each.code for each in (before, ran, after)] == [1, 0, 0]
    assert before.lines[0]["where"] == "ledger"
    assert [each.err for each in (before, ran, after)] == ["", "", ""]


def test_where_there_is_no_dark_archive_the_commands_say_so(tmp_path: Path) -> None:
    verified = carrel("dark", "verify", "--archive", tmp_path)
    made_again = carrel("dark", "rebuild", "--archive", tmp_path)

    assert 0 not in (verified.code, made_again.code)
    assert "archive" in verified.err
    assert "Traceback" not in verified.err + made_again.err
