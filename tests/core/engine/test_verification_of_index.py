# SPDX-License-Identifier: AGPL-3.0-or-later
"""A damaged index, and a damaged journal, fail the verification of an archive and are mended."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.journal import is_journal_damaged
from carrel.engine.recovery import recover
from support.archives import carrel, ingest, new_archive
from support.journals import replace_line
from support.wire import WireServer, dataset_page, reply

BODIES = {f"{name}.txt": f"This is {name}.\n".encode() for name in ("tides", "surf", "swell")}
INDEX = "collections/main/indexes/index.cdxj"


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Path]:
    with WireServer() as server:
        files = [
            {
                "name": name,
                "contentUrl": server.serve(f"/{name}", reply(body)),
                "sha256": hashlib.sha256(body).hexdigest(),
            }
            for name, body in BODIES.items()
        ]
        path = new_archive(tmp_path / "archive")
        ingest(path, dataset_page(server, files))
        yield path


def noise(text: str) -> str:
    return "".join(f"{number} noise\n" for number, _ in enumerate(text.splitlines()))


def other_offset(text: str) -> str:
    before, found, after = text.partition('"offset": "')
    return f"{before}{found}9{after}"


def twice(text: str) -> str:
    first = text.splitlines(keepends=True)[0]
    return first + text


@pytest.mark.parametrize("damage", [noise, other_offset, twice], ids=lambda each: each.__name__)
def test_a_damaged_index_is_told_and_mended(archive: Path, damage: Callable[[str], str]) -> None:
    index = archive / INDEX
    good = index.read_text()
    index.write_text(damage(good))

    told = carrel("verify", "--archive", archive)
    as_json = carrel("verify", "--json", "--archive", archive)
    with Archive.create_or_open(archive) as opened:
        recover(opened)
    again = carrel("verify", "--archive", archive)

    assert (told.code, as_json.code, again.code) == (1, 1, 0)
    assert "does not say what the ledger does" in told.out
    assert any("index" in line for line in as_json.lines)
    assert index.read_text() == good


def test_a_wrong_index_that_no_one_touched_is_mended_once_a_verification_found_it(
    archive: Path,
) -> None:
    index = archive / INDEX
    good = index.read_text()
    with Archive.create_or_open(archive) as opened:
        index.write_text(twice(good))
        opened.ledger.index_files.note(opened.index.cdxj.stats())  # as if it were as it is to be
        opened.index._sound = opened.ledger.index_files.noted()

    told = carrel("verify", "--archive", archive)
    with Archive.create_or_open(archive) as opened:
        recover(opened)

    assert "1 line repeated" in told.out
    assert "\ufffd" not in told.out
    assert index.read_text() == good


def test_an_index_that_no_one_touched_is_not_read_when_the_archive_is_opened(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "carrel.mementos.index_check.check_index", lambda *_: pytest.fail("it was read")
    )

    with Archive.create_or_open(archive) as opened:
        recover(opened)

    (archive / INDEX).write_text("")
    with Archive.create_or_open(archive) as opened, pytest.raises(pytest.fail.Exception):
        opened.index.mend()


def test_a_damaged_journal_is_told(archive: Path) -> None:
    (month,) = (archive / "journal").iterdir()
    month.write_bytes(month.read_bytes().replace(b'"table":"requests"', b'"table":"Requests"'))

    told = carrel("verify", "--archive", archive)
    status = carrel("status", "--archive", archive)
    begun = carrel("rebuild", "--journal", "--archive", archive)
    again = carrel("verify", "--archive", archive)

    assert (told.code, begun.code, again.code) == (1, 0, 0)
    assert "carrel rebuild --journal" in told.out
    for said in (told, status):
        assert "If the ledger were lost as well" in said.out
    assert "carrel rebuild --journal" in status.out
    assert "journal is damaged" in status.out
    assert "journal is damaged" not in carrel("status", "--archive", archive).out


@pytest.mark.parametrize("number", [1, 3])
def test_a_journal_damaged_further_up_is_told_by_status_once_it_was_verified(
    archive: Path, number: int
) -> None:
    with Archive.create_or_open(archive) as opened:
        opened.ledger.jobs.set_paused_since("2026-04-02T09:32:00Z")
    (month,) = (archive / "journal").iterdir()
    replace_line(month, number, lambda line: line.replace(b'"at":"2', b'"at":"3'))
    before = carrel("status", "--json", "--archive", archive).lines[0]["needs"]

    assert carrel("verify", "--archive", archive).code == 1
    after = carrel("status", "--json", "--archive", archive).lines[0]["needs"]
    replace_line(month, number, lambda line: line.replace(b'"at":"3', b'"at":"2'))
    assert carrel("verify", "--archive", archive).code == 0

    assert "journal" not in {each["need"] for each in before}
    assert "journal" in {each["need"] for each in after}
    last = carrel("status", "--json", "--archive", archive).lines[0]["needs"]
    assert "journal" not in {each["need"] for each in last}


def test_a_journal_that_another_program_appends_to_is_not_damaged(archive: Path) -> None:
    with Archive.create_or_open(archive) as writing, Archive.open_for_reading(archive) as reading:
        (month,) = (archive / "journal").iterdir()
        with month.open("ab") as file:
            file.write(b'{"entry":"row","prev":"')  # half a line, until the rest of it is written
        assert not is_journal_damaged(reading)
        assert not is_journal_damaged(writing)
