# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the results in a WARC say was kept, and no record is here of: of an earlier attempt, say,
which is in another WARC.
"""

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from carrel.access.holding_files import elsewhere_of
from carrel.archive import Archive
from carrel.capture.annotations import INGEST_URN
from carrel.engine.importing.imported import Imported
from carrel.engine.rebuilding.told import Told, told_of, told_of_bundle
from carrel.model import Capture, ManifestFile
from carrel.model.names import readable
from carrel.model.not_imported import not_imported_name


def lacking_in(
    archive: Archive, documents: Mapping[str, Mapping[str, Any]], incoming: Iterable[Capture]
) -> Mapping[str, Sequence[Capture]]:
    """Return, by ingest, the records that results rest on, and that neither the archive has nor
    what comes in."""
    known = {(it.sha256, it.size) for it in incoming if not it.is_revisit}

    def is_here(told: Told) -> bool:
        sha256, size = told.fixity.digests["sha256"], told.fixity.size or 0
        return (sha256, size) in known or bool(archive.ledger.captures.holding(sha256, size))

    return {
        ingest_id: [*{it.record_id: it for it in _lacking_of(ingest_id, result, is_here)}.values()]
        for ingest_id, result in documents.items()
    }


def awaited_of(archive: Archive, ingest_ids: Iterable[str]) -> Iterator[Imported]:
    """Yield which files of these ingests are in WARCs that were not imported, to the end."""
    for ingest_id in ingest_ids:
        if not archive.ledger.captures.in_warc(not_imported_name(ingest_id)):
            continue
        result = archive.ledger.result(ingest_id) or {}
        paths = [readable(path) for path in archive.ledger.fixity.file_fates(ingest_id)]
        title = result.get("title") or result["request"]["base_url"]
        yield Imported(ingest_id, title=title, awaited=paths)


def _lacking_of(
    ingest_id: str, result: Mapping[str, Any], is_here: Callable[[Told], bool]
) -> Iterator[Capture]:
    bundle = told_of_bundle(result.get("fileset_bundle") or {})
    for file in map(ManifestFile.from_json, result.get("manifest") or ()):
        if not file.is_kept or elsewhere_of(file, result):
            continue
        alone = told_of(file)
        told = bundle if "bundle_member" in file.extra else alone
        # A file of a bundle may be here by itself, too.
        if told and not any(is_here(each) for each in (told, alone) if each):
            yield _capture(ingest_id, told)


def _capture(ingest_id: str, told: Told) -> Capture:
    name = f"{INGEST_URN}{ingest_id}:{told.url}:{told.timestamp}:{told.fixity.digests['sha256']}"
    record_id = f"<{uuid.uuid5(uuid.NAMESPACE_URL, name).urn}>"
    return told.capture(record_id, not_imported_name(ingest_id))
