# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a command writes replaces a file as a whole, and nothing that is no file."""

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from carrel.archive import Archive
from carrel.cli.program import carrel
from support import warcs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with an archive, a WARC, and what is there and is no file, as a device."""
    Archive.create_or_open(tmp_path / "archive").close()
    warcs.write_warc(tmp_path / "a.warc.gz", warcs.response("https://example.org/", b"kept"))
    os.mkfifo(tmp_path / "device")
    return tmp_path


OF_ARCHIVE = [
    "collections/main/archive/a.warc.gz",
    "journal/2026-03.jsonl",
    "carrel.sqlite",
    "carrel.sqlite-wal",
    "dark_archive/store.json",
    "settings.toml",
]


@pytest.mark.parametrize("part", OF_ARCHIVE)
@pytest.mark.parametrize(
    "command",
    [
        ["get", "https://example.org/", "--open", "{}/a.warc.gz", "--force"],
        ["batch", "export", "--archive", "{}/archive", "--force"],
        ["fixity", "--archive", "{}/archive", "--force"],
    ],
    ids=["get", "batch export", "fixity"],
)
def test_no_part_of_an_archive_is_replaced_by_a_file(
    folder: Path, command: list[str], part: str
) -> None:
    output = folder / "archive" / part
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_bytes(b"kept") if not output.exists() else None
    before = output.read_bytes()

    result = CliRunner().invoke(
        carrel, [*(word.format(folder) for word in command), "-o", str(output)]
    )

    assert f"is part of the archive in {folder / 'archive'}" in str(result.exception)
    assert output.read_bytes() == before


@pytest.mark.parametrize(
    "command",
    [
        ["index", "{}/a.warc.gz", "-o", "{}/device", "--force"],
        ["get", "https://example.org/", "--open", "{}/a.warc.gz", "-o", "{}/device", "--force"],
        ["batch", "export", "--archive", "{}/archive", "-o", "{}/device", "--force"],
    ],
    ids=["index", "get", "batch export"],
)
def test_a_device_is_not_replaced_by_a_file(folder: Path, command: list[str]) -> None:
    called = [word.format(folder) for word in command]

    result = CliRunner().invoke(carrel, called)

    assert ("is not a regular file and was not changed. Choose another name.") in str(
        result.exception
    )
    assert stat.S_ISFIFO((folder / "device").stat().st_mode)
