# SPDX-License-Identifier: AGPL-3.0-or-later
"""Certificates of what was really archived: bundles, repeated ingests, damage, other tools."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from carrel.archive import Archive
from carrel.demo import DemoRepository
from carrel.engine import IngestOptions
from carrel.model import IngestStrategy
from support.archives import carrel, ingest, new_archive

KEY = "DIARY3"


@dataclass(frozen=True, slots=True)
class Kept:
    """An archive that has one dataset, requested by `url`."""

    path: Path
    url: str

    def facts(self, folder: Path, *options: str) -> dict[str, Any]:
        """Return the facts of its certificate."""
        output = folder / "certificate.json"
        archive = ("--archive", self.path, "--force")
        carrel("certificate", self.url, "-o", output, *options, *archive)
        facts: dict[str, Any] = json.loads(output.read_text())
        return facts

    @property
    def warc(self) -> Path:
        (warc,) = sorted((self.path / "collections/main/archive").iterdir())
        return warc


@pytest.fixture
def repository() -> Iterator[DemoRepository]:
    with DemoRepository() as running:
        yield running


def archived(
    repository: DemoRepository, folder: Path, strategy: IngestStrategy, *, times: int = 1
) -> Kept:
    url = repository.dataset(KEY).url(repository)
    archive = new_archive(folder / "archive")
    ingest(archive, *[url] * times, options=IngestOptions(strategy))
    return Kept(archive, url)


def test_members_of_a_bundle_lie_in_the_record_of_the_bundle(
    repository: DemoRepository, tmp_path: Path
) -> None:
    kept = archived(repository, tmp_path, IngestStrategy.WEB_FILESET_BUNDLED)

    facts = kept.facts(tmp_path, "--verify")

    assert facts["holding"]["bundle"]["filename"] == kept.warc.name
    assert {file["place"]["offset"] for file in facts["files"]} == {
        facts["holding"]["bundle"]["offset"]
    }
    assert {file["place"]["fate"] for file in facts["files"]} == {"intact"}
    assert all(file["bundle_member"] for file in facts["files"])


def test_a_second_ingest_is_history_and_moves_no_date(
    repository: DemoRepository, tmp_path: Path
) -> None:
    once = archived(repository, tmp_path / "once", IngestStrategy.WEB_FILESET)
    before = once.facts(tmp_path)
    ingest(once.path, once.url)

    after = once.facts(tmp_path)

    assert after["holding"] == before["holding"]
    assert [each["status"] for each in after["attempts"]] == ["success", "success-existing"]


def test_what_lies_in_the_record_of_another_dataset_is_verified_as_well(
    repository: DemoRepository, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive")
    urls = [repository.dataset(key).url(repository) for key in ("PRISN5", KEY)]
    ingest(archive, *urls)  # both have the same README.txt

    facts = Kept(archive, urls[1]).facts(tmp_path, "--verify")

    assert len({file["place"]["filename"] for file in facts["files"]}) == 2
    assert {file["place"]["fate"] for file in facts["files"]} == {"intact"}
    assert all("checked" in file["place"] for file in facts["files"])


def test_damage_that_a_verification_finds_is_certified(
    repository: DemoRepository, tmp_path: Path
) -> None:
    kept = archived(repository, tmp_path, IngestStrategy.WEB_FILESET)
    place = kept.facts(tmp_path)["files"][1]["place"]
    content = bytearray(kept.warc.read_bytes())
    content[place["offset"] + place["length"] // 2] ^= 0xFF
    kept.warc.write_bytes(content)

    facts = kept.facts(tmp_path, "--verify")

    assert facts["summary"]["damaged"] == 1
    assert facts["files"][1]["place"]["fate"] == "damaged"
    assert facts["verification"]["failures"][0]["record_id"] == place["record_id"]


@pytest.mark.parametrize("left", [None, 900])
def test_of_a_warc_that_is_gone_or_cut_no_file_is_certified(
    repository: DemoRepository, tmp_path: Path, left: int | None
) -> None:
    kept = archived(repository, tmp_path, IngestStrategy.WEB_FILESET)
    name = kept.warc.name
    if left is None:
        kept.warc.rename(tmp_path / "elsewhere.warc.gz")
    else:
        os.truncate(kept.warc, left)

    facts = kept.facts(tmp_path)

    fates = {file["path"]: file["place"]["fate"] for file in facts["files"]}
    assert facts["verification"]["failed"] > 1
    words = facts["verification"]["failures"][0]["message"]
    gone = f"There is no collections/main/archive/{name}."
    assert words == gone if left is None else words.startswith("The")
    assert str(tmp_path) not in json.dumps(facts)
    assert set(fates.values()) == {"missing"} if left is None else "missing" in fates.values()
    told = carrel("status", "--json", "--archive", kept.path).lines[0]
    assert told["needs"]


def test_of_an_archive_in_use_nothing_is_certified_that_is_not_so(
    repository: DemoRepository, tmp_path: Path
) -> None:
    kept = archived(repository, tmp_path, IngestStrategy.WEB_FILESET)
    with Archive.open_for_reading(kept.path) as opened:
        capture = max(opened.ledger.captures.all(), key=lambda each: each.length)
    data = bytearray(kept.warc.read_bytes())
    data[capture.offset + capture.length // 2] ^= 0xFF
    kept.warc.write_bytes(data)
    command = ("certificate", kept.url, "-o", tmp_path / "c.html", "--archive", kept.path)

    with Archive.create_or_open(kept.path):
        refused = carrel(*command)
        assert carrel("verify", "--archive", kept.path).code == 1
        still_refused = carrel(*command)

    assert (refused.code, still_refused.code) == (2, 2)
    assert "no certificate is issued" in still_refused.err
    assert not (tmp_path / "c.html").exists()
