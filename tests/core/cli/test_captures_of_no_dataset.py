# SPDX-License-Identifier: AGPL-3.0-or-later
"""Captures of imported WARC files belong to no dataset: what is told where one is damaged."""

import base64
import gzip
import hashlib
import json
from pathlib import Path

import pytest

from carrel.archive import Archive
from core.cli.conftest import Carrel
from core.engine.test_importing import record
from support.archives import new_archive

_TIDES = b"The tide came late.\n" * 20


@pytest.fixture
def archive(carrel: Carrel, tmp_path: Path) -> Path:
    """An archive with two imported captures of the same bytes, and nothing else."""
    archive, warc = new_archive(tmp_path / "archive"), tmp_path / "web.warc.gz"
    digest = f"sha1:{base64.b32encode(hashlib.sha1(_TIDES).digest()).decode()}"
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + _TIDES
    urls = ("http://one.example/tides.txt", "http://two.example/tides.txt")
    records = [record("response", url, block, digest) for url in urls]
    warc.write_bytes(b"".join(map(gzip.compress, records)))
    assert carrel("import", warc, "--archive", archive).code == 0
    return archive


def damage(archive: Path, host: str) -> None:
    """Flip a byte in the payload of a capture."""
    with Archive.open_for_reading(archive) as opened:
        capture = next(each for each in opened.ledger.captures.all() if host in each.url)
        warc = opened.warcs / capture.filename
    content = bytearray(warc.read_bytes())
    content[capture.offset + capture.length // 2] ^= 1
    warc.write_bytes(content)


def test_they_are_not_called_an_empty_archive(carrel: Carrel, archive: Path) -> None:
    told = carrel("status", "--archive", archive).out

    assert "The archive is empty" not in told
    assert "Nothing needs attention." in told


def test_one_that_is_damaged_needs_attention_though_its_bytes_are_elsewhere(
    carrel: Carrel, archive: Path, tmp_path: Path
) -> None:
    assert carrel("replicate", tmp_path / "copy", "--archive", archive).code == 0
    damage(archive, "one.example")

    verified = carrel("verify", "--archive", archive)

    assert verified.code == 1
    assert "nothing is lost" not in verified.out
    assert "Its bytes are intact elsewhere in the archive." in verified.out
    assert "though not the headers of this capture. The second copy of" in verified.out
    told = carrel("status", "--archive", archive).out
    assert "1 capture that belongs to no dataset is damaged or missing." in told
    (fields,) = carrel("status", "--json", "--archive", archive).out.splitlines()
    assert json.loads(fields)["damaged_captures"] == 1

    assert carrel("repair", "--from", tmp_path / "copy", "--archive", archive).code == 0

    assert "Nothing needs attention." in carrel("status", "--archive", archive).out
