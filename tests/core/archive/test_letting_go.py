# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whatever keeps an archive from being opened, or closed, no lock of this process is left on it."""

import asyncio
import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from carrel import archive as archives
from carrel.archive import Archive
from carrel.engine import Engine
from carrel.engine.queue import Queue
from carrel.errors import ArchiveError
from carrel.kept_index import KeptIndex
from carrel.ledger import Ledger
from carrel.ledger.catalogue import Catalogue
from carrel.ledger.schedule import Schedules
from carrel.ledger_journal import LedgerJournal


def full(*_: object, **__: object) -> None:
    """Do as a write to a full disk."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of an archive, in which a killed writer left its name."""
    folder = tmp_path / "archive"
    Archive.create_or_open(folder).close()
    (folder / "staging" / "writer.json").write_text(
        '{"program": "Carrel 0.1.0", "process": 21116, "since": "2026-11-27 19:11 UTC"}'
    )
    return folder


@pytest.mark.parametrize("open_it", [Archive.create_or_open, Engine.open])
@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (archives, "replace_file"),
        (archives, "_write_collections"),
        (archives, "DiskRoom"),
        (Ledger, "__init__"),
        (KeptIndex, "__init__"),
        (LedgerJournal, "__init__"),
    ],
)
def test_an_archive_that_could_not_be_opened_can_be_once_there_is_room(
    folder: Path,
    owner: object,
    name: str,
    open_it: Callable[[Path], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, full)
        # As in the window, which holds on to the error, the lock does not go with what held it.
        with pytest.raises(ArchiveError, match="No space left") as caught:
            open_it(folder)

    assert not (folder / "staging" / "writer.json").exists()
    Archive.create_or_open(folder).close()
    assert not isinstance(caught.value.__cause__, ArchiveError)


@pytest.mark.parametrize("part", [KeptIndex, LedgerJournal])
def test_a_ledger_is_closed_with_what_could_not_be_opened(
    folder: Path, part: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[Path] = []
    monkeypatch.setattr(part, "__init__", full)
    monkeypatch.setattr(Ledger, "close", lambda ledger: closed.append(ledger._connection.path))

    with pytest.raises(ArchiveError):
        Archive.create_or_open(folder)

    assert closed == [folder / "carrel.sqlite"]


def test_a_ledger_whose_catalogue_cannot_be_made_is_closed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[Path] = []
    monkeypatch.setattr(Catalogue, "is_current", False)
    monkeypatch.setattr(Catalogue, "make", full)
    monkeypatch.setattr(Ledger, "close", lambda ledger: closed.append(ledger._connection.path))

    with pytest.raises(OSError, match="No space left"):
        Ledger(folder / "carrel.sqlite", writing=True)

    assert closed == [folder / "carrel.sqlite"]


def test_what_cannot_be_recovered_is_not_held(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Schedules, "close_interrupted", full)
        with pytest.raises(OSError, match="No space left"):
            Engine.open(folder)

    Archive.create_or_open(folder).close()


@pytest.mark.parametrize("part", [KeptIndex, LedgerJournal, Ledger])
def test_an_archive_that_cannot_be_closed_in_good_order_is_let_go(
    folder: Path, part: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Archive.create_or_open(folder)
    with monkeypatch.context() as patch:
        patch.setattr(part, "close", full)
        with pytest.raises(OSError, match="No space left"):
            opened.close()

    Archive.create_or_open(folder).close()


def test_an_engine_that_cannot_be_left_in_good_order_lets_go(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def leave() -> None:
        async with Engine.open(folder):
            pass

    async def stop(_queue: Queue) -> None:
        full()

    with monkeypatch.context() as patch:
        patch.setattr(Queue, "stop", stop)
        with pytest.raises(OSError, match="No space left"):
            asyncio.run(leave())

    Archive.create_or_open(folder).close()


def test_a_moment_of_writing_that_could_not_begin_leaves_no_lock(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Archive.open_for_reading(folder) as reading:
        with monkeypatch.context() as patch:
            patch.setattr(archives, "replace_file", full)
            with (
                pytest.raises(ArchiveError, match="No space left"),
                reading.ledger_for_writing(),
            ):
                pass

        with reading.ledger_for_writing():
            pass
