# SPDX-License-Identifier: AGPL-3.0-or-later
"""A ledger that only the WARCs told of knows which files' records cannot be read any more."""

import asyncio
import json
import random
import shutil
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from carrel.archive import LEDGER_NAME, Archive
from carrel.demo import DemoRepository
from carrel.engine import Engine, IngestOptions
from carrel.engine.rebuilding import rebuild
from carrel.ledger_journal import JOURNAL_NAME
from carrel.mementos.warc.reader import records
from carrel.model import Capture, IngestStrategy
from support.archives import carrel, ingest, new_archive
from support.wire import WireServer, dataset_page, reply

MAPS = {"bay.bin": random.Random(1).randbytes(40_000), "shore.txt": b"Sand.\n" * 900}
COPY = {"again.bin": MAPS["bay.bin"], "own.txt": b"Rock.\n" * 700}

LARGE = random.Random(2).randbytes(3_000_000)
SMALL_WARCS = """\
[warc]
max_size = 2000000
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """An archive of two datasets, the second of which refers to the first for one of its files."""

    path: Path
    maps: str
    copy: str

    def capture(self, name: str) -> Capture:
        """Return the record that has the bytes of a file."""
        with Archive.open_for_reading(self.path) as archive:
            (found,) = archive.ledger.captures.at(next(a for a in self._addresses if name in a))
            return found

    @property
    def _addresses(self) -> list[str]:
        with closing(sqlite3.connect(self.path / LEDGER_NAME)) as db:
            return [url for (url,) in db.execute("SELECT platform_url FROM files")]

    def warc(self, capture: Capture) -> Path:
        return self.path / "collections/main/archive" / capture.filename

    def lose_ledger_and_journal(self) -> None:
        for path in self.path.glob(f"{LEDGER_NAME}*"):
            path.unlink()
        shutil.rmtree(self.path / JOURNAL_NAME)

    def facts(self, address: str) -> dict[str, Any]:
        """Return the facts of the certificate of a dataset."""
        output = self.path.parent / "certificate.json"
        carrel("certificate", address, "-o", output, "--force", "--archive", self.path)
        facts: dict[str, Any] = json.loads(output.read_text())
        return facts

    def not_whole(self, address: str) -> dict[str, str]:
        """Return the files of a dataset that its certificate calls damaged or missing."""
        files = self.facts(address)["files"]
        places = {each["path"]: each.get("place") or {} for each in files}
        fates = {path: each.get("fate", "intact") for path, each in places.items()}
        return {path: fate for path, fate in fates.items() if fate != "intact"}

    def damaged(self) -> set[str]:
        """Return the addresses of the datasets that have damaged or missing records."""
        lines = carrel("results", "--json", "--archive", self.path).lines
        return {
            each["request"]["base_url"] for each in lines if each.get("fixity", {}).get("failed")
        }


def page(server: WireServer, name: str, bodies: Mapping[str, bytes]) -> str:
    files = [
        {"name": path, "contentUrl": server.serve(f"/{name}/{path}", reply(body))}
        for path, body in bodies.items()
    ]
    return dataset_page(server, files, f"/{name}", name=name, identifier=name)


@pytest.fixture
def kept(server: WireServer, tmp_path: Path) -> Kept:
    archive = new_archive(tmp_path / "archive")
    maps, copy = page(server, "Maps", MAPS), page(server, "Copy", COPY)
    ingest(archive, maps, copy)
    return Kept(archive, maps, copy)


def turn(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0xFF
    path.write_bytes(data)


def places(warc: Path) -> list[int]:
    return [record.offset for record in records(warc)]


@pytest.mark.parametrize("at", [30, 20_000])
def test_a_file_whose_record_cannot_be_read_is_damaged_and_so_is_what_refers_to_it(
    kept: Kept, at: int
) -> None:
    capture = kept.capture("bay.bin")
    turn(kept.warc(capture), capture.offset + at)
    kept.lose_ledger_and_journal()

    carrel("rebuild", "--archive", kept.path)

    assert kept.capture("bay.bin") == capture
    assert kept.damaged() == {kept.maps, kept.copy}
    assert kept.not_whole(kept.maps) == {"bay.bin": "damaged"}
    assert kept.not_whole(kept.copy) == {"again.bin": "damaged"}
    told = carrel("verify", "--archive", kept.path).out
    assert f"damaged: {capture.url}" in told
    assert rebuild(kept.path, lambda done, total: None).is_same


def test_a_record_whose_bytes_came_again_is_not_said_to_have_had_none(
    server: WireServer, tmp_path: Path
) -> None:
    kept = Kept(archive := new_archive(tmp_path / "archive"), page(server, "Maps", MAPS), "")
    ingest(archive, kept.maps)
    capture = kept.capture("bay.bin")
    turn(kept.warc(capture), capture.offset + 20_000)
    carrel("verify", "--archive", archive)
    time.sleep(1.1)  # so that the records are of two moments
    ingest(archive, kept.maps)
    kept.lose_ledger_and_journal()

    carrel("rebuild", "--archive", archive)

    with Archive.open_for_reading(archive) as opened:
        assert opened.ledger.captures.get(capture.record_id) == capture
    told = carrel("verify", "--archive", archive).out
    assert "No bytes of a file are in this record" not in told
    assert f"damaged: {capture.url}" in told
    assert kept.not_whole(kept.maps) == {}
    assert rebuild(archive, lambda done, total: None).is_same


def test_nothing_else_tells_of_a_record_but_the_result(kept: Kept) -> None:
    capture = kept.capture("bay.bin")
    warc = kept.warc(capture)
    here = places(warc)
    request, description, *_ = here[here.index(capture.offset) + 1 :]
    for at in (capture.offset, request, description):
        turn(warc, at + 30)
    kept.lose_ledger_and_journal()

    carrel("rebuild", "--archive", kept.path)

    made = kept.capture("bay.bin")
    assert (made.sha256, made.size) == (capture.sha256, capture.size)
    assert made.record_id != capture.record_id
    assert kept.damaged() == {kept.maps, kept.copy}
    assert kept.not_whole(kept.maps).keys() == {"bay.bin"}


def test_a_copy_brings_back_the_record(kept: Kept, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    assert carrel("replicate", copy, "--archive", kept.path).code == 0
    capture = kept.capture("bay.bin")
    turn(kept.warc(capture), capture.offset + 30)
    kept.lose_ledger_and_journal()
    carrel("rebuild", "--archive", kept.path)

    repaired = carrel("repair", "--from", copy, "--archive", kept.path)

    assert repaired.code == 0, repaired.out + repaired.err
    assert kept.damaged() == set()
    assert carrel("verify", "--archive", kept.path).code == 0
    output = tmp_path / "exported"
    assert carrel("export", "files", kept.copy, "-o", output, "--archive", kept.path).code == 0
    assert next(output.rglob("again.bin")).read_bytes() == MAPS["bay.bin"]


def test_a_reference_that_cannot_be_read_leaves_the_file_where_its_bytes_are(kept: Kept) -> None:
    reference, holder = kept.capture("again.bin"), kept.capture("bay.bin")
    turn(kept.warc(reference), reference.offset + 30)
    kept.lose_ledger_and_journal()

    carrel("rebuild", "--archive", kept.path)

    assert kept.not_whole(kept.copy) == {}
    turn(kept.warc(holder), holder.offset + 30)
    carrel("verify", "--archive", kept.path)
    assert kept.not_whole(kept.copy) == {"again.bin": "damaged"}


def test_the_files_of_a_bundle_are_damaged_with_it(tmp_path: Path) -> None:
    with DemoRepository() as repository:
        url = repository.dataset("DIARY3").url(repository)
        archive = new_archive(tmp_path / "archive")
        bundled = IngestOptions(IngestStrategy.WEB_FILESET_BUNDLED)
        (result,) = ingest(archive, url, options=bundled)
    assert result.outcome
    assert result.outcome.bundle
    bundle, kept = result.outcome.bundle, Kept(archive, url, url)
    turn(kept.warc(bundle), bundle.offset + bundle.length // 2)
    kept.lose_ledger_and_journal()

    carrel("rebuild", "--archive", archive)

    assert kept.damaged() == {url}
    exported = carrel("export", "files", url, "-o", tmp_path / "out", "--archive", archive)
    assert exported.code == 1
    assert set(kept.not_whole(url).values()) == {"damaged"}


def test_of_a_large_file_the_warc_is_gone(server: WireServer, tmp_path: Path) -> None:
    archive = new_archive(tmp_path / "archive", SMALL_WARCS)
    address = page(server, "Large", {"one.bin": LARGE[:-1], "two.bin": LARGE, "three.txt": b"3"})
    ingest(archive, address)
    kept = Kept(archive, address, address)
    gone = kept.warc(kept.capture("two.bin"))
    assert gone != kept.warc(kept.capture("three.txt"))
    gone.unlink()
    kept.lose_ledger_and_journal()

    carrel("rebuild", "--archive", archive)

    assert kept.damaged() == {address}
    assert kept.not_whole(address) == {"two.bin": "missing"}


def test_an_empty_warc_is_named_and_the_rest_is_made_again(kept: Kept) -> None:
    empty = kept.path / "collections/main/archive/main-20260101000000-00009-carrel.warc.gz"
    empty.touch()
    kept.lose_ledger_and_journal()

    ran = carrel("rebuild", "--archive", kept.path)

    assert "The ledger was made again." in ran.out
    assert kept.damaged() == set()
    assert empty.name in carrel("verify", "--archive", kept.path).out


def test_what_is_in_a_warc_that_cannot_be_read_is_missing_until_it_can(kept: Kept) -> None:
    warc = kept.warc(kept.capture("own.txt"))
    aside = warc.rename(kept.path.parent / warc.name)
    warc.mkdir()  # no one can read that as a file
    for path in kept.path.glob(f"{LEDGER_NAME}*"):
        path.unlink()

    assert carrel("rebuild", "--archive", kept.path).code == 1
    lost = kept.damaged()
    warc.rmdir()
    aside.rename(warc)

    async def open_and_verify() -> bool:
        async with Engine.open(kept.path) as engine:
            return (await engine.verify()).is_intact

    assert lost == {kept.copy}
    assert asyncio.run(open_and_verify())
    assert kept.damaged() == set()
    assert "2 files" in carrel("results", kept.copy, "--archive", kept.path).out
