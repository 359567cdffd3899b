# SPDX-License-Identifier: AGPL-3.0-or-later
"""Datasets that are held: by files of their own, in a bundle, in a content coding."""

import gzip
import hashlib
from collections.abc import Mapping
from pathlib import Path

from carrel.archive import Archive
from carrel.model import Fixity, IngestStrategy, ManifestFile, PlatformItem
from support.strategies import strategy_at_work
from support.wire import WireServer, reply


def declared(content: bytes) -> Fixity:
    return Fixity(len(content), {"sha256": hashlib.sha256(content).hexdigest()})


def hold(
    archive: Archive,
    server: WireServer,
    files: Mapping[str, bytes],
    ingest: str = "1",
    title: str = "Tides",
    dataset: str = "doi:10.5072/X",
) -> str:
    """Have files archived, each by itself; return the id of the ingest."""
    manifest = tuple(
        ManifestFile(path, server.serve(f"/{ingest}/{at}", reply(content)), declared(content))
        for at, (path, content) in enumerate(files.items())
    )
    item = PlatformItem("dataverse", "data.example", dataset, manifest, title=title)
    strategy_at_work(archive, item, IngestStrategy.WEB_FILESET, ingest_id=ingest)
    return ingest


def hold_bundle(
    archive: Archive, server: WireServer, files: Mapping[str, bytes], bundle: bytes
) -> str:
    """Have files archived as the bundle that they are in."""
    manifest = tuple(
        ManifestFile(path, server.serve(f"/alone/{at}", reply(content)), declared(content))
        for at, (path, content) in enumerate(files.items())
    )
    url = server.serve("/bundle", reply(bundle, Content_Type="application/zip"))
    item = PlatformItem("dataverse", "data.example", "doi:10.5072/X", manifest, web_bundle_url=url)
    strategy_at_work(archive, item, IngestStrategy.WEB_FILESET_BUNDLED)
    return "1"


def hold_coded(archive: Archive, server: WireServer, content: bytes) -> str:
    """Have a file archived that was sent in gzip and is published without."""
    answer = reply(gzip.compress(content), Content_Encoding="gzip", Content_Type="text/csv")
    manifest = (ManifestFile("table.csv", server.serve("/coded", answer), declared(content)),)
    item = PlatformItem("dataverse", "data.example", "doi:10.5072/X", manifest)
    strategy_at_work(archive, item, IngestStrategy.WEB_FILE)
    return "1"


def spoil_payload(archive: Archive, ingest: str, position: int) -> None:
    """Turn a bit in the middle of the record of one file."""
    capture = archive.ledger.captures.by_position(ingest)[position]
    turn(archive.warcs / capture.filename, capture.offset + capture.length // 2)


def spoil_request(archive: Archive, ingest: str, position: int) -> None:
    """Turn a bit in the request record behind the record of one file."""
    capture = archive.ledger.captures.by_position(ingest)[position]
    turn(archive.warcs / capture.filename, capture.offset + capture.length + 100)


def turn(path: Path, position: int) -> None:
    """Turn a bit of a file."""
    content = bytearray(path.read_bytes())
    content[position] ^= 0x10
    path.write_bytes(content)
