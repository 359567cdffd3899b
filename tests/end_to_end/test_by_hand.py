# SPDX-License-Identifier: AGPL-3.0-or-later
"""The commands of a certificate, run in a shell: each kind of record gives the digest it states."""

import gzip
import hashlib
import json
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from carrel.archive import Archive
from carrel.demo import DemoRepository
from carrel.engine import IngestOptions
from carrel.model import IngestStrategy
from support.archives import carrel, ingest, new_archive
from support.packages import write_bag
from support.wire import WireServer, dataset_page, reply

WARCS = Path("collections/main/archive")
TABLE = b"hour,height\n" * 4000
MEMBERS = "members/"


class ByHand:
    """What checks the files of the certificate of one dataset, in a folder of its own."""

    def __init__(self, archive: Path, named: str, folder: Path) -> None:
        self._archive, self._folder = archive, folder
        for name in ("certificate.html", "certificate.json"):
            ran = carrel("certificate", named, "-o", folder / name, "--archive", archive)
            assert ran.code == 0, ran.err
        self.facts: dict[str, Any] = json.loads((folder / "certificate.json").read_text())
        page = LexborHTMLParser((folder / "certificate.html").read_bytes())
        self.blocks = [each.text().splitlines() for each in page.css("pre:not(#facts)")]
        self.words = page.body.text(separator=" ") if page.body else ""

    def digest(self, file: Mapping[str, Any]) -> str:
        """Return the SHA-256 of the stored payload that holds a file."""
        whole = self.facts["holding"].get("bundle") if "bundle_member" in file else None
        stored = whole or {**file["observed"], **file["place"]}
        place = file["place"]
        values = {
            "FILE": self._archive / WARCS / place["filename"],
            "OFFSET": place["offset"],
            "LENGTH": place["length"],
            "SIZE": stored["size"],
        }
        self._run("tail -c", values)
        kind = (self._folder / "record").read_bytes().partition(b"WARC-Type: ")[2].split()[0]
        at = [each for each in self.blocks if each[0].startswith("sed")]
        (response, resource) = at
        commands = {b"response": response, b"resource": resource}[kind]
        return self._shell(commands, values)

    def decoded(self) -> str:
        """Return the SHA-256 of what the payload that was cut out last is when it is decoded."""
        return self._run("gzip -dc < payload", {})

    def member(self, name: str) -> str:
        """Return the SHA-256 of a file in the payload that was cut out last."""
        if shutil.which("unzip") is None:
            self._shell(["python3 -m zipfile -e payload members"], {})
            return self._shell([f"sha256sum {shlex.quote(MEMBERS + name)}"], {})
        return self._run("unzip", {"MEMBER": name})

    def _run(self, start: str, values: Mapping[str, object]) -> str:
        (commands,) = (each for each in self.blocks if each[0].startswith(start))
        return self._shell(commands, values)

    def _shell(self, commands: list[str], values: Mapping[str, object]) -> str:
        text = "\n".join(commands)
        for name, value in values.items():
            text = text.replace(name, str(value))
        ran = subprocess.run(
            ["sh", "-ec", text], cwd=self._folder, capture_output=True, text=True, check=True
        )
        return ran.stdout.split()[0] if ran.stdout else ""


@pytest.mark.parametrize("times", [1, 2])
def test_a_file_that_a_server_sent(tmp_path: Path, times: int) -> None:
    with WireServer() as server:
        pages = [
            dataset_page(
                server,
                [{"name": "t.csv", "contentUrl": server.serve(f"/{at}.csv", reply(TABLE))}],
                f"/dataset/{at}",
                identifier=f"https://doi.org/10.5072/{at}",
            )
            for at in range(times)
        ]
        ingest(archive := new_archive(tmp_path / "archive"), *pages)
    by_hand = ByHand(archive, pages[-1], tmp_path)

    (file,) = by_hand.facts["files"]

    assert by_hand.digest(file) == file["observed"]["sha256"] == hashlib.sha256(TABLE).hexdigest()


def test_a_file_that_a_server_compressed(tmp_path: Path) -> None:
    with WireServer() as server:
        coded = reply(gzip.compress(TABLE), Content_Encoding="gzip", Content_Type="text/csv")
        file = {"name": "t.csv", "contentUrl": server.serve("/t.csv", coded)}
        page = dataset_page(
            server,
            [{**file, "contentSize": len(TABLE), "sha256": hashlib.sha256(TABLE).hexdigest()}],
        )
        ingest(archive := new_archive(tmp_path / "archive"), page)
    by_hand = ByHand(archive, page, tmp_path)

    (certified,) = by_hand.facts["files"]
    place = certified["place"]

    assert by_hand.digest(certified) == place["sha256"] != certified["observed"]["sha256"]
    assert by_hand.decoded() == certified["observed"]["sha256"]
    assert f"stored as sent {place['size']} bytes" in by_hand.words
    assert place["sha256"] in by_hand.words


def test_a_file_that_was_imported(tmp_path: Path) -> None:
    archive = new_archive(tmp_path / "archive")
    carrel("import", write_bag(tmp_path / "bag"), "--archive", archive)
    with Archive.open_for_reading(archive) as opened:
        (row,) = opened.ledger.holdings.listed()
    by_hand = ByHand(archive, row["ingest_id"], tmp_path)

    found = {file["path"]: by_hand.digest(file) for file in by_hand.facts["files"]}

    assert found
    assert found == {it["path"]: it["observed"]["sha256"] for it in by_hand.facts["files"]}


def test_a_file_in_a_bundle(tmp_path: Path) -> None:
    archive = new_archive(tmp_path / "archive")
    with DemoRepository() as repository:
        url = repository.dataset("DIARY3").url(repository)
        ingest(archive, url, options=IngestOptions(IngestStrategy.WEB_FILESET_BUNDLED))
    by_hand = ByHand(archive, url, tmp_path)
    bundle, file = by_hand.facts["holding"]["bundle"], by_hand.facts["files"][0]

    assert by_hand.digest(file) == bundle["sha256"]
    assert by_hand.member(file["bundle_member"]) == file["observed"]["sha256"]
    assert f"{bundle['size']:,} bytes" in by_hand.words
    assert bundle["sha256"] in by_hand.words


def test_the_readme_of_an_archive_gives_the_same_commands(tmp_path: Path) -> None:
    archive = new_archive(tmp_path / "archive")
    with DemoRepository() as repository:
        url = repository.dataset("DIARY3").url(repository)
        ingest(archive, url, options=IngestOptions(IngestStrategy.WEB_FILESET_BUNDLED))
    readme = [line.strip() for line in (archive / "README.txt").read_text().splitlines()]

    blocks = ByHand(archive, url, tmp_path).blocks

    of_files = [
        it for it in blocks if not {"FILE", "chain.pem", "DOCUMENT.p7s"} & set(it[0].split())
    ]
    assert len(of_files) == 5
    assert all(line in readme for block in of_files for line in block)
    assert next(it[0] for it in blocks if it[0].startswith("tail")) in readme
