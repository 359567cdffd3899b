# SPDX-License-Identifier: AGPL-3.0-or-later
"""The register of a merging, where the disk has no room for it."""

import errno
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.merging import merge
from carrel.engine.merging.register import Register
from carrel.errors import ArchiveFull
from support.archives import ingest, new_archive
from support.lived_in import page_of
from support.wire import WireServer


class Narrow(Register):
    """A register on a disk on which hardly anything is free."""

    def __init__(self, staging: Path) -> None:
        super().__init__(staging)
        (count,) = self._db.execute("PRAGMA page_count").fetchone()
        self._db.execute(f"PRAGMA max_page_count = {count}")


def note_many(register: Register, folder: Path) -> None:
    for number in range(500):
        register.note(folder, folder / f"{number}.warc.gz", folder / f"{number}.warc.gz", ())
    register.keep()


def test_it_says_so_as_a_file_does(tmp_path: Path) -> None:
    register = Narrow(tmp_path)

    with pytest.raises(OSError, match="space") as raised:
        note_many(register, tmp_path)

    assert raised.value.errno == errno.ENOSPC


def test_who_merges_is_told_that_the_disk_is_full_and_what_to_do(
    server: WireServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = new_archive(tmp_path / "source")
    ingest(source, page_of(server, "first", {"tides": b"The tide came late.\n"}))

    def keep(register: Register) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Archive.create_or_open(tmp_path / "target") as target:
        monkeypatch.setattr(Register, "keep", keep)
        with pytest.raises(ArchiveFull, match="no room left"):
            merge(target, [source], lambda done, total: None)
