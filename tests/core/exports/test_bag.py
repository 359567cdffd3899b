# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bags, as bagit-python reads them."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import bagit
import pytest

from carrel.archive import Archive
from carrel.errors import UsageError
from carrel.model.exports import ExportForm
from support.certified import archive_with, kept
from support.exports import DAY, HOSTILE, exported, only
from support.held import hold
from support.wire import WireServer


def bag_of(archive: Archive, folder: Path, **options: Any) -> bagit.Bag:
    _, path = only(exported(archive, ExportForm.BAGIT, folder, **options))
    return bagit.Bag(str(path))


def test_a_bag_of_hostile_names_is_valid(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, HOSTILE)

    bag = bag_of(archive, tmp_path / "out")

    bag.validate()
    assert len(bag.payload_entries()) == len(HOSTILE)
    assert sorted(bag.algorithms) == ["sha256", "sha512"]


def test_a_flipped_byte_makes_the_bag_invalid(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, {"a.txt": b"tide"})
    bag = bag_of(archive, tmp_path / "out")
    Path(bag.path, "data/a.txt").write_bytes(b"tidf")

    with pytest.raises(bagit.BagValidationError):
        bag.validate()


@pytest.mark.parametrize(("name", "version"), [("a.txt", (1, 0)), ("100%.txt", (0, 97))])
def test_a_bag_is_of_the_version_whose_names_all_tools_read_alike(
    server: WireServer, archive: Archive, tmp_path: Path, name: str, version: tuple[int, int]
) -> None:
    hold(archive, server, {name: b"tide"})

    bag = bag_of(archive, tmp_path / "out")

    assert bag.version_info == version
    assert list(bag.payload_entries()) == [f"data/{name}"]


def test_no_title_adds_a_field(server: WireServer, archive: Archive, tmp_path: Path) -> None:
    hold(archive, server, {"a.txt": b"tide"}, title="Tides\r\nPayload-Oxum: 0.0\u2028x\x85y")

    bag = bag_of(archive, tmp_path / "out")

    bag.validate()
    assert bag.info["External-Description"] == "Tides Payload-Oxum: 0.0 x y"
    assert bag.info["Payload-Oxum"] == "4.1"
    assert bag.info["Bagging-Date"] == DAY.isoformat()


def test_lists_are_by_the_algorithms_that_are_wanted(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, {"a.txt": b"tide"})

    bag = bag_of(archive, tmp_path / "out", algorithms=("md5", "sha256"))

    bag.validate()
    lists = sorted(path.name for path in Path(bag.path).glob("*manifest-*"))
    assert lists == [
        "manifest-md5.txt",
        "manifest-sha256.txt",
        "tagmanifest-md5.txt",
        "tagmanifest-sha256.txt",
    ]


def test_other_forms_take_no_algorithms(archive: Archive, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Only bags"):
        exported(archive, ExportForm.FILES, tmp_path / "out", algorithms=("md5",))


def test_what_datacite_asks_for_is_there_where_it_is_known(tmp_path: Path) -> None:
    from carrel.exports import datacite
    from carrel.exports.holding import holding_of
    from carrel.exports.payload import Payload

    folder = archive_with(tmp_path / "archive", [kept("a.txt")], creators=["Ada\r\nHarbour \x01"])
    with Archive.open_for_reading(folder) as archive:
        (ingest_id,) = [row["ingest_id"] for row in archive.ledger.holdings.held()]
        documents = dict(datacite.documents(holding_of(archive, ingest_id), Payload()))

    root = ET.fromstring(documents["metadata/datacite.xml"].decode())  # noqa: S314 - our own
    space = "{http://datacite.org/schema/kernel-4}"
    assert root.findtext(f"{space}identifier") == "10.5072/TIDE/7"
    assert root.findtext(f".//{space}creatorName") == "Ada Harbour ⟨U+0001⟩"
    assert root.findtext(f"{space}publicationYear") == "2025"
    assert root.findtext(f"{space}publisher") == ":unav"
