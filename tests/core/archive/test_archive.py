# SPDX-License-Identifier: AGPL-3.0-or-later
"""The folder an archivist owns: taken care of, never taken over."""

import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from carrel.archive import LEDGER_NAME, Archive
from carrel.capture.records import response_record
from carrel.capture.warc_series import Place
from carrel.errors import ArchiveError, ArchiveLocked, LedgerLost, NotAnArchive, SettingsError
from carrel.model import Capture
from carrel.settings import Settings
from support.records import exchange, files_in

HOLD = """
import sys
from pathlib import Path
from carrel.archive import Archive
with Archive.create_or_open(Path(sys.argv[1])):
    print("open", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held_by_another_process(path: Path) -> Iterator[int]:
    """Let another process write to an archive; gives its process id."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        yield process.pid
        process.communicate()


def run_sql(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


class StandingClock(datetime):
    @classmethod
    def now(cls, tz: object = None) -> "StandingClock":
        return cls(2026, 3, 2, 9, 30, 15, tzinfo=UTC)


def keep_one_record(path: Path) -> None:
    with Archive.create_or_open(path) as archive:
        series = archive.new_series("1")
        series.append(response_record(exchange(), b"surf", "<urn:uuid:1>"))
        archive.keep(series, [])


def test_a_new_archive_can_be_read_without_us(tmp_path: Path) -> None:
    Archive.create_or_open(tmp_path / "archive").close()

    assert "README.txt" in files_in(tmp_path / "archive")
    readme = (tmp_path / "archive" / "README.txt").read_text()
    assert all(word in readme for word in ("gzip -dc", "sha256sum", "wayback", "settings.toml"))
    assert (tmp_path / "archive" / LEDGER_NAME).read_bytes().startswith(b"SQLite format 3")
    assert (tmp_path / "archive/collections/main/archive").is_dir()


def test_an_archive_is_opened_again(tmp_path: Path) -> None:
    for _ in range(2):
        with Archive.create_or_open(tmp_path) as archive:
            assert archive.settings == Settings()


@pytest.mark.parametrize("name", ["thesis.doc", "collections.txt", ".git"])
def test_a_folder_of_other_things_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("precious")

    with pytest.raises(ArchiveError, match="contains other files"):
        Archive.create_or_open(tmp_path)

    assert files_in(tmp_path) == [name]


def test_an_archive_is_not_made_beneath_a_file(tmp_path: Path) -> None:
    (tmp_path / "Documents").write_text("a file")
    folder = tmp_path / "Documents" / "Carrel"

    with pytest.raises(ArchiveError, match=r"Carrel cannot be made: .*Documents is a file\."):
        Archive.refuse(folder)


def test_somebody_else_s_readme_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "collections").mkdir()
    (tmp_path / "README.txt").write_text("My pywb")

    with suppress(ArchiveError):
        Archive.create_or_open(tmp_path).close()

    assert (tmp_path / "README.txt").read_text() == "My pywb"


@pytest.mark.parametrize("left", ["staging", "staging/20260302T093015-1"])
def test_what_an_archive_left_that_is_gone_is_no_place_for_a_new_one(
    tmp_path: Path, left: str
) -> None:
    """An empty archive in its place would hide that it is gone."""
    (tmp_path / left).mkdir(parents=True)

    with pytest.raises(ArchiveError, match="Restore the archive") as refused:
        Archive.create_or_open(tmp_path)

    assert "remove “staging” first" in str(refused.value)
    assert [path.name for path in tmp_path.iterdir()] == ["staging"]
    shutil.rmtree(tmp_path / "staging")
    Archive.create_or_open(tmp_path).close()


