# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results that a WACZ of Carrel's has beside its WARCs.

An ingest that found everything here wrote no WARC: its result is in the WACZ alone, with records of
earlier ingests. It is believed if the archive has every file that it says was kept.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from carrel.access.holding_files import elsewhere_of
from carrel.archive import Archive
from carrel.engine.importing.attempts import parts_of
from carrel.engine.importing.contradictions import otherwise_than_own, says_same
from carrel.engine.importing.doubts import NO_RESULT, as_follows
from carrel.engine.importing.imported import Imported
from carrel.engine.importing.own_result import OwnResult, read_result
from carrel.engine.importing.package_warcs import PackageWarcs
from carrel.engine.staging import folder_for
from carrel.errors import NotLoaded
from carrel.mementos.warc.wacz import Wacz
from carrel.model import Fixity, ManifestFile
from carrel.model.names import readable
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

_RESULT = re.compile(r"metadata/result(?:-[0-9]+)?\.json")
_MOST_BYTES = 512 * MEBIBYTE


def import_results(archive: Archive, path: Path) -> Iterator[Imported]:
    """Add the attempts of which a WACZ tells and the ledger does not know.

    Raises NotLoaded, ArchiveError.
    """
    wacz = Wacz(path)
    for name in filter(_RESULT.fullmatch, wacz.names):
        member = wacz.member(name)
        if member.size > _MOST_BYTES:
            continue
        try:
            own = read_result(b"".join(member.pieces(0)))
        except NO_RESULT:
            words = tr("{name} is not the result of an ingest.", name=name)
            yield Imported(f"{path}!{name}", was_there=True, remarks=[words])
            continue
        if own.doubts:
            words = tr("{name} cannot be as it says: {why}", name=name, why=own.doubts[0])
            yield Imported(f"{path}!{name}", was_there=True, remarks=[words])
        elif (known := archive.ledger.result(own.ingest_id)) is None:
            yield _adopted(archive, f"{path}!{name}", own)
        elif not says_same(known, own.result):
            words = tr("{name} is not the archive's own result, which it keeps.", name=name)
            yield Imported(f"{path}!{name}", was_there=True, remarks=[words])


def _adopted(archive: Archive, source: str, own: OwnResult) -> Imported:
    for file in own.files:
        if file.is_kept and not _is_here(archive, file, own.result):
            path = readable(file.path)
            words = tr("{path} is not here, though the result says so.", path=path)
            raise NotLoaded(source, words)
    own.result = as_follows(own.result, own.files)
    _store(archive, source, own)
    parts = parts_of(archive, {own.ingest_id})
    _, attempts = archive.ledger.ingests.adopt(
        [], {own.ingest_id: own.result}, came_in=source.rpartition("/")[2], parts=parts
    )
    count = sum(file.is_kept for file in own.files)
    remarks = [*otherwise_than_own(archive, own.ingest_id)]
    return Imported(source, attempts=attempts, title=own.dataset.name, files=count, remarks=remarks)


def _store(archive: Archive, source: str, own: OwnResult) -> None:
    """Write the result into a WARC, as those of all ingests are: a ledger is made again from it."""
    name = source.rpartition("!")[0].rpartition("/")[2]
    with folder_for(archive.staging, "import") as folder:
        warcs = PackageWarcs(archive, own.ingest_id, name, folder)
        try:
            for path in warcs.finish(json.dumps(own.result).encode()):
                archive.take_in(path, path.name, ())
        finally:
            warcs.discard()


def _is_here(archive: Archive, file: ManifestFile, result: Mapping[str, Any]) -> bool:
    known = file.observed or Fixity()
    if elsewhere_of(file, result) or _holds(archive, known):
        return True
    if stored := file.extra.get("stored_payload"):
        return _holds(archive, Fixity.from_json(stored))
    bundle = (result.get("fileset_bundle") or {}).get("file_meta") or {}
    of_bundle = Fixity(bundle.get("size_bytes"), {"sha256": bundle.get("sha256hex") or ""})
    return "bundle_member" in file.extra and _holds(archive, of_bundle)


def _holds(archive: Archive, known: Fixity) -> bool:
    sha256 = known.digests.get("sha256")
    if not sha256 or known.size is None:
        return False
    return bool(archive.ledger.captures.holding(sha256, known.size))