@pytest.mark.parametrize("made", range(1, 6))
def test_a_creation_that_was_interrupted_is_completed(
    tmp_path: Path, made: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, mkdir, left = tmp_path / "archive", Path.mkdir, [made]

    def until_killed(self: Path, *, parents: bool = False, exist_ok: bool = False) -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        mkdir(self, parents=parents, exist_ok=exist_ok)

    monkeypatch.setattr(Path, "mkdir", until_killed)
    with pytest.raises(KeyboardInterrupt):
        Archive.create_or_open(root)
    monkeypatch.undo()

    with Archive.create_or_open(root) as archive:
        assert archive.ledger.captures.all() == []


def test_an_archive_that_was_moved_away_is_not_begun_anew_in_its_place(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "archive", tmp_path / "elsewhere"
    with Archive.create_or_open(root) as archive:
        root.rename(elsewhere)
        with pytest.raises(ArchiveError, match=r"archive was removed while it was open\. Nothing"):
            archive.new_series("1")
        assert not root.exists()

        elsewhere.rename(root)
        archive.new_series("1").discard()


def test_another_folder_in_the_place_of_the_archive_is_left_alone(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "archive", tmp_path / "elsewhere"
    with Archive.create_or_open(root) as archive:
        root.rename(elsewhere)
        root.mkdir()

        with pytest.raises(ArchiveError, match=r"replaced by another one.*where it is now"):
            archive.new_series("1")

        assert list(root.iterdir()) == []


def test_nothing_is_noted_in_another_ledger_than_the_one_that_was_read(tmp_path: Path) -> None:
    root = tmp_path / "archive"
    Archive.create_or_open(root).close()
    with Archive.open_for_reading(root) as archive:
        root.rename(tmp_path / "elsewhere")
        root.mkdir()

        with pytest.raises(ArchiveError, match="replaced"), archive.ledger_for_writing():
            pass

    assert list(root.iterdir()) == []


def test_settings_may_be_there_before_the_archive(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("[limits]\nmax_file_count = 7\n")

    with Archive.create_or_open(tmp_path) as archive:
        assert archive.settings.limits.max_file_count == 7


def test_a_file_is_no_archive(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")

    with pytest.raises(ArchiveError, match="is a file"):
        Archive.create_or_open(tmp_path / "a")
    with pytest.raises(ArchiveError, match=r"cannot be made: .* is a file"):
        Archive.create_or_open(tmp_path / "a" / "b")


def test_nothing_is_read_where_nothing_is(tmp_path: Path) -> None:
    with pytest.raises(NotAnArchive, match="There is no archive"):
        Archive.open_for_reading(tmp_path)

    assert files_in(tmp_path) == []


@pytest.mark.parametrize("name", ["collections", "collections/main/archive", "staging"])
def test_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path, name: str) -> None:
    Archive.create_or_open(tmp_path).close()
    shutil.rmtree(tmp_path / name)
    (tmp_path / name).write_text("")

    with pytest.raises(ArchiveError, match=f"/{name} should be a folder"):
        Archive.create_or_open(tmp_path)


@pytest.mark.parametrize("open_archive", [Archive.create_or_open, Archive.open_for_reading])
def test_a_folder_in_the_place_of_the_ledger_is_named(
    tmp_path: Path, open_archive: Callable[[Path], Archive]
) -> None:
    keep_one_record(tmp_path)
    for part in tmp_path.glob(f"{LEDGER_NAME}*"):
        part.unlink()
    (tmp_path / LEDGER_NAME).mkdir()

    with pytest.raises(ArchiveError, match=f"{LEDGER_NAME} is a folder"):
        open_archive(tmp_path)


@pytest.mark.parametrize("open_archive", [Archive.create_or_open, Archive.open_for_reading])
def test_a_name_that_no_system_takes_is_no_archive(
    tmp_path: Path, open_archive: Callable[[Path], Archive]
) -> None:
    with pytest.raises(ArchiveError, match="File name too long"):
        open_archive(tmp_path / ("a" * 300))


@pytest.mark.parametrize("open_archive", [Archive.create_or_open, Archive.open_for_reading])
@pytest.mark.parametrize("content", [None, b"", "no tables"])
def test_a_lost_ledger_is_not_replaced_in_silence(
    tmp_path: Path, open_archive: Callable[[Path], Archive], content: bytes | str | None
) -> None:
    """SQLite would begin a new ledger in an empty file as well."""
    keep_one_record(tmp_path)
    (tmp_path / "README.txt").unlink()
    for part in tmp_path.glob(f"{LEDGER_NAME}*"):
        part.unlink()
    if isinstance(content, bytes):
        (tmp_path / LEDGER_NAME).write_bytes(content)
    elif content is not None:
        run_sql(tmp_path / LEDGER_NAME, "CREATE TABLE a (b)", "DROP TABLE a")
    before = files_in(tmp_path)

    with pytest.raises(LedgerLost) as lost:
        open_archive(tmp_path)

    said = str(lost.value)
    assert "1 WARC in collections" in said
    assert f"carrel verify {tmp_path}" in said
    assert "from a backup" in said
    assert files_in(tmp_path) == before


def test_the_database_of_another_program_is_no_ledger(tmp_path: Path) -> None:
    keep_one_record(tmp_path)
    for part in tmp_path.glob(f"{LEDGER_NAME}*"):
        part.unlink()
    run_sql(tmp_path / LEDGER_NAME, "CREATE TABLE results (b)", "INSERT INTO results VALUES (7)")
    before = (tmp_path / LEDGER_NAME).read_bytes()

    with pytest.raises(LedgerLost, match=r"not a Carrel ledger.*“carrel rebuild"):
        Archive.create_or_open(tmp_path)

    assert (tmp_path / LEDGER_NAME).read_bytes() == before


@pytest.mark.parametrize("open_archive", [Archive.create_or_open, Archive.open_for_reading])
def test_nothing_is_written_beside_a_file_that_is_no_ledger(
    tmp_path: Path, open_archive: Callable[[Path], Archive]
) -> None:
    (tmp_path / LEDGER_NAME).write_bytes(b"A list of birds, and no database at all.\n" * 40)
    (tmp_path / "birds.txt").write_text("Wren.\n")

    with pytest.raises(ArchiveError, match=r"not a database.*no WARC files and no journal") as told:
        open_archive(tmp_path)

    assert not isinstance(told.value, LedgerLost)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["birds.txt", LEDGER_NAME]


def test_the_ledger_of_a_newer_carrel_is_read_and_not_written_to(tmp_path: Path) -> None:
    keep_one_record(tmp_path)
    insert = "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES"
    run_sql(tmp_path / LEDGER_NAME, f"{insert} ('carrel', 'of_tomorrow', '2031-01-01')")
    before = (tmp_path / LEDGER_NAME).read_bytes()

    with pytest.raises(ArchiveError, match="newer version of Carrel"):
        Archive.create_or_open(tmp_path)

    assert (tmp_path / LEDGER_NAME).read_bytes() == before
    with Archive.open_for_reading(tmp_path) as archive:
        assert archive.ledger.captures.all() == []


def test_a_dark_archive_without_its_ledger_is_none_to_begin_in(tmp_path: Path) -> None:
    journal = tmp_path / "dark_archive" / "archive" / "journal"
    journal.mkdir(parents=True)
    (journal / "2026-03.jsonl").write_text("{}\n")
    (tmp_path / "collections").mkdir()

    with pytest.raises(LedgerLost, match=r"a dark archive .* “carrel rebuild"):
        Archive.create_or_open(tmp_path)

    assert files_in(tmp_path) == ["dark_archive/archive/journal/2026-03.jsonl"]


def test_an_archive_that_never_held_anything_may_lose_its_ledger(tmp_path: Path) -> None:
    Archive.create_or_open(tmp_path).close()
    (tmp_path / LEDGER_NAME).unlink()

    with Archive.create_or_open(tmp_path) as archive:
        assert archive.ledger.captures.all() == []


def test_a_second_writer_is_told_who_holds_it(tmp_path: Path) -> None:
    with held_by_another_process(tmp_path) as holder, pytest.raises(ArchiveLocked) as locked:
        Archive.create_or_open(tmp_path)

    assert str(holder) in str(locked.value)
    assert "Carrel" in str(locked.value)
    assert "close the other program" in str(locked.value)


@pytest.mark.parametrize("told", ["", "{}", "[]"])
def test_a_second_writer_is_told_so_where_nothing_tells_who_is_the_first(
    tmp_path: Path, told: str
) -> None:
    with held_by_another_process(tmp_path):
        (tmp_path / "staging" / "writer.json").write_text(told, encoding="utf-8")

        with pytest.raises(ArchiveLocked, match="in use by another process"):
            Archive.create_or_open(tmp_path)


def test_an_archive_that_is_written_to_can_be_read(tmp_path: Path) -> None:
    with held_by_another_process(tmp_path), Archive.open_for_reading(tmp_path) as archive:
        assert archive.ledger.holdings.listed() == []


def test_a_writer_that_left_gives_way(tmp_path: Path) -> None:
    with held_by_another_process(tmp_path):
        pass

    Archive.create_or_open(tmp_path).close()


@pytest.mark.parametrize("name", [LEDGER_NAME, "settings.toml"])
def test_an_archive_that_could_not_be_opened_is_not_held(tmp_path: Path, name: str) -> None:
    Archive.create_or_open(tmp_path).close()
    intact = (tmp_path / LEDGER_NAME).read_bytes()
    (tmp_path / name).write_bytes(b"= no such thing" * 1000)

    with pytest.raises((ArchiveError, SettingsError)):
        Archive.create_or_open(tmp_path)
    (tmp_path / "settings.toml").unlink(missing_ok=True)
    (tmp_path / LEDGER_NAME).write_bytes(intact)

    Archive.create_or_open(tmp_path).close()


def test_what_an_interrupted_process_left_is_swept(tmp_path: Path) -> None:
    with Archive.create_or_open(tmp_path) as archive:
        for ingest_id in ("1", "2"):
            (archive.staging / ingest_id).mkdir()
            (archive.staging / ingest_id / "half.warc.gz").write_bytes(b"\x1f\x8b")

        archive.sweep(unfinished=["2"])

        assert [path.name for path in archive.staging.iterdir() if path.is_dir()] == ["2"]


def test_two_sessions_within_a_second_do_not_get_in_each_other_s_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.capture.warc_series.datetime", StandingClock)

    keep_one_record(tmp_path)
    keep_one_record(tmp_path)

    assert len(files_in(tmp_path / "collections/main/archive")) == 2


def test_the_name_of_a_file_that_is_missing_is_not_given_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.capture.warc_series.datetime", StandingClock)
    names = []
    for number in ("1", "2"):
        with Archive.create_or_open(tmp_path) as archive:
            series = archive.new_series(number)
            place = series.append(response_record(exchange(), b"surf", f"<urn:uuid:{number}>"))
            archive.keep(series, [])
            archive.ledger.ingests.adopt([capture_at(place, number)], {}, came_in="a")
            names.append(place.filename)
            (archive.warcs / place.filename).unlink()

    assert names[0] != names[1]


def test_ingests_that_end_at_once_lose_no_line(tmp_path: Path) -> None:
    together = threading.Barrier(4)

    def keep(name: str) -> None:
        for number in range(5):
            series = archive.new_series(f"{name}{number}")
            response = response_record(exchange(), b"surf", f"<urn:uuid:{name}{number}>")
            place = series.append(response)
            together.wait()
            archive.keep(series, [capture_at(place, f"{name}{number}")])

    with Archive.create_or_open(tmp_path) as archive, ThreadPoolExecutor(4) as pool:
        list(pool.map(keep, "abcd"))

    lines = archive.index.cdxj.path.read_text().splitlines()
    assert lines == sorted(lines)
    assert len(lines) == 20
    assert len(files_in(archive.warcs)) == 20


def capture_at(place: Place, name: str) -> Capture:
    return Capture(
        url=f"http://example.org/{name}",
        surt=f"org,example)/{name}",
        timestamp="20260302093015",
        mimetype="text/plain",
        status_code=200,
        size=4,
        md5="00" * 16,
        sha1="00" * 20,
        sha256="00" * 32,
        filename=place.filename,
        offset=place.offset,
        length=place.length,
        record_id=f"<urn:uuid:{name}>",
    )
